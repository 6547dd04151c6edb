"""A text is cut at the borders of its evidence, and nothing of it is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchbar.reports.pages import Segment, Span, segments

spans = st.lists(st.builds(Span, st.integers(-5, 30), st.integers(-5, 30), st.sampled_from("abc"), st.just("met")))


@given(st.text(max_size=25), spans)
def test_the_pieces_are_the_text(text, found):
    """Whatever the spans are, the pieces put together are the text, and none is empty."""
    pieces = segments(text, found)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)


@given(st.text(min_size=1, max_size=25), spans)
def test_each_character_bears_the_labels_of_the_spans_over_it(text, found):
    """No more and no fewer."""
    labelled = [set(piece.labels) for piece in segments(text, found) for _ in piece.text]
    for index, labels in enumerate(labelled):
        assert labels == {span.label for span in found if span.start <= index < span.end}


def test_overlapping_spans_share_a_piece():
    """The piece bears both labels, and the state of the span that begins last."""
    found = segments("abcdef", [Span(0, 4, "p1", "met"), Span(2, 6, "p2", "said")])
    assert found == (Segment("ab", ("p1",), "met"), Segment("cd", ("p1", "p2"), "said"), Segment("ef", ("p2",), "said"))
