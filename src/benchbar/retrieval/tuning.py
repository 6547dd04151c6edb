"""Which retriever a corpus is searched with, chosen on questions made of the corpus itself.

The questions are made by rules, without a model: a part of the words of one sentence of an article, led in by an everyday phrase where
the map of terms has one for what the article says. They repeat words of the article, as people's questions mostly do not, and so
favour search by words alone. So the default is left for another retriever only where that is better by more than chance, and where its
weights were fitted on questions of people, never for one that counts words alone: over 64,665 articles such a one found .06 more of
hard made questions, and .04 fewer of 772 people's.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchbar.records import Estimate, Record
from benchbar.retrieval.expansion import everyday_phrases
from benchbar.retrieval.fields import fields_of_law, held_fields
from benchbar.retrieval.learned import fitted_for
from benchbar.retrieval.retrievers import Retriever
from benchbar.retrieval.tokens import UNSPACED, grams
from benchbar.statistics import mean

if TYPE_CHECKING:
    from benchbar.retrieval.store import Store

DEFAULT = "learned"
CANDIDATES = (DEFAULT, "lexical", "tfidf", "lsa", "encoder", "embeddings")
"""All that a tuning may choose: an index may come from somebody else, and a name like ``module:object`` would be run."""
BY_WORDS = frozenset({"lexical", "tfidf"})
FIRST = 5
QUESTIONS = 120
"""Articles that questions are made of: a difference of a tenth is told from none, and a search of each takes seconds."""
FOLDS = 5
KEPT = (0.6, 0.4, 0.25)
"""Shares of a sentence's words that a question may keep, the easiest first."""
EASY = 0.85
"""Where the default finds more than this share, questions tell retrievers apart badly: harder ones are made."""
_PROBED = 40
"""Questions by which that is told; they are not those that are compared."""
_SHORTEST, _MOST_WORDS = 5, 14
_WORD = re.compile(f"[{UNSPACED}]{{2,4}}|[^\\W\\d_{UNSPACED}]+")
_SENTENCE = re.compile(r"[。；;.\n]+")
_OUTSIDE = 3


class Question(NamedTuple):
    """A question made of an article."""

    text: str
    document: str


class Tuning(Record, frozen=True):
    """What was tried on a corpus, and what it is searched with from then on."""

    corpus: str
    """Fingerprint of the corpus; a tuning of another state of it is not used."""
    language: str
    passages: int
    tried: dict[str, Estimate]
    """Retriever to the share of made questions with their article among the first five."""
    differences: dict[str, Estimate]
    """Retriever to its share less that of the default, paired by question."""
    chosen: str
    held_out: Estimate
    """The share where each fifth of the questions is searched by what the other four choose."""
    own_turned_away: Estimate | None
    """Share of the made questions that the rule of silence turns away; None where nothing was fitted for such a corpus."""
    foreign_turned_away: Estimate | None
    """The same of questions put together from everyday words of fields of law that the corpus does not hold."""
    seconds: float
    kept: float = KEPT[0]
    """Share of a sentence's words that the questions keep."""
    barred: tuple[str, ...] = ()
    """Retrievers that were tried for comparison and could not be chosen."""

    @property
    def told_apart(self) -> bool:
        """Whether any question tells one retriever from another: where all find the same share, none was chosen for being better."""
        return len({one.value for one in self.tried.values()}) > 1


def tune(
    store: Store,
    retrievers: dict[str, Retriever],
    generator: np.random.Generator,
    *,
    corpus: str,
    answered: Callable[[str], bool | None],
    questions: int = QUESTIONS,
    done: Callable[[str, int], None] = lambda _name, _count: None,
) -> Tuning:
    """Search made questions with each retriever, the default among them, and choose.

    Args:
        store: the passages of law.
        retrievers: by name; one of them is ``learned``.
        generator: draws articles and words.
        corpus: the fingerprint that the tuning is stamped with.
        answered: whether the rule of silence lets a question through; None where it does not know.
        questions: how many are made at most.
        done: told the name of a retriever, and how many questions it has searched, after each.
    """
    begin = time.perf_counter()
    barred = BY_WORDS if fitted_for(DEFAULT, store.language) else frozenset()
    kept = hard_enough(store, retrievers[DEFAULT], generator)
    asked = made_questions(store, generator, questions, kept)
    hits: dict[str, np.ndarray] = {}
    for name, retriever in retrievers.items():
        found: list[float] = []
        for one in asked:
            found.append(float(_found(store, retriever, one)))
            done(name, len(found))
        hits[name] = np.array(found)
    folds = np.arange(len(asked)) % FOLDS
    outside = np.array([hits[chosen_of(hits, folds != fold, barred=barred)][place] for place, fold in enumerate(folds)])
    return Tuning(
        corpus=corpus,
        language=store.language,
        passages=len(store.passages),
        tried={name: _share(values) for name, values in hits.items()},
        differences={
            name: mean(values - hits[DEFAULT], low=-1, high=1, unit="question")
            for name, values in hits.items()
            if name != DEFAULT
        },
        chosen=chosen_of(hits, barred=barred),
        held_out=_share(outside),
        own_turned_away=_turned_away([one.text for one in asked], answered),
        foreign_turned_away=_turned_away(foreign_questions(store, generator), answered),
        seconds=round(time.perf_counter() - begin, 2),
        kept=kept,
        barred=tuple(sorted(barred & hits.keys())),
    )


