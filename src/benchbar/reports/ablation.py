"""An ablation as a page, as tables on a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.languages.packs import FALLBACK, Labels, labels
from benchbar.languages.reasons import reason_in
from benchbar.measures.registry import CONSULTATION, CONTRACTS, QUESTIONS, Measure, definition
from benchbar.records import Estimate
from benchbar.records.ablation import (
    AblationResults,
    ConsultationAblation,
    Contrast,
    ContrastTable,
    QuestionAblation,
    ReviewResults,
    ReviewTiming,
    Variant,
)
from benchbar.records.templates import environment
from benchbar.reports.charts import WIDTH, Chart, marked, shares_chart
from benchbar.reports.numbers import local_labels, plain, rate, shown
from benchbar.reports.printing import cell, console, printable, sections
from benchbar.reports.rows import heading
from benchbar.reports.switch_words import in_words, timing_in_words, variant_in_words
from benchbar.reports.tables import markdown_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

BASELINES = ("accuracy", "weighted_accuracy", "high_f2")
"""What constant and random answers are measured by."""
BARS = ("weighted_accuracy", "accuracy", "high_f2", "task_success")
_COLUMNS = 4
"""Variants beside each other: more would be cut at the edge of a page, on paper for good."""
_FEW = 12
"""Differences that are shown unfolded: a grid of eight variants has 28 pairs, and what a switch contributes comes before them."""
_MOST_WRONG = 100
"""Clauses of one variant that the page lists."""
Timings = Mapping[str, ReviewTiming]


def write_report(results: AblationResults | ConsultationAblation | QuestionAblation, timing: Timings) -> str:
    """A page without scripts or outside resources; every text in it is escaped."""
    from markupsafe import Markup

    say = local_labels(FALLBACK)
    worded, times = in_words(results, say), timing_in_words(timing, say)
    style = (files(__package__) / "templates" / "report.css").read_text("utf-8")
    template = environment("benchbar.reports").get_template("ablation.html.j2")
    # Our own file: the page has the look of every other report.
    parts = report_parts(worded, times, say)
    return template.render(results=worded, say=say, width=WIDTH, style=Markup(style), **parts)  # noqa: S704


def report_parts(
    results: AblationResults | ConsultationAblation | QuestionAblation, timing: Timings, say: Labels
) -> dict[str, Any]:
    """What the report shows of an ablation: texts, rows of tables, charts of intervals and of differences."""
    if isinstance(results, AblationResults):
        parts = _contract_parts(results, timing, say)
    elif isinstance(results, ConsultationAblation):
        parts = _consultation_parts(results, timing, say)
    else:
        parts = _question_parts(results, say)
    return parts | {
        "columns": _COLUMNS,
        "few": _FEW,
        "variants": _switches(results.variants, say),
        "forests": [chart for table in results.contrasts for chart in _forests(table, say)],
        "tables": [(_label(one.outcome, say), _contrast_rows(one, say)) for one in results.contrasts],
    }


def _switches(variants: Sequence[Variant], say: Labels) -> list[tuple[str, str]]:
    """What each variant is, where its name does not say it; what all have in common is said of each."""
    settings = [",".join(f"{key}={value}" for key, value in _flat(one.switches)) for one in variants]
    words = [(one.name, variant_in_words(setting, say)) for one, setting in zip(variants, settings, strict=True)]
    return words if any(switches and ": " not in name for name, switches in words) else []


def _flat(switches: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting by its whole name, those of a store too: retrieval.law.k."""
    for key, value in switches.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{within}{key}.")
        elif isinstance(value, (str, bool, int, float)):
            yield f"{within}{key}", value


def _label(measure: str, say: Labels) -> str:
    return heading(say, definition(measure))


