"""Corrected judges, power, repeats and looks: formulas, oracles and coverage."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    Components,
    best_repeats,
    correct,
    minimum_detectable_effect,
    obrien_fleming,
    outcome_deviation,
    rogan_gladen,
    samples_needed,
    variance_components,
)


def marked(seed, n=1000, labels=200, bias=0.1):
    """A judge with a bias on all items, and people on a random part."""
    draw = np.random.default_rng(seed)
    truth = draw.random(n)
    human = (draw.random(n) < truth).astype(float)
    judge = np.abs(human - (draw.random(n) < 0.1)) * 0.9 + bias
    chosen = draw.permutation(n)[:labels]
    shown = [float(human[i]) if i in set(chosen.tolist()) else None for i in range(n)]
    return judge, shown, float(human.mean())


def test_corrected_estimate_follows_its_formula():
    """Value, lambda and standard error are those written in the documentation."""
    judge, human, _ = marked(1)
    found = correct(judge, human)
    has = np.array([y is not None for y in human])
    y, f = np.array([v for v in human if v is not None]), judge[has]
    n, others = len(y), int((~has).sum())
    weight = np.cov(y, f)[0, 1] / ((1 + n / others) * judge.var(ddof=1))
    rest = y - weight * f
    error = sqrt(weight**2 * judge[~has].var(ddof=1) / others + rest.var(ddof=1) / n)
    assert found.weight == pytest.approx(weight)
    assert found.corrected.value == pytest.approx(weight * judge[~has].mean() + rest.mean())
    assert found.corrected.standard_error == pytest.approx(error)
    assert found.effective_labels == pytest.approx(y.var(ddof=1) / error**2)
    assert found.effective_labels > n


def test_corrected_value_is_ppi_pythons():
    """At the same lambda the point estimate of ppi-python agrees to 1e-9."""
    oracle = pytest.importorskip("ppi_py", reason="the oracles group is not installed")
    judge, human, _ = marked(2)
    has = np.array([y is not None for y in human])
    y = np.array([v for v in human if v is not None])
    found = correct(judge, human)
    expected = oracle.ppi_mean_pointestimate(y, judge[has], judge[~has], lam=found.weight)
    assert found.corrected.value == pytest.approx(float(np.squeeze(expected)), abs=1e-9)


def test_few_labels_are_warned_of():
    """Below 100 human marks the command's document carries a warning."""
    judge, human, _ = marked(3, labels=40)
    assert any("40 human marks" in text for text in correct(judge, human).warnings)


def test_strata_are_joined_by_their_share():
    """Where marks were drawn unevenly over tasks, the strata put the tasks back to their share."""
    judge = [0.9] * 100 + [0.1] * 900
    human = ([1.0, 0.0, 1.0, 1.0] * 25) + [1.0, 0.0, 0.0, 0.0, 0.0] * 4 + [None] * 880
    strata = ["a"] * 100 + ["b"] * 900
    found = correct(judge, human, strata=strata)
    assert found.corrected.value == pytest.approx(0.1 * 0.75 + 0.9 * 0.2)
    assert correct(judge, [None] * 1000, strata=strata).corrected.value is None


def test_recorded_probabilities_undo_a_selected_queue():
    """Items likelier to be marked are weighted down: the interval holds the truth, the plain one does not."""
    draw = np.random.default_rng(8)
    truth = (draw.random(20_000) < 0.3).astype(float)
    judge = np.clip(truth * 0.5 + 0.3 * draw.random(20_000), 0, 1)
    chance = np.where(truth == 1, 0.2, 0.02)
    hits = draw.random(20_000) < chance
    human = [float(y) if hit else None for y, hit in zip(truth, hits, strict=True)]
    found = correct(judge, human, probability=chance)
    assert found.corrected.low < 0.3 < found.corrected.high
    assert found.human_only.low > 0.6
    with pytest.raises(BadInputError, match="row 1"):
        correct([0.1], [1.0], probability=[0.0])


