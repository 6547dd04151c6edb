"""Fit the contract reviewer's model of Chinese clauses and write it into the package.

    python scripts/fit_risk_model.py ../shared/data/zh/contract_agent/clauses_even_risk.jsonl

Beside the public clauses it learns from those of benchmarks/contracts/levels, whose writers had not seen them; the mean of a rule's is its
middle, and a clause is weighed by how it differs from the nearest one. Prints what a nested cross-validation over the public ones finds:
those of one rule stand together in a fold, and thresholds are chosen inside each training part.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from benchbar.contracts.risk_model import SCALE, Middle, RiskModel, decided, grams
from benchbar.records import encode
from benchbar.records.contracts import LabelledClause, RiskLevel
from benchbar.records.files import write_atomically
from benchbar.statistics import ordinal_report
from benchbar.statistics.ordinal import ASYMMETRIC
from benchbar.suites.contract_risk import read_labelled

WEIGHTS = Path(__file__).parents[1] / "src/benchbar/contracts/weights/risk_zh.json"
OWN = Path(__file__).parents[1] / "benchmarks/contracts/levels/zh.tsv"
LEVELS = [str(level) for level in RiskLevel]
STRENGTH, OWN_WEIGHT, APART = 8.0, 0.3, 1.5
"""Inverse of the regularisation, what an own clause counts beside a public one, how far a clause is moved off the middle of its rule. They were
chosen among some twenty settings by cross-validations over the same clauses; only the thresholds are nested."""
HIGH_AT = tuple(np.arange(0.16, 0.515, 0.01))
LOW_AT = tuple(np.arange(0.30, 0.855, 0.05))
TIE = 0.05
"""What weighted accuracy counts beside F2 where thresholds are chosen."""
LEAKAGE = 0.04
"""High called low, at most, in the inner folds. Half of what is promised (.08): the inner folds are small."""
OUTER, INNER, REPEATS = 10, 5, 5
Probabilities = NDArray[np.float64]


def folds(groups: Sequence[str], count: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """The fold of each clause; clauses of one group share theirs."""
    names = sorted(set(groups))
    place = {name: at % count for at, name in enumerate(generator.permutation(names))}
    return np.array([place[group] for group in groups])


class Further(NamedTuple):
    """Clauses that are always learned from and never measured on."""

    texts: tuple[str, ...]
    levels: tuple[int, ...]
    rules: tuple[str, ...]


def own_clauses() -> Further:
    """Those of ``OWN``."""
    rows = [line.split("\t") for line in OWN.read_text("utf-8").splitlines()]
    rules, levels, texts = zip(*rows, strict=True)
    return Further(texts, tuple(map(LEVELS.index, levels)), rules)


class Fit(NamedTuple):
    """A fitted model."""

    view: Any
    """Vectoriser."""
    middles: Any
    """Of each rule the mean of its further clauses, rules x features."""
    regression: Any

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """Of low, medium and high, texts x 3."""
        found: Probabilities = self.regression.predict_proba(moved(self.view.transform(texts), self.middles))
        return found


def middles_of(features: Any, rules: Sequence[str]) -> Any:
    """The mean of the clauses of each rule, in the order of the rules' names."""
    names = sorted(set(rules))
    at = [names.index(rule) for rule in rules]
    member = csr_matrix((np.ones(len(at)), (at, np.arange(len(at)))), shape=(len(names), len(at)))
    return diags(1 / np.bincount(at)) @ member @ features


def moved(features: Any, middles: Any) -> Any:
    """Clauses less ``APART`` times the middle that each is nearest to, of length one."""
    lengths = np.sqrt(np.asarray(middles.multiply(middles).sum(axis=1)).ravel())
    nearest = ((features @ middles.T).toarray() / lengths).argmax(axis=1)
    return normalize(csr_matrix(features - APART * middles[nearest]))


def fitted(texts: Sequence[str], levels: NDArray[np.int64], further: Further) -> Fit:
    """The model fitted on labelled texts and the further clauses."""
    # A pair that one clause alone has would be a memory of that clause.
    view = TfidfVectorizer(analyzer=grams, sublinear_tf=True, min_df=2)
    features = csr_matrix(view.fit_transform([*texts, *further.texts]))
    middles = csr_matrix(middles_of(features[len(texts) :], further.rules))
    weights = np.repeat([1.0, OWN_WEIGHT], [len(texts), len(further.texts)])
    known = np.concatenate([levels, np.array(further.levels, dtype=np.int64)])
    model = LogisticRegression(C=STRENGTH, max_iter=300, tol=1e-3)
    return Fit(view, middles, model.fit(moved(features, middles), known, sample_weight=weights))


def out_of_fold(
    texts: Sequence[str], levels: NDArray[np.int64], fold: NDArray[np.int64], further: Further
) -> Probabilities:
    """Probabilities of every clause by a fit on the other folds."""
    found = np.zeros((len(texts), 3))
    for one in np.unique(fold):
        inside, outside = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
        model = fitted([texts[i] for i in inside], levels[inside], further)
        found[outside] = model.probabilities([texts[i] for i in outside])
    return found


def said(probabilities: Probabilities, high_at: float, low_at: float) -> NDArray[np.int64]:
    """The ranks that thresholds make of probabilities."""
    return np.array([decided(row[0], row[2], high_at, low_at).rank for row in probabilities])


def f2(levels: NDArray[np.int64], given: NDArray[np.int64]) -> float:
    """F2 of high."""
    hit = int(((levels == 2) & (given == 2)).sum())
    return (
        5 * hit / (5 * hit + 4 * int(((levels == 2) & (given != 2)).sum()) + int(((levels != 2) & (given == 2)).sum()))
    )


