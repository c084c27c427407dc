"""The hub of this process, one for each event loop (a server has one; tests have one each)."""

import asyncio
from weakref import WeakKeyDictionary

from apps.console.hub import Hub
from apps.console.sources import LiveSource
from apps.runtime.clock import now_ms

_hubs: "WeakKeyDictionary[asyncio.AbstractEventLoop, Hub]" = WeakKeyDictionary()


def here() -> Hub:
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub(LiveSource(now_ms))
    return _hubs[loop]
