"""What a person did wrong, or cannot have, in the language of the reader."""

from __future__ import annotations

import re
from functools import cache

from benchbar.languages.packs import FALLBACK, labels
from benchbar.languages.recognition import openings, pattern

LONGEST = 1000
"""Characters of a message that is looked for: what is longer holds a text of somebody else's."""
_MOST_PLACES = 3
"""File with line, field, and a row before the fault itself: ``questions.csv:3: field `day`: …``."""
_FIELD = re.compile(r"field `(?P<field>[^`]{0,200})`")
_ENGLISH = re.compile(r"\b[A-Za-z][a-z']+(?: [a-z][a-z']*){3,}")
_CODE = re.compile(r"`[^`]*`|“[^”]*”|«[^»]*»|「[^」]*」")


def error_in(message: str, language: str) -> str | None:
    """The message in a language, with the places that it names before the fault; None where no pack knows it.

    Code raises its errors in English, in a hundred places that know no reader: their words are what a translation is found by,
    as with reasons. A test makes each error that a page can show and holds that it is found.
    """
    if language == FALLBACK:
        return message
    if len(message) > LONGEST:
        return None
    parts = message.split(": ")
    for places in range(min(len(parts), _MOST_PLACES + 1)):
        if (said := _said(": ".join(parts[places:]), language)) is not None:
            return "".join(f"{_place(part, language)}: " for part in parts[:places]) + said
    return None


def foreign(message: str, language: str) -> bool:
    """Whether a message is an English sentence between words of another language; names, code and quotations are none."""
    return language != FALLBACK and _ENGLISH.search(_CODE.sub(" ", message)) is not None


def _place(part: str, language: str) -> str:
    found = _FIELD.fullmatch(part)
    return labels(language, "errors")("place.field", field=found["field"]) if found else part


def _said(fault: str, language: str) -> str | None:
    for key in _most_particular_first():
        if fault.startswith(openings("errors", "error")[key]) and (
            found := pattern("errors", key, "$").fullmatch(fault)
        ):
            given = found.groupdict()
            if "what" in given:
                given["what"] = error_in(given["what"], language) or given["what"]
            return labels(language, "errors")(key, **given)
    return None


@cache
def _most_particular_first() -> tuple[str, ...]:
    """A text with more words of its own is the better one of two that fit: “not a readable XLSX: …” fits many."""
    texts = labels(FALLBACK, "errors").texts
    own = {key: len(re.sub(r"\{\w+\}", "", texts[key])) for key in openings("errors", "error")}
    return tuple(sorted(own, key=lambda key: -own[key]))
