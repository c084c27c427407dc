"""Random histories of clients, writers and workers against a reference that looks through everything.

No stale read, no lost invalidation, and nothing invalidated that has a valid provenance left; also between the steps of
a cascade, after crashes at either side of a database's commit, and through ghosts.
"""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from apps.serving.config import ServingConfig
from tests.contract.conftest import MakeStore, Store
from tests.contract.library_machine import LibraryMachine

EXAMPLES, STEPS, LONG = 140, 50, 20
"""On each store; ten thousand steps and more together, and with --long so many times that."""


def emptied(request: pytest.FixtureRequest, make_store: MakeStore) -> MakeStore:
    """Makes an empty store of the parametrized kind, any number of times."""
    if "redis" not in request.node.callspec.id:
        return make_store
    client = request.getfixturevalue("store_client")

    def make(config: ServingConfig) -> Store:
        client.flushall()
        return make_store(config)

    return make


@pytest.mark.timeout(3600)
def test_no_history_leaves_a_stale_read_a_lost_invalidation_or_one_too_many(request, make_store, long_run):
    make_empty = emptied(request, make_store)

    class Machine(LibraryMachine):
        make_store = staticmethod(make_empty)
        steps = 0

        @invariant()
        def counted(self):
            Machine.steps += 1

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES * (LONG if long_run else 1),
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=not long_run,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Machine.steps >= 5_000
