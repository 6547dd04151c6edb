"""What the app says in the language of the person, and how that language writes numbers and days."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import lru_cache

from benchbar.languages.errors import error_in, foreign
from benchbar.languages.packs import FALLBACK, known, labels, matched, pack
from benchbar.languages.reasons import reason_in
from benchbar.reports.numbers import LocalLabels

COOKIE = "benchbar_language"


class Words(LocalLabels):
    """The texts of all pages and of the report, local numbers and days."""

    @property
    def _locale(self) -> str:
        """Its name at Babel."""
        return self.language.replace("-", "_")

    def date(self, seconds: float) -> str:
        """A moment as people of the language write it, in the server's time."""
        from babel.dates import format_datetime

        # In the server's time zone: the browser's is not known without a script.
        return format_datetime(datetime.fromtimestamp(seconds, UTC).astimezone(), "medium", locale=self._locale)

    def day(self, day: str) -> str:
        """A day, given as YYYY-MM-DD, as people of the language write it in a letter; any other text as it is."""
        from babel.dates import format_date

        try:
            given = date.fromisoformat(day)
        except ValueError:
            # What a suite or a law calls a day may be a year alone.
            return day
        return format_date(given, "long", locale=self._locale)

    def why(self, reason: str) -> str:
        """Why a citation has its status; a country by its name and not by its code."""
        from babel import Locale

        names = Locale.parse(self._locale).territories
        return reason_in(reason, self.language, lambda code: names.get(code, code))

    def count(self, number: float) -> str:
        """A number with its groups of digits."""
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self._locale)

    def error(self, message: str) -> str:
        """What went wrong, in the reader's language; in English, quoted and marked as such, where no pack knows it."""
        told = error_in(message, self.language)
        if told is None and foreign(message, self.language):
            from markupsafe import Markup

            lead = labels(self.language, "errors")("unknown.lead")
            return Markup('{} <q lang="en">{}</q>').format(lead, message)
        # What was said in the reader's language already is no English text, and stays.
        return told or message

    def cost(self, value: float | None) -> str:
        """A sum in the currency of the user's prices; a dash where no price was given."""
        return "–" if value is None else self.local(f"{value:.4g}")


@lru_cache
def words(language: str) -> Words:
    """The words of a language's pack: those of the report and those of the app."""
    return Words(language, labels(language).texts | labels(language, "web").texts)


@lru_cache
def names() -> dict[str, str]:
    """Every language that the app speaks, and its name as its speakers write it."""
    return {tag: pack(tag).about.name for tag in known()}


def chosen(cookie: str | None, accept: str | None) -> str:
    """The language that the person chose, else the one that the browser prefers, else English."""
    if cookie in known():
        return cookie
    return next((found for one in _preferred(accept or "") if (found := matched(one))), FALLBACK)


def _preferred(accept: str) -> Iterable[str]:
    """Language tags of an Accept-Language header, the best first."""
    weighed: list[tuple[float, str]] = []
    # A header of a megabyte of tags would be sorted with each page.
    for part in accept[:500].split(","):
        tag, _, quality = part.partition(";")
        number = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", quality)
        weighed.append((float(number[1]) if number else 1.0, tag.strip()))
    return [tag for _, tag in sorted(weighed, key=lambda item: -item[0])]
