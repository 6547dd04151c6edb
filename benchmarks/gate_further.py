"""Whether so many more samples as a gate names decide in the direction that it names, and as often as it says.

python benchmarks/gate_further.py [--gates 60] [--runs 100]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt

import numpy as np

from benchbar.decisions.estimating import Evidence
from benchbar.decisions.explaining import would_be
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Policy

Draw = Callable[[np.random.Generator, int], np.ndarray]
SHAPES: dict[str, tuple[float, Draw]] = {
    "yes and no, .80": (0.8, lambda generator, n: (generator.random(n) < 0.8).astype(float)),
    "grades in steps of 5 points, .80": (0.8, lambda generator, n: generator.integers(12, 21, n) / 20),
    "rare zeros, .97 to 1 else, .8865": (
        0.9 * 0.985,
        lambda generator, n: np.where(generator.random(n) < 0.9, generator.uniform(0.97, 1, n), 0.0),
    ),
}


def main() -> None:
    """Print a table: shape, threshold, how many more are named, how often they decide as said, and the other way."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gates", type=int, default=60)
    parser.add_argument("--runs", type=int, default=100)
    given = parser.parse_args()
    print("| values, mean | threshold | more, median | decided as said | decided the other way |")
    print("| --- | --- | --- | --- | --- |")
    for name, (mean, draw) in SHAPES.items():
        for beside in (-0.06, -0.03, 0.03, 0.06):
            row = _row(np.random.default_rng(1), draw, mean + beside, given.gates, given.runs)
            print(f"| {name} | {mean + beside:.4g} | {row} |", flush=True)


def _row(generator: np.random.Generator, draw: Draw, threshold: float, gates: int, runs: int) -> str:
    more, as_said, other = [], 0, 0
    for _ in range(gates):
        values = draw(generator, 60)
        found = _decided(values, threshold)
        if found.decision != "insufficient_evidence" or not found.missing:
            continue
        (count,), said = found.missing.values(), would_be(found.checks[0])
        more.append(count)
        for _ in range(runs):
            after = _decided(np.concatenate([values, generator.choice(values, count)]), threshold).decision
            as_said += after == said
            other += after not in {said, "insufficient_evidence"}
    total = len(more) * runs
    cells = (f"{100 * one / total:.1f}% ± {_error(one / total, total, len(more)):.1f}" for one in (as_said, other))
    return f"{int(np.median(more))} ({len(more)} gates) | {' | '.join(cells)}"


def _error(share: float, total: int, gates: int) -> float:
    # Draws from one gate share its values: the gates are the units, and this errs on the wide side.
    return 100 * sqrt(share * (1 - share) / min(total, gates * 10))


def _decided(values: np.ndarray, threshold: float):  # noqa: ANN202
    named = {f"s{place}": float(value) for place, value in enumerate(values)}
    return decide(Policy(at_least={"overall": threshold}), {"a": Evidence({"overall": named})})


if __name__ == "__main__":
    main()
