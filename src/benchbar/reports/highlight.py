"""Cuts a text at the borders of the spans that marks rest on."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple


class Span(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and what rests on them."""

    start: int
    end: int
    label: str
    state: str


class Segment(NamedTuple):
    """A piece of a text that the same spans cover; no labels where none does."""

    text: str
    labels: tuple[str, ...] = ()
    state: str = ""


def segments(text: str, spans: Collection[Span]) -> tuple[Segment, ...]:
    """The text in pieces which, put together, are the text again; spans outside of it are cut to fit.

    Where spans overlap, a piece bears the labels of all, and the state of the one that begins last.
    """
    if not spans:
        return (Segment(text),) if text else ()
    inside = sorted(
        (Span(max(0, span.start), min(len(text), span.end), span.label, span.state) for span in spans),
        key=lambda span: (span.start, span.end),
    )
    inside = [span for span in inside if span.start < span.end]
    borders = sorted({0, len(text), *(edge for span in inside for edge in (span.start, span.end))})
    return tuple(_piece(text, a, b, inside) for a, b in pairwise(borders))


def _piece(text: str, start: int, end: int, spans: list[Span]) -> Segment:
    over = [span for span in spans if span.start <= start and end <= span.end]
    labels = tuple(dict.fromkeys(span.label for span in over))
    return Segment(text[start:end], labels, over[-1].state if over else "")