def test_rogan_gladen_by_hand():
    """Sensitivity .8 and specificity .9 turn 45% yes into 50%."""
    judge = [1.0] * 8 + [0.0] * 2 + [1.0] + [0.0] * 9 + [1.0] * 36 + [0.0] * 44
    human = [1.0] * 10 + [0.0] * 10 + [None] * 80
    marks = [np.nan if y is None else y for y in human]
    found = rogan_gladen(judge, marks)
    assert found.value == pytest.approx((0.45 + 0.9 - 1) / 0.7)
    assert found.low < 0.5 < found.high
    assert "no better than chance" in rogan_gladen([1.0, 0.0], [0.0, 1.0]).reason
    assert "one class" in rogan_gladen([1.0, 0.0], [1.0, 1.0]).reason
    assert "not 0 and 1" in rogan_gladen([0.5, 0.0], [1.0, 0.0]).reason


def test_detectable_effects_of_the_reference_values():
    """At 80% power 50 samples show 17.7 points, 24.6 after Holm over 22 tasks, 1,100 show 3.8."""
    deviation = outcome_deviation(0.2)
    assert minimum_detectable_effect(50, deviation) == pytest.approx(0.177, abs=5e-4)
    assert minimum_detectable_effect(50, deviation, tests=22) == pytest.approx(0.246, abs=5e-4)
    assert minimum_detectable_effect(1100, deviation) == pytest.approx(0.038, abs=5e-4)
    needed = samples_needed(0.05, deviation)
    assert minimum_detectable_effect(needed, deviation) <= 0.05 < minimum_detectable_effect(needed - 1, deviation)


def test_one_sample_sees_a_large_effect_and_none_sees_nothing():
    """At n = 1 the effect is 2.80 deviations, the sum of the quantiles 1.96 and 0.84; n = 0 and a deviation of 0 are refused."""
    assert minimum_detectable_effect(1, 1.0) == pytest.approx(2.8016, abs=1e-4)
    assert minimum_detectable_effect(4, 3.0) == pytest.approx(2.8016 * 3 / 2, abs=1e-3)
    with pytest.raises(BadInputError, match="n = 0"):
        minimum_detectable_effect(0, 1.0)
    with pytest.raises(BadInputError, match="SD = 0"):
        minimum_detectable_effect(1, 0.0)


def test_obrien_fleming_boundaries_of_the_literature():
    """Four looks at 5% stop at 4.049, 2.863, 2.337 and 2.024 (Jennison and Turnbull 2000)."""
    assert [look.boundary for look in obrien_fleming(4)] == pytest.approx([4.049, 2.863, 2.337, 2.024], abs=2e-3)
    assert obrien_fleming(1)[0].boundary == pytest.approx(1.959964, abs=1e-4)
    assert obrien_fleming(5)[-1].boundary == pytest.approx(2.040, abs=2e-3)


def test_best_number_of_repeats():
    """The optimum weighs variances against costs, and needs samples that differ."""
    assert best_repeats(Components(1.0, 4.0), sample_cost=4.0, judge_cost=1.0) == 4
    assert best_repeats(Components(0.0, 4.0), sample_cost=1.0, judge_cost=1.0) is None


def test_variance_components_are_found_again():
    """Components of 4 and 1 come back from unbalanced repeats."""
    draw = np.random.default_rng(2)
    rows = [(draw.normal(0, 2) + draw.normal(size=int(size))).tolist() for size in draw.integers(1, 5, size=4000)]
    found = variance_components(rows)
    assert found.between == pytest.approx(4, rel=0.1)
    assert found.within == pytest.approx(1, rel=0.1)
    with pytest.raises(BadInputError, match="two marks"):
        variance_components([[1.0], [2.0]])


def test_the_level_of_a_boundary_is_its_two_sided_p_value():
    """One look at 5% has level .05; of four, |z| of 4.05, 2.86, 2.34 and 2.02 have .0001, .0042, .0194 and .0430."""
    assert obrien_fleming(1)[0].level == pytest.approx(0.05, abs=1e-6)
    looks = obrien_fleming(4)
    assert [look.level for look in looks] == pytest.approx([0.0001, 0.0042, 0.0194, 0.0430], abs=1e-4)
    assert [(look.look, look.fraction) for look in looks] == [(1, 0.25), (2, 0.5), (3, 0.75), (4, 1.0)]
    assert obrien_fleming(2, level=0.01)[-1].boundary == pytest.approx(2.580, abs=2e-3)


