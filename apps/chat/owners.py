"""The anonymous owner of conversations: a random id in the signed session cookie. No sign-up, nothing stored."""

import secrets
from collections.abc import MutableMapping
from typing import Any

SESSION_KEY = "owner"


def owner_of(session: MutableMapping[str, Any]) -> str | None:
    owner = session.get(SESSION_KEY)
    return owner if isinstance(owner, str) and owner else None


def ensure_owner(session: MutableMapping[str, Any]) -> str:
    """The session's owner; a new session becomes one."""
    owner = owner_of(session)
    if owner is None:
        owner = session[SESSION_KEY] = secrets.token_hex(16)
    return owner
