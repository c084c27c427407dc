"""Hold training and merging to what they promise. Ends with an error unless every check holds.

usage: python -m training.check --base FOLDER [--adapter ADAPTER_FOLDER]

resume  a tiny model, trained in one go and trained with two interruptions: equal to the last bit
merge   with an adapter: the merged file, as transformers reads it, holds W + alpha / rank * B A of every adapted weight
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import torch
from peft import PeftModel
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig, LlamaConfig, LlamaForCausalLM

from apps.runtime import embedded_model
from training.convert import write_adapter
from training.learner import Recipe, load_base
from training.train import Plan, Run

INTERRUPTED_AFTER = (3, 7)
LARGEST_ERROR = 0.01  # of a row's largest number: Q8_0 rounds to 1/254 of its block's, the adapter file to 11 bits


def tiny_base(tokenizer_of: Path, folder: Path) -> None:
    """Two layers of random numbers, with the real model's words."""
    tokenizer = AutoTokenizer.from_pretrained(tokenizer_of)
    torch.manual_seed(1)
    shape = {"hidden_size": 48, "intermediate_size": 96, "num_hidden_layers": 2}
    config = LlamaConfig(**shape, num_attention_heads=3, num_key_value_heads=1, vocab_size=len(tokenizer))
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def write_examples(path: Path, count: int) -> None:
    lines = (
        json.dumps({"task": "reply", "user": f"fact {n}: " + "word " * (n % 7), "answer": f"It is {n * n}."})
        for n in range(count)
    )
    path.write_text("\n".join(lines), encoding="utf-8")


def trained(plan: Plan, stops: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """The adapter of a run that ends, and is begun again, at each of `stops`."""
    for stop in stops:
        Run(plan).run(stop)
    Run(plan).run()
    return load_file(plan.out / "adapter" / "adapter_model.safetensors")


def check_resume(base: Path) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny_base(base, folder / "base")
        write_examples(folder / "examples.jsonl", 80)

        def plan(out: str) -> Plan:
            data = folder / "examples.jsonl"
            return Plan(folder / "base", data, folder / out, None, Recipe(), 8, 1, 0, threads=2, checkpoint_s=1e9)

        whole, pieces = trained(plan("whole"), ()), trained(plan("pieces"), INTERRUPTED_AFTER)
    return whole.keys() == pieces.keys() and all(torch.equal(whole[key], pieces[key]) for key in whole)


def check_merge(base: Path, adapter: Path) -> float:
    """The largest difference of any weight, as a fraction of the largest number in its row."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_adapter(adapter, folder / embedded_model.ADAPTER)
        embedded_model.merge(embedded_model.base_weights(), folder / embedded_model.ADAPTER, folder / "merged.gguf")
        quantised = GgufConfig(dequantize=True)
        merged = AutoModelForCausalLM.from_pretrained(
            folder, gguf_file="merged.gguf", dtype=torch.float32, quantization_config=quantised
        ).state_dict()
    wanted = PeftModel.from_pretrained(load_base(base), adapter).merge_and_unload().state_dict()
    return max(
        float(((merged[key] - weight).abs() / weight.abs().amax(dim=-1, keepdim=True)).max())
        for key, weight in wanted.items()
        if key.endswith("proj.weight")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="what training.unpack_base wrote")
    parser.add_argument("--adapter", type=Path, help="what training.train saved")
    args = parser.parse_args()
    equal = check_resume(args.base)
    print(f"resume: an interrupted run ends {'with the same' if equal else 'with ANOTHER'} adapter")
    error = check_merge(args.base, args.adapter) if args.adapter else 0.0
    if args.adapter:
        print(f"merge: largest error {error:.4f} of a row's largest number; allowed {LARGEST_ERROR}")
    if not equal or error > LARGEST_ERROR:
        sys.exit("check: failed")


if __name__ == "__main__":
    main()
