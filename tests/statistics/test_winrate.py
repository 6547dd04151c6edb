"""Win rates: what the intervals hold, and what they do where there is little to hold."""

from __future__ import annotations

import csv
from collections import defaultdict
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from benchbar.records import Comparison, ScoreStatus, Winner
from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    OrderedOutcome,
    averaged,
    macro_win_rate,
    outcomes_by_sample,
    paired_difference,
    position_test,
    win_rate,
)
from benchbar.statistics.tango import tango_interval

OUTCOMES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60)


def score_statistic(wins, losses, n, delta):
    """Tango's statistic, its restricted estimate found by search and not by the formula."""
    grid = np.linspace(max(0.0, -delta), (1 - delta) / 2, 20_001)[1:-1]
    ties = 1 - 2 * grid - delta
    with np.errstate(divide="ignore"):
        likelihood = (
            wins * np.log(grid + delta) + losses * np.log(grid) + (n - wins - losses) * np.log(np.maximum(ties, 1e-300))
        )
    loss = grid[np.argmax(likelihood)]
    return (wins - losses - n * delta) / sqrt(n * (2 * loss + delta - delta * delta))


@pytest.mark.parametrize(("wins", "losses", "n"), [(4, 3, 10), (7, 1, 20), (30, 12, 50), (1, 8, 12)])
def test_limits_are_where_the_score_test_turns(wins, losses, n):
    """At either limit the score statistic, maximised without the closed form, is the normal quantile."""
    low, high = tango_interval(wins, losses, n, 1.96)
    assert score_statistic(wins, losses, n, low) == pytest.approx(1.96, abs=5e-3)
    assert score_statistic(wins, losses, n, high) == pytest.approx(-1.96, abs=5e-3)


@given(wins=st.integers(0, 60), losses=st.integers(0, 60))
def test_without_ties_it_is_wilson(wins, losses):
    """Where nothing tied, the limits are those of Wilson's interval for a share."""
    assume(wins + losses > 0)
    found = win_rate([1.0] * wins + [0.0] * losses)
    low, high = proportion_confint(wins, wins + losses, method="wilson")
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


@given(OUTCOMES)
def test_interval_holds_the_value_and_stays_on_the_scale(outcomes):
    """The limits enclose the mean, lie in 0 to 1, and have a width whatever the outcomes are."""
    found = win_rate(outcomes)
    assert found.value == pytest.approx(np.mean(outcomes))
    assert -1e-9 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 1 + 1e-9
    assert found.high - found.low > 0.01


@given(OUTCOMES)
def test_swapping_the_sides_mirrors_the_interval(outcomes):
    """The reference's rate against the candidate is one minus the candidate's, limits included."""
    one, other = win_rate(outcomes), win_rate([1 - y for y in outcomes])
    assert (other.low, other.high) == pytest.approx((1 - one.high, 1 - one.low), abs=1e-9)


def test_degenerate_samples_have_wide_intervals_and_not_zero_width():
    """One sample, all ties and all wins each leave room for what was not seen."""
    assert win_rate([1.0]).low < 0.3
    ties = win_rate([0.5] * 10)
    assert ties.value == 0.5
    assert (ties.low, ties.high) == pytest.approx((0.5 - 0.1388, 0.5 + 0.1388), abs=1e-3)
    wins = win_rate([1.0] * 10)
    assert wins.high == pytest.approx(1)
    assert wins.low == pytest.approx(proportion_confint(10, 10, method="wilson")[0])


def test_nothing_measured_is_undefined_and_not_zero():
    """Without outcomes there is a reason, and the missing ones are counted."""
    found = win_rate([None, None], n_missing=1)
    assert (found.value, found.n, found.n_missing) == (None, 0, 3)
    assert "nothing was measured" in found.reason


def test_a_value_off_the_scale_is_named():
    """A preference of 1.7 or a NaN is refused with its position; it is never averaged in."""
    with pytest.raises(BadInputError, match=r"1\.7 at position 2"):
        win_rate([0.5, 1.7])
    with pytest.raises(BadInputError, match="position 1"):
        win_rate([float("nan"), 1.0])


def test_clusters_widen_the_interval():
    """Ten copies of each of six samples say no more than about six samples do."""
    outcomes = [1.0, 1.0, 0.0, 1.0, 0.5, 0.0] * 10
    plain = win_rate(outcomes)
    clustered = win_rate(outcomes, clusters=list(range(6)) * 10)
    assert clustered.value == plain.value
    assert clustered.high - clustered.low > 2 * (plain.high - plain.low)
    assert clustered.standard_error == pytest.approx(np.std(outcomes[:6], ddof=1) / sqrt(6))
    assert win_rate([1.0, 0.0], clusters=["a", "a"]).reason == "one cluster: no interval can be given"


