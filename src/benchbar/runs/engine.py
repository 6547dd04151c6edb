"""Runs a consultation study: many samples at once, what comes out handed on in the order of the suite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from benchbar.records import Sample, SampleResult
from benchbar.records.errors import BenchbarError, InterruptedRunError, LedgerError, WaitingForPeopleError
from benchbar.runs.consultation import Consultation, Planned, consult

AHEAD, LEAST_AHEAD = 4, 256
"""How many samples may be finished before the one whose turn it is to be handed on: they are held in memory."""

Receiver = Callable[[Sample, SampleResult], object]


class Engine:
    """One pass over the suite; what is in the ledger already takes no call."""

    def __init__(
        self, study: Consultation, receive: Receiver, done: Callable[[str], None], *, at_once: int = 16
    ) -> None:
        """``receive`` gets each sample's result in suite order; ``done`` each finished item's kind at once."""
        self._study, self._receive, self._done, self._at_once = study, receive, done, at_once
        self._ahead = max(LEAST_AHEAD, AHEAD * at_once)
        self._moved = asyncio.Event()
        self._finished: dict[int, SampleResult | None] = {}
        self._next = 0
        self._stop: BenchbarError | None = None

    async def go(self) -> None:
        """Finish every planned item.

        Raises:
            InterruptedRunError: the user asked to stop; calls in flight were finished first.
            WaitingForPeopleError: people have not answered yet; all was done that can be done before.
            BenchbarError: what made it pointless to go on: the budget, an endpoint that refuses everything, the disk.
        """
        self._study.ledger.plan(Planned(self._study))
        samples = enumerate(self._study.suite.samples)
        # All workers take from one iterator: whoever is free takes the next sample, with no queue to
        # fill.
        await asyncio.gather(*(self._work(samples) for _ in range(self._at_once)))
        await self._study.ledger.drain()
        if self._stop:
            raise self._stop
        if self._study.people is not None:
            self._study.people.finish()

    async def _work(self, samples: Iterator[tuple[int, Sample]]) -> None:
        for index, sample in samples:
            # One slow sample must not let all later ones pile up in memory behind it.
            while index - self._next > self._ahead and not self._stop:
                self._moved.clear()
                await self._moved.wait()
            if self._stop:
                return
            try:
                self._hand_on(index, await consult(self._study, sample, self._done))
            except WaitingForPeopleError:
                # Other samples go on: whoever answers must not be waited for before the rest has been asked.
                self._hand_on(index, None)
            except BenchbarError as error:
                self._halt(error)
            except OSError as error:
                self._halt(LedgerError(f"the files of the run cannot be written: {error.strerror or error}"))

    def _halt(self, error: BenchbarError) -> None:
        """Remember the first cause, and let nobody begin another call."""
        # After the first cause the ledger refuses new calls, so everybody else ends as interrupted; that
        # is not why the run stopped.
        if self._stop is None or isinstance(self._stop, InterruptedRunError):
            self._stop = error
        self._study.ledger.closing = True
        self._moved.set()

    def _hand_on(self, index: int, result: SampleResult | None) -> None:
        """In order, however they finish: files derived from equal ledgers are equal to the byte. None is a sample that waits."""
        self._finished[index] = result
        while self._next in self._finished:
            if (finished := self._finished.pop(self._next)) is not None:
                self._receive(self._study.suite.samples[self._next], finished)
            self._next += 1
            self._moved.set()
