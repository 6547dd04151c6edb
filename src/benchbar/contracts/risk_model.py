"""How grave a Chinese clause is by its wording: a multinomial logistic regression over characters and their pairs.

A clause is weighed by how it differs from the nearest of the rules' middles: what clauses of one topic have in common tells the topic, and
what sets one apart tells how grave it is.

It was fitted by ``scripts/fit_risk_model.py`` on the labelled clauses of one public set, and its figures in
docs/results-contract-risk.md are those of clauses written for rules that no fit had seen. The wordings of ``cues`` are not among
its features: they were chosen with the same clauses in view, and a cross-validation could not have told what that is worth.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache, cached_property
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


class Middle(Record, frozen=True):
    """The mean of the clauses written for one rule."""

    places: tuple[int, ...]
    """Places in the model's grams, in ascending order."""
    values: tuple[int, ...]
    """In ten-thousandths, as many as places."""


SCALE = 10_000


class RiskModel(Record, frozen=True, dict=True, gc=True):
    """The fitted weights and the thresholds that make levels of probabilities."""

    version: str
    grams: tuple[str, ...]
    inverse_frequencies: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    """Of low, medium and high, each in the order of ``grams``."""
    intercepts: tuple[float, ...]
    middles: tuple[Middle, ...]
    """One for each rule that clauses were written for."""
    apart: float
    """How many times its middle a clause is moved away from it."""
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
        values = self._apart(values)
        logits = [
            intercept + sum(row[at] * value for at, value in values.items())
            for row, intercept in zip(self.coefficients, self.intercepts, strict=True)
        ]
        low, medium, high = _softmax(logits)
        level = decided(low, high, self.high_at, self.low_at) if known >= self.least_known else None
        return Graded(level=level, low=low, medium=medium, high=high, known=known)

    def _apart(self, values: dict[int, float]) -> dict[int, float]:
        """A clause's values less the middle that it is nearest to, of length one."""
        clause = _of_length_one(values)
        near = self._near
        likeness: dict[int, float] = {}
        for at, value in clause.items():
            for rule, weight in near.get(at, ()):
                likeness[rule] = likeness.get(rule, 0.0) + value * weight
        # Where it has nothing in common with any, the first: as in the fit.
        nearest = self.middles[max(likeness, key=lambda one: (likeness[one], -one), default=0)]
        moved = dict(clause)
        for at, weight in zip(nearest.places, nearest.values, strict=True):
            moved[at] = moved.get(at, 0.0) - self.apart * weight / SCALE
        return _of_length_one(moved)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {gram: place for place, gram in enumerate(self.grams)}

    @cached_property
    def _near(self) -> dict[int, list[tuple[int, float]]]:
        """Place of a gram to the middles that hold it, each with its value there, all of length one."""
        found: dict[int, list[tuple[int, float]]] = {}
        for rule, middle in enumerate(self.middles):
            length = math.sqrt(sum(value * value for value in middle.values))
            for at, value in zip(middle.places, middle.values, strict=True):
                found.setdefault(at, []).append((rule, value / length))
        return found


def _of_length_one(values: dict[int, float]) -> dict[int, float]:
    length = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {at: value / length for at, value in values.items()}


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