def chosen(
    texts: Sequence[str], levels: NDArray[np.int64], groups: Sequence[str], seed: int, further: Further
) -> tuple[float, float]:
    """The thresholds with the best F2 under the bound of leakage."""
    tried = out_of_fold(texts, levels, folds(groups, INNER, np.random.default_rng(seed)), further)
    best = (-1.0, 0.0, 0.0)
    for high_at in HIGH_AT:
        for low_at in LOW_AT:
            given = said(tried, high_at, low_at)
            if np.mean(given[levels == 2] == 0) > LEAKAGE:
                continue
            reached = f2(levels, given) + TIE * float(np.array(ASYMMETRIC)[levels, given].mean())
            best = max(best, (reached, float(high_at), float(low_at)))
    return best[1], best[2]


def cross_validated(clauses: Sequence[LabelledClause], seed: int, further: Further) -> list[str]:
    """The level of each clause by a model whose fit and choices saw no clause of its rule."""
    texts, groups = [one.text for one in clauses], [one.group or one.id for one in clauses]
    levels = np.array([one.level.rank for one in clauses])
    fold = folds(groups, OUTER, np.random.default_rng(seed))
    given = np.zeros(len(clauses), dtype=np.int64)
    for one in range(OUTER):
        inside, outside = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
        part, part_groups = [texts[i] for i in inside], [groups[i] for i in inside]
        high_at, low_at = chosen(part, levels[inside], part_groups, seed, further)
        model = fitted(part, levels[inside], further)
        given[outside] = said(model.probabilities([texts[i] for i in outside]), high_at, low_at)
    return [LEVELS[rank] for rank in given]


def report(clauses: Sequence[LabelledClause], given: Sequence[str]) -> dict[str, Any]:
    """The measures of one cross-validation, intervals clustered by rule."""
    truth, groups = [str(one.level) for one in clauses], [one.group or one.id for one in clauses]
    graded = ordinal_report(truth, given, LEVELS, np.random.default_rng(0), clusters=groups)
    high = [said_ for said_, level in zip(given, truth, strict=True) if level == "high"]
    return {
        "accuracy": interval(graded.accuracy),
        "weighted accuracy": interval(graded.weighted_accuracy),
        "F2 of high": interval(graded.high_f2),
        "high called low": high.count("low") / len(high),
        "high called medium": high.count("medium") / len(high),
        "confusion (truth in rows)": graded.confusion,
    }


def interval(estimate: Any) -> str:
    """Value and interval with three digits."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def known_shares(texts: Sequence[str], groups: Sequence[str], further: Further) -> list[float]:
    """Of each clause the share of its pairs that the further clauses, and those of other rules, have at least twice."""
    fold, shares = folds(groups, OUTER, np.random.default_rng(0)), [0.0] * len(texts)
    for one in range(OUTER):
        view = TfidfVectorizer(analyzer=grams, min_df=2).fit(
            [*(text for text, at in zip(texts, fold, strict=True) if at != one), *further.texts]
        )
        for i in np.flatnonzero(fold == one):
            pairs = [gram for gram in grams(texts[i]) if len(gram) > 1]
            shares[i] = sum(gram in view.vocabulary_ for gram in pairs) / len(pairs)
    return shares


def whole(clauses: Sequence[LabelledClause], further: Further) -> RiskModel:
    """The model fitted on every clause."""
    texts, groups = [one.text for one in clauses], [one.group or one.id for one in clauses]
    levels = np.array([one.level.rank for one in clauses])
    picks = [chosen(texts, levels, groups, seed, further) for seed in range(REPEATS)]
    high_at, low_at = (float(np.median([pick[at] for pick in picks])) for at in range(2))
    view, middles, model = fitted(texts, levels, further)
    return RiskModel(
        version="2",
        grams=tuple(view.get_feature_names_out()),
        inverse_frequencies=tuple(round(float(one), 4) for one in view.idf_),
        coefficients=tuple(tuple(round(float(one), 4) for one in row) for row in model.coef_),
        intercepts=tuple(round(float(one), 4) for one in model.intercept_),
        middles=tuple(_middle(middles[row]) for row in range(middles.shape[0])),
        apart=APART,
        high_at=round(high_at, 4),
        low_at=round(low_at, 4),
        # One clause in a hundred of the fit's own kind may be called unknown.
        least_known=round(float(np.quantile(known_shares(texts, groups, further), 0.01)), 3),
        fitted_on=f"Contract_agent (no licence stated upstream), {len(clauses)} clauses with even risk numbers,"
        f" and {len(further.texts)} of benchmarks/contracts/levels, C={STRENGTH:g}",
    )


def _middle(row: Any) -> Middle:
    """A rule's mean as places and their values in ten-thousandths; smaller ones are left out."""
    values = np.rint(row.data * SCALE).astype(int)
    kept = sorted((int(place), int(value)) for place, value in zip(row.indices, values, strict=True) if value)
    return Middle(places=tuple(place for place, _ in kept), values=tuple(value for _, value in kept))


def main() -> None:
    """Cross-validate, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clauses", type=Path, help="labelled clauses (JSONL)")
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    clauses, _ = read_labelled(arguments.clauses)
    further = own_clauses()
    if not arguments.dry:
        write_atomically(WEIGHTS, encode(whole(clauses, further)) + b"\n")
    for seed in range(REPEATS):
        given = cross_validated(clauses, seed, further)
        print(seed, json.dumps(report(clauses, given), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
