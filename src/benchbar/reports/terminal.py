"""The results as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.records import AssistantResults, Cell, Estimate, RunResults
from benchbar.records.measures import MeasureDefinition
from benchbar.records.numbers import percent
from benchbar.reports.gate import show_gate
from benchbar.reports.numbers import rate_if_any, value_text
from benchbar.reports.printing import cell, console, empty_table, printable
from benchbar.reports.rows import (
    only_answers,
    question_lines,
    question_notes,
    summary_measures,
    temperament_lines,
    temperament_notes,
)
from benchbar.reports.verdicts import candidates, everyone, overall, rank_set, standings
from benchbar.scoring.points import measured

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

STRIP = 25
"""Characters of the strip that shows an interval; odd, so that a half has a place of its own."""
MARKS = {"better": "▲", "worse": "▼", "tied": "≈", "undefined": "–"}
STYLES = {"better": "green", "worse": "red", "tied": "dim", "undefined": "dim"}
DECIDING = "point_score"
"""The measure by which samples are compared where no judge does."""
# Longer names are cut: the figures to their right are what the line is for.
NAME_WIDTH, TASK_WIDTH, CELL_WIDTH, SHORT_CELL = 28, 34, 17, 8


def show(results: RunResults, written: list[Path]) -> None:
    """Print who won, the matrix, what a reader has to know, and where the report is."""
    out = console()
    for line in warnings(results):
        out.print(printable(line), highlight=False, style="bold red", markup=False)
    out.print(_head(results))
    for title, table in _tables(results, out.width):
        out.print(f"\n[bold]{title}[/bold]", highlight=False)
        out.print(table)
    for line in notes(results):
        out.print(printable(line), highlight=False, style="dim", markup=False)
    if results.gate:
        show_gate(results.gate, out)
    if results.review:
        reasons = ", ".join(f"{name} {count}" for name, count in results.review.items())
        place = printable(str(written[0].parent)) if written else "RUN"
        out.print(f"people should look at dialogues ({reasons}); the first one:", highlight=False)
        told = f"  benchbar review next {place} --rater YOU"
        out.print(told, highlight=False, markup=False, soft_wrap=True)
    for path in written:
        out.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)


def warnings(results: RunResults) -> list[str]:
    """Why figures are not to be believed, one line each: before the figures, so that nobody reads them without."""
    return [f"NOT TO BE RELIED ON: {finding.message}" for finding in results.health]


def _head(results: RunResults) -> Text:
    from rich.text import Text

    return Text.assemble(
        (printable(results.suite), "bold"),
        f": {results.samples} samples, {len(results.tasks)} tasks; reference ",
        (printable(results.reference), "bold"),
        printable(f"; decided by {results.decided_by}; user: {results.simulator}"),
    )


def _tables(results: RunResults, width: int) -> Iterator[tuple[str, Table]]:
    from rich.markup import escape

    if question_lines(results):
        yield "Answers and the passages they rest on, % (95% interval)", _questions(results)
    if candidates(results) and not only_answers(results):
        against = escape(printable(results.reference))
        yield f"Win rate against {against}, % (ties count half; 95% interval)", _rates(results)
        # All intervals or none: a matrix that has them for some assistants invites comparing the wrong cells.
        whole = TASK_WIDTH + CELL_WIDTH * len(candidates(results)) <= width
        note = "" if whole else "; intervals are in the report"
        yield f"By task: ▲ better, ▼ worse, ≈ not told apart from 50{note}", _matrix(results, whole=whole)
    if results.temperaments:
        yield "Guidance met by the user's temperament, % (95% interval)", _by_temperament(results)
    yield "Dialogues", _dialogues(results)


def _by_temperament(results: RunResults) -> Table:
    table = empty_table(width=NAME_WIDTH)
    for name in everyone(results):
        table.add_column(cell(name), justify="right", overflow="fold")
    for kind, cells in temperament_lines(results, rate_if_any):
        table.add_row(cell(kind), *map(cell, cells))
    return table


def _questions(results: RunResults) -> Table:
    table = empty_table(width=NAME_WIDTH)
    for name in everyone(results):
        table.add_column(cell(name), justify="right", no_wrap=True)
    for measure, estimates in question_lines(results):
        cells = (_with_interval(percent(one.value), _interval(one, 1)) if one else cell("–") for one in estimates)
        table.add_row(cell(measure.label), *cells)
    return table


def _rates(results: RunResults) -> Table:
    table = empty_table(width=NAME_WIDTH)
    table.add_column("win rate", justify="right", no_wrap=True)
    table.add_column("interval", no_wrap=True)
    table.add_column("0" + "50".center(STRIP - 4) + "100", no_wrap=True)
    table.add_column("won/tied/lost", no_wrap=True)
    for name in candidates(results):
        one = results.assistants[name]
        rate = one["win_rate"]
        kind = overall(results, name)
        table.add_row(
            cell(name, "bold"),
            cell(f"{MARKS[kind]} {percent(rate.value)}", STYLES[kind]),
            cell(_interval(rate, 1) or rate.reason, "dim"),
            cell(strip(rate), STYLES[kind]),
            cell(f"{one.wins:g}/{one.ties:g}/{one.losses:g}{_missing(one)}"),
        )
    return table


def _missing(one: AssistantResults) -> str:
    return f" ({one['win_rate'].n_missing} missing)" if one["win_rate"].n_missing else ""


def _interval(estimate: Estimate, places: int) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{percent(estimate.low, places)}, {percent(estimate.high, places)}]"


def strip(estimate: Estimate) -> str:
    """The interval drawn on a line from 0 to 100 with a mark at 50: ``············│····├─●──┤·``."""
    line = ["·"] * STRIP
    line[STRIP // 2] = "│"
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "".join(line)
    # The mark of the half may be covered, which is what a tie looks like.
    low, value, high = (round(share * (STRIP - 1)) for share in (estimate.low, estimate.value, estimate.high))
    line[low : high + 1] = "─" * (high - low + 1)
    line[low], line[high] = "├", "┤"
    line[value] = "●"
    return "".join(line)


def _matrix(results: RunResults, *, whole: bool) -> Table:
    names = candidates(results)
    table = empty_table(width=TASK_WIDTH)
    for name in names:
        table.add_column(cell(name), no_wrap=True, overflow="ellipsis", max_width=None if whole else SHORT_CELL)
    sure = standings(results, "task")
    for id_, label in results.tasks.items():
        cells = ((results.assistants[name].by_task.get(id_), sure.get((name, id_), "")) for name in names)
        table.add_row(cell(f"{id_} {label}"), *(_cell(one, kind, whole=whole) for one, kind in cells))
    return table


def _cell(one: Cell | None, kind: str, *, whole: bool) -> Text:
    from rich.text import Text

    if one is None:
        return Text("–", style="dim")
    rate = one["win_rate"]
    value = f"{MARKS[kind]} {percent(rate.value, 0):>3}"
    shown = f" {_interval(rate, 0)}" if whole else ""
    return Text.assemble((value, STYLES[kind]), (shown, "dim"))


def _dialogues(results: RunResults) -> Table:
    shown = summary_measures(results)
    table = empty_table(width=NAME_WIDTH)
    for name in (*(one.heading for one in shown), "failed", "cost"):
        table.add_column(cell(name), justify="right")
    for name in everyone(results):
        one = results.assistants[name]
        table.add_row(
            cell(name, "" if name == results.reference else "bold"),
            *(_summary(one, measure) for measure in shown),
            str(one.failed_dialogues),
            "–" if one.cost is None else f"{one.cost:.4g}",
        )
    return table


def _summary(one: AssistantResults, measure: MeasureDefinition) -> Text:
    """Only what decides has its interval here: a terminal has no room for more, and the report has them all."""
    estimate = one[measure.name]
    return _with_interval(value_text(estimate, measure), _interval(estimate, 1) if measure.name == DECIDING else "")


def _with_interval(value: str, interval: str) -> Text:
    from rich.text import Text

    return Text.assemble(value, (f" {interval}", "dim"))


def notes(results: RunResults) -> list[str]:
    """What a reader has to know to read the numbers right."""
    found = [f"{one} and {other} are not distinguished" for one, other in _tied(results)]
    for name, one in results.assistants.items():
        if one.failed_dialogues:
            found.append(
                f"{name}: {one.failed_dialogues} of {results.samples} dialogues failed and are missing, not lost"
            )
    found += panel_notes(results)
    found += question_notes(results)
    found += temperament_notes(results)
    if only_answers(results):
        return found + [f"{count} dialogues ended with {slug}" for slug, count in results.failures.items()]
    # Beside the winner: rules may have decided much of one assistant's guidance and little of another's.
    if results.decided_by == "rules":
        shares = ", ".join(f"{name} {percent(one['rule_share'].value, 0)}%" for name, one in results.assistants.items())
        found.append(f"no judge: compared by the guidance points that rules could decide (share of weight: {shares})")
    found += _many(results)
    found.append(_precision())
    if results.without_guidance:
        found.append(f"{results.without_guidance} samples have no guidance; without a judge they are missing")
    found += [f"{count} dialogues ended with {slug}" for slug, count in results.failures.items()]
    return found


def _many(results: RunResults) -> Iterator[str]:
    """What holds of several assistants and many tasks together; the report says it at length."""
    if len(candidates(results)) > 1:
        ranks = ", ".join(f"{name} {rank_set(results.assistants[name])}" for name in everyone(results))
        yield f"ranks that are open, all at once with 95% (Holm over all pairs): {ranks}"
    if candidates(results) and len(results.tasks) > 1:
        yield "of the ▲ and ▼ by task at most 5% are false in expectation (Benjamini-Hochberg)"


def panel_notes(results: RunResults) -> list[str]:
    """How each judge of a panel leans, one line each; the rates above are the mean of them."""
    if len(results.judges) == 1:
        return []
    found = []
    for judge, lean in results.judges.items():
        won = ", ".join(f"{name} {percent(one.value)} {_interval(one, 1)}" for name, one in lean.won.items())
        found.append(
            f"{judge}: names the first of two in {percent(lean.first.value, 0)}%; win rates by it alone: {won}"
        )
    return found


def _precision() -> str:
    """How precise rules were on labelled answers; the run does not say its language, so all that were measured."""
    table = measured()
    parts = []
    for language in sorted(name.split()[1] for name in table.rows if name.startswith("all ") and name != "all all"):
        if found := table.overall(language):
            kinds = ", ".join(table.decided_kinds(language)) or "nothing"
            parts.append(
                f"{language} {percent(found.value, 1)}% [{percent(found.low, 1)}, {percent(found.high, 1)}], decide {kinds}"
            )
    return f"rules right on labelled answers: {'; '.join(parts)}; the rest is for a judge"


def _tied(results: RunResults) -> Iterator[tuple[str, str]]:
    """Pairs of candidates whose intervals overlap."""
    for one, other in combinations(candidates(results), 2):
        if other in results.assistants[one].tied_with:
            yield one, other
