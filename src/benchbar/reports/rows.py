"""What every format shows of a run, as rows: estimates, what they rest on, answers to questions, temperaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from benchbar.languages.packs import Labels
from benchbar.law.shown import statuses_by_weight
from benchbar.measures.health import looker
from benchbar.measures.registry import CONSULTATION, QUESTIONS, definition, ordered
from benchbar.records import (
    AssistantResults,
    Cell,
    Estimate,
    RagMeasures,
    RunResults,
    Spending,
    TemperamentCell,
    TemperamentResults,
    Timing,
)
from benchbar.records.measures import MeasureDefinition
from benchbar.records.numbers import percent
from benchbar.reports.numbers import plain, shown, shown_if_any
from benchbar.reports.verdicts import everyone


class TextTable(NamedTuple):
    """A table of texts, ready to be laid out."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Row(NamedTuple):
    """One estimate and what it is of."""

    assistant: str
    group_kind: str
    """overall, task, level, scenario, category, temperament or question_answering."""
    group: str
    label: str
    """The task's name; else as ``group``."""
    measure: str
    """Its name in results.json; for categories ``coverage``."""
    estimate: Estimate
    wins: float | None = None
    ties: float | None = None
    losses: float | None = None
    abstained: int | None = None
    failed: int | None = None


def rows(results: RunResults) -> Iterator[Row]:
    """Every estimate of every assistant, the highest win rate first."""
    for name in everyone(results):
        one = results.assistants[name]
        yield from _overall(name, one, results)
        yield from _cells(name, "task", one.by_task, results.tasks)
        yield from _cells(name, "level", one.by_level, {})
        yield from _cells(name, "scenario", one.by_scenario, {})
        for category, estimate in one.coverage.items():
            yield Row(name, "category", category, category, "coverage", estimate)
        if results.temperaments is not None:
            yield from _temperaments(name, results.temperaments)
        if results.rag is not None:
            own = results.rag.assistants[name]
            for measure, estimate in measured(own).items():
                yield Row(name, "question_answering", "all", "all", measure, estimate)
            for task, found in own.by_task.items():
                for measure, estimate in found.items():
                    yield Row(name, "question_answering", task, results.tasks.get(task, task), measure, estimate)


def _temperaments(name: str, found: TemperamentResults) -> Iterator[Row]:
    for kind, cell in found.assistants[name].items():
        for measure in ordered(cell.measures):
            yield Row(name, "temperament", kind, kind, measure, cell[measure])
    spread = found.robustness[name]
    # None where a temperament was never drawn: its spread is not zero.
    if spread is not None:
        yield Row(name, "temperament", "all", f"{spread.worst} - {spread.best}", "spread", spread.difference)


def _overall(name: str, one: AssistantResults, results: RunResults) -> Iterator[Row]:
    for measure in ordered(one.measures):
        if not definition(measure, results.declared).is_defined_over(results.tasks):
            continue
        row = Row(name, "overall", "all", "all", measure, one[measure])
        yield row._replace(wins=one.wins, ties=one.ties, losses=one.losses) if measure == "win_rate" else row


def _cells(name: str, kind: str, cells: Mapping[str, Cell], labels: Mapping[str, str]) -> Iterator[Row]:
    for group, cell in cells.items():
        label = labels.get(group, group)
        for measure in ordered(cell.measures):
            row = Row(name, kind, group, label, measure, cell[measure])
            counts = (cell.wins, cell.ties, cell.losses, cell.abstained, cell.failed)
            yield Row(*row[:6], *counts) if measure == "win_rate" else row


NONE = "–"


def summary_measures(results: RunResults) -> list[MeasureDefinition]:
    """What short tables show of dialogues: what the registry marks for it, and what scoring rules of the run declare."""
    names = [one.definition.name for one in CONSULTATION if one.summary]
    kinds = [definition(name, results.declared) for name in (*names, *sorted(results.declared))]
    return [one for one in kinds if one.is_defined_over(results.tasks)]


def task_tables(results: RunResults, say: Labels) -> list[TextTable]:
    """A table by task and assistant for each measure whose tasks have metrics of their own; none where one task was run."""
    kinds = [one for _, one in sorted(results.declared.items()) if not one.is_defined_over(results.tasks)]
    return [_of_tasks(results, kind, say) for kind in kinds]


def _of_tasks(results: RunResults, kind: MeasureDefinition, say: Labels) -> TextTable:
    def value(cell: Cell | None) -> str:
        if cell is None or cell[kind.name].value is None:
            return NONE
        return shown(cell[kind.name], kind, language=say.language)

    names = everyone(results)
    lines = tuple(
        (f"{task} {label}", *(value(results.assistants[name].by_task.get(task)) for name in names))
        for task, label in results.tasks.items()
    )
    return TextTable(say("by_task.title", measure=heading(say, kind)), (say("word.task"), *names), lines)


