"""Records as stored fields. Only `reads` is ever decoded by a script; everything else passes through whole."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from apps.serving.branch.fill import FillState
from apps.serving.branch.record import BranchRecord, BranchState
from apps.serving.names import Coordinate, ReadSet, ReuseName
from apps.serving.outcomes import Result
from apps.serving.ports import ChainRecord, FillRecord
from apps.serving.workflow import Semantics

Fields = Mapping[bytes, bytes]


def pairs(flat: Sequence[bytes]) -> dict[bytes, bytes]:
    """A script's flat reply [field, value, field, value, …] as a dict."""
    return dict(zip(flat[::2], flat[1::2], strict=True))


def encode_reads(reads: ReadSet) -> str:
    # Not escaped: a script compares these record ids with ids that came as plain UTF-8.
    return json.dumps(dict(reads), ensure_ascii=False)


def encode_result(result: Result) -> str:
    return json.dumps(
        {
            "output": result.output,
            "reads": dict(result.reads),
            "engine_ms": result.engine_ms,
            "notes": dict(result.notes),
        }
    )


def decode_result(stored: bytes) -> Result:
    return Result(**json.loads(stored))


def decode_name(text: str) -> ReuseName:
    """The inverse of str(name); a namespace may contain `|`, the other parts are hex digits."""
    namespace, fingerprint, input_hash, input_bytes = text.rsplit("|", 3)
    return ReuseName(namespace, fingerprint, input_hash, int(input_bytes))


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
