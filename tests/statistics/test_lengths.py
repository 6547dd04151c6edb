"""Length-controlled win rates, against AlpacaEval's published ones and data with a known answer."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from benchbar.records.errors import BadInputError
from benchbar.statistics import (
    LengthWeights,
    controlled_by_weights,
    length_controlled,
    length_term,
    pool_difficulty,
)


def test_published_weights_give_the_published_rates(published):
    """With the recovered difficulty, models that were not used to recover it are met within 0.2 points."""
    folder = published / "prefs" / "alpaca_eval"
    with (folder / "instruction_difficulty_recovered.csv").open() as file:
        difficulty = [float(row["difficulty"]) for row in csv.DictReader(file)]
    with (folder / "published_leaderboard_v2_even.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["lc_calibration_role"] == "test"]
    assert rows
    for row in rows:
        weights = LengthWeights(
            float(row["w_tanh_std_delta_len"]),
            float(row["w_instruction_difficulty"]),
            float(row["w_not_gamed_baseline"]),
        )
        found = controlled_by_weights(difficulty, weights)
        assert 100 * found.value == pytest.approx(float(row["length_controlled_winrate"]), abs=0.2)
        assert "no interval" in found.reason


def drawn(seed=2, n=3000, effect=1.5):
    """Two equal assistants whose judge likes length, one of them long-winded."""
    draw = np.random.default_rng(seed)
    base = draw.integers(200, 2000, size=n).astype(float)
    own = base + draw.normal(400, 500, size=n)
    term = np.tanh((own - base) / (own - base).std())
    outcome = (draw.random(n) < 1 / (1 + np.exp(-effect * term))).astype(float)
    return outcome, base, own


def test_length_is_taken_out():
    """The raw rate of equal assistants is far above a half, the controlled one holds it."""
    outcome, base, own = drawn()
    found = length_controlled(outcome, base, own, np.random.default_rng(1))
    assert outcome.mean() > 0.6
    assert found.low < 0.5 < found.high


def test_lengths_without_spread_or_samples_have_reasons():
    """Nothing is fitted where length cannot be told from quality."""
    generator = np.random.default_rng(1)
    assert "equal" in length_controlled([0.5] * 12, [1.0] * 12, [2.0] * 12, generator).reason
    assert "at least 10" in length_controlled([0.5], [1.0], [2.0], generator).reason
    assert controlled_by_weights([None], LengthWeights(1, 1, 1)).value is None


def test_pool_tells_hard_samples_from_easy_ones():
    """Difficulty drawn for each sample is found again from twenty candidates' verdicts."""
    draw = np.random.default_rng(4)
    truth = draw.normal(size=300)
    level = draw.normal(size=(20, 1))
    outcomes = (draw.random((20, 300)) < 1 / (1 + np.exp(-(level + truth)))).astype(float)
    outcomes[draw.random((20, 300)) < 0.1] = np.nan
    found = pool_difficulty(outcomes, np.zeros((20, 300)))
    assert np.corrcoef(found, truth)[0, 1] > 0.8
    with pytest.raises(BadInputError, match="at least 2"):
        pool_difficulty(outcomes[:1], np.zeros((1, 300)))


def test_length_term_of_equal_lengths_is_nothing():
    """No spread, no term; unknown lengths count as the middle."""
    assert length_term(np.ones(3), np.ones(3)).tolist() == [0, 0, 0]
    assert length_term(np.array([1.0, 1.0, 1.0]), np.array([2.0, np.nan, 4.0]))[1] == 0
