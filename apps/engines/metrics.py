"""Gauges from an engine's metrics page. Names differ between versions and engines; an absent one is None."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families


@dataclass(frozen=True, slots=True)
class Sample:
    labels: Mapping[str, str]
    value: float


class Gauges:
    """Every series of one page, by name; `sglang:x` and `sglang_x` are one name."""

    def __init__(self, page: str) -> None:
        self._series: dict[str, list[Sample]] = {}
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                name = sample.name.replace(":", "_")
                self._series.setdefault(name, []).append(Sample(sample.labels, sample.value))

    def samples(self, names: Iterable[str]) -> list[Sample]:
        """Series of the first of `names` that the page has.

        Under priority scheduling an engine repeats a gauge for every priority, and the series with an empty
        `priority` is their total: only that one counts then.
        """
        for name in names:
            if found := self._series.get(name.replace(":", "_")):
                return [s for s in found if s.labels.get("priority") == ""] or found
        return []

    def total(self, *names: str) -> int | None:
        """Sum over replicas; for counts of requests."""
        found = self.samples(names)
        return round(sum(s.value for s in found)) if found else None

    def mean(self, *names: str) -> float | None:
        """Mean over replicas, each with a pool of its own; for fractions in [0, 1]."""
        found = self.samples(names)
        return sum(s.value for s in found) / len(found) if found else None
