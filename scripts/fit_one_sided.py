"""Fit the model of one-sided clauses on the development clauses, and write it into the package.

    python scripts/fit_one_sided.py

Prints a nested cross-validation: a risky clause and the harmless one beside it stand in one fold, and
strength and threshold are chosen inside each training part.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchbar.contracts.one_sided import OneSidedModel, clause_features
from benchbar.records import encode
from benchbar.records.files import write_atomically
from benchbar.statistics.proportions import share

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "src/benchbar/contracts/weights/one_sided.json"
FOLDER = ROOT / "benchmarks/contracts"
LANGUAGES = ("zh", "ru", "en")
STRENGTHS = (0.1, 0.3)
PRECISION = 0.75
"""Aimed at in a contract of ``SHARES``; the promise is .7, and the folds are small."""
SHARES = {"risky": 0.34, "alike": 0.13, "ordinary": 0.53}
"""Of the clauses of a contract, as benchmarks/contracts/README.md counts them in twelve."""
FOLDS, INNER = 5, 4


class Example(NamedTuple):
    """A clause, whether it is risky, and which others it must share a fold with."""

    sentences: list[frozenset[str]]
    risky: bool
    group: str
    language: str


def examples() -> Iterator[Example]:
    """The development clauses; what is risky stands beside its harmless twin."""
    for language in LANGUAGES:
        for name in (f"development/{language}.jsonl", f"fresh/{language}.tune.jsonl"):
            for at, row in enumerate(_rows(FOLDER / name)):
                yield _example(row["text"], language, f"{name}{at // 2}", risky=row["level"] != "none")
    for at, row in enumerate(_rows(FOLDER / "development/ordinary.jsonl")):
        yield _example(row["text"], row["language"], f"ordinary{at}", risky=False)


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _example(text: str, language: str, group: str, *, risky: bool) -> Example:
    found = [features for _, _, features in clause_features(text, language)]
    return Example(found or [frozenset()], risky, group, language)


class Fit(NamedTuple):
    """Features in their order and the regression over them."""

    features: tuple[str, ...]
    model: LogisticRegression

    def probabilities(self, clauses: Sequence[Example]) -> NDArray[np.float64]:
        """Of each clause that of its most one-sided sentence."""
        found = [self.model.predict_proba(_matrix(one.sentences, self.features))[:, 1].max() for one in clauses]
        return np.array(found)


def fitted(clauses: Sequence[Example], strength: float) -> Fit:
    """A fit to whole clauses, first to the union of their sentences, then to the sentence that this fit finds worst."""
    features = tuple(sorted({name for one in clauses for sentence in one.sentences for name in sentence}))
    truth = [one.risky for one in clauses]
    chosen = [frozenset[str]().union(*one.sentences) for one in clauses]
    for _ in range(3):
        model = LogisticRegression(C=strength, max_iter=2000)
        model.fit(_matrix(chosen, features), truth)
        worst = [model.predict_proba(_matrix(one.sentences, features))[:, 1].argmax() for one in clauses]
        chosen = [one.sentences[at] for one, at in zip(clauses, worst, strict=True)]
    return Fit(features, model)


def _matrix(rows: Sequence[frozenset[str]], features: Sequence[str]) -> NDArray[np.float64]:
    return np.array([[name in row for name in features] for row in rows], dtype=float)


def out_of_fold(clauses: Sequence[Example], strength: float, seed: int, count: int = FOLDS) -> NDArray[np.float64]:
    """Of each clause its probability by a fit on the other folds."""
    fold, found = folds(clauses, seed, count), np.zeros(len(clauses))
    for one in range(count):
        inside = [clause for clause, at in zip(clauses, fold, strict=True) if at != one]
        outside = np.flatnonzero(fold == one)
        found[outside] = fitted(inside, strength).probabilities([clauses[at] for at in outside])
    return found


def folds(clauses: Sequence[Example], seed: int, count: int) -> NDArray[np.int64]:
    """The fold of each clause; those of one group share theirs."""
    names = sorted({one.group for one in clauses})
    order = np.random.default_rng(seed).permutation(len(names))
    place = {names[at]: rank % count for rank, at in enumerate(order)}
    return np.array([place[one.group] for one in clauses])


def chosen(clauses: Sequence[Example], seed: int) -> tuple[float, float]:
    """Strength by likelihood, and the least threshold whose marks are right often enough."""
    truth = np.array([one.risky for one in clauses])
    tried = {strength: out_of_fold(clauses, strength, seed, INNER) for strength in STRENGTHS}
    strength = max(tried, key=lambda one: float(np.log(np.where(truth, tried[one], 1 - tried[one])).mean()))
    return strength, threshold(tried[strength], kinds(clauses))


def kinds(clauses: Sequence[Example]) -> NDArray[np.str_]:
    """Of each clause whether it is risky, like a risky one, or ordinary."""
    return np.array(["risky" if one.risky else "ordinary" if one.group[0] == "o" else "alike" for one in clauses])


def threshold(given: NDArray[np.float64], kind: NDArray[np.str_]) -> float:
    """The least threshold from which on marks would be right often enough in a contract of ``SHARES``."""
    for at in np.arange(0.3, 0.95, 0.01):
        marked = {name: part * float((given[kind == name] >= at).mean()) for name, part in SHARES.items()}
        if marked["risky"] >= PRECISION * sum(marked.values()) > 0:
            return float(at)
    return 0.95


def cross_validated(clauses: Sequence[Example], seed: int) -> NDArray[np.bool_]:
    """Which clauses are marked by a fit and threshold that saw none of their group."""
    fold, marked = folds(clauses, seed, FOLDS), np.zeros(len(clauses), dtype=bool)
    for one in range(FOLDS):
        inside = [clause for clause, at in zip(clauses, fold, strict=True) if at != one]
        outside = np.flatnonzero(fold == one)
        strength, least = chosen(inside, seed)
        marked[outside] = fitted(inside, strength).probabilities([clauses[at] for at in outside]) >= least
    return marked


def lines(clauses: Sequence[Example], marked: NDArray[np.bool_]) -> Iterator[str]:
    """Recall, precision and false alarms by language."""
    yield "| | risky clauses marked | their harmless twins marked | ordinary clauses marked |"
    yield "| --- | --- | --- | --- |"
    kind = kinds(clauses)
    for language in ("all", *LANGUAGES):
        here = np.array([language in ("all", one.language) for one in clauses])
        cells = (marked[here & (kind == name)] for name in ("risky", "alike", "ordinary"))
        yield f"| {language} | " + " | ".join(map(_share, cells)) + " |"


def _share(values: NDArray[np.bool_]) -> str:
    if not len(values):
        return "-"
    found = share([float(one) for one in values])
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}] ({values.sum()}/{len(values)})"


def main() -> None:
    """Cross-validate, fit on everything, write."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    clauses = list(examples())
    print("\n".join(lines(clauses, cross_validated(clauses, 1))))
    strength, least = chosen(clauses, 2)
    fit = fitted(clauses, strength)
    probabilities = out_of_fold(clauses, strength, 3)
    risky = np.array([one.risky for one in clauses])
    model = OneSidedModel(
        version="1",
        features=fit.features,
        coefficients=tuple(float(one) for one in fit.model.coef_[0].round(4)),
        intercept=round(float(fit.model.intercept_[0]), 4),
        marked_at=round(least, 3),
        high_at=round(max(least, float(np.median(probabilities[risky & (probabilities >= least)]))), 3),
        fitted_on=f"{int(risky.sum())} risky and {int((~risky).sum())} other clauses; strength {strength:g}",
    )
    write_atomically(WEIGHTS, encode(model) + b"\n")
    print(f"\n{model.fitted_on}; marked from {model.marked_at} on, high from {model.high_at} on")


if __name__ == "__main__":
    main()
