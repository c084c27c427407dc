"""One HTTP/1.1 exchange of the scripted engine: a request, a response or a stream, and noticing a closed client."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import h11

from apps.serving.names import Json

CHUNK_BYTES = 65536


@dataclass(frozen=True, slots=True)
class HttpRequest:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Serves one request and closes. Writing to a client that is gone does nothing."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.SERVER)

    async def request(self) -> HttpRequest | None:
        """The request, or None when the client closed before it was whole. Raises h11.RemoteProtocolError."""
        head: h11.Request | None = None
        body = b""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(CHUNK_BYTES))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                headers = {name.decode(): value.decode() for name, value in head.headers}
                path = head.target.decode().split("?", 1)[0]
                return HttpRequest(head.method.decode(), path, headers, body)
            else:
                return None

    async def closed(self) -> None:
        """Returns once the client has closed its side; whatever it still sends is dropped."""
        with contextlib.suppress(ConnectionError):
            while await self._reader.read(CHUNK_BYTES):
                pass

    async def json(self, status: int, value: Json) -> None:
        await self.whole(status, "application/json", json.dumps(value).encode())

    async def whole(self, status: int, content_type: str, body: bytes) -> None:
        await self.start(status, content_type, [("content-length", str(len(body)))])
        await self.write(body)
        await self.end()

    async def start(self, status: int, content_type: str, more: list[tuple[str, str]] | None = None) -> None:
        headers = [("content-type", content_type), ("connection", "close"), *(more or ())]
        await self._send(h11.Response(status_code=status, headers=headers))

    async def write(self, data: bytes, piece_bytes: int | None = None) -> None:
        step = piece_bytes or len(data) or 1
        for at in range(0, len(data), step):
            await self._send(h11.Data(data=data[at : at + step]))

    async def end(self) -> None:
        await self._send(h11.EndOfMessage())

    async def _send(self, event: h11.Event) -> None:
        with contextlib.suppress(ConnectionError):
            self._writer.write(self._http.send(event) or b"")
            await self._writer.drain()

    async def close(self) -> None:
        """In the middle of a body this cuts it: the client sees no proper end."""
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()
