"""What a person did wrong, or cannot have, in the language of the reader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby

from benchbar.languages.packs import FALLBACK, Labels, labels
from benchbar.languages.recognition import openings, parts_in

LONGEST = 2000
"""Characters of a line of a message that is looked for: what is longer holds a text of somebody else's."""
_MOST_PLACES = 3
"""File with line, field, and a row before the fault itself: ``questions.csv:3: field `day`: …``."""
_ENGLISH = re.compile(r"\b[A-Za-z][a-z']+(?: [a-z][a-z']*){3,}")
_CODE = re.compile(r"`[^`]*`|“[^”]*”|«[^»]*»|「[^」]*」")
_SHOWN_LINE = re.compile(r"\s*(?:\d+ )?\| ")
"""A line of a file that a message quotes, with its number, or the caret below it."""
_SPOKEN = frozenset({"what", "why", "how", "cause", "found", "expected", "role", "hint", "first", "body"})
"""Fields whose words are the program's own; what stands in all others is somebody's, and stays as it is."""
_ONE_OF, _ALL_OF = frozenset({"either", "meant"}), "both"
_MORE = re.compile(r"(?P<names>.+) and (?P<count>\d+) more")
_MEANT = re.compile(r" \(did you mean (?P<meant>[^()]{1,400})\?\)")


def error_in(message: str, language: str) -> str | None:
    """The message in a language, with the places that it names before the fault; None where no pack knows it.

    Code raises its errors in English, in hundreds of places that know no reader: their words are what a translation is found by,
    as with reasons. A test reads every message out of the source and holds that it is found.
    """
    if language == FALLBACK:
        return message
    told = [line if _SHOWN_LINE.match(line) else _line_in(line.strip(), language) for line in message.split("\n")]
    return None if None in told else "\n".join(line for line in told if line is not None)


def kind_in(slug: str, language: str) -> str:
    """What kind of error a slug stands for, in a few words; the slug itself where no pack has words for it.

    A role may stand before it, as in ``judge: rate-limit``; one that is called as the error is, is said once.
    """
    *roles, kind = dict.fromkeys(slug.split(": "))
    return _behind([_place(role, language) for role in roles], _place(kind, language), language)


def told_in(message: str, language: str) -> str:
    """The message in a language; where no pack knows it, with its places in the language. A place that is said twice is said once."""
    once = ": ".join(one for one, _ in groupby(message.split(": ")))
    return error_in(once, language) or placed_in(once, language)


def placed_in(text: str, language: str) -> str:
    """What nobody knows, with its places in the language."""
    *places, rest = text.split(": ")
    if not places:
        return _place(rest, language)
    return _behind([_place(one, language) for one in places], rest, language)


def foreign(message: str, language: str) -> bool:
    """Whether a message is an English sentence between words of another language; names, code and quotations are none."""
    return language != FALLBACK and _ENGLISH.search(_CODE.sub(" ", message)) is not None


def _line_in(line: str, language: str) -> str | None:
    if len(line) > LONGEST:
        return None
    parts = line.split(": ")
    for places in range(min(len(parts), _MOST_PLACES + 1)):
        if (said := _said("error", ": ".join(parts[places:]), language)) is not None:
            return _behind([_place(part, language) for part in parts[:places]], said, language)
    return None


def _behind(places: Iterable[str], said: str, language: str) -> str:
    """What is said, behind the places that it is said of, with the language's own colon."""
    say = labels(language, "report")
    for place in reversed([*places]):
        said = say("gate_reason.condition", check=place, why=said)
    return said


def _place(part: str, language: str) -> str:
    """A field, a role, or several: ``judge, assistant base``; a file, and the name of anything else, as it is."""
    whole = _said("place", part, language)
    return whole or ", ".join(_said("place", one, language) or one for one in part.split(", "))


def _said(section: str, text: str, language: str) -> str | None:
    say = labels(language, "errors")
    for key, opening in _most_particular_first(section):
        # A text that begins with a number would take the file before it for a part of that number.
        if (
            text.startswith(opening)
            and (given := parts_in(text, "errors", key)) is not None
            and ": " not in given.get("count", "")
        ):
            return say(key, **{name: _field(name, value, say) for name, value in given.items()})
    return None


def _field(name: str, value: str, say: Labels) -> str:
    if name in _SPOKEN:
        # msgspec names kinds of values between backticks.
        kind = " or ".join(value.replace("`", "").split(" | "))
        return error_in(value, say.language) or _said("value", kind, say.language) or placed_in(value, say.language)
    if name in _ONE_OF:
        return say("list.or").join(value.split(" or "))
    if name == _ALL_OF:
        return say("list.and").join(value.split(" and "))
    value = _MEANT.sub(lambda found: say("meant.near", meant=say("list.or").join(found["meant"].split(" or "))), value)
    return _MORE.sub(lambda found: say("list.more", **found.groupdict()), value)


@cache
def _most_particular_first(section: str) -> tuple[tuple[str, str], ...]:
    """A text with more words of its own is the better one of two that fit: “not a readable XLSX: …” fits many.

    Before all others come those that wrap another message, as “…; the row is skipped” does: a field would swallow their words.
    """
    texts = labels(FALLBACK, "errors").texts
    begins = openings("errors", section)
    own = {key: len(re.sub(r"\{\w+\}", "", texts[key])) for key in begins}
    ordered = sorted(own, key=lambda key: (not texts[key].startswith("{what}"), -own[key]))
    return tuple((key, begins[key]) for key in ordered)
