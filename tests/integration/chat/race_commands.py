"""Run as a process of its own on the database of DATABASE_URL: many threads want the same turn at once."""

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402

from apps.chat import commands, lifecycle, ports, wire  # noqa: E402
from apps.chat.models import Conversation, Offer, State, Turn  # noqa: E402
from apps.runtime.program import Action  # noqa: E402
from tests.integration.chat.fakes import FakeRuntime  # noqa: E402

THREADS = 8


def conversation_with_offer() -> Offer:
    run = commands.start_conversation("alice", "full")
    actions = (Action("One", {"intent": "one"}, True), Action("Two", {"intent": "two"}, True))
    assert lifecycle.finish(run, lifecycle.Ending(State.DONE, "Hello.", {}, {}, {}, actions))
    return Offer.objects.select_related("turn").get(turn_id=run.turn)


def closing(work, *args):
    try:
        return work(*args)
    finally:
        connection.close()


def race(work) -> Counter:
    with ThreadPoolExecutor(THREADS) as threads:
        return Counter(threads.map(partial(closing, work), range(THREADS)))


def pick(offer: Offer, key: str, action: int) -> str:
    command = wire.Pick(key, offer.turn_id, offer.id, action)
    outcome = commands.apply(offer.turn.conversation_id, "alice", command, lifecycle.now_ms())
    return getattr(outcome, "code", type(outcome).__name__)


def settled_beside_a_pick(offer: Offer) -> list:
    """What is found when the branch is stored while a pick has been written and is not yet committed."""
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            assert pick(offer, "first", 1) == "Started"
            storing = threads.submit(closing, lifecycle.store_branch, offer.turn_id, "branch")
            wait([storing], timeout=1.0)  # it waits for the pick; one that does not is caught by its answer
        settled = storing.result()
    return [settled.answered, settled.picked]


def main() -> None:
    call_command("migrate", verbosity=0)
    ports.current = FakeRuntime
    one, two = conversation_with_offer(), conversation_with_offer()
    told = {
        "keys_differ": race(lambda number: pick(one, f"key-{number}", number % 2)),
        "keys_equal": race(lambda number: pick(two, "key", 0)),
    }
    Turn.objects.filter(state=State.RUNNING).update(lease_until_ms=1)
    late = lifecycle.expired(1)[0]
    told["successors"] = race(lambda number: str(lifecycle.take(late) is not None))
    told["turns"] = Turn.objects.count()
    told["settled"] = settled_beside_a_pick(conversation_with_offer())
    commands.delete(one.turn.conversation_id)
    told["left"] = [Conversation.objects.count(), Turn.objects.count(), Offer.objects.count()]
    json.dump(told, sys.stdout)


main()
