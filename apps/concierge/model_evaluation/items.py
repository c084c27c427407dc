"""Evaluation items: what is put to the product's stages, and what must come out.

A set is a file of JSON lines {"task", "user", "answer", "meta"}, the form of the training text, so that a generator's
held-out split is a set as it is. Used of `meta`:

understand      catalogue (an id of catalogues*.json or .jsonl, or "velmora") or places (rows); context; now; request,
                or requests where several readings are equally right; text, else the message is the last line of `user`
reply, confirm  request, found (the output of its lookup or commit)
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from apps.concierge.catalogue import seed_places
from apps.concierge.requests import Request
from apps.concierge.understand.gazetteer import Gazetteer, gazetteer_of
from apps.serving.names import Json

FOLDER = Path(__file__).parent.parent / "data" / "evaluation"
KNOWN, FREE = "known", "free"  # how a set is worded: as the generator words, or by hand
Catalogues = Mapping[str, Sequence[Mapping[str, Json]]]


class BadSet(ValueError):
    """A set's file, or one of its lines, is not of the stated form; says which and why."""


@dataclass(frozen=True, slots=True)
class UnderstandItem:
    """accepted: requests of which any is right; number: line of the set's file, from 1"""

    set_name: str
    number: int
    text: str
    names: Gazetteer
    context: Mapping[str, Json]
    now: datetime
    accepted: tuple[Request, ...]

    @property
    def op(self) -> str:
        return str(self.accepted[0]["op"])


@dataclass(frozen=True, slots=True)
class SpeechItem:
    """One reply or confirm stage: `task` says which the set's author expects."""

    set_name: str
    number: int
    task: str
    request: Request
    found: Mapping[str, Json]

    @property
    def op(self) -> str:
        return str(self.request["op"])


Item = UnderstandItem | SpeechItem
GREETING_OP = "start"
"""The generator of training text knows the greeting too; in the product it is a constant that no stage says."""


def wording(set_name: str) -> str:
    """KNOWN or FREE, by the end of the set's name."""
    return FREE if set_name.endswith(f"_{FREE}") else KNOWN


def set_names(folder: Path = FOLDER) -> list[str]:
    """Of the folder's sets; its files of catalogues are none."""
    return sorted(path.stem for path in folder.glob("*.jsonl") if not path.stem.startswith("catalogues"))


def load_set(name: str, folder: Path = FOLDER, limit: int | None = None) -> list[Item]:
    """The set's items in file order; with a limit so many of them, evenly spaced. Raises BadSet."""
    try:
        lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    except OSError as exc:
        raise BadSet(f"set {name}: {exc}") from exc
    try:
        catalogues = load_catalogues(folder)
    except (ValueError, KeyError, TypeError) as exc:
        raise BadSet(f"catalogues of {folder}: {type(exc).__name__} {exc}") from exc
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    if limit is not None and limit < len(numbers):
        numbers = [numbers[index * len(numbers) // limit] for index in range(limit)]
    items = [_item(name, number, lines[number - 1], catalogues) for number in numbers]
    return [item for item in items if item.op != GREETING_OP]


def load_catalogues(folder: Path = FOLDER) -> Catalogues:
    """Every catalogue of the folder by its id, and the product's own.

    From catalogues*.json, an object of id -> rows, and from catalogues*.jsonl, lines of {"key": id, "places": rows} as
    the generator of training text writes them.
    """
    found: dict[str, Sequence[Mapping[str, Json]]] = {"velmora": [asdict(seed) for seed in seed_places()]}
    for path in sorted(folder.glob("catalogues*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(folder.glob("catalogues*.jsonl")):
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found |= {line["key"]: line["places"] for line in lines}
    return found


def _item(name: str, number: int, line: str, catalogues: Catalogues) -> Item:
    try:
        data = json.loads(line)
        task, meta = data["task"], data["meta"]
        if task == "understand":
            return _understand(name, number, str(data["user"]), meta, catalogues)
        if task in ("reply", "confirm"):
            return SpeechItem(name, number, task, meta["request"], meta["found"])
    except (ValueError, KeyError, TypeError) as exc:
        raise BadSet(f"set {name}, line {number}: {type(exc).__name__} {exc}") from exc
    raise BadSet(f"set {name}, line {number}: unknown task {task!r}")


def _understand(name: str, number: int, user: str, meta: Mapping[str, Json], catalogues: Catalogues) -> UnderstandItem:
    places = meta["places"] if "places" in meta else catalogues[str(meta["catalogue"])]
    accepted = tuple(meta["requests"] if "requests" in meta else [meta["request"]])
    now = datetime.fromisoformat(str(meta["now"]))
    text = str(meta["text"]) if "text" in meta else user.rpartition("\n")[2]
    aware = now if now.tzinfo else now.replace(tzinfo=UTC)
    return UnderstandItem(name, number, text, gazetteer_of(places), meta["context"], aware, accepted)


def understand_items(items: Sequence[Item]) -> Iterator[UnderstandItem]:
    return (item for item in items if isinstance(item, UnderstandItem))


def speech_items(items: Sequence[Item]) -> Iterator[SpeechItem]:
    return (item for item in items if isinstance(item, SpeechItem))
