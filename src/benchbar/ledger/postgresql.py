"""The ledger of a run in PostgreSQL, which many processes may share: the tables and seals of the file, one schema a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchbar.ledger.connecting import IDLE, WRITER, Database, connect
from benchbar.ledger.frames import OwnFrame
from benchbar.ledger.packing import Unordered, pack, pack_request, pack_text, seal
from benchbar.ledger.postgresql_reading import PostgreSQLReader
from benchbar.ledger.records import SCOPE, CallRequest, CallResult, Outcome, PlannedItem
from benchbar.ledger.schema import DATABASE, READABLE, SCHEMA_VERSION, SESSION_BITS, result_row
from benchbar.records import Record, encode
from benchbar.records.errors import LeaseLostError, LedgerError

if TYPE_CHECKING:
    from psycopg import Connection

_LEASE_LOST = "BB001"

_INSERT = {
    "call": "INSERT INTO call VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
    "intent": "INSERT INTO intent VALUES (%s, %s, %s, %s, %s, %s)",
    "result": "INSERT INTO result VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
    "outcome": "INSERT INTO outcome VALUES (%s, %s, %s)"
    " ON CONFLICT (item) DO UPDATE SET record = excluded.record, seal = excluded.seal",
}


class PostgreSQLStore(PostgreSQLReader):
    """Rows of one run's ledger. What a tick of the event loop brings is committed together, and what comes meanwhile next."""

    def __init__(self, address: str, *, version: str = "", writable: bool = True, session: bool = True) -> None:
        """Open the run that the address names, or make it with the present schema; marks need no ``session``.

        Raises:
            LedgerError: the database cannot be reached, has no such run, or one of another schema version.
        """
        super().__init__(Database.of(address))
        self.session = 0
        self.fenced = False
        """Whether every write asks first if this process still holds its lease."""
        self._batch: list[tuple[str, tuple[Any, ...]]] = []
        self._tick: asyncio.Future[None] | None = None
        self._flushing = False
        self._broken: LedgerError | LeaseLostError | None = None
        """Why nothing is written any more: what is missing in the middle could not be told from what was taken out."""
        self._writer: Connection[Any] | None = None
        self.frame = OwnFrame(self)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._db = connect(self.database, writable=writable)
        try:
            with self.database.errors():
                self._prepare(version, writable=writable, session=session)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, version: str, *, writable: bool, session: bool) -> None:
        if writable:
            with self.alone():
                self._create()
                self._check_version()
                if session:
                    self.session = self._start_session(version)
        else:
            if not self._exists():
                raise LedgerError(f"{self.database}: there is no such run; {self._others()}")
            self._check_version()
        self._next = (self.session << SESSION_BITS) + 1
        # The server's clock, for all processes alike, and not one that may be set back meanwhile.
        server = self._number("SELECT extract(epoch FROM clock_timestamp())::float8")
        self._clock = server - time.monotonic()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """A transaction during which no other process is in one of these for the same run."""
        with self.database.errors(), self._db.transaction():
            self._db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (self.database.schema,))
            yield

    def _exists(self) -> bool:
        return bool(self._number("SELECT count(*) FROM pg_namespace WHERE nspname = %s", self.database.schema))

    def _others(self) -> str:
        found = self._db.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'benchbar:%' ORDER BY 1 LIMIT 20")
        names = ", ".join(name.partition(":")[2] for (name,) in found)
        return f"runs in this database: {names or 'none'}"

    def _create(self) -> None:
        from psycopg import sql

        if not self._exists():
            self._db.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(self.database.schema)))
            self._db.execute(DATABASE)
            self.set_meta("schema_version", str(SCHEMA_VERSION).encode())

    def _check_version(self) -> None:
        found = (self.meta("schema_version") or b"").decode() or "none"
        if found not in READABLE:
            raise LedgerError(f"{self.database}: ledger schema {found}; this benchbar reads {SCHEMA_VERSION}")

    def _start_session(self, version: str) -> int:
        row = (int(self._number("SELECT count(*) + 1 FROM session")), time.time(), version)
        self._db.execute("INSERT INTO session VALUES (%s, %s, %s, %s)", (*row, seal(*row)))
        self.set_meta("sessions", str(row[0]).encode())
        return row[0]

    # Writing

    def execute(self, statement: str, parameters: tuple[Any, ...]) -> None:
        """Change rows, for those who keep tables of their own beside the ledger's."""
        with self.database.errors():
            self._db.execute(statement, parameters)

    def set_meta(self, name: str, value: bytes) -> None:
        """Keep a value under a name, at once."""
        with self.database.errors():
            self._db.execute(
                "INSERT INTO meta VALUES (%s, %s, %s)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value, seal = excluded.seal",
                (name, value, seal(name, value)),
            )

    def offer_meta(self, name: str, value: bytes) -> bytes:
        """The value kept under a name: this one, unless another process was first."""
        with self.database.errors():
            self._db.execute(
                "INSERT INTO meta VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (name, value, seal(name, value))
            )
        return self.meta(name) or value

    def plan(self, items: Iterable[PlannedItem]) -> None:
        """Replace the plan by these items, in one transaction; the same plan again changes nothing."""
        digest = Unordered()
        rows = [(item.id, data := pack_text(digest.added(encode(item))), seal(item.id, data)) for item in items]
        number = str(len(rows)).encode()
        with self.alone():
            if (self.meta("plan_seal"), self.meta("planned")) == (digest.digest(), number):
                return
            self._db.execute("TRUNCATE plan")
            with self._db.cursor().copy("COPY plan FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(("text", "bytea", "bytea"))
                for row in rows:
                    copy.write_row(row)
            self._db.execute("DELETE FROM outcome WHERE item NOT IN (SELECT item FROM plan)")
            self.set_meta("planned", number)
            self.set_meta("plan_seal", digest.digest())

    @contextmanager
    def reviewing(self) -> Iterator[None]:
        """A block in which nobody else appends reviews: it holds the row that counts them."""
        from psycopg.pq import TransactionStatus

        if self._db.info.transaction_status != TransactionStatus.IDLE:
            yield
            return
        self.offer_meta("reviews", b"0")
        with self.database.errors(), self._db.transaction():
            self._db.execute("SELECT value FROM meta WHERE name = 'reviews' FOR UPDATE")
            yield

    def append_reviews(self, kind: str, records: Iterable[Record]) -> list[int]:
        """Write down plans or marks at once, all or none; returns their numbers. Nothing written before is touched."""
        with self.reviewing():
            last = self._db.execute("SELECT id, seal FROM review ORDER BY id DESC LIMIT 1").fetchone()
            number, before = last or (0, b"")
            rows = []
            for record in records:
                number += 1
                row = (number, kind, time.time(), pack(record))
                before = seal(*row, before)
                rows.append((*row, before))
            self._db.cursor().executemany("INSERT INTO review VALUES (%s, %s, %s, %s, %s)", rows)
            self.set_meta("reviews", str(number).encode())
            return [row[0] for row in rows]

    async def intend(self, key: bytes, request: CallRequest, reserved: float | None, text: bytes = b"") -> int:
        """Write down that a call is about to be sent; returns the intent's number once it is on disk."""
        number = self._next
        self._next += 1
        scope = SCOPE.get()
        near = scope.against(request.role) if scope else ()
        self._append("call", (key, request.role, request.sample, pack_request(text or encode(request), near)))
        row = (number, key, self.session, self._now(), reserved)
        await self._append("intent", (*row, seal(*row)))
        return number

    async def finish(self, intent: int, key: bytes, result: CallResult, sample: str = "") -> None:
        """Write down how a call ended; returns once it is on disk."""
        row = result_row(intent, key, result, self._now(), self.frame)
        await self._append("result", (*row, seal(*row)))
        if sample in self._known:
            self._known[sample][key] = row[-1]

    def settle(self, outcome: Outcome) -> asyncio.Future[None]:
        """Write down what became of a planned item."""
        data = pack(outcome)
        return self._append("outcome", (outcome.item, data, seal(outcome.item, data)))

    def _now(self) -> float:
        return self._clock + time.monotonic()

    def _append(self, table: str, row: tuple[Any, ...]) -> asyncio.Future[None]:
        self._batch.append((table, row))
        if self._tick is None:
            loop = asyncio.get_running_loop()
            self._tick = loop.create_future()
            if not self._flushing:
                self._flushing = True
                loop.call_soon(self._flush)
        return self._tick

    def _flush(self) -> None:
        """Send what has gathered; what comes while it is on its way goes with the next."""
        batch, tick = self._batch, self._tick
        self._batch, self._tick = [], None
        if tick is None:
            self._flushing = False
            return
        sent = asyncio.get_running_loop().run_in_executor(self._pool, self._write, batch)
        sent.add_done_callback(lambda done: self._flushed(tick, done.exception()))

    def _flushed(self, tick: asyncio.Future[None], error: BaseException | None) -> None:
        if not tick.cancelled():
            if error is None:
                tick.set_result(None)
            else:
                tick.set_exception(error)
        self._flush()

    def _write(self, batch: list[tuple[str, tuple[Any, ...]]]) -> None:
        if self._broken is not None:
            raise self._broken
        try:
            self._commit(batch)
        except (LedgerError, LeaseLostError) as error:
            self._broken = error
            raise

    def _commit(self, batch: list[tuple[str, tuple[Any, ...]]]) -> None:
        """One transaction in one exchange with the server."""
        with self.database.errors("cannot be written; nothing that was confirmed is lost"):
            if self._writer is None:
                self._writer = connect(self.database, name=WRITER)
            by_table: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _INSERT}
            for table, row in batch:
                by_table[table].append(row)
            # In one order everywhere: two processes that write the same keys must not wait for each other in a circle.
            by_table["call"].sort()
            by_table["outcome"] = sorted({row[0]: row for row in by_table["outcome"]}.values())
            began = time.monotonic()
            try:
                with self._writer.pipeline(), self._writer.transaction():
                    if self.fenced:
                        self._writer.execute("SELECT held(%s)", (self.session,))
                    for table, rows in by_table.items():
                        if rows:
                            self._writer.cursor().executemany(_INSERT[table], rows)
            except Exception as error:
                slept = self.fenced and self._writer.broken and time.monotonic() - began >= IDLE
                if slept:
                    self._writer = None
                if slept or getattr(error, "sqlstate", None) == _LEASE_LOST:
                    raise LeaseLostError(
                        "this process did not answer for longer than its lease; its samples were given to others"
                    ) from error
                raise

    def start_anew(self, version: str) -> None:
        """A session of one's own again, after the lease of the one before was lost."""
        if self._db.broken:
            self._db = connect(self.database)
        with self.alone():
            self.session = self._start_session(version)
        self._next = (self.session << SESSION_BITS) + 1
        self._broken = None
        self.forget()

    def discard(self) -> None:
        """Close the ledger and take it away, where no call was made and nobody else has opened it."""
        from psycopg import sql

        with self.alone():
            if not self._number("SELECT count(*) FROM intent") and self._number("SELECT count(*) FROM session") == 1:
                self._db.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(self.database.schema)))
        self.close()

    def close(self) -> None:
        """Commit what is pending and close the connections; a second time nothing happens."""
        if self._db.closed:
            return
        batch, self._batch = self._batch, []
        try:
            if batch:
                self._pool.submit(self._write, batch).result()
        finally:
            self._pool.shutdown()
            if self._writer is not None:
                self._writer.close()
            self._db.close()
