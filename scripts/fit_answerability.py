"""Fit when a corpus answers a question, and write the weights into the package.

    python scripts/fit_answerability.py ru ../shared/data
    python scripts/fit_answerability.py zh ../shared/data
    python scripts/fit_answerability.py en ../shared/data

The English corpora have to be in ``--folder`` already: benchmarks/consultant_search.py makes them.

Whether the law at hand holds the matter is learned from every question put to each corpus of ``CORPORA`` alone: those that hold an article which
answers it do, the others do not. Each is asked with the whole map of everyday words and with a thinned one, which stands for questions that
nobody wrote the map for. Whether any article answers is then learned from questions of ``STRANGERS`` put to the corpus that they were written for, those of ``NEVER``
among them. The questions are the readable ones of benchmarks/consultant; for the matter also those of benchmarks/retrieval in
Russian and the even ones of STARD in Chinese. Prints what comes of the questions of each writer of ``STRANGERS`` when both fits and the bound are of all others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fitted_weights import thinned, weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval import expansion
from benchbar.retrieval.answerability import (
    ANSWER_SIGNALS,
    FURTHER_SIGNALS,
    INDEXED_SIGNALS,
    SIGNALS,
    Answerability,
    answer_signals,
    signals,
)
from benchbar.retrieval.asked_for import chance_of_law
from benchbar.retrieval.beyond_law import asks_beyond_law
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.countries import foreign_country
from benchbar.retrieval.elsewhere import ELSEWHERE_SIGNALS
from benchbar.retrieval.learned import LogisticWeights
from benchbar.retrieval.matters import MATTER_SIGNALS, matters_of
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.settings import SILENCE
from benchbar.statistics.proportions import wilson_interval

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import ENGLISH, INDEXED_ENGLISH, READABLE, documents, lines, opened, questions_of  # noqa: E402 - its corpora are made there

CORPORA = {
    "ru": ("ru-housing", "ru-labour", "ru-civil", "ru-family", "ru-procedure", "ru-criminal", "ru-land", "ru-codes"),
    "zh": ("zh-labour", "zh-civil", "zh-consumer", "zh-public", "zh-criminal", "zh-company", "zh-procedure"),
    "en": ENGLISH,
}
WHOLE = ("ru-codes",)
"""A corpus of all the codes. Without the subject index little but its size tells it, so that it would say that small ones answer nothing."""
NOT_INDEXED = tuple(one for one in ENGLISH if one not in INDEXED_ENGLISH)
"""Corpora of which the subject index knows nothing, so that its signals are not fitted on them."""
STRANGERS = ("a", "b", "c", "others")
"""Writers who had not seen the program: the bound is that of their questions."""
NEVER = ("local", "foreign_law", "foreign", "private_document", "forecast", "no_law", "form", "no_answer")
"""Kinds that no law settles, whichever it is."""
REGULARISATION = 0.01, 10.0
"""Of the matter and of the answer, by questions of strangers that were left out."""
CROSS = 0.05
"""Weight of a question put to a code of another field, beside one of other law that was written for its corpus."""
FOLDS = 5
EVERY = 3
"""Of STARD's questions that no corpus answers every third one: they are as many as all others together."""


class Asked(NamedTuple):
    """A question put to a corpus."""

    question: str
    number: int
    """The same for one question put to several corpora."""
    corpus: str
    answered: bool
    own: bool = False
    """Whether the corpus is the one that it was written for."""
    kind: str = ""
    """Of questions that no article of their corpus settles."""
    writer: str = ""

    @property
    def of_law(self) -> bool:
        """Whether some law settles it, this or another."""
        return self.kind not in NEVER


def questions(language: str, shared: Path, indexes: dict[str, CorpusIndex]) -> list[Asked]:
    """Everything that may be learned from, each put to each corpus that is known to answer it or not."""
    rows = [(half, row) for half in READABLE for row in questions_of(half, language)]
    found = [one for number, (half, row) in enumerate(rows) for one in _put(number, half, row, language, indexes)]
    for number, (question, answers, every) in enumerate(published(language, shared), start=len(rows)):
        answered = {name: answers(index) for name, index in indexes.items()}
        if every or any(answered.values()):
            found.extend(Asked(question, number, name, one) for name, one in answered.items())
    return found


def _put(number: int, half: str, row: dict, language: str, indexes: dict[str, CorpusIndex]) -> Iterator[Asked]:
    writer = {"others_tune": "others", "strangers_tune": row["id"][0]}.get(half, half)
    for name, index in indexes.items():
        own = name == row["corpus"]
        if row["expected"]:
            answered = any(documents(index, language, one) for one in row["expected"])
            yield Asked(row["question"], number, name, answered, own, writer=writer)
        elif own:
            # It names no law, so that only of its own corpus it is known that this does not answer.
            yield Asked(row["question"], number, name, answered=False, own=True, kind=row["kind"], writer=writer)