def test_powers_and_levels_of_the_normal_distribution():
    """Quantiles z of .975 and .8 sum to 2.802, at 90% power to 3.242, at a level of 1% to 3.417, after five tests to 3.417 too."""
    assert minimum_detectable_effect(1, 1.0) == pytest.approx(2.802, abs=1e-3)
    assert minimum_detectable_effect(1, 1.0, power=0.9) == pytest.approx(3.242, abs=1e-3)
    assert minimum_detectable_effect(1, 1.0, level=0.01) == pytest.approx(3.417, abs=1e-3)
    assert minimum_detectable_effect(1, 1.0, tests=5) == pytest.approx(3.417, abs=1e-3)
    assert samples_needed(0.5, 1.0) == 32
    assert samples_needed(0.5, 1.0, power=0.9, level=0.01, tests=2) == 67
    # Exactly 50: rounding adds none.
    assert samples_needed(minimum_detectable_effect(50, 0.7), 0.7) == 50


def test_deviation_of_wins_ties_and_losses():
    """The variance of the outcomes themselves: of 6 wins, 2 ties and 2 losses, and of none but wins and losses."""
    outcomes = [1.0] * 6 + [0.5] * 2 + [0.0] * 2
    assert outcome_deviation(0.2, 0.7) == pytest.approx(np.std(outcomes))
    assert outcome_deviation(0.0) == 0.5


def test_components_by_hand():
    """Rows 1, 3 and 5, 7, 9: within 10/3; between (27.5 - ...)/typical size, of the unbalanced one-way layout."""
    found = variance_components([[1.0, 3.0], [5.0, 7.0, 9.0]])
    grand = 5.0
    within = (2 + 8) / 3
    between = (2 * (2 - grand) ** 2 + 3 * (7 - grand) ** 2) / 1
    typical = (5 - (4 + 9) / 5) / 1
    assert found.within == pytest.approx(within)
    assert found.between == pytest.approx((between - within) / typical)
    assert variance_components([[1.0, 9.0], [9.0, 1.0]]).between == 0
    assert variance_components([[], [1.0, 3.0], [5.0, 7.0, 9.0]]) == found
    with pytest.raises(BadInputError, match="two"):
        variance_components([[1.0, 2.0]])


def test_repeats_are_rounded_and_at_least_one():
    """sqrt(2 * 8) is 4, sqrt(1/2 * 13) is 2.5 and rounds to 3, and nobody judges less than once."""
    assert best_repeats(Components(1.0, 2.0), sample_cost=8.0, judge_cost=1.0) == 4
    assert best_repeats(Components(2.0, 1.0), sample_cost=13.0, judge_cost=1.0) == 3
    assert best_repeats(Components(100.0, 1.0), sample_cost=1.0, judge_cost=1.0) == 1


def test_warnings_say_what_the_numbers_rest_on():
    """Few marks are warned of below a hundred; a random sample is required unless the chances are recorded."""
    judge = [0.5, 0.6] * 60
    many = [1.0, 0.0] * 50 + [None] * 20
    assert [one for one in correct(judge, many).warnings if "human marks" in one] == []
    assert len(correct(judge, [*many[:99], *[None] * 21]).warnings) == 2
    assert "random sample" in correct(judge, many).warnings[0]
    assert correct(judge, many, probability=[0.9] * 120).warnings == []


def test_marks_beyond_0_to_1_are_not_cut_at_1():
    """Marks of 0 to 100 keep their scale; shares are cut at its ends."""
    judge, human = [90.0, 20.0, 80.0, 40.0], [100.0, 0.0, 100.0, None]
    assert correct(judge, human).human_only.high > 100
    assert correct([one / 100 for one in judge], [1.0, 0.0, 1.0, None]).human_only.high == 1
    below = correct([-0.5, 0.5, 0.2, 0.1], [-1.0, 1.0, 0.0, None])
    assert below.human_only.low < -1


def test_two_marks_are_enough_and_one_is_not():
    """A variance needs two; the effective number of marks is that of the variance that they show."""
    found = correct([0.9, 0.1, 0.8, 0.3], [1.0, 0.0, None, None])
    assert found.corrected.value is not None
    assert found.effective_labels == pytest.approx(0.5 / found.corrected.standard_error**2)
    assert correct([0.9, 0.1, 0.8], [1.0, None, None]).effective_labels is None


