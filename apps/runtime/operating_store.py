"""The running product's library for a command, which may be started outside of that product."""

import redis
from django.conf import settings

from apps.runtime import wiring
from apps.runtime.control import Control
from apps.runtime.embedded_redis import written_address
from apps.runtime.operating import Operating
from apps.runtime.run_folder import RunFolder
from apps.stores.client import make_client
from apps.stores.library import RedisLibrary
from apps.stores.library_check import LibraryCheck
from apps.stores.records import RedisRecords
from apps.stores.shadows import RedisShadows


def client() -> redis.Redis:
    """Of REDIS_URL, or else of the embedded server of the product that runs in DYNBRANCH_VAR (or NotRunning)."""
    if settings.REDIS_URL:
        return make_client(settings.REDIS_URL)
    home = RunFolder(settings.VAR_DIR)
    Control(home).record()
    return make_client(written_address(home.run / "redis").url)


def operating() -> Operating:
    shared = {"client": client(), "config": wiring.config()}
    return Operating(RedisLibrary(**shared), RedisShadows(**shared), RedisRecords(**shared), wiring.config())


def checker() -> LibraryCheck:
    return LibraryCheck(client())
