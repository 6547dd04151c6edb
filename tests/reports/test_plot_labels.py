"""Names in a plot can be read: each near its point, within the picture, and none over another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from benchbar.reports.plot_labels import placed

NAMES = st.lists(st.text(st.sampled_from("abcXYZ-通义千问长名字"), min_size=1, max_size=64), min_size=1, max_size=14)


def box(label) -> tuple[float, float]:
    """Where a name begins and ends, as wide as its letters are at least."""
    wide = sum(11.0 if ord(one) > 0x2E80 else 5.0 for one in label.text)
    return (label.x - wide, label.x) if label.ends else (label.x, label.x + wide)


@given(NAMES, st.randoms(use_true_random=False))
def test_no_name_lies_over_another_or_leaves_the_picture(names, chance):
    """Whatever the names, also where all points are one; fourteen names have room."""
    points = [(chance.choice([50, 52, 300, 690]), chance.choice([10, 12, 130, 250])) for _ in names]
    found = placed(names, points)
    assert all(one.text for one in found)
    for number, one in enumerate(found):
        first, last = box(one)
        assert first >= -1
        assert last <= 701
        for other in found[number + 1 :]:
            begin, end = box(other)
            assert abs(one.y - other.y) >= 12 or last <= begin or end <= first


def test_a_name_alone_stands_beside_its_point_and_a_long_one_is_cut():
    """On the right where there is room, else on the left."""
    (left,) = placed(["assistant"], [(50, 100)])
    (right,) = placed(["assistant"], [(690, 100)])
    assert (left.x, left.y, left.ends) == (59, 96, False)
    assert (right.x, right.ends) == (681, True)
    (cut,) = placed(["vendor-" * 12], [(370, 100)])
    assert cut.text.endswith("…")


def test_of_more_names_than_lines_some_are_left_to_the_points_titles():
    """Thirty names at one point: those that are shown can be read."""
    found = placed([f"assistant-{n}" for n in range(30)], [(300, 120)] * 30)
    shown = sorted(one.y for one in found if one.text)
    assert 14 <= len(shown) < 30
    assert min(b - a for a, b in pairwise(shown)) >= 12
