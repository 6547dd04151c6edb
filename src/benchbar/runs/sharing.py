"""One process's part of a run that several processes share through a database."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from benchbar.ledger.claims import Claims, Standing
from benchbar.records import Sample, SampleResult, Suite
from benchbar.records.errors import (
    BenchbarError,
    InterruptedRunError,
    LeaseLostError,
    LedgerLostError,
    WaitingForPeopleError,
    WorkerFailedError,
)
from benchbar.runs.consultation import Consultation, Planned, consult
from benchbar.runs.engine import Receiver
from benchbar.runs.manifest import Manifest, stamp

if TYPE_CHECKING:
    from benchbar.clients import Client
    from benchbar.ledger.postgresql import PostgreSQLStore

# Others tell nothing of themselves but through the database; half a second is short beside a dialogue and
# cheap for the server.
MOST_CLAIMED = 64
"""Samples claimed at once while all comes from the ledger: one claim and one query for all of them."""
POLL = 0.5
"""Seconds between two looks at what others still have in hand."""

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 15.0
"""Seconds between two tries to reach a database that is away: the first, and the most."""


class SharedRun:
    """Works on samples that nobody else has until all are done, by whomever; then hands on what came of each."""

    def __init__(
        self,
        study: Consultation,
        claims: Claims,
        *,
        parts: Sequence[Suite] = (),
        at_once: int = 16,
        outage: float = 0.0,
        again: Callable[[], None] = lambda: None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``again`` is called when a lease was lost and a new one is held; a database that is away is awaited ``outage`` seconds.

        ``parts`` of the suite, each with all samples of the one before, are opened one after the other; without them all is
        open from the start.
        """
        self._study, self._claims, self._at_once, self._again = study, claims, at_once, again
        self._parts = tuple(parts) or (study.suite,)
        self._outage, self._tell = outage, tell
        self._done: Callable[[str], None] = lambda _: None
        self._samples = {sample.id: sample for sample in study.suite.samples}
        self._stop: BenchbarError | None = None
        self._claimed: deque[str] = deque()
        self._begun: set[str] = set()
        self._at_a_time = 1
        self._claiming = asyncio.Lock()
        self._lost, self._waited, self._pause = False, 0.0, _FIRST_PAUSE

    async def join(self, stamp: bytes) -> None:
        """Take part; ``stamp`` is the same for those who may work on one run together.

        Raises:
            ChangedRunError: others work on a run that was made differently.
        """
        first = {sample.id for sample in self._parts[0].samples}
        join = partial(self._claims.join, list(self._samples), stamp, later=self._samples.keys() - first)
        try:
            await join()
        except LedgerLostError as error:
            await self.begin_again(error, partial(join, again=True))

    async def part(self) -> int:
        """Which of the parts is open: who joins late, or was slow, finds that others opened a later one."""
        size = (await self._claims.standing()).samples
        return next(place for place, part in enumerate(self._parts) if len(part.samples) == size)

    async def open(self, part: int) -> None:
        """Let everybody go on with this part."""
        await self._claims.open([sample.id for sample in self._parts[part].samples])

    async def _plan(self) -> None:
        self._study.ledger.plan(Planned(replace(self._study, suite=self._parts[await self.part()])))

    async def work(self, done: Callable[[str], None]) -> None:
        """Return when every open sample is done, by whomever; ``done`` is told the kind of each item finished here.

        Raises:
            InterruptedRunError: the user asked to stop; calls in flight were finished first.
            WaitingForPeopleError: people have not answered yet; all was done, by whomever, that can be done before.
            BenchbarError: what made it pointless to go on.
        """
        self._done = done
        planned = False
        while True:
            try:
                if not planned:
                    await self._plan()
                    planned = True
                await asyncio.gather(*(self._work() for _ in range(self._at_once)))
                await self._study.ledger.drain()
                if await self._all_done():
                    return
                await asyncio.sleep(POLL)
            # The machine slept, say, or the server was restarted: what was written is kept, so it is cheaper to begin again
            # than to fail.
            except (LeaseLostError, LedgerLostError) as error:
                await self.begin_again(error)

    async def _all_done(self) -> bool:
        if self._stop:
            raise self._stop
        standing = await self._claims.standing()
        if standing.over and standing.waiting:
            self._wait_for_people()
        if standing.over:
            return True
        if self._study.ledger.closing or standing.withheld:
            raise InterruptedRunError("interrupted; rerun the command to resume")
        return False

    def _wait_for_people(self) -> None:
        """End this start of the run; each process takes back what nobody is asked any more of the samples that it went through."""
        if self._study.people is not None:
            self._study.people.finish(self._begun)
        raise WaitingForPeopleError("answers of people came in meanwhile; rerun the command to go on with them")

    async def watch(self, anybody: Callable[[], bool], told: Callable[[Standing], None]) -> None:
        """Return when every open sample is done by others; ``anybody`` says whether any of them still works.

        Raises:
            InterruptedRunError: the user asked to stop; what was in flight was finished first.
            BenchbarError: nobody works any more, and why.
        """
        await self._plan()
        while True:
            if closing := self._study.ledger.closing:
                await self._claims.withhold()
            # Asked first: what others did before they ended is in what is read after it.
            failure = _failure(anybody)
            standing = await self._claims.standing()
            told(standing)
            if standing.done == standing.samples:
                return
            if failure is not None:
                raise InterruptedRunError("interrupted; rerun the command to resume") if closing else failure
            await asyncio.sleep(POLL)

    async def finished(self, part: int) -> bool:
        """Whether all samples of this part are done, and no later part is open.

        The plan is stated anew: a process that joined while others opened this part may have stated a smaller one.
        """
        standing = await self._claims.standing()
        if standing.done < standing.samples or await self.part() != part:
            return False
        # Going through a large plan takes seconds, and one part alone is never smaller.
        if len(self._parts) > 1:
            await self._plan()
        return True

    def results(self, part: int, receive: Receiver) -> None:
        """Hand on what came of each sample of the part, in the order of the suite, whoever worked on it."""
        samples = self._parts[part].samples
        records = self._claims.records({sample.id for sample in samples}, SampleResult)
        for sample, result in zip(samples, records, strict=True):
            receive(sample, result)

    async def _work(self) -> None:
        while not self._stop and not self._study.ledger.closing:
            try:
                sample = await self._next()
                if sample is None:
                    return
                await self._one(self._samples[sample])
            except BenchbarError as error:
                self._halt(error)

    async def _next(self) -> str | None:
        async with self._claiming:
            if not self._claimed:
                self._claimed.extend(await self._claims.claim(self._at_a_time))
                _store_of(self._study).fetch(self._claimed)
            return self._claimed.popleft() if self._claimed else None

    async def _one(self, sample: Sample) -> None:
        sent = self._study.ledger.sent
        self._begun.add(sample.id)
        try:
            result = await consult(self._study, sample, self._done)
        except WaitingForPeopleError:
            # Other samples go on: whoever answers must not be waited for before the rest has been asked.
            await self._claims.wait(sample.id)
            return
        await self._claims.done(sample.id, result)
        self._found_again()
        # What was answered before is gone through in milliseconds, and asking for it one sample at a time took half of them;
        # a sample whose calls are still to be made takes seconds, and nobody else must wait for one that lies here untouched.
        if self._study.ledger.sent == sent:
            self._at_a_time = min(2 * self._at_a_time, MOST_CLAIMED)
        else:
            self._at_a_time = 1
            await self._give_back()

    async def _give_back(self) -> None:
        """Let others have what was claimed and not begun."""
        async with self._claiming:
            untouched = list(self._claimed)
            self._claimed.clear()
            if untouched:
                await self._claims.give_back(untouched)

    def _halt(self, error: BenchbarError) -> None:
        """Remember the gravest cause, and let nobody begin another call: that alone makes others end as interrupted."""
        if self._stop is None or _gravity(error) > _gravity(self._stop):
            self._stop = error
        self._study.ledger.closing = True

    async def begin_again(self, error: BenchbarError, how: Callable[[], Awaitable[None]] | None = None) -> None:
        """Take part anew after a lease or the database was lost: what was in flight is lost, the rest of the run is not.

        Where that happens again before any sample was finished, what was lost is not back: it is awaited as if it still were away.

        Raises:
            BenchbarError: the same, after so long a wait as ``outage`` allows.
            InterruptedRunError: the user asked to stop meanwhile.
        """
        self._claimed.clear()
        self._stop, self._study.ledger.closing = None, False
        wait, self._lost = self._lost, True
        while True:
            if wait:
                await self._wait_for_database(error)
            try:
                await (how or self._claims.rejoin)()
                break
            except (LeaseLostError, LedgerLostError) as again:
                error, wait = again, True
        self._again()

    async def _wait_for_database(self, error: BenchbarError) -> None:
        if self._waited + self._pause > self._outage:
            raise type(error)(
                f"{error}; waited {self._waited:g} of at most {self._outage:g} s (limits.max_outage). Committed records are not"
                " lost: rerun the command when the database is back"
            ) from error
        self._tell(f"{error}; waiting for the database, at most {self._outage:g} s")
        await asyncio.sleep(self._pause)
        if self._study.ledger.closing:
            raise InterruptedRunError("interrupted while the database was away; rerun the command to resume")
        self._waited, self._pause = self._waited + self._pause, min(2 * self._pause, _LONGEST_PAUSE)

    def _found_again(self) -> None:
        """A sample was handed in: whatever was lost is back."""
        self._lost, self._waited, self._pause = False, 0.0, _FIRST_PAUSE


