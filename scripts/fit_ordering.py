"""Fit the second ordering of the retriever `learned` for a language and write its weights into the package.

    python scripts/fit_ordering.py zh ../shared/data --folder indexes/consultant
    python scripts/fit_ordering.py ru ../shared/data --folder indexes/consultant
    python scripts/fit_ordering.py zh ../shared/data --folder indexes/consultant --large
    python scripts/fit_ordering.py en ../shared/data --folder indexes/consultant

Questions: the readable ones of benchmarks/consultant; for Russian benchmarks/retrieval, each put to the code that answers
it; for Chinese the even ones of STARD, each put to every small corpus that holds an article for it. Prints what the
first order reaches and what the second does in a nested cross-validation: questions that share an article are never on both sides, and
the strength of the regularisation is chosen inside the training part of each fold. With ``--large`` the same Chinese questions, and LawBench's
3-2, are put to all Chinese law (56,226 passages), and the weights are those of stores above 20,000 passages.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fitted_weights import thinned, weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchbar.law.citations import extract
from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval import expansion, ordering
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.learned import LogisticWeights, shipped_weights
from benchbar.retrieval.ordering import SIGNALS, ranked, signals
from benchbar.retrieval.passages import LAW
from benchbar.statistics.proportions import wilson_interval

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import READABLE, documents, opened, questions_of  # noqa: E402 - its corpora are made there

CODES = {
    "ТК": "ru-labour", "ГК": "ru-civil", "СК": "ru-family", "ЖК": "ru-housing", "ГПК": "ru-procedure",
}  # fmt: skip
LARGE = "zh-all"
SMALL = ("zh-labour", "zh-civil", "zh-consumer", "zh-public")
STRENGTHS = (0.0005, 0.002, 0.01, 0.05)
FOLDS, INNER = 5, 3
FIRST = 5


class Asked(NamedTuple):
    """A question put to a corpus."""

    source: str
    question: str
    corpus: str
    expected: frozenset[str]
    """Documents of the index, any of which answers."""


def _lawbench(
    shared: Path, corpora: Corpora, names: Sequence[str] = SMALL, tasks: Sequence[str] = ("3-8",)
) -> list[Asked]:
    """People's questions of LawBench's tasks, put to each corpus that holds an article which the answer cites."""
    rows = [json.loads(line) for line in (shared / "zh/lawbench/tasks_even.jsonl").read_text("utf-8").splitlines()]
    found = []
    for row in rows:
        cited = (
            [one for one in extract(row["answer"], "zh") if one.names and one.article] if row["task"] in tasks else []
        )
        for corpus in names if cited else ():
            named = (f"{one.names}第{one.article}条{f'之{one.sub}' if one.sub else ''}" for one in cited)
            expected = frozenset().union(*map(corpora[corpus].documents_named, named))
            if expected:
                found.append(Asked(f"LawBench {row['task']}", row["question"], corpus, expected))
    return found


class Drawn(NamedTuple):
    """Its first passages."""

    asked: Asked
    places: np.ndarray
    """Their positions in the store of law."""
    documents: np.ndarray
    relevant: np.ndarray
    values: np.ndarray


class Corpora:
    """The indexes, each opened once."""

    def __init__(self, shared: Path, folder: Path) -> None:
        """Made in ``folder`` where they are not there."""
        self._shared, self._folder = shared, folder
        self._open: dict[str, CorpusIndex] = {}

    def __getitem__(self, name: str) -> CorpusIndex:
        """One of ``corpora.json``."""
        if name not in self._open:
            self._open[name] = opened(name, self._shared, self._folder)
        return self._open[name]


def questions(language: str, shared: Path, corpora: Corpora, *, large: bool = False) -> list[Asked]:
    """Everything that may be learned from; ``held`` is not among them. All of it put to all Chinese law where that is wanted."""
    found = []
    for half in READABLE:
        for row in questions_of(half, language):
            if row["expected"]:
                corpus = LARGE if large else row["corpus"]
                index = corpora[corpus]
                expected = frozenset().union(*(documents(index, language, one) for one in row["expected"]))
                found.append(Asked(half, row["question"], corpus, expected))
    if large:
        return [*found, *_stard(shared, corpora, [LARGE]), *_lawbench(shared, corpora, [LARGE], ("3-2", "3-8"))]
    if language == "zh":
        found += [*_stard(shared, corpora), *_lawbench(shared, corpora)]
    return [*found, *_russian(corpora)] if language == "ru" else found


def _russian(corpora: Corpora) -> list[Asked]:
    found = []
    for name in ("questions_ru", "further_questions_ru"):
        for line in (ROOT / f"benchmarks/retrieval/{name}.tsv").read_text("utf-8").splitlines():
            question, named = line.split("\t")
            corpus = CODES.get(named.split()[0], "ru-codes")
            expected = frozenset().union(*map(corpora[corpus].documents_named, named.split("; ")))
            found.append(Asked(name, question, corpus, expected))
    return found


def _stard(shared: Path, corpora: Corpora, names: Sequence[str] = SMALL) -> list[Asked]:
    rows = [json.loads(line) for line in (shared / "zh/stard/queries_even.jsonl").read_text("utf-8").splitlines()]
    found = []
    for corpus in names:
        for row in rows:
            expected = frozenset().union(*map(corpora[corpus].documents_named, row["relevant"]))
            if expected:
                found.append(Asked("STARD", row["question"], corpus, expected))
    return found


def draw(asked: list[Asked], language: str, corpora: Corpora) -> list[Drawn]:
    """The first passages of each question with their signals."""
    weights, drawn = shipped_weights("learned", language), []
    for one in asked:
        store = corpora[one.corpus].store(LAW)
        found = ranked(store, one.question, weights)
        places, chances = found.positions[: found.first], found.chances[: found.first]
        # By the first order, so that without the second one the first five are its own.
        order = np.argsort(-chances, kind="stable")
        places, chances = places[order], chances[order]
        named = np.array([store.passages[int(place)].document for place in places])
        values = signals(store, one.question, places, chances)
        drawn.append(Drawn(one, places, named, np.isin(named, list(one.expected)), values))
    return drawn


def grouped(drawn: list[Drawn]) -> np.ndarray:
    """A number for each question, the same where two share an article or one is asked twice."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while parents.setdefault(name, name) != name:
            name = parents[name]
        return name

    for one in drawn:
        for document in one.asked.expected:
            parents[root(document)] = root(one.asked.question)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(root(one.asked.question), len(numbers)) for one in drawn])


