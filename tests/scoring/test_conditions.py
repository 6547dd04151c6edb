"""The rules that a rubric may name, each with what it gives, and the marks that they are weighed into."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from benchbar.records import (
    Category,
    Citation,
    CitationStatus,
    Dialogue,
    DialogueEnd,
    Evidence,
    Guidance,
    GuidancePoint,
    Layer,
    Sample,
    Score,
    ScoreStatus,
    Turn,
)
from benchbar.records.contracts import (
    ClauseReview,
    ExcerptCheck,
    ExcerptStatus,
    Finding,
    LawCheck,
    LawStatus,
    ReviewStatus,
    RiskLevel,
)
from benchbar.records.dialogue import GuardFinding
from benchbar.scoring.citations import invented, validity
from benchbar.scoring.routing import Routing, Runs, disagrees, typical_deviation
from benchbar.scoring.rubrics.conditions import CONDITIONS, parameters_of
from benchbar.scoring.rubrics.subject import Subject
from benchbar.scoring.weighing import compared, merged, weigh

TALK = Dialogue(
    sample="s",
    assistant="a",
    turns=(
        Turn(role="user", content="押金"),
        Turn(role="assistant", content="违约 金 应当退还。"),
        Turn(role="user", content="?"),
        Turn(role="assistant", content="ＯＫ"),
    ),
    ended=DialogueEnd.SATISFIED,
)


def points(*rows: tuple[str, str, float]) -> Guidance:
    return Guidance(
        points=tuple(
            GuidancePoint(id=name, category=Category(kind), text="x", weight=weight) for name, kind, weight in rows
        )
    )


def scored(name: str, value: float | None, layer: Layer = Layer.RULE, **more) -> Score:
    status = ScoreStatus.ABSTAINED if value is None else ScoreStatus.SCORED
    return Score(
        **{"sample": "s", "assistant": "a", "dimension": name, "layer": layer, "status": status, "value": value} | more
    )


def cited(status: CitationStatus, **more) -> Citation:
    return Citation(span=(0, 1), text="x", language="zh", status=status, **more)


CITED = (
    cited(CitationStatus.VERIFIED, article_id="law#1", topic=0.9),
    cited(CitationStatus.VERIFIED, article_id="law#1", topic=0.5),
    cited(CitationStatus.VERIFIED, article_id="law#2"),
    cited(CitationStatus.NOT_IN_FORCE, article_id="old#7"),
    cited(CitationStatus.OUTSIDE_CORPUS),
)
PROVEN = Finding(
    risk="r",
    level=RiskLevel.HIGH,
    suggestion="better",
    excerpt=ExcerptCheck(excerpt="e", status=ExcerptStatus.VERIFIED),
)
LAWS = tuple(
    LawCheck(citation="c", status=status) for status in (LawStatus.VERIFIED, LawStatus.NOT_CHECKED, LawStatus.VERIFIED)
)
REVIEWS = (
    ClauseReview(
        clause="1", status=ReviewStatus.REVIEWED, level=RiskLevel.HIGH, findings=(PROVEN, replace(PROVEN, laws=LAWS))
    ),
    ClauseReview(
        clause="2",
        status=ReviewStatus.REVIEWED,
        level=RiskLevel.LOW,
        findings=(Finding(risk="r", level=RiskLevel.LOW, suggestion=" "),),
    ),
)
GUIDED = Sample(
    id="s",
    task="t",
    needs="n",
    guidance=points(
        ("p", "mandatory", 3),
        ("q", "mandatory", 1),
        ("r", "advisable", 4),
        ("f", "forbidden", 2),
        ("g", "forbidden", 2),
    ),
)
MARKS = (scored("p", 1.0), scored("q", 0.0), scored("f", 0.0), scored("g", 1.0))
CASES = {
    "some words": ("mentions", {"words": ["违约金", "ok", "罚款", "押金"]}, Subject(dialogue=TALK), 0.5, "2/4 mentioned"),
    "as long as allowed": ("length", {"low": 13, "high": 13}, Subject(dialogue=TALK), 1.0, "13 characters"),
    "too long": ("length", {"high": 12}, Subject(dialogue=TALK), 0.0, "13 characters"),
    "too short": ("length", {"low": 14}, Subject(dialogue=TALK), 0.0, "13 characters"),
    "satisfied": ("satisfied", {}, Subject(dialogue=TALK), 1.0, "satisfied"),
    "not satisfied": ("satisfied", {}, Subject(dialogue=replace(TALK, ended=DialogueEnd.TURN_LIMIT)), 0.0, "turn_limit"),
    "no dialogue to be satisfied with": ("satisfied", {}, Subject(), None, "no dialogue"),
    "few exchanges": ("exchanges_at_most", {"n": 2}, Subject(dialogue=TALK), 1.0, "2 exchanges"),
    "many exchanges": ("exchanges_at_most", {"n": 1}, Subject(dialogue=TALK), 0.0, "2 exchanges"),
    "no exchanges": ("exchanges_at_most", {"n": 1}, Subject(), None, "no dialogue"),
    "no guard": ("no_guard", {}, Subject(dialogue=TALK), 1.0, "no guard spoke"),
    "two guards": (
        "no_guard",
        {},
        Subject(dialogue=replace(TALK, guards=tuple(GuardFinding(guard=name, turn=1) for name in ("loop", "echo", "loop")))),
        0.0,
        "echo, loop",
    ),
    "guards of nothing": ("no_guard", {}, Subject(), None, "no dialogue"),
    "points met": ("points_met", {"categories": ["mandatory"]}, Subject(sample=GUIDED, scores=MARKS), 0.75, "4 of weight 4"),
    "points partly decided": (
        "points_met", {"categories": ["mandatory", "advisable"]}, Subject(sample=GUIDED, scores=MARKS), 0.75, "4 of weight 8",
    ),
    "points avoided": ("points_met", {"categories": ["forbidden"]}, Subject(sample=GUIDED, scores=MARKS), 0.5, "4 of weight 4"),
    "points undecided": ("points_met", {"categories": ["advisable"]}, Subject(sample=GUIDED, scores=MARKS), None, "no such point was"),
    "points that are not there": ("points_met", {"categories": ["encouraged"]}, Subject(sample=GUIDED), None, "the guidance has no such"),
    "points without guidance": ("points_met", {"categories": ["mandatory"]}, Subject(), None, "no guidance"),
    "citations valid": ("citations_valid", {}, Subject(citations=CITED), 0.75, "75% stand"),
    "citations nobody can judge": ("citations_valid", {}, Subject(citations=CITED[-1:]), None, "no citation that"),
    "citations without law": ("citations_valid", {}, Subject(), None, "no law at hand"),
    "nothing invented": ("nothing_invented", {}, Subject(citations=CITED), 1.0, "5 citations"),
    "an article invented": (
        "nothing_invented", {}, Subject(citations=(*CITED, cited(CitationStatus.NO_SUCH_ARTICLE))), 0.0, "6 citations",
    ),
    "inventions without law": ("nothing_invented", {}, Subject(), None, "no law at hand"),
    "different articles": ("cites", {"n": 4}, Subject(citations=CITED), 0.75, "3 articles"),
    "more than asked for": ("cites", {"n": 2}, Subject(citations=CITED), 1.0, "3 articles"),
    "none asked for": ("cites", {"n": 0}, Subject(citations=()), 1.0, "0 articles"),
    "cited without law": ("cites", {"n": 1}, Subject(), None, "no law at hand"),
    "on topic": ("citations_on_topic", {}, Subject(citations=CITED), 0.7, "2 citations"),
    "nothing on a topic": ("citations_on_topic", {}, Subject(citations=CITED[2:]), None, "nothing cited"),
    "topic without law": ("citations_on_topic", {}, Subject(), None, "no law at hand"),
    "reviews read": (
        "reviews_read", {}, Subject(reviews=(*REVIEWS, ClauseReview(clause="3", status=ReviewStatus.UNPARSED))), 2 / 3, "2/3 reviewed",
    ),
    "reviews of nothing": ("reviews_read", {}, Subject(), None, "no contract review"),
    "findings proven": ("findings_proven", {}, Subject(reviews=REVIEWS), 2 / 3, "2/3 proven"),
    "no findings to prove": ("findings_proven", {}, Subject(), None, "no findings"),
    "findings lawful": ("findings_lawful", {}, Subject(reviews=REVIEWS), 1.0, "2/2 stand"),
    "findings without law": ("findings_lawful", {}, Subject(reviews=REVIEWS[1:]), None, "no citation that was checked"),
    "findings mended": ("findings_mended", {}, Subject(reviews=REVIEWS), 2 / 3, "2/3 with a suggestion"),
    "no findings to mend": ("findings_mended", {}, Subject(reviews=()), None, "no findings"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "given", "subject", "value", "reason"), CASES.values(), ids=CASES)
def test_a_condition_gives_its_share_or_leaves_the_item(name, given, subject, value, reason):
    """From 0 to 1 with the count behind it, or nothing with the reason why it cannot be said."""
    condition = CONDITIONS[name]
    verdict = condition.decide(subject, parameters_of(condition, given))
    assert verdict.value == (None if value is None else pytest.approx(value))
    assert verdict.reason.startswith(reason)


def test_what_the_corpus_cannot_say_counts_neither_way():
    """An ambiguous citation and one outside the corpus are no fault and no merit; a law that does not exist is invented."""
    unknown = [cited(CitationStatus.AMBIGUOUS), cited(CitationStatus.OUTSIDE_CORPUS)]
    assert validity(unknown) is None
    assert validity([*unknown, cited(CitationStatus.VERIFIED), cited(CitationStatus.NO_SUCH_LAW)]) == 0.5
    assert not invented(unknown)
    assert invented([cited(CitationStatus.NO_SUCH_LAW)])


def test_how_much_of_the_weight_was_decided_and_by_whom():
    """By rules, by a judge, or by nobody; marks without a value decide nothing."""
    guidance = points(("p", "mandatory", 3), ("q", "advisable", 2), ("r", "forbidden", 1), ("s", "mandatory", 4))
    found = weigh(guidance, [scored("p", 1.0), scored("q", 0.5, Layer.LLM), scored("r", 1.0), scored("s", None)])
    assert (found.weight, found.decided, found.by_rule) == (10, 6, 4)
    assert found.value == pytest.approx((3 + 1 - 1) / 5)


def test_of_several_marks_of_a_point_the_rules_stands_else_the_mean_of_the_runs():
    """A rule that decided, the judge's runs, the one mark there is, or the last reason why there is none."""
    evidence = (Evidence(turn=1, start=0, end=1, text="x"),)
    runs = [
        scored("q", 1.0, Layer.LLM, scorer="j", version="2", evidence=evidence, repeat=0),
        scored("q", 0.5, Layer.LLM, scorer="j", version="2", repeat=1),
        scored("q", None, Layer.LLM, repeat=2),
    ]
    rule = scored("p", 0.0, scorer="rule")
    failed = [scored("r", None, reason="first"), scored("r", None, Layer.LLM, reason="last")]
    found = {one.dimension: one for one in merged([scored("p", 1.0, Layer.LLM), rule, *runs, *failed])}
    assert found["p"] == rule
    assert found["q"] == scored("q", 0.75, Layer.LLM, scorer="j", version="2", evidence=evidence)
    assert found["r"].reason == "last"
    assert merged(runs[1:]) == [runs[1]]


