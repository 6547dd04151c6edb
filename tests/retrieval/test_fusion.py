"""Weighted reciprocal rank fusion and maximal marginal relevance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.retrieval.diversity import maximal_marginal_relevance
from benchbar.retrieval.fusion import weighted_rrf


def test_the_worked_example_of_laws_and_practice():
    """Two decisions at weight .7 and two articles at .3 come out with the sums of the published example."""
    practice, law = ["А40-12345", "А41-56789"], ["ГК 552", "ЗК 35"]
    fused = weighted_rrf([law, practice], [0.3, 0.7])
    assert [name for name, _ in fused] == ["А40-12345", "А41-56789", "ГК 552", "ЗК 35"]
    assert [score for _, score in fused] == pytest.approx([0.01147, 0.01129, 0.00492, 0.00484], abs=1e-5)


def test_an_item_of_two_rankings_sums_both():
    """What both rankings name comes before what only one does."""
    assert weighted_rrf([["a", "b"], ["b", "c"]])[0] == ("b", pytest.approx(1 / 62 + 1 / 61))


def test_a_repeated_item_counts_once():
    """A ranking that names an item twice does not lift it."""
    assert dict(weighted_rrf([["a", "a", "b"]]))["a"] == pytest.approx(1 / 61)


@pytest.mark.parametrize("weights", [[1.0], [1.0, -0.1]])
def test_weights_must_fit(weights):
    """One weight for each ranking, none negative."""
    with pytest.raises(ValueError, match="weights"):
        weighted_rrf([["a"], ["b"]], weights)


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=4))
def test_the_order_of_fusion_is_by_sum(rankings):
    """Sums never rise, and every item that was ranked is there once."""
    fused = weighted_rrf(rankings)
    sums = [score for _, score in fused]
    assert sums == sorted(sums, reverse=True)
    assert sorted(item for item, _ in fused) == sorted({item for ranking in rankings for item in ranking})


def test_mmr_passes_over_a_copy_of_what_was_chosen():
    """A second copy of the best passage gives way to one that differs."""
    relevance = [0.9, 0.89, 0.5]
    similarity = [[1, 0.99, 0.1], [0.99, 1, 0.1], [0.1, 0.1, 1]]
    assert maximal_marginal_relevance(relevance, similarity, 2, balance=0.5) == [0, 2]
    assert maximal_marginal_relevance(relevance, similarity, 2, balance=1.0) == [0, 1]


@given(st.integers(1, 7), st.integers(0, 9), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_mmr_is_its_definition(size, k, balance, seed):
    """Each choice has the highest marginal relevance among those left."""
    generator = np.random.default_rng(seed)
    relevance = generator.random(size)
    similarity = generator.random((size, size))
    chosen = maximal_marginal_relevance(relevance, similarity, k, balance=balance)
    assert len(chosen) == len(set(chosen)) == min(k, size)
    for i, place in enumerate(chosen):
        before = chosen[:i]
        marginal = {
            j: balance * relevance[j] - (1 - balance) * max(similarity[b][j] for b in before)
            if before
            else relevance[j]
            for j in range(size)
            if j not in before
        }
        assert marginal[place] == pytest.approx(max(marginal.values()))
