"""Parts what a reasoning model thought from what it said: thoughts are kept, and never marked, sent on or cited.

A user of the model does not see its thoughts. If they were marked, a model that considers every charge and then answers "I do
not know" would meet the guidance in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

TAGS = ("think", "thinking", "thought", "reasoning")
"""Names of the tags that models put around their thoughts; an endpoint may name further ones."""
LONGEST_TAG = 64
"""Characters of a tag, in which an answer that comes piece by piece may be held back."""


@cache
def _tag(more: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(map(re.escape, (*TAGS, *more)))
    return re.compile(rf"<(/?)[ \t]{{0,3}}(?:{names})[ \t]{{0,3}}>", re.IGNORECASE)


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
    at, inside = 0, False
    for tag in _tag(more).finditer(text):
        piece, at = text[at : tag.start()], tag.end()
        closes = bool(tag[1])
        if inside:
            thought.append(piece)
            inside = not closes
        elif closes:
            # Many chat templates put the opening tag into the prompt, so that only the closing one is answered.
            thought += [*said, piece]
            said.clear()
        else:
            said.append(piece)
            inside = True
    (thought if inside else said).append(text[at:])
    if not thought:
        return Parted(text, "")
    return Parted("".join(said).strip(), "\n".join(one.strip() for one in thought if one.strip()))


class AnswerStream:
    """The answer in a text that comes piece by piece: thoughts are held back."""

    def __init__(self, more: tuple[str, ...] = ()) -> None:
        """``more`` are names of tags besides the usual ones."""
        self._tag, self._rest, self._inside = _tag(more), "", False

    def feed(self, piece: str) -> Iterator[str]:
        """What may be shown after some more text; an empty piece means that what was shown were thoughts.

        Many chat templates put the opening tag into the prompt, so that only the closing one tells.
        """
        self._rest += piece
        while tag := self._tag.search(self._rest):
            before, self._rest = self._rest[: tag.start()], self._rest[tag.end() :]
            if self._inside:
                self._inside = not tag[1]
            elif tag[1]:
                yield ""
            else:
                self._inside = True
                if before:
                    yield before
        yield from self._flush(self._rest.rfind("<"))

    def end(self) -> Iterator[str]:
        """What was held back in case a tag should follow."""
        yield from self._flush(-1)

    def _flush(self, start: int) -> Iterator[str]:
        keep = start if start >= 0 and len(self._rest) - start <= LONGEST_TAG else len(self._rest)
        said, self._rest = self._rest[:keep], self._rest[keep:]
        if said and not self._inside:
            yield said
