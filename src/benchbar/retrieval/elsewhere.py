"""What laymen ask about that is settled in other laws than those at hand: tax, traffic, pensions, customs and many more.

The subject index (``retrieval.subject_index``) knows the laws that a corpus is expected to hold. A question of tax has its best line there
among the housing code's, since nothing of tax stands beside it. The lines of ``elsewhere/*.tsv`` (law, everyday phrases) stand beside it: they
name no article, and say only that a matter is settled in that law. Those of a law that a store holds say nothing of that store.

One line may say a question's words by chance. So each law is asked as a whole, too: how likely a question is in the words of all its lines,
smoothed with those of all laws (query likelihood with Dirichlet smoothing; Zhai and Lafferty, 2004).
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from benchbar.law.names import LawKey, law_key
from benchbar.retrieval.subject_index import Phrases, compiled, held, laws_of, terms_of, weighed, written

if TYPE_CHECKING:
    from benchbar.retrieval.postings import Floats, Integers
    from benchbar.retrieval.store import Store

ELSEWHERE_SIGNALS = (
    "elsewhere", "elsewhere_phrase", "elsewhere_lead", "elsewhere_share", "elsewhere_phrase_share",
    "held_phrase", "held_phrase_share",
    "law_lead", "law_held", "law_elsewhere",
)  # fmt: skip

_SMOOTHING = 100.0
"""Terms of all laws that stand beside the own ones of each: about those of ten lines. With 1,000 instead, 86 and not 89 of 114 Russian questions
that no article settles were told by folds."""


class _Lines(NamedTuple):
    laws: tuple[LawKey, ...]
    """Of each further line."""
    names: tuple[LawKey, ...]
    """All laws, those of the subject index as well, each once."""
    law_of: Integers
    """Of each line the number of its law."""
    holders: Integers
    """Of each term's phrases, in the order of ``phrases.holders``, the number of the law."""
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
    indexed, further = written(language), lines_elsewhere(language)
    rows = [*((law, phrases) for law, _, phrases in indexed), *further]
    phrases = compiled([phrases for _, phrases in rows])
    keys = [law_key(law) for law, _ in rows]
    names = tuple(dict.fromkeys(keys))
    numbers = {law: number for number, law in enumerate(names)}
    law_of = np.array([numbers[law] for law in keys], dtype=np.int64)
    holders = law_of[phrases.line_of[phrases.holders]]
    return _Lines(tuple(keys[len(indexed) :]), names, law_of, holders, phrases, len(indexed))


@lru_cache(maxsize=64)
def _matched(question: str, language: str) -> tuple[Floats, Floats]:
    lines = _lines(language)
    return weighed(question, lines.phrases, lines.indexed + len(lines.laws))


@lru_cache(maxsize=64)
def _likelihoods(question: str, language: str) -> Floats:
    """How much likelier a question is in the words of each law than in those of all, in logarithms by the root of its terms, shape (laws,)."""
    lines = _lines(language)
    starts, laws = lines.phrases.starts, len(lines.names)
    said = sorted(lines.phrases.terms[term] for term in terms_of(question) if term in lines.phrases.terms)
    own = np.bincount(lines.holders, minlength=laws)
    found = np.zeros(laws)
    for term in said:
        held_by = lines.holders[starts[term] : starts[term + 1]]
        everywhere = len(held_by) / len(lines.holders)
        counts = np.bincount(held_by, minlength=laws)
        found += np.log((counts + _SMOOTHING * everywhere) / ((own + _SMOOTHING) * everywhere))
    return np.asarray(found / np.sqrt(max(len(said), 1)), dtype=np.float32)


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


_LAWS: WeakKeyDictionary[Store, tuple[np.ndarray, np.ndarray]] = WeakKeyDictionary()


def _laws_here(store: Store) -> tuple[np.ndarray, np.ndarray]:
    """Which laws a store holds lines of, and which it does not hold at all."""
    if store not in _LAWS:
        lines, own = _lines(store.language), {law for law, _, _ in laws_of(store)}
        here = np.zeros(len(lines.names), dtype=bool)
        here[lines.law_of[: lines.indexed][_here(store)[0]]] = True
        _LAWS[store] = here, ~here & np.array([law not in own for law in lines.names], dtype=bool)
    return _LAWS[store]


def elsewhere_signals(store: Store, question: str) -> list[float]:
    """What the lines say of a question and a store, in the order of ``ELSEWHERE_SIGNALS``.

    The best further line of a law that is not here, by all of its phrases and by the best of them; how far the best one of the store is ahead
    of it; the store's share of both, by lines and by phrases; the best phrase of the store, and its share of that and the best of any law;
    then how much likelier the question is in the words of the likeliest law that is here than of the likeliest that is not, and both.
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
        *_by_law(store, question),
    ]


def _by_law(store: Store, question: str) -> list[float]:
    lines, likely = _lines(store.language), _likelihoods(question, store.language)
    if not len(lines.names):
        return [0.0, 0.0, 0.0]
    here, elsewhere = _laws_here(store)
    own, other = (float(likely[side].max()) if side.any() else 0.0 for side in (here, elsewhere))
    return [own - other, own, other]
