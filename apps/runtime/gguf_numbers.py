"""Stored numbers to float32 and back, element by element: the same bytes on every machine.

Only operations that IEEE 754 fixes to the last bit are used: no sum whose order a library chooses, no fused
multiply-add. Formats: https://github.com/ggml-org/ggml, as of version 3 of GGUF.
"""

import numpy as np

from apps.runtime.gguf_file import BLOCKS, Tensor, TensorType

F32 = np.float32


def to_float(stored: np.ndarray, tensor: Tensor) -> np.ndarray:
    """stored: uint8. Gives float32 of the tensor's shape."""
    if tensor.type is TensorType.F32:
        values = stored.view("<f4")
    elif tensor.type is TensorType.F16:
        values = stored.view("<f2")
    else:
        blocks = stored.reshape(-1, BLOCKS[tensor.type][1])
        values = _from_q8_0(blocks) if tensor.type is TensorType.Q8_0 else _from_q4_1(blocks)
    return values.astype(F32).reshape(tensor.shape)


def _from_q4_1(blocks: np.ndarray) -> np.ndarray:
    """A scale and a least value in float16, then 32 numbers of 4 bits: the low halves of all bytes come first."""
    scale, least = (np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2").astype(F32) for at in (0, 2))
    halves = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)
    return halves.astype(F32) * scale + least


def _from_q8_0(blocks: np.ndarray) -> np.ndarray:
    """A scale in float16, then 32 signed bytes."""
    scale = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(F32)
    return blocks[:, 2:].view(np.int8).astype(F32) * scale


def to_q8_0(values: np.ndarray) -> np.ndarray:
    """values: float32, a multiple of 32 of them. Gives the stored bytes, uint8, one dimension."""
    blocks = values.reshape(-1, 32)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / F32(127)
    inverse = np.divide(F32(1), scale, out=np.zeros_like(scale), where=scale != 0)
    scaled = blocks * inverse
    # Halves go away from zero, as in llama.cpp.
    rounded = np.trunc(scaled + np.copysign(F32(0.5), scaled)).astype(np.int8)
    return np.concatenate([scale.astype("<f2").view(np.uint8), rounded.view(np.uint8)], axis=1).reshape(-1)


def add_low_rank(weight: np.ndarray, a: np.ndarray, b: np.ndarray, scale: float) -> np.ndarray:
    """weight + scale * b a; weight (out, in), a (rank, in), b (out, rank), float32.

    A library's matrix product would be faster, and add up in an order that depends on the machine.
    """
    changed, scaled = weight.copy(), b * F32(scale)
    for row, column in zip(a, scaled.T, strict=True):
        changed += column[:, np.newaxis] * row
    return changed
