"""One scorer's part in a run: the items that it plans, and how each of them is scored and settled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from benchbar.ledger import SCOPE, Ledger, PlannedItem, Scope
from benchbar.records import Order, Sample, SampleResult, Scored, ScoreStatus
from benchbar.records.errors import WaitingForPeopleError
from benchbar.records.protocols import Scorer, ScoringInput

T = TypeVar("T")


def of_trial(trial: int) -> str:
    """What the id of a planned item ends in; nothing in the first trial, whose items ledgers had before there were others."""
    return f"#{trial}" if trial else ""


Done = Callable[[str], None]
"""Told the kind of each planned item as it is finished."""
ORDERS: tuple[Order, Order] = ("left_first", "right_first")


class Pass(NamedTuple):
    """One planned item of a scorer, and what its call is told."""

    item: PlannedItem
    order: Order | None
    repeat: int


@dataclass(frozen=True)
class Stage:
    """A scorer with how often it is asked."""

    scorer: Scorer
    repeats: int = 1
    place: int | None = None
    """Where the scorer stands in a panel; None where its name says which one it is."""

    @property
    def planned(self) -> bool:
        """Whether its items stand in the ledger's plan."""
        return self.scorer.asks != "never"

    def passes(self, sample: Sample, assistant: str, trial: int = 0) -> Iterator[Pass]:
        """Every item about one dialogue, or about one candidate's and the reference's."""
        scorer = self.scorer
        # Both orders always: a judge's liking for the first position is averaged out, and seen.
        for order in ORDERS if scorer.compares else (None,):
            for repeat in range(self.repeats):
                parts = (scorer.name, sample.id, assistant, order, self.place, repeat)
                id_ = "/".join(str(part) for part in parts if part is not None) + of_trial(trial)
                # Most scorers need no call where a dialogue failed, or where rules decided everything.
                calls = scorer.asks == "always"
                item = PlannedItem(id=id_, kind=scorer.name, sample=sample.id, assistant=assistant, calls=calls)
                yield Pass(item, order, repeat)

    async def run(self, given: ScoringInput, ledger: Ledger, after: Sequence[Scope], done: Done) -> list[Scored]:
        """What the scorer says in every pass, each settled in the ledger with the calls that it rests on.

        ``after`` are the scopes of the dialogues: their last calls are what the scorer's own are likely to repeat.
        """
        scope = partial(Scope, given.sample.id, *after)
        passes = self.passes(given.sample, given.dialogue.assistant, scope().trial)
        found = await gathered(self._once(one, given, ledger, scope(), done) for one in passes)
        return [one for scored in found for one in scored]

    async def _once(
        self, one: Pass, given: ScoringInput, ledger: Ledger, scope: Scope, done: Done
    ) -> tuple[Scored, ...]:
        SCOPE.set(scope)
        scored = await self.scorer.score(replace(given, order=one.order, repeat=one.repeat))
        if self.planned:
            record = scored[0] if self.scorer.compares else SampleResult.of(given.sample, scored)
            failed = any(mark.status is ScoreStatus.FAILED for mark in scored)
            await ledger.settle(one.item, scope, record, failed=failed)
            done(one.item.kind)
        return scored


async def gathered(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All results; where one fails, the others are finished first: a paid call is not thrown away."""
    work = list(coroutines)
    results = await asyncio.gather(*work, return_exceptions=True) if work else []
    good = [result for result in results if not isinstance(result, BaseException)]
    if len(good) < len(results):
        failures = [result for result in results if isinstance(result, BaseException)]
        # What ends the run comes before what only leaves this sample open.
        raise min(failures, key=lambda one: isinstance(one, WaitingForPeopleError))
    return good
