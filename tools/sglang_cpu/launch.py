"""Start SGLang's own server on a CPU that its kernel package does not support (no AMX, no AVX-512).

usage: python launch.py SGLANG_OPTIONS…

SGLang imports the kernel package `sgl_kernel` and torchvision's operators at start, and calls neither in the
configuration that serve.sh chooses. Both are declared here, before SGLang is imported, and nothing installed is
edited. SGLang starts its scheduler by multiprocessing's spawn, which runs this module again in the child, so
the declarations hold there too: they must stay at module level.
"""

import importlib.machinery
import sys
import types
from collections.abc import Callable

import torch

KERNEL_VERSION = "0.4.10"  # the version that SGLang 0.5.23 asks for


def missing_kernel(name: str) -> Callable[..., None]:
    """A kernel that can be imported; a call says what is missing instead of answering wrongly."""
    if name.startswith("__"):
        raise AttributeError(name)

    def call(*args: object, **options: object) -> None:
        raise NotImplementedError(f"sgl_kernel.{name} has no CPU version here")

    return call


def declare_kernel_package() -> None:
    package = types.ModuleType("sgl_kernel")
    package.__version__ = KERNEL_VERSION
    package.__path__ = []
    package.__spec__ = importlib.machinery.ModuleSpec("sgl_kernel", None, is_package=True)
    package.__getattr__ = missing_kernel
    sys.modules["sgl_kernel"] = package


def declare_vision_operators() -> torch.library.Library:
    """The published torchvision has no compiled operators for a CPU torch, and refuses to import without these."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


declare_kernel_package()
vision_operators = declare_vision_operators()  # kept: the declarations end with the object

if __name__ == "__main__":
    from sglang.launch_server import run_server
    from sglang.srt.server_args import prepare_server_args

    run_server(prepare_server_args(sys.argv[1:]))