def _gravity(error: BenchbarError) -> int:
    """A lost lease or connection can be mended; what is neither that nor an interruption cannot."""
    mendable = isinstance(error, (LeaseLostError, LedgerLostError))
    return 0 if isinstance(error, InterruptedRunError) else 1 if mendable else 2


def _failure(anybody: Callable[[], bool]) -> WorkerFailedError | None:
    """Why nobody works any more; None while somebody does."""
    try:
        return None if anybody() else WorkerFailedError("all workers have ended; rerun the command to resume")
    except WorkerFailedError as error:
        return error


@asynccontextmanager
async def joined(
    study: Consultation,
    client: Client,
    manifest: Manifest,
    *,
    parts: Sequence[Suite] = (),
    at_once: int,
    lease: float,
    outage: float,
) -> AsyncIterator[SharedRun]:
    """This process's part of the run, given back at the end of the block."""
    claims = Claims(_store_of(study), lease=lease)

    def again() -> None:
        client.budget.share(claims.allot)
        client.try_again()

    try:
        run = SharedRun(
            study,
            claims,
            parts=parts,
            at_once=at_once,
            outage=outage,
            again=again,
            tell=client.tell,
        )
        client.budget.share(claims.allot)
        await run.join(stamp(manifest))
        try:
            yield run
        finally:
            # With the server away there is nothing to give back to; the leases run out.
            with suppress(LedgerLostError):
                await claims.leave()
    finally:
        claims.close()


def _store_of(study: Consultation) -> PostgreSQLStore:
    """The database that the run's processes share."""
    from benchbar.ledger.postgresql import PostgreSQLStore

    store = study.ledger.store
    assert isinstance(store, PostgreSQLStore)  # noqa: S101 - a fault of ours, not of the user
    return store
