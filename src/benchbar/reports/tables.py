"""Results as Markdown, CSV and LaTeX tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET

from benchbar.decisions.explaining import sentence
from benchbar.languages.packs import FALLBACK, labels
from benchbar.law.shown import statuses_by_weight
from benchbar.measures.beside_people import BesidePeople
from benchbar.measures.health import finding_text
from benchbar.records import Estimate, RunResults
from benchbar.reports import beside_people
from benchbar.reports.attacks import attack_tables
from benchbar.reports.judges import judge_tables, panel_sentences
from benchbar.reports.numbers import rate, rate_if_any, shown_if_any
from benchbar.reports.repeats import repeat_tables
from benchbar.reports.rows import (
    Row,
    fidelity_lines,
    only_answers,
    question_lines,
    rows,
    summary_measures,
    task_tables,
    temperament_lines,
    temperament_notes,
)
from benchbar.reports.verdicts import (
    accusations_right,
    candidates,
    controlled,
    everyone,
    rank_set,
    rests_on,
    standings,
)
from benchbar.tables.reading import csv_text

Lines = Sequence[Sequence[str]]


def as_csv(results: RunResults) -> str:
    """One row for each assistant, group and measure; shares as numbers from 0 to 1, an empty cell where there is none."""
    named = [field for field in Row._fields if field != "estimate"]
    values = (
        [
            *(getattr(row, name) for name in named),
            # Unset is what results of earlier versions do not have.
            *(None if (cell := getattr(row.estimate, name)) is UNSET else cell for name in Estimate.__struct_fields__),
        ]
        for row in rows(results)
    )
    return csv_text([[*named, *Estimate.__struct_fields__], *values])


def as_markdown(results: RunResults, beside: Sequence[BesidePeople] = ()) -> str:
    """Summary, matrix and coverage as GitHub tables, with the notes that they need; ``beside`` is how far the run lies from people."""
    intro = (
        f"{results.samples} samples, {len(results.tasks)} tasks; reference {markdown(results.reference)};"
        f" decided by {markdown(beside_people.deciders(beside, results.decided_by))}; simulated user: {markdown(labels(FALLBACK).name('simulated', results.simulator))}."
    )
    warned = [f"**Not to be relied on:** {markdown(finding_text(finding, FALLBACK))}" for finding in results.health]
    # The decision first: figures that look good are read as a pass by whoever does not see that there was none.
    decided = [f"**{markdown(sentence(results.gate, FALLBACK))}**"] if results.gate else []
    parts = [f"# {markdown(results.suite)}", *decided, *warned, intro]
    for title, lines in _tables(results):
        parts.append(f"## {title}\n\n{markdown_table(lines)}")
    told = [*accusations_right(results, labels(FALLBACK))]
    told += [*rests_on(results, labels(FALLBACK)), *beside_people.lines(beside, labels(FALLBACK))]
    parts += [markdown(line) for line in told]
    parts += [
        f"## {found.title}\n\n{markdown_table([found.head, *found.rows])}"
        for found in repeat_tables(results, labels(FALLBACK))
    ]
    parts += [
        f"## {found.title}\n\n{markdown_table([found.head, *found.rows])}"
        for found in judge_tables(results, labels(FALLBACK))
    ]
    parts += [markdown(line) for line in panel_sentences(results, labels(FALLBACK))]
    parts += [markdown(note) for note in temperament_notes(results)]
    for judge, found in results.probes.items():
        lines = [[probe, rate(one)] for probe, one in found.items()]
        parts.append(
            f"## Probes of the judge {markdown(judge)}, % fooled\n\n{markdown_table([['probe', 'fooled'], *lines])}"
        )
    parts.append("≈ marks what is not told apart from 50. A win counts 1, a tie one half.")
    parts.append(" ".join(markdown(line) for line in controlled(results, labels(FALLBACK))))
    return "\n\n".join(parts) + "\n"


def markdown_table(lines: Lines) -> str:
    """A GitHub table; the first line is its head."""
    head, *body = ([markdown(text) for text in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *body])


def markdown(text: str) -> str:
    """Text that stays text: no markup, no HTML, no line ends, no cell borders."""
    # The ampersand first, or the entities of the others would be escaped.
    flat = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{character}" if character in "\\`*_[]|#~!" else character for character in flat)


def as_latex(results: RunResults) -> str:
    """The same tables for the package booktabs; Chinese and Russian need XeLaTeX or LuaLaTeX with a fitting font."""
    return latex_document([latex_table(title, lines) for title, lines in _tables(results)])


def latex_document(tables: Iterable[str]) -> str:
    """The tables with a word on the package that they need."""
    return "% needs \\usepackage{booktabs}\n" + "\n".join(tables)


def latex_table(title: str, lines: Lines) -> str:
    """One table; the first line is its head."""
    head, *body = (" & ".join(_latex(text) for text in line) + r" \\" for line in lines)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(title)}}}",
            rf"\begin{{tabular}}{{{_columns(lines)}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


LONG_CELL = 45
"""Characters beyond which a column is set as a paragraph."""


def _columns(lines: Lines) -> str:
    """Left for the first column, right for the others, a paragraph for one with long text."""
    # A cell of a sentence would push the table off the page.
    long = [max(len(line[place]) for line in lines) > LONG_CELL for place in range(len(lines[0]))]
    return "".join(r"p{.35\linewidth}" if is_long else "r" if place else "l" for place, is_long in enumerate(long))


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "]": "{]}",
    "≈": r"$\approx$",
    "–": "--",
    "−": "$-$",
}


def _latex(text: str) -> str:
    """Text that LaTeX sets as it is; a bracket after a row's end would else be read as its option."""
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def _tables(results: RunResults) -> Iterable[tuple[str, Lines]]:
    if asked := question_lines(results):
        yield (
            "Answers and the passages they rest on, %",
            [
                ["measure", *everyone(results)],
                *([measure.label, *(rate_if_any(one) if one else "–" for one in found)] for measure, found in asked),
            ],
        )
    if candidates(results) and not only_answers(results):
        yield f"Win rate against {results.reference}, %", _summary(results)
        yield f"Win rate against {results.reference} by task, %", _by_task(results)
    elif not (only_answers(results) and asked):
        yield "Measures, % (95% interval)", _measures(results)
    if cited := _citations(results):
        yield "Citations held against the law", cited
    if not only_answers(results):
        yield "Guidance met by category, %", _coverage(results)
    say = labels(FALLBACK)
    for found in (*task_tables(results, say), *attack_tables(results, say)):
        yield found.title, [list(found.head), *map(list, found.rows)]
    if results.temperaments:
        rows = [[kind, *cells] for kind, cells in temperament_lines(results, rate_if_any)]
        yield "Guidance met by the user's temperament, %", [["temperament", *everyone(results)], *rows]
    if results.fidelity:
        rows = [[by, *cells] for by, cells in fidelity_lines(results, rate_if_any, labels(FALLBACK))]
        yield "Aligned turns of the simulated user, %", [["by", "first turns", "later turns", "errors"], *rows]


