"""The judges' own test within a run: probes on some samples, planned, paid and settled like every other call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchbar.ledger import SCOPE, Ledger, PlannedItem, Scope
from benchbar.records import (
    Comparison,
    Dialogue,
    Order,
    Sample,
    SampleResult,
    Score,
    Scored,
    ScoreStatus,
    Suite,
    Task,
    Winner,
)
from benchbar.records.probes import ProbeOutcome
from benchbar.records.protocols import ScoringInput
from benchbar.runs.stage import ORDERS, Done, Stage, gathered
from benchbar.scoring.judges.pairwise import WORTH
from benchbar.scoring.judges.probes import PROBES, Probe, applies, pair_of
from benchbar.scoring.weighing import weigh

PROBED = 20
"""Samples on which judges are tested, from all tasks in turn: with no failure among them the rate is below 16%, and nine calls
each of a pairwise judge are 180, however large the run."""
FORMS = frozenset({"comparison", "grade", "checklist"})
"""Scorers whose judgement amounts to one number for a dialogue. A checklist has to prove each mark with the assistant's words; whether
that keeps it from marking more where the same is said longer, in bold or with authority is what its probes show."""
TIE = WORTH[Winner.TIE]
APART = 0.05
"""Difference of two grades from which one dialogue is preferred: judges give points in fives. One mark of twenty equal points is as much."""


@dataclass(frozen=True)
class _Question:
    """One planned item of a probe."""

    item: PlannedItem
    stage: Stage
    probe: str
    order: Order | None
    """Of a judge that compares."""
    made: bool = True
    """Of a judge that sees one dialogue alone: whether the made dialogue is marked, or the one beside it."""


def probed_samples(suite: Suite) -> frozenset[str]:
    """The ids of the samples that judges are tested on."""
    return frozenset(sample.id for sample in suite.narrowed(limit=PROBED).samples)


def probe_items(stages: Sequence[Stage], sample: Sample, assistant: str) -> Iterator[PlannedItem]:
    """Every item of the probes about one sample; ``assistant`` is whose dialogue they are made of."""
    return (one.item for one in _questions(stages, sample, assistant))


def _questions(stages: Sequence[Stage], sample: Sample, assistant: str) -> Iterator[_Question]:
    for stage in stages:
        if stage.scorer.name not in FORMS:
            continue
        for name, probe in PROBES.items():
            if not applies(probe, sample) or (stage.scorer.name == "checklist" and not sample.guidance.points):
                continue
            for order, made in _sides(stage, probe):
                side = order or ("made" if made else "beside")
                parts = ("probe", name, sample.id, stage.scorer.name, stage.place, side)
                id_ = "/".join(str(part) for part in parts if part is not None)
                calls = stage.scorer.asks == "always"
                yield _Question(PlannedItem(id_, "probe", sample.id, assistant, calls), stage, name, order, made)


def _sides(stage: Stage, probe: Probe) -> Sequence[tuple[Order | None, bool]]:
    if stage.scorer.compares:
        # Two equal dialogues are the same question in either order.
        return [(order, True) for order in (ORDERS[:1] if probe.same else ORDERS)]
    # A judge that marks one dialogue at a time sees no positions.
    return () if probe.same else [(None, True), (None, False)]


async def probed(
    stages: Sequence[Stage], task: Task, sample: Sample, dialogue: Dialogue, ledger: Ledger, after: Scope, done: Done
) -> tuple[ProbeOutcome, ...]:
    """What each judge made of each probe, from a dialogue that was held about the sample."""
    questions = list(_questions(stages, sample, dialogue.assistant))
    said = await gathered(_put(one, task, sample, dialogue, ledger, after, done) for one in questions)
    comparing = {stage.scorer.identity for stage in stages if stage.scorer.compares}
    found: dict[tuple[str, str], list[float | None]] = {}
    for question, value in zip(questions, said, strict=True):
        found.setdefault((question.stage.scorer.identity, question.probe), []).append(value)
    return tuple(
        ProbeOutcome(
            sample=sample.id,
            judge=judge,
            probe=name,
            fooled=_fooled(PROBES[name], values, alone=judge not in comparing),
        )
        for (judge, name), values in found.items()
    )


async def _put(
    question: _Question, task: Task, sample: Sample, dialogue: Dialogue, ledger: Ledger, after: Scope, done: Done
) -> float | None:
    """How the made dialogue did against the other: 1 won, 0 lost; of a judge that sees one alone, what it gives one of the two."""
    scope = Scope(sample.id, after)
    SCOPE.set(scope)
    made, beside = pair_of(PROBES[question.probe], sample, dialogue)
    scorer = question.stage.scorer
    given = (
        ScoringInput(task, sample, made, reference=beside, order=question.order)
        if scorer.compares
        else ScoringInput(task, sample, made if question.made else beside)
    )
    scored = await scorer.score(given)
    record = scored[0] if scorer.compares else SampleResult.of(sample, scored)
    failed = any(one.status is ScoreStatus.FAILED for one in scored)
    await ledger.settle(question.item, scope, record, failed=failed)
    done("probe")
    return _guidance_met(sample, scored) if scorer.name == "checklist" else _value(scored)


def _guidance_met(sample: Sample, scored: Sequence[Scored]) -> float | None:
    """What the marks of all points come to; None where one could not be read, since fewer points are another question."""
    marks = [one for one in scored if isinstance(one, Score)]
    if not marks or any(one.value is None for one in marks):
        return None
    return weigh(sample.guidance, marks).value


def _value(scored: Sequence[Scored]) -> float | None:
    for one in scored:
        if isinstance(one, Comparison):
            return None if one.winner is None else WORTH[one.winner]
    grades = [one.value for one in scored if isinstance(one, Score) and one.value is not None]
    return fmean(grades) if grades else None


def _fooled(probe: Probe, values: Sequence[float | None], *, alone: bool) -> bool | None:
    """Whether the judge preferred what is not better; of an empty answer, whether it failed to prefer the ideal one.

    Of a judge that compares it has to hold in both orders: one that names a position is found by its own probe.
    """
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    if alone:
        gain = known[0] - known[1]
        return gain >= 0 if probe.ideal else gain > APART
    if probe.same:
        return known[0] != TIE
    return all(value >= TIE if probe.ideal else value > TIE for value in known)
