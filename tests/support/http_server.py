"""A bare HTTP/1.1 server over asyncio's transports: what a client of it costs is the client's own.

An aiohttp server takes longer over a request than a good client does, and would be what a benchmark measures.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

MAX_HEAD = 1 << 16
MAX_BODY = 64 << 20


@dataclass(frozen=True, slots=True)
class Request:
    """One request; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: Connection

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Response:
    """One answer."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)

    def head(self, length: int | None = None) -> bytes:
        more = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        return (
            f"HTTP/1.1 {self.status} {_phrase(self.status)}\r\nContent-Type: {self.content_type}\r\n"
            f"Content-Length: {len(self.body) if length is None else length}\r\n{more}\r\n"
        ).encode()


def _phrase(status: int) -> str:
    # Anthropic has a status of its own.
    return "Overloaded" if status == 529 else HTTPStatus(status).phrase


def as_json(value: object, status: int = 200, **headers: str) -> Response:
    return Response(json.dumps(value, ensure_ascii=False).encode(), status, headers=headers)


Handler = Callable[[Request], Response | Coroutine[Any, Any, Response | None]]
"""Gives the answer at once, or later; None where it has said what it had to say itself."""


class Connection(asyncio.Protocol):
    """One client: its requests are answered in turn."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._buffer = bytearray()
        self._task: asyncio.Task[None] | None = None
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, error: Exception | None) -> None:
        if self._task:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._task is None:
            self._serve()

    def _serve(self) -> None:
        while self._task is None and (request := self._next()):
            answer = self._handler(request)
            if isinstance(answer, Response):
                self.send(answer)
            else:
                self._task = asyncio.get_running_loop().create_task(self._later(answer))

    async def _later(self, answer: Coroutine[Any, Any, Response | None]) -> None:
        response = await answer
        if response is not None:
            self.send(response)
        self._task = None
        self._serve()

    def send(self, response: Response) -> None:
        self.transport.write(response.head() + response.body)

    def _next(self) -> Request | None:
        end = self._buffer.find(b"\r\n\r\n", 0, MAX_HEAD)
        if end < 0:
            return None
        first, *lines = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        whole = end + 4 + min(int(headers.get("content-length", 0)), MAX_BODY)
        if len(self._buffer) < whole:
            return None
        method, path, _ = first.split(" ")
        request = Request(method, path, headers, bytes(self._buffer[end + 4 : whole]), self)
        del self._buffer[:whole]
        return request


async def listen(handler: Handler, port: int = 0) -> int:
    """Serve on this port, or on a free one; returns its number."""
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(handler), "127.0.0.1", port, backlog=4096
    )
    return int(server.sockets[0].getsockname()[1])
