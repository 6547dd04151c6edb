"""How far people agree in what they marked, while they mark: raw, beyond chance, and in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from benchbar.ledger.reviews import Reviews
from benchbar.records import COMPARED, GRADED, Estimate, Record
from benchbar.scoring.people import doubly_marked
from benchbar.statistics import Agreement, Ratings, mean, ratings
from benchbar.statistics.anomalous import RaterTest, rater_tests

BANDS = ((0.5, "0-49"), (0.7, "50-69"), (0.85, "70-84"), (2.0, "85-100"))
"""Grades below each bound, and what the band is called: what is not good, passable, good, and fit to ship."""
OUTCOMES = ("worse", "tie", "better")
MOST_PAIRS = 20
"""Pairs of people whose kappa is computed: those with most tasks in common."""
LEAST_PAIR = 5
"""Tasks that two people have both marked, below which a kappa of the pair says nothing."""
RESAMPLES = 1000
ODD = 0.05
"""Adjusted p-value up to which somebody marks differently from the others."""


class PairAgreement(Record, frozen=True):
    """Two people who marked the same tasks."""

    one: str
    other: str
    tasks: int
    kappa: Estimate


class OddRater(Record, frozen=True):
    """Somebody whose marks differ from those of all others on the same tasks by more than chance."""

    rater: str
    tasks: int
    how: str
    """``strict``, ``lenient``, or ``far`` (now above, now below the others)."""
    by: float
    """Mean difference from the mean of the others' marks, from 0 to 1."""
    p_value: float
    """Adjusted over all raters and both tests."""


class PeopleAgreement(Record, frozen=True):
    """How far people agree on one measure; tasks that a single person marked say nothing of it."""

    measure: str
    tasks: int
    """With marks of more than one person."""
    raw: Estimate
    fleiss_kappa: Estimate
    gwet: Estimate
    """AC1 of outcomes; AC2 with linear weights of grades, whose bands have an order."""
    alpha: Estimate
    """Krippendorff's: of the grades as numbers, of outcomes as ordered labels."""
    apart: Estimate | None
    """Mean distance of two people's grades of one dialogue; None where outcomes were marked."""
    pairs: tuple[PairAgreement, ...] = ()
    odd: tuple[OddRater, ...] = ()
    """Who marks differently from all others."""


def odd_raters(reviews: Reviews, *, seed: int = 0) -> list[tuple[str, OddRater]]:
    """Measure and rater of those who mark differently from all others, at 5% over all raters and both tests (Holm)."""
    return [
        (measure, one)
        for measure in (GRADED, COMPARED)
        for one in _odd(doubly_marked(reviews, measure), np.random.default_rng(seed))
    ]


def _odd(rows: Sequence[Mapping[str, float]], generator: np.random.Generator) -> list[OddRater]:
    """One after the other, each without the marks of those before: a strict person makes all others look lenient."""
    found: list[OddRater] = []
    while True:
        tests = rater_tests(rows, generator, least=LEAST_PAIR)
        alarms = sorted(
            (one for one in tests if min(one.p_leaning, one.p_distance) <= ODD),
            key=lambda one: (min(one.p_leaning, one.p_distance), -abs(one.leaning), -one.distance),
        )
        # Of two people who differ it is not known which one is odd: both are named.
        found += [_named(one) for one in (alarms if len(tests) < MOST_ALIKE else alarms[:1])]
        if len(tests) < MOST_ALIKE or not alarms:
            return found
        without = [{name: value for name, value in row.items() if name != alarms[0].rater} for row in rows]
        rows = [row for row in without if len(row) > 1]


MOST_ALIKE = 3
"""People from whom on one can be told from the others."""


def _named(one: RaterTest) -> OddRater:
    leans = one.p_leaning <= ODD
    return OddRater(
        rater=one.rater,
        tasks=one.items,
        how=("strict" if one.leaning < 0 else "lenient") if leans else "far",
        by=abs(one.leaning) if leans else one.distance,
        p_value=one.p_leaning if leans else one.p_distance,
    )


