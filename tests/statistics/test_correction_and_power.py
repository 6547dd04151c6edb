"""Corrected judges, power, repeats and looks: formulas, oracles and coverage."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

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
