"""Fit by which words a question asks for what no law answers, and write the weights into the package.

    python scripts/fit_asked_for.py ru ../shared/data
    python scripts/fit_asked_for.py zh ../shared/data --dry
    python scripts/fit_asked_for.py en ../shared/data

The questions are those of benchmarks/consultant/asked, written for this and for nothing else, and plain ones: those of ``HALVES``, in Russian of
benchmarks/retrieval, in Chinese the even ones of STARD, in English those of SafeLawBench. Prints the area under the curve of ten folds,
and that over the questions of the strangers that may be read (benchmarks/consultant/questions/strangers_tune), which are not learned from.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benchbar.records.files import write_atomically
from benchbar.retrieval.asked_for import asked_terms

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
from consultant_search import HERE, questions_of  # noqa: E402 - its questions
from fit_answerability import NEVER, published  # noqa: E402 - after the path that it needs too

LAW = "law"
"""The kind of question that some law answers."""
HALVES = ("development", "tune", "silence_tune")
"""Of benchmarks/consultant: most of them are shorter and plainer than those that were written for this."""
LEAST = 2
"""Questions that a term has to stand in."""
REGULARISATION = 10.0
DIGITS = 3


def written(language: str, shared: Path) -> tuple[list[str], np.ndarray]:
    """The questions to learn from, and whether no law answers them."""
    own = (line.split("\t") for line in (HERE / f"asked/{language}.tsv").read_text("utf-8").splitlines())
    rows = [(question, kind != LAW) for kind, question in own]
    for half in HALVES:
        rows += [(row["question"], row["kind"] in NEVER) for row in questions_of(half, language)]
    rows += [(question, False) for question, _, _ in published(language, shared)]
    return [question for question, _ in rows], np.array([never for _, never in rows])


def matrix(questions: Sequence[str], terms: Mapping[str, int]) -> csr_matrix:
    """The weight of each known term in each question."""
    found = [asked_terms(question) for question in questions]
    places = [
        (row, terms[term], value) for row, one in enumerate(found) for term, value in one.items() if term in terms
    ]
    rows, columns, values = zip(*places, strict=True)
    return csr_matrix((values, (rows, columns)), shape=(len(questions), len(terms)))


def known(questions: Sequence[str]) -> dict[str, int]:
    """The terms that stand in enough of the questions, numbered."""
    counts = Counter(term for question in questions for term in asked_terms(question))
    return {term: number for number, term in enumerate(sorted(one for one, count in counts.items() if count >= LEAST))}


def model() -> LogisticRegression:
    return LogisticRegression(C=REGULARISATION, class_weight="balanced", max_iter=5000)


def main() -> None:
    """Fit, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--dry", action="store_true", help="print what the folds give, write nothing")
    arguments = parser.parse_args()
    questions, never = written(arguments.language, arguments.shared)
    terms = known(questions)
    values = matrix(questions, terms)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    chances = cross_val_predict(model(), values, never, cv=folds, method="decision_function")
    print(f"{len(questions)} questions, {len(terms)} terms; area by folds {roc_auc_score(never, chances):.3f}")
    fitted = model().fit(values, never)
    tell(arguments.language, fitted, terms)
    if not arguments.dry:
        weights = {"": float(fitted.intercept_[0])} | dict(zip(terms, map(float, fitted.coef_[0]), strict=True))
        rounded = {term: round(weight, DIGITS) for term, weight in weights.items()}
        text = "".join(f"{term}\t{weight}\n" for term, weight in rounded.items() if weight or not term)
        write_atomically(ROOT / f"src/benchbar/retrieval/asked_for/{arguments.language}.tsv", text.encode())


def tell(language: str, fitted: LogisticRegression, terms: Mapping[str, int]) -> None:
    """Print how well it tells the strangers' questions apart."""
    rows = questions_of("strangers_tune", language)
    if rows:
        never = np.array([row["kind"] in NEVER for row in rows])
        chances = fitted.decision_function(matrix([row["question"] for row in rows], terms))
        highest = np.quantile(chances[~never], 0.97)
        print(
            f"of strangers {never.sum()} that no law answers and {(~never).sum()} others: area {roc_auc_score(never, chances):.3f},"
            f" {(chances[never] > highest).sum()} found where 3% of the others are taken for one"
        )


if __name__ == "__main__":
    main()
