"""Fit what orders passages where the retriever is `embeddings`: the second order and an embedding model's cosines with passages and lines of the
subject index, by one regression.

    python scripts/fit_embedded_ordering.py zh ../shared/data --embeddings http://127.0.0.1:8100/v1
    python scripts/fit_embedded_ordering.py ru ../shared/data --embeddings http://127.0.0.1:8100/v1

Questions are those of ``fit_ordering.py``. Each is ordered by fits, of the second order and of this regression, that know no question of its
writer and none that shares an article with it: the published ones are of many people, and left out by thirds. Prints what the second order reaches
and what both do, with the paired difference and its interval. Vectors are kept in ``--cache``, so that no text is embedded twice.

In Chinese the regression knows the lines alone: with the cosine of passages it lost laymen's right articles.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from pathlib import Path

import fit_ordering
import numpy as np
from consultant_search import questions_of
from fit_ordering import ROOT, Asked, Corpora, Drawn, draw, fit, folds, grouped, measured, shown
from fitted_weights import thinned, weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval import expansion, ordering
from benchbar.retrieval.embedded import DENSE_SIGNALS, dense_signals
from benchbar.retrieval.embedded_lines import HeldLines
from benchbar.retrieval.embedding import EmbeddingSettings, EndpointEmbedder
from benchbar.retrieval.learned import LogisticWeights
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.store import Store

PUBLISHED = ("questions_ru", "further_questions_ru", "STARD", "LawBench 3-8")
"""Sources whose questions are of many people."""
LEARNED = {"ru": DENSE_SIGNALS, "zh": ("second", "line", "line_place")}
"""The signals of each language; the others weigh nothing."""
STRENGTHS = (0.1, 1.0, 10.0)
HELD: dict[Store, HeldLines] = {}
ALONE = {"cosine": 1, "line": 3}
"""Columns of ``DENSE_SIGNALS``, each tried by itself."""


SAVED_EVERY = 300
"""Seconds."""
STRENGTH = 0.01
"""Of the second order's regularisation: chosen beforehand."""
THIRDS = 3


class Vectors:
    """Vectors of texts, each asked for once."""

    def __init__(self, url: str, file: Path) -> None:
        """From the endpoint, kept in a file."""
        fields = {"query_params": {"input_type": "query"}, "passage_params": {"input_type": "passage"}}
        self._embedder = EndpointEmbedder(
            EmbeddingSettings(model="multilingual-e5-small", base_url=url, batch=16, **fields)
        )
        self._file, self._saved = file, 0.0
        self._kept: dict[str, np.ndarray] = dict(np.load(file)) if file.is_file() else {}

    def save(self) -> None:
        """Write what was asked for."""
        np.savez(self._file, **self._kept)
        self._saved = time.monotonic()

    def __call__(self, texts: list[str], *, queries: bool = False) -> np.ndarray:
        """Shape (texts, dimensions)."""
        keys = [hashlib.sha256(f"{queries}{text}".encode()).hexdigest()[:24] for text in texts]
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in self._kept}.items())
        encoded = self._embedder.encode_queries if queries else self._embedder.encode_passages
        for start in range(0, len(missing), 64):
            part = missing[start : start + 64]
            self._kept.update(zip([key for key, _ in part], encoded([text for _, text in part]), strict=True))
            print(f"{start + len(part)} of {len(missing)} embedded", end="\r", flush=True)
        if missing and time.monotonic() > self._saved + SAVED_EVERY:
            self.save()
        return np.stack([self._kept[key] for key in keys])


def embedded(one: Drawn, chances: np.ndarray, corpora: Corpora, vectors: Vectors, depth: int) -> Drawn:
    """The first passages of a question by the second order, with its log-odds and what the cosine says of them."""
    order = np.argsort(-chances, kind="stable")[:depth]
    store = corpora[one.asked.corpus].store(LAW)
    passages = vectors([store.passages[int(place)].text for place in one.places[order]])
    question = vectors([one.asked.question], queries=True)[0]
    return Drawn(
        one.asked,
        one.places[order],
        one.documents[order],
        one.relevant[order],
        dense_signals(chances[order], passages @ question, lines(store, one.places[order], question, vectors)),
    )


def lines(store: Store, places: np.ndarray, question: np.ndarray, vectors: Vectors) -> np.ndarray:
    """The cosine of a question with the nearest line of the subject index for each passage; NaN where none leads to it."""
    if store not in HELD:
        HELD[store] = HeldLines(store)
    own = [HELD[store].of(int(place)) for place in places]
    texts = {int(line): HELD[store].texts[line] for one in own for line in one}
    known = dict(zip(texts, vectors(list(texts.values())) @ question, strict=True)) if texts else {}
    return np.array([max((known[int(line)] for line in one), default=np.nan) for one in own])


def weighed(drawn: list[Drawn], strength: float, signals: tuple[str, ...], source: str = "") -> LogisticWeights:
    """Weights over ``DENSE_SIGNALS``, as ``fit_ordering`` fits those over its own; 0 for those that are not among ``signals``."""
    values, labels = [], []
    for one in drawn:
        right = np.zeros(len(one.documents), dtype=bool)
        for document in set(one.documents[one.relevant]):
            right[np.flatnonzero(one.documents == document)[0]] = True
        kept = right | ~one.relevant
        values.append(one.values[kept])
        labels.append(right[kept])
    scaler = StandardScaler().fit(np.concatenate(values))
    used = np.isin(DENSE_SIGNALS, signals)
    model = LogisticRegression(C=strength, max_iter=500)
    # A column of zeros is given no weight.
    model.fit(scaler.transform(np.concatenate(values)) * used, np.concatenate(labels))
    return weights_of(scaler, model, DENSE_SIGNALS, source)


