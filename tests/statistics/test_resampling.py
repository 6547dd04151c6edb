"""The cluster bootstrap: what it draws, and that every statistic is a function of each row of sums alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from benchbar.statistics import bootstrapped
from benchbar.statistics.classification import accuracy, f_score, macro, precision, recall
from benchbar.statistics.kappas import alpha, alpha_interval, fleiss, gwet, kappa_of_tables, ratio, similarity
from benchbar.statistics.resampling import CHUNK, MOST_CLUSTERS, resampled_sums


def drawn(seed: int = 1) -> np.random.Generator:
    """The same draws in every test."""
    return np.random.default_rng(seed)


def counts(*shape: int) -> np.ndarray:
    """Random counts, some of them 0."""
    return drawn(7).integers(0, 6, size=shape).astype(float)


STATISTICS = {
    "accuracy": (accuracy, counts(5, 3, 4)),
    "precision": (precision, counts(5, 3, 4)),
    "recall": (recall, counts(5, 3, 4)),
    "F2": (lambda tables: f_score(tables, 2.0), counts(5, 3, 4)),
    "macro F1": (lambda tables: macro(f_score(tables), tables), counts(5, 3, 4)),
    "kappa": (lambda tables: kappa_of_tables(tables, 1 - similarity(3, "linear")), counts(5, 3, 3)),
    "ratio": (ratio, counts(5, 2)),
    "Fleiss": (fleiss, counts(5, 6) / 10),
    "Gwet": (gwet(similarity(3, "linear")), counts(5, 6) / 10),
    "alpha": (alpha(3, ordinal=False), counts(5, 9)),
    "ordinal alpha": (alpha(3, ordinal=True), counts(5, 9)),
    "interval alpha": (alpha_interval, counts(5, 4)),
}


@pytest.mark.parametrize(("statistic", "sums"), STATISTICS.values(), ids=STATISTICS)
def test_a_statistic_of_many_resamples_is_that_of_each_alone(statistic, sums):
    """No resample sees another: all rows at once give what one row after the other gives."""
    together = statistic(sums)
    alone = np.concatenate([statistic(sums[place : place + 1]) for place in range(len(sums))])
    assert together.shape == alone.shape
    np.testing.assert_array_equal(together, alone)


def test_no_counts_have_no_measure():
    """An empty matrix is undefined, and never 0 or 1."""
    empty = np.zeros((1, 3, 4))
    assert np.isnan([accuracy(empty)[0], macro(f_score(empty), empty)[0]]).all()
    assert np.isnan(np.concatenate([precision(empty), recall(empty), f_score(empty)])).all()
    assert np.isnan([ratio(np.zeros((1, 2)))[0], alpha(3, ordinal=False)(np.zeros((1, 9)))[0]]).all()


def test_both_limits_are_percentiles_of_the_mean():
    """Of 4,000 normal values the limits lie at the quantiles of the normal distribution, on either side."""
    values = drawn().normal(10, 2, size=4000)
    rows = np.column_stack([values, np.ones(4000)])
    found = bootstrapped(rows, ratio, drawn(2), method="mean", resamples=4000, confidence=0.9)
    error = values.std(ddof=1) / np.sqrt(4000)
    assert found.standard_error == pytest.approx(error, rel=0.05)
    assert (found.value - found.low) / error == pytest.approx(norm.ppf(0.95), rel=0.06)
    assert (found.high - found.value) / error == pytest.approx(norm.ppf(0.95), rel=0.06)


SIZES = {"few kinds": (3000, 3), "all different": (300, 0), "more than are drawn one by one": (MOST_CLUSTERS + 616, 0)}


@pytest.mark.parametrize(("total", "kinds"), SIZES.values(), ids=SIZES)
def test_means_vary_as_drawn_with_replacement_however_many_there_are(total, kinds):
    """Resampled means centre on the mean with a spread of SD/sqrt(n), by whichever of the three ways sums are drawn."""
    values = drawn(3).integers(0, kinds, size=total).astype(float) if kinds else drawn(3).normal(5, 1, size=total)
    sums = resampled_sums(np.column_stack([values, np.ones(total)]), drawn(4), resamples=1500)
    means = sums[:, 0] / sums[:, 1]
    error = values.std() / np.sqrt(total)
    assert len(means) == 1500
    assert means.mean() == pytest.approx(values.mean(), abs=error / 5)
    assert means.std() == pytest.approx(error, rel=0.08)


def test_draws_that_fill_more_than_one_piece_of_memory_are_as_many_as_asked():
    """Resamples are drawn piece by piece; each has as many units as there are, and the last piece is not whole."""
    total = 12_000
    ones = np.column_stack([np.ones(total), drawn().normal(size=total)])
    resamples = CHUNK // total + 7
    sums = resampled_sums(ones, drawn(), resamples=resamples)
    assert sums.shape == (resamples, 2)
    assert (sums[:, 0] == total).all()
    assert len(np.unique(sums[:, 1])) == resamples


def test_clusters_are_drawn_whole():
    """A cluster's two opposite units always come together: their sum is never other than 0."""
    values = np.array([1.0, -1.0, 2.5, -2.5, 0.5, -0.5])
    sums = resampled_sums(values[:, None], drawn(), codes=np.array([4, 4, 1, 1, 3, 3]), resamples=50)
    assert np.abs(sums).max() == 0
    assert np.abs(resampled_sums(values[:, None], drawn(), resamples=50)).max() > 0


@pytest.mark.parametrize(("defined", "bounded"), [(96, True), (94, False)])
def test_an_interval_needs_nearly_all_resamples(defined, bounded):
    """With 5% of the resamples undefined there still is an interval; with more there is the reason in its place."""

    def statistic(sums):
        found = np.arange(len(sums), dtype=float)
        found[defined:] = np.nan
        return found

    found = bootstrapped(np.ones((5, 1)), statistic, drawn(), method="odd", resamples=100)
    assert (found.interval is not None) == bounded
    assert ("undefined in 6% of the resamples" in found.reason) == (not bounded)
