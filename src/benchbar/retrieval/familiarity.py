"""Whether a corpus speaks of what a question is about at all.

A score tells how well a passage does against others; the best of many unrelated passages still scores well. What tells
a question about cooking from one about leases is how much of its wording occurs in the corpus anywhere.
"""

from __future__ import annotations

import numpy as np

from benchbar.retrieval.store import Store
from benchbar.retrieval.tokens import grams
from benchbar.retrieval.weighting import lucene_idf

_PER_DECADE = 0.1
"""How much of a question's wording is familiar by chance grows with the corpus: about a tenth each time it is tenfold."""
_BOUNDS = (0.15, 0.5)


def familiarity(store: Store, question: str) -> float:
    """Share of the question's wording that stands somewhere in the store, 0 to 1.

    In Chinese of its pairs of characters; in spaced languages of its stems, weighted by rarity. 0 for a question without
    either.
    """
    unigrams, bigrams = grams(question)
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

    Over 64,699 passages this turns away 2% of STARD's even questions and 25 of 30 about anything but law
    (``scripts/check_familiarity.py``).
    """
    low, high = _BOUNDS
    return float(np.clip(_PER_DECADE * np.log10(max(len(store.passages), 1)), low, high))