def agreement(reviews: Reviews, *, seed: int = 0, confidence: float = 0.95) -> dict[str, PeopleAgreement]:
    """Measure to how far people agree on it, where more than one person has marked the same task.

    Kappas and AC are of bands of grades (0-49, 50-69, 70-84, 85-100) or of outcomes; who could not say counts as missing,
    and adjudications are left out. Intervals by bootstrap over tasks.
    """
    found = {}
    for measure in (GRADED, COMPARED):
        rows = doubly_marked(reviews, measure)
        if rows:
            found[measure] = _of(measure, rows, np.random.default_rng(seed), confidence)
    return found


def with_others(reviews: Reviews, *, confidence: float = 0.95) -> dict[str, Estimate]:
    """Person to how often they are of one mind with each other person who marked the same task: same band, same outcome.

    From 0 to 1, a mean over tasks with Student's interval; those who marked nothing that others marked are left out.
    """
    found: dict[str, list[float]] = {}
    for measure, label in ((GRADED, band), (COMPARED, _outcome)):
        for row in doubly_marked(reviews, measure):
            for rater, value in row.items():
                others = [label(other) == label(value) for name, other in row.items() if name != rater]
                found.setdefault(rater, []).append(sum(others) / len(others))
    return {
        rater: mean(values, low=0, high=1, confidence=confidence, unit="task")
        for rater, values in sorted(found.items())
    }


def _of(
    measure: str, rows: Sequence[Mapping[str, float]], generator: np.random.Generator, confidence: float
) -> PeopleAgreement:
    graded = measure == GRADED
    table = _table(rows, graded=graded)
    measures = Agreement(table, generator, confidence=confidence, resamples=RESAMPLES)
    pairs = list(combinations(range(len(table.raters)), 2))
    return PeopleAgreement(
        measure=measure,
        tasks=len(rows),
        raw=measures.raw(pairs),
        fleiss_kappa=measures.fleiss_kappa(),
        gwet=measures.gwet("linear" if graded else "none"),
        alpha=_alpha(rows, measures, generator, confidence, graded=graded),
        apart=_apart(rows, confidence) if graded else None,
        pairs=tuple(_pairs(table, measures, pairs, graded=graded)),
        odd=tuple(_odd(rows, generator)),
    )


def _table(rows: Sequence[Mapping[str, float]], *, graded: bool) -> Ratings:
    raters = list(dict.fromkeys(rater for row in rows for rater in row))
    label = band if graded else _outcome
    labels = [name for _, name in BANDS] if graded else list(OUTCOMES)
    columns = {rater: [label(row[rater]) if rater in row else None for row in rows] for rater in raters}
    return ratings(columns, labels)


def band(value: float) -> str:
    """What the band of a grade from 0 to 1 is called."""
    # 0.7 may arrive as 0.7 less rounding, and must not fall into the band below.
    return next(name for bound, name in BANDS if value < bound - 1e-9)


def _outcome(value: float) -> str:
    return OUTCOMES[round(2 * value)]


def _alpha(
    rows: Sequence[Mapping[str, float]],
    measures: Agreement,
    generator: np.random.Generator,
    confidence: float,
    *,
    graded: bool,
) -> Estimate:
    if not graded:
        return measures.krippendorff_alpha("ordinal")
    raters = measures.table.raters
    # Alpha for numbers takes the grades as they were given: bands would hide how far apart they are.
    exact = ratings({name: [f"{row[name]:.6g}" if name in row else None for row in rows] for name in raters})
    return Agreement(exact, generator, confidence=confidence, resamples=RESAMPLES).krippendorff_alpha("interval")


def _apart(rows: Sequence[Mapping[str, float]], confidence: float) -> Estimate:
    gaps = [float(np.mean([abs(a - b) for a, b in combinations(row.values(), 2)])) for row in rows]
    return mean(gaps, low=0, high=1, confidence=confidence, unit="task")


def _pairs(
    table: Ratings, measures: Agreement, pairs: Sequence[tuple[int, int]], *, graded: bool
) -> list[PairAgreement]:
    there = table.codes >= 0
    shared = sorted(((int((there[:, a] & there[:, b]).sum()), a, b) for a, b in pairs), reverse=True)
    return [
        PairAgreement(
            one=table.raters[a],
            other=table.raters[b],
            tasks=tasks,
            kappa=measures.cohen_kappa(a, b, "linear" if graded else "none"),
        )
        for tasks, a, b in shared[:MOST_PAIRS]
        if tasks >= LEAST_PAIR
    ]
