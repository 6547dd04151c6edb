"""How steady a layer is: noise, reliability, agreement, and what repeating is worth."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.statistics import stability


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
