"""An ablation on the terminal: the few measures that decide, and the differences that stand."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchbar.records.ablation import AblationResults, ConsultationAblation, ReviewTiming
from benchbar.reports.ablation_report import MEASURES, shown
from benchbar.reports.numbers import plain, rate

_SHOWN = (
    "accuracy",
    "weighted_accuracy",
    "high_f2",
    "high_risk_leakage",
    "hallucination",
    "rule_recall",
    "task_success",
)
_LEVEL = 0.05
_COLUMN = 32
_MOST = 12


def show(
    results: AblationResults | ConsultationAblation, timing: Mapping[str, ReviewTiming], written: Sequence[Path]
) -> None:
    """Print the table of variants, the baselines, the differences that hold after Holm, and where the rest is."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 40 + _COLUMN * len(results.results))
    table = Table("measure", *(Column(Text(name)) for name in results.results))
    for title, cells in _cells(results):
        table.add_row(title, *cells)
    table.add_row("Seconds", *(plain(timing[name].mean, 3) for name in results.results))
    console.print(table)
    for line in (*_baselines(results), *_standing(results), *(f"note: {note}" for note in results.notes)):
        console.print(Text(line))
    for path in written:
        console.print(Text(f"written: {path}"))


def _cells(results: AblationResults | ConsultationAblation) -> list[tuple[str, list[str]]]:
    if isinstance(results, AblationResults):
        return [(MEASURES[name], [shown(one, name) for one in results.results.values()]) for name in _SHOWN]
    names = {"point_score": "Point score", "satisfied": "Satisfied"}
    return [(title, [rate(one[name]) for one in results.results.values()]) for name, title in names.items()]


def _baselines(results: AblationResults | ConsultationAblation) -> list[str]:
    if not isinstance(results, AblationResults):
        return []
    parts = next(iter(results.results.values())).baselines
    return [
        f"baseline {name}: "
        + ", ".join(f"{measure} {100 * one.value:.1f}" for measure, one in parts[name].items() if one.value is not None)
        for name in ("always high", "random")
        if name in parts
    ]


def _standing(results: AblationResults | ConsultationAblation) -> list[str]:
    found = [
        f"{table.outcome}: {one.name} {100 * (one.difference.value or 0):+.1f} points (p Holm {one.p_holm:.4f})"
        for table in results.contrasts
        for one in (*table.main_effects, *table.interactions, *table.pairs)
        if one.p_holm is not None and one.p_holm < _LEVEL
    ]
    more = [f"and {len(found) - _MOST} more differences in the report"] if len(found) > _MOST else []
    return [*found[:_MOST], *more] or ["no difference stands after Holm's adjustment"]
