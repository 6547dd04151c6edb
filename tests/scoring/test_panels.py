"""What several judges say of one thing becomes one verdict, mark or grade, in the way that the spec names."""

from __future__ import annotations

from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records import Category, Comparison, Guidance, GuidancePoint, Layer, Score, ScoreStatus, Winner
from benchbar.scoring.panels import most_votes, reduced_mark, reduced_outcome, reduced_value, sample_outcome
from benchbar.scoring.rubrics import Subject, apply, read_rubric
from benchbar.scoring.weighing import merged, weigh
from benchbar.statistics import averaged, outcomes_by_sample

LABELS = st.sampled_from((0.0, 0.5, 1.0))
SAID = st.lists(st.one_of(st.none(), LABELS), min_size=1, max_size=7)
WAYS = ("mean", "majority", "median", "strict")


def mark(judge: str, value: float | None, *, point: str = "p", repeat: int = 0) -> Score:
    """A mark by a judge, failed where it has no value."""
    status = ScoreStatus.FAILED if value is None else ScoreStatus.SCORED
    return Score(
        sample="s",
        assistant="a",
        dimension=point,
        layer=Layer.LLM,
        status=status,
        value=value,
        scorer=judge,
        repeat=repeat,
    )


def verdict(judge: str, order: str, winner: str) -> Comparison:
    """A verdict of a judge in one order."""
    return Comparison(
        sample="s", left="a", right="b", order=order, status=ScoreStatus.SCORED, winner=Winner(winner), judge=judge
    )


@given(SAID)
def test_each_way_of_reducing_marks_is_what_its_name_says(said):
    """Mean and median of those who said something; the label of most; the harshest, which needs everybody."""
    known = [one for one in said if one is not None]
    assert reduced_mark(said, "mean") == (fmean(known) if known else None)
    assert reduced_mark(said, "median") == (median(known) if known else None)
    assert reduced_mark(said, "strict") == (min(known) if len(known) == len(said) else None)
    assert reduced_mark(said, "strict", forbidden=True) == (max(known) if len(known) == len(said) else None)
    counts = {label: known.count(label) for label in set(known)}
    most = [label for label, count in counts.items() if count == max(counts.values())]
    assert reduced_mark(said, "majority") == (most[0] if len(most) == 1 else None)


@given(SAID, st.one_of(st.none(), st.floats(0, 0.49)))
def test_an_outcome_without_agreement_is_a_tie_and_no_guess(said, margin):
    """A vote without a majority, and a win that some judge does not see, are ties; where nobody decided, nothing is."""
    known = [one for one in said if one is not None]
    strict, vote = (reduced_outcome(said, how, tie_margin=margin) for how in ("strict", "majority"))
    if not known:
        assert strict is vote is None
    elif len(known) < len(said):
        assert strict is None
    else:
        assert strict == (known[0] if len(set(known)) == 1 else 0.5)
    if known:
        winner = most_votes(known)
        assert vote == (0.5 if winner is None else winner)


@given(st.lists(LABELS, min_size=1, max_size=5), st.randoms())
def test_the_order_of_the_judges_changes_nothing(said, chance):
    """In every way, for outcomes, marks and grades."""
    turned = list(said)
    chance.shuffle(turned)
    for how in WAYS:
        for reduced in (reduced_outcome, reduced_mark, reduced_value):
            assert reduced(said, how) == pytest.approx(reduced(turned, how))


@given(LABELS, st.integers(1, 5))
def test_judges_that_agree_are_taken_at_their_word(value, judges):
    """Whatever the way, the value of all is the value."""
    for how in WAYS:
        for reduced in (reduced_outcome, reduced_mark, reduced_value):
            assert reduced([value] * judges, how) == pytest.approx(value)


def test_grades_have_no_majority_but_a_median():
    """70, 72 and 20 points: two agree on no number; the middle one counts, and strictly the lowest."""
    assert reduced_value([0.7, 0.72, 0.2], "majority") == 0.7
    assert reduced_value([0.7, 0.72, 0.2], "strict") == 0.2


def test_the_mean_of_verdicts_is_that_of_runs_of_before():
    """All verdicts in either order are pooled, then both orders: a judge that was asked oftener has more say."""
    said = [
        verdict("j", "left_first", "left"),
        verdict("j", "right_first", "left"),
        verdict("k", "left_first", "right"),
    ]
    assert sample_outcome(said) == averaged(outcomes_by_sample(said).values())[0] == 0.75


