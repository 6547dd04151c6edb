"""A designed sample: what is drawn with which chance, and what the drawn units say of all."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import BadInputError
from benchbar.statistics import designed_share, share, stratified_draw


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60), st.integers(1, 80))
def test_each_stratum_is_drawn_in_proportion(strata, size):
    """As many as were asked for, none twice, and of each stratum its share but for one unit."""
    found = stratified_draw(strata, size, np.random.default_rng(1))
    count = min(size, len(strata))
    assert len(set(found.chosen)) == len(found.chosen) == count
    assert found.chance == pytest.approx(count / len(strata))
    drawn = Counter(strata[place] for place in found.chosen)
    for stratum, whole in Counter(strata).items():
        assert abs(drawn[stratum] - found.chance * whole) < 1 + 1e-9


def test_every_unit_is_drawn_as_often_as_its_chance_says():
    """Over 4,000 draws, also where there are more strata than units to draw."""
    generator = np.random.default_rng(2)
    counts = Counter(place for _ in range(4000) for place in stratified_draw(list("aabbbcde"), 3, generator).chosen)
    assert all(abs(counts[place] / 4000 - 3 / 8) < 4 * (3 / 8 * 5 / 8 / 4000) ** 0.5 for place in range(8))


def test_the_same_seed_draws_the_same_units():
    """And another one others."""
    strata = ["a"] * 50 + ["b"] * 30
    one, two, other = (stratified_draw(strata, 20, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert one == two
    assert one.chosen != other.chosen
    with pytest.raises(BadInputError, match="expected at least 1"):
        stratified_draw(strata, 0, np.random.default_rng(1))


def test_the_weighted_share_and_its_error_are_those_of_a_weighted_regression():
    """Statsmodels' weighted least squares on a constant, with cluster-robust errors, gives both."""
    generator = np.random.default_rng(5)
    clusters = generator.integers(0, 25, 120)
    flags = (generator.random(120) < 0.3 + 0.4 * (clusters % 2)).astype(float)
    chances = np.where(clusters % 3 == 0, 0.2, 0.9)
    found = designed_share(flags, chances, clusters=clusters.tolist())
    fit = sm.WLS(flags, np.ones(120), weights=1 / chances).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    count = len(set(clusters))
    assert found.value == pytest.approx(fit.params[0])
    assert found.standard_error == pytest.approx(float(fit.bse[0]) * np.sqrt(count / (count - 1)))
    assert found.low < found.value < found.high


def test_with_equal_chances_it_is_the_clustered_share():
    """One stratum and one chance: nothing of the design is left."""
    generator = np.random.default_rng(6)
    clusters = generator.integers(0, 15, 90).tolist()
    flags = [bool(x) for x in generator.random(90) < 0.7]
    found, plain = (
        designed_share(flags, [0.5] * 90, clusters=clusters),
        share(flags, clusters=clusters, correction="CR1"),
    )
    assert (found.value, found.low, found.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_over_many_draws_the_estimate_is_unbiased_and_its_interval_holds():
    """Strata of different shares and sizes, clusters alike within: 95% intervals hold the truth in 91 to 99 of 100 draws."""
    generator = np.random.default_rng(7)
    strata = np.repeat([0, 1, 2], [30, 60, 110])
    rates = np.clip(generator.normal([0.9, 0.6, 0.3], 0.15, (200, 3))[np.arange(200), strata], 0, 1)
    points = [generator.random(5) < rate for rate in rates]
    truth = float(np.mean(np.concatenate(points)))
    values, held = [], 0
    for _ in range(400):
        drawn = stratified_draw(strata.tolist(), 40, generator)
        flags = [bool(x) for place in drawn.chosen for x in points[place]]
        own = [place for place in drawn.chosen for _ in range(5)]
        found = designed_share(
            flags,
            [drawn.chance] * len(own),
            clusters=own,
            strata=[int(strata[place]) for place in own],
        )
        values.append(found.value)
        held += found.low <= truth <= found.high
    assert abs(np.mean(values) - truth) < 4 * np.std(values) / 20
    assert 0.91 <= held / 400 <= 0.99


def test_what_shows_no_variance_has_no_false_certainty():
    """All right in few clusters is no proof; a single cluster has no interval; nothing measured says so."""
    every = designed_share(
        [1] * 30, [0.3] * 30, clusters=[n // 10 for n in range(30)], strata=[n // 10 for n in range(30)]
    )
    assert every.value == 1
    assert every.low < 0.5
    assert designed_share([1, 0], [0.5, 0.5], clusters=["a", "a"]).reason == "one cluster: no interval can be given"
    assert designed_share([None], [0.5], clusters=["a"]).reason == "nothing was measured"
    with pytest.raises(BadInputError, match="above 0"):
        designed_share([1], [0.0], clusters=["a"])
    with pytest.raises(BadInputError, match="0 or 1"):
        designed_share([0.5], [0.1], clusters=["a"])
