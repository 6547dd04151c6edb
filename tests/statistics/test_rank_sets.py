"""Rank sets, and what Holm's method over all pairs tells apart, against statsmodels and cases worked out by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from statsmodels.stats.multitest import multipletests

from benchbar.statistics import rank_sets, told_apart


def test_a_small_case_by_hand():
    """A beats b and c surely, b and c are open: a is first, the others second or third. Holm: .01 x 3, .02 x 2, .4 x 1."""
    pairs = {("a", "b"): (0.2, 0.02), ("a", "c"): (0.3, 0.01), ("c", "b"): (0.05, 0.4)}
    assert told_apart(pairs) == {("a", "b"): (0.2, 0.04), ("a", "c"): (0.3, 0.03)}
    assert rank_sets("abc", pairs) == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}


def test_a_pair_that_was_not_compared_is_open():
    """No p-value is no evidence, and is no test that the others would have to pay for."""
    assert rank_sets("ab", {("a", "b"): (0.5, None)}) == {"a": (1, 2), "b": (1, 2)}
    assert rank_sets("abc", {("a", "b"): (0.5, 0.04), ("a", "c"): (0.5, None), ("b", "c"): (0.5, None)})["a"] == (1, 2)


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_who_is_told_apart_is_who_statsmodels_rejects(seed, count):
    """The same pairs at 5%, and each rank set counts them."""
    generator = np.random.default_rng(seed)
    names = [str(one) for one in range(count)]
    pairs = {
        pair: (float(generator.normal()), float(generator.choice([1e-4, 0.004, 0.02, 0.3]) * generator.random()))
        for pair in combinations(names, 2)
    }
    rejected, *_ = multipletests([p for _, p in pairs.values()], alpha=0.05, method="holm")
    assert told_apart(pairs).keys() == {pair for pair, sure in zip(pairs, rejected, strict=True) if sure}
    found = rank_sets(names, pairs)
    for name in names:
        above = [pair for pair in told_apart(pairs) if name in pair and (pairs[pair][0] > 0) != (pair[0] == name)]
        below = [pair for pair in told_apart(pairs) if name in pair and (pairs[pair][0] > 0) == (pair[0] == name)]
        assert found[name] == (1 + len(above), count - len(below))


@pytest.mark.parametrize("spread", [0.0, 1.5])
def test_all_sets_hold_the_true_ranks_at_once(spread):
    """2,000 worlds of five competitors, equal ones or different ones: in at most 5% (and error) is any true rank left out."""
    generator, count, missed = np.random.default_rng(3), 5, 0
    truth = np.arange(count) * -spread
    for _ in range(2000):
        seen = truth + generator.normal(size=count)
        pairs = {
            (str(i), str(j)): (seen[i] - seen[j], 2 * norm.cdf(-abs(seen[i] - seen[j]) / np.sqrt(2)))
            for i, j in combinations(range(count), 2)
        }
        found = rank_sets([str(i) for i in range(count)], pairs)
        # Equals share all the ranks from the first to the last of them.
        ranks = [(1, count)] * count if spread == 0 else [(i + 1, i + 1) for i in range(count)]
        missed += any(
            not found[str(i)].low <= best or not worst <= found[str(i)].high for i, (best, worst) in enumerate(ranks)
        )
    assert missed / 2000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)
