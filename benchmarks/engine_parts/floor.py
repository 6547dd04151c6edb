"""What durable records cost at the least: the script of raw_client.py through aiohttp, with SQLite beside it.

Run as ``python floor.py SCRIPT.json HOST PORT IN_FLIGHT``. No request goes out before its intent is on disk, and no answer
counts before its result is: rows of one turn of the event loop share a commit (WAL, ``synchronous=FULL``), as they come, uncompressed.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import sys

import aiohttp
import uvloop
from raw_client import prepared, replay

TABLES = """
CREATE TABLE intent (key BLOB PRIMARY KEY, request BLOB) WITHOUT ROWID;
CREATE TABLE result (key BLOB PRIMARY KEY, answer BLOB) WITHOUT ROWID;
"""
INTENT, RESULT = "INSERT INTO intent VALUES (?, ?)", "INSERT INTO result VALUES (?, ?)"


class Records:
    """Rows that wait for the commit at the end of this turn of the loop."""

    def __init__(self, file: str) -> None:
        self._base = sqlite3.connect(file, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        self._base.executescript(TABLES)
        self._rows: list[tuple[str, tuple[bytes, bytes]]] = []
        self._loop = asyncio.get_running_loop()
        self._committed = self._loop.create_future()

    def write(self, statement: str, row: tuple[bytes, bytes]) -> asyncio.Future[None]:
        """Done once the row is on disk."""
        if not self._rows:
            self._loop.call_soon(self._commit)
        self._rows.append((statement, row))
        return self._committed

    def _commit(self) -> None:
        rows, self._rows = self._rows, []
        done, self._committed = self._committed, self._loop.create_future()
        self._base.execute("BEGIN")
        for statement, row in rows:
            self._base.execute(statement, row)
        self._base.execute("COMMIT")
        done.set_result(None)


async def main(file: str, host: str, port: str, places: str) -> None:
    url, gate = f"http://{host}:{port}/v1/chat/completions", asyncio.Semaphore(int(places))
    records = Records("floor.sqlite")
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), headers={"Content-Type": "application/json"}
    ) as session:

        async def ask(body: bytes) -> None:
            key = hashlib.sha256(body).digest()
            async with gate:
                await records.write(INTENT, (key, body))
                async with session.post(url, data=body) as response:
                    answer = await response.read()
            await records.write(RESULT, (key, answer))

        await replay(prepared(file, bytes), ask, int(places))


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