COVERAGE = "coverage/"
"""How the measures of each category of guidance begin."""


def heading(say: Labels, measure: MeasureDefinition) -> str:
    """What a measure is called in the language of the page; in English where that has no word for it.

    Beside the registered ones a run may have a measure for each category of guidance and each dimension of a rubric.
    """
    if (found := say.name("measure", measure.name)) != measure.name:
        return found
    if measure.name.startswith(COVERAGE):
        category = say.name("category", measure.name.removeprefix(COVERAGE))
        return say("gate_reason.condition", check=say("chart.coverage"), why=category)
    found = say.name("category", say.name("dimension", measure.name))
    if found == measure.name:
        return measure.heading
    return say("word.in_percent", name=found) if measure.is_share else found


OWN_CHARTS = ("win_rate", "point_score")
"""Measures that pages show in charts with a table behind each, and need not list again."""


def reliability(results: RunResults, timing: Mapping[str, Timing], say: Labels) -> list[tuple[str, list[str]]]:
    """Rows of label and one text for each assistant: further measures, what was decided, what failed, what it cost."""
    names = everyone(results)
    measured = dict.fromkeys(measure for one in results.assistants.values() for measure in one.measures)
    kinds = [definition(name, results.declared) for name in ordered(measured) if name not in OWN_CHARTS]
    rows = [
        (heading(say, kind), [shown_if_any(results.assistants[name][kind.name], kind) for name in names])
        for kind in kinds
    ]
    of: dict[str, Callable[[str, AssistantResults], str]] = {
        "citations": lambda _, one: (
            _counts(
                {
                    say.name("citation", status): one.citations[status]
                    for status in statuses_by_weight()
                    if status in one.citations
                },
                say,
            )
            if results.law or one.citations
            else NONE
        ),
        "position_test": lambda _, one: NONE if one.position_test is None else f"{one.position_test:.3g}",
        "failed_dialogues": lambda _, one: str(one.failed_dialogues),
        "abstained": lambda _, one: str(sum(cell.abstained for cell in one.by_task.values())),
        # A failed dialogue has failed marks, too; without this they would be counted twice.
        "failed": lambda _, one: str(sum(cell.failed for cell in one.by_task.values()) - one.failed_dialogues),
        "guards": lambda _, one: _counts({say.name("guard", name): n for name, n in one.guards.items()}, say),
        "tokens_in": lambda _, one: _or_none(one.spending.input_tokens),
        "tokens_out": lambda _, one: _or_none(one.spending.output_tokens),
        "cost": lambda _, one: NONE if one.cost is None else f"{one.cost:.4g}",
        "latency": lambda name, _: _seconds(timing.get(name), say),
    }
    rows += [(say(f"word.{key}"), [text(name, results.assistants[name]) for name in names]) for key, text in of.items()]
    return [row for row in rows if any(text != NONE for text in row[1])]


PERSON = "person"
"""The role of calls that people answered."""


def spending(results: RunResults, say: Labels) -> list[list[str]]:
    """A row for each role: what its calls consumed."""
    return [[say.name("role", role), *_spent(role, one, say)] for role, one in results.spending.items()]


def _spent(role: str, one: Spending, say: Labels) -> list[str]:
    cost = NONE if one.cost is None else f"{one.cost:.4g}"
    # People have no tokens that anybody could have stated.
    silent = NONE if role == PERSON else str(one.without_usage)
    read = _or_none(one.input_tokens)
    share = cached_share(one)
    read = read if share is None else say("word.from_cache", read=read, share=percent(share, 0))
    return [str(one.calls), silent, read, _or_none(one.output_tokens), cost]


def cached_share(one: Spending) -> float | None:
    """The share of the input tokens that came from providers' caches; None where no endpoint says."""
    return one.cached_tokens / one.input_tokens if one.cached_tokens is not UNSET and one.input_tokens else None


def _or_none(value: int | None) -> str:
    return NONE if value is None else f"{value:,}"


def _counts(counts: Mapping[str, int], say: Labels) -> str:
    # Nothing counted is a zero here: citations were looked for and none was found.
    counted = (say("gate_reason.kind", kind=name, count=count) for name, count in counts.items())
    return say("gate_reason.listed").join(counted) or "0"


def _seconds(one: Timing | None, say: Labels) -> str:
    # A 0 is from before unmeasured seconds were missing.
    if one is None or not one.mean.value:
        return NONE
    mean = plain(one.mean, language=say.language)
    if one.p95 is None:
        return mean
    return say("gate_reason.between").join([mean, f"{say('word.p95')} {one.p95:.2f}"])


