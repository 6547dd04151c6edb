"""Which form of judging is worth its cost, and whether the weights of guidance points bring marks nearer to people's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean

from msgspec.structs import replace

from benchbar.ledger.reviews import Reviews
from benchbar.ledger.spent import KindSpending
from benchbar.measures.validation.points import marked_points
from benchbar.measures.validation.preferences import LABELS, JudgedPair, label_of, preference
from benchbar.measures.validation.votes import voted, winning
from benchbar.records import COMPARED, POINT, Estimate, HumanMarks, Sample, Score
from benchbar.records.validation import Figure, Validation
from benchbar.scoring.weighing import weigh
from benchbar.statistics import agreement_per_cost, share, spearman

CHANCE = 0.5
"""Agreement of a guess on pairs that people do not call a tie, and on points that are met or not."""
PER_THOUSAND = 1000
"""Tokens that one unit of cost is where calls have no price."""
_KINDS = ("comparison", "checklist")
"""The kinds of planned items that forms of judging are made of."""


def judging_efficiency(
    reviews: Reviews,
    pairs: Mapping[tuple[str, str], JudgedPair],
    tasks: Mapping[str, str],
    spending: Mapping[str, KindSpending],
) -> Validation:
    """Agreement of each form of judge with people, what judging one item costs, and agreement above chance for a unit of it."""
    forms: dict[str, tuple[Estimate, float]] = {}
    had, missing, notes = [], [], []
    priced = all(spending[kind].cost for kind in _KINDS if kind in spending)
    for form, kind, agreement in _agreements(reviews, pairs, tasks):
        spent = spending.get(kind)
        each = None if spent is None or not spent.items else spent.cost if priced else spent.tokens
        if agreement.value is None:
            missing.append(f"{form}: {agreement.reason}")
        elif spent is None or each is None:
            missing.append(f"{form}: what its calls cost; give the judge a price, or an endpoint that states tokens")
        else:
            forms[form] = agreement, each / spent.items / (1 if priced else PER_THOUSAND)
            had.append(f"{form}: {agreement.n} items that people marked, {spent.calls} calls")
    if forms:
        notes.append("cost in the currency of the prices" if priced else "no prices: cost in thousands of tokens")
    figures = []
    for form, found in agreement_per_cost(forms, chance=CHANCE).items():
        figures.append(Figure(group=form, measure="agrees with people", estimate=found.agreement))
        for measure, value in (("cost of an item", found.cost), ("above chance per cost", found.per_cost)):
            exact = Estimate(value=value, n=found.agreement.n, reason="" if value is not None else "nothing was paid")
            figures.append(Figure(group=form, measure=measure, estimate=exact, share=False))
    return Validation(
        name="worth",
        question="Which form of judging is worth its cost?",
        figures=tuple(figures),
        had=tuple(had),
        missing=tuple(missing),
        notes=tuple(notes),
    )


def _agreements(
    reviews: Reviews, pairs: Mapping[tuple[str, str], JudgedPair], tasks: Mapping[str, str]
) -> Iterator[tuple[str, str, Estimate]]:
    """Form of judge, kind of its planned items, and how often it is right by people's majority."""
    marked = voted(reviews, COMPARED)
    votes = winning(marked, preference, LABELS)
    for judge in dict.fromkeys(judge for pair in pairs.values() for judge in pair.outcomes):
        right, clusters = [], []
        for one, vote in zip(marked, votes, strict=True):
            pair = pairs.get((one.task.sample, one.task.assistant))
            said = label_of(pair.outcome(judge)) if pair else None
            # On a tie of people's nobody is right: a guess would be right half of the time only on the others.
            if vote is not None and vote != LABELS[1]:
                right.append(None if said is None else said == vote)
                clusters.append(one.task.sample)
        yield judge, "comparison", share(right, clusters=clusters, unit="pair")
    for judge in dict.fromkeys(plan.judge for plan in reviews.plans if plan.measure == POINT):
        if judge.startswith("checklist:"):
            points = list(marked_points(voted(reviews, POINT, judge), tasks))
            clusters = [one.dialogue for one in points]
            yield judge, "checklist", share([one.right for one in points], clusters=clusters, unit="point")


def weights_validity(
    marks: Mapping[str, HumanMarks],
    scores: Mapping[str, Mapping[str, Iterable[Score]]],
    samples: Mapping[str, Sample],
) -> Validation:
    """The rank correlation of guidance met with people's grades, with the weights of the points and with equal ones.

    ``scores`` is sample to assistant to all marks of its dialogue.
    """
    rows: list[tuple[float, float, float]] = []
    graded = 0
    for assistant, own in marks.items():
        for sample, grade in own.values.items():
            graded += 1
            known = samples.get(sample)
            given = list(scores.get(sample, {}).get(assistant, ()))
            if known is None:
                continue
            even = replace(known.guidance, points=tuple(replace(point, weight=1.0) for point in known.guidance.points))
            weighted, equal = weigh(known.guidance, given).value, weigh(even, given).value
            if weighted is not None and equal is not None:
                rows.append((weighted, equal, grade))
    figures = [
        Figure(
            group="guidance met",
            measure=measure,
            estimate=spearman([row[place] for row in rows], [row[2] for row in rows], unit="dialogue"),
            share=False,
        )
        for place, measure in enumerate(("with weights", "all points equal"))
    ]
    missing = (
        [] if rows else ["people's grades of dialogues whose points were decided: [review] in the spec, then mark"]
    )
    different = fmean(one != two for one, two, _ in rows) if rows else 0.0
    return Validation(
        name="weights",
        question="Do the weights of guidance points bring guidance met nearer to people's grades (rank correlation)?",
        figures=tuple(figures) if rows else (),
        had=(f"{graded} grades of people, {len(rows)} of dialogues with decided points",) if graded else (),
        missing=tuple(missing),
        notes=(f"the weights change guidance met in {different:.0%} of these dialogues",) if rows else (),
    )
