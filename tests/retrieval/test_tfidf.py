"""TF-IDF weights in memory are those of scikit-learn."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from benchbar.retrieval.tfidf import TfidfView

TEXTS = st.lists(st.text("ab押金 ", max_size=12), max_size=6)


@given(TEXTS.filter(any), TEXTS)
def test_weights_are_those_of_scikit_learn(texts, asked):
    """Of the texts themselves and of others, with repeated, unknown and no terms."""
    oracle = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit(texts)
    view = TfidfView(texts, list)
    for rows in (texts, asked or texts):
        assert np.allclose(view.transform(rows).toarray(), oracle.transform(rows).toarray(), rtol=1e-13, atol=0)
