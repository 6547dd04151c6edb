"""How far one reviewer agrees with the others, and with the judge: beyond chance, with n and interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from benchbar.ledger.reviews import Reviews
from benchbar.measures.raters import BANDS, LEAST_PAIR, RESAMPLES, band
from benchbar.measures.validation.preferences import LABELS, JudgedPair, label_of
from benchbar.records import COMPARED, GRADED, POINT, Estimate, Record, ReviewTask
from benchbar.scoring.people import doubly_marked_tasks
from benchbar.statistics import Agreement, ratings, share

Beside = tuple[float, float, str]
"""One reviewer's value of a task, the value that it is held against, and the sample that the task is about."""
Marked = Sequence[tuple[ReviewTask, float]]


class ReviewerAgreement(Record, frozen=True):
    """How far a reviewer agrees with somebody on one measure."""

    measure: str
    """Of grades and comparisons Cohen's kappa; of a judge's decisions on single points the share that the reviewer calls right."""
    estimate: Estimate
    """``n`` counts tasks; without a value where they are too few."""
    judge: str = ""
    """Whose verdicts the marks are held against; empty for other people, and for the run's own grades."""


def with_other_people(reviews: Reviews, rater: str, *, seed: int = 0) -> tuple[ReviewerAgreement, ...]:
    """How far a reviewer agrees with everybody else who marked the same tasks: on grades, and on comparisons.

    Cohen's kappa of outcomes, or of bands of grades with linear weights, over all pairs of one mark of the reviewer and one of
    somebody else; intervals by bootstrap over samples. Adjudications are left out.
    """
    found = []
    for measure in (GRADED, COMPARED):
        rows = [(task, row) for task, row in doubly_marked_tasks(reviews, measure) if rater in row]
        pairs = [(row[rater], other, task.sample) for task, row in rows for name, other in row.items() if name != rater]
        if pairs:
            found.append(ReviewerAgreement(measure=measure, estimate=_kappa(pairs, measure, len(rows), seed)))
    return tuple(found)


def with_judge(
    reviews: Reviews,
    rater: str,
    judged: Mapping[tuple[str, str], JudgedPair],
    grades: Mapping[tuple[str, str], float | None],
    *,
    seed: int = 0,
) -> tuple[ReviewerAgreement, ...]:
    """How far a reviewer agrees with what the run says by itself: its judges' verdicts, its grades, decisions on single points.

    ``judged`` is sample and candidate to each judge's verdicts in both orders, ``grades`` sample and assistant to the overall
    value of rules and judge. Kappas are those of :func:`with_other_people`; decisions are a share with Wilson's interval for
    clusters of samples. Adjudications are left out: who settles a difference has seen more than a reviewer.
    """
    marked = [*_marked(reviews, rater)]
    judges = dict.fromkeys(judge for pair in judged.values() for judge in pair.outcomes)
    verdicts = [(COMPARED, judge, {key: pair.outcome(judge) for key, pair in judged.items()}) for judge in judges]
    found = []
    for measure, judge, said in (*verdicts, (GRADED, "", grades)):
        if pairs := [*_beside(marked, measure, said)]:
            estimate = _kappa(pairs, measure, len(pairs), seed)
            found.append(ReviewerAgreement(measure=measure, judge=judge, estimate=estimate))
    return (*found, *_decisions(marked))


def _marked(reviews: Reviews, rater: str) -> Iterator[tuple[ReviewTask, float]]:
    for id_, kept in reviews.of_rater.get(rater, {}).items():
        task, value = reviews.tasks.get(id_), kept.mark.value
        # Who could not say agrees with nobody and contradicts nobody; what was picked by hand stands for nothing else.
        if task is not None and value is not None and not task.picked:
            yield task, value


def _beside(marked: Marked, measure: str, said: Mapping[tuple[str, str], float | None]) -> Iterator[Beside]:
    for task, value in marked:
        other = said.get((task.sample, task.assistant)) if task.measure == measure else None
        if other is not None:
            yield value, other, task.sample


def _decisions(marked: Marked) -> Iterator[ReviewerAgreement]:
    by_judge: dict[str, list[tuple[bool, str]]] = {}
    for task, value in marked:
        if task.measure == POINT and task.judged is not None:
            by_judge.setdefault(task.judged.judge, []).append((value == 1, task.sample))
    for judge, checked in by_judge.items():
        right, samples = zip(*checked, strict=True)
        # Several points of one sample are decided by one reading of one dialogue.
        estimate = share(right, clusters=samples, unit="task") if len(checked) >= LEAST_PAIR else _too_few(len(checked))
        yield ReviewerAgreement(measure=POINT, judge=judge, estimate=estimate)


def _kappa(pairs: Sequence[Beside], measure: str, tasks: int, seed: int) -> Estimate:
    if tasks < LEAST_PAIR:
        return _too_few(tasks)
    graded = measure == GRADED
    columns = {
        "reviewer": [band(one) if graded else label_of(one) for one, _, _ in pairs],
        "other": [band(other) if graded else label_of(other) for _, other, _ in pairs],
    }
    table = ratings(columns, [name for _, name in BANDS] if graded else list(LABELS))
    # Who differs from three others over one dialogue differs once: everything about a sample is drawn together.
    clusters = [sample for _, _, sample in pairs]
    measures = Agreement(table, np.random.default_rng(seed), clusters=clusters, resamples=RESAMPLES)
    return replace(measures.cohen_kappa(0, 1, "linear" if graded else "none"), n=tasks)


def _too_few(tasks: int) -> Estimate:
    return Estimate(value=None, n=tasks, unit="task", reason=f"too few tasks: {tasks} of at least {LEAST_PAIR}")
