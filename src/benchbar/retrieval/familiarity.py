"""Whether a corpus speaks of what a question is about at all.

A score tells how well a passage does against others; the best of many unrelated passages still scores well. What tells
a question about cooking from one about leases is how much of its wording occurs in the corpus anywhere.
"""

from __future__ import annotations

import numpy as np

from benchbar.retrieval.store import Store
from benchbar.retrieval.tokens import grams
from benchbar.retrieval.weighting import lucene_idf

_PER_DECADE, _START = 0.14, 1.4
"""How much of a question's wording is familiar by chance grows with the corpus: by about this much each time it is tenfold,
from hardly any at a few dozen passages."""
# Measured at two sizes of corpus (docs/results-retrieval.md); outside of them the line would promise too
# much.
_BOUNDS = (0.1, 0.5)


def familiarity(store: Store, question: str) -> float:
    """Share of the question's wording that stands somewhere in the store, 0 to 1.

    In Chinese of its pairs of characters; in spaced languages of its stems, weighted by rarity. 0 for a question without
    either.
    """
    unigrams, bigrams = grams(question)
    # A pair with a space is of stems: rarer, and in Chinese texts mostly a foreign name.
    pairs = [pair for pair in bigrams if " " not in pair]
    terms = pairs or unigrams
    found = store.characters.match(terms)
    unknown = len(terms) - float(found.repeats.sum())
    if pairs:
        return float(found.repeats.sum()) / len(pairs)
    size = store.characters.size
    known = float((lucene_idf(size, found.counts) * found.repeats).sum())
    missing = unknown * float(lucene_idf(size, np.zeros(())))
    return known / (known + missing) if known else 0.0


def least_familiarity(store: Store) -> float:
    """The familiarity below which a question is taken not to be about this store.

    How many questions it turns away, over 64,699 passages and over a few hundred: ``scripts/check_familiarity.py``.
    """
    low, high = _BOUNDS
    return float(np.clip(_PER_DECADE * (np.log10(max(len(store.passages), 1)) - _START), low, high))
