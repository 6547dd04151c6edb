"""How likely the article that a search puts first is a right one: what tells an answer from a list of articles to read.

A retriever's score orders passages of one question; it does not say how often the first of them answers. That is fitted here on labelled
questions, those among them that the law at hand does not answer, by what is known of the best article and of how far it is
ahead. The bound is the least chance above which articles of questions that were left out of the fit were right as often as stated.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchbar.records import Record, decode
from benchbar.records.errors import BadInputError
from benchbar.retrieval import ordering
from benchbar.retrieval.answerability import chance_answered
from benchbar.retrieval.learned import LogisticWeights, shipped_weights
from benchbar.retrieval.passages import LEAST_PASSAGES

if TYPE_CHECKING:
    from benchbar.retrieval.postings import Floats
    from benchbar.retrieval.store import Store

CERTAINTY_SIGNALS = (
    "chance", "lead", "answered", "first_chance", "first_place", "best_sentence", "concepts", "heading_known",
    "subject", "subject_strength", "subject_of_all", "subject_place", "kind_stated",
)  # fmt: skip
_TAKEN = (
    "best_sentence",
    "concepts",
    "heading_known",
    "subject",
    "subject_strength",
    "subject_of_all",
    "subject_place",
)
_LEAST_CHANCE = 1e-6


class Certainty(Record, frozen=True):
    """A fitted regression over ``CERTAINTY_SIGNALS``, the bound, and what was right above it."""

    weights: LogisticWeights
    bound: float
    """The least chance from which an article is stated as the rule."""
    stated: int
    """Questions of `others_tune` and `strangers_tune`, left out of the fit that weighed them, whose first article was above the bound."""
    right: int
    """Those of them whose first article was a right one."""
    asked: int
    """All questions of them that were answered at all."""


class First(NamedTuple):
    """The article that is put first."""

    document: str
    values: Floats
    """Shape (signals,), in the order of ``CERTAINTY_SIGNALS``."""


@cache
def shipped_certainty(language: str) -> Certainty | None:
    """What comes with this package for a language; None where nothing was fitted.

    Raises:
        BadInputError: the file is for other signals.
    """
    file = resources.files("benchbar.retrieval") / "weights" / f"certainty_{language}.json"
    if not file.is_file():
        return None
    found = decode(file.read_bytes(), Certainty, file=str(file))
    if found.weights.features != CERTAINTY_SIGNALS:
        raise BadInputError("these weights are for other signals; run scripts/fit_certainty.py", file=str(file))
    return found


def is_unfitted(store: Store) -> bool:
    """Whether a store of more than a few acts is of a language for which nobody has fitted how often the first article is a right one."""
    # Of 55 first articles over 110 published acts in English 10 were right ones (docs/results-retrieval.md).
    return len(store.passages) >= LEAST_PASSAGES and shipped_certainty(store.language) is None


def first_article(store: Store, question: str, weights: LogisticWeights) -> First | None:
    """The best article of a store by the second order, whose weights are given, with what is known of it; None where nothing is found."""
    found = ordering.ranked(store, question, shipped_weights("learned", store.language))
    if not found.first:
        return None
    positions, chances = found.positions[: found.first], found.chances[: found.first]
    values = ordering.signals(store, question, positions, chances)
    second = np.clip(weights.probabilities(values), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    order = np.argsort(-second, kind="stable")
    documents = [store.passages[int(positions[one])].document for one in order]
    best = int(order[0])
    # Pieces of one article are no rivals.
    rival = next((int(one) for one, name in zip(order, documents, strict=True) if name != documents[0]), best)
    logits = np.log(second / (1 - second))
    answered = chance_answered(store, question)
    columns = {name: float(values[best, ordering.SIGNALS.index(name)]) for name in _TAKEN}
    stated = [values[best, ordering.SIGNALS.index(f"{kind}_stated")] for kind in ordering.KINDS]
    columns |= {
        "chance": float(logits[best]),
        "lead": float(logits[best] - logits[rival]),
        "answered": 0.0 if answered is None else float(np.log(answered / (1 - answered))),
        "first_chance": float(values[best, ordering.SIGNALS.index("first")]),
        "first_place": 1 / (1 + float(np.sum(chances > chances[best]))),
        "kind_stated": float(max(stated) > 0),
    }
    return First(documents[0], np.array([columns[name] for name in CERTAINTY_SIGNALS], dtype=np.float32))


def certain_article(store: Store, question: str) -> str | None:
    """Id of the article that may be stated as the rule on a question; empty where none is likely enough to be a right one.

    None where nobody has measured it, for a store of a few acts. Of all the law there is, and in a language that nothing was fitted
    for, few first articles are right ones, and none is stated.
    """
    if len(store.passages) < LEAST_PASSAGES:
        return None
    fitted, weights = shipped_certainty(store.language), ordering.ordering_of(store)
    if fitted is None or weights is None or ordering.is_large(store):
        return ""
    first = first_article(store, question, weights)
    if first is None:
        return ""
    return first.document if float(fitted.weights.probabilities(first.values[None, :])[0]) >= fitted.bound else ""