QuestionLine = tuple[MeasureDefinition, list[Estimate | None]]


def measured(one: RagMeasures) -> dict[str, Estimate]:
    """Every measure of an assistant under its name."""
    law = {"citation_validity": one.citation_validity, "quote_faithfulness": one.quote_faithfulness}
    return {**one.judged, **one.retrieval, **law, **one.outcomes}


def question_lines(results: RunResults) -> list[QuestionLine]:
    """The measures that any assistant has a value of, each with an estimate for every assistant; none in other runs."""
    if results.rag is None:
        return []
    by_name = {name: measured(results.rag.assistants[name]) for name in everyone(results)}
    lines = [(one.definition, [found.get(one.definition.name) for found in by_name.values()]) for one in QUESTIONS]
    return [line for line in lines if any(one is not None and one.value is not None for one in line[1])]


def question_notes(results: RunResults) -> Sequence[str]:
    """What a reader has to know to read these measures right."""
    rag = results.rag
    if rag is None:
        return []
    found = [
        f"{name} does not say which passages it answered from: measures of passages are missing, not zero"
        for name, one in rag.assistants.items()
        if not one.with_contexts
    ]
    if not rag.judge:
        found.append('no judge of the kind "rag": faithfulness, relevancy and correctness were not measured')
    if rag.compared_by:
        found.append(f"what texts mean is compared by {rag.compared_by}; figures of another encoder are other figures")
    if rag.judge and rag.with_reference < rag.questions:
        found.append(f"{rag.questions - rag.with_reference} of {rag.questions} questions have no reference answer")
    if rag.with_evidence < rag.questions:
        found.append(f"{rag.questions - rag.with_evidence} of {rag.questions} questions name no evidence")
    if rag.unverified:
        found.append(f"{rag.unverified} of {rag.questions} questions were written by a model and accepted by nobody")
    return found


def only_answers(results: RunResults) -> bool:
    """Whether questions were asked, and nothing was compared: no guidance, no judge that compares."""
    # Such a run has no winner, and tables of empty win rates would ask for one.
    return results.rag is not None and all(one["win_rate"].value is None for one in results.assistants.values())


TextLine = tuple[str, list[str]]
SPREAD = "spread"
"""The key of the last row: the worst temperament less the best."""


def temperament_lines(
    results: RunResults, show: Callable[[Estimate], str], called: Callable[[str], str] = str
) -> list[TextLine]:
    """For each temperament the point score with every assistant, and in the last row the spread; none in other runs.

    ``called`` is what a temperament is called beside the spread.
    """
    found = results.temperaments
    if found is None:
        return []
    names = everyone(results)

    def cell(one: TemperamentCell | None) -> str:
        return show(one["point_score"]) if one else "–"

    rows = [(kind, [cell(found.assistants[name].get(kind)) for name in names]) for kind in found.names]
    return [*rows, (SPREAD, [_spread(results, name, show, called) for name in names])]


def _spread(results: RunResults, name: str, show: Callable[[Estimate], str], called: Callable[[str], str]) -> str:
    found = results.temperaments.robustness.get(name) if results.temperaments else None
    return "–" if found is None else f"{show(found.difference)} ({called(found.worst)} − {called(found.best)})"


def temperament_notes(results: RunResults) -> Iterator[str]:
    """What a reader has to know: that users differed, who played what, and what the spread rests on."""
    found = results.temperaments
    if found is None:
        return
    counts = ", ".join(f"{name} {count}" for name, count in found.assigned.items())
    yield f"simulated users differ in temperament ({counts}; drawn with seed {found.seed}, the same for all assistants)"
    if found.without_mistake:
        yield f"{found.without_mistake} of {found.assigned['mistaken']} mistaken users had no number to be mistaken about, and were calm"
    yield (
        "the spread is the worst temperament less the best one, paired within blocks of samples; its interval allows for"
        " both having been chosen by these data"
    )


def fidelity_lines(results: RunResults, show: Callable[[Estimate], str], say: Labels) -> list[TextLine]:
    """For each who looked at the simulated user (rules, judges) the shares of aligned first and later turns, and the errors."""
    # What people and judges name besides the guards' kinds has no other words than its own.
    named = say.section("guard")
    return [
        (
            looker(one.by, say),
            [
                show(one.first),
                show(one.later),
                say("gate_reason.listed").join(f"{named.get(name, name)} {count}" for name, count in one.errors.items())
                or "–",
            ],
        )
        for one in results.fidelity
    ]
