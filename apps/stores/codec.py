"""Records as stored fields. Scripts decode read-sets and provenances only; everything else passes through whole."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.names import Coordinate, Json, ReadSet, ReuseName
from apps.serving.outcomes import Miss, Result
from apps.serving.ports import ChainRecord, EntryFacts, FillRecord
from apps.serving.workflow import Semantics

Fields = Mapping[bytes, bytes]


def pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    """A script's flat reply [field, value, field, value, …] as a dict."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def encode_reads(*read_sets: ReadSet) -> str:
    """[record, version, record, version, …], all text, so that a script compares versions without a number's limits.

    A record that two of them hold in different versions stands there with both: whichever is published, one is stale.
    """
    read = dict.fromkeys(pair for reads in read_sets for pair in reads.items())
    # Not escaped: a script compares these record ids with ids that came as plain UTF-8.
    return json.dumps([part for record, version in read for part in (record, str(version))], ensure_ascii=False)


def decode_reads(stored: bytes) -> dict[str, int]:
    flat = json.loads(stored)
    return {record: int(version) for record, version in zip(flat[::2], flat[1::2], strict=True)}


def encode_all_reads(result: Result) -> str:
    """Its reads with those that it inherits, as `encode_reads`; empty when it inherits none."""
    return encode_reads(result.reads, result.inherited) if result.inherited else ""


def encode_upstream(names: Iterable[ReuseName]) -> str:
    """Sorted by their bytes, each once; empty for none."""
    texts = sorted({str(name).encode() for name in names})
    return json.dumps([text.decode() for text in texts], ensure_ascii=False) if texts else ""


def decode_provenances(stored: bytes | None) -> tuple[tuple[ReuseName, ...], ...]:
    """A root has none stored."""
    if stored is None:
        return ((),)
    return tuple(tuple(decode_name(text) for text in provenance) for provenance in json.loads(stored))


def encode_result(result: Result) -> str:
    fields: dict[str, Json] = {
        "output": result.output,
        "reads": dict(result.reads),
        "engine_ms": result.engine_ms,
        "notes": dict(result.notes),
    }
    if result.upstream:
        fields["upstream"] = [str(name) for name in result.upstream]
    if result.inherited:
        fields["inherited"] = dict(result.inherited)
    return json.dumps(fields)


def decode_result(stored: bytes) -> Result:
    # As text: json would first guess the encoding of bytes, and every hit waits for this.
    fields = json.loads(stored.decode())
    upstream = fields.get("upstream")
    return Result(
        fields["output"],
        fields["reads"],
        fields["engine_ms"],
        fields["notes"],
        () if upstream is None else tuple(decode_name(text) for text in upstream),
        fields.get("inherited") or {},
    )


def decode_name(text: str) -> ReuseName:
    """The inverse of str(name); a namespace may contain `|`, the other parts are hex digits."""
    namespace, fingerprint, input_hash, input_bytes = text.rsplit("|", 3)
    return ReuseName(namespace, fingerprint, input_hash, int(input_bytes))


def decode_facts(name: ReuseName, fields: Fields, used: bytes, worth: bytes, fresh: Miss | None) -> EntryFacts:
    return EntryFacts(
        name=name,
        stage=fields[b"stage"].decode(),
        result=decode_result(fields[b"result"]),
        producer=fields[b"producer"].decode(),
        provenances=decode_provenances(fields.get(b"provenances")),
        whole=b"partial" not in fields,
        bytes=int(fields[b"bytes"]),
        uses=int(fields[b"uses"]),
        worth=float(worth),
        kept_at_ms=int(fields[b"kept_at"]),
        used_at_ms=int(float(used)),
        fresh=fresh,
    )


def encode_fills(fills: Sequence[FillRecord]) -> str:
    """What admission knows of a chain's fills."""
    known = ("fill_id", "position", "stage", "request_id", "state")
    return json.dumps([{field: getattr(fill, field) for field in known} for fill in fills])


def decode_fill(fill_id: str, fields: Fields) -> FillRecord:
    name, result = fields.get(b"name"), fields.get(b"result")
    return FillRecord(
        fill_id=fill_id,
        chain_id=fields[b"chain"].decode(),
        branch_id=fields[b"branch"].decode(),
        position=int(fields[b"position"]),
        stage=fields[b"stage"].decode(),
        request_id=fields[b"request_id"].decode(),
        state=FillState(fields[b"state"].decode()),
        name=decode_name(name.decode()) if name else None,
        result=decode_result(result) if result else None,
    )


def encode_chain(chain: ChainRecord) -> str:
    return json.dumps(asdict(chain))


def decode_chain(stored: bytes) -> ChainRecord:
    data = json.loads(stored)
    return ChainRecord(**{**data, "fill_ids": tuple(data["fill_ids"])})


def encode_branch(branch: BranchRecord) -> str:
    return json.dumps(asdict(branch))


def decode_branch(fields: Fields) -> BranchRecord:
    """The record as opened, with the state and choice that it has now."""
    data = json.loads(fields[b"record"])
    choice = fields.get(b"choice")
    return BranchRecord(
        **{
            **data,
            "coordinate": Coordinate(**data["coordinate"]),
            "semantics": Semantics(data["semantics"]),
            "state": BranchState(fields[b"state"].decode()),
            "choice": data["choice"] if choice is None else choice.decode(),
        }
    )