def _summary(results: RunResults) -> Lines:
    measures = summary_measures(results)
    head = ["assistant", "win rate [95%]", "won", "tied", "lost", "missing", *(one.heading for one in measures)]
    lines = [[*head, "ranks", "tied with"]]
    for name in everyone(results):
        one = results.assistants[name]
        won = one["win_rate"]
        against = (
            # It is what the others are compared with, and has no rate of its own.
            ["reference", *["–"] * 4]
            if name == results.reference
            else [rate(won), f"{one.wins:g}", f"{one.ties:g}", f"{one.losses:g}", str(won.n_missing)]
        )
        found = [shown_if_any(one[measure.name], measure) for measure in measures]
        lines.append([name, *against, *found, rank_set(one), ", ".join(one.tied_with) or "–"])
    return lines


def _measures(results: RunResults) -> Lines:
    """The same of a run in which nobody is compared: measures as rows, as there is one assistant to a column."""
    names = everyone(results)
    lines = [["measure", *names]]
    for measure in summary_measures(results):
        found = (results.assistants[name][measure.name] for name in names)
        lines.append([measure.heading, *(shown_if_any(one, measure) for one in found)])
    return [*lines, ["failed", *(str(results.assistants[name].failed_dialogues) for name in names)]]


def _by_task(results: RunResults) -> Lines:
    names = candidates(results)
    lines = [["task", *names]]
    sure = standings(results, "task")
    for id_, label in results.tasks.items():
        cells = ((results.assistants[name].by_task.get(id_), sure.get((name, id_), "")) for name in names)
        lines.append([f"{id_} {label}", *(_marked(cell["win_rate"], kind) if cell else "–" for cell, kind in cells)])
    return lines


def _marked(estimate: Estimate, kind: str) -> str:
    return f"≈ {rate(estimate, 0)}" if kind == "tied" else rate(estimate, 0)


def _citations(results: RunResults) -> Lines:
    """How many citations have each status; no lines where no law was at hand or nobody cited."""
    names, say = everyone(results), labels(FALLBACK, "report")
    counts = [results.assistants[name].citations for name in names]
    known = [one.value for one in statuses_by_weight() if any(one.value in found for found in counts)]
    rows = [[say(f"citation.{one}"), *(str(found.get(one, 0)) for found in counts)] for one in known]
    return [["status", *names], *rows] if rows else []


def _coverage(results: RunResults) -> Lines:
    names = everyone(results)
    found = dict.fromkeys(category for name in names for category in results.assistants[name].coverage)
    lines = [["category", *names]]
    for category in found:
        held = (results.assistants[name].coverage.get(category) for name in names)
        lines.append([category, *(rate(estimate) if estimate else "–" for estimate in held)])
    return lines


FORMATS: dict[str, Callable[[RunResults], str]] = {"md": as_markdown, "csv": as_csv, "latex": as_latex}
"""Name of a format to its writer."""
