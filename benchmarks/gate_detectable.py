"""Whether the detectable distance that a gate states is one that it passes with 80% power, and what the usual formula promises.

python benchmarks/gate_detectable.py [--runs 1000]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import sqrt

import numpy as np

from benchbar.decisions.estimating import Evidence
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Policy
from benchbar.statistics import betting_interval, minimum_detectable_effect

Draw = Callable[[np.random.Generator, int], np.ndarray]
SHAPES: dict[str, tuple[float, Draw]] = {
    "yes and no, .90": (0.9, lambda generator, n: (generator.random(n) < 0.9).astype(float)),
    "yes and no, .60": (0.6, lambda generator, n: (generator.random(n) < 0.6).astype(float)),
    "grades in steps of 5 points, .90": (0.9, lambda generator, n: generator.integers(16, 21, n) / 20),
    "rare zeros, .97 to 1 else, .9357": (
        0.95 * 0.985,
        lambda generator, n: np.where(generator.random(n) < 0.95, generator.uniform(0.97, 1, n), 0.0),
    ),
}


def main() -> None:
    """Print a table: shape, n, the stated distance and its power, the usual formula's and its power."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print("| values, mean | n | the gate states | power there | the normal formula | power there |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (mean, draw) in SHAPES.items():
        for n in (50, 100, 300):
            print(f"| {name} | {n} | {_row(np.random.default_rng(n), mean, draw, n, runs)} |", flush=True)


def _row(generator: np.random.Generator, mean: float, draw: Draw, n: int, runs: int) -> str:
    stated = float(np.median([_stated(draw(generator, n)) for _ in range(100)]))
    usual = minimum_detectable_effect(n, float(draw(generator, 100_000).std()))
    lows = np.array([betting_interval(draw(generator, n)).low for _ in range(runs)])
    cells = []
    for distance in (stated, usual):
        power = float((lows >= mean - distance).mean())
        cells.append(f"{distance:.3f} | {100 * power:.1f}% ± {100 * sqrt(power * (1 - power) / runs):.1f}")
    return " | ".join(cells)


def _stated(values: np.ndarray) -> float:
    named = {f"s{place}": float(value) for place, value in enumerate(values)}
    (check,) = decide(Policy(at_least={"overall": 0.5}), {"a": Evidence({"overall": named})}).checks
    return check.detectable or 1.0


if __name__ == "__main__":
    main()
