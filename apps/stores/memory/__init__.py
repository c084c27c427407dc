"""The ports in one process's memory: what tests of the core and virtual time use. The contract suite holds both."""

from apps.serving.config import DEFAULTS, ServingConfig
from apps.stores.memory.branches import MemoryBranches
from apps.stores.memory.events import MemoryEvents
from apps.stores.memory.library import MemoryLibrary
from apps.stores.memory.records import MemoryRecords
from apps.stores.memory.reservations import MemoryReservations
from apps.stores.memory.shadows import MemoryShadows
from apps.stores.memory.state import State


class MemoryStore:
    """All ports over one shared state, safe to use from several threads."""

    def __init__(self, config: ServingConfig = DEFAULTS) -> None:
        state = State(config)
        self.library = MemoryLibrary(state)
        self.shadows = MemoryShadows(state)
        self.branches = MemoryBranches(state)
        self.records = MemoryRecords(state)
        self.reservations = MemoryReservations()
        self.events = MemoryEvents(config)


__all__ = ["MemoryStore"]
