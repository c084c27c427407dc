"""Writes examples as JSON lines, and the catalogues that they are about, the same bytes for the same arguments."""

import argparse
import json
import os
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dynbranch_site.settings")
import django

django.setup()

from training.text import confirm, reply, understand  # noqa: E402
from training.text.catalogues import COUNTS, catalogue  # noqa: E402
from training.text.example import Example, Split  # noqa: E402

MAKERS = {"understand": understand.examples, "reply": reply.examples, "confirm": confirm.examples}


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--split", choices=[split.value for split in Split], default=Split.TRAIN.value)
    options.add_argument("--out", type=Path, required=True, help="examples, one JSON object a line")
    options.add_argument("--catalogues", type=Path, help="also write the split's catalogues, one JSON object a line")
    for task, count in (("understand", 3500), ("reply", 2000), ("confirm", 500)):
        options.add_argument(f"--{task}", type=int, default=count, help=f"examples of {task} (default: {count})")
    return options


def made(seed: int, split: Split, counts: dict[str, int]) -> Iterator[Example]:
    """Each task has its own chance, so that a change of one leaves the others as they are."""
    for task, examples in MAKERS.items():
        yield from examples(random.Random(f"{seed} {split} {task}"), split, counts[task])


def main() -> None:
    chosen = parser().parse_args()
    split = Split(chosen.split)
    counts = {task: int(getattr(chosen, task)) for task in MAKERS}
    with chosen.out.open("w", encoding="utf-8", newline="\n") as lines:
        for example in made(chosen.seed, split, counts):
            lines.write(example.line() + "\n")
    if chosen.catalogues:
        with chosen.catalogues.open("w", encoding="utf-8", newline="\n") as lines:
            for index in range(COUNTS[split]):
                lines.write(json.dumps(asdict(catalogue(split, index)), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
