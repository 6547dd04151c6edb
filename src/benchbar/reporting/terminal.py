"""The results as a table on a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.records import RunResults
from benchbar.reporting.numbers import percent, plain, rate

if TYPE_CHECKING:
    from rich.table import Table

MIN_WIDTH = 100


def show(results: RunResults, written: list[Path]) -> None:
    """Print the matrix, the summary of each assistant, and where the report is."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, MIN_WIDTH))
    console.print(_head(results), highlight=False)
    console.print(_summary(results))
    console.print(_matrix(results))
    for line in notes(results):
        console.print(line, highlight=False, style="dim")
    for path in written:
        console.print(f"written: {path}", highlight=False)


def _head(results: RunResults) -> str:
    return (
        f"[bold]{results.suite}[/bold]: {results.samples} samples, {len(results.tasks)} tasks;"
        f" reference [bold]{results.reference}[/bold]; decided by {results.decided_by}; user: {results.simulator}"
    )


def _summary(results: RunResults) -> Table:
    from rich.table import Table

    table = Table(title="Win rate against the reference, % (ties count half; 95% interval)", title_justify="left")
    for name in ("assistant", "win rate", "won / tied / lost", "points met", "turns", "cost", "tied with"):
        table.add_column(name, no_wrap=name == "assistant")
    for name, one in results.assistants.items():
        record = f"{one.wins:g} / {one.ties:g} / {one.losses:g}" if name != results.reference else "–"
        table.add_row(
            name,
            rate(one.win_rate),
            record,
            rate(one.point_score),
            plain(one.turns),
            "–" if one.cost is None else f"{one.cost:.4g}",
            ", ".join(one.tied_with) or "–",
        )
    return table


def _matrix(results: RunResults) -> Table:
    from rich.table import Table

    candidates = [name for name in results.assistants if name != results.reference]
    table = Table(title="By task", title_justify="left")
    table.add_column("task")
    for name in candidates:
        table.add_column(name)
    for id_, label in results.tasks.items():
        cells = [results.assistants[name].by_task.get(id_) for name in candidates]
        table.add_row(f"{id_} {label}", *(rate(cell.win_rate, 0) if cell else "–" for cell in cells))
    return table


def notes(results: RunResults) -> list[str]:
    """What a reader has to know to read the numbers right."""
    found = []
    for name, one in results.assistants.items():
        if one.failed_dialogues:
            found.append(
                f"{name}: {one.failed_dialogues} of {results.samples} dialogues failed and are missing, not lost"
            )
    if results.decided_by == "rules":
        shares = ", ".join(f"{name} {percent(one.rule_share.value, 0)}%" for name, one in results.assistants.items())
        found.append(f"no judge: compared by the guidance points that rules could decide (share of weight: {shares})")
    if results.without_guidance:
        found.append(f"{results.without_guidance} samples have no guidance; without a judge they are missing")
    found += [f"{count} dialogues ended with {slug}" for slug, count in results.failures.items()]
    return found
