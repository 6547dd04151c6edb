"""What a run with temperaments adds to the tables: assistants in columns, temperaments in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchbar.records import Estimate, RunResults, TemperamentCell
from benchbar.reports.verdicts import everyone

Line = tuple[str, list[str]]
SPREAD = "spread"
"""The key of the last row: the worst temperament less the best."""


def temperament_lines(
    results: RunResults, show: Callable[[Estimate], str], called: Callable[[str], str] = str
) -> list[Line]:
    """For each temperament the point score with every assistant, and in the last row the spread; none in other runs.

    ``called`` is what a temperament is called beside the spread.
    """
    found = results.temperaments
    if found is None:
        return []
    names = everyone(results)

    def cell(one: TemperamentCell | None) -> str:
        return show(one.point_score) if one else "–"

    rows = [(kind, [cell(found.assistants[name].get(kind)) for name in names]) for kind in found.names]
    return [*rows, (SPREAD, [_spread(results, name, show, called) for name in names])]


def _spread(results: RunResults, name: str, show: Callable[[Estimate], str], called: Callable[[str], str]) -> str:
    found = results.temperaments.robustness.get(name) if results.temperaments else None
    return "–" if found is None else f"{show(found.difference)} ({called(found.worst)} − {called(found.best)})"


def temperament_notes(results: RunResults) -> Iterator[str]:
    """What a reader has to know: that users differed, who played what, and what the spread rests on."""
    found = results.temperaments
    if found is None:
        return
    counts = ", ".join(f"{name} {count}" for name, count in found.assigned.items())
    yield f"simulated users differ in temperament ({counts}; drawn with seed {found.seed}, the same for all assistants)"
    if found.without_mistake:
        yield f"{found.without_mistake} of {found.assigned['mistaken']} mistaken users had no number to be mistaken about, and were calm"
    yield (
        "the spread is the worst temperament less the best one, paired within blocks of samples; its interval allows for"
        " both having been chosen by these data"
    )
