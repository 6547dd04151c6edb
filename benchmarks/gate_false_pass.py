"""How often the gate's interval releases what stands exactly at the threshold, and what it costs beside Student's t.

Values of .97 to 1 with rare zeros, the true mean at the threshold, looked at once; nominal is 2.5% on each side.
"""

from __future__ import annotations

import numpy as np

from benchbar.statistics import betting_interval, mean

RUNS = 1500
SHAPES = {"half and half": (0.6, 0.4), "mostly good": (2.0, 1.0)}
"""Parameters of Beta distributions, for the widths."""


def skewed(generator: np.random.Generator, threshold: float, n: int) -> np.ndarray:
    """Values whose expectation is the threshold."""
    return np.where(generator.random(n) < 1 - threshold / 0.985, 0, generator.uniform(0.97, 1, n))


def passed(threshold: float, n: int) -> tuple[float, float]:
    """Shares of runs that betting and Student's t release."""
    generator = np.random.default_rng(7)
    by_bets = by_t = 0
    for _ in range(RUNS):
        values = skewed(generator, threshold, n)
        by_bets += (betting_interval(values).low or 0) >= threshold
        low = mean(values).low
        by_t += low is not None and low >= threshold
    return by_bets / RUNS, by_t / RUNS


def widths(shape: tuple[float, float], n: int) -> float:
    """The betting interval's width, as a multiple of the t interval's."""
    generator = np.random.default_rng(7)
    ratios = []
    for _ in range(40):
        values = generator.beta(*shape, n)
        bets, t = betting_interval(values), mean(values)
        ratios.append((bets.high - bets.low) / (t.high - t.low))
    return float(np.mean(ratios))


def main() -> None:
    """Print both tables."""
    print("threshold    n   betting   Student's t   (share released; nominal 2.5%)")
    for threshold in (0.95, 0.90, 0.80):
        for n in (30, 60, 100):
            bets, t = passed(threshold, n)
            print(f"     {threshold:.2f}  {n:>3}   {bets:7.1%}   {t:11.1%}")
    print("width of the betting interval / width of the t interval")
    for name, shape in SHAPES.items():
        print(f"  {name}: " + ", ".join(f"n = {n}: {widths(shape, n):.2f}" for n in (30, 100, 300, 1000)))


if __name__ == "__main__":
    main()
