"""Thresholds: what a score means depends on the retriever, so each has its own.

The article that this search follows used .7 for laws and .2 for practice on LangChain's FAISS relevance, which is
1 - (squared distance)/sqrt(2): a cosine of .788 and .434 for that one embedder. For another, ``threshold_between``
finds the value from questions that the corpus answers and questions that it does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchbar.retrieval.passages import LAW

_DEFAULTS: dict[str, tuple[float, float]] = {
    "learned": (0.03, 0.03),
    "lexical": (0.15, 0.15),
    "engine": (0.15, 0.15),
    "tfidf": (0.12, 0.1),
    "lsa": (0.3, 0.25),
    "encoder": (0.3, 0.25),
}
"""Thresholds for law and practice by retriever."""


def calibrated_threshold(retriever: str, store: str) -> float:
    """The least score of a passage of this store that counts; 0 for a retriever nobody has calibrated."""
    # A retriever from outside is not calibrated: a guessed bound would silently drop what it finds.
    law, practice = _DEFAULTS.get(retriever, (0.0, 0.0))
    return law if store == LAW else practice


def cosine_of_faiss_relevance(relevance: float) -> float:
    """The cosine of unit vectors that LangChain's FAISS store reports as this relevance: 1 - (1 - r) / sqrt(2)."""
    return 1 - (1 - relevance) / 2**0.5


def threshold_between(answered: Sequence[float], unanswered: Sequence[float]) -> float:
    """The score that best parts the best hits of answered questions from those of unanswered ones.

    It maximises Youden's J (share of answered at or above it, less the share of unanswered); of equal ones the lowest,
    so that as little as possible is lost.

    Raises:
        ValueError: one of the lists is empty.
    """
    if not answered or not unanswered:
        raise ValueError("scores of answered and of unanswered questions are needed")
    values = np.unique(np.concatenate([answered, unanswered]))
    above = [float(np.mean(np.asarray(answered) >= v) - np.mean(np.asarray(unanswered) >= v)) for v in values]
    return float(values[int(np.argmax(above))])
