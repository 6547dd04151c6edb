"""The limit: the very requests of a recorded run on raw sockets and uvloop, in the same order of dependence, without records.

Run as ``python raw_client.py SCRIPT.json HOST PORT IN_FLIGHT``. The script holds for each sample its dialogues, each a list
of request bodies that follow upon one another, and the judge's requests that come when the dialogues are over.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvloop

Ask = Callable[[bytes], Awaitable[None]]


class Lines:
    """Kept-alive connections, and places for so many requests, first come, first served."""

    def __init__(self, host: str, port: int, places: int) -> None:
        self._host, self._port, self._gate = host, port, asyncio.Semaphore(places)
        self._idle: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()

    async def ask(self, request: bytes) -> None:
        async with self._gate:
            reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            at = head.find(b"Content-Length: ") + 16
            await reader.readexactly(int(head[at : head.find(b"\r", at)]))
            self._idle.append((reader, writer))


async def dialogue(ask: Ask, requests: list[bytes]) -> None:
    for request in requests:
        await ask(request)


def prepared(file: str, whole: Callable[[bytes], bytes]) -> list[tuple[list[list[bytes]], list[bytes]]]:
    """Dialogues and judge's requests of each sample, every body made a request."""
    samples = json.loads(Path(file).read_bytes())
    return [
        (
            [[whole(body.encode()) for body in talk] for talk in one["dialogues"]],
            [whole(b.encode()) for b in one["judge"]],
        )
        for one in samples
    ]


async def replay(samples: list[tuple[list[list[bytes]], list[bytes]]], ask: Ask, places: int) -> None:
    left = iter(samples)

    async def work() -> None:
        for talks, judged in left:
            await asyncio.gather(*(dialogue(ask, talk) for talk in talks))
            await asyncio.gather(*(ask(one) for one in judged))

    await asyncio.gather(*(work() for _ in range(places)))


async def main(file: str, host: str, port: str, places: str) -> None:
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: "
    samples = prepared(file, lambda body: f"{head}{len(body)}\r\n\r\n".encode() + body)
    await replay(samples, Lines(host, int(port), int(places)).ask, int(places))


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
