"""Write a trained adapter as the file that the product merges, and record what the merge must give.

usage: python -m training.convert ADAPTER_FOLDER [MODEL_FOLDER]

ADAPTER_FOLDER is what training.train saved. MODEL_FOLDER (default models/concierge) gets adapter.gguf and
manifest.json, the SHA-256 of the base weights, of the adapter and of the merged weights.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, LlamaFileType
from safetensors.numpy import load_file

from apps.runtime import embedded_model

NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""A projection's name in transformers -> in GGUF."""

HEADS = {"attn_q": 9, "attn_k": 3}
"""Attention heads of SmolLM2-135M; both projections are stored with each head's rows in another order."""

TRAINED = re.compile(r"base_model\.model\.model\.layers\.(\d+)\.(\w+\.\w+)\.lora_([AB])\.weight")


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows in llama.cpp's order: it rotates neighbours, where transformers rotates the two halves of a head.

    Left out, nothing fails loudly; the model merely answers worse.
    """
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, rows.shape[1])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(rows.shape))


def tensors(folder: Path) -> dict[str, np.ndarray]:
    """GGUF name -> float16 array, of both factors of every adapted weight, sorted by name."""
    found = {}
    for name, value in load_file(folder / "adapter_model.safetensors").items():
        match = TRAINED.fullmatch(name)
        if match is None or match[2] not in NAMES:
            raise ValueError(f"{folder}: {name} is not a projection that this adapter may change")
        layer, short, factor = match[1], NAMES[match[2]], match[3].lower()
        if factor == "b" and short in HEADS:
            value = interleaved(value, HEADS[short])
        found[f"blk.{layer}.{short}.weight.lora_{factor}"] = value.astype(np.float16)
    return dict(sorted(found.items()))


def write_adapter(folder: Path, target: Path) -> None:
    alpha = float(json.loads((folder / "adapter_config.json").read_text())["lora_alpha"])
    writer = GGUFWriter(target, "llama")
    writer.add_type("adapter")
    writer.add_name(embedded_model.NAME)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_file_type(LlamaFileType.MOSTLY_F16)
    for name, value in tensors(folder).items():
        writer.add_tensor(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adapter", type=Path, metavar="ADAPTER_FOLDER")
    parser.add_argument("model", type=Path, metavar="MODEL_FOLDER", nargs="?", default=embedded_model.FOLDER)
    args = parser.parse_args()
    args.model.mkdir(parents=True, exist_ok=True)
    try:
        write_adapter(args.adapter, args.model / embedded_model.ADAPTER)
        print(embedded_model.record(args.model))
    except (OSError, ValueError, embedded_model.ModelNotMade) as exc:
        sys.exit(f"convert: {exc}")


if __name__ == "__main__":
    main()
