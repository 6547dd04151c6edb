"""Measures of clause reviews by their written definitions: the published matrices, hand-counted cases, and edges."""

from __future__ import annotations

import numpy as np
import pytest

from benchbar.measures.review_metrics import pair, quantile, review_results, review_timing, task_success, transitions
from benchbar.records.contracts import (
    ClauseReview,
    ExcerptCheck,
    ExcerptStatus,
    Finding,
    LabelledClause,
    LawCheck,
    LawStatus,
    Reflection,
    ReviewStatus,
    RiskLevel,
    RuleHit,
)
from benchbar.records.errors import UserError

HIGH, MEDIUM, LOW = RiskLevel.HIGH, RiskLevel.MEDIUM, RiskLevel.LOW
PUBLISHED = {
    # The four printed matrices, truth in rows (high, medium, low), and what the written definitions give for them.
    "M1": ([[120, 13, 0], [102, 31, 0], [31, 102, 0]], (0.3784, 0.8393, 0.2036, 0.3430, 0.2813, 0.7643)),
    "M2": ([[62, 71, 0], [40, 93, 0], [31, 102, 0]], (0.3885, 0.7832, 0.1139, 0.1554, 0.3108, 0.4662)),
    "M3": ([[84, 49, 0], [44, 80, 9], [13, 80, 40]], (0.5113, 0.8343, 0.3684, 0.4868, 0.5068, 0.6241)),
    "M4": ([[89, 35, 9], [40, 75, 18], [13, 53, 67]], (0.5789, 0.8348, 0.4487, 0.5339, 0.5814, 0.6602)),
}
MEASURES = ("accuracy", "weighted_accuracy", "linear_kappa", "quadratic_kappa", "macro_f1", "high_f2")


def labelled(index, level, **parts):
    return LabelledClause(id=f"c{index}", text="x", level=level, **parts)


def reviewed(index, level, findings=(), **parts):
    status = ReviewStatus.UNPARSED if level is None else ReviewStatus.REVIEWED
    return ClauseReview(clause=f"c{index}", status=status, level=level, findings=tuple(findings), **parts)


def results(pairs):
    return review_results(pairs, np.random.default_rng(0), resamples=200)


def from_matrix(matrix):
    pairs = []
    for truth, row in zip((HIGH, MEDIUM, LOW), matrix, strict=True):
        for said, count in zip((HIGH, MEDIUM, LOW), row, strict=True):
            pairs += [(labelled(len(pairs) + n, truth), reviewed(len(pairs) + n, said)) for n in range(count)]
    return pairs


@pytest.mark.parametrize("mode", PUBLISHED)
def test_the_published_matrices_give_their_true_values(mode):
    """To four decimals: what the definitions give for the printed matrices, which is not what was printed."""
    matrix, expected = PUBLISHED[mode]
    found = results(from_matrix(matrix))
    assert [round(getattr(found, name).value, 4) for name in MEASURES] == list(expected)
    assert found.high_risk_leakage.value == pytest.approx(matrix[0][2] / 133)
    assert found.high_to_low.value == pytest.approx(matrix[0][2] / 133)
    assert found.high_to_medium.value == pytest.approx(matrix[0][1] / 133)
    assert found.baselines["always high"]["high_f2"].value == pytest.approx(0.7143, abs=5e-5)


def excerpt(status):
    return ExcerptCheck(excerpt="e", status=ExcerptStatus(status))


def finding(*, rule="", status="verified", laws=(), level=HIGH, suggestion="s", kind="risk"):
    checks = tuple(LawCheck(citation="l", status=LawStatus(one)) for one in laws)
    text = "" if status == "absent" else "e"
    return Finding(
        risk="r",
        level=level,
        evidence=text,
        suggestion=suggestion,
        rule=rule,
        excerpt=excerpt(status),
        laws=checks,
        kind=kind,
    )


