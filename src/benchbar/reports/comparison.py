"""A comparison of two runs on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchbar.decisions.regression import AssistantComparison, Difference, Flip, RunComparison
from benchbar.languages.packs import FALLBACK
from benchbar.measures.health import finding_text
from benchbar.reports.numbers import rate, shown, value_text
from benchbar.reports.printing import cell, empty_table, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# A screen holds them with the tables above.
MOST = 12
"""Samples listed of each kind; --json has them all."""
LEVEL = 0.05
STYLES = {"better": "green", "worse": "red", "tied": "", "undefined": ""}


def show_comparison(
    found: RunComparison,
    console: Console,
    identical: Mapping[str, int],
    parts: tuple[str, int, int] | None = None,
) -> None:
    """Print measures, tasks that moved, stability by layer, and samples fixed and broken.

    ``identical`` are assistants whose replies are the same to the letter, with their number of samples; ``parts`` the suite of
    which the runs took different samples, and how many each.
    """
    from rich.text import Text

    if parts:
        told = f"Both runs are of the suite {printable(parts[0])}, with {parts[1]} and {parts[2]} of its samples: those in both are compared."
        console.print(Text(told, style="yellow"))
    elif not found.same_suite:
        console.print(Text("The suites differ: samples are paired by id.", style="yellow"))
    for run, findings in found.doubts.items():
        for finding in findings:
            told = f"NOT TO BE RELIED ON: {run}: {finding_text(finding, FALLBACK)}"
            console.print(printable(told), style="bold red", markup=False, highlight=False)
    for one in found.assistants.values():
        name = one.second if one.first == one.second else f"{one.second} (was {one.first})"
        apart = (
            f"; {one.only_first} samples only before, {one.only_second} only now"
            if one.only_first + one.only_second
            else ""
        )
        console.print(Text(f"{printable(name)}{apart}", style="bold"))
        same = one.second in identical and one.unmoved
        if same:
            console.print(f"  every reply is the same on {identical[one.second]} samples: nothing differs")
        console.print(_measures(found, "measure", "BH", one.measures, same=same))
        # Tasks that did not move at all are most of them in a small change.
        moved = {task: each for task, each in one.by_task.items() if each.difference.value}
        if moved:
            console.print(_measures(found, f"{found.measure} by task", "Holm", moved))
        for layer, estimate in one.changed.items():
            console.print(f"  scores of layer {layer} that moved by more than {found.tolerance:g}: {rate(estimate)}%")
        _flips(console, found, one)


def _measures(
    found: RunComparison, what: str, method: str, rows: dict[str, Difference], *, same: bool = False
) -> Table:
    table = empty_table(what)
    for name in ("before", "now", "difference [95%]", f"p ({method})"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, one in rows.items():
        # The adjusted one where several tasks are tested: by colour alone a chance difference would look found.
        p_value = one.p_value if one.p_adjusted is None else one.p_adjusted
        style = STYLES[found.change(one)] if p_value is not None and p_value <= LEVEL else ""
        table.add_row(
            cell(name),
            value_text(one.first, one.measure),
            value_text(one.second, one.measure),
            # Of replies that are the same to the letter nothing is estimated: an interval would speak of other replies.
            cell("none" if same and one.difference.value == 0 else shown(one.difference, one.measure), style),
            "–" if p_value is None else f"{p_value:.3g}",
        )
    return table


def _flips(console: Console, found: RunComparison, one: AssistantComparison) -> None:
    for word, flips, style in (("fixed", one.fixed, "green"), ("broken", one.broken, "red")):
        colour = "" if found.doubts else style
        console.print(f"  {word}: {len(flips)} samples crossed {found.pass_mark:g}", style=colour)
        _listed(console, flips)


def _listed(console: Console, flips: Sequence[Flip]) -> None:
    for flip in flips[:MOST]:
        console.print(f"    {printable(flip.sample)}  {flip.first:.2f} -> {flip.second:.2f}", markup=False)
    if len(flips) > MOST:
        console.print(f"    and {len(flips) - MOST} more (--json lists all)")
