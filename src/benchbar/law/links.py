"""Texts in Markdown and HTML without the addresses of their links, their marks and notes, and where each character of them stood."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from benchbar.languages.text import INVISIBLE, Span

_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:https?://|/|\#)[^()\s]{0,500}(?:\s\"[^\"\n]{0,200}\")?\)")


# Bold and italics, by their pair of marks: **Section 21** of the *Housing Act 1988*. A word may not run into them from outside, as it
# does where letters are blotted out (（2019）京**民初**号).
_EMPHASIS = re.compile(
    r"(?<![\w*])(?P<mark>\*{1,3}|_{1,2}|`)(?=[^\s*_`])(?P<words>[^*_`\n]{1,300})(?<=[^\s*_`])(?P=mark)(?![\w*`])"
    r"|(?P<bold>\*\*)(?=[《“「(（§])(?P<named>[^*\n]{1,300})(?<=\S)(?P=bold)"
)
# Tags within a line. A raised number behind a number is part of it (ст. 123<sup>1</sup>), behind anything else a note.
_TAG = re.compile(
    r"(?<=\d)<sup>(?P<raised>\d{1,2})</sup>|<sup>\[?\d{1,3}\]?</sup>"
    r"|</?(?:a|b|i|u|em|strong|span|sup|sub|code|mark|small)(?:\s[^<>\n]{0,500})?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:(nbsp|thinsp|ensp|#160|#xa0)|(sect|#167)|(ndash|mdash|#8211|#8212)|(laquo)|(raquo)|shy);", re.IGNORECASE)  # fmt: skip
_MEANT = (" ", "§", "–", "«", "»")
# Marks of notes and sources between the words of a citation: section 9[^2] of the Act, 第十条【4†source】.
# Two forms, each of one first character: to look for one is ten times as fast as to look for either.
_NOTE = re.compile(r"\[(?:\^\w{1,12}\](?!:)|(?<=[\w.)»”]\[)\d{1,3}\](?![(:]))")
_SOURCE = re.compile(r"【\d{1,3}†[^】\n]{0,60}】")
_ESCAPED = re.compile(r"\\(?=[\[\]().*_#§-])")
_UNSEEN = re.compile(f"[{''.join(sorted(INVISIBLE))}]+")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("](", _LINK), ("*", _EMPHASIS), ("_", _EMPHASIS), ("`", _EMPHASIS), ("<", _TAG), ("&", _ENTITY),
    ("[^", _NOTE), ("†", _SOURCE), ("]", _NOTE), ("\\", _ESCAPED), *((one, _UNSEEN) for one in sorted(INVISIBLE)),
)  # fmt: skip
"""What a text has to hold for a form to be looked for; most texts hold none of it."""
_PASSES = 3
"""Marks in marks are read so often: a hostile text could nest thousands."""


class _Gap(NamedTuple):
    """A stretch that is left out, and what is read in its place."""

    start: int
    end: int
    meant: str = ""


def plainly(text: str) -> tuple[str, Callable[[Span], Span]] | None:
    """The text as it is read, with all marks left out, and what finds the place of a span of it in the text; None where it has none.

    ``[section 9](https://…) of the **Act**`` is ``section 9 of the Act``. A place that begins with the words of a link begins in them, and one
    that ends with them ends there: an address is no part of it.
    """
    plain, steps = text, list[Callable[[Span], Span]]()
    for _ in range(_PASSES):
        if not (found := without_links(plain)):
            break
        plain, placed = found
        steps.append(placed)

    def place(span: Span) -> Span:
        for one in reversed(steps):
            span = one(span)
        return span

    return (plain, place) if steps else None


def without_links(text: str) -> tuple[str, Callable[[Span], Span]] | None:
    """The text without the outermost marks, as ``plainly`` has it; None where it has none."""
    forms = dict.fromkeys(form for sign, form in _FORMS if sign in text)
    gaps = sorted(chain.from_iterable(_gaps(form, text) for form in forms))
    return _kept(text, gaps) if gaps else None


def _gaps(form: re.Pattern[str], text: str) -> Iterator[_Gap]:
    for one in form.finditer(text):
        (start, end), words = one.span(), None
        if form is _LINK:
            words = one.span(1)
        elif form is _EMPHASIS:
            words = one.span("words" if one["words"] else "named")
        if words:
            yield _Gap(start, words[0])
            yield _Gap(words[1], end)
        elif form is _ENTITY:
            yield _Gap(start, end, _MEANT[one.lastindex - 1] if one.lastindex else "")
        else:
            yield _Gap(start, end, one["raised"].translate(_RAISED) if form is _TAG and one["raised"] else "")


def _kept(text: str, gaps: list[_Gap]) -> tuple[str, Callable[[Span], Span]]:
    """The text without the gaps, with what is meant by each in its place."""
    pieces: list[tuple[Span, str]] = []
    at = 0
    for gap in gaps:
        if at < gap.start:
            pieces.append(((at, gap.start), text[at : gap.start]))
        # Marks in marks: the words of a link may be in italics.
        if gap.meant and at <= gap.start:
            pieces.append(((gap.start, gap.end), gap.meant))
        at = max(at, gap.end)
    if at < len(text):
        pieces.append(((at, len(text)), text[at:]))
    begins, length = list[int](), 0
    for _, words in pieces:
        begins.append(length)
        length += len(words)

    def place(index: int, *, end: bool) -> int:
        which = bisect_right(begins, index) - 1
        (start, stop), words = pieces[which]
        # What stands for something else has the place of the whole.
        if len(words) != stop - start:
            return stop if end else start
        return start + index - begins[which] + end

    return "".join(words for _, words in pieces), lambda span: (place(span[0], end=False), place(span[1] - 1, end=True))
