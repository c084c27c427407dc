"""Train the adapter of the concierge's model.

usage: python -m training.train --base FOLDER --data FILE --out FOLDER [--held-out FILE]

Interrupt it at will: the same command goes on from the last checkpoint, and ends with the very same adapter. In the
output folder: adapter/ (PEFT), half/ and three-quarters/ (as it was then), train.log, and checkpoint.pt.
"""

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from apps.runtime import embedded_model
from training import checkpoint
from training.batches import Batch, Encoded, digest, order, padded, read_examples
from training.checkpoint import Progress
from training.learner import Learner, Recipe, load_base

LOG_EVERY_STEPS = 20
MOST_HELD_OUT = 240  # examples: more would cost minutes


@dataclass(frozen=True, slots=True)
class Plan:
    """One run. batch_size: examples a step; checkpoint_s: at most so long between two checkpoints."""

    base: Path
    data: Path
    out: Path
    held_out: Path | None
    recipe: Recipe
    batch_size: int
    epochs: int
    seed: int
    threads: int
    checkpoint_s: float

    def name(self) -> str:
        """Equal for runs that end with the same adapter. Reads data and base whole: half a gigabyte."""
        base = [(file.name, embedded_model.digest(file)) for file in sorted(self.base.iterdir()) if file.is_file()]
        parts = [digest(self.data), sorted(asdict(self.recipe).items()), self.batch_size, self.epochs, self.seed]
        return hashlib.sha256(repr([*parts, self.threads, base]).encode()).hexdigest()


class Log:
    """Lines on stderr and, in case nobody watches, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%H:%M:%S')} {line}\n")


class Run:
    """A learner on its way through the batches of a plan."""

    def __init__(self, plan: Plan, fresh: bool = False) -> None:
        torch.set_num_threads(plan.threads)
        torch.set_flush_denormal(True)
        plan.out.mkdir(parents=True, exist_ok=True)
        self.plan, self.log = plan, Log(plan.out / "train.log")
        self._name = plan.name()
        tokenizer = AutoTokenizer.from_pretrained(plan.base)
        self._padding = tokenizer.pad_token_id
        examples = read_examples(plan.data, tokenizer)
        self.batches = order(examples, plan.batch_size, plan.epochs, plan.seed)
        self.held_out = self._held_out(tokenizer)
        self.learner = Learner(load_base(plan.base), plan.recipe, len(self.batches), plan.seed)
        self.progress = Progress()
        self.log(f"{described(examples)}; {len(self.batches)} steps of {plan.batch_size}")
        self._file = plan.out / "checkpoint.pt"
        if self._file.exists() and not fresh:
            self._resume()

    def _held_out(self, tokenizer: PreTrainedTokenizerBase) -> list[Batch]:
        if self.plan.held_out is None:
            return []
        examples = read_examples(self.plan.held_out, tokenizer)
        chosen = random.Random(0).sample(examples, min(MOST_HELD_OUT, len(examples)))
        return [padded(batch, self._padding) for batch in order(chosen, self.plan.batch_size, 1, 0)]

    def _resume(self) -> None:
        self.progress, state = checkpoint.load(self._file, self._name)
        self.learner.restore(state)
        torch.set_rng_state(self.progress.chance)
        self.log(f"going on after step {self.progress.step}, from {self._file}")

    def run(self, until: int | None = None) -> None:
        """Learn up to step `until`, or to the end; there the adapter is saved."""
        last = len(self.batches) if until is None else min(until, len(self.batches))
        saved_at = time.monotonic()
        while self.progress.step < last:
            self._step()
            self._keep_milestone()
            if time.monotonic() - saved_at >= self.plan.checkpoint_s:
                self.save()
                saved_at = time.monotonic()
        self.save()

    def _step(self) -> None:
        before, began = self.progress, time.monotonic()
        batch = padded(self.batches[before.step], self._padding)
        loss = self.learner.step(before.step, batch)
        spent_s = before.spent_s + time.monotonic() - began
        losses = (*before.losses, loss)[-LOG_EVERY_STEPS:]
        self.progress = Progress(before.step + 1, before.tokens + batch.tokens, spent_s, losses, torch.get_rng_state())
        if self.progress.step % LOG_EVERY_STEPS == 0 or self.progress.step == len(self.batches):
            self._say()

    def _say(self) -> None:
        done = self.progress
        rest = sum(example.tokens for batch in self.batches[done.step :] for example in batch)
        per_s = done.tokens / done.spent_s
        loss = sum(done.losses) / len(done.losses)
        self.log(
            f"step {done.step} of {len(self.batches)}: loss {loss:.4f}, {per_s:.0f} tokens/s, "
            f"{done.spent_s / 60:.1f} min, {rest / per_s / 60:.1f} min to go"
        )

    def _keep_milestone(self) -> None:
        steps = len(self.batches)
        names = {steps // 2: "half", steps * 3 // 4: "three-quarters", steps: "adapter"}
        name = names.get(self.progress.step)
        if name is None:
            return
        self.learner.save(self.plan.out / name)
        loss = f", {self.learner.mean_loss(self.held_out):.4f} on held-out examples" if self.held_out else ""
        self.log(f"saved {self.plan.out / name}{loss}")

    def save(self) -> None:
        checkpoint.save(self._file, self._name, self.progress, self.learner.state())


def described(examples: Sequence[Encoded]) -> str:
    prompts, answers = [len(e.prompt) for e in examples], [len(e.answer) for e in examples]
    count = len(examples)
    return (
        f"{count} examples, {sum(prompts) + sum(answers)} tokens: prompts {sum(prompts) / count:.1f} on average, "
        f"{max(prompts)} at most; answers {sum(answers) / count:.1f}, {max(answers)}"
    )


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    standard = Recipe()
    parser.add_argument("--base", type=Path, required=True, help="what training.unpack_base wrote")
    parser.add_argument("--data", type=Path, required=True, help="examples, one JSON object a line")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, help="examples whose loss is told, and which are not learned")
    parser.add_argument("--rank", type=int, default=standard.rank)
    parser.add_argument("--alpha", type=int, default=standard.alpha)
    parser.add_argument("--learning-rate", type=float, default=standard.learning_rate)
    parser.add_argument("--first-layer", type=int, default=standard.first_layer)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checkpoint-s", type=float, default=120.0)
    parser.add_argument("--until", type=int, help="stop after this step, as if interrupted")
    parser.add_argument("--fresh", action="store_true", help="begin anew, though there is a checkpoint")
    return parser


def main() -> None:
    args = arguments().parse_args()
    recipe = Recipe(args.rank, args.alpha, args.learning_rate, first_layer=args.first_layer)
    plan = Plan(
        base=args.base,
        data=args.data,
        out=args.out,
        held_out=args.held_out,
        recipe=recipe,
        batch_size=args.batch_size,
        epochs=args.epochs,
        seed=args.seed,
        threads=args.threads,
        checkpoint_s=args.checkpoint_s,
    )
    try:
        Run(plan, fresh=args.fresh).run(args.until)
    except (checkpoint.OtherRun, ValueError, OSError) as exc:
        sys.exit(f"train: {exc}")


if __name__ == "__main__":
    main()