def hard_enough(store: Store, default: Retriever, generator: np.random.Generator) -> float:
    """The largest share of words with which the default does not find nearly every article; the smallest where it always does."""
    for kept in KEPT[:-1]:
        probed = made_questions(store, generator, _PROBED, kept)
        if not probed or np.mean([_found(store, default, one) for one in probed]) <= EASY:
            return kept
    return KEPT[-1]


def chosen_of(hits: dict[str, np.ndarray], within: np.ndarray | None = None, *, barred: Collection[str] = ()) -> str:
    """The default, or of those that are better than it by a paired 95% interval the best one; never one that any other beats so.

    ``hits`` are 0 or 1 by retriever and question; ``within`` says which questions count, ``barred`` which retrievers do not.
    """
    kept = {name: values if within is None else values[within] for name, values in hits.items() if name not in barred}
    best = DEFAULT
    for name in sorted(kept, key=lambda one: -kept[one].mean()):
        low = mean(kept[name] - kept[best], low=-1, high=1).low
        if low is not None and low > 0:
            best = name
    return best


def made_questions(store: Store, generator: np.random.Generator, count: int, kept: float = KEPT[0]) -> list[Question]:
    """Up to so many questions, each of another article, drawn from all over the store, with this share of a sentence's words."""
    found: list[Question] = []
    seen: set[str] = set()
    for place in generator.permutation(len(store.passages)):
        piece = store.passages[int(place)]
        if piece.document not in seen and (text := _question(piece.text, store.language, generator, kept)):
            seen.add(piece.document)
            found.append(Question(text, piece.document))
            if len(found) == count:
                break
    return found


def foreign_questions(store: Store, generator: np.random.Generator) -> list[str]:
    """Three everyday phrases at a time of each field of law that the store holds nothing of."""
    fields = fields_of_law(store.language)
    away = [field for field, held in zip(fields, held_fields(store), strict=True) if held == 0]
    separator = "，" if store.language == "zh" else " "
    questions = []
    for field in away:
        phrases = [separator.join(one.parts) for one in field.everyday if one.weight >= 1]
        for _ in range(_OUTSIDE):
            chosen = generator.choice(len(phrases), size=min(3, len(phrases)), replace=False)
            questions.append(separator.join(phrases[int(place)] for place in chosen))
    return questions


def _question(text: str, language: str, generator: np.random.Generator, share: float) -> str:
    sentences = [words for one in _SENTENCE.split(text) if len(words := _WORD.findall(one)) >= _SHORTEST]
    if not sentences:
        return ""
    words = sentences[int(generator.integers(len(sentences)))]
    kept = [word for word in words if generator.random() < share][:_MOST_WORDS] or words[:1]
    said = everyday_phrases(frozenset(grams(text)[0]), language)
    lead = [said[int(generator.integers(len(said)))]] if said else []
    return ("，" if language == "zh" else " ").join([*lead, *kept])


def _found(store: Store, retriever: Retriever, question: Question) -> bool:
    # Pieces of one article take several places.
    ranked = retriever.search([question.text], 3 * FIRST)[0]
    documents = list(dict.fromkeys(store.passages[one.position].document for one in ranked))
    return question.document in documents[:FIRST]


def _share(values: Sequence[float] | np.ndarray) -> Estimate:
    return mean(values, low=0, high=1, unit="question")


def _turned_away(questions: Sequence[str], answered: Callable[[str], bool | None]) -> Estimate | None:
    decided = [answered(one) for one in questions]
    known = [float(not one) for one in decided if one is not None]
    return _share(known) if known else None
