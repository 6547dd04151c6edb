"""Fit when a corpus answers a question, and write the weights into the package.

    python scripts/fit_answerability.py ru ../shared/data
    python scripts/fit_answerability.py zh ../shared/data

Every question is put to each corpus of ``CORPORA`` alone: those that hold an article which answers it do, the others do not. The
questions are benchmarks/consultant/questions/development, and for Russian benchmarks/retrieval/questions_ru.tsv, for Chinese the
even ones of STARD. Prints what ten folds of the questions give, each weighed by a fit on the other nine.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from fitted_weights import weights_of
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.retrieval.answerability import SIGNALS, Answerability, signals
from benchbar.retrieval.learned import LogisticWeights
from benchbar.retrieval.passages import LAW

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import HERE, opened  # noqa: E402 - its corpora are made there

CORPORA = {
    "ru": ("ru-housing", "ru-labour", "ru-civil", "ru-family", "ru-procedure"),
    "zh": ("zh-labour", "zh-civil", "zh-consumer", "zh-public"),
}
REGULARISATION = 0.1
FOLDS = 10


class Asked(NamedTuple):
    """A question, and the short names of the laws that answer it."""

    question: str
    laws: frozenset[str]
    lay: bool = True
    """Whether it is told in a layman's words, as those are that the bound is for."""


def questions(language: str, shared: Path) -> list[Asked]:
    """Everything that may be learned from; ``tune`` and ``held`` are not among them."""
    lines = (HERE / "questions/development" / f"{language}.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["kind"] != "no_answer"]
    # A question of another code than its corpus names no law, so that it is known of its own corpus alone: left out here.
    found = [
        Asked(row["question"], frozenset(one["law"] for one in row["expected"])) for row in rows if row["expected"]
    ]
    if language == "ru":
        for line in (ROOT / "benchmarks/retrieval/questions_ru.tsv").read_text("utf-8").splitlines():
            question, named = line.split("\t")
            found.append(Asked(question, frozenset(f"{one.split()[0]} РФ" for one in named.split("; "))))
        return found
    for line in (shared / "zh/stard/queries_even.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        # 中华人民共和国民法典第五十四条
        laws = {one.partition("第")[0].replace("中华人民共和国", "") for one in row["relevant"]}
        # Most of STARD's questions are lawyers' wordings: with them among the answered, twice the share of laymen's is turned away.
        found.append(Asked(row["question"], frozenset(laws), lay=False))
    return found


def fitted(values: np.ndarray, labels: np.ndarray, source: str = "") -> LogisticWeights:
    """Weights over ``SIGNALS``; both kinds of question weigh the same, though most pairs have no answer."""
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=REGULARISATION, max_iter=2000, class_weight="balanced")
    model.fit(scaler.transform(values), labels)
    return weights_of(scaler, model, SIGNALS, source)


def main() -> None:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(CORPORA))
    parser.add_argument("shared", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--dry", action="store_true", help="print what the folds give, write nothing")
    arguments = parser.parse_args()
    language = arguments.language
    laws = {name: set(one["laws"]) for name, one in json.loads((HERE / "corpora.json").read_text("utf-8")).items()}
    stores = {name: opened(name, arguments.shared, arguments.folder).store(LAW) for name in CORPORA[language]}
    rows = questions(language, arguments.shared)
    pairs = [
        (number, bool(asked.laws & laws[name]), signals(store, asked.question))
        for number, asked in enumerate(rows)
        for name, store in stores.items()
    ]
    groups, labels = (np.array([pair[place] for pair in pairs]) for place in (0, 1))
    values = np.stack([pair[2] for pair in pairs])
    chances = np.zeros(len(labels))
    for fold in np.array_split(np.random.default_rng(0).permutation(len(rows)), FOLDS):
        out = np.isin(groups, fold)
        chances[out] = fitted(values[~out], labels[~out]).probabilities(values[out])
    lay = np.array([one.lay for one in rows])[groups]
    answered = tuple(round(float(one), 5) for one in np.sort(chances[labels & lay]))
    source = f"{len(rows)} questions, each put to {len(stores)} corpora (scripts/fit_answerability.py)"
    # Chinese statutes have no headings, so that the signals of headings are constant and weigh nothing.
    headed = bool((values[:, SIGNALS.index("title")] > 0).any())
    result = Answerability(weights=fitted(values, labels, source), answered=answered, headed=headed)
    print(f"area under the curve {roc_auc_score(labels, chances):.3f}; {len(answered)} answered, {(~labels).sum()} not")
    for share in (0.05, 0.1, 0.15):
        turned_away = chances < result.bound(share)
        print(f"share {share}: {turned_away[labels].mean():.2f} and {turned_away[~labels].mean():.2f} turned away")
    if not arguments.dry:
        target = ROOT / f"src/benchbar/retrieval/weights/answerable_{language}.json"
        write_atomically(target, encode(result) + b"\n")


if __name__ == "__main__":
    main()
