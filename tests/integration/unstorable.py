"""A module of its own, since another process imports it."""

from dataclasses import dataclass

from apps.evaluation.library_bench.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Unstorable:
    """Cannot be stored, whatever its number."""

    def store(self, shelf: Shelf, number: int) -> None:
        raise ValueError(f"number {number} cannot be stored, as this test wants it")
