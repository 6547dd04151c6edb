"""What laymen ask about that is settled in other laws than those of the subject index: tax, traffic, pensions, customs and many more.

The subject index (``retrieval.subject_index``) knows the laws that a corpus is expected to hold. A question of tax has its best line there
among the housing code's, since nothing of tax stands beside it. The lines of ``elsewhere/*.tsv`` (law, everyday phrases) stand beside it: they
name no article, and say only that a matter is settled in that law. Those of a law that a store holds say nothing of that store.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from benchbar.law.names import LawKey, law_key
from benchbar.retrieval.subject_index import Phrases, compiled, held, laws_of, weighed, written

if TYPE_CHECKING:
    from benchbar.retrieval.postings import Floats
    from benchbar.retrieval.store import Store

ELSEWHERE_SIGNALS = (
    "elsewhere", "elsewhere_phrase", "elsewhere_lead", "elsewhere_share", "elsewhere_phrase_share",
    "held_phrase", "held_phrase_share",
)  # fmt: skip


class _Lines(NamedTuple):
    laws: tuple[LawKey, ...]
    phrases: Phrases
    """Of the subject index, then of these lines: the rarity of a term is that among both, so that their scores compare."""
    indexed: int
    """How many lines the subject index has."""


def lines_elsewhere(language: str) -> list[tuple[str, str]]:
    """The lines of a language as they are in the package: law, phrases; none where it has none."""
    file = resources.files("benchbar.retrieval") / "elsewhere" / f"{language}.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    return [(law, phrases) for law, phrases in rows]


@cache
def _lines(language: str) -> _Lines:
    indexed, further = [phrases for _, _, phrases in written(language)], lines_elsewhere(language)
    phrases = compiled([*indexed, *(phrases for _, phrases in further)])
    return _Lines(tuple(law_key(law) for law, _ in further), phrases, len(indexed))


@lru_cache(maxsize=64)
def _matched(question: str, language: str) -> tuple[Floats, Floats]:
    lines = _lines(language)
    return weighed(question, lines.phrases, lines.indexed + len(lines.laws))


# A store does not change.
_HERE: WeakKeyDictionary[Store, tuple[np.ndarray, np.ndarray]] = WeakKeyDictionary()


def _here(store: Store) -> tuple[np.ndarray, np.ndarray]:
    """Which lines of the subject index a store holds, and which of the further ones are of laws that it does not."""
    if store not in _HERE:
        lines = _lines(store.language)
        here = np.zeros(lines.indexed, dtype=bool)
        here[held(store).lines] = True
        own = {law for law, _, _ in laws_of(store)}
        _HERE[store] = here, np.array([law not in own for law in lines.laws], dtype=bool)
    return _HERE[store]


def elsewhere_signals(store: Store, question: str) -> list[float]:
    """What the lines say of a question and a store, in the order of ``ELSEWHERE_SIGNALS``.

    The best line of a law that is in no index, by all of its phrases and by the best of them; how far the best one of the store is ahead
    of it; the store's share of both, by lines and by phrases; the best phrase of the store, and its share of that and the best of any law.
    """
    sums, best = _matched(question, store.language)
    here, other = _here(store)
    indexed = len(here)

    def most(values: Floats) -> tuple[float, float, float]:
        further = values[indexed:][other]
        known = values[:indexed]
        return float(known[here].max(initial=0)), float(known[~here].max(initial=0)), float(further.max(initial=0))

    own, _, beyond = most(sums)
    phrase, absent, phrase_beyond = most(best)
    return [
        float(np.log1p(beyond)),
        float(np.log1p(phrase_beyond)),
        own - beyond,
        own / max(own + beyond, 1e-9),
        phrase / max(phrase + phrase_beyond, 1e-9),
        float(np.log1p(phrase)),
        phrase / max(phrase + max(phrase_beyond, absent), 1e-9),
    ]
