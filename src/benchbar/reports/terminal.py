"""The results on a terminal of 80 columns or more: the decision, its reasons, then tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.decisions.explaining import short_sentence
from benchbar.languages.packs import FALLBACK, labels
from benchbar.measures.beside_people import BesidePeople, of_run
from benchbar.measures.health import finding_text
from benchbar.records import AssistantResults, Cell, Estimate, GateDecision, RunResults
from benchbar.records.measures import MeasureDefinition
from benchbar.records.numbers import counted, percent
from benchbar.reports import beside_people
from benchbar.reports.attacks import attack_tables
from benchbar.reports.gate import show_gate
from benchbar.reports.judges import panel_sentences
from benchbar.reports.numbers import PLACES, rate_if_any, value_text
from benchbar.reports.printing import cell, console, empty_table, printable, sections, table_width
from benchbar.reports.repeats import repeat_tables
from benchbar.reports.rows import (
    TextTable,
    cached_share,
    fidelity_lines,
    only_answers,
    question_lines,
    question_notes,
    summary_measures,
    task_tables,
    temperament_lines,
    temperament_notes,
)
from benchbar.reports.verdicts import (
    accusations_right,
    candidates,
    everyone,
    held_back,
    invented_law,
    left_out,
    nothing_compared,
    overall,
    rank_set,
    rests_on,
    standings,
    verdict,
    without_guidance,
)
from benchbar.scoring.points import measured

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

STRIP = 25
"""Characters of the strip that shows an interval, at most; odd, so that a half has a place of its own."""
MARKS = {"better": "▲", "worse": "▼", "tied": "≈", "undefined": "–"}
STYLES = {"better": "green", "worse": "red", "tied": "dim", "undefined": "dim"}
# Longer names are cut: the figures to their right are what the line is for.
NAME_WIDTH, TASK_WIDTH, CELL_WIDTH = 28, 34, 15
LEAST_STRIP = 9
"""Below this a strip cannot tell its two ends and its value apart."""
ENOUGH = 12
"""Compared samples that a task needs for a row: with fewer, the interval of an even result spans more than half of the scale.
By the number and not by the result, since rows chosen for their results would be the lucky ones."""


def show(results: RunResults, folder: Path | None = None, *, full: bool = False) -> None:
    """Print the decision and its reasons, then the tables, then what a reader has to know.

    ``folder`` is that of the run, for the commands that are named.
    Rows that say little (tasks of few samples) and reasons that change nothing are printed only if ``full``.
    """
    out = console()
    beside = of_run(folder) if folder else ()
    _show_decision(results, folder, out, full=full)
    out.print()
    out.print(_head(results, beside))
    for title, tables in _tables(results, out.width, full=full):
        out.print(f"\n[bold]{title}[/bold]", highlight=False)
        for table in tables:
            out.print(table)
    for line in (*beside_people.lines(beside, labels(FALLBACK)), *notes(results)):
        out.print(printable(line), highlight=False, style="dim", markup=False)
    if results.review:
        reasons = ", ".join(f"{name} {count}" for name, count in results.review.items())
        out.print(f"people should look at dialogues ({reasons}); the first one:", highlight=False)
        told = f"  benchbar review next {_place(folder)} --rater YOU"
        out.print(told, highlight=False, markup=False, soft_wrap=True)


def show_end(results: RunResults, *written: Path) -> None:
    """Print where the files of a run are, and its decision once more."""
    out = console()
    for path in written:
        out.print(f"written: {path}", highlight=False, markup=False, soft_wrap=True)
    if results.gate is not None:
        # Said again: the top has scrolled away by now, and the last line is what is read first.
        told = f"{short_sentence(results.gate, FALLBACK)} (why: see the top)"
        out.print(printable(told), highlight=False, style="bold", markup=False)


def _show_decision(results: RunResults, folder: Path | None, out: Console, *, full: bool) -> None:
    """What was decided and why; before it, what forbids to believe it.

    A refusal stands before the warnings, as they cannot turn it into a pass. Anything else might be read without them.
    """
    gate = results.gate
    refused = gate is not None and gate.decision == "fail" and not any(one.fatal for one in results.health)
    if not refused:
        _show_warnings(results, out)
    _show_gate_or_standing(results, gate, out, full=full)
    if refused:
        _show_warnings(results, out)
    if gate is not None and not full:
        told = f"  every condition with its reason: benchbar gate {_place(folder)} --full"
        out.print(told, highlight=False, markup=False, soft_wrap=True)


def _show_warnings(results: RunResults, out: Console) -> None:
    for line in warnings(results):
        out.print(printable(line), highlight=False, style="bold red", markup=False)


def _show_gate_or_standing(results: RunResults, gate: GateDecision | None, out: Console, *, full: bool) -> None:
    if gate is not None:
        show_gate(gate, out, full=full)
        return
    for line in told_apart(results):
        out.print(printable(line), highlight=False, style="bold", markup=False)


def _place(folder: Path | None) -> str:
    return printable(str(folder)) if folder else "RUN"


SAID = {
    "better": "is better than",
    "worse": "is worse than",
    "tied": "cannot be told from",
    "undefined": "is not compared with",
    "doubted": "is called neither better nor worse than",
}


def told_apart(results: RunResults) -> list[str]:
    """How each candidate stands against the reference, in a line; nothing where nobody was compared."""
    if only_answers(results):
        return []
    found = []
    for name in candidates(results):
        rate = results.assistants[name]["win_rate"]
        why = rate.reason if rate.reason or rate.value is None else ""
        told = f"win rate {percent(rate.value)}% {_interval(rate, 1)}" if rate.value is not None else why
        said = f"{name} {SAID[verdict(results, name)]} {results.reference}: {told}"
        if held_back(results, name):
            why = labels(FALLBACK)("verdict.held_back", count=len(results.assistants))
        found.append(f"{said}; {why}" if why and why != told else said)
    return found


def warnings(results: RunResults) -> list[str]:
    """Why figures are not to be believed, one line each: before the figures, so that nobody reads them without."""
    found = [f"NOT TO BE RELIED ON: {finding_text(finding, FALLBACK)}" for finding in results.health]
    return found + [line for line in (nothing_compared(results, labels(FALLBACK)),) if line]


def _head(results: RunResults, beside: Sequence[BesidePeople]) -> Text:
    from rich.text import Text

    return Text.assemble(
        (printable(results.suite), "bold"),
        f": {counted(results.samples, 'sample')}, {counted(len(results.tasks), 'task')}; reference ",
        (printable(results.reference), "bold"),
        printable(
            f"; decided by {beside_people.deciders(beside, results.decided_by)}; user: {labels(FALLBACK).name('simulated', results.simulator)}"
        ),
    )


def _tables(results: RunResults, width: int, *, full: bool) -> Iterator[tuple[str, Iterable[Table]]]:
    from rich.markup import escape

    if question_lines(results):
        yield "Answers and the passages they rest on, % (95% interval)", _questions(results, width)
    if candidates(results) and not only_answers(results):
        against = escape(printable(results.reference))
        yield f"Win rate against {against}, % (ties count half; 95% interval)", [_rates(results, width)]
        yield from _by_task(results, width, full=full)
    say = labels(FALLBACK)
    for found in (*task_tables(results, say), *attack_tables(results, say), *repeat_tables(results, say)):
        yield escape(found.title), _repeated(found, width)
    if results.temperaments:
        yield "Guidance met by the user's temperament, % (95% interval)", _by_temperament(results, width)
    yield "Dialogues", _dialogues(results, width)


def _repeated(found: TextTable, width: int) -> Iterator[Table]:
    # Names of measures with their assistants are long, and what is cut is what tells two rows apart.
    return sections(list(found.head), [[cell(text) for text in row] for row in found.rows], width, whole=True)


def _by_temperament(results: RunResults, width: int) -> Iterator[Table]:
    rows = [[cell(kind), *map(cell, cells)] for kind, cells in temperament_lines(results, rate_if_any)]
    return sections(["", *everyone(results)], rows, width)


def _questions(results: RunResults, width: int) -> Iterator[Table]:
    rows = [
        [
            cell(measure.label),
            *(_with_interval(percent(one.value), _interval(one, 1)) if one else cell("–") for one in estimates),
        ]
        for measure, estimates in question_lines(results)
    ]
    return sections(["", *everyone(results)], rows, width)


RATE = "win rate [interval]"
COUNTS = "won/tied/lost"
MISSING = "missing"


def _rates(results: RunResults, width: int) -> Table:
    kinds = {name: overall(results, name) for name in candidates(results)}
    rows = [_rate_row(name, results.assistants[name], kind) for name, kind in kinds.items()]
    table = empty_table(width=NAME_WIDTH)
    names = min(NAME_WIDTH, max(one[0].cell_len for one in rows))
    widths = [names, *(max(len(head), *(one[place].cell_len for one in rows)) for place, head in _RATE_HEADS)]
    # The strip takes what the others leave: it shows no number that they do not.
    room = width - table_width([*widths, 0])
    length = min(STRIP, room - 1 + room % 2)
    drawn = length >= LEAST_STRIP
    table.add_column(RATE, no_wrap=True)
    if drawn:
        table.add_column("0" + "50".center(length - 4) + "100", no_wrap=True)
    table.add_column(COUNTS, justify="right", no_wrap=True)
    table.add_column(MISSING, justify="right", no_wrap=True)
    for (name, kind), (first, rate, *others) in zip(kinds.items(), rows, strict=True):
        line = [cell(strip(results.assistants[name]["win_rate"], length), STYLES[kind])] if drawn else []
        table.add_row(first, rate, *line, *others)
    return table


_RATE_HEADS = ((1, RATE), (2, COUNTS), (3, MISSING))


def _rate_row(name: str, one: AssistantResults, kind: str) -> list[Text]:
    from rich.text import Text

    rate = one["win_rate"]
    value = (f"{MARKS[kind]} {percent(rate.value)}", STYLES[kind])
    return [
        cell(name, "bold"),
        Text.assemble(value, (f" {_interval(rate, 1) or printable(rate.reason)}", "dim")),
        cell(f"{one.wins:g}/{one.ties:g}/{one.losses:g}"),
        cell(str(rate.n_missing)),
    ]


def _interval(estimate: Estimate, places: int) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{percent(estimate.low, places)}, {percent(estimate.high, places)}]"


def strip(estimate: Estimate, length: int = STRIP) -> str:
    """The interval drawn on a line from 0 to 100 with a mark at 50: ``············│····├─●──┤·``; ``length`` is odd."""
    line = ["·"] * length
    line[length // 2] = "│"
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "".join(line)
    # The mark of the half may be covered, which is what a tie looks like.
    low, value, high = (round(share * (length - 1)) for share in (estimate.low, estimate.value, estimate.high))
    line[low : high + 1] = "─" * (high - low + 1)
    line[low], line[high] = "├", "┤"
    line[value] = "●"
    return "".join(line)


def _by_task(results: RunResults, width: int, *, full: bool) -> Iterator[tuple[str, Iterable[Table]]]:
    from rich.markup import escape

    names = candidates(results)
    told = [id_ for id_ in results.tasks if full or _compared(results, id_) >= ENOUGH]
    left = len(results.tasks) - len(told)
    which = (
        f"{left} of {counted(len(results.tasks), 'task')}"
        if told
        else f"all {left} tasks"
        if left > 1
        else "the one task"
    )
    few = f"{which} {'has' if left == 1 else 'have'} fewer than {ENOUGH} compared samples: --full or the report shows {'it' if left == 1 else 'them'}"
    if not told:
        yield f"By task: {few}", []
        return
    whole = table_width([TASK_WIDTH, *(CELL_WIDTH for _ in names)]) <= width
    # All intervals or none: a matrix that has them for some assistants invites comparing the wrong cells.
    title = f"By task, against {escape(printable(results.reference))}: ▲ better, ▼ worse, ≈ not told apart from 50"
    # Told where arrows are, since it speaks of them all.
    title += "; of the ▲ and ▼ at most 5% are false in expectation (Benjamini-Hochberg)"
    title += ("" if whole else "; intervals are in the report") + (f"; {few}" if left else "")
    sure = standings(results, "task")
    rows = [
        [
            cell(f"{id_} {results.tasks[id_]}"),
            *(
                _cell(results.assistants[name].by_task.get(id_), sure.get((name, id_), ""), whole=whole)
                for name in names
            ),
        ]
        for id_ in told
    ]
    yield title, sections(["", *names], rows, width)


def _compared(results: RunResults, task: str) -> int:
    """Samples of a task on which some candidate was compared."""
    found = (results.assistants[name].by_task.get(task) for name in candidates(results))
    return max((one["win_rate"].n for one in found if one is not None), default=0)


def _cell(one: Cell | None, kind: str, *, whole: bool) -> Text:
    from rich.text import Text

    if one is None:
        return Text("–", style="dim")
    rate = one["win_rate"]
    value = f"{MARKS[kind]} {percent(rate.value, 0):>3}"
    shown = f" {_interval(rate, 0)}" if whole else ""
    return Text.assemble((value, STYLES[kind]), (shown, "dim"))


def _dialogues(results: RunResults, width: int) -> Iterator[Table]:
    """Measures as rows: there are more of them than assistants, and their names are longer."""
    names = everyone(results)
    found = [results.assistants[name] for name in names]
    rows = [
        [cell(measure.heading), *(_summary(one, measure) for one in found)] for measure in summary_measures(results)
    ]
    rows.append([cell("failed"), *(cell(str(one.failed_dialogues)) for one in found)])
    rows.append([cell("cost"), *(cell("–" if one.cost is None else f"{one.cost:.4g}") for one in found)])
    return sections(["", *names], rows, width)


def _summary(one: AssistantResults, measure: MeasureDefinition) -> Text:
    """The value with its interval, or with how many it rests on where there is none."""
    estimate = one[measure.name]
    if estimate.value is None:
        return cell(value_text(estimate, measure))
    return _with_interval(value_text(estimate, measure), _range(estimate, measure) or f"n={estimate.n}")


def _range(estimate: Estimate, measure: MeasureDefinition) -> str:
    """The interval in the measure's own unit."""
    if estimate.low is None or estimate.high is None:
        return ""
    if measure.is_share:
        return _interval(estimate, 1)
    places = PLACES.get(measure.unit, 2)
    return f"[{estimate.low:.{places}f}, {estimate.high:.{places}f}]"


