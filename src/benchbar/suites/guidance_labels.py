"""Finds in an expert's guidance the labels of its categories, whatever they are called, and never guesses one.

A label read wrongly turns a mark into its opposite: "Must not mention: X" taken for a point of ground truth rewards the
assistant that says X. So a phrase before a colon is a label only if all of it is known: a label, or a beginning ("must not")
and a verb ("mention"), in the packs of the languages. A phrase with a label's words that is none is reported instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from benchbar.languages.numerals import parse_number
from benchbar.languages.packs import known, labels, pack
from benchbar.languages.text import folded
from benchbar.records import Category

_ITEM = r"(?:\(?\d{1,2}[.)、．）]|[（(][一二三四五六七八九十\d]{1,3}[）)]|[①-⑳]|[-•·–—*>#|✓✗✅❌]+)"
_HEAD = re.compile(
    rf"(?:^|(?<=[\n.。;；!?！？|]))(?P<marks>\s*(?:{_ITEM}\s*){{0,3}}[\s*_【\[「“\"]*)"
    r"(?P<phrase>[^\W\d_][^\n:：.。;；!?！？|]{0,60})[*_】\]」”\"]*\s{0,3}[:：][*_]{0,2}"
)
"""A phrase with a colon at the beginning of a line, an item or a sentence."""
_ANYWHERE = re.compile(
    # 不应当提及 must not be read as 应当提及: what follows would count for an answer that says it.
    r"(?<![不非无無勿别未没必])(?:答案参考|参考答案|标准答案|(?:必须|至少|应该|应当|建议|鼓励|禁止|不得)提及)"
    r"(?:以下|下列|的|内容|要点|事项|如下|其中|任意|任何|任一|各|[\d一二两三四五六七八九十]{1,3}|[个点项条]|[（()）\s]){0,12}[:：]"
)
"""The labels of UCL-Bench, whose authors also write them in the middle of a line."""
_NUMBER = re.compile(r"\d+|[一二两三四五六七八九十]+|[a-zа-яё]+")
_ASIDE = re.compile(r"[（(][^（()）]{0,30}[）)]")
_SENTENCE = re.compile(r"(?:it|this|that|he|she|they|there|these|those|он|она|оно|они|это|эти)\b|[它其该此这]")
"""How a sentence about the matter begins ("It must be in writing: section 2"), and no label does."""
_MOST_SIGNED = 6
"""Words of a phrase (of Chinese: pairs of characters) up to which a label's word in it makes it look like a label."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label in a guidance text."""

    start: int
    """Where the part before it ends, in characters."""
    end: int
    """Where what it labels begins."""
    phrase: str
    category: Category | None
    """None where the phrase looks like a label and is none that is known."""
    enough: int | None = None
    """How many of the items suffice; None for all."""


def labels_in(text: str) -> list[Label]:
    """The labels of a guidance text, in order, unknown ones included."""
    plain = folded(text)
    found = {}
    for match in _HEAD.finditer(plain):
        phrase = text[match.start("phrase") : match.end("phrase")].strip(' *_】]」”"')
        if label := _read(match.start(), match.end(), phrase):
            found[match.end()] = label
    # Only these stand in the middle of a line; any phrase with a colon there would make a label of half the texts.
    for match in _ANYWHERE.finditer(plain):
        # The same label at the beginning of a line is read already.
        if match.end() not in found and (label := _read(match.start(), match.end(), match[0][:-1])):
            found[match.end()] = label
    return [found[end] for end in sorted(found)]


def category_of(phrase: str) -> Category | None:
    """The category that a phrase is a label of; None where it is none that is known."""
    return _category(_plain(phrase))


def looks_like_label(phrase: str) -> bool:
    """Whether a phrase has the words of a label, known or not."""
    return _looks_like_label(_plain(phrase))


def _plain(phrase: str) -> str:
    return " ".join(folded(phrase).lower().replace("’", "'").split())


