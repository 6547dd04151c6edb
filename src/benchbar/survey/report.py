"""The report of a survey or of a verification of tasks: HTML that opens offline, Markdown, LaTeX; the chart as SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchbar.languages.packs import Labels, labels
from benchbar.records.numbers import percent
from benchbar.records.templates import environment
from benchbar.reports.numbers import rate
from benchbar.reports.tables import latex_document, latex_table, markdown, markdown_table
from benchbar.survey.records import SurveyResults, UseCaseShare, VerificationResults
from benchbar.survey.tables import (
    Titled,
    survey_annex,
    survey_intro,
    survey_tables,
    verification_intro,
    verification_tables,
)

CHART = "use-cases.svg"
_LEFT, _BAR, _ROW, _HEAD = 470.0, 420.0, 24.0, 30.0
# 470 pixels at 7.5 for a column in 13-pixel type, with room for the tick.
_WIDE = 31
"""Columns of text that fit beside a bar; a Chinese character takes two."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One use case in the chart, in pixels."""

    label: str
    text: str
    y: float
    width: float
    low: float | None
    high: float | None
    shown: str
    retained: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One scenario in the chart."""

    title: str
    y: float
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Document:
    """What every form of a report shows."""

    title: str
    language: str
    intro: Sequence[str]
    tables: Sequence[Titled]
    chart: str = ""
    chart_title: str = ""
    chart_note: str = ""
    notes: Sequence[str] = ()


def survey_document(results: SurveyResults, language: str = "") -> Document:
    """The report of a survey, in the questionnaire's language where there are words for it."""
    say = labels(language or results.language)
    return Document(
        title=results.title,
        language=say.language,
        intro=survey_intro(results, say),
        tables=[*survey_tables(results, say), *survey_annex(results, say)],
        chart=chart(results, say),
        chart_title=say("survey.chart"),
        chart_note=say("survey.chart_note"),
        notes=[*results.notes, *(_place(one) for one in results.problems)],
    )


def verification_document(results: VerificationResults, language: str = "en") -> Document:
    """The report of a verification of tasks."""
    say = labels(language)
    return Document(
        title=say("verify.title"),
        language=say.language,
        intro=verification_intro(results, say),
        tables=list(verification_tables(results, say)),
        notes=[_place(one) for one in results.problems],
    )


def _place(problem: Any) -> str:
    place = ":".join(str(part) for part in (problem.file, problem.line) if part is not None)
    return f"{place}: {f'{problem.field}: ' if problem.field else ''}{problem.message}"


def as_html(document: Document) -> str:
    """One page without scripts or outside resources; every text in it is escaped."""
    from markupsafe import Markup

    page = environment("benchbar.survey").get_template("survey.html.j2")
    return page.render(document=document, chart=Markup(document.chart))  # noqa: S704 - escaped when it was drawn


def as_markdown(document: Document) -> str:
    """GitHub tables; the chart is the file beside it."""
    parts = [f"# {markdown(document.title)}", *(markdown(line) for line in document.intro)]
    if document.chart:
        parts += [f"![{markdown(document.chart_title)}]({CHART})", markdown(document.chart_note)]
    parts += [f"## {markdown(title)}\n\n{markdown_table(lines)}" for title, lines in document.tables]
    if document.notes:
        parts.append("\n".join(f"- {markdown(note)}" for note in document.notes))
    return "\n\n".join(parts) + "\n"


def as_latex(document: Document) -> str:
    """The tables for the package booktabs; Chinese and Russian need XeLaTeX or LuaLaTeX with a fitting font."""
    return latex_document([latex_table(title, lines) for title, lines in document.tables])


def chart(results: SurveyResults, say: Labels) -> str:
    """The share of each use case within its scenario, with interval and threshold, as an SVG that needs nothing else."""
    panels: list[Panel] = []
    y = 8.0
    most = max((one.share.high or one.share.value or 0.0 for one in results.use_cases), default=0.0)
    # Up to the next tenth: an axis to 100% would press shares of 5 to 20% into its first fifth.
    reach = min(1.0, max(0.1, -(-most * 10 // 1) / 10))
    for id_, name in results.scenarios.items():
        own = [one for one in results.use_cases if one.scenario == id_]
        bars = tuple(_bar(one, y + _HEAD + place * _ROW, reach) for place, one in enumerate(own))
        if bars:
            panels.append(Panel(f"{name} (n = {results.by_scenario[id_]})", y, bars))
            y += _HEAD + _ROW * len(bars) + 10
    ticks = [(_LEFT + _BAR * tick / 10 / reach, f"{tick * 10}%") for tick in range(round(reach * 10) + 1)]
    return (
        environment("benchbar.survey")
        .get_template("survey_chart.svg.j2")
        .render(
            title=say("survey.chart"),
            panels=panels,
            height=y + 24,
            left=_LEFT,
            ticks=ticks,
            threshold=_LEFT + _BAR * results.threshold / reach,
        )
    )


def _bar(one: UseCaseShare, y: float, reach: float) -> Bar:
    def x(value: float | None) -> float | None:
        return None if value is None else _LEFT + _BAR * value / reach

    return Bar(
        label=_short(one.text),
        text=one.text,
        y=y,
        width=_BAR * (one.share.value or 0.0) / reach,
        low=x(one.share.low),
        high=x(one.share.high),
        # ≈ as in the tables, explained under the chart: the interval holds the threshold.
        shown=f"{'≈ ' if one.undecided else ''}{rate(one.share) if one.share.value is None else percent(one.share.value)}",
        retained=one.retained,
    )


def _short(text: str) -> str:
    """As much of a text as fits beside its bar."""
    room, kept = 2 * _WIDE, ""
    for character in text:
        room -= 2 if character > "\u2e7f" else 1
        if room < 0:
            return kept.rstrip() + "…"
        kept += character
    return kept


FORMATS: dict[str, Callable[[Document], str]] = {"html": as_html, "md": as_markdown, "tex": as_latex}
"""Ending of a file to its writer."""