def _with_interval(value: str, interval: str) -> Text:
    from rich.text import Text

    return Text.assemble(value, (f" {interval}", "dim"))


def notes(results: RunResults) -> list[str]:
    """What a reader has to know to read the numbers right."""
    # Right below the table: 100% of the one sample that rules could decide is not 100%.
    found = [line.rstrip(".") for line in rests_on(results, labels(FALLBACK))]
    found += [f"{one} and {other} are not distinguished" for one, other in _tied(results)]
    for name, one in results.assistants.items():
        if one.failed_dialogues:
            found.append(
                f"{name}: {one.failed_dialogues} of {results.samples} dialogues failed and are missing, not lost"
            )
    if results.gate is not None:
        found.append(labels(FALLBACK)("gate.two_intervals"))
    cached = [(role, cached_share(one)) for role, one in results.spending.items()]
    if told := ", ".join(f"{role} {percent(share, 0)}%" for role, share in cached if share is not None):
        found.append(f"tokens that providers had in their caches: {told}")
    found += panel_notes(results)
    found += probe_notes(results)
    found += question_notes(results)
    found += temperament_notes(results)
    found += [
        f"simulated user, looked at by {by}: true to their person are, in %: first turns {first}; later turns {later}; errors:"
        f" {errors}"
        for by, (first, later, errors) in fidelity_lines(results, rate_if_any, labels(FALLBACK))
    ]
    found += [line.rstrip(".") for line in left_out(results, labels(FALLBACK))]
    if not results.law:
        # A dash under "valid citations" says nothing of why.
        found.append(f"{labels(FALLBACK)('how.no_law').rstrip('.')}; name it by `law` in the spec (--set law=INDEX)")
    # Whatever kind of run it is: citations were held against this law, and some may have been called invented.
    found += [line.rstrip(".") for line in invented_law(results, labels(FALLBACK))]
    found += [line.rstrip(".") for line in accusations_right(results, labels(FALLBACK))]
    if only_answers(results):
        return found + [f"{count} dialogues ended with {slug}" for slug, count in results.failures.items()]
    # Beside the winner: rules may have decided much of one assistant's guidance and little of another's.
    if results.decided_by == "rules" and candidates(results):
        shares = ", ".join(f"{name} {_share(one['rule_share'])}" for name, one in results.assistants.items())
        found.append(f"no judge: compared by the guidance points that rules could decide (share of weight: {shares})")
    found += _many(results)
    if results.people:
        found.append(labels(FALLBACK)("how.people", names=", ".join(results.people)).rstrip("."))
    found.append(_precision(results))
    found += [line.rstrip(".") for line in without_guidance(results, labels(FALLBACK))]
    found += [f"{count} dialogues ended with {slug}" for slug, count in results.failures.items()]
    return found


