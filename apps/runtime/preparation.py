"""What must be true before anything serves: tables, catalogue, collected static files, a staff user."""

import fcntl
import hashlib
import secrets
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

Say = Callable[[str], None]
OPERATOR = "operator"


def prepare(say: Say) -> None:
    """Every step is quick, and changes nothing, when it was done before."""
    say("preparing the database")
    call_command("migrate", verbosity=0, interactive=False)
    seeded = StringIO()
    call_command("seed_catalogue", stdout=seeded)
    say(seeded.getvalue().strip())
    collect_static(say)
    make_operator(say)


def make_operator(say: Say) -> None:
    """A staff user for console and admin. The password is shown this once; only its hash is kept."""
    users = get_user_model().objects
    if users.filter(username=OPERATOR).exists():
        say(f"staff user `{OPERATOR}`: password as printed at the first start (a new one: make password)")
        return
    password = secrets.token_urlsafe(12)
    users.create_superuser(OPERATOR, password=password)
    say(f"staff user `{OPERATOR}`, password {password} (shown only this once)")


def collect_static(say: Say) -> None:
    """Collect when any source file changed. Locked: several products may start from one checkout."""
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    stamp = root / ".sources"
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        want = static_digest()
        if stamp.exists() and stamp.read_text(encoding="utf-8") == want:
            return
        say("collecting static files")
        call_command("collectstatic", verbosity=0, interactive=False, stdout=StringIO())
        stamp.write_text(want, encoding="utf-8")


def static_digest() -> str:
    """Changes with name, size or time of any static source file."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(ignore_patterns=[]):
            facts = Path(storage.path(name)).stat()
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
