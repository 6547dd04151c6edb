"""An ablation on the terminal: the few measures that decide, and the differences that stand."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchbar.records.ablation import AblationResults, ReviewTiming
from benchbar.reporting.ablation_report import MEASURES, shown
from benchbar.reporting.numbers import plain

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


def show(results: AblationResults, timing: Mapping[str, ReviewTiming], written: Sequence[Path]) -> None:
    """Print the table of variants, the baselines, the differences that hold after Holm, and where the rest is."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else 40 + _COLUMN * len(results.results))
    table = Table("measure", *(Column(Text(name)) for name in results.results))
    for measure in _SHOWN:
        table.add_row(MEASURES[measure], *(shown(one, measure) for one in results.results.values()))
    table.add_row("Seconds for each clause", *(plain(timing[name].mean, 3) for name in results.results))
    console.print(table)
    first = next(iter(results.results.values()))
    for name in ("always high", "random"):
        parts = first.baselines.get(name, {})
        values = ", ".join(
            f"{measure} {100 * one.value:.1f}" for measure, one in parts.items() if one.value is not None
        )
        console.print(Text(f"baseline {name}: {values}"))
    standing = [
        f"{table.outcome}: {one.name} {100 * (one.difference.value or 0):+.1f} points (p Holm {one.p_holm:.4f})"
        for table in results.contrasts
        for one in (*table.pairs, *table.main_effects, *table.interactions)
        if one.p_holm is not None and one.p_holm < _LEVEL
    ]
    console.print(Text("\n".join(standing) if standing else "no difference stands after Holm's adjustment"))
    for note in results.notes:
        console.print(Text(f"note: {note}"))
    for path in written:
        console.print(Text(f"written: {path}"))
