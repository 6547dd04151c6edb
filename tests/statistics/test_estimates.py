"""What every estimate says of itself: its method, what was counted, what is missing, its confidence, and why it is undefined."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from benchbar.records import Estimate
from benchbar.statistics import (
    Agreement,
    LengthWeights,
    MarkedPoint,
    OrderedOutcome,
    betting_interval,
    bootstrapped,
    bounded_mean,
    controlled_by_weights,
    correct,
    family_interaction,
    intraclass,
    judge_agreement,
    judges_side_by_side,
    length_controlled,
    macro_win_rate,
    mean,
    ordinal_report,
    paired_difference,
    pearson,
    point_treatment,
    position_test,
    proportion,
    rank,
    ratings,
    rogan_gladen,
    same_family_bias,
    share,
    spearman,
    stability,
    upper_bound_of_failures,
    win_rate,
)
from benchbar.statistics.items import item_response, item_rest, share_met, table_of
from benchbar.statistics.retrieval import averaged

ONE = [0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 1.0, 1.0, None]
TWO = [0.0, 0.0, 1.0, 0.5, 0.5, 0.0, 1.0, 0.5, 1.0]
YES = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, None]
PAIRS = list("aabbccddd")
ALONE = ["a"] * 9


def drawn() -> np.random.Generator:
    """The same draws in every test."""
    return np.random.default_rng(1)


def agreement(confidence: float, clusters: list[str] | None = None) -> Agreement:
    """Three raters of ten items; the third left two out, one was left out by two."""
    columns = {
        "a": list("1234123412"),
        "b": list("1244113412"),
        "c": ["1", "2", "3", "3", "1", "2", "4", "4", None, None],
    }
    columns["b"][9] = None
    return Agreement(
        ratings(columns, "1234"), drawn(), clusters=clusters, tie="4", confidence=confidence, resamples=200
    )


def unanimous(confidence: float) -> Agreement:
    """Three raters who say the same of six items."""
    return Agreement(ratings({rater: list("111111") for rater in "abc"}, "12"), drawn(), confidence=confidence)


def report(confidence: float, clusters: list[str] | None = None, labels: tuple[str, ...] = ("low", "medium", "high")):
    """Twelve labelled items, of which one has no truth and one no readable prediction."""
    truth = ["low", "medium", "high", "low", "medium", "high", "low", "medium", "low", "low", None, "medium"]
    said = ["low", "medium", "high", "medium", "medium", "medium", "low", "low", "low", "high", "low", None]
    return ordinal_report(truth, said, labels, drawn(), clusters=clusters, confidence=confidence, resamples=200)


def ranking(confidence: float, ties: str = "half"):
    """Three competitors, each beaten by each, and a game without a verdict."""
    left, right = list("aabbcc") * 6, list("bcacab") * 6
    outcomes = [1.0, 1.0, 0.0, 0.5, 0.0, 1.0, 0.5, 1.0, 1.0] * 4
    length = [0.1 * (place % 5) for place in range(37)]
    return rank(
        [*left, "a"], [*right, "b"], [*outcomes, None], ties=ties, covariates={"length": length}, confidence=confidence
    )


def unranked(confidence: float):
    """A competitor that won all its games, and a game without a verdict."""
    return rank(["a", "b", "a", "a"], ["b", "c", "c", "b"], [1.0, 0.5, 1.0, None], confidence=confidence)


JUDGE = [0.9, 0.2, 0.8, 0.4, 0.7, 0.1, 0.6, 0.3, None]
HUMAN = [1.0, 0.0, None, 1.0, None, 0.0, None, None, 1.0]
CHANCE = [0.5, 0.5, 0.5, 1.0, 0.5, 1.0, 0.5, 0.5, 0.5]
GUESS = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0] * 6
TRUTH = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, None, None, None, None] * 6
RUNS = [[0.1, 0.3, 0.2], [0.9, 0.8, 0.9], [0.4, 0.7, 0.6], [0.2], [0.5, 0.6, 0.4]]
POINTS = [
    MarkedPoint("mandatory", referred=True, right=True, dialogue="d1"),
    MarkedPoint("mandatory", referred=True, right=False, error="missed point", dialogue="d1"),
    MarkedPoint("mandatory", referred=False, right=False, error="partly met", dialogue="d2"),
    MarkedPoint("mandatory", referred=None, right=True, dialogue="d3"),
]
ORDERS = [OrderedOutcome(1.0, 0.0), OrderedOutcome(1.0, 1.0), OrderedOutcome(0.0, 1.0), OrderedOutcome(1.0, None)]
RATES = {
    judge: {"t": dict(zip("abcde", rates, strict=True))}
    for judge, rates in (("one", (0.9, 0.6, 0.5, 0.1, 0.3)), ("two", (0.8, 0.5, 0.6, 0.2, 0.4)))
}
RATED = np.array([[9, 2, 5], [6, 1, 3], [8, 4, 6], [7, 1, np.nan], [10, 5, 6], [6, 2, 4]], dtype=float)
MET = np.where(np.random.default_rng(3).random((24, 6)) < 0.6, 1.0, 0.0)
MET[0, 0], MET[:, 5] = np.nan, np.nan
LONG = [float(100 + 7 * place % 31) for place in range(13)]
WON = [1.0, 0.0, 1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, None]


def controlled(confidence: float, clusters: np.ndarray | None = None) -> Estimate:
    """Thirteen outcomes, one missing, with lengths."""
    return length_controlled(WON, [110.0] * 13, LONG, drawn(), clusters=clusters, confidence=confidence, resamples=50)


def summed(confidence: float, values: list[float], codes: list[int] | None = None) -> Estimate:
    """The bootstrap of a mean, one unit missing."""
    rows = np.column_stack([values, np.ones(len(values))])
    return bootstrapped(
        rows, lambda sums: sums[:, 0] / np.where(sums[:, 1] > 0, sums[:, 1], np.nan), drawn(), method="mean",
        codes=None if codes is None else np.array(codes), resamples=100, confidence=confidence, n_missing=1,
        unit="page",
    )  # fmt: skip


class Case(NamedTuple):
    """An estimate at a confidence, and what it has to say of itself."""

    estimate: Callable[[float], Estimate]
    n: int
    n_missing: int
    unit: str
    method: str
    reason: str = ""


# fmt: off
CASES = {
    "mean": Case(lambda c: mean(ONE, confidence=c), 8, 1, "sample", "mean, t interval"),
    "mean of clusters": Case(lambda c: mean(ONE, clusters=PAIRS, confidence=c), 8, 1, "cluster", "mean, cluster-robust t interval"),
    "mean of one cluster": Case(lambda c: mean(ONE, clusters=ALONE, confidence=c), 8, 1, "cluster", "mean, cluster-robust t interval", "a single unit"),
    "mean of nothing": Case(lambda c: mean([None], n_missing=2, confidence=c, unit="page"), 0, 3, "page", "mean, t interval", "nothing was measured"),
    "mean of equal values": Case(lambda c: mean([0.5, 0.5, None], confidence=c), 2, 1, "sample", "mean, t interval", "all values are equal"),
    "share": Case(lambda c: share(YES, confidence=c), 8, 1, "sample", "Wilson score interval"),
    "share in clusters": Case(lambda c: share(YES, clusters=PAIRS, confidence=c), 8, 1, "cluster", "Wilson score interval, clustered (4 clusters)"),
    "share in one cluster": Case(lambda c: share(YES, clusters=ALONE, n_missing=2, confidence=c), 8, 3, "cluster", "Wilson score interval, clustered (1 clusters)", "one cluster"),
    "share of nothing": Case(lambda c: share([None], confidence=c, unit="page"), 0, 1, "page", "Wilson score interval", "nothing was measured"),
    "proportion of nothing": Case(lambda c: proportion(0, 0, n_missing=3, confidence=c, unit="page"), 0, 3, "page", "Wilson score interval", "nothing was measured"),
    "upper bound": Case(lambda c: upper_bound_of_failures(1, 60, confidence=c), 60, 0, "sample", "Clopper-Pearson one-sided upper bound"),
    "upper bound of nothing": Case(lambda c: upper_bound_of_failures(0, 0, confidence=c), 0, 0, "sample", "Clopper-Pearson one-sided upper bound", "nothing was measured"),
    "bounded mean": Case(lambda c: bounded_mean(ONE, confidence=c), 8, 1, "sample", "mean, t interval"),
    "bounded mean of yes and no": Case(lambda c: bounded_mean(YES, confidence=c), 8, 1, "sample", "Wilson score interval"),
    "bounded mean of equal values": Case(lambda c: bounded_mean([0.5] * 8 + [None], confidence=c), 8, 1, "sample", "equal values, exact bound on the share that may differ"),
    "bounded mean of nothing": Case(lambda c: bounded_mean([None, None], confidence=c, unit="page"), 0, 2, "page", "mean", "nothing was measured"),
    "betting": Case(lambda c: betting_interval(ONE, n_missing=1, confidence=c), 8, 2, "sample", "betting confidence sequence"),
    "betting in clusters": Case(lambda c: betting_interval(ONE, clusters=PAIRS, confidence=c), 8, 1, "cluster", "betting confidence sequence"),
    "betting on nothing": Case(lambda c: betting_interval([None], n_missing=1, confidence=c, unit="page"), 0, 2, "page", "betting confidence sequence", "nothing was measured"),
    "win rate": Case(lambda c: win_rate(ONE, n_missing=2, confidence=c), 8, 3, "sample", "Tango score interval"),
    "win rate in clusters": Case(lambda c: win_rate(ONE, clusters=PAIRS, n_missing=2, confidence=c), 8, 3, "cluster", "Tango score interval, clustered (4 clusters)"),
    "win rate in one cluster": Case(lambda c: win_rate(ONE, clusters=ALONE, n_missing=2, confidence=c), 8, 3, "cluster", "Tango score interval, clustered (1 clusters)", "one cluster"),
    "win rate of nothing": Case(lambda c: win_rate([None], n_missing=2, confidence=c), 0, 3, "sample", "Tango score interval", "nothing was measured"),
    "win rate of nothing in clusters": Case(lambda c: win_rate([None], clusters=["a"], confidence=c), 0, 1, "cluster", "Tango score interval", "nothing was measured"),
    "paired difference": Case(lambda c: paired_difference(ONE, TWO, confidence=c), 8, 1, "sample", "Tango score interval"),
    "paired difference in clusters": Case(lambda c: paired_difference(ONE, TWO, clusters=PAIRS, confidence=c), 8, 1, "cluster", "Tango score interval, clustered (4 clusters)"),
    "macro, these tasks": Case(lambda c: macro_win_rate({"a": ONE, "b": TWO}, confidence=c).these_tasks, 17, 1, "sample", "macro average, these tasks (square-and-add of the tasks' intervals)"),
    "macro, tasks like these": Case(lambda c: macro_win_rate({"a": ONE, "b": TWO}, confidence=c).tasks_like_these, 2, 0, "task", "macro average, tasks like these (t interval over tasks)"),
    "macro with an empty task": Case(lambda c: macro_win_rate({"a": ONE, "b": [None], "c": TWO}, confidence=c).these_tasks, 17, 2, "sample", "macro average, these tasks (square-and-add of the tasks' intervals)", "2 of 3 tasks"),
    "macro with an empty task, like these": Case(lambda c: macro_win_rate({"a": ONE, "b": [None], "c": TWO}, confidence=c).tasks_like_these, 2, 1, "task", "macro average, tasks like these (t interval over tasks)", "2 of 3 tasks"),
    "macro with a task of one cluster": Case(lambda c: macro_win_rate({"a": ONE, "b": TWO}, clusters={"a": ALONE}, confidence=c).these_tasks, 17, 1, "sample", "macro average, these tasks (square-and-add of the tasks' intervals)", "a task's interval is undefined"),
    "macro of nothing": Case(lambda c: macro_win_rate({"a": [None]}, confidence=c).these_tasks, 0, 1, "sample", "macro average, these tasks (square-and-add of the tasks' intervals)", "0 of 1 tasks"),
    "macro of no task": Case(lambda c: macro_win_rate({}, confidence=c).these_tasks, 0, 0, "sample", "macro average, these tasks (square-and-add of the tasks' intervals)", "no task was measured"),
    "Pearson": Case(lambda c: pearson(ONE, TWO, confidence=c), 8, 1, "pair", "Pearson r, Fisher z interval"),
    "Pearson of three": Case(lambda c: pearson([1.0, 2.0, 3.0, None], [2.0, 1.0, 4.0, 1.0], confidence=c, unit="page"), 3, 1, "page", "Pearson r, Fisher z interval", "3 pairs"),
    "Pearson of a perfect line": Case(lambda c: pearson([1.0, 2.0, 3.0, 4.0, None], [2.0, 4.0, 6.0, 8.0, 1.0], confidence=c), 4, 1, "pair", "Pearson r, Fisher z interval", "a perfect correlation"),
    "Spearman": Case(lambda c: spearman(ONE, TWO, confidence=c), 8, 1, "pair", "Spearman rho, Bonett-Wright interval"),
    "Spearman of equal values": Case(lambda c: spearman([1.0] * 5, [1.0, 2.0, 3.0, 4.0, None], confidence=c, unit="page"), 4, 1, "page", "Spearman rho, Bonett-Wright interval", "the first values are all equal"),
    "averaged over queries": Case(lambda c: averaged([0.5, None, 1.0, 0.25], confidence=c), 3, 1, "query", "mean, t interval"),
    "raw agreement": Case(lambda c: agreement(c).raw([(0, 1)]), 9, 1, "item", "raw agreement, Wilson score interval"),
    "raw agreement in clusters": Case(lambda c: agreement(c, list("aabbccddee")).raw([(0, 1)]), 9, 1, "cluster", "raw agreement, Wilson score interval, clustered (5 clusters)"),
    "raw agreement of three": Case(lambda c: agreement(c).raw([(0, 1), (0, 2), (1, 2)]), 9, 1, "item", "raw agreement, bootstrap percentile interval"),
    "raw agreement of three without ties": Case(lambda c: agreement(c).raw([(0, 1), (0, 2), (1, 2)], without_ties=True), 7, 3, "item", "raw agreement without ties, bootstrap percentile interval"),
    "raw agreement of the unanimous": Case(lambda c: unanimous(c).raw([(0, 1), (0, 2), (1, 2)]), 6, 0, "item", "raw agreement, Wilson score interval over items"),
    "raw agreement of nobody": Case(lambda c: Agreement(ratings({"a": ["x", None], "b": [None, "x"], "c": [None, None]}), drawn(), confidence=c).raw([(0, 1), (0, 2)]), 0, 2, "item", "raw agreement, bootstrap percentile interval", "nothing was measured"),
    "Fleiss kappa": Case(lambda c: agreement(c).fleiss_kappa(), 10, 0, "item", "Fleiss kappa, bootstrap percentile interval"),
    "Fleiss kappa of the unanimous": Case(lambda c: unanimous(c).fleiss_kappa(), 6, 0, "item", "Fleiss kappa, bootstrap percentile interval", "no item has two ratings, or only one label was used and chance agreement is 1"),
    "Gwet AC1": Case(lambda c: agreement(c).gwet(), 10, 0, "item", "Gwet AC1, bootstrap percentile interval"),
    "Gwet AC2": Case(lambda c: agreement(c).gwet("linear"), 10, 0, "item", "Gwet AC2, linear weights, bootstrap percentile interval"),
    "Krippendorff alpha": Case(lambda c: agreement(c).krippendorff_alpha(), 9, 1, "item", "Krippendorff alpha, nominal, bootstrap percentile interval"),
    "Krippendorff alpha, ordinal": Case(lambda c: agreement(c).krippendorff_alpha("ordinal"), 9, 1, "item", "Krippendorff alpha, ordinal, bootstrap percentile interval"),
    "Krippendorff alpha, interval": Case(lambda c: agreement(c, list("aabbccddee")).krippendorff_alpha("interval"), 9, 1, "cluster", "Krippendorff alpha, interval, cluster bootstrap percentile interval"),
    "Krippendorff alpha of the unanimous": Case(lambda c: unanimous(c).krippendorff_alpha(), 6, 0, "item", "Krippendorff alpha, nominal, bootstrap percentile interval", "fewer than two different labels among pairable ratings"),
    "Cohen kappa": Case(lambda c: agreement(c).cohen_kappa(0, 1), 9, 1, "item", "Cohen kappa, bootstrap percentile interval"),
    "Cohen kappa, weighted": Case(lambda c: agreement(c, list("aabbccddee")).cohen_kappa(0, 1, "quadratic"), 9, 1, "cluster", "Cohen kappa, quadratic weights, cluster bootstrap percentile interval"),
    "Cohen kappa of the unanimous": Case(lambda c: unanimous(c).cohen_kappa(0, 1), 6, 0, "item", "Cohen kappa, bootstrap percentile interval", "both raters used one and the same label"),
    "judge with people": Case(lambda c: judge_agreement(agreement(c).table, "a", drawn(), confidence=c).judge_human, 9, 1, "item", "raw agreement, bootstrap percentile interval"),
    "judge with the majority": Case(lambda c: judge_agreement(agreement(c).table, "a", drawn(), clusters=list("aabbccddee"), confidence=c).judge_majority, 5, 5, "cluster", "raw agreement, Wilson score interval, clustered (4 clusters)"),
    "people among themselves": Case(lambda c: judge_agreement(agreement(c).table, "a", drawn(), tie="4", without_ties=True, confidence=c).human_human, 4, 6, "item", "raw agreement without ties, Wilson score interval"),
    "ICC(1)": Case(lambda c: intraclass(RATED, confidence=c).one_way, 5, 1, "item", "ICC(1), F interval"),
    "ICC(A,1)": Case(lambda c: intraclass(RATED, confidence=c).agreement, 5, 1, "item", "ICC(A,1), F interval"),
    "ICC(C,k)": Case(lambda c: intraclass(RATED, confidence=c).consistency_mean, 5, 1, "item", "ICC(C,k), F interval"),
    "ICC of raters who never err": Case(lambda c: intraclass(RATED[:, :1] + np.array([[0.0, 1.0]]), confidence=c).consistency, 6, 0, "item", "ICC(C,1), F interval"),
    "ICC of the mean of raters who contradict": Case(lambda c: intraclass(np.array([[1.0, 9.0], [9.0, 1.0], [2.0, 7.0]]), confidence=c).consistency_mean, 3, 0, "item", "ICC(C,k), F interval"),
    "ICC of equal ratings": Case(lambda c: intraclass(np.ones((4, 2)), confidence=c).agreement, 4, 0, "item", "ICC(A,1)", "all ratings are equal"),
    "accuracy": Case(lambda c: report(c).accuracy, 11, 1, "item", "accuracy, Wilson score interval"),
    "accuracy in clusters": Case(lambda c: report(c, list("aabbccddeeff")).accuracy, 11, 1, "cluster", "accuracy, cluster bootstrap percentile interval"),
    "weighted accuracy": Case(lambda c: report(c).weighted_accuracy, 11, 1, "item", "weighted accuracy, sum(W C)/n, bootstrap percentile interval"),
    "weighted accuracy without scores": Case(lambda c: report(c, labels=("low", "medium", "high", "grave")).weighted_accuracy, 11, 1, "item", "weighted accuracy, sum(W C)/n", "no scores were given for 4 labels"),
    "linear kappa": Case(lambda c: report(c).linear_kappa, 11, 1, "item", "Cohen kappa, linear weights, bootstrap percentile interval"),
    "quadratic kappa": Case(lambda c: report(c).quadratic_kappa, 11, 1, "item", "Cohen kappa, quadratic weights, bootstrap percentile interval"),
    "F2 of the gravest": Case(lambda c: report(c).high_f2, 11, 1, "item", "F2 of high, bootstrap percentile interval"),
    "macro precision": Case(lambda c: report(c).macro_precision, 11, 1, "item", "macro precision, bootstrap percentile interval"),
    "macro recall": Case(lambda c: report(c).macro_recall, 11, 1, "item", "macro recall, bootstrap percentile interval"),
    "macro F1": Case(lambda c: report(c).macro_f1, 11, 1, "item", "macro F1, bootstrap percentile interval"),
    "precision of a label": Case(lambda c: report(c).per_class["low"].precision, 11, 1, "item", "precision of low, bootstrap percentile interval"),
    "recall of a label": Case(lambda c: report(c).per_class["low"].recall, 11, 1, "item", "recall of low, bootstrap percentile interval"),
    "F1 of a label": Case(lambda c: report(c).per_class["low"].f1, 11, 1, "item", "F1 of low, bootstrap percentile interval"),
    "precision of a label nobody said": Case(lambda c: report(c, labels=("low", "medium", "high", "grave")).per_class["grave"].precision, 11, 1, "item", "precision of grave, bootstrap percentile interval", "grave is never predicted"),
    "recall of a label that does not occur": Case(lambda c: report(c, labels=("low", "medium", "high", "grave")).per_class["grave"].recall, 11, 1, "item", "recall of grave, bootstrap percentile interval", "grave does not occur"),
    "F of a label that is not used": Case(lambda c: report(c, labels=("low", "medium", "high", "grave")).high_f2, 11, 1, "item", "F2 of grave, bootstrap percentile interval", "grave neither occurs nor is predicted"),
    "kappa of one label": Case(lambda c: ordinal_report(["low"] * 3, ["low"] * 3, ("low", "high"), drawn(), confidence=c).linear_kappa, 3, 0, "item", "Cohen kappa, linear weights, bootstrap percentile interval", "truth and prediction are one and the same label"),
    "measure of nothing": Case(lambda c: ordinal_report([None], ["low"], ("low", "high"), drawn(), confidence=c).macro_f1, 0, 1, "item", "macro F1, bootstrap percentile interval", "nothing was measured"),
    "baseline accuracy": Case(lambda c: report(c).baselines["always high"]["accuracy"], 11, 1, "item", "accuracy, bootstrap percentile interval"),
    "baseline F2": Case(lambda c: report(c).baselines["always low"]["high_f2"], 11, 1, "item", "F2 of high, bootstrap percentile interval", "undefined in 12% of the resamples"),
    "baseline F2 of a label that is not used": Case(lambda c: report(c, labels=("low", "medium", "high", "grave")).baselines["always low"]["high_f2"], 11, 1, "item", "F2 of grave, bootstrap percentile interval", "grave neither occurs nor is predicted"),
    "baseline macro F1": Case(lambda c: report(c).baselines["always high"]["macro_f1"], 11, 1, "item", "macro F1, bootstrap percentile interval"),
    "baseline weighted accuracy": Case(lambda c: report(c).baselines["always high"]["weighted_accuracy"], 11, 1, "item", "weighted accuracy, sum(W C)/n, bootstrap percentile interval"),
    "judge alone": Case(lambda c: correct(JUDGE, HUMAN, confidence=c).judge_only, 8, 1, "sample", "judge alone, t interval"),
    "people alone": Case(lambda c: correct(JUDGE, HUMAN, confidence=c).human_only, 4, 0, "sample", "human marks alone, t interval"),
    "corrected": Case(lambda c: correct(JUDGE, HUMAN, confidence=c).corrected, 8, 1, "sample", "prediction-powered mean, t interval"),
    "corrected, weighted": Case(lambda c: correct(JUDGE, HUMAN, probability=CHANCE, confidence=c).corrected, 8, 1, "sample", "prediction-powered mean, inverse inclusion probability, t interval"),
    "corrected by one mark": Case(lambda c: correct([0.5, 0.6, None], [1.0, None, None], confidence=c).corrected, 0, 1, "sample", "prediction-powered mean", "fewer than two human marks"),
    "corrected in a stratum of one mark": Case(lambda c: correct([0.5, 0.6, 0.7, 0.8], [1.0, 0.0, 1.0, None], strata=list("xxyy"), confidence=c).corrected, 0, 0, "sample", "prediction-powered mean", "fewer than two human marks in stratum 2"),
    "corrected, weighted, by one mark": Case(lambda c: correct([0.5, 0.6], [1.0, None], probability=[0.5, 0.5], confidence=c).corrected, 0, 0, "sample", "prediction-powered mean, inverse inclusion probability", "fewer than two human marks"),
    "corrected by equal marks": Case(lambda c: correct([0.5, 0.5, 0.5, None], [1.0, 1.0, None, None], confidence=c).corrected, 3, 1, "sample", "prediction-powered mean, t interval", "no variance among the human marks"),
    "corrected from nothing": Case(lambda c: correct([None], [1.0], confidence=c).corrected, 0, 1, "sample", "prediction-powered mean", "nothing was judged"),
    "Rogan-Gladen": Case(lambda c: rogan_gladen(GUESS, [np.nan if y is None else y for y in TRUTH], confidence=c), 60, 0, "sample", "Rogan-Gladen, delta, t interval"),
    "Rogan-Gladen of soft marks": Case(lambda c: rogan_gladen([0.5, 0.0], [1.0, 0.0], confidence=c), 2, 0, "sample", "Rogan-Gladen, delta interval", "the marks are not 0 and 1"),
    "Rogan-Gladen of one class": Case(lambda c: rogan_gladen([1.0, 0.0, 1.0], [1.0, 1.0, np.nan], confidence=c), 3, 0, "sample", "Rogan-Gladen, delta interval", "people marked only one class"),
    "Rogan-Gladen of a judge by chance": Case(lambda c: rogan_gladen([1.0, 0.0, 1.0], [0.0, 1.0, np.nan], confidence=c), 3, 0, "sample", "Rogan-Gladen, delta interval", "the judge is no better than chance"),
    "same family, people": Case(lambda c: same_family_bias([1, 1, 1, 0, 0, 1, 1, None], [1, 1, 1, 1, 0, 0, 0.5, 1], drawn(), confidence=c), 6, 2, "pair", "same-family bias against people, bootstrap percentile interval", "undefined in 9% of the resamples"),
    "same family, people, in clusters": Case(lambda c: same_family_bias([1, 1, 1, 0, 0, 1, 1, None], [1, 1, 1, 1, 0, 0, 0.5, 1], drawn(), clusters=list("abcdefgh"), confidence=c), 6, 2, "cluster", "same-family bias against people, cluster bootstrap percentile interval", "undefined in 9% of the resamples"),
    "same family, one-sided people": Case(lambda c: same_family_bias([1, 1], [1, 1], drawn(), confidence=c), 2, 0, "pair", "same-family bias against people, bootstrap percentile interval", "people must prefer each side at least once"),
    "family interaction": Case(lambda c: family_interaction(ONE, TWO, drawn(), confidence=c).difference, 8, 1, "sample", "Tango score interval"),
    "length-controlled": Case(controlled, 12, 1, "sample", "length-controlled win rate, bootstrap of the refit"),
    "length-controlled in clusters": Case(lambda c: controlled(c, np.array([place // 2 for place in range(13)])), 12, 1, "cluster", "length-controlled win rate, bootstrap of the refit"),
    "length-controlled in one cluster": Case(lambda c: controlled(c, np.zeros(13, dtype=np.int64)), 12, 1, "cluster", "length-controlled win rate", "one cluster"),
    "length-controlled, given weights": Case(lambda c: controlled_by_weights([0.1, None, 0.4], LengthWeights(1, 1, 0), confidence=c), 2, 1, "sample", "length-controlled win rate, given weights", "the weights were given, not fitted"),
    "length-controlled, given weights and nothing else": Case(lambda c: controlled_by_weights([None, None], LengthWeights(1, 1, 0), confidence=c), 0, 2, "sample", "length-controlled win rate", "no difficulty is known"),
    "length-controlled of nine": Case(lambda c: length_controlled(WON[:9], [1.0] * 9, LONG[:9], drawn(), confidence=c), 9, 0, "sample", "length-controlled win rate", "9 samples with outcome, lengths and difficulty"),
    "length-controlled of equal lengths": Case(lambda c: length_controlled(WON, [1.0] * 13, [2.0] * 13, drawn(), confidence=c), 12, 1, "sample", "length-controlled win rate", "all length differences are equal"),
    "strength": Case(lambda c: ranking(c).ranking[0].strength, 24, 1, "comparison", "Bradley-Terry, ties as half wins, sandwich interval"),
    "strength, Davidson": Case(lambda c: ranking(c, "davidson").ranking[0].strength, 24, 1, "comparison", "Davidson, sandwich interval"),
    "covariate": Case(lambda c: ranking(c).covariates["length"], 36, 1, "comparison", "Bradley-Terry, ties as half wins, covariate, sandwich interval"),
    "covariate, Davidson": Case(lambda c: ranking(c, "davidson").covariates["length"], 36, 1, "comparison", "Davidson, covariate, sandwich interval"),
    "ties": Case(lambda c: ranking(c, "davidson").tie, 36, 1, "comparison", "Davidson, log nu, sandwich interval"),
    "win probability": Case(lambda c: ranking(c).win_probability["a"]["b"], 36, 1, "comparison", "win probability of the fitted strengths"),
    "strength of the unbeaten": Case(lambda c: unranked(c).ranking[0].strength, 2, 1, "comparison", "Bradley-Terry", "a won all, lost all, or never met the others"),
    "strength without a game": Case(lambda c: rank(["a"], ["b"], [None], confidence=c).ranking[0].strength, 0, 1, "comparison", "Bradley-Terry", "no comparison was measured"),
    "inconsistency": Case(lambda c: position_test(ORDERS, confidence=c).inconsistency, 3, 1, "sample", "Wilson score interval"),
    "preference for the first": Case(lambda c: position_test(ORDERS, confidence=c).first_share, 2, 0, "sample", "Wilson score interval"),
    "deviation of runs": Case(lambda c: stability(RUNS, drawn(), confidence=c).deviation, 4, 0, "item", "pooled standard deviation, chi-square interval"),
    "variation of runs": Case(lambda c: stability(RUNS, drawn(), confidence=c).variation, 4, 0, "item", "coefficient of variation of the runs"),
    "reliability of runs": Case(lambda c: stability(RUNS, drawn(), confidence=c).reliability, 4, 0, "item", "ICC(1), F interval"),
    "reliability of the mean of runs": Case(lambda c: stability(RUNS, drawn(), confidence=c).reliability_of_mean, 4, 0, "item", "ICC(1,k), F interval"),
    "kappa of runs": Case(lambda c: stability(RUNS, drawn(), confidence=c).kappa, 4, 0, "item", "Fleiss kappa, bootstrap percentile interval"),
    "kappa of two runs": Case(lambda c: stability([row[:2] for row in RUNS], drawn(), confidence=c).kappa, 4, 0, "item", "Cohen kappa, bootstrap percentile interval", "undefined in 6% of the resamples"),
    "items apart": Case(lambda c: stability(RUNS, drawn(), confidence=c).apart, 4, 0, "item", "Wilson score interval"),
    "deviation of single runs": Case(lambda c: stability([[0.1], [0.2]], drawn(), confidence=c).deviation, 0, 0, "item", "pooled standard deviation, chi-square interval", "no item has two runs"),
    "variation of single runs": Case(lambda c: stability([[0.1], [0.2]], drawn(), confidence=c).variation, 0, 0, "item", "coefficient of variation of the runs", "no item has two runs"),
    "variation about 0": Case(lambda c: stability([[-1.0, 1.0], [1.0, -1.0]], drawn(), confidence=c).variation, 2, 0, "item", "coefficient of variation of the runs", "the mean is 0"),
    "kappa of one item": Case(lambda c: stability([[0.1, 0.9]], drawn(), confidence=c).kappa, 0, 0, "item", "kappa", "no two items with two runs"),
    "points referred to": Case(lambda c: point_treatment(POINTS, confidence=c)["overall"].referred, 3, 1, "cluster", "Wilson score interval, clustered (2 clusters)"),
    "points judged right": Case(lambda c: point_treatment(POINTS, confidence=c)["overall"].right, 4, 0, "cluster", "Wilson score interval, clustered (3 clusters)"),
    "errors of a type": Case(lambda c: point_treatment(POINTS, confidence=c)["overall"].errors["missed point"], 2, 0, "wrong point", "Wilson score interval"),
    "order of candidates": Case(lambda c: judges_side_by_side(RATES, confidence=c)["one", "two"].rank_correlation, 5, 0, "candidate", "Spearman rho, Bonett-Wright interval"),
    "share met": Case(lambda c: share_met(table_of([[1, None], [0.5, 0.25], [1, 0.5]]), c)[1], 2, 1, "assistant", "mean, t interval"),
    "discrimination": Case(lambda c: item_rest(MET, c)[0], 23, 1, "assistant", "Pearson r, Fisher z interval"),
    "discrimination of a sample nobody has": Case(lambda c: item_rest(MET, c)[5], 0, 24, "assistant", "Pearson r, Fisher z interval", "0 pairs"),
    "fitted discrimination": Case(lambda c: item_response(MET, confidence=c).discrimination[0], 23, 1, "assistant", "two-parameter logistic, marginal maximum a posteriori by EM, cross-product information"),
    "fitted difficulty": Case(lambda c: item_response(MET, confidence=c).difficulty[0], 23, 1, "assistant", "two-parameter logistic, marginal maximum a posteriori by EM, cross-product information"),
    "fitted difficulty of a sample nobody has": Case(lambda c: item_response(MET, confidence=c).difficulty[5], 0, 24, "assistant", "two-parameter logistic, marginal maximum a posteriori by EM, cross-product information", "no assistant has a value"),
    "fitted ability": Case(lambda c: item_response(MET, confidence=c).ability[0], 4, 2, "sample", "posterior mean and standard deviation of ability"),
    "bootstrap": Case(lambda c: summed(c, [1.0, 2.0, 4.0]), 3, 1, "page", "mean, bootstrap percentile interval"),
    "bootstrap in clusters": Case(lambda c: summed(c, [1.0, 2.0, 4.0, 3.0], [0, 0, 1, 2]), 4, 1, "cluster", "mean, cluster bootstrap percentile interval"),
    "bootstrap of one cluster": Case(lambda c: summed(c, [1.0, 2.0], [0, 0]), 2, 1, "cluster", "mean, cluster bootstrap percentile interval", "a single unit"),
    "bootstrap of nothing": Case(lambda c: summed(c, []), 0, 1, "page", "mean, bootstrap percentile interval", "nothing was measured"),
    "bootstrap of equal values": Case(lambda c: summed(c, [2.0, 2.0, 2.0]), 3, 1, "page", "mean, bootstrap percentile interval", "all resamples are equal"),
}
# fmt: on


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_estimate_says_what_it_is(case):
    """Units counted and missing, the sampling unit, the method, the confidence asked for; where it has no value or limits, why."""
    found = case.estimate(0.8)
    said = (found.n, found.n_missing, found.unit, found.method, found.confidence)
    assert said == (case.n, case.n_missing, case.unit, case.method, 0.8)
    assert found.reason.startswith(case.reason)
    assert bool(found.reason) == bool(case.reason)


BOUNDED = {name: case for name, case in CASES.items() if not case.reason}


@pytest.mark.parametrize("case", BOUNDED.values(), ids=BOUNDED)
def test_more_confidence_asks_for_a_wider_interval(case):
    """With the same data and draws, at 99% both limits lie further out than at 80%, unless the scale ends there."""
    sure, unsure = case.estimate(0.99), case.estimate(0.8)
    assert (sure.confidence, sure.value) == (0.99, unsure.value)
    assert sure.low <= unsure.low <= unsure.value <= unsure.high <= sure.high
    assert sure.high - sure.low > unsure.high - unsure.low
