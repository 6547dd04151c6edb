"""Power of a planned study: samples, clusters, repeats, validity and prices, by t and against simulation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from benchbar.records.errors import BadInputError
from benchbar.statistics import Price, Study, cheapest_plan, detectable_effect, minimum_detectable_effect, power_of


@pytest.mark.parametrize("n", [3, 8, 20, 50])
def test_power_and_detectable_effect_are_those_of_the_t_test(n):
    """As statsmodels computes them, to 1e-6; the normal distribution promises more."""
    power = TTestPower()
    assert power_of(Study(n, 1.0), 0.7) == pytest.approx(power.power(0.7, n, 0.05), abs=1e-6)
    effect = detectable_effect(Study(n, 0.45))
    assert effect / 0.45 == pytest.approx(power.solve_power(None, n, 0.05, 0.8), rel=1e-5)
    assert effect > minimum_detectable_effect(n, 0.45)


def test_eight_samples_show_52_points_and_not_45():
    """The published case: .446 by the normal distribution, .520 by t."""
    assert minimum_detectable_effect(8, 0.45) == pytest.approx(0.446, abs=5e-4)
    assert detectable_effect(Study(8, 0.45)) == pytest.approx(0.520, abs=5e-4)


def test_clusters_noise_and_validity_lower_the_power_as_simulation_says():
    """12 documents of 5 samples, two noisy marks each that see 80% of the effect: within four Monte Carlo errors of 4,000 runs."""
    study = Study(60, 1.0, clusters=12, correlation=0.3, repeats=2, noise=0.8, validity=0.8)
    generator = np.random.default_rng(3)
    documents = generator.normal(0, 0.3**0.5, size=(4000, 12, 1))
    samples = documents + generator.normal(0, 0.7**0.5, size=(4000, 12, 5)) + 0.9 * study.validity
    means = (samples + generator.normal(0, 0.8 / 2**0.5, size=samples.shape)).mean(axis=2)
    seen = float((stats.ttest_1samp(means, 0, axis=1).pvalue < 0.05).mean())
    assert abs(power_of(study, 0.9) - seen) < 4 * (seen * (1 - seen) / 4000) ** 0.5
    assert power_of(study, 0.9) < power_of(Study(60, 1.0), 0.9)


def test_the_cheapest_study_buys_repeats_only_where_samples_are_dear():
    """A free mark is repeated, a dear one is not; any neighbour that is cheaper sees less."""
    study, price = Study(50, 0.4, noise=0.5), Price(sample=4.0, mark=0.1)
    dear = cheapest_plan(study, 0.1, price)
    cheap = cheapest_plan(study, 0.1, Price(sample=0.1, mark=1.0))
    assert dear.study.repeats > 1 == cheap.study.repeats
    assert dear.power >= 0.8 > power_of(dear.study._replace(n=dear.study.n - 1), 0.1)
    assert dear.cost == pytest.approx(dear.study.n * (4 + dear.study.repeats * 0.1))
    assert cheapest_plan(Study(50, 0.4), 0.1, price).study.repeats == 1
    assert cheapest_plan(study, 0.0001, price, most_samples=1000) is None
    grown = cheapest_plan(Study(50, 0.4, clusters=10, correlation=0.2), 0.1, price).study
    assert grown.n / grown.clusters == pytest.approx(5, rel=0.05)


def test_a_study_that_cannot_be_is_refused():
    """One sample, one cluster, no spread, a price of nothing."""
    for study in (Study(1, 1.0), Study(10, 1.0, clusters=1), Study(10, 0.0)):
        with pytest.raises(BadInputError, match="at least two samples"):
            power_of(study, 0.1)
    with pytest.raises(BadInputError, match="expected a positive one"):
        cheapest_plan(Study(10, 1.0), 0.1, Price(0.0, 1.0))


def test_the_command_plans_with_clusters_and_prices(benchbar):
    """`stats power` prints what n samples show by t, and the cheapest study for an effect."""
    words = ("stats", "power", "--n", "8", "--sd", "0.45")
    assert "52.0 points at 80% power" in benchbar(*words).out
    found = json.loads(
        benchbar(*words, "--effect", "0.1", "--clusters", "4", "--noise", "0.3", "--sample-cost", "5", "--json").out
    )
    assert found["detectable_effect"] > 0.52
    assert found["cheapest"]["power"] >= 0.8
    refused = benchbar(*words, "--clusters", "9")
    assert (refused.code, "9 clusters of 8 samples" in refused.err) == (2, True)