def test_hallucination_rates_are_counted_over_what_was_given():
    """Excerpts, citations and both together: invalid of all that could be checked; absent and unchecked ones apart."""
    pairs = [
        (labelled(0, HIGH), reviewed(0, HIGH, [finding(laws=["verified", "not_found"]), finding(status="rejected")])),
        (labelled(1, HIGH), reviewed(1, HIGH, [finding(status="absent", laws=["not_in_force", "not_checked"])])),
        (labelled(2, HIGH), reviewed(2, HIGH, [finding(laws=["off_topic"])])),
    ]
    withheld = Finding(risk="r", level=HIGH, excerpt=excerpt("rejected"))
    pairs.append((labelled(3, HIGH), reviewed(3, HIGH, [withheld])))
    found = results(pairs)
    assert found.clause_hallucination.value == pytest.approx(1 / 3)
    assert found.law_hallucination.value == pytest.approx(1 / 4)
    assert found.hallucination.value == pytest.approx(2 / 7)
    assert found.law_not_in_force.value == pytest.approx(1 / 3)
    assert found.law_off_topic.value == pytest.approx(1 / 2)
    assert (found.absent_excerpts, found.unchecked_citations) == (2, 1)


def test_rules_are_counted_by_what_was_triggered_and_by_what_was_retrieved():
    """Rule recall and precision look at findings; risk-id measures at the retrieval, over clauses that expect a rule."""
    hits = tuple(RuleHit(rule=f"R{n}", name="n", score=1.0, rank=n) for n in (1, 2, 3))
    pairs = [
        (labelled(0, HIGH, rules=("R1",)), reviewed(0, HIGH, [finding(rule="R1")], rules=hits)),
        (labelled(1, HIGH, rules=("R2",)), reviewed(1, HIGH, [finding(rule="R1"), finding(rule="R9")], rules=hits)),
        (labelled(2, LOW), reviewed(2, MEDIUM, [finding(rule="R1")], rules=hits)),
        (labelled(3, LOW), reviewed(3, LOW, [finding(rule="R1", level=LOW)], rules=hits)),
    ]
    found = results(pairs)
    assert found.rule_recall.value == pytest.approx(1 / 2)
    assert found.rule_precision.value == pytest.approx(1 / 4)
    assert found.risk_id_accuracy.value == pytest.approx(1 / 2)
    assert found.risk_id_recall.value == 1
    assert found.risk_id_precision.value == pytest.approx(2 / 6)
    assert found.risk_id_f1.value == pytest.approx(2 * 2 / (2 + 6))


@pytest.mark.parametrize(
    ("said", "parts", "success"),
    [
        (HIGH, {}, True),
        (MEDIUM, {}, False),
        (HIGH, {"status": "rejected"}, False),
        (HIGH, {"status": "absent"}, False),
        (HIGH, {"suggestion": " "}, False),
    ],
)
def test_task_success_needs_all_four_conditions(said, parts, success):
    """Parsed, level right, evidence valid and a suggestion: one that fails is no success."""
    assert task_success(labelled(0, HIGH), reviewed(0, said, [finding(**parts)])) is success
    assert not task_success(labelled(0, HIGH), reviewed(0, None, [finding()]))
    assert not task_success(labelled(0, HIGH), reviewed(0, HIGH, [finding(kind="prompt_injection")]))


def test_a_reply_that_cannot_be_read_is_its_own_column_and_the_worst():
    """Unparsed is no low: it stands in the last column, scores nothing, and counts as leaked where the risk is high."""
    found = results(
        [
            (labelled(0, HIGH), reviewed(0, None)),
            (labelled(1, LOW), reviewed(1, LOW)),
            (labelled(2, HIGH), reviewed(2, HIGH)),
        ]
    )
    assert found.confusion == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1]]
    assert found.labels[-1] == "unparsed"
    assert found.parse_rate.value == pytest.approx(2 / 3)
    assert found.accuracy.value == pytest.approx(2 / 3)
    assert found.high_risk_leakage.value == found.high_unreadable.value == pytest.approx(1 / 2)
    assert [(one.clause, one.level, one.said) for one in found.wrong] == [(found.wrong[0].clause, "high", "unparsed")]