def _contract_parts(results: AblationResults, timing: Timings, say: Labels) -> dict[str, Any]:
    levels = say("gate_reason.listed").join(
        say("gate_reason.kind", kind=say.name("clause_level", level), count=count)
        for level, count in results.by_level.items()
    )
    quality = {name: one.weighted_accuracy for name, one in results.results.items()}
    costs = {name: one.cost for name, one in results.results.items()}
    return {
        "intro": say(
            "study.contracts",
            variants=len(results.variants),
            clauses=results.clauses,
            levels=levels,
            reviewer=results.reviewer,
        ),
        # Said above the table: five clauses of one rule are less than five observations, and the intervals are wider
        # for it.
        "legend": say("study.legend_contracts"),
        "rows": _rows(results, timing, say),
        "baselines": _baselines(results, say),
        "baseline_measures": [_label(name, say) for name in BASELINES],
        "heat": [(name, _heat(one)) for name, one in results.results.items()],
        "wrong": [
            (name, len(one.wrong), one.wrong[:_MOST_WRONG]) for name, one in results.results.items() if one.wrong
        ],
        "bars": [
            shares_chart(
                _label(measure, say),
                {name: getattr(one, measure) for name, one in results.results.items()},
                partial(rate, language=say.language),
            )
            for measure in BARS
        ],
        "scatter": _scatter(quality, costs, timing),
        "scatter_measure": _label("weighted_accuracy", say),
        "most": max((max(map(max, one.confusion), default=1) for one in results.results.values()), default=1) or 1,
    }


def _consultation_parts(results: ConsultationAblation, timing: Timings, say: Labels) -> dict[str, Any]:
    quality = {name: one["point_score"] for name, one in results.results.items()}
    costs = {name: one["cost"] for name, one in results.results.items()}
    rows = [
        *_measured(results, CONSULTATION, say),
        (say("study.cost_dialogue"), [plain(one["cost"], 6) for one in results.results.values()]),
        *_seconds(list(results.results), timing, say),
    ]
    return {
        "intro": say(
            "study.consultations", variants=len(results.variants), samples=results.samples, suite=results.suite
        ),
        "legend": say("study.legend_consultations"),
        "rows": rows,
        "baselines": [],
        "baseline_measures": [],
        "heat": [],
        "wrong": [],
        "bars": [shares_chart(_label("point_score", say), quality, partial(rate, language=say.language))],
        "scatter": _scatter(quality, costs, timing),
        "scatter_measure": _label("point_score", say),
        "most": 1,
    }


def _question_parts(results: QuestionAblation, say: Labels) -> dict[str, Any]:
    (_, (head, *body)), *_ = tables(results, say)
    compared = [table.outcome for table in results.contrasts]
    return {
        "intro": say(
            "study.questions", variants=len(results.variants), questions=results.questions, suite=results.suite
        ),
        "legend": say("study.legend_questions"),
        "rows": [(label, [line[place] for line in body]) for place, label in enumerate(head) if place],
        "baselines": [],
        "baseline_measures": [],
        "heat": [],
        "wrong": [],
        "bars": [
            shares_chart(
                _label(outcome, say),
                {name: found[outcome] for name, found in results.results.items() if outcome in found},
                partial(rate, language=say.language),
            )
            for outcome in compared
        ],
        # Without a model no variant costs anything.
        "scatter": None,
        "most": 1,
    }


def _rows(results: AblationResults, timing: Timings, say: Labels) -> list[tuple[str, list[str]]]:
    rows = _measured(results, CONTRACTS, say)
    rows.append((say("study.calls"), [str(one.calls) for one in results.results.values()]))
    rows.append((say("study.tokens"), [plain(one.tokens, 0) for one in results.results.values()]))
    costs = [one.cost for one in results.results.values()]
    rows.append(
        (say("study.cost_clause"), [say("study.no_price") if one.value is None else plain(one, 6) for one in costs])
    )
    rows += _seconds(list(results.results), timing, say)
    rows.append((say("study.looks"), [_reflections(one.reflections, say) for one in results.results.values()]))
    return rows


