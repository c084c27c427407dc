"""Reading, writing and merging GGUF files: to the bit, on files small enough to compute by hand."""

import io
import struct

import numpy as np
import pytest

from apps.runtime import gguf_file, gguf_numbers
from apps.runtime.gguf_file import NotGguf, Tensor, TensorType


def blocks_of(scale, least, numbers):
    """One Q4_1 block of 32 numbers from 0 to 15."""
    low, high = np.array(numbers[:16], np.uint8), np.array(numbers[16:], np.uint8)
    return np.array([scale, least], "<f2").tobytes() + (low | high << 4).tobytes()


def written(metadata, tensors, data):
    file = io.BytesIO()
    list(gguf_file.write(file, metadata, tensors, data))
    return file.getvalue()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.gguf"


def test_what_is_written_is_read_again(path):
    tensors = [Tensor("a", (3, 5), TensorType.F32), Tensor("b", (2, 32), TensorType.Q8_0)]
    data = [np.arange(15, dtype="<f4").tobytes(), bytes(range(68))]
    words = struct.pack("<IIQ", gguf_file.ARRAY, gguf_file.STRING, 2) + b"".join(
        struct.pack("<Q", len(word)) + word for word in (b"one", b"three")
    )
    metadata = {"name": gguf_file.text_value("Ⅻ"), "words": words, "size": gguf_file.integer_value(7)}
    path.write_bytes(written(metadata, tensors, data))

    found = gguf_file.read(path)

    assert found.metadata == metadata
    assert list(found.tensors.values()) == tensors
    assert [found.data(name).tobytes() for name in ("a", "b")] == data
    assert found.number("size") == 7


def test_every_tensor_begins_at_a_multiple_of_the_alignment(path):
    tensors = [Tensor(name, (length,), TensorType.F32) for name, length in (("x", 1), ("y", 9), ("z", 8))]
    path.write_bytes(written({}, tensors, [bytes(tensor.bytes) for tensor in tensors]))

    assert [start % gguf_file.ALIGNMENT for start in gguf_file.read(path).starts.values()] == [0, 0, 0]


def test_a_file_cut_anywhere_is_refused(path):
    whole = written(
        {
            "name": gguf_file.text_value("n"),
            "list": struct.pack("<IIQ3I", gguf_file.ARRAY, gguf_file.UINT32, 3, 1, 2, 3),
        },
        [Tensor("a", (8,), TensorType.F32)],
        [bytes(32)],
    )
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(NotGguf, match="cannot be read as GGUF"):
            gguf_file.read(path)


def test_a_missing_number_is_named(path):
    path.write_bytes(written({"name": gguf_file.text_value("n")}, [], []))
    found = gguf_file.read(path)

    for key in ("name", "absent"):
        with pytest.raises(NotGguf, match=key):
            found.number(key)


def test_data_of_another_size_than_the_tensor_is_refused():
    with pytest.raises(ValueError, match="a needs 32 bytes, not 31"):
        written({}, [Tensor("a", (8,), TensorType.F32)], [bytes(31)])


def test_a_four_bit_block_is_scale_times_number_plus_least():
    numbers = [n % 16 for n in range(16)] + [15 - n for n in range(16)]
    stored = np.frombuffer(blocks_of(0.5, -3.0, numbers), np.uint8)

    values = gguf_numbers.to_float(stored, Tensor("w", (1, 32), TensorType.Q4_1))

    assert values.dtype == np.float32
    assert values[0].tolist() == [0.5 * n - 3 for n in numbers]


def test_eight_bit_blocks_keep_their_numbers_within_half_a_step_and_the_largest_exactly():
    values = np.random.default_rng(3).normal(size=(4, 96)).astype(np.float32)

    stored = gguf_numbers.to_q8_0(values)
    again = gguf_numbers.to_float(stored, Tensor("w", values.shape, TensorType.Q8_0))

    largest = np.abs(values.reshape(-1, 32)).max(axis=1)
    error = np.abs(values - again).reshape(-1, 32).max(axis=1)
    assert stored.size == values.size // 32 * 34
    assert (error <= largest / 127 * (0.5 + 127 / 2048)).all()  # half a step, and the scale's 11 bits


def test_halves_are_rounded_away_from_zero_and_a_block_of_zeros_stays_zero():
    halves = np.zeros((2, 32), np.float32)
    halves[0, :5] = [127, 0.5, -0.5, 1.5, -126.5]

    stored = gguf_numbers.to_q8_0(halves).reshape(2, 34)

    assert stored[0, 2:7].view(np.int8).tolist() == [127, 1, -1, 2, -127]
    assert not stored[1].any()


def test_a_low_rank_change_is_added_one_rank_after_the_other():
    chance = np.random.default_rng(5)
    weight, a, b = (chance.normal(size=shape).astype(np.float32) for shape in ((6, 7), (3, 7), (6, 3)))

    changed = gguf_numbers.add_low_rank(weight, a, b, 2.0)

    expected = weight.copy()
    for out in range(6):
        for into in range(7):
            for rank in range(3):
                product = np.float32(b[out, rank] * np.float32(2.0)) * a[rank, into]
                expected[out, into] = np.float32(expected[out, into] + np.float32(product))
    assert changed.tobytes() == expected.tobytes()
