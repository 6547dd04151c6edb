"""What is refused: values that are no numbers, lists that do not match, counts and levels that cannot be."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from benchbar import statistics
from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    Agreement,
    Components,
    LengthWeights,
    best_repeats,
    betting_interval,
    bounded_mean,
    clean_needed,
    controlled_by_weights,
    correct,
    family_interaction,
    length_controlled,
    mcnemar,
    mean,
    minimum_detectable_effect,
    non_inferior,
    obrien_fleming,
    ordinal_report,
    outcome_deviation,
    paired_difference,
    pearson,
    proportion,
    rank,
    ratings,
    same_family_bias,
    samples_needed,
    share,
    sign_flip_test,
    sign_test,
    spearman,
    upper_bound_of_failures,
    variance_components,
    win_rate,
)

NAN = [1.0, float("nan")]
FINE = [1.0, 0.0]
DRAWN = np.random.default_rng(1)

NO_NUMBER = {
    "value": lambda: mean(NAN),
    "flags": lambda: share(NAN),
    "outcomes": lambda: win_rate(NAN),
    "first": lambda: paired_difference(NAN, FINE),
    "second": lambda: paired_difference(FINE, NAN),
    "first (McNemar)": lambda: mcnemar(NAN, FINE),
    "second (McNemar)": lambda: mcnemar(FINE, NAN),
    "first (Pearson)": lambda: pearson(NAN, FINE),
    "second (Spearman)": lambda: spearman(FINE, NAN),
    "judge": lambda: same_family_bias(NAN, FINE, DRAWN),
    "people": lambda: same_family_bias(FINE, NAN, DRAWN),
    "judge (correction)": lambda: correct(NAN, FINE),
    "human": lambda: correct(FINE, NAN),
    "probability": lambda: correct(FINE, FINE, probability=NAN),
    "first (interaction)": lambda: family_interaction(NAN, FINE, DRAWN),
    "differences": lambda: sign_flip_test(NAN, DRAWN),
    "repeats": lambda: variance_components([NAN, FINE]),
    "outcomes (lengths)": lambda: length_controlled(NAN, FINE, FINE, DRAWN),
    "reference length": lambda: length_controlled(FINE, NAN, FINE, DRAWN),
    "candidate length": lambda: length_controlled(FINE, FINE, NAN, DRAWN),
    "difficulty": lambda: length_controlled(FINE, FINE, FINE, DRAWN, difficulty=NAN),
    "difficulty (weights)": lambda: controlled_by_weights(NAN, LengthWeights(1, 1, 1)),
    "outcomes (ranking)": lambda: rank(["a", "b"], ["b", "a"], NAN),
    "style": lambda: rank(["a", "b"], ["b", "a"], FINE, covariates={"style": NAN}),
}


@pytest.mark.parametrize(("name", "call"), NO_NUMBER.items(), ids=NO_NUMBER)
def test_a_value_that_is_no_number_is_refused_under_the_name_of_its_list(name, call):
    """NaN is no missing value: the error names the list and the position."""
    with pytest.raises(BadInputError, match="nan at position 2") as caught:
        call()
    assert caught.value.field == name.partition(" (")[0]


OFF_THE_SCALE = {
    "value": lambda: bounded_mean([0.5, 1.5]),
    "value (betting)": lambda: betting_interval([0.5, -0.5]),
    "outcomes": lambda: win_rate([0.5, 1.5]),
    "first": lambda: paired_difference([0.5, 1.5], FINE),
    "second": lambda: paired_difference(FINE, [0.5, -1.5]),
    "outcomes (ranking)": lambda: rank(["a", "b"], ["b", "a"], [0.5, 1.5]),
}


@pytest.mark.parametrize(("name", "call"), OFF_THE_SCALE.items(), ids=OFF_THE_SCALE)
def test_a_value_off_the_scale_is_refused_under_the_name_of_its_list(name, call):
    """What has to lie in 0 to 1 is never averaged in from elsewhere."""
    with pytest.raises(BadInputError, match=r"at position 2; expected 0 to 1") as caught:
        call()
    assert caught.value.field == name.partition(" (")[0]


UNMATCHED = {
    "clusters of a mean": (lambda: mean(FINE, clusters="abc"), "3 clusters for 2 values"),
    "clusters of a share": (lambda: share(FINE, clusters="abc"), "3 clusters for 2 values"),
    "clusters of a bet": (lambda: betting_interval(FINE, clusters="abc"), "3 clusters for 2 values"),
    "clusters of a win rate": (lambda: win_rate(FINE, clusters="abc"), "3 clusters for 2 values"),
    "clusters of raters": (
        lambda: Agreement(ratings({"a": ["x"], "b": ["y"]}), DRAWN, clusters="abc"),
        "3 clusters for 1 items",
    ),
    "a paired difference": (lambda: paired_difference(FINE, [1.0]), "2 and 1 values"),
    "McNemar": (lambda: mcnemar(FINE, [1.0]), "2 and 1 values"),
    "Pearson": (lambda: pearson(FINE, [1.0]), "2 and 1 values"),
    "a bias": (lambda: same_family_bias(FINE, [1.0], DRAWN), "2 and 1 values"),
    "a correction": (lambda: correct(FINE, [1.0]), "2 judge and 1 human"),
    "strata": (lambda: correct(FINE, FINE, strata="abc"), "3 strata for 2 items"),
    "probabilities": (lambda: correct(FINE, FINE, probability=[0.5]), "1 probabilities for 2 items"),
    "lengths": (lambda: length_controlled(FINE, FINE, [1.0], DRAWN), "different lengths"),
    "games": (lambda: rank(["a"], ["b", "a"], FINE), "different lengths"),
    "covariates": (lambda: rank(["a", "b"], ["b", "a"], FINE, covariates={"x": [1.0]}), "different lengths"),
    "labels": (lambda: ordinal_report(["x"], ["x", "y"], "xy", DRAWN), "1 true and 2 predicted"),
    "raters": (lambda: ratings({"a": ["x"], "b": ["x", "y"]}), r"\[1, 2\] items"),
}


@pytest.mark.parametrize(("call", "message"), UNMATCHED.values(), ids=UNMATCHED)
def test_lists_that_do_not_match_are_refused_with_their_lengths(call, message):
    """Nothing is cut to the shorter list."""
    with pytest.raises(BadInputError, match=message):
        call()


IMPOSSIBLE = {
    "successes": lambda: proportion(3, 2),
    "successes (negative)": lambda: proportion(-1, 2),
    "failures": lambda: upper_bound_of_failures(3, 2),
    "failures (negative)": lambda: upper_bound_of_failures(-1, 2),
    "confidence": lambda: mean([1.0, 0.0, 0.5], confidence=1.0),
    "confidence (zero)": lambda: proportion(1, 2, confidence=0.0),
    "margin": lambda: non_inferior(Estimate(value=0.0, low=-1.0, high=1.0), -0.01),
    "bound": lambda: clean_needed(1.0),
    "bound (zero)": lambda: clean_needed(0.0),
    "labels": lambda: ordinal_report(["x"], ["x"], ["x", "x"], DRAWN),
    "truth": lambda: ordinal_report(["z"], ["x"], ["x", "y"], DRAWN),
    "scores": lambda: ordinal_report(["x"], ["x"], ["x", "y"], DRAWN, scores=[[0.0, 1.5], [0.0, 1.0]]),
    "scores (below 0)": lambda: ordinal_report(["x"], ["x"], ["x", "y"], DRAWN, scores=[[-0.1, 1.0], [0.0, 1.0]]),
    "b": lambda: ratings({"a": ["x"], "b": ["z"]}, ["x", "y"]),
    "ties": lambda: Agreement(ratings({"a": ["x"], "b": ["y"]}), DRAWN, tie="z"),
    "probability": lambda: correct(FINE, FINE, probability=[0.5, 1.5]),
}


@pytest.mark.parametrize(("name", "call"), IMPOSSIBLE.items(), ids=IMPOSSIBLE)
def test_what_cannot_be_is_refused_under_its_name(name, call):
    """Counts above n, shares outside 0 to 1, labels that are not listed."""
    with pytest.raises(BadInputError) as caught:
        call()
    assert caught.value.field == name.partition(" (")[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: outcome_deviation(0.3, 0.9), "0.9 and 0.3"),
        (lambda: outcome_deviation(0.3, 0.1), "0.1 and 0.3"),
        (lambda: outcome_deviation(-0.1), "-0.1 ties"),
        (lambda: outcome_deviation(1.1), "1.1 ties"),
        (lambda: minimum_detectable_effect(10, 1.0, power=1.0), "power 1.0"),
        (lambda: minimum_detectable_effect(10, 1.0, level=0.0), "level 0.0"),
        (lambda: minimum_detectable_effect(10, 1.0, tests=0), "0 tests"),
        (lambda: samples_needed(0.0, 1.0), "effect = 0"),
        (lambda: samples_needed(0.1, 0.0), "SD = 0"),
        (lambda: best_repeats(Components(1, 1), sample_cost=0, judge_cost=1), "costs 0 and 1"),
        (lambda: best_repeats(Components(1, 1), sample_cost=1, judge_cost=0), "costs 1 and 0"),
        (lambda: obrien_fleming(0), "0 looks"),
        (lambda: obrien_fleming(51), "51 looks"),
        (lambda: obrien_fleming(4, level=1.0), "level 1.0"),
        (lambda: sign_test(-1, 2), "-1 and 2"),
        (lambda: sign_test(2, -1), "2 and -1"),
        (lambda: mcnemar([0.5], [1.0]), "0 and 1"),
    ],
)
def test_designs_that_cannot_be_are_refused_with_what_was_given(call, message):
    """Powers, levels, costs and numbers of looks outside their range."""
    with pytest.raises(BadInputError, match=message):
        call()


def test_the_edges_of_designs_are_allowed():
    """No ties or nothing but ties, one look and fifty, one test, an impossible effect of exactly the whole scale."""
    assert outcome_deviation(0.0, 1.0) == 0
    assert outcome_deviation(1.0, 0.5) == 0
    assert outcome_deviation(0.2, 0.1) == pytest.approx(0.2)
    assert len(obrien_fleming(50)) == 50
    assert samples_needed(1.0, 1.0) == 8
    assert best_repeats(Components(1, 1), sample_cost=1, judge_cost=1) == 1


def test_every_estimate_has_95_percent_confidence_unless_asked():
    """One default for all functions of the room."""
    functions = [getattr(statistics, name) for name in statistics.__all__]
    with_confidence = [
        inspect.signature(one).parameters["confidence"].default
        for one in functions
        if callable(one) and "confidence" in inspect.signature(one).parameters
    ]
    assert len(with_confidence) > 20
    assert set(with_confidence) == {0.95}
