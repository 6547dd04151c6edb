"""Whether a store answers a question at all: two regressions, and a conformal bound.

The first asks whether the law at hand holds the matter. The score of a passage says how it stands against others of the same store, so the best
of a code on housing scores well for a question on alimony too. What tells the two apart is how much of the question the best heading and the best
passage take up, against what they could at most, whether the field of law that the question is of is one that the store holds
(``retrieval.fields``), and whether everyday phrases of it are of articles at hand or of other law.

The second asks whether any article answers it: how likely the matter is held, and how likely it is that some law settles what is asked. The odds of a lawsuit
are of the same matter as its rules, and no statute states them (``retrieval.asked_for``).

The map of everyday words (``retrieval.expansion``) holds most questions that it was written beside, and fewer of others. So the
first is fitted on every question twice, with the map as it is and with most of the lines that the question calls up taken away.

The bound is that of split conformal prediction (Vovk et al., 2005; Angelopoulos and Bates, 2023, section 1.1): the k-th
lowest of n scores of questions with an answer, k = floor(share * (n + 1)). Of further questions like those, at most
that share is turned away on average: they are questions of people who had not seen the program, each weighed by a fit without them.
For questions of another kind nothing is promised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from math import ceil, floor, inf

import numpy as np

from benchbar.languages.overlap import covered, shingles
from benchbar.records import Record, decode
from benchbar.records.errors import BadInputError
from benchbar.retrieval.asked_for import chance_of_law
from benchbar.retrieval.elsewhere import ELSEWHERE_SIGNALS, elsewhere_signals
from benchbar.retrieval.expansion import legal_terms
from benchbar.retrieval.familiarity import familiarity
from benchbar.retrieval.fields import FIELD_SIGNALS, field_signals
from benchbar.retrieval.learned import LogisticWeights, candidates, shipped_weights
from benchbar.retrieval.matters import MATTER_SIGNALS, matter_signals
from benchbar.retrieval.passages import LEAST_PASSAGES
from benchbar.retrieval.postings import Floats, Postings
from benchbar.retrieval.retrievers import attainable
from benchbar.retrieval.store import Store
from benchbar.retrieval.subject_index import STORE_SUBJECT_SIGNALS, is_indexed, store_subject_signals
from benchbar.retrieval.tokens import grams
from benchbar.retrieval.weighting import bm25, coverage, lucene_idf

SIGNALS = (
    "best", "first_five", "lead", "covered", "share", "known", "familiarity",
    "any_terms", "terms_covered", "terms_share", "title_share", "title", "own", "terms", "length",
    *FIELD_SIGNALS,
)  # fmt: skip
INDEXED_SIGNALS = (*SIGNALS, *STORE_SUBJECT_SIGNALS)
"""Of stores whose law the subject index knows; of others it would say that all their questions belong elsewhere."""
FURTHER_SIGNALS = (*INDEXED_SIGNALS, *ELSEWHERE_SIGNALS, *MATTER_SIGNALS)
"""In languages that have tables of what is settled elsewhere."""
ANSWER_SIGNALS = ("held", "of_law")
"""The logarithms of the chances that the matter is of the law at hand, and that some law settles what is asked: either can turn a question away."""
_LEAST_CHANCE = 1e-6
_LEAST_HELD = 1e-4
"""No regression over so few questions knows smaller chances."""
_CHANCE = 0.1
"""Share of unrelated questions that a decision may fit as well as the one asked."""
_MADE, _QUESTION = 100, 120
"""How many questions are made of the law, and characters of one: about those of a question in `benchmarks/consultant`."""
_LEAST_HEADED = 0.5
"""Share of passages with a heading: the two strongest signals are of headings, and read 0 where there are none."""


class Answerability(Record, frozen=True):
    """Both regressions, and what they gave for questions with an answer that they had not seen."""

    held: LogisticWeights
    """Over some of ``FURTHER_SIGNALS``, by name; over ``SIGNALS`` alone for stores of other law than the subject index knows."""
    weights: LogisticWeights
    """Over ``ANSWER_SIGNALS``."""
    answered: tuple[float, ...]
    """Probabilities of those questions, each from a fit on those of others, ascending."""
    headed: bool = True
    """Whether the passages that it was fitted on have headings."""

    def bound(self, share: float) -> float:
        """The probability below which a question is turned away, so that at most this share of answerable ones is."""
        place = floor(share * (len(self.answered) + 1))
        # With too few questions no bound can promise so small a share: then nothing is turned away.
        return self.answered[place - 1] if place >= 1 else -inf


@cache
def shipped_answerability(language: str, *, indexed: bool = False) -> Answerability | None:
    """What comes with this package for stores in a language; None where nobody has labelled questions in it.

    Raises:
        BadInputError: the file is for signals that there are not.
    """
    name = f"answerable_{'indexed_' if indexed else ''}{language}.json"
    file = resources.files("benchbar.retrieval") / "weights" / name
    if not file.is_file():
        return None
    found = decode(file.read_bytes(), Answerability, file=str(file))
    if not set(found.held.features) <= set(FURTHER_SIGNALS) or found.weights.features != ANSWER_SIGNALS:
        raise BadInputError("these weights are for other signals; run scripts/fit_answerability.py", file=str(file))
    return found


def answers(store: Store, question: str, share: float) -> bool | None:
    """Whether a store answers a question, where at most ``share`` of the answerable ones may be turned away.

    None where nothing was fitted for stores like this one: in its language, not much smaller than a code, with headings where
    those that it was fitted on have them.
    """
    fitted, chance = fitted_for_store(store), chance_answered(store, question)
    return None if fitted is None or chance is None else chance >= fitted.bound(share)


def chance_answered(store: Store, question: str) -> float | None:
    """The fitted probability that a store answers a question, strictly between 0 and 1; None where nothing was fitted."""
    fitted = fitted_for_store(store)
    if fitted is None:
        return None
    held = fitted.held.probabilities(signals(store, question, fitted.held.features)[None, :])
    chance = float(fitted.weights.probabilities(answer_signals(held, chance_of_law(question, store.language)))[0])
    return min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)


def answer_signals(held: Floats, of_law: Floats | float) -> Floats:
    """What tells whether questions are answered, in the order of ``ANSWER_SIGNALS``, of shape (questions, 2)."""
    chances = np.column_stack([held, np.broadcast_to(of_law, len(held))])
    found: Floats = np.log(np.clip(chances, _LEAST_HELD, 1)).astype(np.float32)
    return found


def fitted_for_store(store: Store) -> Answerability | None:
    """What tells whether stores like this one answer; None where nothing was fitted for them."""
    if len(store.passages) < LEAST_PASSAGES:
        return None
    fitted = shipped_answerability(store.language, indexed=is_indexed(store))
    if fitted is None or (fitted.headed and np.mean(store.titles.lengths > 0) < _LEAST_HEADED):
        return None
    return fitted


def bears(law: Store, question: str, decision: str) -> bool:
    """Whether a decision is about a question: it holds more of its wording than of nine in ten questions made of the law.

    A score of a decision tells how it stands among others, and where there are few the best of them comes with every question.
    What the law at hand says elsewhere is what such a decision is compared with: no question of people is needed for it.
    """
    held = shingles(decision)
    own = covered(shingles(f"{question} {legal_terms(question, law.language)}"), held)
    others = sorted(covered(made, held) for made in _made_questions(law))
    return not others or own > others[ceil((1 - _CHANCE) * len(others)) - 1]


def _made_questions(law: Store) -> list[frozenset[str]]:
    """The wording of passages from all over the law, as short as questions are."""
    step = max(1, len(law.passages) // _MADE)
    texts = (
        law.passages[place].text.partition("\n")[2] or law.passages[place].text
        for place in range(0, len(law.passages), step)
    )
    return [shingles(text[:_QUESTION]) for text in texts]


def signals(store: Store, question: str, names: Sequence[str] = SIGNALS) -> Floats:
    """How well the best of a store fits a question, by the signals of ``FURTHER_SIGNALS`` that are named, in their order."""
    groups: tuple[tuple[tuple[str, ...], Callable[[], list[float]]], ...] = (
        (SIGNALS, lambda: _fit_of_best(store, question)),
        (STORE_SUBJECT_SIGNALS, lambda: store_subject_signals(store, question)),
        (ELSEWHERE_SIGNALS, lambda: elsewhere_signals(store, question)),
        (MATTER_SIGNALS, lambda: matter_signals(store, question)),
    )
    found: dict[str, float] = {}
    for group, read in groups:
        if not set(group).isdisjoint(names):
            found |= zip(group, read(), strict=True)
    return np.array([found[name] for name in names], dtype=np.float32)


def _fit_of_best(store: Store, question: str) -> list[float]:
    """In the order of ``SIGNALS``."""
    unigrams, bigrams = grams(question)
    said = [*unigrams, *bigrams]
    one, two = grams(legal_terms(question, store.language))
    added = [*dict.fromkeys(one), *dict.fromkeys(two)]
    chances = _chances(store, question)
    familiar = _known(store.characters, unigrams)
    own, terms = (bm25(store.characters, store.characters.match(words)) for words in (said, added))
    title = bm25(store.titles, store.titles.match([*said, *added]))
    covered = coverage(store.characters, store.characters.match(unigrams))
    return [
        np.log(chances[0] / (1 - chances[0])),
        chances[:5].mean(),
        chances[0] - chances[min(9, len(chances) - 1)],
        covered.max(initial=0) * familiar,
        _share(store.characters, own, said),
        familiar,
        familiarity(store, question),
        float(bool(added)),
        coverage(store.characters, store.characters.match(list(dict.fromkeys(one)))).max(initial=0),
        _share(store.characters, terms, added),
        _share(store.titles, title, [*said, *added]),
        title.max(initial=0),
        own.max(initial=0),
        terms.max(initial=0),
        np.log1p(len(unigrams)),
        *field_signals(store, question),
    ]


def _chances(store: Store, question: str) -> Floats:
    """Probabilities of the passages by the lexical regression, highest first; one tiny one where nothing was found."""
    weights = shipped_weights("learned", store.language)
    drawn = candidates(store, question, further=weights.further)
    if not len(drawn.positions):
        return np.array([_LEAST_CHANCE])
    return np.clip(np.sort(weights.probabilities(drawn.features))[::-1], _LEAST_CHANCE, 1 - _LEAST_CHANCE)


def _known(postings: Postings, terms: list[str]) -> float:
    """Share of the terms, weighted by rarity, that stand anywhere in the store."""
    found = postings.match(terms)
    known = float((lucene_idf(postings.size, found.counts) * found.repeats).sum())
    unknown = (len(terms) - float(found.repeats.sum())) * float(lucene_idf(postings.size, np.zeros(())))
    return known / max(known + unknown, 1e-9)


def _share(postings: Postings, scores: Floats, terms: list[str]) -> float:
    """The best score as a share of what a passage with all of the terms could reach."""
    if not terms:
        return 0.0
    return float(scores.max(initial=0)) / attainable(postings, postings.match(terms), len(terms))
