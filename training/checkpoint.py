"""What a run needs to go on as if it had never been interrupted, kept in one file."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import torch


class OtherRun(Exception):
    """The checkpoint belongs to a run with other data, another base or another recipe."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything but the learner's own state.

    step     steps done: the position in the order of batches, and in the course of the learning rate
    tokens   learned so far, without padding
    spent_s  time spent on them
    losses   of the last steps, for the log
    chance   torch's generator; a step draws nothing from it today
    """

    step: int = 0
    tokens: int = 0
    spent_s: float = 0.0
    losses: tuple[float, ...] = ()
    chance: torch.Tensor = field(default_factory=torch.get_rng_state)


def save(path: Path, run: str, progress: Progress, learner: dict[str, object]) -> None:
    """Whole or not at all: a run that is killed while it writes leaves the checkpoint before."""
    whole = {
        "run": run,
        "step": progress.step,
        "tokens": progress.tokens,
        "spent_s": progress.spent_s,
        "losses": list(progress.losses),
        "chance": progress.chance,
        "learner": learner,
    }
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        torch.save(whole, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load(path: Path, run: str) -> tuple[Progress, dict[str, object]]:
    """(progress, the learner's state). Raises `OtherRun` unless it was saved under the same name `run`."""
    whole = torch.load(path, weights_only=True)
    if whole["run"] != run:
        raise OtherRun(
            f"{path} belongs to a run with other data, another base or another recipe; mend: --fresh, or another folder"
        )
    progress = Progress(whole["step"], whole["tokens"], whole["spent_s"], tuple(whole["losses"]), whole["chance"])
    return progress, whole["learner"]
