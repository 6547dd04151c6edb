"""Whether a question asks for what no article states: a local figure, a person, a price, a forecast, one's own paper, the law of elsewhere.

No passage tells this: a question about the minimum wage of one city is of the same matter as the article that leaves the figure to that
city, and every score of it is high. The wording does. It is judged by the patterns of all languages (``question.beyond_law``) and by the
rules of a language (``beyond/*.toml``): what a sentence has to say, and what it must not say, such as whether something is lawful.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from benchbar.languages.packs import pack, pattern_of_any, wording
from benchbar.languages.text import folded

_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]*")
_NAME = re.compile(r"<(\w+)>")
_NEVER = "(?!)"


class BeyondRule(NamedTuple):
    """A wording that shows a question to be one that no law answers."""

    name: str
    asks: re.Pattern[str]
    denied: re.Pattern[str]
    """What makes it a question of law all the same, anywhere in it."""


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    asks: str
    denied: str = msgspec.field(default=_NEVER, name="not")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    words: dict[str, str]
    rules: list[_Written]


def asks_beyond_law(question: str) -> bool:
    """Whether a question asks for what no article states; how often it is wrong: docs/results-retrieval.md."""
    return pattern_of_any("question.beyond_law").search(question) is not None or bool(rule_beyond_law(question))


def rule_beyond_law(question: str) -> str:
    """The name of the first rule that a question meets; empty for none."""
    text = folded(question).strip()
    sentences = [one.strip() for one in _SENTENCE.findall(text)]
    return next(
        (
            rule.name
            for language in _LANGUAGES
            for rule in rules_of(language)
            if any(map(rule.asks.search, sentences)) and not rule.denied.search(text)
        ),
        "",
    )


_LANGUAGES = ("zh",)
"""Those with a table of rules."""


@cache
def rules_of(language: str) -> tuple[BeyondRule, ...]:
    """The rules of a language with its lists of words in their places; none where it has no table."""
    file = resources.files("benchbar.retrieval") / "beyond" / f"{language}.toml"
    if not file.is_file():
        return ()
    written = msgspec.toml.decode(file.read_bytes(), type=_File)
    words = {"country": pack(language).labels("patterns").texts["question.country"], **written.words}

    def whole(text: str) -> str:
        return _NAME.sub(lambda found: whole(words[found[1]]), text)

    return tuple(BeyondRule(one.name, wording(whole(one.asks)), wording(whole(one.denied))) for one in written.rules)
