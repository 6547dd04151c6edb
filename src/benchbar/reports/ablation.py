"""An ablation as a page, as tables on a terminal, and as Markdown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchbar.records import Estimate
from benchbar.records.ablation import (
    AblationResults,
    ConsultationAblation,
    Contrast,
    ContrastTable,
    QuestionAblation,
    ReviewResults,
    ReviewTiming,
)
from benchbar.reports.charts import WIDTH, Chart, marked, shares_chart
from benchbar.reports.numbers import plain, rate
from benchbar.reports.rows import NAMES
from benchbar.reports.tables import markdown_table

MEASURES: dict[str, str] = {
    "accuracy": "Accuracy",
    "weighted_accuracy": "Weighted accuracy",
    "high_f2": "F2 of high risk",
    "macro_f1": "Macro F1",
    "high_risk_leakage": "High-risk leakage",
    "parse_rate": "Parse rate",
    "task_success": "Task success",
    "clause_hallucination": "Excerpts not in the clause",
    "law_hallucination": "Cited articles that do not exist",
    "hallucination": "Both together",
    "rule_recall": "Rule recall",
    "rule_precision": "Rule precision",
    "risk_id_accuracy": "Risk id accuracy (first hit)",
    "risk_id_recall": "Risk id recall",
    "doubtful": "Handed to a person",
}
"""Rates, in the order of the table."""
KAPPAS = {"linear_kappa": "Linear weighted kappa", "quadratic_kappa": "Quadratic weighted kappa"}
BARS = ("weighted_accuracy", "accuracy", "high_f2", "task_success")
OUTCOMES = {
    "point_score": "point score",
    "weighted_score": "weighted score",
    "correct": "level right",
    "task_success": "task success",
}
Timings = Mapping[str, ReviewTiming]


def write_report(results: AblationResults | ConsultationAblation, timing: Timings) -> str:
    """A page without scripts or outside resources; every text in it is escaped."""
    from jinja2 import Environment

    template = Environment(autoescape=True).from_string((files(__package__) / "ablation.html.jinja").read_text("utf-8"))
    return template.render(results=results, width=WIDTH, **report_parts(results, timing))


def report_parts(results: AblationResults | ConsultationAblation, timing: Timings) -> dict[str, Any]:
    """What the report shows of an ablation: texts, rows of tables, charts of intervals and of differences."""
    parts = _contract_parts(results, timing) if isinstance(results, AblationResults) else _talks_parts(results, timing)
    return parts | {
        "forests": [chart for table in results.contrasts for chart in _forests(table)],
        "tables": [(OUTCOMES.get(one.outcome, one.outcome), _contrast_rows(one)) for one in results.contrasts],
    }


def _contract_parts(results: AblationResults, timing: Timings) -> dict[str, Any]:
    levels = ", ".join(f"{count} {level}" for level, count in results.by_level.items())
    quality = {name: one.weighted_accuracy for name, one in results.results.items()}
    costs = {name: one.cost for name, one in results.results.items()}
    return {
        "intro": f"{len(results.variants)} variants on {results.clauses} labelled clauses ({levels}), reviewed by {results.reviewer}.",
        "legend": "Shares in percent with 95% intervals; clauses written for the same rule are one cluster. A reply that could "
        "not be read counts as wrong.",
        "rows": _rows(results, timing),
        "baselines": _baselines(results),
        "heat": [(name, _heat(one)) for name, one in results.results.items()],
        "bars": [
            shares_chart(MEASURES[measure], {name: getattr(one, measure) for name, one in results.results.items()})
            for measure in BARS
        ],
        "scatter": _scatter(quality, costs, timing),
        "scatter_measure": "Weighted accuracy",
        "most": max((max(map(max, one.confusion), default=1) for one in results.results.values()), default=1) or 1,
    }


def _talks_parts(results: ConsultationAblation, timing: Timings) -> dict[str, Any]:
    quality = {name: one["point_score"] for name, one in results.results.items()}
    costs = {name: one["cost"] for name, one in results.results.items()}
    rows = [
        ("Point score", [rate(one["point_score"]) for one in results.results.values()]),
        ("Satisfied", [rate(one["satisfied"]) for one in results.results.values()]),
        ("Exchanges", [plain(one["turns"]) for one in results.results.values()]),
        ("Cost for each dialogue", [plain(one["cost"], 6) for one in results.results.values()]),
        *_seconds(list(results.results), timing),
    ]
    return {
        "intro": f"{len(results.variants)} variants of one assistant in {results.samples} consultations of {results.suite}.",
        "legend": "The point score is the share of the expert guidance that was met, in percent, with 95% intervals.",
        "rows": rows,
        "baselines": [],
        "heat": [],
        "bars": [shares_chart("Point score", quality)],
        "scatter": _scatter(quality, costs, timing),
        "scatter_measure": "Point score",
        "most": 1,
    }


def shown(one: ReviewResults, measure: str) -> str:
    """A measure as people read it: rates in percent, kappas as they are."""
    estimate: Estimate = getattr(one, measure)
    return plain(estimate) if measure in KAPPAS else rate(estimate)


def _rows(results: AblationResults, timing: Timings) -> list[tuple[str, list[str]]]:
    rows = [
        (title, [shown(one, measure) for one in results.results.values()])
        for measure, title in {**MEASURES, **KAPPAS}.items()
    ]
    rows.append(("Calls", [str(one.calls) for one in results.results.values()]))
    rows.append(("Cost for each clause", [plain(one.cost, 6) for one in results.results.values()]))
    rows += _seconds(list(results.results), timing)
    rows.append(("Second looks", [_looks(one.reflections) for one in results.results.values()]))
    return rows


def _seconds(names: Sequence[str], timing: Timings) -> list[tuple[str, list[str]]]:
    parts = {"mean": "Seconds, mean", "p50": "Seconds, p50", "p95": "Seconds, p95"}
    return [(title, [plain(getattr(timing[name], part), 3) for name in names]) for part, title in parts.items()]


def _looks(reflections: Mapping[str, int]) -> str:
    names = [
        name for name in ("keep", "adjust", "doubtful", "unparsed", "skipped", "better", "worse") if name in reflections
    ]
    return ", ".join(f"{name} {reflections[name]}" for name in names)


def _baselines(results: AblationResults) -> list[tuple[str, ...]]:
    """The constant and random answers on the same clauses; they do not depend on the variant."""
    first = next(iter(results.results.values()))
    empty = Estimate(value=None, reason="not defined")
    return [
        (name, *(rate(one.get(measure, empty)) for measure in ("accuracy", "weighted_accuracy", "high_f2")))
        for name, one in first.baselines.items()
    ]


def _heat(one: ReviewResults) -> list[tuple[str, list[int]]]:
    return list(zip(one.labels, one.confusion, strict=False))


def _forests(table: ContrastTable) -> list[Chart]:
    parts = (("variants", table.pairs), ("main effects", table.main_effects), ("interactions", table.interactions))
    outcome = OUTCOMES.get(table.outcome, table.outcome)
    return [_forest(f"Differences in {outcome}: {name}", contrasts) for name, contrasts in parts if contrasts]


def _forest(title: str, contrasts: Sequence[Contrast]) -> Chart:
    ends = [
        abs(end) for one in contrasts for end in (one.difference.value, one.difference.low, one.difference.high) if end
    ]
    reach = max(ends, default=0.05) * 1.05
    marks = [marked(one.name, one.difference, -reach, reach, _points) for one in contrasts]
    ticks = tuple((WIDTH * (index / 4), f"{100 * reach * (index / 2 - 1):+.1f}") for index in range(5))
    return Chart(title, tuple(mark for mark in marks if mark), ticks, zero=WIDTH / 2)


def _points(estimate: Estimate) -> str:
    return plain(
        Estimate(
            value=100 * (estimate.value or 0.0),
            low=None if estimate.low is None else 100 * estimate.low,
            high=None if estimate.high is None else 100 * estimate.high,
            n=estimate.n,
        ),
        1,
    )


def _contrast_rows(table: ContrastTable) -> list[tuple[str, str, str, str, str]]:
    def number(value: float | None, places: int) -> str:
        return "–" if value is None else f"{value:.{places}f}"

    return [
        (
            one.name,
            _points(one.difference),
            number(one.p_value, 4) if one.p_value is not None else f"– ({one.reason})",
            number(one.p_holm, 4),
            number(None if one.detectable is None else 100 * one.detectable, 1),
        )
        for one in (*table.pairs, *table.main_effects, *table.interactions)
    ]


def _scatter(
    quality: Mapping[str, Estimate], costs: Mapping[str, Estimate], timing: Timings
) -> tuple[str, list[tuple[float, float, str]], str]:
    """Quality against cost, or against seconds where no price was given: (x, y, name) in pixels of a 520 x 240 field."""
    priced = all(cost.value is not None for cost in costs.values()) and any(cost.value for cost in costs.values())
    spent = {name: (costs[name] if priced else timing[name].mean).value for name in quality}
    most = max((value for value in spent.values() if value is not None), default=0.0) or 1.0
    points = [
        (WIDTH * (spent[name] or 0.0) / most * 0.9, 240 * (1 - one.value), name)
        for name, one in quality.items()
        if one.value is not None and spent[name] is not None
    ]
    return "cost" if priced else "seconds", points, f"{most:.4g}"


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
    for line in (*_baseline_lines(results), *_standing(results), *(f"note: {note}" for note in results.notes)):
        console.print(Text(line))
    for path in written:
        console.print(Text(f"written: {path}"))


def _cells(results: AblationResults | ConsultationAblation) -> list[tuple[str, list[str]]]:
    if isinstance(results, AblationResults):
        return [(MEASURES[name], [shown(one, name) for one in results.results.values()]) for name in _SHOWN]
    names = {"point_score": "Point score", "satisfied": "Satisfied"}
    return [(title, [rate(one[name]) for one in results.results.values()]) for name, title in names.items()]


def _baseline_lines(results: AblationResults | ConsultationAblation) -> list[str]:
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


SHOWN = (
    *("recall@1", "recall@5", "recall@10", "law_recall@3", "practice_recall@5"),
    *("mrr", "ndcg@10", "span_precision", "span_recall"),
    *("faithfulness", "answer_relevancy", "context_precision", "context_recall", "answer_correctness"),
)
Lines = list[list[str]]


def tables(results: QuestionAblation) -> Iterator[tuple[str, Lines]]:
    """Title and lines of each table, the first line its head."""
    measures = [name for name in SHOWN if any(name in found for found in results.results.values())]
    head = ["variant", *(NAMES[name] for name in measures)]
    body = [
        [variant, *(rate(found[name]) if name in found else "–" for name in measures)]
        for variant, found in results.results.items()
    ]
    yield f"{results.questions} questions, % [95%]", [head, *body]
    for table in results.contrasts:
        lines = [["difference", "points [95%]", "p", "p (Holm)"]]
        lines += [[one.name, _signed_points(one.difference), _p(one.p_value), _p(one.p_holm)] for one in table.pairs]
        yield f"Paired differences: {NAMES[table.outcome]}", lines


def _signed_points(difference: Estimate) -> str:
    if difference.value is None:
        return f"– ({difference.reason})"
    if difference.low is None or difference.high is None:
        return f"{100 * difference.value:+.1f}"
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _p(value: float | None) -> str:
    return "–" if value is None else "< .0001" if value < 1e-4 else f"{value:.4f}"  # noqa: PLR2004 - as printed


def as_markdown(results: QuestionAblation) -> str:
    """All tables as GitHub tables."""
    parts = [f"# {results.name}: {results.suite}", f"Reference: {results.reference or 'none'}; seed {results.seed}."]
    parts += [f"## {title}\n\n{markdown_table(lines)}" for title, lines in tables(results)]
    return "\n\n".join(parts) + "\n"


def show_questions(results: QuestionAblation, written: Sequence[Path]) -> None:
    """Print the tables and where the files are."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    for title, (head, *body) in tables(results):
        table = Table(title=Text(title), title_justify="left")
        for name in head:
            table.add_column(Text(name))
        for line in body:
            table.add_row(*(Text(cell) for cell in line))
        console.print(table)
    for path in written:
        console.print(Text(f"written: {path}"))
