"""How often the gate passes what stands exactly at its threshold where samples belong together: `python benchmarks/gate_clusters.py`.

A look after every document, 10 to 60 of them; 20,000 runs a cell, Monte Carlo errors are those of a share. Each document has
its own rate of good answers, drawn from a Beta distribution whose mean is the threshold; sizes of documents are 1 to 8 samples,
known before their values, as a suite's are.
"""

from __future__ import annotations

import numpy as np
from gate_at_every_look import BETS, CHUNK, GOAL, RUNS, shown
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DOCUMENTS, FIRST = 60, 10
STRENGTHS = {".05": 19.0, ".33": 2.0, ".8": 0.25}
"""Correlation within a document, and the sum of the parameters of the Beta distribution that has it: 1/(1 + a + b)."""


def ever_passed(
    generator: np.random.Generator, sizes: NDArray[np.int64], threshold: float, total: float
) -> tuple[int, int]:
    """Of a thousand runs, those that ever pass: betting on documents, and on samples as if they were independent."""
    rates = generator.beta(threshold * total, (1 - threshold) * total, size=(CHUNK, len(sizes)))
    yes = generator.binomial(sizes, rates).astype(np.float64)
    most = float(sizes.max())
    by_document, by_sample = np.ones((CHUNK, len(BETS))), np.zeros((CHUNK, len(BETS)))
    ever = np.zeros((2, CHUNK), dtype=bool)
    win, lose = np.log(1 - BETS + BETS / threshold), np.log(1 - BETS)
    for place, size in enumerate(sizes):
        # The stake of a document is its share of the largest one: 1 + b (T/(m s_max) - s/s_max).
        by_document *= 1 + BETS * (yes[:, place, None] / threshold - size) / most
        by_sample += yes[:, place, None] * win + (size - yes[:, place, None]) * lose
        if place + 1 >= FIRST:
            ever[0] |= by_document.mean(axis=1) >= GOAL
            peak = by_sample.max(axis=1)
            ever[1] |= peak + np.log(np.exp(by_sample - peak[:, None]).mean(axis=1)) >= np.log(GOAL)
    return int(ever[0].sum()), int(ever[1].sum())


def main() -> None:
    """Print wrong passes by threshold, correlation and how documents are counted."""
    print("| threshold | correlation | documents as units | samples as independent |\n| --- | --- | --- | --- |")
    for threshold in (0.80, 0.90, 0.95):
        for name, total in STRENGTHS.items():
            generator = np.random.default_rng([round(100 * threshold), len(name), round(100 * total)])
            sizes = generator.integers(1, 9, size=DOCUMENTS)
            passed = np.zeros(2)
            for _ in range(RUNS // CHUNK):
                passed += ever_passed(generator, sizes, threshold, total)
            print(f"| {threshold:.2f} | {name} | {shown(passed[0] / RUNS)} | {shown(passed[1] / RUNS)} |", flush=True)


if __name__ == "__main__":
    main()