def _measured(
    results: AblationResults | ConsultationAblation, measures: Iterable[Measure], say: Labels
) -> list[tuple[str, list[str]]]:
    """Label and one text for each variant, of the measures that the study has."""
    found = [of_variant(one) for one in results.results.values()]
    # Older result files lack measures that came later: their rows are left out.
    kinds = [one.definition for one in measures if any(one.definition.name in each for each in found)]
    return [
        (heading(say, kind), [shown(each[kind.name], kind, language=say.language) for each in found]) for kind in kinds
    ]


def of_variant(found: ReviewResults | Mapping[str, Estimate]) -> Mapping[str, Estimate]:
    """Measure to its estimate, whichever way a study keeps them."""
    if not isinstance(found, ReviewResults):
        return found
    fields = {name: getattr(found, name) for name in found.__struct_fields__}
    return {name: value for name, value in fields.items() if isinstance(value, Estimate)}


def _seconds(names: Sequence[str], timing: Timings, say: Labels) -> list[tuple[str, list[str]]]:
    return [
        (say(f"study.seconds_{part}"), [plain(getattr(timing[name], part), 3) for name in names])
        for part in ("mean", "p50", "p95")
    ]


def _reflections(reflections: Mapping[str, int], say: Labels) -> str:
    names = [
        name for name in ("keep", "adjust", "doubtful", "unparsed", "skipped", "better", "worse") if name in reflections
    ]
    return say("gate_reason.listed").join(f"{say.name('second_look', name)} {reflections[name]}" for name in names)


def _baselines(results: AblationResults, say: Labels) -> list[tuple[str, ...]]:
    """The constant and random answers on the same clauses; they do not depend on the variant."""
    # Constant answers see the clauses alone, so that any variant's are everybody's.
    first = next(iter(results.results.values()))
    empty = Estimate(value=None, reason="not defined")
    return [
        (_constant(name, say), *(rate(one.get(measure, empty), language=say.language) for measure in BASELINES))
        for name, one in first.baselines.items()
    ]


def _constant(name: str, say: Labels) -> str:
    """What a baseline is called, such as ``always high`` or ``majority (low)``."""
    kind, _, level = name.partition(" ")
    if kind == "always":
        return say.name("constant", level)
    return (
        say("constant.majority", level=say.name("clause_level", level.strip("()")))
        if level
        else say.name("constant", name)
    )


def _heat(one: ReviewResults) -> list[tuple[str, list[int]]]:
    return list(zip(one.labels, one.confusion, strict=False))


def _forests(table: ContrastTable, say: Labels) -> list[Chart]:
    parts = {"main_effects": table.main_effects, "interactions": table.interactions, "pairs": table.pairs}
    outcome = _label(table.outcome, say)
    return [_forest(say(f"study.{name}", measure=outcome), contrasts) for name, contrasts in parts.items() if contrasts]


def _forest(title: str, contrasts: Sequence[Contrast]) -> Chart:
    # A common, symmetric axis: differences of one chart are compared with each other, and zero stays in the middle.
    ends = [
        abs(end) for one in contrasts for end in (one.difference.value, one.difference.low, one.difference.high) if end
    ]
    # A little room, or the widest interval would end on the frame.
    reach = max(ends, default=0.05) * 1.05
    marks = [marked(one.name, one.difference, -reach, reach, _points, _standing_of(one)) for one in contrasts]
    ticks = tuple((WIDTH * (index / 4), f"{100 * reach * (index / 2 - 1):+.1f}") for index in range(5))
    return Chart(title, tuple(mark for mark in marks if mark), ticks, zero=WIDTH / 2)


def _standing_of(one: Contrast) -> str:
    low, high = one.difference.low, one.difference.high
    if low is None or high is None:
        return "undefined"
    # An interval of one among twenty differences leaves out zero by chance: the adjusted test has the word.
    if low <= 0 <= high or (one.p_holm is not None and one.p_holm > _LEVEL):
        return "tied"
    return "better" if low > 0 else "worse"


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


