"""System checks of the settings, each with an id and a hint.

Checks that reach outside (Redis) carry the tag `database`, as Django's own do: they run on `check --database default`
and before `serve`, and never for unit tests or other commands.
"""

import sys
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

MIN_PYTHON = (3, 11)
MIN_REDIS = (7, 0)
IN_MEMORY_LAYER = "InMemoryChannelLayer"
OUTSIDE_KINDS = ("sglang", "vllm", "llamacpp", "openai")


@register(Tags.compatibility)
def python_is_supported(**kwargs: Any) -> list[CheckMessage]:
    if sys.version_info[:2] >= MIN_PYTHON:
        return []
    have = ".".join(map(str, sys.version_info[:3]))
    return [Error(f"Python {have} is too old.", hint="Run DynBranch on Python 3.11 or newer.", id="runtime.E001")]


@register(Tags.security, deploy=True)
def secret_key_is_set(**kwargs: Any) -> list[CheckMessage]:
    if settings._wrapped.SECRET_KEY:  # the lazy attribute itself raises on an empty key
        return []
    hint = "Set DYNBRANCH_SECRET_KEY to 50 or more random characters; `manage.py serve` keeps one in var/ by itself."
    return [Error("DYNBRANCH_SECRET_KEY is empty.", hint=hint, id="runtime.E002")]


@register(Tags.security)
def hosts_are_named(**kwargs: Any) -> list[CheckMessage]:
    if settings.DEBUG:
        return [
            Warning(
                "DYNBRANCH_DEBUG is on: errors show source code and settings to every visitor.",
                hint="Turn it off wherever others can reach the address.",
                id="runtime.W001",
            )
        ]
    if not settings.ALLOWED_HOSTS:
        hint = "List the names that browsers use, comma-separated, in DYNBRANCH_ALLOWED_HOSTS."
        return [Error("DYNBRANCH_ALLOWED_HOSTS is empty, so every request is refused.", hint=hint, id="runtime.E003")]
    if "*" in settings.ALLOWED_HOSTS:
        hint = "List the names in DYNBRANCH_ALLOWED_HOSTS; with * any site can open a chat socket from its pages."
        return [Warning("DYNBRANCH_ALLOWED_HOSTS admits every host.", hint=hint, id="runtime.W002")]
    return []


@register()
def channel_layer_is_shared(**kwargs: Any) -> list[CheckMessage]:
    backend = str(settings.CHANNEL_LAYERS.get("default", {}).get("BACKEND", ""))
    if backend and IN_MEMORY_LAYER not in backend:
        return []
    what = "The channel layer stays inside one process" if backend else "No channel layer is configured"
    hint = "Use channels_redis.core.RedisChannelLayer: web, workers and probe are processes of their own."
    return [Error(f"{what}; pages would miss what workers do.", hint=hint, id="runtime.E004")]


@register()
def engine_is_consistent(**kwargs: Any) -> list[CheckMessage]:
    url, kind = settings.ENGINE_URL, settings.ENGINE_KIND
    if not url:
        if kind == "llamacpp":
            return _embedded_model_is_known()
        hint = f"Set ENGINE_URL to the address of your {kind} server, or unset ENGINE_KIND for the embedded engine."
        return [Error(f"ENGINE_KIND is {kind}, but ENGINE_URL is empty.", hint=hint, id="runtime.E005")]
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        hint = "Give scheme and host, e.g. http://gpu-host:30000"
        return [Error(f"ENGINE_URL is not an HTTP address: {url!r}.", hint=hint, id="runtime.E006")]
    return []


def _embedded_model_is_known() -> list[CheckMessage]:
    known = (settings.CONCIERGE_MODEL, settings.BASE_MODEL)
    if settings.ENGINE_MODEL in known:
        return []
    hint = f"Unset ENGINE_MODEL, or give one of {', '.join(known)}; for any other model set ENGINE_URL."
    return [Error(f"The embedded engine has no model {settings.ENGINE_MODEL!r}.", hint=hint, id="runtime.E010")]


@register(Tags.database)
def redis_is_reachable(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Runs only when databases are named, like every check with this tag."""
    if not databases or not settings.REDIS_URL:
        return []
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=3, socket_timeout=3) as client:
            version = str(client.info("server")["redis_version"])
            policy = str(client.info("memory").get("maxmemory_policy", ""))
    except (redis.RedisError, ValueError) as exc:
        hint = "Start that server, mend REDIS_URL, or unset it: `manage.py serve` then runs an embedded one."
        return [Error(f"Redis does not answer at REDIS_URL: {exc}", hint=hint, id="runtime.E007")]
    found: list[CheckMessage] = []
    if redis_version(version) < MIN_REDIS:
        hint = "Use Redis 7.0 or newer, or Valkey."
        found.append(Error(f"Redis {version} is too old.", hint=hint, id="runtime.E008"))
    if policy.startswith("allkeys"):
        hint = "Set its maxmemory-policy to noeviction; the library bounds itself (DYNBRANCH_LIBRARY_ENTRIES)."
        what = f"Redis drops any key once its memory is full ({policy}), halves of what belongs together among them."
        found.append(Error(what, hint=hint, id="runtime.E009"))
    return found


def redis_version(text: str) -> tuple[int, int]:
    """(major, minor) of a version as INFO reports it. Valkey reports the Redis version that it is compatible with."""
    major, minor, *_ = [*text.split("."), "0"]
    return int(major), int(minor)
