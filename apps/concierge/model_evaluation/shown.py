"""An evaluation as people and programs read it."""

import json
from collections.abc import Iterator

from apps.concierge.model_evaluation.report import Evaluation, checks, other_rows, speech_rows, understand_rows
from apps.runtime.measurement import Measurement, check_table, columns


def measurement(found: Evaluation, seed: int) -> Measurement:
    rows = [*understand_rows(found), *speech_rows(found), *(row for table in other_rows(found) for row in table)]
    return Measurement("evaluate_model", seed, rows, checks(found))


def tables(found: Evaluation) -> str:
    """One table for each part, without its name, and the checks."""
    parts = [understand_rows(found), speech_rows(found), *other_rows(found)]
    plain = [[{k: v for k, v in row.items() if k != "part"} for row in rows] for rows in parts if rows]
    return "\n\n".join([*(columns(rows) for rows in plain), check_table(checks(found))])


def errors(found: Evaluation) -> Iterator[str]:
    """A line or two for everything that was wrong."""
    for heard in found.heard:
        if not heard.exact:
            who = "rules" if heard.by_rule else "model"
            wanted = " or ".join(_compact(one) for one in heard.item.accepted)
            place = f"{heard.item.set_name}:{heard.item.number}"
            yield f"{place} {heard.item.text!r}\n  {who}: {_compact(heard.request)}\n  wanted: {wanted}"
    for one in found.judged:
        place = f"{one.said.item.set_name}:{one.said.item.number}"
        if one.faults:
            yield f"{place} WRONG {one.said.text!r}\n  {'; '.join(one.faults)}"
        elif one.said.fallback:
            yield f"{place} fallback {one.said.text!r}"
    if found.equality is not None:
        yield from (f"different bytes: {one}" for one in found.equality.different)
    if found.attacked is not None:
        yield from (f"let through, {one}" for one in found.attacked.let_through)
        yield from (f"false alarm: {one}" for one in found.attacked.refused)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