def _contrast_rows(table: ContrastTable, say: Labels) -> list[tuple[str, str, str, str, str]]:
    def number(value: float | None, places: int) -> str:
        return "–" if value is None else f"{value:.{places}f}"

    return [
        (
            one.name,
            _points(one.difference),
            # Without a p value the reason stands in its place: a lone dash would read as "not significant".
            number(one.p_value, 4) if one.p_value is not None else f"– ({reason_in(one.reason, say.language)})",
            number(one.p_holm, 4),
            number(None if one.detectable is None else 100 * one.detectable, 1),
        )
        for one in (*table.main_effects, *table.interactions, *table.pairs)
    ]


def _scatter(
    quality: Mapping[str, Estimate], costs: Mapping[str, Estimate], timing: Timings
) -> tuple[str, list[tuple[float, float, str]], str]:
    """Quality against cost, or against seconds where no price was given: (x, y, name) in pixels of a 520 x 240 field."""
    # Local models cost nothing, and all points would lie on the axis; seconds tell them apart.
    priced = all(cost.value is not None for cost in costs.values()) and any(cost.value for cost in costs.values())
    spent = {name: (costs[name] if priced else timing[name].mean).value for name in quality}
    most = max((value for value in spent.values() if value is not None), default=0.0) or 1.0
    points = [
        # Nine tenths of the width: the name of the dearest variant is written to the right of its point.
        (WIDTH * (spent[name] or 0.0) / most * 0.9, 240 * (1 - one.value), name)
        for name, one in quality.items()
        if one.value is not None and spent[name] is not None
    ]
    return "cost" if priced else "seconds", points, f"{most:.4g}"


_LEVEL = 0.05
# Of many variants every pair may differ; what the reader scrolls past helps nobody, and the report lists all.
_MOST = 6
# Two columns with their intervals beside the name of a variant are what 80 characters hold.
_HEADLINES = ("weighted_accuracy", "high_f2", "point_score")


def show(
    results: AblationResults | ConsultationAblation, timing: Mapping[str, ReviewTiming], written: Sequence[Path]
) -> None:
    """Print the differences that hold after Holm, the best variants, the baselines, and where the rest is."""
    out, say = console(), labels(FALLBACK)
    results, timing = in_words(results, say), timing_in_words(timing, say)
    _lines(out, _standing(results))
    for table in sections(*_best(results, timing), out.width):
        out.print(table)
    left = len(results.results) - _MOST
    rest = [f"and {left} more variants in the report"] if left > 0 else []
    _lines(out, [*rest, *_baseline_lines(results), *(f"note: {note}" for note in results.notes)])
    for path in written:
        out.print(f"written: {path}", markup=False, highlight=False, soft_wrap=True)


def _best(
    results: AblationResults | ConsultationAblation, timing: Mapping[str, ReviewTiming]
) -> tuple[list[str], list[list[Text]]]:
    """Head and rows of the variants with the highest value of the first headline measure, best first."""
    found = {name: of_variant(one) for name, one in results.results.items()}
    kinds = [definition(name) for name in _HEADLINES if any(name in one for one in found.values())]
    best = sorted(found, key=lambda name: -(found[name][kinds[0].name].value or 0.0))[:_MOST]
    head = ["variant, seconds", *(kind.label for kind in kinds)]
    # The name of a variant lists its switches: one below the other, and its seconds below them, they leave room for two intervals.
    rows = [
        [
            "\n".join((name.replace(", ", ",\n"), f"{plain(timing[name].mean, 3).partition(' ')[0]} s")),
            *(rate(found[name].get(kind.name, Estimate(value=None, reason="not defined"))) for kind in kinds),
        ]
        for name in best
    ]
    return head, [[cell(text) for text in row] for row in rows]


def _lines(out: Console, lines: Iterable[str]) -> None:
    for line in lines:
        out.print(printable(line), markup=False, highlight=False)


