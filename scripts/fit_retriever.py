"""Fit the weights of the default retriever on the even queries of STARD and write them into the package.

    python scripts/fit_retriever.py ../shared/data/zh

Prints the recalls on five contiguous blocks of the queries, each weighed by a fit on the other four: as queries of one
topic stand together, that is what may be hoped for on other topics.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchbar.records import Piece, encode
from benchbar.records.files import write_atomically
from benchbar.retrieval.encoder_training import train_encoder
from benchbar.retrieval.learned import FEATURES, Candidates, LogisticWeights, candidates
from benchbar.retrieval.retrievers import VectorRetriever
from benchbar.retrieval.store import Store
from benchbar.retrieval.vectors import ExactIndex

WEIGHTS = Path(__file__).parents[1] / "src/benchbar/retrieval/weights"
NEAR, REST = 50, 0.08
"""Rows to learn from: the relevant, the best by BM25, and this share of the others."""
REGULARISATION = 0.05
BLOCKS = 5


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def statutes(data: Path) -> tuple[list[Piece], dict[str, str]]:
    """The latest version of every article with the gold articles that are not among them; and gold name to document."""
    laws = {law["law_id"]: law for law in lines(data / "statutes/laws.jsonl")}
    found: dict[str, Piece] = {}
    for row in lines(data / "statutes/articles.jsonl"):
        law = laws[row["law_id"]]
        if law["latest_version_in_repo"]:
            add(found, law["law_name"], row["law_id"], row["no"], row.get("sub") or 0, row["text"])
    names = {}
    for row in lines(data / "stard/gold_articles.jsonl"):
        names[row["name"]] = add(found, row["law"], row["law"], row["no"], row["sub"], row["text"])
    return list(found.values()), names


def add(found: dict[str, Piece], law: str, law_id: str, number: int, sub: int, text: str) -> str:
    """Put an article among the others unless one of its name is there; its name."""
    name = f"{law.replace('中华人民共和国', '')}/{number}/{sub}".replace("(", "（").replace(")", "）")
    piece = Piece(id=name, kind="article", document=name, text=text, law=law, law_id=law_id, article=str(number))
    found.setdefault(name, piece)
    return name


def rows(found: list[Candidates], relevant: list[np.ndarray], chosen: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels to fit on."""
    generator = np.random.default_rng(0)
    values, labels = [], []
    for i in chosen:
        features, label = found[i].features, relevant[i]
        rank = np.argsort(np.argsort(-features[:, 0], kind="stable"), kind="stable")
        keep = label | (rank < NEAR) | (generator.random(len(label)) < REST)
        values.append(features[keep])
        labels.append(label[keep])
    return np.concatenate(values), np.concatenate(labels)


def fit(
    found: list[Candidates], relevant: list[np.ndarray], chosen: list[int], names: tuple[str, ...]
) -> LogisticWeights:
    """Weights from the queries ``chosen``."""
    values, labels = rows(found, relevant, chosen)
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=REGULARISATION, max_iter=1000).fit(scaler.transform(values), labels)
    return LogisticWeights(
        version="1",
        features=names,
        means=tuple(round(float(x), 6) for x in scaler.mean_),
        scales=tuple(round(float(x), 6) for x in scaler.scale_),
        coefficients=tuple(round(float(x), 6) for x in model.coef_[0]),
        intercept=round(float(model.intercept_[0]), 6),
        fitted_on=f"STARD (MIT licence), {len(chosen)} queries with even query_id",
    )


def draw(store: Store, queries: list[dict[str, Any]], encoder: VectorRetriever | None) -> list[Candidates]:
    """Candidates with features of every query; prints how long one takes."""
    seconds, found = [], []
    for query in queries:
        started = time.perf_counter()
        cosines = None if encoder is None else encoder.cosines(query["question"])
        found.append(candidates(store, query["question"], cosines))
        seconds.append(time.perf_counter() - started)
    print(f"candidates and features: p50 {np.median(seconds) * 1e3:.1f} ms", file=sys.stderr)
    return found


def cross_validated(
    found: list[Candidates], relevant: list[np.ndarray], sizes: list[int], names: tuple[str, ...]
) -> str:
    """Recalls and reciprocal rank, each block of queries weighed by a fit on the others."""
    recalls: dict[int, list[float]] = {5: [], 10: [], 100: []}
    reciprocal = []
    for block in np.array_split(np.arange(len(found)), BLOCKS):
        weights = fit(found, relevant, [i for i in range(len(found)) if i not in set(block)], names)
        for i in block:
            hit = relevant[i][np.argsort(-weights.probabilities(found[i].features), kind="stable")]
            for k, values in recalls.items():
                values.append(hit[:k].sum() / sizes[i])
            reciprocal.append(next((1 / (n + 1) for n in np.flatnonzero(hit[:10])), 0.0))
    return "  ".join(
        [*(f"R@{k} {np.mean(values):.3f}" for k, values in recalls.items()), f"MRR@10 {np.mean(reciprocal):.3f}"]
    )


def main() -> None:
    """Fit, print the cross-validated recalls, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with statutes/ and stard/")
    parser.add_argument("--dry", action="store_true", help="print the recalls, write nothing")
    parser.add_argument("--no-encoder", action="store_true", help="fit the weights without the encoder only")
    arguments = parser.parse_args()
    passages, names = statutes(arguments.data)
    started = time.perf_counter()
    store = Store(passages)
    print(f"{len(passages)} articles counted in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    queries = lines(arguments.data / "stard/queries_even.jsonl")
    gold = [{names[name] for name in query["relevant"]} for query in queries]
    for file, features in (("learned", FEATURES), ("learned_encoder", (*FEATURES, "encoder")))[
        : 2 - arguments.no_encoder
    ]:
        encoder = trained(store) if "encoder" in features else None
        found = draw(store, queries, encoder)
        relevant = [np.array([passages[i].id in g for i in c.positions]) for c, g in zip(found, gold, strict=True)]
        print(f"{file:16}", cross_validated(found, relevant, [len(g) for g in gold], features))
        if not arguments.dry:
            weights = fit(found, relevant, list(range(len(queries))), features)
            write_atomically(WEIGHTS / f"{file}.json", encode(weights) + b"\n")


def trained(store: Store) -> VectorRetriever:
    """An encoder trained on the articles, which has seen no query."""
    started = time.perf_counter()
    encoder = train_encoder(store, np.random.default_rng(0))
    vectors = encoder.encode_passages([passage.text for passage in store.passages])
    print(f"encoder trained in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return VectorRetriever(encoder, ExactIndex(vectors))


if __name__ == "__main__":
    main()