@pytest.mark.parametrize(
    ("own", "other", "outcome"),
    [
        (0.7, 0.6, 1.0),
        (0.6, 0.7, 0.0),
        (0.6, 0.6, 0.5),
        (0.6, 0.6 + 5e-10, 0.5),
        (0.6, 0.6 + 2e-9, 0.0),
        (None, 0.5, None),
        (0.5, None, None),
    ],
)
def test_the_dialogue_that_is_worth_more_wins(own, other, outcome):
    """Rounding is no difference, and what has no worth has no outcome."""
    assert compared(own, other) == outcome


@pytest.mark.parametrize(
    "wrong",
    [
        {"conflict": 1.1},
        {"audit": -0.1},
        {"floor": 2},
        {"double": -1},
        {"agree": 1.5},
        {"annotators": 0},
        {"spread": 100.5},
        {"spread": -1},
    ],
)
def test_routing_refuses_shares_that_are_none(wrong):
    """Shares lie in 0 to 1, a spread in 0 to 100, and somebody has to look; the bounds themselves are allowed."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Routing(**wrong)
    assert Routing(conflict=1, audit=0, floor=1, double=0, agree=1, annotators=1, spread=100).spread == 100
    assert Routing(spread=0).spread == 0
    assert (Routing().annotators, Routing().spread, Routing().protocol) == (1, 20, "grade")


def test_people_look_where_runs_are_further_apart_than_usual():
    """A deviation of exactly so many times the usual one is no reason; without a usual one the spread decides."""
    runs = Runs(grades=(60.0, 80.0))
    assert runs.deviation == pytest.approx(200**0.5)
    assert not disagrees(runs, Routing(deviations=2), typical=200**0.5 / 2)
    assert disagrees(runs, Routing(deviations=2), typical=200**0.5 / 2.001)
    assert not disagrees(runs, Routing(deviations=2))
    assert disagrees(runs, Routing(deviations=2, spread=19))
    assert disagrees(Runs(grades=(60.0,), unread=1), Routing())
    assert not disagrees(Runs(grades=(60.0,)), Routing(deviations=2), typical=0.1)


def test_usual_noise_weighs_dialogues_by_their_runs():
    """Squares of two deviations over 1 + 2 degrees of freedom."""
    assert typical_deviation([Runs(grades=(10.0, 20.0)), Runs(grades=(1.0, 2.0, 3.0))]) == pytest.approx(
        ((50 + 2) / 3) ** 0.5
    )
