"""Terms and quotations: wording that the assistant uses as its own, or denies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache

from benchbar.languages.numerals import ZH_CHARACTERS, parse_number
from benchbar.languages.packs import pack
from benchbar.languages.text import comparable, folded
from benchbar.languages.words import EN_NUMBER_WORDS, RU_NUMBER_WORDS
from benchbar.records import GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers
from benchbar.scoring.points.claims import Claim, settle, standing

MAX_QUOTED = 200_000
_ABOUT = 0.35
"""Share of a passage's words, or pairs of characters, below which a reply is about something else."""
_LONGER = 2
"""Times the passage's length that a reply has to have: a short one may say the same in other words."""
_DENIALS = ("un", "in", "dis", "non", "il", "im", "ir", "not", "не", "без", "不", "无", "非", "未")
_ENDING = 3
"""Letters that an ending may have: обогащени|е, обогащени|ем."""


def match_term(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where one of the wordings is affirmed, not met where it is denied.

    A wording that is not there decides nothing, whatever the guidance lists: of the labelled answers without one, one in three
    said it in other words.
    """
    wordings = (point.text, *point.alternatives)
    claims = standing(
        answers,
        lambda answer: (Claim(answer, *place, 1.0) for wording in wordings for place in _places(wording, answer)),
    )
    verdict = settle(claims, exclusive=False)
    # "Disproportionate" among the wordings of "proportionate" asks for the test: to deny the one is to say the other.
    if verdict.value == 0.0 and _opposites(wordings):
        return Verdict(value=None, evidence=verdict.evidence, reason="one wording is the opposite of another")
    return verdict


def _opposites(wordings: tuple[str, ...]) -> bool:
    plain = [comparable(wording).text for wording in wordings]
    return any(
        one != other and one.endswith(other) and one.startswith(_DENIALS) for one in plain for other in plain if other
    )


def match_quote(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the passage stands word for word, not met where only its numbers were changed; the rest is a judge's.

    Punctuation, and whether a number is in figures or in words, do not matter. A passage that is almost the wanted one is left:
    視为放弃 for 視为接受 is one word in forty, and the opposite.
    """
    wanted = _numbered(point.text, answers.language)
    if not wanted.text:
        return Verdict(value=None, reason="nothing to compare")
    claims = standing(answers, lambda answer: _passages(wanted, answer))
    said = sum(len(answer.content) for answer in answers.all)
    if claims == [] and said > _LONGER * len(point.text) and _shared(point.text, answers) < _ABOUT:
        return Verdict(value=0.0, reason="the passage is not there, nor its words")
    return settle(claims, exclusive=True)


def _shared(wanted: str, answers: Answers) -> float:
    """The share of a passage's longer words, or pairs of Chinese characters, that stand anywhere in the replies."""
    spaces = pack(answers.language).about.spaces
    given = {part for answer in answers.all for part in _parts(answer.content, spaces=spaces)}
    parts = _parts(wanted, spaces=spaces)
    return len(parts & given) / len(parts) if parts else 1.0


def _parts(text: str, *, spaces: bool) -> set[str]:
    if spaces:
        return {word[:5] for word in re.findall(r"\w{4,}", text.casefold())}
    letters = comparable(text).text
    return {letters[at : at + 2] for at in range(len(letters) - 1)}


def _passages(wanted: _Numbered, answer: Answer) -> Iterator[Claim]:
    given = _numbered(answer.content[:MAX_QUOTED], answer.language)
    at = given.text.find(wanted.text)
    while at >= 0:
        first = given.text.count(_FIGURE, 0, at)
        same = given.numbers[first : first + len(wanted.numbers)] == wanted.numbers
        start, end = given.place(at), given.place(at + len(wanted.text) - 1) + 1
        yield Claim(answer, start, end, float(same), verbatim=True)
        at = given.text.find(wanted.text, at + 1)


_FIGURE = "#"


class _Numbered:
    """A text's letters with a sign for each number, its numbers, and where in the text each character stood."""

    def __init__(self, pieces: list[tuple[int, list[str]]], numbers: tuple[float, ...]) -> None:
        """``pieces`` are the forms of the characters from a place of the text on."""
        self.text = "".join(["".join(forms) for _, forms in pieces])
        self.numbers = numbers
        self._pieces = pieces

    def place(self, at: int) -> int:
        """The place in the text that a character came from."""
        return self._starts[at]

    @cached_property
    def _starts(self) -> list[int]:
        # Not made with the text: most replies do not have the passage.
        return [at for start, forms in self._pieces for at, form in enumerate(forms, start) for _ in form]


# Of a reply that several points of its sample ask about.
@lru_cache(maxsize=16)
def _numbered(text: str, language: str) -> _Numbered:
    plain = folded(text)
    form = _numbers_spaced() if pack(language).about.spaces else _numbers_zh()
    pieces: list[tuple[int, list[str]]] = []
    numbers: list[float] = []
    at = 0
    for match in form.finditer(plain):
        value = parse_number(next(filter(None, match.groups())).strip(" ,"))
        if value is None:
            continue
        pieces.append((at, [_LETTERS[one] for one in plain[at : match.start()]]))
        pieces.append((match.start(), [_FIGURE]))
        numbers.append(float(value))
        at = match.end()
    pieces.append((at, [_LETTERS[one] for one in plain[at:]]))
    return _Numbered(pieces, tuple(numbers))


class _Letters(dict[str, str]):
    """The compared form of each character that was met so far; nothing of what is no letter."""

    def __missing__(self, one: str) -> str:
        # One by one, as numbers stand among them.
        found = comparable(one).text.replace("ё", "е") if one.isalnum() else ""
        # A hostile text has every character there is; what people write has a tenth of these.
        if len(self) < _MOST_LETTERS:
            self[one] = found
        return found


_MOST_LETTERS = 1 << 14
_LETTERS = _Letters()


# Compiled at first use: a run speaks one language, and the other's words take 4 ms.
@cache
def _numbers_zh() -> re.Pattern[str]:
    return re.compile(
        rf"百分之([{ZH_CHARACTERS}\d点.]{{1,12}})|([0-9０-９][0-9０-９,，]{{0,15}}(?:[.．][0-9０-９]{{1,6}})?)[%％]?|([{ZH_CHARACTERS}]{{1,16}})"
    )


@cache
def _numbers_spaced() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.,])(\d[\d,]{{0,15}}(?:\.\d{{1,6}})?)|\b((?:{'|'.join((*RU_NUMBER_WORDS, *EN_NUMBER_WORDS))})(?:[\s-](?:{'|'.join((*RU_NUMBER_WORDS, *EN_NUMBER_WORDS))})){{0,6}})\b",
        re.IGNORECASE,
    )


def _places(wording: str, answer: Answer) -> Iterator[tuple[int, int]]:
    """Where a wording stands in a reply, in offsets of the reply; width, case, spaces, punctuation and endings do not matter."""
    if pack(answer.language).about.spaces:
        for match in _inflected(wording).finditer(answer.content):
            yield match.span()
        return
    wanted, text = comparable(wording).text, answer.plain.text
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield answer.place(at, at + len(wanted))
        at = text.find(wanted, at + 1)


@lru_cache(maxsize=1024)
def _inflected(wording: str) -> re.Pattern[str]:
    """The words of a wording in any inflection, in their order."""
    words = re.findall(r"\w+", wording)
    return re.compile(r"(?<!\w)" + r"\W{1,3}".join(map(_stem, words)) + r"(?!\w)", re.IGNORECASE)


def _stem(word: str) -> str:
    if word.isdigit() or len(word) <= _ENDING:
        return re.escape(word)
    # Russian endings change the last letters, English ones are added.
    stem = word if word.isascii() else word[:-2] if len(word) > _ENDING + 2 else word[:-1]
    return re.escape(stem) + rf"\w{{0,{_ENDING}}}"
