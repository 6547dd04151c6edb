"""What the app says, in Chinese, Russian and English, and how each of them writes numbers and days."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files

from benchbar.records import Estimate
from benchbar.records.toml import read_toml
from benchbar.reports.catalogue import LANGUAGES, Labels
from benchbar.reports.catalogue import labels as report_labels
from benchbar.reports.numbers import percent, plain, rate

COOKIE = "benchbar_language"
NAMES = {"en": "English", "zh": "中文", "ru": "Русский"}


class Words(Labels):
    """The texts of all pages and of the report, and local numbers."""

    def date(self, seconds: float) -> str:
        """A moment as people of the language write it, in the server's time."""
        from babel.dates import format_datetime

        return format_datetime(datetime.fromtimestamp(seconds, UTC).astimezone(), "medium", locale=self.language)

    def count(self, number: float) -> str:
        """A number with its groups of digits."""
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self.language)

    def percent(self, value: float | None, places: int = 1) -> str:
        """A share in percent, without the sign; never rounded to 0 or 100 unless it truly is."""
        return self.local(percent(value, places))

    def rate(self, estimate: Estimate, places: int = 1) -> str:
        """``56.8 [48.1, 65.1]`` in percent, or why there is no number."""
        return rate(estimate, places) if estimate.value is None else self.local(rate(estimate, places))

    def plain(self, estimate: Estimate, places: int = 2) -> str:
        """The same in the estimate's own unit."""
        return plain(estimate, places) if estimate.value is None else self.local(plain(estimate, places))

    def cost(self, value: float | None) -> str:
        """A sum in the currency of the user's prices; a dash where no price was given."""
        return "–" if value is None else self.local(f"{value:.4g}")

    def local(self, text: str) -> str:
        """The numbers of a text as the language writes them: Russian has a comma in one, and so a semicolon between two."""
        if self.language != "ru":
            return text
        return re.sub(r"(?<=\d)\.(?=\d)", ",", re.sub(r"(?<=\d), (?=[\d-])", "; ", text))


@lru_cache
def words(language: str) -> Words:
    """The words of ``zh``, ``ru`` or ``en``: one file for each area of the app."""
    texts = dict(report_labels(language).texts)
    for file in sorted((files(__package__) / "words" / language).iterdir(), key=lambda file: file.name):
        sections = read_toml(file, dict[str, dict[str, str]])
        texts |= {f"{name}.{key}": text for name, part in sections.items() for key, text in part.items()}
    return Words(language, texts)


def chosen(cookie: str | None, accept: str | None) -> str:
    """The language that the person chose, else the one that the browser prefers, else English."""
    if cookie in LANGUAGES:
        return cookie
    return next((one for one in _preferred(accept or "") if one in LANGUAGES), "en")


def _preferred(accept: str) -> Iterable[str]:
    """Language codes of an Accept-Language header, the best first."""
    weighed: list[tuple[float, str]] = []
    for part in accept[:500].split(","):
        tag, _, quality = part.partition(";")
        number = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", quality)
        weighed.append((float(number[1]) if number else 1.0, tag.strip().partition("-")[0].lower()))
    return [tag for _, tag in sorted(weighed, key=lambda item: -item[0])]
