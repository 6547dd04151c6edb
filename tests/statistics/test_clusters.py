"""Means over samples that belong together: corrections for few and unequal clusters, against derivations by matrices."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import fractional_matrix_power

from benchbar.records import Estimate
from benchbar.records.base import encode
from benchbar.records.errors import BadInputError
from benchbar.reports.numbers import rate
from benchbar.statistics import mean, paired_difference, share, win_rate
from benchbar.statistics.clusters import clustered_error


def by_matrices(values: np.ndarray, codes: np.ndarray) -> tuple[float, float]:
    """CR2 and Bell and McCaffrey's degrees of freedom as they are written for any regression, here on a constant."""
    n = len(values)
    design = np.ones((n, 1))
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    rest = np.eye(n) - hat
    columns, total = [], 0.0
    for code in np.unique(codes):
        own = codes == code
        adjusted = fractional_matrix_power(np.eye(own.sum()) - hat[np.ix_(own, own)], -0.5).real
        contrast = adjusted @ design[own] / n
        total += (contrast[:, 0] @ (rest @ values)[own]) ** 2
        columns.append(rest[:, own] @ contrast)
    gathered = np.hstack(columns)
    inner = gathered.T @ gathered
    return sqrt(total), float(np.trace(inner) ** 2 / np.trace(inner @ inner))


@pytest.mark.slow
@given(st.integers(0, 10_000), st.lists(st.integers(1, 7), min_size=2, max_size=8))
def test_the_correction_equals_its_general_form_for_a_regression_on_a_constant(seed, sizes):
    """Standard error and degrees of freedom to 1e-9, for clusters of any sizes; never below the independent error."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    values = np.random.default_rng(seed).random(len(codes)) + codes * 0.3
    found = clustered_error(values, codes)
    error, degrees = by_matrices(values, codes)
    assert found.standard_error == pytest.approx(max(error, values.std(ddof=1) / sqrt(len(values))), rel=1e-9)
    assert found.degrees == pytest.approx(degrees, rel=1e-9)
    assert 1 <= found.degrees <= len(sizes) - 1 + 1e-9


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 6))
def test_with_clusters_of_one_size_both_corrections_agree(seed, count, size):
    """C/(C-1) and C - 1 degrees of freedom are exact there."""
    codes = np.repeat(np.arange(count), size)
    values = np.random.default_rng(seed).random(len(codes)) + codes
    one, two = (clustered_error(values, codes, correction) for correction in ("CR1", "CR2"))
    assert one.standard_error == pytest.approx(two.standard_error)
    assert one.degrees == pytest.approx(two.degrees)


@pytest.mark.parametrize(
    "estimate", [mean, share, win_rate, lambda values, **how: paired_difference(values, [0.0] * 24, **how)]
)
def test_every_estimator_takes_the_correction_and_says_what_samples_are_worth(estimate):
    """Four documents of very unequal size: the interval widens, the design effect stands beside it, a row shows both."""
    values = [1.0] * 15 + [0.0] * 5 + [1.0, 1.0, 0.0, 0.0]
    documents = ["a"] * 15 + ["b"] * 5 + ["c"] * 2 + ["d"] * 2
    plain = estimate(values)
    found = estimate(values, clusters=documents, correction="CR2")
    assert found.value == plain.value
    assert found.high - found.low > plain.high - plain.low
    assert found.design_effect > 3
    assert found.effective_n == found.n / found.design_effect
    assert rate(found).endswith(f"(24 are worth {found.effective_n:.0f}: design effect {found.design_effect:.1f})")


def test_without_clusters_an_estimate_is_written_as_before():
    """No field more: results of suites without sources keep their bytes."""
    assert b"design_effect" not in encode(mean([0.0, 1.0]))
    assert b"design_effect" not in encode(share([0, 1, 1], clusters=["a", "a", "b"], correction="CR1"))
    assert Estimate(value=1.0, n=7).effective_n == 7
    assert "worth" not in rate(win_rate([1.0, 0.5, 0.0]))


def test_one_cluster_has_no_interval_and_equal_values_count_as_one_a_cluster():
    """Twenty wins on two documents are worth two samples."""
    assert mean([0.1, 0.9], clusters=["a", "a"], correction="CR2").low is None
    assert win_rate([1.0] * 20, clusters=["a", "b"] * 10, correction="CR2").effective_n == 2
    with pytest.raises(BadInputError, match="1 clusters for 2 values"):
        mean([0.0, 1.0], clusters=["a"], correction="CR2")
