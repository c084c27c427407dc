"""The fact check attacked: lies made of shown texts are put into a model's mouth, and the product decides."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from apps.concierge.model_evaluation.atoms import AtomKind
from apps.concierge.model_evaluation.claims import Expected
from apps.concierge.model_evaluation.expected import expected
from apps.concierge.model_evaluation.items import SpeechItem
from apps.concierge.model_evaluation.judge import Judge
from apps.concierge.model_evaluation.mutations import Strangers, mutations
from apps.concierge.model_evaluation.stages import Said, say
from apps.concierge.sentences import Sentences
from apps.engines.base import Completion, Delta, EngineLoad, EngineRequest, Finish
from apps.serving.names import Json


class Reciter:
    """An engine that says one text, word by word, whatever it is asked."""

    kind = "reciter"

    def __init__(self, text: str) -> None:
        self.text = text

    async def stream(self, request: EngineRequest) -> AsyncIterator[Delta | Completion]:
        for word in self.text.split(" "):
            yield Delta(f"{word} ")
        yield Completion(Finish.STOP, 0, 0, 0, (), 0.0)

    async def abort(self, request_id: str) -> None:
        """Nothing runs."""

    async def load(self) -> EngineLoad:
        return EngineLoad(None, None, None, None)

    async def tokens(self, text: str) -> int:
        return len(text.split())

    async def identity(self) -> dict[str, Json]:
        return {"kind": self.kind}

    async def healthy(self) -> bool:
        return True

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class Attacked:
    """Counts by kind of lie. told: lies put to the check; caught: of these; true: mutations that are no lie, as the
    judge sees it, and were left out. texts and refused: shown texts told again unchanged, and those not let through.
    """

    told: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    texts: int = 0
    refused: list[str] = field(default_factory=list)
    let_through: list[str] = field(default_factory=list)

    @property
    def caught_share(self) -> float | None:
        return self.caught.total() / self.told.total() if self.told else None

    @property
    def false_alarms(self) -> float | None:
        return len(self.refused) / self.texts if self.texts else None


def strangers(items: Sequence[SpeechItem]) -> Strangers:
    """The names and values of every item's facts."""
    found: dict[AtomKind, set[str]] = {kind: set() for kind in (AtomKind.NAME, AtomKind.PHRASE, AtomKind.TERM)}
    for item in items:
        for atom in expected(item.request, item.found).supported:
            if atom.kind in found:
                found[atom.kind].add(atom.value)
    return Strangers({kind: sorted(values) for kind, values in found.items()})


async def attack(shown: Sequence[Said], judge: Judge, seed: int, done: Callable[[], None] = lambda: None) -> Attacked:
    """Tell every true shown text again, and every lie made of it. `done` is called after each text.

    A wrong text is passed over: `reply_wrong_shown` counts it, and lies are made of true ones.
    """
    others, rng, result = strangers([one.item for one in shown]), random.Random(seed), Attacked()
    for one in shown:
        wanted = expected(one.item.request, one.item.found)
        if not judge.faults(one.text, wanted):
            await _attack_one(one, wanted, judge, others, rng, result)
        done()
    return result


async def _attack_one(
    one: Said, wanted: Expected, judge: Judge, others: Strangers, rng: random.Random, result: Attacked
) -> None:
    text = one.text.removesuffix(wanted.tail).strip()
    again = await _told(one.item, text)
    result.texts += 1
    if again.fallback or again.text != one.text:
        result.refused.append(one.text)
    for mutation in mutations(text, judge.reading(text, wanted), wanted, others, rng):
        if not judge.faults(f"{mutation.text} {wanted.tail}".strip(), wanted):
            result.true[mutation.lie] += 1
            continue
        result.told[mutation.lie] += 1
        lies = set(_sentences(mutation.text)) - set(_sentences(text))
        seen = (await _told(one.item, mutation.text)).text
        if any(lie in seen for lie in lies):
            result.let_through.append(f"{mutation.lie}: {seen}")
        else:
            result.caught[mutation.lie] += 1


async def _told(item: SpeechItem, text: str) -> Said:
    """What the product shows when the model says `text`."""
    return await say(item, Reciter(text))


def _sentences(text: str) -> list[str]:
    """Cut as the product cuts a stream, since it shows or refuses sentence by sentence."""
    cut = Sentences()
    return [*cut.add(text), *filter(None, [cut.rest()])]
