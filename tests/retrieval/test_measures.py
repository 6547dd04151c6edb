"""Measures of a ranking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from benchbar.statistics.retrieval import (
    average_precision,
    averaged,
    normalised_discounted_gain,
    precision_at,
    recall_at,
    reciprocal_rank,
    span_precision,
    span_recall,
)

RANKING = list("abcdefgh")


def test_a_ranking_worked_out_by_hand():
    """Relevant at ranks 2 and 5, and one that was not found."""
    relevant = {"b", "e", "z"}
    assert recall_at(RANKING, relevant, 5) == pytest.approx(2 / 3)
    assert precision_at(RANKING, relevant, 5) == pytest.approx(2 / 5)
    assert reciprocal_rank(RANKING, relevant, 10) == pytest.approx(1 / 2)
    assert average_precision(RANKING, relevant) == pytest.approx((1 / 2 + 2 / 5) / 3)


def test_beyond_the_cut_nothing_counts():
    """A first relevant document at rank 2 gives no reciprocal rank at 1."""
    assert reciprocal_rank(RANKING, {"b"}, 1) == 0


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=2, max_size=8), st.integers(1, 8))
def test_ndcg_agrees_with_scikit_learn(gains, k):
    """The gain of a ranking equals the oracle's where something is relevant."""
    documents = RANKING[: len(gains)]
    ours = normalised_discounted_gain(documents, dict(zip(documents, gains, strict=True)), k)
    if not any(gains):
        assert ours is None
    else:
        theirs = ndcg_score([gains], [np.arange(len(gains))[::-1]], k=k)
        assert ours == pytest.approx(theirs)


def test_nothing_relevant_is_undefined_and_not_zero():
    """A query without a relevant document is missing from the mean."""
    estimate = averaged([recall_at(RANKING, set(), 5), 1.0, 0.5, 0.0])
    assert (estimate.value, estimate.n, estimate.n_missing, estimate.unit) == (0.5, 3, 1, "query")
    assert estimate.low is not None


def test_spans_count_characters_once():
    """Overlapping pieces are not counted twice, on either side."""
    relevant = [("law", 10, 30)]
    retrieved = [("law", 0, 20), ("law", 10, 20), ("other", 0, 20)]
    assert span_precision(retrieved, relevant) == pytest.approx(10 / 40)
    assert span_recall(retrieved, relevant) == pytest.approx(10 / 20)
    assert span_precision([], relevant) == 0
    assert span_recall(retrieved, []) is None


SPANS = st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 30), st.integers(0, 30)), max_size=6)


@given(SPANS, SPANS)
def test_spans_agree_with_sets_of_characters(retrieved, relevant):
    """Precision and recall are those of the sets of characters."""
    one = {(d, i) for d, start, end in retrieved for i in range(start, end)}
    other = {(d, i) for d, start, end in relevant for i in range(start, end)}
    precision, recall = span_precision(retrieved, relevant), span_recall(retrieved, relevant)
    if not other:
        assert precision is None
        assert recall is None
    else:
        assert precision == pytest.approx(len(one & other) / max(len(one), 1))
        assert recall == pytest.approx(len(one & other) / len(other))
