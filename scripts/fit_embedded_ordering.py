"""Fit what orders passages where the retriever is `embeddings`: the second order and an embedding model's cosines with passages and lines of the
subject index, by one regression.

    python scripts/fit_embedded_ordering.py zh ../shared/data --embeddings http://127.0.0.1:8100/v1
    python scripts/fit_embedded_ordering.py ru ../shared/data --embeddings http://127.0.0.1:8100/v1

The regression is fitted on `development` and `tune` of benchmarks/consultant alone; the second order that it reads is fitted, for each fold,
on all questions of `fit_ordering.py` that are not in it. Prints what the second order reaches on the questions left out and what both do,
with the paired difference and its interval. Vectors are kept in ``--cache``, so that no text is embedded twice.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from pathlib import Path

import fit_ordering
import numpy as np
from fit_ordering import FOLDS, ROOT, Asked, Corpora, Drawn, draw, fit, folds, grouped, measured, shown, strongest
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

OWN = ("development", "tune")
STRENGTHS = (0.1, 1.0, 10.0)
HELD: dict[Store, HeldLines] = {}
ALONE = {"cosine": 1, "line": 3}
"""Columns of ``DENSE_SIGNALS``, each tried by itself."""


SAVED_EVERY = 30
"""Seconds."""


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


def weighed(drawn: list[Drawn], strength: float, source: str = "") -> LogisticWeights:
    """Weights over ``DENSE_SIGNALS``, as ``fit_ordering`` fits those over its own."""
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
    return weights_of(scaler, model, DENSE_SIGNALS, source)


def difference(name: str, before: np.ndarray, after: np.ndarray) -> None:
    """The paired difference of each measure with its bootstrap interval over questions."""
    generator, gained = np.random.default_rng(0), after - before
    drawn = gained[generator.integers(0, len(gained), (10_000, len(gained)))].mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    for column, measure in enumerate(("right in five", "R@5", "MRR@10")):
        print(f"{name}: {measure} {gained[:, column].mean():+.3f} [{low[column]:+.3f}, {high[column]:+.3f}]")


def second_order(kinds: list[list[Drawn]], groups: np.ndarray) -> list[list[np.ndarray]]:
    """The second order's probabilities, each from a fit without the question's fold."""
    strength = strongest([one for drawn in kinds for one in drawn], np.tile(groups, len(kinds)))
    found: list[list[np.ndarray]] = [[np.zeros(0)] * len(groups) for _ in kinds]
    for out in folds(groups, FOLDS):
        weights = fit([one for drawn in kinds for one, left in zip(drawn, out, strict=True) if not left], strength)
        for kind, drawn in enumerate(kinds):
            for place in np.flatnonzero(out):
                found[kind][place] = weights.probabilities(drawn[place].values)
    return found


def main() -> None:
    """Print the cross-validation, fit on all questions of `development` and `tune`, write."""
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
    groups = grouped(kinds[0])
    second = second_order(kinds, groups)
    own = np.array([place for place, one in enumerate(asked) if one.source in OWN])
    vectors = Vectors(arguments.embeddings, arguments.cache)
    dense = [
        [embedded(drawn[place], chances[place], corpora, vectors, arguments.rerank) for place in own]
        for drawn, chances in zip(kinds, second, strict=True)
    ]
    vectors.save()
    for strength in STRENGTHS:
        after = np.zeros((len(kinds), len(own), 3))
        for out in folds(groups[own], FOLDS):
            inside = [one for drawn in dense for one, left in zip(drawn, out, strict=True) if not left]
            weights = weighed(inside, strength)
            for kind, drawn in enumerate(dense):
                for place in np.flatnonzero(out):
                    after[kind, place] = measured(drawn[place], weights.probabilities(drawn[place].values))
        for kind, name in enumerate(("whole map", "thinned map")):
            before = np.array([measured(one, -np.arange(len(one.documents))) for one in dense[kind]])
            if strength == STRENGTHS[0]:
                shown(f"{name}, second", dense[kind], before)
                for signal, column in ALONE.items():
                    alone = np.array([measured(one, one.values[:, column]) for one in dense[kind]])
                    shown(f"{name}, {signal} alone", dense[kind], alone)
                held = np.mean([bool(one.relevant.any()) for one in dense[kind]])
                print(f"{name}: a right article is among the first {arguments.rerank} for {held:.3f}")
            shown(f"{name}, both {strength:g}", dense[kind], after[kind])
            difference(f"{name}, both {strength:g} less second", before, after[kind])
    fitted = weighed([one for drawn in dense for one in drawn], STRENGTHS[1])
    print(dict(zip(DENSE_SIGNALS, fitted.coefficients, strict=True)))
    if not arguments.dry:
        source = f"{len(own)} questions, each with the whole map and a thinned one (scripts/fit_embedded_ordering.py)"
        target = ROOT / f"src/benchbar/retrieval/weights/embedded_{language}.json"
        write_atomically(
            target, encode(weighed([one for drawn in dense for one in drawn], STRENGTHS[1], source)) + b"\n"
        )


if __name__ == "__main__":
    main()
