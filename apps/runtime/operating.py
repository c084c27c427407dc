"""What an operator does with the library: find entries, look at one, remove some, say how full it is.

Everything goes through the ports, a page at a time, so that a large library is never read in one step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice

from apps.serving.config import ServingConfig
from apps.serving.names import Json, ReuseName, canonical_bytes
from apps.serving.outcomes import Miss
from apps.serving.ports import EntryFacts, Library, Records, Shadows

PAGE = 200
SHOWN_CHARS = 400  # of an output; the JSON has no more
SHOWN_MATCHES = 5


class NotOneEntry(ValueError):
    """A name that fits no entry, or several."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Entries that fit everything given; None fits any."""

    namespace: str | None = None
    stage: str | None = None
    record: str | None = None

    def fits(self, facts: EntryFacts) -> bool:
        return (
            self.namespace in (None, facts.name.namespace)
            and self.stage in (None, facts.stage)
            and (self.record is None or self.record in facts.result.reads or self.record in facts.result.inherited)
        )


@dataclass(frozen=True, slots=True)
class Operating:
    """config gives the bounds that the totals are measured against"""

    library: Library
    shadows: Shadows
    records: Records
    config: ServingConfig

    # -- finding ----------------------------------------------------------------------------------

    def names(self) -> Iterator[ReuseName]:
        after: ReuseName | None = None
        while page := self.library.page(after, PAGE):
            yield from page
            after = page[-1]

    def entries(self, wanted: Wanted) -> Iterator[EntryFacts]:
        """Those that fit, as they are when they are reached."""
        names = self.names() if wanted.record is None else iter(self.library.readers(wanted.record))
        for name in names:
            if wanted.namespace not in (None, name.namespace):
                continue
            facts = self.library.facts(name)
            if facts is not None and wanted.fits(facts):
                yield facts

    def one(self, text: str) -> EntryFacts:
        """The entry of a whole name, or the only one whose input hash begins with `text`."""
        fitting = (name for name in self.names() if str(name) == text or name.input_hash.startswith(text))
        found = list(islice(fitting, SHOWN_MATCHES + 1)) if text else []
        if len(found) > 1:
            shown = ", ".join(name.input_hash[:16] for name in found[:SHOWN_MATCHES])
            raise NotOneEntry(f"NAME {text!r} fits several entries ({shown}, …): give more of the input hash")
        facts = self.library.facts(found[0]) if found else None
        if facts is None:
            raise NotOneEntry(
                f"NAME {text!r} fits no entry: give a whole name or the beginning of an input hash, as "
                "`manage.py library list` shows them"
            )
        return facts

    # -- showing ----------------------------------------------------------------------------------

    def inspected(self, facts: EntryFacts) -> dict[str, Json]:
        """Everything that is known of one entry, its output shortened."""
        output = canonical_bytes(facts.result.output).decode("utf-8", "replace")
        return {
            **summary(facts),
            "producer": facts.producer,
            "engine_ms": facts.result.engine_ms,
            "reads": self._reads(facts.result.reads),
            "inherited": self._reads(facts.result.inherited),
            "provenances": [[str(name) for name in upstream] for upstream in facts.provenances],
            "whole": facts.whole,
            "notes": dict(facts.result.notes),
            "output": output if len(output) <= SHOWN_CHARS else output[:SHOWN_CHARS] + "…",
            "output_chars": len(output),
        }

    def _reads(self, reads: Mapping[str, int]) -> list[Json]:
        now = self.records.versions(list(reads))
        return [
            {
                "record": record,
                "version": version,
                "version_now": now.get(record),
                "state": state(self.records.fresh({record: version})),
            }
            for record, version in sorted(reads.items())
        ]

    def totals(self, namespace: str | None) -> dict[str, Json]:
        """How full the library is, against its bounds; with a namespace, its demands as well."""
        fills = self.shadows.counts()
        shown: dict[str, Json] = {
            **asdict(self.library.totals()),
            "entries_max": self.config.library_entries,
            "bytes_max": self.config.library_bytes,
            "shadows": fills.shadows,
            "shadows_max": self.config.shadow_entries,
            "fills_reserved": fills.reserved,
            "fills_running": fills.running,
        }
        if namespace is not None:
            shown |= {"namespace": namespace, **asdict(self.library.counts(namespace))}
        return shown

    # -- removing ---------------------------------------------------------------------------------

    def delete(self, names: Iterator[ReuseName]) -> int:
        """Remove them in bounded steps; how many were there."""
        removed = 0
        while batch := list(islice(names, PAGE)):
            removed += self.library.delete(batch)
        return removed


def state(miss: Miss | None) -> str:
    return "fresh" if miss is None else miss.reason.value


def summary(facts: EntryFacts) -> dict[str, Json]:
    """One line of a list."""
    return {
        "namespace": facts.name.namespace,
        "stage": facts.stage,
        "input_hash": facts.name.input_hash,
        "input_bytes": facts.name.input_bytes,
        "fingerprint": facts.name.fingerprint,
        "name": str(facts.name),
        "state": state(facts.fresh),
        "bytes": facts.bytes,
        "uses": facts.uses,
        "worth": facts.worth,
        "kept_at_ms": facts.kept_at_ms,
        "used_at_ms": facts.used_at_ms,
    }


def list_row(facts: EntryFacts) -> dict[str, Json]:
    """What a table has room for."""
    whole = summary(facts)
    shown: Sequence[str] = ("namespace", "stage", "state", "bytes", "uses", "worth")
    return {"input hash": facts.name.input_hash[:16], **{key: whole[key] for key in shown}}
