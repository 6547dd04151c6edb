"""Texts in Markdown without the addresses of their links, and where each character of them stood: [section 9](https://…) of the [Act](https://…)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from benchbar.languages.text import Span

_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:https?://|/|\#)[^()\s]{0,500}(?:\s\"[^\"\n]{0,200}\")?\)")


def without_links(text: str) -> tuple[str, Callable[[Span], Span]] | None:
    """The text with each link's words alone, and what finds the place of a span of it in the text; None where it has no links.

    A place that begins with the words of a link begins in them, and one that ends with them ends there: an address is no part of it.
    """
    if "](" not in text:
        return None
    kept: list[Span] = []
    at = 0
    for link in _LINK.finditer(text):
        kept += [(at, link.start()), link.span(1)]
        at = link.end()
    if not kept:
        return None
    kept = [one for one in (*kept, (at, len(text))) if one[0] < one[1]]
    begins, length = list[int](), 0
    for start, end in kept:
        begins.append(length)
        length += end - start

    def place(index: int) -> int:
        piece = bisect_right(begins, index) - 1
        return kept[piece][0] + index - begins[piece]

    return "".join(text[slice(*one)] for one in kept), lambda span: (place(span[0]), place(span[1] - 1) + 1)
