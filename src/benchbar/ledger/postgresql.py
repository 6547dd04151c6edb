"""The ledger of a run in PostgreSQL, which many processes may share: the tables and seals of the file, one schema a run."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from benchbar.ledger.calls import SCOPE, CallRequest, CallResult, Outcome, PlannedItem
from benchbar.ledger.database import IDLE, WRITER, Database, connect
from benchbar.ledger.packing import AnswerPacking, Unordered, pack, pack_request, pack_text, seal, unpack
from benchbar.ledger.schema import DATABASE, SCHEMA_VERSION, SESSION_BITS, check_version, lost, result_row, watch
from benchbar.records import Record, Spending, decode, encode
from benchbar.records.errors import LeaseLostError, LedgerError

if TYPE_CHECKING:
    from psycopg import Connection

_LEASE_LOST = "BB001"
KEPT_SAMPLES = 512
"""Samples whose answers are remembered: as many as are worked on at once, several times over."""

_INSERT = {
    "call": "INSERT INTO call VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
    "intent": "INSERT INTO intent VALUES (%s, %s, %s, %s, %s, %s)",
    "result": "INSERT INTO result VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
    "outcome": "INSERT INTO outcome VALUES (%s, %s, %s)"
    " ON CONFLICT (item) DO UPDATE SET record = excluded.record, seal = excluded.seal",
}


class PostgreSQLStore:
    """Rows of one run's ledger. What a tick of the event loop brings is committed together, and what comes meanwhile next."""

    shared = True

    def __init__(self, address: str, *, version: str = "", writable: bool = True, session: bool = True) -> None:
        """Open the run that the address names, or make it with the present schema; marks need no ``session``.

        Raises:
            LedgerError: the database cannot be reached, has no such run, or one of another schema version.
        """
        self.database = Database.of(address)
        self._known: OrderedDict[str, dict[bytes, bytes]] = OrderedDict()
        self._cursors = count()
        self.session = 0
        self.fenced = False
        """Whether every write asks first if this process still holds its lease."""
        self._batch: list[tuple[str, tuple[Any, ...]]] = []
        self._tick: asyncio.Future[None] | None = None
        self._flushing = False
        self._broken: LedgerError | LeaseLostError | None = None
        """Why nothing is written any more: what is missing in the middle could not be told from what was taken out."""
        self._writer: Connection[Any] | None = None
        self.packing = AnswerPacking(self)
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
                check_version(self.meta("schema_version"), self.database)
                if session:
                    self.session = self._start_session(version)
        else:
            if not self._exists():
                raise LedgerError(f"{self.database}: there is no such run; {self._others()}")
            check_version(self.meta("schema_version"), self.database)
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

    def _start_session(self, version: str) -> int:
        row = (int(self._number("SELECT count(*) + 1 FROM session")), time.time(), version)
        self._db.execute("INSERT INTO session VALUES (%s, %s, %s, %s)", (*row, seal(*row)))
        self.set_meta("sessions", str(row[0]).encode())
        watch(self, row[0])
        return row[0]

    # Reading

    def _number(self, query: str, *parameters: Any) -> float:
        ((value,),) = self._db.execute(query, parameters or None).fetchall()
        return float(value)

    def meta(self, name: str) -> bytes | None:
        """The value kept under a name."""
        with self.database.errors():
            row = self._db.execute("SELECT value FROM meta WHERE name = %s", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def blinding(self) -> bytes | None:
        """The secret of the blind order, from a table that is no part of the ledger; None where there is none."""
        if self.meta("schema_version") == b"4":
            return None  # it has the secret in meta, and no such table
        return next(
            (bytes(secret) for (secret,) in self.rows("SELECT secret FROM blinding WHERE only_one = ?", (True,))), None
        )

    def result(self, key: bytes, sample: str = "") -> CallResult | None:
        """The best known result of a call; with its sample, one query brings the results of all calls about that."""
        if not sample:
            rows = list(
                self.rows(
                    "SELECT payload FROM result WHERE key = ? ORDER BY status = 'failed', intent DESC LIMIT 1", (key,)
                )
            )
            data = rows[0][0] if rows else None
        else:
            data = self._of_sample(sample).get(key)
        return None if data is None else decode(self.packing.unpack(data), CallResult, file=str(self.database))

    def _of_sample(self, sample: str) -> dict[bytes, bytes]:
        if sample not in self._known:
            self.fetch([sample])
        self._known.move_to_end(sample)
        return self._known[sample]

    def fetch(self, samples: Sequence[str]) -> None:
        """Read the results of all calls about these samples in one query, before they are asked for one by one.

        Only of samples that are this process's own: what another may still write would be remembered too early.
        """
        for sample in samples:
            self._known[sample] = {}
        # Binary: as text each payload would come in twice its bytes and be taken apart again here.
        with self.database.errors(), self._db.cursor(binary=True) as cursor:
            # The best result of a key comes last, and stays.
            cursor.execute(
                "SELECT sample, result.key, payload FROM result JOIN call ON call.key = result.key"
                " WHERE sample = ANY(%s) ORDER BY status <> 'failed', intent",
                (list(samples),),
            )
            for sample, key, payload in cursor:
                self._known[sample][key] = payload
        while len(self._known) > max(KEPT_SAMPLES, len(samples)):
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Read anew what other processes may have written meanwhile."""
        self._known.clear()

    def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query; without parameters it is a long one, and is fetched piece by piece."""
        with self.database.errors():
            if parameters:
                yield from self._db.execute(query.replace("%", "%%").replace("?", "%s"), parameters).fetchall()
                return
            with self._db.cursor(f"rows_{next(self._cursors)}", withhold=True) as cursor:
                cursor.itersize = 2000
                cursor.execute(query)
                yield from cursor

    def damage(self) -> Iterator[str]:
        """Nothing: the pages are the server's, which has checksums of its own."""
        return iter(())

    def outcomes(self) -> dict[str, Outcome]:
        """What is known of each planned item."""
        return {item: decode(unpack(data), Outcome) for item, data in self.rows("SELECT item, record FROM outcome")}

    def spending(self) -> dict[str, Spending]:
        """Role to what its answered calls consumed, each call once: the same for a run that was stopped and one that was not."""
        rows = self.rows(
            "SELECT role, count(*), count(*) FILTER (WHERE status = 'ok' AND input_tokens IS NULL),"
            " sum(input_tokens)::bigint, sum(output_tokens)::bigint, array_agg(cost) FILTER (WHERE cost IS NOT NULL)"
            " FROM result JOIN call ON call.key = result.key WHERE status <> 'failed' GROUP BY role"
            ' ORDER BY role COLLATE "C"'
        )
        return {
            role: Spending(
                calls=calls,
                without_usage=silent,
                input_tokens=read,
                output_tokens=written,
                cost=math.fsum(costs) if costs else None,
            )
            for role, calls, silent, read, written, costs in rows
        }

    def committed_cost(self) -> float:
        """What was paid, with calls of unknown outcome or unstated usage at the sum reserved for them."""
        return self.cost_but(())

    def cost_but(self, sessions: Iterable[int]) -> float:
        """What was paid by all sessions but these."""
        but = list(sessions)
        with self.database.errors():
            known = self._number(
                "SELECT coalesce(sum(coalesce("
                " cost, CASE WHEN status IS NULL OR status = 'ok' THEN reserved ELSE 0 END)), 0)"
                " FROM intent LEFT JOIN result ON result.intent = intent.id WHERE session <> ALL(%s)",
                but,
            )
        return known + lost(self.rows("SELECT name, value FROM meta"), but)

    def reviews(self, after: int = 0) -> Iterator[tuple[int, str, float, bytes, bytes]]:
        """Number, kind, time, record and seal of what people were asked and said after a number, in order."""
        yield from self.rows("SELECT id, kind, at, record, seal FROM review WHERE id > ? ORDER BY id", (after,))

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

    def offer_blinding(self, secret: bytes) -> bytes:
        """The secret of the blind order: this one, unless another process was first."""
        self.execute("INSERT INTO blinding (secret) VALUES (%s) ON CONFLICT DO NOTHING", (secret,))
        return self.blinding() or secret

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
        ancestors = scope.against(request.role) if scope else ()
        self._append("call", (key, request.role, request.sample, pack_request(text or encode(request), ancestors)))
        row = (number, key, self.session, self._now(), reserved)
        await self._append("intent", (*row, seal(*row)))
        return number

    async def finish(self, intent: int, key: bytes, result: CallResult, sample: str = "") -> None:
        """Write down how a call ended; returns once it is on disk."""
        row = result_row(intent, key, result, self._now(), self.packing)
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
        with self.database.errors("cannot be written; committed records are not lost"):
            if self._writer is None or self._writer.broken:
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
        """A session of one's own again, after the lease of the one before was lost, or the server."""
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
