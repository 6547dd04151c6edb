"""The limit: the very requests of a recorded run on raw sockets and uvloop, in the same order of dependence, without records.

Run as ``python raw_client.py SCRIPT.json HOST PORT IN_FLIGHT``. The script holds for each sample its dialogues, each a list
of request bodies that follow upon one another, and the judge's requests that come when the dialogues are over.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import deque
from pathlib import Path

import uvloop


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


async def dialogue(lines: Lines, requests: list[bytes]) -> None:
    for request in requests:
        await lines.ask(request)


async def main(samples: list[dict[str, list]], host: str, port: str, places: str) -> None:
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: "
    whole = [
        (
            [[_whole(head, one) for one in talk] for talk in sample["dialogues"]],
            [_whole(head, one) for one in sample["judge"]],
        )
        for sample in samples
    ]
    lines, left = Lines(host, int(port), int(places)), iter(whole)

    async def work() -> None:
        for talks, judged in left:
            await asyncio.gather(*(dialogue(lines, talk) for talk in talks))
            await asyncio.gather(*(lines.ask(one) for one in judged))

    await asyncio.gather(*(work() for _ in range(int(places))))


def _whole(head: str, body: str) -> bytes:
    data = body.encode()
    return f"{head}{len(data)}\r\n\r\n".encode() + data


if __name__ == "__main__":
    uvloop.run(main(json.loads(Path(sys.argv[1]).read_bytes()), *sys.argv[2:]))
