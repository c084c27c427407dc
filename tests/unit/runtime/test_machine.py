import os

from apps.runtime.machine import this_machine


def test_the_machine_is_described_with_what_a_reader_needs_to_compare():
    machine = this_machine()
    assert 1 <= machine.cores <= os.cpu_count()
    assert machine.model
    assert machine.memory_bytes > 100_000_000
    assert machine.python.startswith("3.")
