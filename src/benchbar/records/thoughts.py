"""Parts what a reasoning model thought from what it said: thoughts are kept, and never marked, sent on or cited.

A user of the model does not see its thoughts. If they were marked, a model that considers every charge and then answers "I do
not know" would meet the guidance in full.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TAG = re.compile(r"<(/?)[ \t]{0,3}(?:think|thinking|thought|reasoning)[ \t]{0,3}>", re.IGNORECASE)


class Parted(NamedTuple):
    """A model's text, taken apart."""

    answer: str
    """What was said; empty where the thoughts never ended."""
    thoughts: str


def parted(text: str) -> Parted:
    """The answer and the thoughts of a model's text; text without thoughts is the answer as it stands.

    Everything after a tag that is never closed is thoughts: the limit of tokens was reached before the answer began.
    """
    said: list[str] = []
    thought: list[str] = []
    at, inside = 0, False
    for tag in _TAG.finditer(text):
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
