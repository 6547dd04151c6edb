"""Which article of a law a sentence is about: not how much of it the article holds alone, but more than its neighbours do.

This is a measure of topic. Whether the article says what the sentence says is another question: a flipped 不得 or another
number leaves the topic as it is.

Articles of one law share most of their words, and a wrong citation is mostly near the right one. So two things are
measured: the share of the sentence's terms that the article holds, by how few articles of the law have them; and by how
much the article's share exceeds that of the articles around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchbar.law.terms import terms
from benchbar.records import Article

# Four shared bigrams are found in almost any article.
FEWEST_TERMS = 5
"""Terms below which a sentence says too little to be borne or not."""
# A wrong citation is mostly one or two numbers off; five on each side hold it, and cost little.
_NEIGHBOURS = 5
"""Articles before and after that are compared with."""
LOW_TOPIC = 0.5
"""Below it a sentence is about another article than the one it cites, more likely than not (docs/results-law.md)."""
_WITHIN, _MARGIN, _INTERCEPT = 8.63, 2.64, -1.64
"""Weights of a logistic regression, fitted by ``scripts/fit_topic.py`` on reference answers to questions that it is not
measured on."""


class TopicFeatures(NamedTuple):
    """What tells the article that bears a sentence from others."""

    within: float
    """Share of the sentence's terms that the article holds, by their rarity within the law, times the root of the share
    that the law holds at all: in a law that does not speak of the matter no article bears it."""
    margin: float
    """The article's share by rarity in the corpus, less the greatest share among the articles around it."""

    @property
    def topic(self) -> float:
        """The chance, from 0 to 1, that the sentence is about this article, had it been even between it and another one."""
        return 1 / (1 + exp(-(_WITHIN * self.within + _MARGIN * self.margin + _INTERCEPT)))


class LawTerms:
    """The terms of each article of a law."""

    def __init__(self, bodies: Iterable[str], idf: NDArray[np.float32]) -> None:
        """Articles in the order of the law; ``idf`` is what terms weigh by their rarity in the corpus."""
        found = [terms(body) for body in bodies]
        self._terms = np.concatenate(found) if found else np.empty(0, np.uint32)
        self._offsets = np.cumsum([0, *map(len, found)])
        self._kinds, counts = np.unique(self._terms, return_counts=True)
        # Half an article is added, so that a term of every article still weighs more than nothing.
        self._rarity = np.log((len(found) + 1) / (counts + 0.5))
        self._idf = idf

    def features(self, sentence: str, place: int) -> TopicFeatures | None:
        """How the article at this place of the law bears a sentence; None where that says too little.

        Takes time linear in the lengths of the sentence and of the articles around this one.
        """
        wanted = terms(sentence)
        weights = self._idf[wanted].astype(np.float64)
        total = float(weights.sum())
        # Nothing is said rather than something that a few terms would make of it.
        if len(wanted) < FEWEST_TERMS or total <= 0:
            return None
        known, rarity = self._in_law(wanted)
        start, end = max(0, place - _NEIGHBOURS), min(len(self._offsets) - 1, place + _NEIGHBOURS + 1)
        holds = self._holding(wanted, start, end)
        shares = holds @ weights / total
        others = np.delete(shares, place - start)
        # The law may hold none of the terms.
        within = float(holds[place - start] @ rarity) / max(float(rarity.sum()), 1e-9)
        coverage = float(weights[known].sum()) / total
        return TopicFeatures(within * sqrt(coverage), float(shares[place - start] - others.max(initial=0.0)))

    def topic(self, sentence: str, place: int) -> float | None:
        """``TopicFeatures.topic`` to four places; None where the sentence says too little."""
        found = self.features(sentence, place)
        return None if found is None else round(found.topic, 4)

    def _in_law(self, wanted: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Whether the law has each term, and its rarity there; 0 where it has not."""
        if not len(self._kinds):
            return np.zeros(len(wanted), bool), np.zeros(len(wanted))
        # searchsorted gives the place after the last for terms beyond it.
        places = np.minimum(np.searchsorted(self._kinds, wanted), len(self._kinds) - 1)
        known = self._kinds[places] == wanted
        return known, np.where(known, self._rarity[places], 0.0)

    def _holding(self, wanted: NDArray[np.uint32], start: int, end: int) -> NDArray[np.float64]:
        """1 where an article holds a term, shape (end - start, terms)."""
        segment = self._terms[self._offsets[start] : self._offsets[end]]
        article = np.repeat(np.arange(end - start), np.diff(self._offsets[start : end + 1]))
        places = np.minimum(np.searchsorted(wanted, segment), len(wanted) - 1)
        hit = wanted[places] == segment
        holds = np.zeros((end - start, len(wanted)))
        holds[article[hit], places[hit]] = 1
        return holds


def share_held(claim: str, article: str, idf: NDArray[np.float32]) -> float | None:
    """From 0 to 1: the idf-weighted share of the claim's terms (bigrams, stems) that the article holds.

    None where the claim has too few terms to say anything.
    """
    wanted = terms(claim)
    if len(wanted) < FEWEST_TERMS:
        return None
    weights = idf[wanted]
    total = float(weights.sum())
    if total <= 0:
        return None
    return round(float(weights[np.isin(wanted, terms(article), assume_unique=True)].sum()) / total, 4)


def body_of(article: Article) -> str:
    """What an article says, its title included."""
    return f"{article.title}\n{article.text}" if article.title else article.text