def published(language: str, shared: Path) -> Iterator[tuple[str, Callable[[CorpusIndex], bool], bool]]:
    """Questions in lawyers' words, what tells whether a corpus answers one, and whether it is put to others too."""
    if language == "ru":
        for file in ("questions_ru", "further_questions_ru"):
            for line in (ROOT / f"benchmarks/retrieval/{file}.tsv").read_text("utf-8").splitlines():
                question, named = line.split("\t")
                yield question, lambda index, named=named: any(map(index.documents_named, named.split("; "))), True
    elif language == "en":
        # Of a help line of Hong Kong: law settles them, and no corpus here has its articles.
        for row in lines(shared / "en/safelawbench_hk_qa/qa_even.jsonl"):
            yield row["question"], lambda _: False, False
    else:
        for place, row in enumerate(lines(shared / "zh/stard/queries_even.jsonl")):
            relevant = row["relevant"]
            yield (
                row["question"],
                lambda index, relevant=relevant: any(map(index.documents_named, relevant)),
                place % EVERY == 0,
            )


class Material(NamedTuple):
    """The questions with their signals."""

    rows: list[Asked]
    values: tuple[np.ndarray, np.ndarray]
    """With the whole map and with a thinned one, each of shape (rows, ``FURTHER_SIGNALS``)."""
    law_chances: np.ndarray
    """The chance that some law settles what is asked, of shape (rows,)."""
    decided: np.ndarray
    """Whether wordings decide alone."""

    def of(self, name: str) -> np.ndarray:
        return np.array([getattr(row, name) for row in self.rows])

    def signals(self, rows: np.ndarray, names: tuple[str, ...]) -> list[np.ndarray]:
        """Some of the signals of some rows, with the whole map and with a thinned one."""
        columns = [FURTHER_SIGNALS.index(name) for name in names]
        return [one[rows][:, columns] for one in self.values]


def material(language: str, shared: Path, folder: Path) -> Material:
    """Every signal of every question."""
    indexes = {name: opened(name, shared, folder) for name in CORPORA[language]}
    rows = questions(language, shared, indexes)
    stores = {name: index.store(LAW) for name, index in indexes.items()}

    def measured() -> np.ndarray:
        return np.stack([signals(stores[one.corpus], one.question, FURTHER_SIGNALS) for one in rows])

    whole = measured()
    map_, expansion.concepts = expansion.concepts, thinned
    thin = measured()
    expansion.concepts = map_
    of_law = np.array([chance_of_law(one.question, language) for one in rows])
    decided = np.array(
        [
            asks_beyond_law(one.question) or bool(foreign_country(one.question, stores[one.corpus].passages))
            for one in rows
        ]
    )
    return Material(rows, (whole, thin), of_law, decided)


def matter(given: Material, kept: np.ndarray, features: tuple[str, ...], source: str = "") -> LogisticWeights:
    """Weights for whether the law at hand holds the matter; both kinds of question weigh the same, though most pairs have no answer."""
    kept = kept & given.of("of_law")
    values = np.concatenate(given.signals(kept, features))
    labels, hard = np.tile(given.of("answered")[kept], 2), np.tile((given.of("kind") != "")[kept], 2)
    return regression(values, labels, np.where(hard | labels, 1.0, CROSS), REGULARISATION[0], features, source)


def regression(
    values: np.ndarray, labels: np.ndarray, weights: np.ndarray, strength: float, features: tuple[str, ...], source: str
) -> LogisticWeights:
    scaler = StandardScaler().fit(values)
    weights = weights.copy()
    weights[labels] *= weights[~labels].sum() / weights[labels].sum()
    model = LogisticRegression(C=strength, max_iter=3000)
    model.fit(scaler.transform(values), labels, sample_weight=weights / weights.mean())
    return weights_of(scaler, model, features, source)


def held(given: Material, weights: LogisticWeights, rows: np.ndarray) -> np.ndarray:
    """The signals of the answer for some rows, by a fit of the matter."""
    chances = weights.probabilities(given.signals(rows, weights.features)[0])
    return answer_signals(chances, given.law_chances[rows])


