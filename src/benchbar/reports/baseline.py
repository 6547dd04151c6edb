"""A comparison with a stored baseline, on a terminal and as Markdown for a pull request: the decision is the first line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from benchbar.decisions.explaining import would_be
from benchbar.records import GateCheck
from benchbar.records.numbers import counted
from benchbar.reports.gate import ICONS, STYLES, estimate_text, threshold_text
from benchbar.reports.printing import printable
from benchbar.reports.tables import markdown

if TYPE_CHECKING:
    from rich.console import Console

    from benchbar.runs.baseline_comparison import BaselineComparison, Change, Move

CAUSES = {
    "sample": "their own text changed",
    "answer": "the assistant answered otherwise",
    "reference": "the assistant they are compared with answered otherwise",
    "marks": "the same answer is marked otherwise",
}
# A screen and a comment hold them; --json has all.
MOST = 12
"""Samples listed of each cause, and lines of each diff."""


def first_line(found: BaselineComparison) -> str:
    """The decision in one line: no worse, worse by how much, or what would tell."""
    name = found.baseline
    if found.same:
        return (
            f"no worse than {name}: suite, settings, answers and marks are the same ({counted(found.common, 'sample')})"
        )
    if found.doubts:
        return f"cannot tell whether worse than {name}: figures are not to be relied on; {found.doubts[0]}"
    if not found.measured:
        return f"cannot tell whether worse than {name}: nothing was measured; {found.measure} has no value in one of both runs"
    checks = deciding(found)
    told = "; ".join(_told(one) for one in checks)
    if found.gate.decision == "pass":
        return f"no worse than {name}: {told}"
    if found.gate.decision == "fail":
        return f"worse than {name}: {told}"
    return f"cannot tell whether worse than {name}: {told}; {_cure(found, checks)}"


def _cure(found: BaselineComparison, checks: Sequence[GateCheck]) -> str:
    """How many more samples would tell, and what they would say."""
    more = [found.gate.missing.get(one.name) for one in checks]
    worse = [count for count, one in zip(more, checks, strict=True) if count is not None and would_be(one) == "fail"]
    if worse:
        return f"about {counted(min(worse), 'more sample')} like these would confirm that it is worse"
    known = [count for count in more if count is not None]
    # A value just beside the margin needs more samples than anybody has: no number is better than a false one.
    if len(known) < len(more):
        return "more samples alone will not tell"
    if all(would_be(one) == "pass" for one in checks):
        return f"about {counted(max(known), 'more sample')} like these would confirm that it is no worse"
    return f"at least {counted(max(known), 'more sample')} are needed to tell"


def deciding(found: BaselineComparison) -> list[GateCheck]:
    """The conditions that the decision rests on, one for each assistant."""
    return [one for one in found.gate.checks if one.decision == found.gate.decision]


def _told(check: GateCheck) -> str:
    return (
        f"{check.assistant} {check.measure} {estimate_text(check)} over {counted(check.estimate.n, 'sample')}"
        f" (needs ≥ {threshold_text(check)})"
    )


def show_baseline(found: BaselineComparison, console: Console) -> None:
    """Print the decision, what changed, and which samples moved from which cause."""
    from rich.text import Text

    # Not wrapped: a job's log is searched for it.
    console.print(Text(printable(first_line(found)), style=f"bold {STYLES[found.gate.decision]}"), soft_wrap=True)
    console.print(Text(printable(_source(found)), style="dim"), soft_wrap=True)
    why = (
        ()
        if found.same or not found.measured or found.gate.decision == "pass"
        else (f"  {one.assistant}: {one.reason}" for one in deciding(found))
    )
    further = (f"  {one}" for one in found.doubts[0 if found.same else 1 :])
    for line in (*further, *why, *_change_lines(found), *_move_lines(found)):
        style = "green" if line.startswith("      +") else "red" if line.startswith("      -") else ""
        console.print(Text(printable(line), style=style), soft_wrap=True)


def _source(found: BaselineComparison) -> str:
    commit = f", commit {found.commit[:9]}" if found.commit else ""
    apart = [f"{len(found.added)} new"] * bool(found.added) + [f"{len(found.removed)} gone"] * bool(found.removed)
    return f"baseline {found.file} of {found.stored_of}{commit}; {', '.join([counted(found.common, 'common sample'), *apart])}"


def _change_lines(found: BaselineComparison) -> Iterator[str]:
    yield "What changed" if found.changes else "Nothing changed in suite, settings, prompts or law."
    for change in found.changes:
        yield f"  {change.text}"
        yield from (f"      {line}" for line in _few(change.lines))
        yield f"    may explain {counted(len(explained(found, change)), 'sample')} that moved"
    yield from (f"  not known: {one}" for one in found.unknown)


def explained(found: BaselineComparison, change: Change) -> list[Move]:
    """The moves that a change may be the reason of."""
    named = frozenset(change.lines) if change.what == "suite" else None
    return [
        move
        for move in found.moves
        if move.cause in change.explains
        and change.assistant in ("", move.assistant)
        and (named is None or move.sample in named)
    ]


def _move_lines(found: BaselineComparison) -> Iterator[str]:
    yield f"Samples that moved by more than {found.tolerance:g} on {found.measure}: {len(found.moves)}"
    for cause, told in CAUSES.items():
        moves = [move for move in found.moves if move.cause == cause]
        if moves:
            yield f"  {told}: {len(moves)}"
            yield from (f"    {one}" for one in _few([_move(move) for move in moves]))


def _move(move: Move) -> str:
    before, now = ("–" if value is None else f"{value:.2f}" for value in (move.before, move.now))
    return f"{move.sample}  {move.assistant}  {before} -> {now}"


def _few(lines: Sequence[str]) -> list[str]:
    rest = [f"… and {len(lines) - MOST} more (--json lists all)"] if len(lines) > MOST else []
    return [*lines[:MOST], *rest]


def baseline_summary(found: BaselineComparison) -> str:
    """The same as Markdown."""
    lines = [f"## {ICONS[found.gate.decision]} {markdown(first_line(found))}", "", markdown(_source(found)), ""]
    if found.changes:
        lines += ["| what changed | samples that moved with it |", "| --- | --- |"]
        for change in found.changes:
            ids = list(dict.fromkeys(move.sample for move in explained(found, change)))
            shown = ", ".join(ids[:MOST]) + (f" and {len(ids) - MOST} more" if len(ids) > MOST else "")
            lines.append(f"| {markdown(change.text)} | {markdown(shown) or '–'} |")
        lines.append("")
    lines += [f"- not known: {markdown(one)}" for one in found.unknown]
    lines.append(f"**Samples that moved on {markdown(found.measure)}:** {len(found.moves)}")
    for cause, told in CAUSES.items():
        if moves := [move for move in found.moves if move.cause == cause]:
            lines += [
                "",
                f"{told}: {len(moves)}",
                "",
                *(f"- {markdown(one)}" for one in _few([_move(move) for move in moves])),
            ]
    return "\n".join(lines) + "\n"
