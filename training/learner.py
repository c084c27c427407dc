"""The base model with a fresh adapter, and one step of learning."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from torch.nn.functional import cross_entropy
from transformers import AutoModelForCausalLM, PreTrainedModel

from training.batches import IGNORED, Batch

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class Recipe:
    """rank, alpha    of the adapter: its change of a weight is alpha / rank * B A
    learning_rate  at its highest; it rises over the first `warm_frac` of the steps, then falls along a cosine to
                   `floor_frac` of itself
    clip           largest norm of the gradient
    first_layer    the layers below it get no adapter, and need no backward pass
    """

    rank: int = 16
    alpha: int = 32
    learning_rate: float = 1e-3
    warm_frac: float = 0.05
    floor_frac: float = 0.05
    betas: tuple[float, float] = (0.9, 0.98)
    clip: float = 1.0
    first_layer: int = 0


class Learner:
    """One adapter in training. Its state is what `state` gives and `restore` takes; chance plays no part in a step."""

    def __init__(self, base: PreTrainedModel, recipe: Recipe, steps: int, seed: int) -> None:
        torch.manual_seed(seed)  # the adapter's first numbers
        base.config.use_cache = False
        layers = list(range(recipe.first_layer, base.config.num_hidden_layers)) if recipe.first_layer else None
        self.recipe, self.steps = recipe, steps
        self.model: PeftModel = get_peft_model(
            base,
            LoraConfig(
                r=recipe.rank,
                lora_alpha=recipe.alpha,
                lora_dropout=0.0,
                target_modules=list(PROJECTIONS),
                layers_to_transform=layers,
                task_type="CAUSAL_LM",
            ),
        )
        self.model.train()
        self.learned = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        self.optimizer = torch.optim.AdamW(
            self.learned.values(), lr=recipe.learning_rate, betas=recipe.betas, weight_decay=0.0, fused=True
        )

    def step(self, number: int, batch: Batch) -> float:
        """Learn one batch, the `number`th from 0; returns its mean loss per answer token, in nats, before it."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.recipe, number, self.steps)
        loss = self._loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.learned.values(), self.recipe.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.item()

    @torch.no_grad()
    def mean_loss(self, batches: Sequence[Batch]) -> float:
        """Nats per answer token over all batches."""
        labelled = [int((batch.labels != IGNORED).sum()) for batch in batches]
        summed = sum(self._loss(batch).item() * count for batch, count in zip(batches, labelled, strict=True))
        return summed / sum(labelled)

    def _loss(self, batch: Batch) -> torch.Tensor:
        """Logits are taken where something is learned only: over 49,152 words they cost as much as eight layers."""
        inner = self.model.get_base_model()
        hidden = inner.model(input_ids=batch.ids).last_hidden_state[:, :-1]
        labels = batch.labels[:, 1:]
        kept = labels != IGNORED
        return cross_entropy(inner.lm_head(hidden[kept]), labels[kept])

    def state(self) -> dict[str, object]:
        learned = {name: parameter.detach() for name, parameter in self.learned.items()}
        return {"learned": learned, "optimizer": self.optimizer.state_dict()}

    def restore(self, state: dict[str, object]) -> None:
        """Raises KeyError when the state is another adapter's."""
        with torch.no_grad():
            for name, parameter in self.learned.items():
                parameter.copy_(state["learned"][name])
        self.optimizer.load_state_dict(state["optimizer"])

    def save(self, folder: Path) -> None:
        self.model.save_pretrained(folder)


def rate(recipe: Recipe, number: int, steps: int) -> float:
    """The learning rate of step `number`, from 0, of `steps`."""
    warm = max(1, round(steps * recipe.warm_frac))
    rising = min(1.0, (number + 1) / warm)
    falling = recipe.floor_frac + (1 - recipe.floor_frac) * 0.5 * (1 + math.cos(math.pi * number / steps))
    return recipe.learning_rate * rising * falling


def load_base(folder: Path) -> PreTrainedModel:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
