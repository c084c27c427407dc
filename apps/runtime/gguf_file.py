"""GGUF files, as far as merging weights needs them: read whole, write anew. Little-endian, version 3."""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import BinaryIO

import numpy as np

MAGIC, VERSION = b"GGUF", 3
ALIGNMENT = 32  # bytes; unless general.alignment says otherwise, which no file of ours does
UINT32, STRING, ARRAY = 4, 8, 9
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
"""Kind of a metadata value -> its struct format."""


class TensorType(IntEnum):
    """How numbers are stored: the only kinds that our files hold."""

    F32 = 0
    F16 = 1
    Q4_1 = 3
    Q8_0 = 8


# Numbers in a block, and its bytes.
BLOCKS = {TensorType.F32: (1, 4), TensorType.F16: (1, 2), TensorType.Q4_1: (32, 20), TensorType.Q8_0: (32, 34)}


class NotGguf(ValueError):
    """The file is not one that this module reads. Says why."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """shape: rows last but one, as numpy has it (the file lists it the other way round)."""

    name: str
    shape: tuple[int, ...]
    type: TensorType

    @property
    def bytes(self) -> int:
        numbers, size = BLOCKS[self.type]
        return int(np.prod(self.shape)) // numbers * size


@dataclass(frozen=True, slots=True)
class GgufFile:
    """metadata  key -> its value as stored, kind first
    tensors   by name, in the file's order
    starts    where each tensor's bytes begin in `content`
    """

    content: np.ndarray
    metadata: Mapping[str, bytes]
    tensors: Mapping[str, Tensor]
    starts: Mapping[str, int]

    def data(self, name: str) -> np.ndarray:
        """A tensor's stored bytes, uint8."""
        return self.content[self.starts[name] : self.starts[name] + self.tensors[name].bytes]

    def number(self, key: str) -> float | int:
        """A metadata value that is one number."""
        stored = self.metadata.get(key)
        kind = int.from_bytes(stored[:4], "little") if stored else ARRAY
        if kind not in SCALARS:
            raise NotGguf(f"it has no number {key}")
        return struct.unpack(SCALARS[kind], stored[4:])[0]


class _Reader:
    """Takes values from the front of a file."""

    def __init__(self, content: memoryview) -> None:
        self.content, self.at = content, 0

    def take(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.content):
            raise NotGguf("it ends too early")
        return bytes(self.content[self.at - size : self.at])

    def integer(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def text(self) -> str:
        return self.take(self.integer(8)).decode("utf-8")

    def value(self) -> bytes:
        begins = self.at
        self._skip(self.integer(4))
        return bytes(self.content[begins : self.at])

    def _skip(self, kind: int) -> None:
        if kind == STRING:
            self.take(self.integer(8))
        elif kind == ARRAY:
            element, count = self.integer(4), self.integer(8)
            if element in SCALARS:
                self.take(count * struct.calcsize(SCALARS[element]))
            else:
                for _ in range(count):
                    self._skip(element)
        elif kind in SCALARS:
            self.take(struct.calcsize(SCALARS[kind]))
        else:
            raise NotGguf(f"it holds a value of unknown kind {kind}")


def read(path: Path) -> GgufFile:
    """Raises OSError, or `NotGguf`."""
    try:
        return _read(np.memmap(path, dtype=np.uint8, mode="r"))
    except ValueError as exc:  # also of numpy, for an empty file, and of decoding
        raise NotGguf(f"{path} cannot be read as GGUF: {exc}") from exc


def _read(content: np.ndarray) -> GgufFile:
    reader = _Reader(memoryview(content))
    if reader.take(4) != MAGIC or reader.integer(4) != VERSION:
        raise NotGguf(f"it does not begin as GGUF version {VERSION} does")
    count, values = reader.integer(8), reader.integer(8)
    metadata = {reader.text(): reader.value() for _ in range(values)}
    tensors, offsets = {}, {}
    for _ in range(count):
        name = reader.text()
        shape = tuple(reader.integer(8) for _ in range(reader.integer(4)))[::-1]
        tensors[name] = Tensor(name, shape, TensorType(reader.integer(4)))
        offsets[name] = reader.integer(8)
    begins = aligned(reader.at)
    starts = {name: begins + offset for name, offset in offsets.items()}
    if any(starts[name] + tensor.bytes > len(content) for name, tensor in tensors.items()):
        raise NotGguf("its tensors end too early")
    return GgufFile(content, metadata, tensors, starts)


def aligned(position: int) -> int:
    return -(-position // ALIGNMENT) * ALIGNMENT


def text_value(text: str) -> bytes:
    """A metadata value."""
    return struct.pack("<I", STRING) + _text(text)


def integer_value(number: int) -> bytes:
    return struct.pack("<II", UINT32, number)


def _text(text: str) -> bytes:
    stored = text.encode()
    return struct.pack("<Q", len(stored)) + stored


def write(
    file: BinaryIO, metadata: Mapping[str, bytes], tensors: Sequence[Tensor], data: Iterable[bytes]
) -> Iterator[Tensor]:
    """Write a file, and say of each tensor that it is written. data: one for each tensor, of just its bytes."""
    file.write(MAGIC + struct.pack("<IQQ", VERSION, len(tensors), len(metadata)))
    for key, value in metadata.items():
        file.write(_text(key) + value)
    offset = 0
    for tensor in tensors:
        shape = struct.pack(f"<I{len(tensor.shape)}Q", len(tensor.shape), *tensor.shape[::-1])
        file.write(_text(tensor.name) + shape + struct.pack("<IQ", tensor.type, offset))
        offset += aligned(tensor.bytes)
    _pad(file)
    for tensor, stored in zip(tensors, data, strict=True):
        if len(stored) != tensor.bytes:
            raise ValueError(f"{tensor.name} needs {tensor.bytes} bytes, not {len(stored)}")
        file.write(stored)
        _pad(file)
        yield tensor


def _pad(file: BinaryIO) -> None:
    file.write(b"\0" * (aligned(file.tell()) - file.tell()))