def fit(given: Material, kept: np.ndarray, features: tuple[str, ...], source: str = "") -> Answerability:
    """Fit on some of the rows; each stage is given what the one before says of questions that it had not learned."""
    numbers, labels = given.of("number"), given.of("answered")
    own = given.of("own") & kept & ~given.decided & np.isin(given.of("writer"), STRANGERS)
    values = np.zeros((len(labels), len(ANSWER_SIGNALS)))
    for out in folds(numbers, kept):
        values[out & own] = held(given, matter(given, kept & ~out, features), np.flatnonzero(out & own))
    chances = np.zeros(len(labels))
    for out in folds(numbers, kept):
        chances[out & own] = answer(values, labels, own & ~out).probabilities(values[out & own])
    bound = tuple(round(float(one), 5) for one in np.sort(chances[own & labels]))
    # Chinese statutes have no headings, so that the signals of headings are constant and weigh nothing.
    headed = bool((given.values[0][:, SIGNALS.index("title")] > 0).any())
    return Answerability(
        held=matter(given, kept, features, source),
        weights=answer(values, labels, own, source),
        answered=bound,
        headed=headed,
    )


def answer(values: np.ndarray, labels: np.ndarray, kept: np.ndarray, source: str = "") -> LogisticWeights:
    return regression(values[kept], labels[kept], np.ones(kept.sum()), REGULARISATION[1], ANSWER_SIGNALS, source)


def folds(numbers: np.ndarray, kept: np.ndarray) -> Iterator[np.ndarray]:
    """The rows of each fifth of the questions."""
    for part in np.array_split(np.random.default_rng(0).permutation(np.unique(numbers[kept])), FOLDS):
        yield kept & np.isin(numbers, part)


def features_of(language: str) -> dict[str, tuple[str, ...]]:
    """The signals of each set of weights, by its name: for law that the subject index does not know, and for law that it knows."""
    named = MATTER_SIGNALS if matters_of(language) else ()
    return {language: (*SIGNALS, *named), f"indexed_{language}": (*INDEXED_SIGNALS, *ELSEWHERE_SIGNALS, *named)}


def main() -> None:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(CORPORA))
    parser.add_argument("shared", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--dry", action="store_true", help="print what strangers left out give, write nothing")
    arguments = parser.parse_args()
    given = material(arguments.language, arguments.shared, arguments.folder)
    for name, features in features_of(arguments.language).items():
        print(name)
        kept = ~np.isin(given.of("corpus"), WHOLE if name == arguments.language else NOT_INDEXED)
        tell(given, kept, features)
        if not arguments.dry:
            asked, put = len(set(given.of("number"))), len(set(given.of("corpus")[kept]))
            source = f"{asked} questions, put to {put} corpora (scripts/fit_answerability.py)"
            result = fit(given, kept, features, source)
            target = ROOT / f"src/benchbar/retrieval/weights/answerable_{name}.json"
            write_atomically(target, encode(result) + b"\n")


def tell(given: Material, kept: np.ndarray, features: tuple[str, ...]) -> None:
    """Print what becomes of each stranger's questions by fits and bound of all others; where there is one stranger, of those to each corpus."""
    away = {share: np.zeros(len(given.rows), dtype=bool) for share in (SILENCE, 0.1, 0.15)}
    chances = np.zeros(len(given.rows))
    own = given.of("own") & kept & np.isin(given.of("writer"), STRANGERS)
    apart = given.of("writer" if len({*given.of("writer")[own]}) > 1 else "corpus")
    for left in dict.fromkeys(apart[own]):
        out = kept & (apart == left)
        fitted = fit(given, kept & ~out, features)
        rows = np.flatnonzero(out & own)
        chances[rows] = fitted.weights.probabilities(held(given, fitted.held, rows))
        for share, found in away.items():
            found[rows] = (chances[rows] < fitted.bound(share)) | given.decided[rows]
    labels, kinds = given.of("answered"), given.of("kind")
    print(f"area {roc_auc_score(labels[own], chances[own]):.3f}")
    for share, found in away.items():
        print(f"share {share}: right silence {rate(found, own & ~labels)}, wrong {rate(found, own & labels)}")
        if share == SILENCE:
            print(
                "   ",
                *(
                    f"{kind} {found[own & (kinds == kind)].sum()}/{(own & (kinds == kind)).sum()};"
                    for kind in sorted({*kinds[own]} - {""})
                ),
            )


def rate(away: np.ndarray, own: np.ndarray) -> str:
    """How many of some are turned away, with the 95% Wilson interval."""
    low, high = wilson_interval(float(away[own].mean()), int(own.sum()), 1.96)
    return f"{away[own].sum()}/{own.sum()} = {away[own].mean():.2f} [{low:.2f}, {high:.2f}]"


if __name__ == "__main__":
    main()
