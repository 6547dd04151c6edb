"""Bradley-Terry and Davidson fits against statsmodels and a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize

from benchbar.records.errors import BadInputError
from benchbar.statistics import rank


def games(seed=1, size=5, count=600):
    """Verdicts drawn from known strengths, several a sample."""
    draw = np.random.default_rng(seed)
    strength = np.linspace(-1, 1, size)
    left = draw.integers(0, size, size=count)
    right = (left + draw.integers(1, size, size=count)) % size
    chance = 1 / (1 + np.exp(-(strength[left] - strength[right])))
    outcome = np.where(draw.random(count) < 0.2, 0.5, (draw.random(count) < chance).astype(float))
    return [f"m{i}" for i in left], [f"m{i}" for i in right], outcome, (np.arange(count) // 6).tolist()


def test_strengths_and_cluster_errors_are_statsmodels():
    """The GLM with +-1 columns and clustered covariance gives the same strengths and standard errors."""
    left, right, outcome, clusters = games()
    names = sorted(set(left))
    design = np.array([[(a == n) - (b == n) for n in names] for a, b in zip(left, right, strict=True)], float)
    fit = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters), "use_correction": False}
    )
    centre = np.eye(5)[:, 1:] - 1 / 5
    expected = dict(zip(names, centre @ fit.params, strict=True))
    errors = dict(zip(names, np.sqrt(np.diag(centre @ fit.cov_params() @ centre.T)), strict=True))
    found = rank(left, right, outcome, clusters=clusters)
    assert found.converged
    correction = np.sqrt(100 / 99)
    for entry in found.ranking:
        assert entry.strength.value == pytest.approx(expected[entry.name], abs=1e-6)
        assert entry.strength.standard_error == pytest.approx(errors[entry.name] * correction, abs=1e-6)


def test_davidson_is_the_maximum_of_its_likelihood():
    """A general optimiser of the written-out likelihood ends at the same strengths and nu."""
    left, right, outcome, _ = games()
    names = sorted(set(left))
    one, two = (np.array([names.index(x) for x in side]) for side in (left, right))

    def loss(parameters):
        strength = np.append(parameters[:4], -parameters[:4].sum())
        gap = strength[one] - strength[two]
        total = np.logaddexp(np.logaddexp(gap / 2, -gap / 2), parameters[4])
        chosen = np.where(outcome == 1, gap / 2, np.where(outcome == 0, -gap / 2, parameters[4]))
        return (total - chosen).sum()

    best = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-7}).x
    found = rank(left, right, outcome, ties="davidson")
    values = {entry.name: entry.strength.value for entry in found.ranking}
    assert [values[n] for n in names[:4]] == pytest.approx(best[:4], abs=1e-4)
    assert found.tie.value == pytest.approx(best[4], abs=1e-4)
    assert found.win_probability["m4"]["m0"].value > 0.7


def test_style_covariate_takes_what_length_explains():
    """Where the longer side always gains, the covariate is found and equal competitors stay equal."""
    draw = np.random.default_rng(4)
    gap = draw.normal(size=4000)
    outcome = (draw.random(4000) < 1 / (1 + np.exp(-1.2 * gap))).astype(float)
    left = draw.choice(["a", "b", "c"], size=4000)
    right = [{"a": "b", "b": "c", "c": "a"}[x] for x in left]
    found = rank(left.tolist(), right, outcome, covariates={"length": gap})
    assert found.covariates["length"].low < 1.2 < found.covariates["length"].high
    assert all(entry.strength.low < 0 < entry.strength.high for entry in found.ranking)
    assert all((entry.rank_low, entry.rank_high) == (1, 3) for entry in found.ranking)


def test_clear_differences_give_narrow_ranks():
    """With many games the ends of the order are sure."""
    left, right, outcome, _ = games(count=6000)
    found = rank(left, right, outcome)
    assert [entry.name for entry in found.ranking] == ["m4", "m3", "m2", "m1", "m0"]
    assert (found.ranking[0].rank_low, found.ranking[0].rank_high) == (1, 1)
    assert (found.ranking[-1].rank_low, found.ranking[-1].rank_high) == (5, 5)


def test_an_unbeaten_competitor_has_no_finite_strength():
    """Whoever won all games is named as the reason, instead of an enormous number."""
    found = rank(["a", "b", "a"], ["b", "c", "c"], [1.0, 0.5, 1.0])
    assert not found.converged
    assert found.ranking[0].name == "a"
    assert found.ranking[0].strength.value is None
    assert "a won all" in found.ranking[0].strength.reason


def test_groups_that_never_met_cannot_be_ranked():
    """Two islands of competitors have no common scale."""
    found = rank(["a", "b", "c", "d"], ["b", "a", "d", "c"], [1.0, 1.0, 1.0, 1.0])
    assert "never met" in found.reason


def test_bad_input_of_rank():
    """A competitor against itself, and soft outcomes under Davidson, are refused with the row."""
    with pytest.raises(BadInputError, match="row 2"):
        rank(["a", "b"], ["b", "b"], [1.0, 0.0])
    with pytest.raises(BadInputError, match=r"0\.7 in row 1"):
        rank(["a"], ["b"], [0.7], ties="davidson")
    assert "no comparison" in rank(["a"], ["b"], [None]).reason


def test_davidson_without_ties_says_so():
    """Where nothing tied there is no parameter of ties to fit; everything tied has none either."""
    left, right = ["a", "b", "a", "b"], ["b", "a", "b", "a"]
    assert "nothing tied" in rank(left, right, [1.0, 1.0, 0.0, 1.0], ties="davidson").reason
    assert "everything tied" in rank(left, right, [0.5] * 4, ties="davidson").reason
    assert rank(left, right, [0.5] * 4).ranking[0].strength.value == pytest.approx(0)
