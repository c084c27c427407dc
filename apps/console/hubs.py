"""The hub of this process, one for each event loop (a server has one; tests have one each)."""

import asyncio
import time
from weakref import WeakKeyDictionary

from apps.console.hub import Hub
from apps.console.sources import LiveSource

_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def here() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub(LiveSource(wall_ms))
    return _hubs[loop]


def wall_ms() -> int:
    return time.time_ns() // 1_000_000
