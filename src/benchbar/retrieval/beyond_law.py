"""Whether a question asks for what no article states: a local figure, a person, a price, a forecast, one's own paper, the law of elsewhere.

No passage tells this: a question about the minimum wage of one city is of the same matter as the article that leaves the figure to that
city, and every score of it is high. The wording does. The rules of a language (``beyond_law/*.toml``) say what a sentence has to say, and what
the question must not, such as whether something is lawful. Each decides alone; what only leans so is told by all words together (``retrieval.asked_for``).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from benchbar.languages.packs import pack, wording
from benchbar.languages.text import folded

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

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
    rules: list[_Written]
    words: dict[str, str] = {}


def asks_beyond_law(question: str) -> bool:
    """Whether a question asks for what no article states; how often it is wrong: docs/results-retrieval.md."""
    return bool(rule_beyond_law(question))


def rule_beyond_law(question: str) -> str:
    """The name of the first rule of any language that decides so alone; empty for none."""
    text = folded(question).strip()
    sentences = [one.strip() for one in _SENTENCE.findall(text)]
    rules = (rule for language in _languages() for rule in rules_of(language))
    met = (one for one in rules if any(map(one.asks.search, sentences)) and not one.denied.search(text))
    return next((rule.name for rule in met), "")


def _folder() -> Traversable:
    return resources.files("benchbar.retrieval") / "beyond_law"


@cache
def _languages() -> tuple[str, ...]:
    """Those with a table, all of which judge a question: a corpus is asked in other languages too."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in _folder().iterdir()))


@cache
def rules_of(language: str) -> tuple[BeyondRule, ...]:
    """The rules of a language with its lists of words in their places; none where it has no table."""
    file = _folder() / f"{language}.toml"
    if not file.is_file():
        return ()
    written = msgspec.toml.decode(file.read_bytes(), type=_File)
    words = {"country": pack(language).labels("patterns").texts["question.country"], **written.words}

    def whole(text: str) -> re.Pattern[str]:
        while _NAME.search(text):
            text = _NAME.sub(lambda found: words[found[1]], text)
        return wording(text)

    return tuple(BeyondRule(one.name, whole(one.asks), whole(one.denied)) for one in written.rules)
