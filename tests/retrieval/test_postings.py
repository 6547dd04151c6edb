"""The inverted index scores as the formulas say."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import BadInputError
from benchbar.retrieval.postings import Postings
from benchbar.retrieval.weighting import bm25, coverage, tfidf_dot, tfidf_norms

TERMS = st.sampled_from("甲乙丙丁戊己庚辛")
DOCUMENTS = st.lists(st.lists(TERMS, max_size=12), min_size=1, max_size=8)
QUERIES = st.lists(TERMS, max_size=6)


def plain_bm25(documents: list[list[str]], query: list[str]) -> list[float]:
    """BM25 written out, with k1 = 1.2, b = .75 and Lucene's idf."""
    mean = max(sum(map(len, documents)) / len(documents), 1e-9)
    scores = []
    for document in documents:
        counts, total = Counter(document), 0.0
        for term in query:
            holding = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            norm = 1.2 * (0.25 + 0.75 * len(document) / mean)
            total += idf * counts[term] * 2.2 / (counts[term] + norm) if counts[term] else 0.0
        scores.append(total)
    return scores


@given(DOCUMENTS, QUERIES)
def test_bm25_is_the_formula(documents, query):
    """Every passage gets the BM25 that the formula gives, and 0 without a common term."""
    postings = Postings.build(documents)
    assert bm25(postings, postings.match(query)) == pytest.approx(plain_bm25(documents, query), rel=1e-4, abs=1e-6)


@given(DOCUMENTS, QUERIES)
def test_coverage_is_a_share(documents, query):
    """Coverage is never beyond 0 and 1."""
    postings = Postings.build(documents)
    shares = coverage(postings, postings.match(query))
    assert np.all((shares >= 0) & (shares <= 1 + 1e-6))


@given(DOCUMENTS, st.lists(TERMS, min_size=1, max_size=12))
def test_coverage_is_1_where_every_known_term_is_held(documents, query):
    """A passage that holds all terms of the query is covered whole, whatever unknown term is asked for besides."""
    postings = Postings.build([*documents, query])
    shares = coverage(postings, postings.match([*query, "unknown"]))
    assert shares[-1] == pytest.approx(1.0)


@given(DOCUMENTS)
def test_tfidf_norms_make_every_passage_most_like_itself(documents):
    """The TF-IDF product of a passage with itself is the square of its norm."""
    postings = Postings.build(documents)
    norms = tfidf_norms(postings)
    for i, document in enumerate(documents):
        own = tfidf_dot(postings, postings.match(document))[i]
        assert own == pytest.approx(float(norms[i]) ** 2, rel=1e-3, abs=1e-6)


@given(DOCUMENTS, st.data())
def test_groups_count_what_their_passages_count(documents, data):
    """An index of groups is the index of the groups' passages laid together."""
    groups = data.draw(st.lists(st.integers(0, 2), min_size=len(documents), max_size=len(documents)))
    together: list[list[str]] = [[], [], []]
    for group, document in zip(groups, documents, strict=True):
        together[group] += document
    made = Postings.build(documents).grouped(np.array(groups, np.int32), 3)
    assert made.lengths.tolist() == [len(document) for document in together]
    assert bm25(made, made.match(["甲", "乙"])) == pytest.approx(plain_bm25(together, ["甲", "乙"]), rel=1e-4, abs=1e-6)


def test_what_is_saved_is_what_is_loaded(tmp_path):
    """An index that was written scores as before when it is mapped again."""
    postings = Postings.build([["甲", "乙"], ["乙", "丙"], []])
    postings.save(tmp_path, "characters")
    again = Postings.load(tmp_path, "characters")
    assert bm25(again, again.match(["乙", "丙"])).tolist() == bm25(postings, postings.match(["乙", "丙"])).tolist()


def test_a_file_cut_short_is_named(tmp_path):
    """A damaged array is refused with the name of its file."""
    Postings.build([["甲", "乙"]]).save(tmp_path, "characters")
    broken = tmp_path / "characters-passages.npy"
    broken.write_bytes(broken.read_bytes()[:-3])
    with pytest.raises(BadInputError, match=r"characters-passages\.npy"):
        Postings.load(tmp_path, "characters")


def test_a_pickled_array_is_refused(tmp_path):
    """A file that would have to be unpickled is no array."""
    Postings.build([["甲", "乙"]]).save(tmp_path, "characters")
    np.save(tmp_path / "characters-keys.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(BadInputError, match=r"characters-keys\.npy"):
        Postings.load(tmp_path, "characters")
