"""Bradley-Terry and Davidson fits against statsmodels and a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

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


def win_probability_of_the_fit(found, one, other, nu=0.0):
    """P(win) + P(tie)/2 of two strengths, written out."""
    strength = {entry.name: entry.strength.value for entry in found.ranking}
    gap = strength[one] - strength[other]
    win, loss = np.exp(gap / 2), np.exp(-gap / 2)
    return (win + nu / 2) / (win + loss + nu)


def test_win_probabilities_follow_from_the_strengths():
    """The logistic function of their difference; with Davidson's ties half of a tie is added."""
    left, right, outcome, _ = games(count=300)
    plain, davidson = rank(left, right, outcome), rank(left, right, outcome, ties="davidson")
    nu = np.exp(davidson.tie.value)
    for one, other in (("m4", "m0"), ("m1", "m3")):
        assert plain.win_probability[one][other].value == pytest.approx(win_probability_of_the_fit(plain, one, other))
        assert davidson.win_probability[one][other].value == pytest.approx(
            win_probability_of_the_fit(davidson, one, other, nu)
        )
    assert set(plain.win_probability["m0"]) == {"m1", "m2", "m3", "m4"}


def test_of_two_competitors_all_limits_are_those_of_their_difference():
    """Strengths are s and -s: the gap is 2s with twice the error, and its limits give those of the win probability."""
    left, right = ["a"] * 20 + ["b"] * 10, ["b"] * 20 + ["a"] * 10
    found = rank(left, right, [1.0] * 14 + [0.0] * 6 + [1.0] * 4 + [0.0] * 6)
    strength = found.ranking[0].strength
    assert strength.value == pytest.approx(np.log(20 / 10) / 2)
    assert found.ranking[1].strength.value == pytest.approx(-strength.value)
    # The sandwich of independent games is the binomial variance p(1 - p)/n on the logit scale, times n/(n - 1).
    assert 2 * strength.standard_error == pytest.approx(np.sqrt(30 / 29 / (30 * (2 / 3) * (1 / 3))))
    probability = found.win_probability["a"]["b"]
    assert probability.value == pytest.approx(2 / 3)
    for end, limit in ((probability.low, strength.low), (probability.high, strength.high)):
        assert end == pytest.approx(1 / (1 + np.exp(-2 * limit)))


@pytest.mark.parametrize("count", [150, 300, 600, 900])
def test_ranks_are_open_where_differences_are_not_sure(count):
    """1 + the surely better to K - the surely worse, by differences of statsmodels' fit and its Holm method over ten pairs."""
    left, right, outcome, _ = games(count=count)
    names = sorted(set(left))
    design = np.array([[(a == n) - (b == n) for n in names] for a, b in zip(left, right, strict=True)], float)
    fit = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit(cov_type="HC0")
    strength, covariance = np.r_[0.0, fit.params], np.zeros((5, 5))
    covariance[1:, 1:] = fit.cov_params() * count / (count - 1)
    variance = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
    z = (strength[:, None] - strength[None, :]) / np.sqrt(np.where(variance > 1e-12, variance, np.inf))
    places = np.triu_indices(5, 1)
    rejected, *_ = multipletests(2 * norm.sf(np.abs(z[places])), alpha=0.05, method="holm")
    sure = np.zeros((5, 5))
    sure[places] = rejected
    sure = np.sign(z) * (sure + sure.T)
    found = {entry.name: (entry.rank_low, entry.rank_high) for entry in rank(left, right, outcome).ranking}
    assert found == {name: (1 + int((sure[i] < 0).sum()), 5 - int((sure[i] > 0).sum())) for i, name in enumerate(names)}


def test_davidsons_errors_are_those_of_its_likelihood():
    """The sandwich from numerical derivatives of the written-out likelihood, with a covariate beside the ties."""
    left, right, outcome, _ = games(size=3, count=400)
    style = np.random.default_rng(8).normal(size=400)
    names = sorted(set(left))
    one, two = (np.array([names.index(x) for x in side]) for side in (left, right))

    def likelihoods(parameters):
        strength = np.append(parameters[:2], -parameters[:2].sum())
        gap = strength[one] - strength[two] + parameters[2] * style
        total = np.logaddexp(np.logaddexp(gap / 2, -gap / 2), parameters[3])
        return np.where(outcome == 1, gap / 2, np.where(outcome == 0, -gap / 2, parameters[3])) - total

    def slopes(parameters, step=1e-4):
        return np.stack(
            [(likelihoods(parameters + e) - likelihoods(parameters - e)) / (2 * step) for e in np.eye(4) * step]
        )

    found = rank(left, right, outcome, ties="davidson", covariates={"style": style})
    strength = {entry.name: entry.strength for entry in found.ranking}
    at = np.array([strength[n].value for n in names[:2]] + [found.covariates["style"].value, found.tie.value])
    assert np.abs(slopes(at).sum(axis=1)).max() < 1e-4
    hessian = np.stack([(slopes(at + e).sum(axis=1) - slopes(at - e).sum(axis=1)) / 2e-4 for e in np.eye(4) * 1e-4])
    inverse = np.linalg.inv(hessian)
    errors = np.sqrt(np.diag(inverse @ slopes(at) @ slopes(at).T @ inverse) * 400 / 399)
    measured = [strength[n].standard_error for n in names[:2]]
    measured += [found.covariates["style"].standard_error, found.tie.standard_error]
    assert measured == pytest.approx(errors, rel=1e-3)


def test_a_covariate_that_decides_every_game_has_no_finite_weight():
    """The fit stops at a hundred steps, says so, and gives no number."""
    draw = np.random.default_rng(1)
    gap = np.round(draw.normal(size=40), 2) + 0.005
    found = rank(["a", "b"] * 20, ["b", "a"] * 20, (gap > 0).astype(float), covariates={"length": gap})
    assert (found.converged, found.iterations) == (False, 100)
    assert "no convergence within 100" in found.reason
    assert (found.ranking[0].strength.value, found.covariates, found.win_probability) == (None, {}, {})


def test_the_unranked_stand_in_order_of_their_points():
    """Who won all comes first and who lost all last, each with the number of its games, without ranks."""
    found = rank(["a", "b", "a", "c", "b"], ["b", "c", "c", "d", "d"], [1.0, 0.5, 1.0, 1.0, 1.0])
    assert [entry.name for entry in found.ranking] == ["a", "b", "c", "d"]
    assert [entry.strength.n for entry in found.ranking] == [2, 3, 3, 2]
    assert {(entry.rank_low, entry.rank_high) for entry in found.ranking} == {(None, None)}
    assert found.iterations == 0


def test_a_game_without_its_covariate_is_missing():
    """It counts neither for the strengths nor for the games played."""
    left, right, outcome = ["a", "b", "a", "b", "a"], ["b", "a", "b", "a", "b"], [1.0, 1.0, 0.0, 0.0, 1.0]
    found = rank(left, right, outcome, covariates={"length": [0.1, -0.2, 0.3, 0.1, None]})
    assert (found.ranking[0].strength.n, found.ranking[0].strength.n_missing) == (4, 1)
