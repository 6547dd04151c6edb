"""The ledger in one SQLite file: appended to only, committed once per tick of the event loop, every row sealed."""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from benchbar.ledger.blinding import read_secret, secret_file, write_secret
from benchbar.ledger.calls import SCOPE, CallRequest, CallResult, CallStatus, Outcome, PlannedItem
from benchbar.ledger.packing import AnswerPacking, Unordered, pack, pack_request, pack_text, seal, unpack
from benchbar.ledger.schema import FILE, SCHEMA_VERSION, check_version, lost, result_row, watch
from benchbar.records import Record, Spending, decode, encode
from benchbar.records.errors import LedgerError

PIECE, MOST_AHEAD = 256, 1024
"""Answers that are read at once, and those that may be held before they are let go."""


class SQLiteStore:
    """Rows of one ledger file. Writes are gathered and committed together at the end of the loop's tick."""

    shared = False

    def __init__(self, path: Path, *, version: str = "", writable: bool = True, session: bool = True) -> None:
        """Open the file, or make it with the present schema; marks are written outside of any ``session`` of a run.

        Raises:
            LedgerError: the file is no ledger, or one of another schema version.
        """
        self.path = path
        if not writable and not path.exists():
            raise LedgerError(f"{path}: there is no ledger here; expected the ledger.sqlite of a run folder")
        self._batch: dict[str, list[tuple[Any, ...]]] = {}
        self._arrived: dict[bytes, CallResult] = {}
        """Results that the next commit will write."""
        self._ahead: dict[bytes, bytes] = {}
        """Payloads of answers by their calls, read before they are asked for."""
        self._tick: asyncio.Future[None] | None = None
        self._broken: LedgerError | None = None
        self.packing = AnswerPacking(self)
        try:
            self._db = self._open(writable=writable)
            try:
                self._begin(version, writable=writable, session=session)
            except BaseException:
                # A connection that is left open keeps the file's log from being folded in by whoever writes it next.
                self._db.close()
                raise
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
                raise self._unwritable(error) from error
            raise LedgerError(f"{path}: not a readable ledger: {error}") from error

    def _begin(self, version: str, *, writable: bool, session: bool) -> None:
        # Not by the file's absence: a kill or a power cut may leave one without tables.
        if not self._number("SELECT count(*) FROM sqlite_master"):
            if not writable:
                raise LedgerError(
                    f"{self.path}: nothing was written to this ledger before its start ended; run it again"
                )
            # In one transaction: tables without a version are refused, and nothing could be resumed.
            self._db.executescript(f"BEGIN; {FILE}")
            self.set_meta("schema_version", str(SCHEMA_VERSION).encode())
            self._db.execute("COMMIT")
        check_version(self.meta("schema_version"), self.path)
        self._next_intent = self._number("SELECT coalesce(max(id), 0) + 1 FROM intent")
        self._settled = bool(self._number("SELECT count(*) FROM (SELECT 1 FROM outcome LIMIT 1)"))
        self.session = self._start_session(version) if writable and session else 0

    def _open(self, *, writable: bool) -> sqlite3.Connection:
        mode = "rwc" if writable else "ro"
        db = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
        if writable:
            db.execute("PRAGMA journal_mode=WAL")
            # FULL: a result that something else was built on must survive a power cut.
            db.execute("PRAGMA synchronous=FULL")
            # Pages that are written again and again go into the file less often; nothing is less durable for that.
            db.execute("PRAGMA wal_autocheckpoint=4000")
        db.execute("PRAGMA busy_timeout=10000")
        # A column that damage has turned into text must still be read, so that its row can be named.
        db.text_factory = lambda data: data.decode("utf-8", "replace")
        return db

    def _start_session(self, version: str) -> int:
        # In one transaction: a start that is killed between the row and its count would leave a ledger that reads as damaged.
        self._db.execute("BEGIN IMMEDIATE")
        row = (self._number("SELECT count(*) + 1 FROM session"), time.time(), version)
        self._db.execute("INSERT INTO session VALUES (?, ?, ?, ?)", (*row, seal(*row)))
        self.set_meta("sessions", str(row[0]).encode())
        watch(self, row[0])
        self._db.execute("COMMIT")
        return row[0]

    def _number(self, query: str) -> int:
        return int(self._db.execute(query).fetchone()[0])

    # Reading

    def meta(self, name: str) -> bytes | None:
        """The value kept under a name, or None."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0] if isinstance(row[0], bytes) else str(row[0]).encode()

    def result(self, key: bytes, sample: str = "") -> CallResult | None:  # noqa: ARG002 - a file needs no hint
        """The best known result of a call: an answer or refusal if there is one, else the last failure, else None."""
        arrived = self._arrived.get(key)
        if arrived is not None:
            return arrived
        payload = self._ahead.get(key) or self._read(key)
        return None if payload is None else decode(self.packing.unpack(payload), CallResult, file=self.path)

    def _read(self, key: bytes) -> bytes | None:
        """The payload of the best result of a call; where it is an answer, those that came with it are read ahead."""
        rows = self._db.execute(
            "SELECT status <> 'failed', intent, payload FROM result WHERE key = ?", (key,)
        ).fetchall()
        if not rows:
            return None
        answer, intent, payload = max(rows, key=lambda row: row[:2])
        if answer:
            # A run that is derived anew asks in about the order in which it was answered. One by one, rows take ten times as long.
            if len(self._ahead) > MOST_AHEAD:
                self._ahead.clear()
            query = "SELECT key, payload FROM result WHERE intent >= ? AND status <> 'failed' ORDER BY intent LIMIT ?"
            self._ahead.update(self._db.execute(query, (intent, PIECE)))
        return cast("bytes", payload)

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query, one at a time."""
        yield from self._db.execute(query, parameters)

    def damage(self) -> Iterator[str]:
        """What SQLite finds wrong with the file's pages."""
        for (message,) in self.rows("PRAGMA integrity_check"):
            if message != "ok":
                yield f"damaged page: {message}"

    def outcomes(self) -> dict[str, Outcome]:
        """What is known of each planned item."""
        return {item: decode(unpack(data), Outcome) for item, data in self.rows("SELECT item, record FROM outcome")}

    def spending(self) -> dict[str, Spending]:
        """Role to what its answered calls consumed, each call once: the same for a run that was stopped and one that was not."""
        return {
            role: Spending(
                calls=calls, without_usage=silent, input_tokens=read, output_tokens=written, cost=self._cost(role)
            )
            for role, calls, silent, read, written in self.rows(
                "SELECT role, count(*), sum(status = 'ok' AND input_tokens IS NULL), sum(input_tokens),"
                " sum(output_tokens) FROM result JOIN call USING (key) WHERE status <> 'failed'"
                " GROUP BY role ORDER BY role"
            )
        }

    def _cost(self, role: str) -> float | None:
        """Summed exactly: SQLite's own sum depends on the order in which answers came."""
        costs = [
            cost
            for (cost,) in self.rows(
                "SELECT cost FROM result JOIN call USING (key) WHERE role = ? AND cost IS NOT NULL", (role,)
            )
        ]
        return math.fsum(costs) if costs else None

    def reviews(self, after: int = 0) -> Iterator[tuple[int, str, float, bytes, bytes]]:
        """Number, kind, time, record and seal of what people were asked and said after a number, in order."""
        query = "SELECT id, kind, at, record, seal FROM review WHERE id > ? ORDER BY id"
        yield from self._db.execute(query, (after,))

    def blinding(self) -> bytes | None:
        """The secret of the blind order, from the file beside the ledger; None where there is none."""
        return read_secret(secret_file(self.path))

    def offer_blinding(self, secret: bytes) -> bytes:
        """The secret of the blind order: this one, unless there was one before."""
        return self.blinding() or write_secret(secret_file(self.path), secret)

    def committed_cost(self) -> float:
        """What was paid, with calls of unknown outcome or unstated usage at the sum reserved for them."""
        row = self._db.execute(
            "SELECT total(coalesce(cost, CASE WHEN status IS NULL OR status = 'ok' THEN reserved ELSE 0 END))"
            " FROM intent LEFT JOIN result ON result.intent = intent.id"
        ).fetchone()
        return float(row[0]) + lost(self.rows("SELECT name, value FROM meta"))

    # Writing

    def set_meta(self, name: str, value: bytes) -> None:
        """Keep a value under a name, at once."""
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (name, value, seal(name, value)))

    def offer_meta(self, name: str, value: bytes) -> bytes:
        """The value kept under a name: this one, unless there was one before."""
        self._execute("INSERT OR IGNORE INTO meta VALUES (?, ?, ?)", (name, value, seal(name, value)))
        return self.meta(name) or value

    def _execute(self, statement: str, row: tuple[Any, ...]) -> None:
        try:
            self._db.execute(statement, row)
        except sqlite3.Error as error:
            raise self._unwritable(error) from error

    def plan(self, items: Iterable[PlannedItem]) -> None:
        """Replace the plan by these items, in one transaction; what was said before stays. The same plan again changes nothing."""
        before = self.meta("plan_seal")
        if before and not isinstance(items, Iterator) and before == Unordered(map(encode, items)).digest():
            return
        digest = Unordered()
        self._db.execute("BEGIN")
        try:
            self._db.execute("DELETE FROM plan")
            rows = ((item.id, data := pack_text(digest.added(encode(item))), seal(item.id, data)) for item in items)
            self._db.executemany("INSERT INTO plan VALUES (?, ?, ?)", rows)
            self._db.execute("DELETE FROM outcome WHERE item NOT IN (SELECT item FROM plan)")
            self.set_meta("planned", str(self._number("SELECT count(*) FROM plan")).encode())
            self.set_meta("plan_seal", digest.digest())
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise self._unwritable(error) from error
            raise

    def append_reviews(self, kind: str, records: Iterable[Record]) -> list[int]:
        """Write down plans or marks at once, all or none; returns their numbers. Nothing written before is touched."""
        with self.reviewing():
            last = self._db.execute("SELECT id, seal FROM review ORDER BY id DESC LIMIT 1").fetchone()
            number, before = last or (0, b"")
            first = number + 1
            for record in records:
                number += 1
                row = (number, kind, time.time(), pack(record))
                before = seal(*row, before)
                self._db.execute("INSERT INTO review VALUES (?, ?, ?, ?, ?)", (*row, before))
            self.set_meta("reviews", str(number).encode())
            return list(range(first, number + 1))

    @contextmanager
    def reviewing(self) -> Iterator[None]:
        """A block in which nobody else appends reviews; what is appended in it is kept at its end, all or none."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise

    async def intend(self, key: bytes, request: CallRequest, reserved: float | None, text: bytes = b"") -> int:
        """Write down that a call is about to be sent; returns the intent's number once it is on disk."""
        number, at, scope = self._next_intent, time.time(), SCOPE.get()
        self._next_intent += 1
        self._append(
            "INSERT OR IGNORE INTO call VALUES (?, ?, ?, ?)",
            (
                key,
                request.role,
                request.sample,
                pack_request(text or encode(request), scope.against(request.role) if scope else ()),
            ),
        )
        row = (number, key, self.session, at, reserved)
        await self._append("INSERT INTO intent VALUES (?, ?, ?, ?, ?, ?)", (*row, seal(*row)))
        return number

    async def finish(self, intent: int, key: bytes, result: CallResult, sample: str = "") -> None:  # noqa: ARG002 - a file needs no hint
        """Write down how a call ended.

        Not waited for until it is on disk: whatever comes of it is committed with it or after it, and only then sent.
        """
        row = result_row(intent, key, result, time.time(), self.packing)
        self._arrived[key] = result
        self._append("INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, seal(*row)))

    def settle(self, outcome: Outcome) -> asyncio.Future[None]:
        """Write down what became of a planned item, unless that is written there already."""
        data = pack(outcome)
        known = "SELECT record FROM outcome WHERE item = ?"
        # In a ledger that was empty nothing is settled yet, and nobody need look.
        if self._settled and self._db.execute(known, (outcome.item,)).fetchone() == (data,):
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done
        return self._append(
            "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?)", (outcome.item, data, seal(outcome.item, data))
        )

    def _append(self, statement: str, row: tuple[Any, ...]) -> asyncio.Future[None]:
        """One commit per tick costs as little as batches of 50 ms and loses nothing that had arrived."""
        if self._broken:
            raise self._broken
        self._batch.setdefault(statement, []).append(row)
        if self._tick is None:
            loop = asyncio.get_running_loop()
            self._tick = loop.create_future()
            loop.call_soon(self._commit)
        return self._tick

    def _commit(self) -> None:
        batch, tick = self._batch, self._tick
        self._batch, self._tick = {}, None
        if tick is None:
            return
        try:
            self._write(batch)
        except sqlite3.Error as error:
            # Nothing is written after this: a later row must not be there without those that came before it.
            self._broken = self._unwritable(error)
            if not tick.cancelled():
                tick.set_exception(self._broken)
                tick.exception()  # told to whoever writes next, if nobody waits for this
            return
        self._arrived.clear()
        if not tick.cancelled():
            tick.set_result(None)

    def _unwritable(self, error: sqlite3.Error) -> LedgerError:
        return LedgerError(
            f"{self.path}: cannot be written: {error}; committed records are not lost. Free disk space, then rerun the"
            " command to resume"
        )

    def _write(self, batch: dict[str, list[tuple[Any, ...]]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for statement, rows in batch.items():
                self._db.executemany(statement, rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def discard(self) -> None:
        """Close the file and take it away again, where no call was made, and its folder where that is empty then."""
        self.close()
        for leftover in (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm", ".lock"))):
            leftover.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.parent.rmdir()

    def close(self) -> None:
        """Commit what is pending and close the file; a second time nothing happens."""
        self._commit()
        self._db.close()


def answered(result: CallResult | None) -> bool:
    """Whether a call need not be sent again."""
    return result is not None and result.status is not CallStatus.FAILED