def test_alpacaeval_win_rates_and_standard_errors(published):
    """Rates and standard errors of all published models are met to 1e-6 of a point."""
    folder = published / "prefs" / "alpaca_eval"
    outcomes = defaultdict(list)
    with (folder / "annotations_v2_even.csv").open() as file:
        for row in csv.DictReader(file):
            outcomes[row["model"]].append(float(row["preference"]) - 1 if row["preference"] else None)
    with (folder / "published_leaderboard_v2_even.csv").open() as file:
        board = list(csv.DictReader(file))
    assert board
    for row in board:
        found = win_rate(outcomes[row["model"]])
        assert 100 * found.value == pytest.approx(float(row["win_rate"]), abs=1e-6)
        assert 100 * found.standard_error == pytest.approx(float(row["standard_error"]), abs=1e-6)


def test_macro_has_two_standard_errors():
    """Unequal tasks: one error speaks of other samples, the other of other tasks, each by its formula."""
    tasks = {"a": [1.0, 0.0, 1.0, 1.0], "b": [0.5, 0.5, 0.0], "c": [0.0, 1.0]}
    these, like_these = macro_win_rate(tasks)
    means = [np.mean(v) for v in tasks.values()]
    errors = [np.var(v, ddof=1) / len(v) for v in tasks.values()]
    assert these.value == like_these.value == pytest.approx(np.mean(means))
    assert these.standard_error == pytest.approx(sqrt(sum(errors)) / 3)
    assert like_these.standard_error == pytest.approx(np.std(means, ddof=1) / sqrt(3))
    assert these.method != like_these.method
    assert (these.n, like_these.n, like_these.unit) == (9, 3, "task")


def test_macro_of_one_task_is_that_task():
    """With a single task the first interval is its own and the second is undefined with a reason."""
    these, like_these = macro_win_rate({"a": [1.0, 0.5, 0.0, 1.0]})
    alone = win_rate([1.0, 0.5, 0.0, 1.0])
    assert (these.low, these.high) == pytest.approx((alone.low, alone.high))
    assert like_these.low is None
    assert like_these.reason


def test_macro_names_the_task_that_is_missing():
    """A task without outcomes does not vanish from the average unseen."""
    these, _ = macro_win_rate({"1-1": [None], "1-2": [1.0, 0.0]})
    assert these.reason == "1 of 2 tasks; nothing measured in 1-1"
    assert these.n_missing == 1


def test_paired_difference_uses_only_shared_samples():
    """Samples lacking either value are counted missing; equal candidates differ by exactly nothing."""
    found = paired_difference([1.0, 0.5, None, 1.0], [0.0, 0.5, 1.0, None])
    assert (found.value, found.n, found.n_missing) == (0.5, 2, 2)
    same = paired_difference([1.0, 0.0, 0.5], [1.0, 0.0, 0.5])
    assert same.value == 0
    assert same.low < 0 < same.high
    with pytest.raises(BadInputError, match="2 and 1 values"):
        paired_difference([1.0, 0.0], [1.0])


def comparison(sample, order, winner, **more):
    """A judged comparison of candidate and reference."""
    return Comparison(
        sample=sample,
        left="candidate",
        right="base",
        order=order,
        status=ScoreStatus.SCORED,
        winner=winner,
        **more,
    )


def test_orders_are_averaged_within_the_sample():
    """Two orders give one outcome; repeats are averaged first; a sample with one order only is missing."""
    found = outcomes_by_sample(
        [
            comparison("s1", "left_first", Winner.LEFT),
            comparison("s1", "right_first", Winner.TIE),
            comparison("s2", "left_first", Winner.LEFT),
            comparison("s3", "left_first", Winner.LEFT, repeat=0),
            comparison("s3", "left_first", Winner.RIGHT, repeat=1),
            comparison("s3", "right_first", Winner.RIGHT),
        ]
    )
    assert averaged(found.values()) == [0.75, None, 0.25]


def test_failed_verdicts_are_missing():
    """A verdict that could not be read leaves its order empty instead of counting as a tie."""
    failed = Comparison(
        sample="s", left="a", right="b", order="right_first", status=ScoreStatus.FAILED, reason="no verdict"
    )
    assert outcomes_by_sample([comparison("s", "left_first", Winner.LEFT), failed])["s"] == (1.0, None)


def test_a_judge_that_always_prefers_the_first_is_seen():
    """Nine of ten verdicts for whoever came first: inconsistency 0.9 and a small p-value."""
    found = position_test([OrderedOutcome(1.0, 0.0)] * 9 + [OrderedOutcome(1.0, 1.0), OrderedOutcome(None, 1.0)])
    assert found.inconsistency.value == 0.9
    assert found.inconsistency.n_missing == 1
    assert (found.always_first, found.always_second, found.other) == (9, 0, 0)
    assert found.first_share.value == 1.0
    assert found.p_value == pytest.approx(binomtest(9, 9).pvalue)


def test_a_tie_in_one_order_is_inconsistent_but_favours_no_position():
    """A win that becomes a tie counts as inconsistent and stays out of the sign test."""
    found = position_test([OrderedOutcome(1.0, 0.5)])
    assert (found.inconsistency.value, found.other, found.p_value) == (1.0, 1, None)
    assert found.first_share.value is None