def _share(estimate: Estimate) -> str:
    """A share with its interval, or with how many it rests on."""
    value = f"{percent(estimate.value, 0)}%"
    return value if estimate.value is None else f"{value} {_interval(estimate, 0) or f'(n={estimate.n})'}"


def _many(results: RunResults) -> Iterator[str]:
    """What holds of several assistants and many tasks together; the report says it at length."""
    if len(candidates(results)) > 1:
        ranks = ", ".join(f"{name} {rank_set(results.assistants[name])}" for name in everyone(results))
        yield f"ranks that are open, all at once with 95% (Holm over all pairs): {ranks}"


def probe_notes(results: RunResults) -> list[str]:
    """How often each judge was fooled by each of its probes, one line each."""
    return [
        f"{judge}: fooled by "
        + ", ".join(f"{probe} {percent(one.value)}% {_interval(one, 1)}" for probe, one in found.items())
        for judge, found in results.probes.items()
    ]


def panel_notes(results: RunResults) -> list[str]:
    """How one value came of several judges, how often they disagree, and how each leans, one line each."""
    found = list(panel_sentences(results, labels(FALLBACK)))
    # The tables of the report hold this of a single judge as well; what stands here is for comparing judges.
    judges = results.judges if len(results.judges) > 1 else {}
    for judge, lean in judges.items():
        won = ", ".join(f"{name} {percent(one.value)} {_interval(one, 1)}" for name, one in lean.won.items())
        first = f"{percent(lean.first.value, 0)}% {_interval(lean.first, 0)}".strip()
        found.append(f"{judge}: names the first of two in {first}; win rates by it alone: {won}")
        found += [
            f"{judge}{' (its own family)' if family == lean.family else ''}: prefers {family} to others by"
            f" {percent(of.beyond.value)} points {_interval(of.beyond, 1)} more than the other judges do"
            for family, of in lean.families.items()
            if of.beyond.value is not None
        ]
    return found


def _precision(results: RunResults) -> str:
    """How precise rules were on labelled answers in the run's languages; of a run that does not say them, in all that were measured."""
    parts = [
        f"{language} {percent(found.value, 1)}% [{percent(found.low, 1)}, {percent(found.high, 1)}],"
        f" decide {', '.join(kinds) or 'nothing'}"
        for language, found, kinds in measured().by_language(results.languages or None)
    ]
    if not parts:
        return "rules were not measured in this language: they decide nothing"
    return f"rules right on labelled answers: {'; '.join(parts)}; the rest is for a judge"


def _tied(results: RunResults) -> Iterator[tuple[str, str]]:
    """Pairs of candidates whose intervals overlap."""
    for one, other in combinations(candidates(results), 2):
        if other in results.assistants[one].tied_with:
            yield one, other
