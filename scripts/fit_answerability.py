"""Fit when a Russian corpus answers a question, and write the weights into the package.

    python scripts/fit_answerability.py ../shared/data

Each question of benchmarks/retrieval/questions_ru.tsv is put to each code alone: the code that its articles are of answers it, the
others do not. Prints what ten folds of the questions give, each weighed by a fit on the other nine.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from benchbar.law.index import build_index
from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval.answerability import SIGNALS, Answerability, signals
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.learned import LogisticWeights
from benchbar.retrieval.passages import LAW
from benchbar.retrieval.store import Store

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "benchmarks/retrieval/questions_ru.tsv"
TARGET = ROOT / "src/benchbar/retrieval/weights/answerable_ru.json"
CODES = {
    "ЖК": ("zhk",), "ТК": ("tk",), "ГК": ("gk1", "gk2", "gk3"), "СК": ("sk",),
    "ГПК": ("gpk",), "УК": ("uk",), "ЗК": ("zk",), "ГрК": ("grk",),
}  # fmt: skip
REGULARISATION = 0.1
FOLDS = 10


def stores(codes: Path, folder: Path) -> dict[str, Store]:
    """Each code as a corpus of its own."""
    listed = json.loads((codes / "index.json").read_text("utf-8"))
    found = {}
    for name, files in CODES.items():
        source = folder / name
        source.mkdir()
        (source / "index.json").write_text(json.dumps([one for one in listed if one["code"] in files]), "utf-8")
        for file in files:
            (source / f"{file}.jsonl").write_bytes((codes / f"{file}.jsonl").read_bytes())
        build_index([source], folder / f"{name}-index")
        found[name] = CorpusIndex.open(folder / f"{name}-index").store(LAW)
    return found


def fitted(values: np.ndarray, labels: np.ndarray, source: str = "") -> LogisticWeights:
    """Weights over ``SIGNALS``; both kinds of question weigh the same, though seven of eight pairs have no answer."""
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=REGULARISATION, max_iter=2000, class_weight="balanced")
    model.fit(scaler.transform(values), labels)
    return LogisticWeights(
        version="1",
        features=SIGNALS,
        means=tuple(round(float(x), 6) for x in scaler.mean_),
        scales=tuple(round(float(x), 6) for x in scaler.scale_),
        coefficients=tuple(round(float(x), 6) for x in model.coef_[0]),
        intercept=round(float(model.intercept_[0]), 6),
        fitted_on=source,
    )


def main() -> None:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    rows = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        by_code = stores(parser.parse_args().shared / "ru/codes", Path(folder))
        pairs = [
            (number, name in {one.split()[0] for one in named.split("; ")}, signals(store, question))
            for number, (question, named) in enumerate(rows)
            for name, store in by_code.items()
        ]
    groups, labels = (np.array([pair[place] for pair in pairs]) for place in (0, 1))
    values = np.stack([pair[2] for pair in pairs])
    chances = np.zeros(len(labels))
    for fold in np.array_split(np.random.default_rng(0).permutation(len(rows)), FOLDS):
        out = np.isin(groups, fold)
        chances[out] = fitted(values[~out], labels[~out]).probabilities(values[out])
    answered = tuple(round(float(one), 5) for one in np.sort(chances[labels]))
    source = f"{len(rows)} questions of benchmarks/retrieval/questions_ru.tsv, each put to eight codes"
    result = Answerability(weights=fitted(values, labels, source), answered=answered)
    print(f"area under the curve {roc_auc_score(labels, chances):.3f}; {len(answered)} answered, {(~labels).sum()} not")
    for share in (0.05, 0.1, 0.15):
        turned_away = chances < result.bound(share)
        print(f"share {share}: {turned_away[labels].mean():.2f} and {turned_away[~labels].mean():.2f} turned away")
    write_atomically(TARGET, encode(result) + b"\n")


if __name__ == "__main__":
    main()