def test_everything_marked_leaves_the_judge_nothing_to_add():
    """Without unmarked items, with one of them, or with a judge that says one thing, people's mean stands alone."""
    human = [1.0, 0.0, 1.0, 1.0]
    for judge, marks in (
        ([0.9, 0.2, 0.7, 0.8], human),
        ([0.9, 0.2, 0.7, 0.8, 0.1], [*human, None]),
        ([0.5] * 7, [*human, None, None, None]),
    ):
        found = correct(judge, marks)
        assert found.weight == 0
        assert found.corrected.value == pytest.approx(0.75)
        assert found.corrected.standard_error == pytest.approx(np.std(human, ddof=1) / 2)


def test_a_judge_that_contradicts_people_is_not_used():
    """Its weight is 0 and not negative; that of a judge who is always right is at most 1."""
    contrary = correct([0.1, 0.9, 0.1, 0.9, 0.1, 0.9], [1.0, 0.0, 1.0, 0.0, None, None])
    assert contrary.weight == 0
    assert contrary.corrected.value == 0.5


def test_the_weighted_estimate_follows_its_formula():
    """mean(lambda f + xi (y - lambda f)/pi) with lambda = cov(y xi/pi, f xi/pi - f)/var(f xi/pi - f), within 0 to 1."""
    judge, human, _ = marked(5, n=60, labels=25)
    chance = np.where(np.arange(60) % 2 == 0, 0.5, 0.8)
    xi = np.array([y is not None for y in human], dtype=float)
    y = np.array([0.0 if one is None else one for one in human])
    inverse = xi / chance
    rest = judge * (1 - inverse)
    weight = -np.cov(y * inverse, rest)[0, 1] / rest.var(ddof=1)
    items = weight * judge + inverse * (y - weight * judge)
    found = correct(judge, human, probability=chance)
    assert 0 < weight < 1
    assert found.weight == pytest.approx(weight)
    assert found.corrected.value == pytest.approx(items.mean())
    assert found.corrected.standard_error == pytest.approx(items.std(ddof=1) / sqrt(60))
    half = stats.t.ppf(0.975, 24) * found.corrected.standard_error
    assert found.corrected.high == pytest.approx(items.mean() + half)


def test_strata_add_their_variances_and_degrees_of_freedom():
    """Shares squared times variances; n - 1 marks of each stratum in the t quantile."""
    judge = [0.5] * 10
    human = [1.0, 0.0, 1.0, None, None, 0.0, 0.0, 1.0, 0.0, None]
    found = correct(judge, human, strata=list("aaaaabbbbb")).corrected
    one, two = [1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]
    error = sqrt(0.25 * np.var(one, ddof=1) / 3 + 0.25 * np.var(two, ddof=1) / 4)
    assert found.value == pytest.approx((2 / 3 + 1 / 4) / 2)
    assert found.standard_error == pytest.approx(error)
    assert found.high - found.value == pytest.approx(stats.t.ppf(0.975, 2 + 3) * error)


def test_the_delta_interval_of_rogan_and_gladen():
    """The variance of the share, of sensitivity and of specificity, each over its own items."""
    judge = ([1.0] * 40 + [0.0] * 10) + ([1.0] * 5 + [0.0] * 45) + [1.0] * 90 + [0.0] * 110
    human = [1.0] * 50 + [0.0] * 50 + [np.nan] * 200
    found = rogan_gladen(judge, human, confidence=0.9)
    p, se, sp = 135 / 300, 0.8, 0.9
    value = (p + sp - 1) / (se + sp - 1)
    variance = (p * (1 - p) / 300 + value**2 * se * (1 - se) / 50 + (1 - value) ** 2 * sp * (1 - sp) / 50) / 0.7**2
    assert (found.value, found.standard_error) == (pytest.approx(value), pytest.approx(sqrt(variance)))
    half = stats.t.ppf(0.95, 99) * sqrt(variance)
    assert (found.low, found.high) == pytest.approx((value - half, value + half))
    assert rogan_gladen([1.0, 0.0], [1.0, 1.0]).value is None
    assert rogan_gladen([1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]).value is None
