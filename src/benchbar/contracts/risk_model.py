"""How grave a Chinese clause is by its wording: a multinomial logistic regression over characters and their pairs.

It was fitted by ``scripts/fit_risk_model.py`` on the labelled clauses of one public set, and its figures in
docs/results-contract-risk.md are those of clauses written for rules that no fit had seen. The wordings of ``cues`` are not among
its features: they were chosen with the same clauses in view, and a cross-validation could not have told what that is worth.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from importlib import resources

from benchbar.languages.text import folded, nfkc
from benchbar.records import Record, decode
from benchbar.records.contracts import RiskLevel

LONGEST = 300
"""Characters weighed at once. The clauses of the fit have 20 to 87; in a long clause one grave sentence would drown."""


class Graded(Record, frozen=True):
    """A clause's level by the model, None where it is too unlike what the model was fitted on, and its probabilities."""

    level: RiskLevel | None
    low: float
    medium: float
    high: float
    known: float
    """Share of the clause's pairs of characters that the model has seen."""


class RiskModel(Record, frozen=True):
    """The fitted weights and the thresholds that make levels of probabilities."""

    version: str
    grams: tuple[str, ...]
    inverse_frequencies: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    """Of low, medium and high, each in the order of ``grams``."""
    intercepts: tuple[float, ...]
    high_at: float
    """High from this probability of high on."""
    low_at: float
    """Low from this probability of low on; between the two, medium."""
    least_known: float
    """Least share of known pairs: below it the model abstains."""
    fitted_on: str = ""

    def graded(self, text: str) -> Graded:
        """The clause's level and the probabilities behind it."""
        counts = Counter(grams(text))
        pairs = [gram for gram in counts.elements() if len(gram) > 1]
        places = self._places
        known = sum(gram in places for gram in pairs) / len(pairs) if pairs else 0.0
        values = {
            places[gram]: (1 + math.log(count)) * self.inverse_frequencies[places[gram]]
            for gram, count in counts.items()
            if gram in places
        }
        length = math.sqrt(sum(value * value for value in values.values())) or 1.0
        logits = [
            intercept + sum(row[at] * value for at, value in values.items()) / length
            for row, intercept in zip(self.coefficients, self.intercepts, strict=True)
        ]
        low, medium, high = _softmax(logits)
        level = decided(low, high, self.high_at, self.low_at) if known >= self.least_known else None
        return Graded(level=level, low=low, medium=medium, high=high, known=known)

    @property
    def _places(self) -> dict[str, int]:
        return _places(self.grams)


@cache
def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {gram: place for place, gram in enumerate(names)}


def decided(low: float, high: float, high_at: float, low_at: float) -> RiskLevel:
    """The level of two probabilities; high is looked at first, for a high risk called low costs most."""
    if high >= high_at:
        return RiskLevel.HIGH
    return RiskLevel.LOW if low >= low_at else RiskLevel.MEDIUM


def grams(text: str) -> list[str]:
    """Characters and pairs of characters in NFKC, small letters and simplified forms, without spaces, every digit as 0."""
    plain = "".join("0" if one.isdigit() else one for one in folded(nfkc(text)).lower() if not one.isspace())
    return [*plain, *(plain[at : at + 2] for at in range(len(plain) - 1))]


def _softmax(logits: list[float]) -> tuple[float, float, float]:
    top = max(logits)
    low, medium, high = (math.exp(one - top) for one in logits)
    total = low + medium + high
    return low / total, medium / total, high / total


@cache
def shipped_model() -> RiskModel:
    """The model that comes with the package."""
    file = resources.files("benchbar.contracts") / "weights" / "risk_zh.json"
    return decode(file.read_bytes(), RiskModel, file=str(file))
