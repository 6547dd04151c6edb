"""What the page of one run shows, and how it is narrowed to tasks, levels, scenarios and assistants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchbar.records import Estimate, RunResults, Suite
from benchbar.reports.verdicts import candidates
from benchbar.statistics import win_rate
from benchbar.web.sample_index import SampleIndex, Wanted


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the page is narrowed to; nothing chosen means everything."""

    task: str = ""
    level: str = ""
    scenario: str = ""
    assistants: tuple[str, ...] = ()

    @property
    def some_tasks(self) -> bool:
        """Whether only some tasks are looked at."""
        return bool(self.task or self.level or self.scenario)


def tasks_of(results: RunResults, suite: Suite | None, chosen: Narrowing) -> tuple[str, ...] | None:
    """The tasks that the page is narrowed to; None for all. Levels and scenarios of tasks are known from the suite alone."""
    if not chosen.some_tasks:
        return None
    tasks = suite.tasks if suite else {}
    return tuple(
        id_
        for id_ in results.tasks
        if (not chosen.task or id_ == chosen.task)
        and (not chosen.level or (id_ in tasks and tasks[id_].level == chosen.level))
        and (not chosen.scenario or (id_ in tasks and chosen.scenario in tasks[id_].scenarios))
    )


def names_of(results: RunResults, chosen: Narrowing) -> list[str]:
    """The candidates that are looked at."""
    return [name for name in candidates(results) if not chosen.assistants or name in chosen.assistants]


def win_rates(
    results: RunResults, names: Sequence[str], tasks: Sequence[str] | None, index: SampleIndex | None
) -> dict[str, Estimate]:
    """Each candidate's win rate; over the samples of some tasks it is estimated anew from their outcomes."""
    # Estimated anew and not averaged: an interval of a part does not follow from the intervals of the whole.
    if tasks is None or index is None:
        return {name: results.assistants[name]["win_rate"] for name in names}
    numbers = {name: number for number, name in enumerate(candidates(results))}
    outcomes = index.outcomes(Wanted(tasks=tuple(tasks)))
    return {name: win_rate([row[numbers[name]] for row in outcomes]) for name in names}
