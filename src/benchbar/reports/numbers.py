"""Numbers as people read them; none is shown better than it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import UNSET

from benchbar.languages.countries import country_in
from benchbar.languages.decimals import local_numbers
from benchbar.languages.errors import kind_in
from benchbar.languages.packs import FALLBACK, Labels, labels
from benchbar.languages.reasons import reason_in
from benchbar.records import Estimate
from benchbar.records.measures import MeasureDefinition
from benchbar.records.numbers import percent
from benchbar.suites.taxonomy import task_label


def rate(estimate: Estimate, places: int = 1, *, language: str = FALLBACK) -> str:
    """``56.8 [48.1, 65.1]`` in percent, or why there is no number, in a language."""
    return _with_interval(estimate, lambda value: percent(value, places), language)


def _with_interval(estimate: Estimate, shown: Callable[[float], str], language: str) -> str:
    if estimate.value is None:
        return f"– ({reason_in(estimate.reason, language)})"
    if estimate.low is None or estimate.high is None:
        # Without an interval n has to say how little it rests on.
        return f"{shown(estimate.value)} (n={estimate.n})"
    interval = f"[{shown(estimate.low)}, {shown(estimate.high)}]"
    return f"{shown(estimate.value)} {interval}{effective(estimate, language)}"


def rate_if_any(estimate: Estimate) -> str:
    """As :func:`rate`, but a dash where there is no number: for tables whose empty cells need no reason."""
    return "–" if estimate.value is None else rate(estimate)


def plain(estimate: Estimate, places: int = 2, *, language: str = FALLBACK) -> str:
    """``1.84 [1.70, 1.98]`` in its own unit, or why there is no number, in a language."""
    return _with_interval(estimate, lambda value: f"{value:.{places}f}", language)


def effective(estimate: Estimate, language: str = FALLBACK) -> str:
    """What samples that belong together are worth, such as `` (60 samples are worth 26)``; empty where they are worth their number."""
    # Unset and not 1: in results of earlier versions nobody asked which samples belong together.
    if estimate.design_effect is UNSET:
        return ""
    effect = f"{estimate.design_effect:.1f}"
    # As many as there are: the sentence would say nothing, and took the room of the bar beside it.
    if effect == "1.0":
        return ""
    told = labels(language)("number.effective", n=estimate.n, effective=f"{estimate.effective_n:.0f}", effect=effect)
    return f" ({told})"


class LocalLabels(Labels):
    """The texts of a page, and numbers as its language writes them."""

    def head(self, key: str) -> str:
        """A text as the head of a column or the name of a field: packs keep words as they stand within a sentence."""
        text = self(key)
        return text[:1].upper() + text[1:]

    def percent(self, value: float | None, places: int = 1) -> str:
        """A share in percent, without the sign; never rounded to 0 or 100 unless it truly is."""
        return self.local(percent(value, places))

    def rate(self, estimate: Estimate, places: int = 1) -> str:
        """``56.8 [48.1, 65.1]`` in percent, or why there is no number."""
        return self._number(rate(estimate, places, language=self.language), estimate)

    def plain(self, estimate: Estimate, places: int = 2) -> str:
        """The same in the estimate's own unit."""
        return self._number(plain(estimate, places, language=self.language), estimate)

    def listed(self, names: Iterable[str]) -> str:
        """Names one after another, with what the language puts between them."""
        return self("gate_reason.listed").join(names)

    def country(self, name: str) -> str:
        """What an invented country is called; any other as it is."""
        return country_in(name, self.language)

    def task(self, id_: str, name: str) -> str:
        """How a task is listed."""
        return task_label(id_, name)

    def error_kind(self, slug: str) -> str:
        """What kind of error it is, by the word that `benchbar explain` knows it by, in the reader's language."""
        return kind_in(slug, self.language)

    def reason(self, estimate: Estimate) -> str:
        """Why a number is missing, or not to be believed."""
        return reason_in(estimate.reason, self.language)

    def why(self, reason: str) -> str:
        """Why a citation has its status."""
        return reason_in(reason, self.language)

    def _number(self, text: str, estimate: Estimate) -> str:
        # A reason may hold numbers that are names, such as those of tasks.
        return text if estimate.value is None else self.local(text)

    def local(self, text: str) -> str:
        """The numbers of a text as the language writes them: with a comma in one, there is a semicolon between two."""
        return local_numbers(text, self.language)


@lru_cache
def local_labels(language: str) -> LocalLabels:
    """The texts of the report in a language."""
    found = labels(language)
    return LocalLabels(found.language, found.texts)


PLACES = {"seconds": 3, "cost": 6, "characters": 0}
"""Decimals of units that are shown as they are; two of any other."""


def shown(estimate: Estimate, measure: MeasureDefinition, *, language: str = FALLBACK) -> str:
    """Value and interval of a measure: a share in percent, any other in its own unit; or why there is no number."""
    if measure.is_share:
        return rate(estimate, language=language)
    return plain(estimate, PLACES.get(measure.unit, 2), language=language)


def shown_if_any(estimate: Estimate, measure: MeasureDefinition) -> str:
    """As :func:`shown`, but a dash where there is no number: for tables whose empty cells need no reason."""
    return "–" if estimate.value is None else shown(estimate, measure)


def value_text(estimate: Estimate, measure: MeasureDefinition) -> str:
    """The value alone, a dash where there is none."""
    if measure.is_share or estimate.value is None:
        return percent(estimate.value)
    return f"{estimate.value:.{PLACES.get(measure.unit, 2)}f}"
