"""How likely a question asks for what no law answers, by all of its words: advice, odds, a price, a technique, a fact, a place, a form.

The rules of ``beyond_law`` know wordings, and people find others. Here every term of the question weighs, and once more where it stands in a
sentence that asks: what a story is of, and what is asked about it, are two things. The weights (``asked_for/*.tsv``: term, weight; the first
line is the intercept) are a logistic regression that ``scripts/fit_asked_for.py`` fits on questions written for it.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import exp, sqrt

from benchbar.languages.text import folded, sentences
from benchbar.retrieval.subject_index import terms_of
from benchbar.retrieval.tokens import grams

ASKS = "?"
"""Before a term that stands in a sentence that asks."""


def chance_of_law(question: str, language: str) -> float:
    """The fitted probability that some law settles what is asked; 1 in languages without weights."""
    weights = weights_of(language)
    if not weights:
        return 1.0
    odds = weights[""] + sum(weights.get(term, 0.0) * value for term, value in asked_terms(question).items())
    return 1 / (1 + exp(odds))


def asked_terms(question: str) -> dict[str, float]:
    """The terms of a question, and of what of it asks, each group of length one."""
    text = folded(question)
    return _weighed(_terms(text), "") | _weighed(_terms(asking(text)), ASKS)


def asking(text: str) -> str:
    """The sentences with a question mark; the last one where none has."""
    parts = [text[start:end] for start, end in sentences(text)]
    return " ".join([one for one in parts if "?" in one or "？" in one] or parts[-1:])


def _terms(text: str) -> frozenset[str]:
    return terms_of(text) | frozenset(grams(text)[1])


def _weighed(terms: frozenset[str], mark: str) -> dict[str, float]:
    # Sorted, since the order of a set is another one in every process, and so the last digit of a sum.
    return {mark + term: 1 / sqrt(len(terms)) for term in sorted(terms)}


@cache
def weights_of(language: str) -> dict[str, float]:
    """The weight of each term of a language, the intercept under ""; empty where nothing was fitted."""
    file = resources.files("benchbar.retrieval") / "asked_for" / f"{language}.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    return {term: float(weight) for term, weight in rows}
