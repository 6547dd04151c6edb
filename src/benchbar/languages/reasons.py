"""Why a number or its interval is missing, and why a citation has its status, in the language of the reader."""

from __future__ import annotations

from collections.abc import Callable

from benchbar.languages.packs import FALLBACK, labels
from benchbar.languages.recognition import openings, pattern

BETWEEN = "; "
"""What separates two reasons of one estimate or citation in files, which keep them in English."""
_REASONS_THEMSELVES = ("what", "why")
"""Fields that hold a reason: "no law of this name is known: it may mean …"."""


def reason_in(reason: str, language: str, country: Callable[[str], str] = str) -> str:
    """The reason of an estimate or a citation in a language; as it stands where no pack knows it.

    Both keep their reasons in English, in files that are read for years: the English text is what a translation is
    found by, so that old runs are shown in every language too. ``country`` says what a country's code is called there.
    """
    if language == FALLBACK or not reason:
        return reason
    told, place = [], 0
    while place < len(reason):
        text, place = _next(reason, place, language, country)
        told.append(text)
    return labels(language, "report")("gate_reason.between").join(told)


def _next(reason: str, place: int, language: str, country: Callable[[str], str]) -> tuple[str, int]:
    """The text of the reason that begins there, and where the one after it begins."""
    for key, opening in openings("reasons", "reason").items():
        if reason.startswith(opening, place) and (
            found := pattern("reasons", key, f"{BETWEEN}|$").match(reason, place)
        ):
            given = {
                name: reason_in(text, language, country)
                if name in _REASONS_THEMSELVES
                else country(text)
                if name == "country"
                else text
                for name, text in found.groupdict().items()
            }
            return labels(language, "reasons")(key, **given), found.end()
    text, _, _ = reason[place:].partition(BETWEEN)
    return text, place + len(text) + len(BETWEEN)
