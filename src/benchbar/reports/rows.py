"""Results as flat rows: one for each assistant, group and measure, with everything an estimate holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchbar.records import AssistantResults, Cell, Estimate, RunResults, TemperamentResults
from benchbar.reports.questions import measured
from benchbar.reports.verdicts import everyone


class Row(NamedTuple):
    """One estimate and what it is of."""

    assistant: str
    group_kind: str
    """overall, task, level, scenario, category, temperament or question_answering."""
    group: str
    label: str
    """The task's name; else as ``group``."""
    measure: str
    """win_rate, point_score, coverage, turns, satisfied and so on, as in results.json."""
    estimate: Estimate
    wins: float | None = None
    ties: float | None = None
    losses: float | None = None
    abstained: int | None = None
    failed: int | None = None


OVERALL = (
    "win_rate",
    "win_rate_these_tasks",
    "win_rate_tasks_like_these",
    "point_score",
    "turns",
    "satisfied",
    "rule_share",
    "decided_share",
    "order_inconsistency",
    "citation_validity",
    "quote_fidelity",
)


def rows(results: RunResults) -> Iterator[Row]:
    """Every estimate of every assistant, the highest win rate first."""
    for name in everyone(results):
        one = results.assistants[name]
        yield from _overall(name, one)
        yield from _cells(name, "task", one.by_task, results.tasks)
        yield from _cells(name, "level", one.by_level, {})
        yield from _cells(name, "scenario", one.by_scenario, {})
        for category, estimate in one.coverage.items():
            yield Row(name, "category", category, category, "coverage", estimate)
        if results.temperaments is not None:
            yield from _temperaments(name, results.temperaments)
        if results.rag is not None:
            own = results.rag.assistants[name]
            for measure, estimate in measured(own).items():
                yield Row(name, "question_answering", "all", "all", measure, estimate)
            for task, found in own.by_task.items():
                for measure, estimate in found.items():
                    yield Row(name, "question_answering", task, results.tasks.get(task, task), measure, estimate)


def _temperaments(name: str, found: TemperamentResults) -> Iterator[Row]:
    for kind, cell in found.assistants[name].items():
        for measure in ("win_rate", "point_score", "turns", "satisfied"):
            yield Row(name, "temperament", kind, kind, measure, getattr(cell, measure))
    spread = found.robustness[name]
    if spread is not None:
        yield Row(name, "temperament", "all", f"{spread.worst} - {spread.best}", "spread", spread.difference)


def _overall(name: str, one: AssistantResults) -> Iterator[Row]:
    for measure in OVERALL:
        row = Row(name, "overall", "all", "all", measure, getattr(one, measure))
        yield row._replace(wins=one.wins, ties=one.ties, losses=one.losses) if measure == "win_rate" else row


def _cells(name: str, kind: str, cells: Mapping[str, Cell], labels: Mapping[str, str]) -> Iterator[Row]:
    for group, cell in cells.items():
        label = labels.get(group, group)
        yield Row(
            *(name, kind, group, label, "win_rate", cell.win_rate),
            *(cell.wins, cell.ties, cell.losses, cell.abstained, cell.failed),
        )
        yield Row(name, kind, group, label, "point_score", cell.point_score)
