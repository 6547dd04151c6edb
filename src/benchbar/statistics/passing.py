"""How often something succeeds when it is tried several times: at least once (pass@k), and every time (pass^k)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from benchbar.records import Estimate
from benchbar.records.errors import BadInputError
from benchbar.statistics.clusters import Correction
from benchbar.statistics.winrate import win_rate


class Trials(NamedTuple):
    """How often something was tried and how often it succeeded."""

    passed: int
    tried: int


def pass_at(trials: Trials, k: int) -> float | None:
    """The chance that at least one of k trials passes; None where fewer than k were made.

    1 - C(n - c, k) / C(n, k): the share of all choices of k of the n trials in which one of the c that passed is. It is
    unbiased, which 1 - (1 - c/n)^k is not. Source: Chen et al., Evaluating Large Language Models Trained on Code (2021), eq. 1.
    """
    _check(trials, k)
    return 1 - comb(trials.tried - trials.passed, k) / comb(trials.tried, k) if trials.tried >= k else None


def pass_power(trials: Trials, k: int) -> float | None:
    """pass^k, the chance that k trials all pass; None where fewer than k were made.

    C(c, k) / C(n, k), unbiased as well. Source: Yao et al., tau-bench (2024), section 4.
    """
    _check(trials, k)
    return comb(trials.passed, k) / comb(trials.tried, k) if trials.tried >= k else None


def _check(trials: Trials, k: int) -> None:
    if k < 1 or not 0 <= trials.passed <= trials.tried:
        raise BadInputError(
            f"{trials.passed} of {trials.tried} passed, k = {k}; expected a count between 0 and n, and k of 1 or more"
        )


def pass_rate(
    values: Sequence[float | None],
    *,
    clusters: Sequence[object] | None = None,
    correction: Correction = "CR1",
    confidence: float = 0.95,
) -> Estimate:
    """The mean of samples' pass@k or pass^k, each from 0 to 1, with Tango's score interval for soft outcomes.

    A t interval has no width where every sample passes, which is what one hopes to see of pass^k.
    """
    return win_rate(values, clusters=clusters, correction=correction, confidence=confidence)
