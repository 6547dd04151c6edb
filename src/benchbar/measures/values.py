"""From what counts of a dialogue to the values of its measures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from benchbar.measures.facts import DialogueFacts, SampleFacts, known_mean
from benchbar.measures.registry import answerable
from benchbar.records import Category, Citation, DimensionScore, Measures, MissingKind, Sample, SampleResult
from benchbar.records.errors import ContentFilterError, RefusedError
from benchbar.records.measures import OF_CITATIONS
from benchbar.scoring.attacks import asks_nothing
from benchbar.scoring.citations import (
    contradicted,
    invented,
    judged_contradiction,
    misplaced,
    open_citations,
    validity,
)
from benchbar.scoring.rubrics import Rubric, not_asked, overall
from benchbar.scoring.weighing import compared


def measured(
    sample: Sample,
    facts: SampleFacts,
    result: SampleResult,
    reference: str,
    rubric: Rubric | None = None,
    *,
    law: bool,
    cluster: str = "",
) -> tuple[Measures, ...]:
    """The measures of each dialogue about one sample; those of citations only where there was ``law`` to check them.

    ``cluster`` names what the sample shares with others.
    """
    found = []
    for name, own in facts.dialogues.items():
        values = _of_points(own) | {"failed": float(own.failed)}
        # Every run has an overall value, so that gates and comparisons work without a rubric.
        if rubric is None:
            values["overall"] = values["point_score"]
        else:
            values |= _of_rubric(rubric, tuple(one for one in result.dimensions if one.assistant == name))
        if law:
            values |= _of_citations(own, [one.citation for one in result.citations if one.assistant == name])
        values |= own.values
        # Against itself the reference has no outcome; a 0.5 would pull means towards a tie.
        if name != reference:
            values["win_rate"] = _outcome(name, facts, reference)
        # A rubric may have an overall value without guidance; without a rubric it is the point score.
        silent = _OF_GUIDANCE if rubric is None else _OF_GUIDANCE - {"overall"}
        missing = {
            measure: _why_missing(measure, sample, name, facts, result, reference, silent)
            for measure, value in values.items()
            if value is None
        }
        found.append(
            Measures(
                sample=sample.id, assistant=name, task=sample.task, values=values, cluster=cluster, missing=missing
            )
        )
    return tuple(found)


def merged_trials(trials: Sequence[Measures]) -> Measures:
    """The values of one dialogue that was repeated: each the mean of the trials that have one.

    A measure that some trial has no value of keeps the reason: whoever must not be misled by what is missing sees it.
    """
    first = trials[0]
    if len(trials) == 1:
        return first
    names = dict.fromkeys(name for one in trials for name in one.values)
    missing: dict[str, MissingKind] = {}
    for one in trials:
        # What asks nothing of one trial may yet be missing of another, and that has to be known.
        missing |= {
            name: kind
            for name, kind in one.missing.items()
            if missing.get(name, MissingKind.NOT_APPLICABLE) is MissingKind.NOT_APPLICABLE
        }
    return replace(
        first,
        values={name: known_mean(one.values.get(name) for one in trials) for name in names},
        missing=missing,
        trials=tuple(one.values for one in trials),
    )


_OF_GUIDANCE = frozenset({"point_score", "overall", "undecided", "forbidden_said"})
"""Measures, beside those of coverage, that a sample without guidance has nothing to say of."""
_OF_SILENCE = {"wrong_refusal": True, "right_refusal": False}
"""Measures of silence, with whether the question has an answer where they apply."""
_REFUSALS = (RefusedError.slug, ContentFilterError.slug)


def _why_missing(
    measure: str,
    sample: Sample,
    name: str,
    facts: SampleFacts,
    result: SampleResult,
    reference: str,
    silent: Collection[str],
) -> MissingKind:
    """What a gate has to know of a gap: whether it is one, and whether it may hide something bad."""
    for one in (name, *((reference,) if measure == "win_rate" else ())):
        if (own := facts.dialogues.get(one)) and own.failed:
            return _failure(result, one)
    if measure == "citation_validity":
        cited = any(one.assistant == name for one in result.citations)
        # Citations that the law at hand cannot judge may be wrong; where nothing is cited, nothing is.
        return MissingKind.UNDECIDED if cited else MissingKind.NOT_APPLICABLE
    if measure in _OF_SILENCE and answerable(sample) is not _OF_SILENCE[measure]:
        return MissingKind.NOT_APPLICABLE
    if asks_nothing(measure, sample.task):
        return MissingKind.NOT_APPLICABLE
    if any(one.assistant == name and one.dimension == measure and not_asked(one) for one in result.dimensions):
        return MissingKind.NOT_APPLICABLE
    if not sample.guidance.points and (measure in silent or (measure == "win_rate" and not facts.outcomes)):
        return MissingKind.NOT_APPLICABLE
    unread = facts.outcomes if measure == "win_rate" else facts.dialogues[name].failed_marks
    return MissingKind.UNREADABLE if unread else MissingKind.UNDECIDED


def _failure(result: SampleResult, name: str) -> MissingKind:
    """A refusal says something of the assistant that a broken connection does not."""
    errors = (dialogue.error for dialogue in result.dialogues if dialogue.assistant == name)
    parts = [part.strip() for error in errors for part in error.split(":")[:2]]
    return MissingKind.REFUSED if any(slug in parts for slug in _REFUSALS) else MissingKind.FAILED


def _of_points(own: DialogueFacts) -> dict[str, float | None]:
    if not own.coverage:
        return {"point_score": None}
    weighing = own.weighing
    found: dict[str, float | None] = {
        "point_score": weighing.value,
        "undecided": 1 - weighing.decided / weighing.weight if weighing.weight else None,
    }
    for category, marks in own.coverage.items():
        known = [mark for mark in marks if mark is not None]
        found[f"coverage/{category}"] = sum(known) / len(known) if known else None
        if category == Category.FORBIDDEN:
            # That one of them was not said tells nothing of those that nobody decided.
            found["forbidden_said"] = 1.0 if any(known) else 0.0 if len(known) == len(marks) else None
    return found


def _of_rubric(rubric: Rubric, dimensions: tuple[DimensionScore, ...]) -> dict[str, float | None]:
    """Every dimension's value, and their weighted mean."""
    values = {one.dimension: one.value for one in dimensions}
    found = {name: values.get(name) for name in rubric.dimensions}
    return {**found, "overall": overall(rubric, dimensions)}


def _of_citations(own: DialogueFacts, citations: Iterable[Citation]) -> dict[str, float | None]:
    # A dialogue that failed cites nothing: as 0 invented citations it would improve the assistant.
    if own.failed:
        return dict.fromkeys((*OF_CITATIONS, "open_citations"))
    citations = tuple(citations)
    return {
        "citation_validity": validity(citations),
        "invented_citation": float(invented(citations)),
        "contradicted_citation": float(contradicted(citations)),
        "wrong_authority_citation": float(misplaced(citations)),
        "open_citations": float(open_citations(citations)),
        # Only of runs that have such a judge: a measure that is always missing would tell nothing in the others.
        **({"judged_contradiction": judged_contradiction(citations)} if any(one.judged for one in citations) else {}),
    }


def _outcome(name: str, facts: SampleFacts, reference: str) -> float | None:
    """The judge's over both orders, or the comparison of decided points where no judge compared."""
    if facts.outcomes:
        return facts.outcomes.get(name)
    other = facts.dialogues.get(reference)
    return compared(facts.dialogues[name].weighing.value, other.weighing.value if other else None)
