"""Files that only this user may read: keys, passwords, the records of a run."""

import os
import secrets
import tempfile
from pathlib import Path


def make_private_folder(folder: Path) -> Path:
    """Create `folder` (0700) with its parents; an existing one is tightened."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def write_private(path: Path, text: str) -> None:
    """Replace `path` in one step, mode 0600: a reader sees the old text or the new one, never half."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def kept_secret(path: Path, length_bytes: int = 48) -> str:
    """The secret kept at `path`, generated at the first call."""
    if not path.exists() or not path.read_text(encoding="utf-8").strip():
        write_private(path, secrets.token_urlsafe(length_bytes) + "\n")
    return path.read_text(encoding="utf-8").strip()