def fit(drawn: list[Drawn], strength: float, source: str = "") -> LogisticWeights:
    """Weights from some questions; of an answering document its best piece alone counts as right."""
    values, labels = [], []
    for one in drawn:
        right = np.zeros(len(one.documents), dtype=bool)
        for document in set(one.documents[one.relevant]):
            right[np.flatnonzero(one.documents == document)[0]] = True
        kept = right | ~one.relevant
        values.append(one.values[kept])
        labels.append(right[kept])
    scaler = StandardScaler().fit(np.concatenate(values))
    model = LogisticRegression(C=strength, max_iter=500)
    model.fit(scaler.transform(np.concatenate(values)), np.concatenate(labels))
    return weights_of(scaler, model, SIGNALS, source)


def measured(one: Drawn, scores: np.ndarray) -> tuple[float, float, float]:
    """Whether a right article is among the first five, the share of them that is, and the reciprocal rank of the first in ten."""
    order = list(dict.fromkeys(one.documents[np.argsort(-scores, kind="stable")]))
    hits = [document in one.asked.expected for document in order]
    first = next((1 / place for place, hit in enumerate(hits[:10], 1) if hit), 0.0)
    return float(any(hits[:FIRST])), sum(hits[:FIRST]) / len(one.asked.expected), first


def folds(groups: np.ndarray, count: int) -> list[np.ndarray]:
    """Which questions are left out in each fold."""
    order = np.random.default_rng(0).permutation(np.unique(groups))
    return [np.isin(groups, part) for part in np.array_split(order, count)]


def strongest(drawn: list[Drawn], groups: np.ndarray) -> float:
    """The strength with the best mean of right in five and reciprocal rank, by folds of these questions alone."""

    def reached(strength: float) -> float:
        values = []
        for out in folds(groups, INNER):
            weights = fit([one for one, left in zip(drawn, out, strict=True) if not left], strength)
            values += [
                measured(one, weights.probabilities(one.values)) for one, left in zip(drawn, out, strict=True) if left
            ]
        return float(np.mean(values))

    return max(STRENGTHS, key=reached)


def shown(name: str, drawn: list[Drawn], values: np.ndarray) -> None:
    """One line for each source of questions."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(drawn):
        places[one.asked.source].append(place)
    for source, own in places.items():
        right, recall, reciprocal = values[own].mean(axis=0)
        low, high = wilson_interval(float(right), len(own), 1.96)
        print(
            f"{name:20} {source:22} {len(own):4}  right in five {right:.3f} [{low:.3f}, {high:.3f}]"
            f"  R@5 {recall:.3f}  MRR@10 {reciprocal:.3f}"
        )


def main() -> None:
    """Print the nested cross-validation, fit on everything, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["zh", "ru", "en"])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--large", action="store_true", help="fit the order of stores above 20,000 passages")
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    language, corpora = arguments.language, Corpora(arguments.shared, arguments.folder)
    asked = questions(language, arguments.shared, corpora, large=arguments.large)
    whole = draw(asked, language, corpora)
    # Nobody wrote the map for the questions of others: they call up fewer of its lines than these do.
    expansion.concepts = ordering.concepts = thinned
    thin = draw(asked, language, corpora)
    groups = grouped(whole)
    for name, drawn in (("whole map", whole), ("thinned map", thin)):
        shown(f"{name}, first", drawn, np.array([measured(one, -np.arange(len(one.documents))) for one in drawn]))
    values = np.zeros((2, len(asked), 3))
    for out in folds(groups, FOLDS):
        inside = [one for drawn in (whole, thin) for one, left in zip(drawn, out, strict=True) if not left]
        weights = fit(inside, strongest(inside, np.tile(groups[~out], 2)))
        for kind, drawn in enumerate((whole, thin)):
            for place in np.flatnonzero(out):
                values[kind, place] = measured(drawn[place], weights.probabilities(drawn[place].values))
    shown("whole map, second", whole, values[0])
    shown("thinned map, second", thin, values[1])
    drawn, groups = [*whole, *thin], np.tile(groups, 2)
    strength = strongest(drawn, groups)
    print(f"strength {strength:g}, {len(np.unique(groups))} groups of questions")
    if not arguments.dry:
        source = f"{len(asked)} questions, each with the whole map and a thinned one, in {len(np.unique(groups))} groups (scripts/fit_ordering.py)"
        target = ROOT / f"src/benchbar/retrieval/weights/ordering_{'large_' if arguments.large else ''}{language}.json"
        write_atomically(target, encode(fit(drawn, strength, source)) + b"\n")


if __name__ == "__main__":
    main()