def difference(name: str, before: np.ndarray, after: np.ndarray) -> None:
    """The paired difference of each measure with its bootstrap interval over questions."""
    generator, gained = np.random.default_rng(0), after - before
    drawn = gained[generator.integers(0, len(gained), (10_000, len(gained)))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    for column, measure in enumerate(("right in five", "R@5", "MRR@10")):
        print(f"{name}: {measure} {gained[:, column].mean():+.3f} [{low[column]:+.3f}, {high[column]:+.3f}]")


def writers(asked: list[Asked], language: str) -> np.ndarray:
    """Who wrote each question: its source, and of `strangers_tune` the letter of the writer."""
    rows = questions_of("strangers_tune", language)
    letters = {row["question"]: row["id"][0] for row in rows}
    return np.array(
        [f"{one.source} {letters[one.question]}" if one.source == "strangers_tune" else one.source for one in asked]
    )


def left_out(written: np.ndarray, groups: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each writer their questions, and all that a fit for them must not know; published questions by thirds."""
    found = []
    for name in np.unique(written):
        own = written == name
        parts = folds(groups[own], THIRDS) if name in PUBLISHED else [np.ones(own.sum(), dtype=bool)]
        for part in parts:
            out = own.copy()
            out[own] = part
            found.append((out, np.isin(groups, groups[out])))
    return found


def second_order(kinds: list[list[Drawn]], outs: list[tuple[np.ndarray, np.ndarray]]) -> list[list[np.ndarray]]:
    """The second order's probabilities, each from a fit without the question's writer and article."""
    found: list[list[np.ndarray]] = [[np.zeros(0)] * len(drawn) for drawn in kinds]
    for out, unknown in outs:
        weights = fit([one for drawn in kinds for one, left in zip(drawn, unknown, strict=True) if not left], STRENGTH)
        for kind, drawn in enumerate(kinds):
            for place in np.flatnonzero(out):
                found[kind][place] = weights.probabilities(drawn[place].values)
    return found


def cross_validated(
    dense: list[list[Drawn]], outs: list[tuple[np.ndarray, np.ndarray]], strength: float, signals: tuple[str, ...]
) -> np.ndarray:
    """What the regression reaches of questions that it does not know, of shape (maps, questions, measures)."""
    after = np.zeros((len(dense), len(dense[0]), 3))
    for out, unknown in outs:
        inside = [drawn[place] for drawn in dense for place in np.flatnonzero(~unknown)]
        weights = weighed(inside, strength, signals)
        for kind, drawn in enumerate(dense):
            for place in np.flatnonzero(out):
                after[kind, place] = measured(drawn[place], weights.probabilities(drawn[place].values))
    return after


def compared(name: str, drawn: list[Drawn], before: np.ndarray, after: np.ndarray, laymen: np.ndarray) -> None:
    """Both orders by source, and their difference for laymen's questions and for published ones."""
    shown(name, drawn, after)
    difference(f"{name} less second, laymen", before[laymen], after[laymen])
    difference(f"{name} less second, published", before[~laymen], after[~laymen])


def main() -> None:
    """Print the cross-validation, fit on all questions, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=["zh", "ru"])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--embeddings", required=True, metavar="URL")
    parser.add_argument("--rerank", type=int, default=30)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--cache", type=Path, default=Path("indexes/consultant/vectors.npz"))
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    language, corpora = arguments.language, Corpora(arguments.shared, arguments.folder)
    asked: list[Asked] = fit_ordering.questions(language, arguments.shared, corpora)
    kinds = [draw(asked, language, corpora)]
    expansion.concepts = ordering.concepts = thinned
    kinds.append(draw(asked, language, corpora))
    outs = left_out(writers(asked, language), grouped(kinds[0]))
    vectors = Vectors(arguments.embeddings, arguments.cache)
    dense = [
        [embedded(one, own, corpora, vectors, arguments.rerank) for one, own in zip(drawn, chances, strict=True)]
        for drawn, chances in zip(kinds, second_order(kinds, outs), strict=True)
    ]
    vectors.save()
    laymen = np.array([one.source not in PUBLISHED for one in asked])
    before = [np.array([measured(one, -np.arange(len(one.documents))) for one in drawn]) for drawn in dense]
    for kind, name in enumerate(("whole map", "thinned map")):
        shown(f"{name}, second", dense[kind], before[kind])
        for signal, column in ALONE.items():
            alone = np.array([measured(one, one.values[:, column]) for one in dense[kind]])
            shown(f"{name}, {signal} alone", dense[kind], alone)
        held = np.mean([bool(one.relevant.any()) for one in dense[kind]])
        print(f"{name}: a right article is among the first {arguments.rerank} for {held:.3f}")
    for strength in STRENGTHS:
        after = cross_validated(dense, outs, strength, LEARNED[language])
        for kind, name in enumerate(("whole map", "thinned map")):
            compared(f"{name}, both {strength:g}", dense[kind], before[kind], after[kind], laymen)
    source = f"{len(asked)} questions, each with the whole map and a thinned one (scripts/fit_embedded_ordering.py)"
    fitted = weighed([one for drawn in dense for one in drawn], STRENGTHS[1], LEARNED[language], source)
    print(dict(zip(DENSE_SIGNALS, fitted.coefficients, strict=True)))
    if not arguments.dry:
        target = ROOT / f"src/benchbar/retrieval/weights/embedded_{language}.json"
        write_atomically(target, encode(fitted) + b"\n")


if __name__ == "__main__":
    main()
