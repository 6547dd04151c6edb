"""What a judge prefers for reasons other than quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.comparing import TestResult, sign_flip_test
from benchbar.statistics.kappas import ratio
from benchbar.statistics.numbers import Floats, Values, cluster_codes, gapped
from benchbar.statistics.resampling import bootstrapped
from benchbar.statistics.winrate import paired_difference


def same_family_bias(
    judge: Values,
    people: Values,
    generator: np.random.Generator,
    *,
    clusters: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """P(judge picks own | people pick own) - P(judge picks other | people pick other), 0 without a bias.

    Each position is a pair of an answer by the judge's own family with one of another: 1 where own was
    preferred, 0 where the other was, 0.5 or None where neither was. Only pairs on which people preferred
    one side count.
    """
    one, two = gapped(judge, "judge"), gapped(people, "people")
    if len(one) != len(two):
        raise BadInputError(f"{len(one)} and {len(two)} values; expected one of each per pair")
    # Without people's preference there is nothing to hold the judge against: a tie of theirs tells
    # neither bias nor its absence.
    measured = ~np.isnan(one) & np.isin(two, (0, 1))
    said, own = one[measured], two[measured] == 1
    contributions = np.column_stack([(said == 1) & own, own, (said == 0) & ~own, ~own]).astype(float)

    def statistic(sums: Floats) -> Floats:
        return ratio(sums[:, :2]) - ratio(sums[:, 2:])

    return bootstrapped(
        contributions,
        statistic,
        generator,
        method="same-family bias against people",
        codes=None if clusters is None else cluster_codes(clusters)[measured],
        confidence=confidence,
        n_missing=int((~measured).sum()),
        unit="pair",
        why_undefined="people must prefer each side at least once",
    )


class FamilyInteraction(NamedTuple):
    """How much more each judge favours its own family than the other judge does."""

    difference: Estimate
    test: TestResult
    note: str = "differential only: a bias that both judges share cannot be seen without people"


def family_interaction(
    first_judge: Values,
    second_judge: Values,
    generator: np.random.Generator,
    *,
    clusters: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> FamilyInteraction:
    """The judge x family interaction of two judges on the same pairs, where people marked none.

    Each position is a pair of an answer by the first judge's family with one by the second's: 1 where the
    judge preferred the first family's, 0 the other, 0.5 a tie.
    """
    difference = paired_difference(first_judge, second_judge, clusters=clusters, confidence=confidence)
    one, two = gapped(first_judge, "first_judge"), gapped(second_judge, "second_judge")
    gaps = [None if np.isnan(x) else float(x) for x in one - two]
    return FamilyInteraction(difference, sign_flip_test(gaps, generator, clusters=clusters))