def test_a_judge_that_names_a_position_has_no_say_in_a_vote():
    """Two judges see the candidate ahead and one always names the first, which over both orders is a tie."""
    looks = [verdict(judge, order, "left") for judge in "ab" for order in ("left_first", "right_first")]
    first = [
        verdict(judge, order, winner)
        for judge in "c"
        for order, winner in (("left_first", "left"), ("right_first", "right"))
    ]
    assert sample_outcome([*looks, *first], "majority") == 1.0
    assert sample_outcome([*looks, *first], "strict") == 0.5
    assert sample_outcome(looks, "strict") == 1.0
    # One order of the third judge is missing: it might have contradicted the others.
    assert sample_outcome([*looks, first[0]], "strict") is None


GUIDANCE = Guidance(
    points=(
        GuidancePoint(id="p", text="must be said", category=Category.MANDATORY, weight=1.0),
        GuidancePoint(id="f", text="must not be said", category=Category.FORBIDDEN, weight=1.0),
    )
)


def test_a_point_on_which_a_panel_is_divided_stays_open_with_the_reason():
    """One of two judges sees it met: by the mean it is half met, by the majority it is open, and says why."""
    said = [mark("judge-a", 1.0), mark("judge-b", 0.0)]
    assert [one.value for one in merged(said)] == [0.5]
    (divided,) = merged(said, "majority")
    assert (divided.status, divided.value) == (ScoreStatus.ABSTAINED, None)
    assert divided.reason == "the panel's judges do not agree (judge-a: 1, judge-b: 0)"
    assert weigh(GUIDANCE, said, "majority").decided == 0


def test_strict_marks_take_the_harshest_judge_of_wanted_and_of_forbidden_points():
    """A wanted point that one judge misses is not met; a forbidden one that one judge heard was said."""
    said = [mark("a", 1.0), mark("b", 0.0), mark("a", 1.0, point="f"), mark("b", 0.0, point="f")]
    values = {one.dimension: one.value for one in merged(said, "strict", {"f"})}
    assert values == {"p": 0.0, "f": 1.0}
    assert weigh(GUIDANCE, [mark("a", 1.0), mark("b", 1.0), *said[2:]], "strict").value == 0.0


def test_repeats_of_one_judge_are_its_mean_before_judges_vote():
    """A judge that was asked three times has one vote, as those that were asked once."""
    said = [*(mark("a", 1.0, repeat=repeat) for repeat in range(3)), mark("b", 0.0), mark("c", 0.0)]
    assert merged(said)[0].value == pytest.approx(0.6)
    assert merged(said, "majority")[0].value == 0.0


def test_one_judge_is_not_changed_by_a_way_of_reducing_several():
    """Its repeats are averaged in every way, as before there were panels."""
    said = [mark("a", 1.0), mark("a", 0.0, repeat=1)]
    for how in WAYS:
        assert merged(said, how)[0].value == 0.5


def grades(judge: str, value: float | None, repeat: int = 0) -> list[Score]:
    """Grades of one judge on the criteria of the bundled rubric."""
    return [mark(judge, value, point=f"grade:{name}", repeat=repeat) for name in read_rubric("consultation").criteria]


def graded(how: str, *said: Score) -> dict[str, float | None]:
    """The judge's part of each dimension."""
    subject = Subject(scores=tuple(said), reduction=how)
    found = apply(read_rubric("consultation"), subject, sample="s", assistant="a")
    return {one.dimension: one.judge_value for one in found if one.judge_value is not None}


def test_grades_of_a_panel_are_reduced_in_a_rubric_as_well():
    """Three judges give 90, 80 and 10 of 100: their mean is 60, their median and majority 80, strictly 10."""
    said = [*grades("a", 0.9), *grades("b", 0.8), *grades("c", 0.1)]
    for how, value in {"mean": 0.6, "median": 0.8, "majority": 0.8, "strict": 0.1}.items():
        assert {round(one, 9) for one in graded(how, *said).values()} == {value}, how
    assert graded("strict", *said, *grades("d", None)) == {}
    assert graded("median", *said, *grades("d", None))