def _print_sections(head: Sequence[str], rows: Iterable[Sequence[str]], out: Console) -> None:
    for table in sections(head, [[cell(text) for text in row] for row in rows], out.width):
        out.print(table)


def _baseline_lines(results: AblationResults | ConsultationAblation) -> list[str]:
    if not isinstance(results, AblationResults):
        return []
    parts = next(iter(results.results.values())).baselines
    return [
        f"baseline {name}: "
        + ", ".join(
            f"{definition(measure).label} {100 * one.value:.1f}"
            for measure in _HEADLINES
            if (one := parts[name].get(measure)) is not None and one.value is not None
        )
        for name in ("always high", "random")
        if name in parts
    ]


def _standing(results: AblationResults | ConsultationAblation) -> list[str]:
    # What a switch contributes is what an ablation asks; pairs of variants repeat it and come last.
    listed = [
        *((table, one) for table in results.contrasts for one in (*table.main_effects, *table.interactions)),
        *((table, one) for table in results.contrasts for one in table.pairs),
    ]
    found = [
        f"{definition(table.outcome).label}: {one.name} {100 * (one.difference.value or 0):+.1f} points (p Holm {one.p_holm:.4f})"
        for table, one in listed
        # Adjusted over all contrasts that are listed: of twenty unadjusted ones one would stand by chance.
        if one.p_holm is not None and one.p_holm < _LEVEL
    ]
    more = [f"and {len(found) - _MOST} more differences in the report"] if len(found) > _MOST else []
    return [*found[:_MOST], *more] or ["no difference stands after Holm's adjustment"]


Lines = list[list[str]]


def tables(results: QuestionAblation, say: Labels) -> Iterator[tuple[str, Lines]]:
    """Title and lines of each table, the first line its head."""
    measured = [one.definition for one in QUESTIONS if one.summary]
    kinds = [one for one in measured if any(one.name in found for found in results.results.values())]
    head = [say("study.variant"), *(heading(say, kind) for kind in kinds)]
    body = [
        [
            variant,
            *(shown(found[kind.name], kind, language=say.language) if kind.name in found else "–" for kind in kinds),
        ]
        for variant, found in results.results.items()
    ]
    yield say("study.table", questions=results.questions), [head, *body]
    for table in results.contrasts:
        lines = [[say("study.difference"), say("study.points"), "p", "p (Holm)"]]
        lines += [
            [one.name, _signed_points(one.difference, say), _p(one.p_value), _p(one.p_holm)] for one in table.pairs
        ]
        yield say("study.paired", measure=_label(table.outcome, say)), lines


def _signed_points(difference: Estimate, say: Labels) -> str:
    if difference.value is None:
        return f"– ({reason_in(difference.reason, say.language)})"
    if difference.low is None or difference.high is None:
        return f"{100 * difference.value:+.1f}"
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"


def _p(value: float | None) -> str:
    # Four digits are printed; less would read as zero.
    return "–" if value is None else "< .0001" if value < 1e-4 else f"{value:.4f}"


def as_markdown(results: QuestionAblation) -> str:
    """All tables as GitHub tables."""
    parts = [f"# {results.name}: {results.suite}", f"Reference: {results.reference or 'none'}; seed {results.seed}."]
    say = labels(FALLBACK)
    parts += [f"## {title}\n\n{markdown_table(lines)}" for title, lines in tables(in_words(results, say), say)]
    return "\n\n".join(parts) + "\n"


def show_questions(results: QuestionAblation, written: Sequence[Path]) -> None:
    """Print the tables and where the files are."""
    from rich.markup import escape

    out, say = console(), labels(FALLBACK)
    for title, (head, *body) in tables(in_words(results, say), say):
        out.print(f"\n[bold]{escape(title)}[/bold]", highlight=False)
        _print_sections(head, body, out)
    for path in written:
        out.print(f"written: {path}", markup=False, highlight=False, soft_wrap=True)
