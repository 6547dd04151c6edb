"""How steady a layer is: noise, reliability, agreement, and what repeating is worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from benchbar.statistics import intraclass, stability, variance_components


def table(items: int, runs: int, between: float, within: float, seed: int = 1) -> list[list[float]]:
    generator = np.random.default_rng(seed)
    truth = generator.normal(0.5, between, (items, 1))
    return (truth + generator.normal(0, within, (items, runs))).tolist()


def test_known_components_are_recovered():
    """Standard deviations of 0.2 between items and 0.1 between runs: ICC 0.8, of the mean of three 0.923."""
    found = stability(table(2000, 3, 0.2, 0.1), np.random.default_rng(0))
    assert found.deviation.low < 0.1 < found.deviation.high
    assert found.reliability.low < 0.8 < found.reliability.high
    assert found.reliability_of_mean.low < 12 / 13 < found.reliability_of_mean.high
    assert found.variation.value == pytest.approx(0.2, abs=0.01)
    assert found.components.within == pytest.approx(0.01, abs=0.001)


def test_repeats_follow_the_costs():
    """sqrt(1/4 * 100) = 5 where a dialogue costs a hundred runs; 1 where it costs one."""
    rows = table(3000, 4, 0.2, 0.1)
    assert stability(rows, np.random.default_rng(0), item_cost=100).repeats == 5
    assert stability(rows, np.random.default_rng(0)).repeats == 1


def test_runs_that_are_always_equal_are_perfectly_steady():
    """No deviation, nothing apart; kappa is 1 where some items are good and some are not."""
    found = stability([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], np.random.default_rng(0))
    assert (found.deviation.value, found.apart.value, found.kappa.value) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("rows", [[], [[0.5]], [[0.1, 0.9]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]])
def test_what_cannot_be_said_has_a_reason(rows):
    """Never a zero, never a NaN."""
    found = stability(rows, np.random.default_rng(0))
    for estimate in (found.deviation, found.variation, found.reliability, found.kappa, found.apart):
        assert estimate.value is not None or estimate.reason


def test_runs_of_items_with_different_numbers_are_pooled():
    """The deviation uses all of them, the reliability those with the usual number."""
    found = stability([[0.1, 0.3], [0.5, 0.7], [0.9, 0.8, 0.7]], np.random.default_rng(0))
    assert (found.deviation.n, found.reliability.n) == (3, 2)
    assert found.apart.value == pytest.approx(0.0)


def test_judges_agree_with_people_as_far_as_their_runs_do(published):
    """Published verdicts of a judge in two orders, with people's majority: kappa with intervals."""
    import csv

    from benchbar.statistics import Agreement, ratings

    with (published / "prefs/llmbar/judge_verdicts_even.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if (row["evaluator"], row["strategy"]) == ("GPT-4", "CoT")]
    columns = {
        name: [row[name] if row[name] in {"1", "2"} else None for row in rows] for name in ("winner_noswap", "label")
    }
    agreement = Agreement(ratings(columns, ("1", "2")), np.random.default_rng(0), resamples=500)
    kappa = agreement.cohen_kappa(0, 1)
    assert kappa.n > 100
    assert kappa.low < kappa.value < kappa.high


ROWS = [[0.1, 0.4], [0.9, 0.7], [0.3, 0.3], [0.6, 0.9]]


def test_the_deviation_is_pooled_and_bounded_by_chi_square():
    """sqrt(sum of squares/degrees), its limits those of the variance's chi-square interval; the variation is the same by the mean."""
    found = stability(ROWS, np.random.default_rng(0), confidence=0.9)
    squares = sum(np.var(row, ddof=1) for row in ROWS)
    assert found.deviation.value == pytest.approx(np.sqrt(squares / 4))
    assert found.deviation.low == pytest.approx(np.sqrt(squares / chi2.ppf(0.95, 4)))
    assert found.deviation.high == pytest.approx(np.sqrt(squares / chi2.ppf(0.05, 4)))
    mean = np.mean(ROWS)
    for field in ("value", "low", "high"):
        assert getattr(found.variation, field) == pytest.approx(getattr(found.deviation, field) / mean)


def test_runs_lie_apart_beyond_the_limit_and_not_on_it():
    """A distance of exactly .3 is within a limit of .3, whatever rounding makes of it; of two such and one less none is apart."""
    assert stability(ROWS, np.random.default_rng(0), limit=0.3).apart.value == 0
    assert stability(ROWS, np.random.default_rng(0), limit=0.29).apart.value == 0.5
    assert stability(ROWS, np.random.default_rng(0)).apart.value == 0.5


def test_runs_agree_on_what_is_good():
    """Cohen's kappa of good and not good for two runs; good is what reaches the mark. Fleiss' for three."""
    good = [[0.5, 0.5], [0.9, 0.2], [0.1, 0.0], [0.3, 0.8], [0.7, 0.9], [0.6, 0.6], [0.5, 0.6]]
    found = stability(good, np.random.default_rng(0)).kappa
    first, second = (np.array([row[run] >= 0.5 for row in good]) for run in (0, 1))
    assert found.value == pytest.approx(cohen_kappa_score(first, second))
    three = stability([[*row, 0.6] for row in good], np.random.default_rng(0)).kappa
    marks = np.array([[*row, 0.6] for row in good]) >= 0.5
    assert three.value == pytest.approx(fleiss_kappa(aggregate_raters(marks)[0]))
    stricter = cohen_kappa_score(*(np.array([row[run] >= 0.7 for row in good]) for run in (0, 1)))
    assert stability(good, np.random.default_rng(0), good=0.7).kappa.value == pytest.approx(stricter)


def test_reliability_takes_the_usual_number_of_runs():
    """Two items with three runs and one with two: ICC over the two; single runs count nowhere."""
    rows = [[0.1, 0.2, 0.3], [0.7, 0.9, 0.8], [0.4, 0.6], [0.5]]
    found = stability(rows, np.random.default_rng(0))
    full = intraclass(np.array(rows[:2]))
    assert (found.reliability, found.reliability_of_mean) == (full.one_way, full.one_way_mean)
    assert found.components == variance_components(rows[:3])
    assert stability(rows[:1], np.random.default_rng(0)).components is None
    assert stability(rows[:1], np.random.default_rng(0)).repeats is None
