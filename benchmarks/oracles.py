"""The largest differences between our estimators and others' or general derivations: `python benchmarks/oracles.py` (group `oracles`)."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from scipy.linalg import fractional_matrix_power
from scipy.optimize import brentq
from scipy.stats import t
from statsmodels.stats.multitest import multipletests

from benchbar.statistics import benjamini_hochberg, betting_interval, holm, mean
from benchbar.statistics.clusters import clustered_error
from benchbar.statistics.macro import _joint_error

CASES = 300


def betting(generator: np.random.Generator) -> float:
    """Bounds against those of docs/reproduce-a-gate.py, which was written from the formula and uses Python alone."""
    other = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "reproduce-a-gate.py"))["betting"]
    worst = 0.0
    for _ in range(CASES // 10):
        values = generator.choice([0.0, 0.3, 0.85, 0.97, 1.0], size=int(generator.integers(5, 120)))
        found, wanted = betting_interval(values), other(values.tolist(), 0.95)
        worst = max(worst, abs((found.low or 0.0) - wanted[0]), abs((found.high or 0.0) - wanted[1]))
    return worst


def integrated(generator: np.random.Generator) -> float:
    """Lower bounds of shares of yes against the integral over all fractions, in the place of 60 of them and of rounding."""

    def log_capital(mean: float, yes: int, n: int) -> float:
        # b = sin(x)^2 has the density of Beta(1/2, 1/2) where x is uniform from 0 to pi/2.
        x = (np.arange(20_000) + 0.5) * np.pi / 40_000
        grown = yes * np.log1p(np.sin(x) ** 2 * (1 / mean - 1)) + (n - yes) * np.log(np.cos(x) ** 2)
        return float(grown.max() + np.log(np.exp(grown - grown.max()).mean()))

    worst = 0.0
    for _ in range(CASES // 10):
        n = int(generator.integers(20, 300))
        yes = int(generator.binomial(n, generator.choice([0.6, 0.9, 0.97])))
        wanted = brentq(lambda mean, k=yes, n=n: log_capital(mean, k, n) - np.log(40), 1e-6, yes / n)
        worst = max(worst, abs((betting_interval([1.0] * yes + [0.0] * (n - yes)).low or 0.0) - wanted))
    return worst


def by_matrices(values: np.ndarray, design: np.ndarray, codes: np.ndarray) -> tuple[float, float]:
    """CR2 and Satterthwaite's degrees of freedom for the mean coefficient, as Pustejovsky and Tipton write them for any design."""
    bread = np.linalg.inv(design.T @ design)
    hat, wanted = design @ bread @ design.T, np.full(design.shape[1], 1 / design.shape[1])
    rest, total, columns = np.eye(len(values)) - hat, 0.0, []
    for code in np.unique(codes):
        own = codes == code
        root = fractional_matrix_power(np.eye(own.sum()) - hat[np.ix_(own, own)], -0.5).real
        contrast = root @ design[own] @ bread @ wanted
        total += (contrast @ (rest @ values)[own]) ** 2
        columns.append(rest[:, own] @ contrast)
    inner = np.array(columns) @ np.array(columns).T
    return float(np.sqrt(total)), float(np.trace(inner) ** 2 / (inner**2).sum())


def clusters(generator: np.random.Generator) -> dict[str, float]:
    """Relative differences of standard errors, degrees of freedom and interval ends."""
    worst = dict.fromkeys(("CR1", "CR2", "degrees", "macro", "macro degrees", "t interval"), 0.0)

    def note(name: str, found: float, wanted: float) -> None:
        worst[name] = max(worst[name], abs(found / wanted - 1))

    for _ in range(CASES):
        codes = generator.integers(0, int(generator.integers(4, 9)), 30)
        codes[:4] = [0, 0, 1, 2]
        values = generator.random(30) + codes
        fit = sm.OLS(values, np.ones(30)).fit(cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False})
        count = len(np.unique(codes))
        note(
            "CR1",
            clustered_error(values, codes, "CR1").standard_error,
            float(fit.bse[0]) * np.sqrt(count / (count - 1)),
        )
        error, degrees = by_matrices(values, np.ones((30, 1)), codes)
        own = clustered_error(values, codes)
        if own.standard_error > values.std(ddof=1) / np.sqrt(30):
            note("CR2", own.standard_error, error)
        note("degrees", own.degrees, degrees)
        estimate = mean(values, clusters=codes.tolist())
        note("t interval", estimate.high - estimate.value, float(t.isf(0.025, own.degrees)) * own.standard_error)
        tasks = np.repeat([0, 1, 2], 10)
        parts = [np.r_[[0, 1], generator.integers(0, 4, 8)] for _ in range(3)]
        joint = np.concatenate(parts)
        values = generator.random(30) * 0.3 + generator.random(4)[joint] * 0.7
        found = _joint_error(
            {str(k): values[tasks == k] for k in range(3)}, {str(k): parts[k].tolist() for k in range(3)}
        )
        error, degrees = by_matrices(values, (tasks[:, None] == np.arange(3)).astype(float), joint)
        if found.ratio > 1:
            note("macro", found.standard_error, error)
        note("macro degrees", found.degrees, degrees)
    return worst


def adjusted(generator: np.random.Generator) -> dict[str, float]:
    """Differences of adjusted p-values from statsmodels'."""
    worst = {"holm": 0.0, "fdr_bh": 0.0}
    for _ in range(CASES):
        p_values = {
            str(place): float(p) for place, p in enumerate(generator.random(int(generator.integers(1, 40))) ** 3)
        }
        for method, ours in (("holm", holm), ("fdr_bh", benjamini_hochberg)):
            wanted = multipletests(list(p_values.values()), method=method)[1]
            worst[method] = max(worst[method], float(np.abs(np.array(list(ours(p_values).values())) - wanted).max()))
    return worst


if __name__ == "__main__":
    chance = np.random.default_rng(22)
    print(f"betting bounds, absolute: {betting(chance):.1e}")
    print(f"lower betting bounds of yes and no, by integration, absolute: {integrated(chance):.1e}")
    for part in (clusters(chance), adjusted(chance)):
        for name, worst in part.items():
            print(f"{name}: {worst:.1e}")