def _read(start: int, end: int, phrase: str) -> Label | None:
    bare = _plain(phrase)
    enough = _enough(bare)
    category = _category(bare)
    # "Limitation period:" opens an item; only what looks like a label and is unknown is told to the author.
    if category is None and not _looks_like_label(bare):
        return None
    return Label(start, end, phrase, category, enough)


def _enough(phrase: str) -> int | None:
    """The number of items that suffice, where the phrase says "at least"."""
    some = next((words for words in _lines("at_least") if words in phrase), None)
    if some is None:
        return None
    numbers = (parse_number(found) for found in _NUMBER.findall(phrase.partition(some)[2]))
    # 至少提及 without a number asks for any one of the items.
    return int(next((number for number in numbers if number), 1))


@lru_cache(maxsize=4096)
def _category(phrase: str) -> Category | None:
    phrase = _ASIDE.sub(" ", phrase).strip()
    if phrase in _labels():
        return _labels()[phrase]
    for root in _roots():
        # Without a word that a category's label begins with, there is none: most suites are in one language.
        if any(opening in phrase for opening in _openings(root)) and (match := _composed(root).fullmatch(phrase)):
            return Category(next(name for name, text in match.groupdict().items() if text))
    return None


def _looks_like_label(phrase: str) -> bool:
    """Whether a phrase before a colon says how what follows is to be counted, and not what it is about."""
    words = len(phrase.split()) if " " in phrase or phrase.isascii() else (len(phrase) + 1) // 2
    return words <= _MOST_SIGNED and not _SENTENCE.match(phrase) and bool(_signs().search(phrase))


@cache
def _labels() -> dict[str, Category]:
    """What authors of guidance call the categories, in any language."""
    return {label: category for category in Category for label in _lines(str(category))}


@cache
def _roots() -> tuple[str, ...]:
    """The languages; a variant writes its labels with words of its root."""
    return tuple(dict.fromkeys(pack(tag).root for tag in known()))


@cache
def _openings(root: str) -> tuple[str, ...]:
    """What every composed label of a language holds one of."""
    return tuple(
        line
        for category in Category
        if category is not Category.GROUND_TRUTH
        for key in (str(category), f"{category}_heads")
        for line in _lines(key, root)
    )


@cache
def _composed(root: str) -> re.Pattern[str]:
    """A subject, a category's label or beginning, "at least" with a number, a verb, and what adds nothing."""
    filler, subjects, verbs = (_any(key, root) for key in ("filler", "subjects", "verbs"))
    number = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3}|one|two|three|four|five|од\w+|дв\w+|тр\w+|четыр\w+|пят\w+)"
    some = rf"(?:(?:{_any('at_least', root)})\s?{number}?)"
    after = rf"(?:\s?(?:{some}|{number}|{filler}))*"
    ways = [
        rf"(?P<{category}>(?:{_any(str(category), root)})|(?:{_any(f'{category}_heads', root)})(?:\s?{some})?(?:\s?(?:{verbs}))?)"
        for category in Category
        # Its labels are whole phrases ("reference answer") and are not composed of a subject and a verb.
        if category is not Category.GROUND_TRUTH
    ]
    return re.compile(rf"(?:(?:{subjects})\s?)?(?:{'|'.join(ways)}){after}")


@cache
def _signs() -> re.Pattern[str]:
    parts = [rf"\b{re.escape(sign)}" if sign.isascii() else re.escape(sign) for sign in _lines("signs")]
    return re.compile("|".join(parts))


def _any(key: str, root: str) -> str:
    # The longest first: alternatives are tried in order, and "must" would win over "must not".
    return "|".join(sorted(map(re.escape, _lines(key, root)), key=len, reverse=True))


def _lines(key: str, root: str = "") -> list[str]:
    """What the packs of all languages, or of one with its variants, have under a key of their guidance, as it is compared."""
    packs = [tag for tag in known() if root in {"", pack(tag).root}]
    texts = (labels(tag, "words").texts[f"guidance.{key}"] for tag in packs)
    return [folded(line).lower() for lines in texts for line in lines.splitlines() if line]
