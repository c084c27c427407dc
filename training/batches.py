"""Examples as token ids, and the order in which they are learned: a function of the file and the seed alone."""

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import PreTrainedTokenizerBase

IGNORED = -100  # the label of a position that is not learned
SORTED_TOGETHER = 24  # batches whose examples are sorted by length: enough to waste little on padding


@dataclass(frozen=True, slots=True)
class Encoded:
    """Token ids of one example; the prompt is read, the answer (with its end token) is learned."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]

    @property
    def tokens(self) -> int:
        return len(self.prompt) + len(self.answer)


@dataclass(frozen=True, slots=True)
class Batch:
    """ids, labels  both (examples, longest), padded on the right; tokens: without padding"""

    ids: torch.Tensor
    labels: torch.Tensor
    tokens: int


def read_examples(path: Path, tokenizer: PreTrainedTokenizerBase) -> list[Encoded]:
    """One example a line: {"task", "user", "answer", …}. Raises ValueError, naming the line that is not one."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            example = json.loads(line)
            task, user, answer = (str(example[key]) for key in ("task", "user", "answer"))
        except (ValueError, KeyError, TypeError) as exc:
            raise ValueError(f"{path}, line {number}, is no example: {exc!r}") from exc
        found.append(encode(tokenizer, task, user, answer))
    if not found:
        raise ValueError(f"{path} holds no examples")
    return found


def encode(tokenizer: PreTrainedTokenizerBase, task: str, user: str, answer: str) -> Encoded:
    """The prompt is rendered by the model's own chat template, as the engine renders it."""
    messages = [{"role": "system", "content": task}, {"role": "user", "content": user}]
    prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    ids = [tokenizer(text, add_special_tokens=False).input_ids for text in (prompt, answer + tokenizer.eos_token)]
    return Encoded(tuple(ids[0]), tuple(ids[1]))


def order(examples: Sequence[Encoded], size: int, epochs: int, seed: int) -> list[list[Encoded]]:
    """All batches of a run, of similar lengths each; the last of a group may be smaller than `size`."""
    batches = []
    for epoch in range(epochs):
        chance = random.Random(f"order {seed} {epoch}")
        shuffled = list(examples)
        chance.shuffle(shuffled)
        groups = (shuffled[at : at + size * SORTED_TOGETHER] for at in range(0, len(shuffled), size * SORTED_TOGETHER))
        cut = [piece for group in groups for piece in _cut(sorted(group, key=lambda e: e.tokens), size)]
        chance.shuffle(cut)
        batches += cut
    return batches


def _cut(group: Sequence[Encoded], size: int) -> list[list[Encoded]]:
    return [list(group[at : at + size]) for at in range(0, len(group), size)]


def padded(examples: Sequence[Encoded], padding: int) -> Batch:
    """Padding lies on the right, where a causal model's real positions never look: no mask is needed."""
    longest = max(example.tokens for example in examples)
    ids = torch.full((len(examples), longest), padding)
    labels = torch.full((len(examples), longest), IGNORED)
    for row, example in enumerate(examples):
        ids[row, : example.tokens] = torch.tensor(example.prompt + example.answer)
        labels[row, len(example.prompt) : example.tokens] = torch.tensor(example.answer)
    return Batch(ids, labels, sum(example.tokens for example in examples))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
