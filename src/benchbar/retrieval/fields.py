"""Which field of law a question is of, and which of them a store holds: what tells a question of tax from a code on housing.

A bundled vocabulary for each language (``fields/*.tsv``: key, name, everyday phrases, phrases of statutes) was written by hand. It names
fields that a corpus does *not* hold as well, so that a question can be placed in one of them: every other signal compares a question
with the corpus alone, where the best of many unrelated passages still looks well.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from benchbar.retrieval.expansion import SENTENCE
from benchbar.retrieval.tokens import PREFIX, UNSPACED, grams, normalise

if TYPE_CHECKING:
    from benchbar.retrieval.postings import Floats, Postings
    from benchbar.retrieval.store import Store

FIELD_SIGNALS = (
    "field_held", "field_foreign", "best_held", "best_foreign", "field_known", "share_held", "field_lead",
)  # fmt: skip
_AMBIGUOUS = 0.3
"""Weight of an everyday phrase marked ``?``: "husband" stands in stories of every kind, "alimony" in those of one."""
_OF_PARTS = 1.5
"""Weight of a phrase of several parts, which is said less often by chance."""
_LEAST_WORD = 4
_SOME, _MOST, _ENOUGH = 0.2, 0.7, 15
"""A store holds a field wholly where seven in ten of its statutory phrases stand there, in fifteen passages: of the codes that were
looked at, those that only mention a field hold up to half of the phrases, and mostly in fewer than ten passages."""
_SURE = 0.5
_HAN = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"[^\W_]+")


class Phrase(NamedTuple):
    """An everyday phrase of a field; all of its parts have to be said in one sentence (in Chinese: in the question)."""

    parts: tuple[str, ...]
    weight: float
    text: str


class Field(NamedTuple):
    """A field of law."""

    name: str
    """In the language of its vocabulary."""
    everyday: tuple[Phrase, ...]
    statutory: tuple[str, ...]


@cache
def fields_of_law(language: str) -> tuple[Field, ...]:
    """The bundled vocabulary of a language; empty where there is none."""
    file = resources.files("benchbar.retrieval") / "fields" / f"{language}.tsv"
    if not file.is_file():
        return ()
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    return tuple(
        Field(name, tuple(map(_phrase, everyday.split(","))), tuple(one.strip() for one in statutory.split(",")))
        for _, name, everyday, statutory in rows
    )


def asked_fields(question: str, language: str) -> Floats:
    """How much of each field's everyday vocabulary a question says, shape (fields,)."""
    sentences = [_words(sentence) for sentence in SENTENCE.split(question)]

    def said(phrase: Phrase) -> bool:
        if _HAN.search(phrase.parts[0]):
            return all(part in question for part in phrase.parts)
        return any(words.issuperset(phrase.parts) for words in sentences)

    values = [sum(one.weight for one in field.everyday if said(one)) for field in fields_of_law(language)]
    return np.array(values, dtype=np.float32)


# Some two hundred look-ups of a store that does not change.
_HELD: WeakKeyDictionary[Store, Floats] = WeakKeyDictionary()


def held_fields(store: Store) -> Floats:
    """How far a store holds each field of its language, 0 to 1, shape (fields,)."""
    if store not in _HELD:
        _HELD[store] = np.array([_held(store.characters, field) for field in fields_of_law(store.language)])
    return _HELD[store]


def covered_fields(store: Store) -> list[str]:
    """Names of the fields that a store holds, those first that fill most of it."""
    held = held_fields(store)
    order = np.argsort(-held, kind="stable")
    return [fields_of_law(store.language)[place].name for place in order if held[place] >= _SURE]


def foreign_field(store: Store, question: str) -> str:
    """The name of the field that a question is of most clearly, where the store does not hold it; empty elsewhere."""
    field = _clear_field(store, question)
    return "" if field is None or held_fields(store)[field] >= _SURE else fields_of_law(store.language)[field].name


def unmentioned_field(store: Store, question: str) -> str:
    """The name of the field that a question is of most clearly, by a term of art that no passage says; empty elsewhere.

    For stores for which nothing was fitted: in one of a few acts a field is never wholly held, and only the absence of its terms
    tells. Everyday words do not: a Families Act need not say "wedding", but what grants a patent says "patent".
    """
    place = _clear_field(store, question)
    if place is None:
        return ""
    field = fields_of_law(store.language)[place]
    asked = _terms(question)
    of_art = [
        one for one in field.statutory if any(one == phrase.text for phrase in field.everyday) and _terms(one) <= asked
    ]
    missing = of_art and not any(_stands(store.characters, one).any() for one in of_art)
    return field.name if missing else ""


def _terms(text: str) -> set[str]:
    unigrams, bigrams = grams(text)
    return set(bigrams if bigrams and _HAN.search(text) else unigrams)


def _clear_field(store: Store, question: str) -> int | None:
    asked = asked_fields(question, store.language)
    if not asked.any():
        return None
    place = int(np.argmax(asked))
    # A tie between a field at hand and another one says nothing.
    return place if np.sum(asked == asked[place]) == 1 and asked[place] >= 1 else None


def field_signals(store: Store, question: str) -> list[float]:
    """What the fields say of a question and a store, in the order of ``FIELD_SIGNALS``."""
    asked, held = asked_fields(question, store.language), held_fields(store)
    own, foreign, total = asked * held, asked * (1 - held), float(asked.sum())
    best, other = float(own.max(initial=0)), float(foreign.max(initial=0))
    return [
        float(np.log1p(own.sum())),
        float(np.log1p(foreign.sum())),
        best,
        other,
        float(total > 0),
        # A question of no known field speaks neither for the store nor against it.
        float(own.sum()) / total if total else 0.5,
        best - other,
    ]


def _held(postings: Postings, field: Field) -> float:
    stands = [_stands(postings, phrase) for phrase in field.statutory]
    # One passage alone may name a field in passing.
    share = np.mean([places.sum() > 1 for places in stands])
    passages = np.any(stands, axis=0).sum()
    return float(np.clip((share - _SOME) / (_MOST - _SOME), 0, 1) * min(passages / _ENOUGH, 1))


def _stands(postings: Postings, phrase: str) -> np.ndarray:
    """Whether each passage holds all of a phrase's terms, shape (passages,)."""
    unigrams, bigrams = grams(phrase)
    terms = list(dict.fromkeys(bigrams if bigrams and _HAN.search(phrase) else [*unigrams, *bigrams]))
    found = postings.match(terms)
    return np.bincount(found.passages, minlength=postings.size) >= len(terms)


def _phrase(written: str) -> Phrase:
    text = written.strip()
    parts = text.rstrip("?").split() if _HAN.search(text) else list(map(_beginning, _WORD.findall(normalise(text))))
    weight = (_AMBIGUOUS if text.endswith("?") else 1.0) * (_OF_PARTS if len(parts) > 1 else 1.0)
    return Phrase(tuple(parts), weight, text.rstrip("?"))


def _words(sentence: str) -> frozenset[str]:
    """The words of a sentence and their beginnings: "развелись" and "развод" share none, so the vocabulary lists both."""
    words = _WORD.findall(normalise(sentence))
    return frozenset([*words, *(word[:PREFIX] for word in words)])


def _beginning(word: str) -> str:
    return word[:PREFIX] if len(word) >= _LEAST_WORD else word