def test_second_looks_are_counted_by_transition_and_by_whether_they_helped():
    """Outcomes, from which level to which, better and worse, and the skipped."""
    pairs = [
        (labelled(0, HIGH), reviewed(0, HIGH, reflection=Reflection(outcome="adjust", before=LOW, after=HIGH))),
        (labelled(1, HIGH), reviewed(1, LOW, reflection=Reflection(outcome="adjust", before=HIGH, after=LOW))),
        (labelled(2, LOW), reviewed(2, LOW, reflection=Reflection(outcome="keep", before=LOW, after=LOW))),
        (labelled(3, LOW), reviewed(3, LOW)),
    ]
    assert transitions(pairs) == {
        "adjust": 2, "better": 1, "high->low": 1, "keep": 1, "low->high": 1, "low->low": 1, "skipped": 1, "worse": 1,
    }  # fmt: skip
    assert results(pairs).reflection_gain.value == pytest.approx(0)


def test_what_was_not_measured_has_a_reason_and_no_value():
    """Without rules, citations, costs or high-risk clauses the measures are undefined and say why; zero is never put there."""
    found = results([(labelled(0, LOW), reviewed(0, LOW)), (labelled(1, LOW), reviewed(1, LOW))])
    for name in (
        "rule_recall",
        "law_hallucination",
        "clause_hallucination",
        "high_risk_leakage",
        "cost",
        "linear_kappa",
        "reflection_gain",
    ):
        estimate = getattr(found, name)
        assert estimate.value is None, name
        assert estimate.reason, name
    assert found.accuracy.value == 1


def test_no_failures_in_many_still_have_an_upper_bound():
    """A rate of nothing in fifty has Wilson's interval, not none."""
    found = results([(labelled(n, HIGH), reviewed(n, HIGH, [finding()])) for n in range(50)])
    assert found.clause_hallucination.value == 0
    assert 0.05 < found.clause_hallucination.high < 0.08


def test_clauses_of_one_rule_are_one_cluster():
    """Three copies of every clause give the interval of one copy, not a narrower one."""
    rng = np.random.default_rng(3)
    right = rng.random(60) < 0.6
    single = [(labelled(n, HIGH, group=f"g{n}"), reviewed(n, HIGH if ok else LOW)) for n, ok in enumerate(right)]
    triple = [
        (labelled(3 * n + k, HIGH, group=f"g{n}"), reviewed(3 * n + k, HIGH if ok else LOW))
        for n, ok in enumerate(right)
        for k in range(3)
    ]
    one, three = results(single).task_success, results(triple).task_success
    assert one.value == three.value == 0
    one, three = results(single).accuracy, results(triple).accuracy
    assert one.value == pytest.approx(three.value)
    assert three.high - three.low == pytest.approx(one.high - one.low, rel=0.25)


def test_quantiles_have_order_statistic_intervals():
    """The median of 1 to 100 lies between the 40th and the 61st value with 95%; five values are too few for p95."""
    median = quantile(list(range(1, 101)), 0.5)
    assert (median.value, median.low, median.high) == (50.5, 40, 61)
    assert quantile([1.0] * 5, 0.95).low is None
    assert quantile([], 0.5).value is None


def test_every_clause_needs_exactly_one_review():
    """A missing or a second review is named."""
    with pytest.raises(UserError, match="no review"):
        pair([labelled(0, HIGH)], [])
    with pytest.raises(UserError, match="twice"):
        pair([labelled(0, HIGH)], [reviewed(0, HIGH), reviewed(0, LOW)])


def test_timing_is_kept_apart():
    """Mean and quantiles of the seconds for each clause."""
    pairs = [(labelled(n, HIGH), reviewed(n, HIGH, latency=float(n))) for n in range(1, 41)]
    assert review_timing(pairs).mean.value == pytest.approx(20.5)
