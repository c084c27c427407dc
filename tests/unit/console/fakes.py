"""A source whose streams and facts a test sets, and that counts how often it was asked."""

from apps.console.facts import EngineFacts, Facts, StoreFacts
from apps.serving.ports import Event, StreamHead


class FakeSource:
    def __init__(self):
        self.epoch = "e1"
        self.streams = {"system": [], "load": []}
        self.facts_asked = self.heads_asked = self.started = self.stopped = 0
        self.broken = False

    def append(self, kind="branch.settled", stream="system", at_ms=1_000, **data):
        events = self.streams[stream]
        events.append(Event((events[-1].seq if events else 0) + 1, kind, data, at_ms))

    def start(self):
        self.started += 1

    async def stop(self):
        self.stopped += 1

    async def facts(self):
        self.facts_asked += 1
        return Facts(1_000 * self.facts_asked, EngineFacts("scripted", True, None), StoreFacts())

    async def head(self, stream):
        self.heads_asked += 1
        if self.broken:
            raise ConnectionError("gone")
        events = self.streams[stream]
        return StreamHead(self.epoch, events[-1].seq if events else 0)

    async def read(self, stream, after_seq, limit):
        return tuple(e for e in self.streams[stream] if e.seq > after_seq)[:limit]
