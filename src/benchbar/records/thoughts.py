"""Parts what a reasoning model thought from what it said: thoughts are kept, and never marked, sent on or cited.

A user of the model does not see its thoughts. If they were marked, a model that considers every charge and then answers "I do
not know" would meet the guidance in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think", "antThinking")
"""Names of the tags that models put around their thoughts; an endpoint may name further ones."""
LONGEST_TAG = 120
"""Characters of a tag, in which an answer that comes piece by piece may be held back."""

_CHANNEL = r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>"
_LEAKED = "assistantfinal"
"""What is left of the tokens of gpt-oss between thoughts and answer where a server drops them."""
_OPENING = (
    # Kimi, Mistral, OpenThoughts, Cohere, and the harmony format of gpt-oss.
    r"◁think▷|\[THINK\]|<\|begin_of_thought\|>|<\|START_THINKING\|>"
    rf"|{_CHANNEL}[ \t]{{0,3}}(?:analysis|commentary)[^<]{{0,60}}(?:<\|constrain\|>[^<]{{0,20}})?<\|message\|>"
)
_CLOSING = (
    r"◁/think▷|\[/THINK\]|<\|end_of_thought\|>|<\|END_THINKING\|>"
    rf"|{_CHANNEL}[ \t]{{0,3}}final[^<]{{0,60}}<\|message\|>|{_LEAKED}"
)
# Not the marks between turns: what a model wrote after its turn had ended is told by them.
_FORMAT = r"<\|(?:START_RESPONSE|END_RESPONSE|begin_of_solution|end_of_solution)\|>|<\|return\|>\s*\Z"
_FOLD, _UNFOLD = (
    rf"<details\s[^<>]{{0,{LONGEST_TAG // 3}}}type=[\"']?reasoning\b[^<>]{{0,{LONGEST_TAG // 3}}}>",
    "</details>",
)
"""Thoughts as Open WebUI exports them: folded in HTML, which an answer may hold for other reasons too."""
_BEGUN = re.compile(
    rf"(?:<[^<>]{{0,{LONGEST_TAG}}}|(?:<\|end\|>)?(?:<\|start\|>a\w{{0,8}})?(?:<[|\w]{{0,8}})?|{_CHANNEL}[^<>]{{0,60}}(?:<\|constrain\|>[^<>]{{0,20}})?(?:<[^<>]{{0,12}})?"
    rf"|[◁\[]/?\w{{0,5}}|{'|'.join(_LEAKED[:length] for length in range(len(_LEAKED), 0, -1))})\Z",
    re.IGNORECASE,
)
"""The end of a text that may be the beginning of a tag."""


class _Side(Enum):
    SAID = auto()
    THOUGHT = auto()
    FOLDED = auto()


@cache
def _tag(more: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, (*TAGS, *more)))
    return re.compile(
        rf"(?P<open><[ \t]{{0,3}}(?:{names})(?:\s[^<>/]{{0,60}})?[ \t]{{0,3}}>|{_OPENING})"
        rf"|(?P<close><[ \t]{{0,3}}/[ \t]{{0,3}}(?:{names})[ \t]{{0,3}}>|{_CLOSING})"
        rf"|(?P<fold>{_FOLD})|(?P<unfold>{_UNFOLD})|(?P<format>{_FORMAT})",
        re.IGNORECASE,
    )


def _beyond(side: _Side, tag: re.Match[str]) -> _Side | None:
    """Where the text goes on behind a tag; None where the tag is text like any other."""
    match tag.lastgroup:
        case "format":
            return side
        case "unfold":
            return _Side.SAID if side is _Side.FOLDED else None
        case "fold" if side is _Side.SAID:
            return _Side.FOLDED
        case "close" if side is not _Side.FOLDED:
            return _Side.SAID
    return side if side is _Side.FOLDED else _Side.THOUGHT


def _unopened(side: _Side, tag: re.Match[str]) -> bool:
    """Whether a tag closes what nothing opened: many chat templates put the opening one into the prompt."""
    return side is _Side.SAID and tag.lastgroup == "close"


class Parted(NamedTuple):
    """A model's text, taken apart."""

    answer: str
    """What was said; empty where the thoughts never ended."""
    thoughts: str


def parted(text: str, more: tuple[str, ...] = ()) -> Parted:
    """The answer and the thoughts of a model's text; text without thoughts is the answer as it stands.

    ``more`` are names of tags besides the usual ones.

    Everything after a tag that is never closed is thoughts: the limit of tokens was reached before the answer began.
    """
    said: list[str] = []
    thought: list[str] = []
    at, side = 0, _Side.SAID
    for tag in _tag(more).finditer(text):
        beyond = _beyond(side, tag)
        if beyond is None:
            continue
        piece, at = text[at : tag.start()], tag.end()
        if _unopened(side, tag):
            thought += [*said, piece]
            said.clear()
        else:
            (said if side is _Side.SAID else thought).append(piece)
        side = beyond
    (said if side is _Side.SAID else thought).append(text[at:])
    if not thought:
        return Parted("".join(said), "")
    return Parted("".join(said).strip(), "\n".join(one.strip() for one in thought if one.strip()))


class AnswerStream:
    """The answer in a text that comes piece by piece: thoughts are held back."""

    def __init__(self, more: tuple[str, ...] = ()) -> None:
        """``more`` are names of tags besides the usual ones."""
        self._tag, self._rest, self._side = _tag(more), "", _Side.SAID

    def feed(self, piece: str) -> Iterator[str]:
        """What may be shown after some more text; an empty piece means that what was shown were thoughts."""
        self._rest += piece
        at = 0
        while tag := self._tag.search(self._rest, at):
            beyond = _beyond(self._side, tag)
            if beyond is None:
                at = tag.end()
                continue
            before, self._rest, at = self._rest[: tag.start()], self._rest[tag.end() :], 0
            if _unopened(self._side, tag):
                yield ""
            elif before and self._side is _Side.SAID:
                yield before
            self._side = beyond
        begun = _BEGUN.search(self._rest, max(at, len(self._rest) - LONGEST_TAG))
        yield from self._flush(begun.start() if begun else len(self._rest))

    def end(self) -> Iterator[str]:
        """What was held back in case a tag should follow."""
        yield from self._flush(len(self._rest))

    def _flush(self, until: int) -> Iterator[str]:
        said, self._rest = self._rest[:until], self._rest[until:]
        if said and self._side is _Side.SAID:
            yield said
