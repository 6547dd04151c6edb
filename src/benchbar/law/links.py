"""Texts in Markdown without the addresses of their links and the marks of emphasis, and where each character of them stood."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from benchbar.languages.text import Span

_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:https?://|/|\#)[^()\s]{0,500}(?:\s\"[^\"\n]{0,200}\")?\)")


# Bold and italics, by their pair of marks: **Section 21** of the *Housing Act 1988*. A word may not run into them from outside, as it
# does where letters are blotted out (（2019）京**民初**号).
_EMPHASIS = re.compile(
    r"(?<![\w*])(?P<mark>\*{1,3}|_{1,2}|`)(?=[^\s*_`])(?P<words>[^*_`\n]{1,300})(?<=[^\s*_`])(?P=mark)(?![\w*`])"
    r"|(?P<bold>\*\*)(?=[《“「(（§])(?P<named>[^*\n]{1,300})(?<=\S)(?P=bold)"
)


def without_links(text: str) -> tuple[str, Callable[[Span], Span]] | None:
    """The text with the words of links and of emphasis alone, and what finds the place of a span of it in the text; None where it has none.

    ``[section 9](https://…) of the **Act**`` is ``section 9 of the Act``. A place that begins with the words of a link begins in them, and one
    that ends with them ends there: an address is no part of it.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    marked = [(one.span(), one.span(1)) for one in _LINK.finditer(text)]
    marked += [(one.span(), one.span("words" if one["words"] else "named")) for one in _EMPHASIS.finditer(text)]
    return _kept(text, marked) if marked else None


_MARKS = ("](", "*", "_", "`")


def _kept(text: str, marked: list[tuple[Span, Span]]) -> tuple[str, Callable[[Span], Span]]:
    """The text without what stands between each outer place and its inner one."""
    gone = sorted(gap for whole, words in marked for gap in ((whole[0], words[0]), (words[1], whole[1])))
    kept: list[Span] = []
    at = 0
    for start, end in gone:
        kept.append((at, max(at, start)))
        # Marks in marks: the words of a link may be in italics.
        at = max(at, end)
    kept = [one for one in (*kept, (at, len(text))) if one[0] < one[1]]
    begins, length = list[int](), 0
    for start, end in kept:
        begins.append(length)
        length += end - start

    def place(index: int) -> int:
        piece = bisect_right(begins, index) - 1
        return kept[piece][0] + index - begins[piece]

    return "".join(text[slice(*one)] for one in kept), lambda span: (place(span[0]), place(span[1] - 1) + 1)
