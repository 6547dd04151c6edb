"""Divides the samples of a run between processes: each is claimed by one of them, under a lease that has to be renewed."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from benchbar import __version__
from benchbar.ledger.database import IDLE, WRITER, connect
from benchbar.records import Record, decode, encode
from benchbar.records.errors import ChangedRunError, LeaseLostError, LedgerError

if TYPE_CHECKING:
    from benchbar.ledger.postgresql import PostgreSQLStore

STAMP = "stamp"
_NOBODY, _LATER, _PEOPLE = 0, -1, -2
"""No session has these numbers: of samples that nobody is to begin any more, of those that nobody is to begin yet, and of those
that wait for people: they are begun again when the run is."""

R = TypeVar("R", bound=Record)
T = TypeVar("T")


@dataclass(frozen=True)
class Standing:
    """How far a run has come."""

    samples: int
    """Without those that nobody is to begin yet."""
    done: int
    withheld: int
    """Samples that nobody is to begin any more, as somebody stopped the run."""
    waiting: int
    """Samples in which everything is done that can be done before people have answered."""

    @property
    def over(self) -> bool:
        """Whether nothing is left that a process could do."""
        return self.done + self.waiting == self.samples


class Claims:
    """This process's share of a run.

    What holds: a sample belongs to one live process; every write of a process is refused once its lease is lost; and what
    a process has written is there before its samples are given to another. So nothing is answered twice, and a process
    that is killed costs the calls that it had in flight.
    """

    def __init__(self, store: PostgreSQLStore, *, lease: float = 60.0) -> None:
        """On the run of ``store``; after ``lease`` seconds of silence the samples are given to others."""
        self._store, self._lease = store, lease
        self._db = connect(store.database)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="claims")
        self._renewing: asyncio.Task[None] | None = None
        self.lost = False

    async def join(
        self, samples: Sequence[str], stamp: bytes, *, later: Collection[str] = (), again: bool = False
    ) -> None:
        """Take part in the run over these samples, of which those of ``later`` wait until they are opened.

        The first process makes all samples open again, so that everything is derived anew from what the ledger holds; one
        that finds others at work takes its part of what is left. ``again``: the database was lost meanwhile.

        Raises:
            ChangedRunError: others are at work on a run that was made differently.
        """
        if again:
            await self._call(self._reach)
        await self._call(self._join, samples, stamp, frozenset(later))
        self._store.fenced = True
        self._renewing = asyncio.create_task(self._renew_again())

    async def claim(self, most: int) -> list[str]:
        """At most so many samples that nobody has; none where all are done or in other hands."""
        return await self._call(self._claim, most)

    async def done(self, sample: str, record: Record) -> None:
        """Hand in what came of a sample."""
        await self._call(self._done, sample, zlib.compress(encode(record), 6))

    async def wait(self, sample: str) -> None:
        """Put a sample of one's own away until people have answered and the run is begun again."""
        await self._call(
            self._db.execute,
            "UPDATE claim SET session = %s WHERE sample = %s AND session = %s AND NOT done",
            (_PEOPLE, sample, self._store.session),
        )

    async def give_back(self, samples: Sequence[str]) -> None:
        """Let others have samples of one's own that were not begun."""
        await self._call(
            self._db.execute,
            "UPDATE claim SET session = NULL WHERE sample = ANY(%s) AND session = %s AND NOT done",
            (list(samples), self._store.session),
        )

    async def standing(self) -> Standing:
        """How far the run has come."""
        return await self._call(self._standing)

    async def open(self, samples: Collection[str]) -> None:
        """Let samples be begun that had to wait; nothing where another process did so before."""
        await self._call(
            self._db.execute,
            "UPDATE claim SET session = NULL WHERE sample = ANY(%s) AND session = %s",
            (list(samples), _LATER),
        )

    async def withhold(self) -> None:
        """Let nobody begin another sample."""
        await self._call(
            self._db.execute, "UPDATE claim SET session = %s WHERE session IS NULL AND NOT done", (_NOBODY,)
        )

    async def leave(self) -> None:
        """Give back what is not done."""
        await self._quiet()
        await self._call(self._leave)
        self._store.fenced = False

    async def rejoin(self) -> None:
        """Take part again after the lease was lost."""
        await self._quiet()
        await self._call(self._rejoin)
        self.lost = False
        self._renewing = asyncio.create_task(self._renew_again())

    def records(self, samples: Collection[str], kind: type[R]) -> Iterator[R]:
        """What came of each of these samples, in the order of the suite."""
        for sample, data in self._store.rows("SELECT sample, record FROM claim ORDER BY position"):
            if sample not in samples:
                continue
            if data is None:
                raise LedgerError(f"{self._store.database}: a sample is not finished; rerun the command to resume")
            yield decode(zlib.decompress(data), kind)

    def allot(self, limit: float, least: float) -> float:
        """A part of a budget that all processes share, at least so large, else nothing.

        What a live process was allotted counts as spent; of others counts what they did spend. So all of them together
        never go over the limit.
        """
        with self._store.alone():
            part = 0.0
            rows = list(self._store.rows("SELECT session, allotted FROM worker WHERE NOT lost AND session > ?", (0,)))
            left = limit - sum(part for _, part in rows) - self._store.cost_but(one for one, _ in rows)
            if left >= least:
                part = max(least, left / (4 * max(len(rows), 1)))
            self._store.execute(
                "UPDATE worker SET allotted = allotted + %s WHERE session = %s", (part, self._store.session)
            )
        return part

    def close(self) -> None:
        """Close the connection."""
        self._pool.shutdown()
        self._db.close()

    async def _call(self, do: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, lambda: self._with_our_errors(do, *arguments)
        )

    def _with_our_errors(self, do: Callable[..., T], *arguments: Any) -> T:
        began = time.monotonic()
        try:
            with self._store.database.errors():
                return do(*arguments)
        except LedgerError as error:
            if self._db.broken and time.monotonic() - began >= IDLE:
                raise LeaseLostError("this process stood still for longer than its lease") from error
            raise

    async def _renew_again(self) -> None:
        while not self.lost:
            await asyncio.sleep(self._lease / 4)
            self.lost = not await self._call(self._renew)

    async def _quiet(self) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            with suppress(asyncio.CancelledError, LedgerError, LeaseLostError):
                await self._renewing
            self._renewing = None

    # What follows runs in the one thread that owns the connection.

    def _join(self, samples: Sequence[str], stamp: bytes, later: frozenset[str]) -> None:
        with self._db.transaction():
            self._db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (self._store.database.schema,))
            self._reap()
            live = self._db.execute("SELECT count(*) FROM worker WHERE NOT lost").fetchone()
            if live and live[0]:
                if self._store.meta(STAMP) != stamp:
                    raise ChangedRunError(
                        f"{self._store.database}: others are at work on this run, from another suite, spec or version of"
                        " benchbar; wait for them, or name another run"
                    )
            else:
                self._begin(samples, later)
                self._store.set_meta(STAMP, stamp)
            self._enter()

    def _begin(self, samples: Sequence[str], later: frozenset[str]) -> None:
        self._db.execute("TRUNCATE claim, worker")
        with self._db.cursor().copy("COPY claim (position, sample, session) FROM STDIN") as copy:
            for position, sample in enumerate(samples):
                copy.write_row((position, sample, _LATER if sample in later else None))

    def _enter(self) -> None:
        self._db.execute(
            "INSERT INTO worker (session, until) VALUES (%s, clock_timestamp() + %s * interval '1 second')",
            (self._store.session, self._lease),
        )

    def _claim(self, most: int) -> list[str]:
        for _ in range(2):
            rows = self._db.execute(
                "UPDATE claim SET session = %s WHERE position IN (SELECT position FROM claim"
                " WHERE session IS NULL AND NOT done ORDER BY position LIMIT %s FOR UPDATE SKIP LOCKED)"
                " RETURNING position, sample",
                (self._store.session, most),
            ).fetchall()
            if rows or not self._reap():
                return [sample for _, sample in sorted(rows)]
        return []

    def _reap(self) -> int:
        """Open the samples of processes whose lease has run out; returns how many these are.

        A process's row is locked by each of its writes in flight: it is passed over until they have ended, and once it is
        marked, every later write of it is refused.
        """
        self._wake()
        with self._db.transaction():
            gone = self._db.execute(
                "SELECT session FROM worker WHERE NOT lost AND until < clock_timestamp() FOR UPDATE SKIP LOCKED"
            ).fetchall()
            sessions = [session for (session,) in gone]
            if sessions:
                self._db.execute("UPDATE worker SET lost = true WHERE session = ANY(%s)", (sessions,))
                self._db.execute("UPDATE claim SET session = NULL WHERE NOT done AND session = ANY(%s)", (sessions,))
        return len(sessions)

    def _wake(self) -> None:
        """End the writes of processes that stand still in them: the server's own timer stops at a pipeline's request to flush."""
        self._db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND usename = current_user AND application_name = %s AND state <> 'idle' AND wait_event = 'ClientRead'"
            " AND state_change < clock_timestamp() - %s * interval '1 second'",
            (WRITER, IDLE),
        )

    def _done(self, sample: str, record: bytes) -> None:
        found = self._db.execute(
            "UPDATE claim SET done = true, record = %s WHERE sample = %s AND session = %s",
            (record, sample, self._store.session),
        )
        if not found.rowcount:
            raise LeaseLostError(f"sample {sample}: it was given to another process meanwhile")

    def _renew(self) -> bool:
        found = self._db.execute(
            "UPDATE worker SET until = clock_timestamp() + %s * interval '1 second' WHERE session = %s AND NOT lost",
            (self._lease, self._store.session),
        )
        return bool(found.rowcount)

    def _standing(self) -> Standing:
        row = self._db.execute(
            "SELECT count(*), count(*) FILTER (WHERE done), count(*) FILTER (WHERE session = %s),"
            " count(*) FILTER (WHERE session = %s) FROM claim WHERE session IS DISTINCT FROM %s",
            (_NOBODY, _PEOPLE, _LATER),
        ).fetchone()
        return Standing(*row) if row else Standing(0, 0, 0, 0)

    def _leave(self) -> None:
        with self._db.transaction():
            self._db.execute("UPDATE worker SET lost = true WHERE session = %s", (self._store.session,))
            self._db.execute("UPDATE claim SET session = NULL WHERE NOT done AND session = %s", (self._store.session,))

    def _rejoin(self) -> None:
        self._reach(self._leave)
        self._enter()

    def _reach(self, first: Callable[[], None] = lambda: None) -> None:
        """A connection again, where it was lost, and then a session of one's own."""
        if self._db.broken:
            self._db = connect(self._store.database)
        first()
        self._store.start_anew(__version__)
