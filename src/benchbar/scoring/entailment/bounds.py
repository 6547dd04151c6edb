"""From which score a model's verdicts on claims are right often enough: measured on claims that people have marked."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchbar.languages.packs import pack
from benchbar.records import ClaimVerdict, Record, decode
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.records.precision import LEAST, Precision, precise_group
from benchbar.statistics.proportions import proportion

FOLDS = 5
AIM = 0.97
"""Precision that a bound has to keep on the claims it is fitted on: more than ``LEAST``, since the best bound is chosen among many."""
FEWEST = 10
"""Verdicts above a bound that it is fitted on."""


class Marked(NamedTuple):
    """A claim that people have marked, and what the model says of it."""

    group: str
    """Claims on one article are of one group: they are in one fold."""
    language: str
    wanted: ClaimVerdict
    said: ClaimVerdict
    score: float


class Bound(Record, frozen=True):
    """The score from which one verdict is given in one language."""

    least: float
    """Fitted on all marked claims."""
    precision: Precision
    """Of claims by bounds that were fitted without them."""


class Bounds(Record, frozen=True):
    """Of one model."""

    model: str
    claims: int
    """That people had marked."""
    rows: dict[str, Bound]
    """Such as ``contradicts en``."""
    together: dict[str, Precision]
    """Verdict to its precision in all languages."""

    def given(self, verdict: ClaimVerdict, language: str, score: float) -> Bound | None:
        """The bound that lets a verdict of this score be given; None where it is not to be.

        One comparison decides for a verdict in all languages; in the language itself the share has to be there nonetheless.
        """
        root = pack(language).root
        own = self.rows.get(f"{verdict} {root}")
        if own is None or score < own.least:
            return None
        groups = {root: own.precision, "all": self.together.get(verdict.value)}
        return own if precise_group([own.precision], groups) else None


def read_bounds(path: Path, model: str) -> Bounds:
    """The bounds of a model.

    Raises:
        BadInputError: the file is none of bounds, or of another model.
    """
    found = decode(read_bounded(path), Bounds, file=path)
    if found.model != model:
        raise BadInputError(f"these bounds are of {found.model}, not of {model}; measure this model", file=path)
    return found


def fitted(model: str, marked: Sequence[Marked]) -> Bounds:
    """Bounds from which each verdict keeps ``AIM``, with the precision of those that were fitted without each fold."""
    rows: dict[str, Bound] = {}
    together: dict[str, Precision] = {}
    for verdict in (ClaimVerdict.SUPPORTS, ClaimVerdict.CONTRADICTS, ClaimVerdict.SILENT):
        every: list[bool] = []
        for language in sorted({one.language for one in marked}):
            own = [one for one in marked if one.language == language]
            right = [*_without_own_fold(own, verdict)]
            every += right
            if right and (least := _least(own, verdict)) is not None:
                rows[f"{verdict} {language}"] = Bound(least=least, precision=_precision(right, len(own)))
        if every:
            together[verdict.value] = _precision(every, len(marked))
    return Bounds(model=model, claims=len(marked), rows=rows, together=together)


def _precision(right: Sequence[bool], pairs: int) -> Precision:
    interval = proportion(sum(right), len(right), unit="claim")
    low, high = round(interval.low or 0.0, 4), round(interval.high or 0.0, 4)
    return Precision(pairs=pairs, said=len(right), right=sum(right), low=low, high=high)


def _without_own_fold(marked: Sequence[Marked], verdict: ClaimVerdict) -> Iterable[bool]:
    """Whether each verdict was right that a bound gives which was fitted on the other folds."""
    for fold in range(FOLDS):
        least = _least([one for one in marked if _fold(one) != fold], verdict)
        if least is not None:
            given = (one for one in marked if _fold(one) == fold and one.said is verdict and one.score >= least)
            yield from (one.wanted is verdict for one in given)


def _fold(one: Marked) -> int:
    return zlib.crc32(one.group.encode()) % FOLDS


def _least(marked: Iterable[Marked], verdict: ClaimVerdict) -> float | None:
    """The lowest score from which enough verdicts are right; None where there is none."""
    said = sorted((one for one in marked if one.said is verdict), key=lambda one: -one.score)
    least, right = None, 0
    for place, one in enumerate(said, 1):
        right += one.wanted is verdict
        # Equal scores are one bound.
        last = place == len(said) or said[place].score < one.score
        if last and place >= FEWEST and right >= AIM * place:
            least = one.score
    return least


def told(bounds: Bounds, name: str) -> str:
    """Whether the verdict of a row is given, and from where; if not, why."""
    verdict, _, language = name.partition(" ")
    own = bounds.rows[name]
    if bounds.given(ClaimVerdict(verdict), language, 1.0):
        return f"given from a score of {own.least:.3f}"
    return f"not given: its precision, or the interval's lower end, is below {LEAST}"
