"""What several judges say of one thing, reduced to one value.

The names are those of the field: the mean pools verdicts ("average pooling"), the majority lets judges vote (Verga et al.,
Replacing judges with juries, 2024), the median is what one odd judge cannot move, and strict counts only what nobody contradicts
(Zheng et al., NeurIPS 2023, call it the conservative way for the two orders of one judge).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import fmean, median

from benchbar.records import Comparison, Reduction

LABELS = (0.0, 0.5, 1.0)
"""What a mark may be: not met, partly, met; and a verdict: lost, tied, won."""


def reduced_outcome(
    by_judge: Sequence[float | None], how: Reduction, *, tie_margin: float | None = None
) -> float | None:
    """One pair's outcome for the candidate, from 0 to 1, out of that of each judge; None where there is none.

    A judge that is silent does not silence the others, but under ``strict``, where it might have contradicted them. A vote
    without a majority is a tie, and so is a strict outcome that some judge does not share.
    """
    # Loads numerical libraries, which marking need not wait for.
    from benchbar.statistics.orders import decided

    known = [one for one in by_judge if one is not None]
    if not known:
        return None
    if how in {"mean", "median"}:
        middle = fmean(known) if how == "mean" else median(known)
        return middle if tie_margin is None else decided(middle, tie_margin)
    called = [LABELS[1] if one is None else one for one in (decided(each, tie_margin or 0.0) for each in known)]
    if how == "majority":
        winner = most_votes(called)
        return LABELS[1] if winner is None else winner
    if len(known) < len(by_judge):
        return None
    return called[0] if len(set(called)) == 1 else LABELS[1]


def reduced_mark(by_judge: Sequence[float | None], how: Reduction, *, forbidden: bool = False) -> float | None:
    """One guidance point's mark, from 0 to 1, out of that of each judge; None where nobody marked, or nothing is reached.

    There is no neutral mark: a vote without a majority leaves the point open. Strict is the mark of the harshest judge, which of
    a ``forbidden`` point is the highest one.
    """
    if how == "majority":
        return most_votes([one for one in by_judge if one is not None])
    return reduced_value(by_judge, how, harshest=max if forbidden else min)


def reduced_value(
    by_judge: Sequence[float | None], how: Reduction, *, harshest: Callable[[Sequence[float]], float] = min
) -> float | None:
    """A grade or a share out of that of each judge. On a scale there are no votes: the majority is the median."""
    known = [one for one in by_judge if one is not None]
    # One that is silent may have been the harshest.
    if not known or (how == "strict" and len(known) < len(by_judge)):
        return None
    return fmean(known) if how == "mean" else harshest(known) if how == "strict" else median(known)


def most_votes(values: Collection[float]) -> float | None:
    """The label that most of the values are nearest to; None where several have the most.

    Half-way between two labels, as a judge's two runs may come out, it is the lower one.
    """
    votes = Counter(min(LABELS, key=lambda label: abs(label - value)) for value in values).most_common(2)
    if not votes or (len(votes) > 1 and votes[0][1] == votes[1][1]):
        return None
    return votes[0][0]


def sample_outcome(
    comparisons: Iterable[Comparison], how: Reduction = "mean", *, tie_margin: float | None = None
) -> float | None:
    """The outcome of one candidate on one sample, from all verdicts on the pair.

    The mean is over all verdicts in either order and then over both orders. In the other ways each judge's own outcome comes
    first, the mean of its orders and repeats: a judge that names a position has no say then, whatever the others do.
    """
    from benchbar.statistics.orders import averaged, outcomes_by_sample

    comparisons = list(comparisons)
    if how == "mean":
        pooled = list(outcomes_by_sample(comparisons).values())
        return averaged(pooled, tie_margin=tie_margin)[0] if pooled else None
    by_judge: dict[str, list[Comparison]] = {}
    for one in comparisons:
        by_judge.setdefault(one.judge, []).append(one)
    outcomes: Mapping[str, float | None] = {
        judge: averaged(outcomes_by_sample(own).values())[0] for judge, own in by_judge.items()
    }
    return reduced_outcome(list(outcomes.values()), how, tie_margin=tie_margin)
