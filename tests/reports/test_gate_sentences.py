"""The decision in a sentence names those whom it is about."""

from __future__ import annotations

from msgspec.structs import replace

from benchbar.decisions.explaining import check_label, sentence, short_sentence
from benchbar.records import Estimate, GateCheck, GateDecision
from benchbar.reports.gate import lead, page, summary
from benchbar.statistics.numbers import undefined


def check(assistant: str, decision: str) -> GateCheck:
    return GateCheck(
        name="overall",
        decision=decision,
        estimate=undefined("nothing was measured", method="wilson"),
        threshold=0.85,
        reason="",
        assistant=assistant,
    )


def gate(**decisions: str) -> GateDecision:
    order = ("fail", "insufficient_evidence", "pass")
    whole = next(one for one in order if one in decisions.values())
    checks = tuple(check(name, one) for name, one in decisions.items())
    return GateDecision(decision=whole, checks=checks, policy="release", assistants=tuple(decisions))


def test_who_does_not_fail_is_not_said_to():
    """Of one that nothing is known of a second sentence speaks; one that meets every condition is not named."""
    found = gate(old="fail", new="insufficient_evidence", third="pass")
    assert short_sentence(found, "en") == "old must not be released. Not enough evidence to release new"
    assert short_sentence(found, "zh") == "old 不得发布。证据不足，不能发布 new"
    assert sentence(found, "en").startswith("old must not be released: ")


def test_where_all_are_decided_alike_all_are_named():
    """As before."""
    assert short_sentence(gate(a="fail", b="fail"), "en") == "a, b must not be released"
    assert short_sentence(gate(a="pass", b="pass"), "en") == "a, b may be released"
    assert short_sentence(gate(a="pass", b="insufficient_evidence"), "en") == "Not enough evidence to release b"


MEASURED = GateCheck(
    name="overall",
    decision="fail",
    estimate=Estimate(value=0.64, low=0.608, high=0.672, n=90, method="wilson"),
    threshold=0.85,
    reason="",
    kind="at_least",
    measure="overall",
    unit="share",
)
FAILED = GateDecision(decision="fail", checks=(MEASURED,), policy="release", assistants=("a",))


def test_the_first_line_is_the_decision_and_its_one_cause():
    """In a dozen words; what was never measured is named, and its reason stands below."""
    assert lead(FAILED, "en") == "a must not be released: overall 64.0 [60.8, 67.2], needs ≥ 85"
    assert lead(FAILED, "zh") == "a 不得发布：总分 64.0 [60.8, 67.2]，要求 ≥ 85"
    assert lead(gate(a="fail"), "en") == "a must not be released: overall"
    assert lead(gate(a="pass"), "en") == "a may be released"


def test_the_cause_stands_behind_the_sentence_of_whom_it_concerns():
    """Behind that of another assistant it would accuse that one; of several that fail, the loudest comes first."""
    cause = replace(MEASURED, name="old: overall", assistant="old")
    other = check("new", "insufficient_evidence")
    found = GateDecision(decision="fail", checks=(other, cause), policy="release", assistants=("new", "old"))
    measured = "64.0 [60.8, 67.2]"
    assert lead(found, "en") == (
        f"old must not be released: overall {measured}, needs ≥ 85. Not enough evidence to release new"
    )
    assert lead(found, "zh") == f"old 不得发布：总分 {measured}，要求 ≥ 85。证据不足，不能发布 new"
    assert lead(found, "zh-Hant").startswith("old 不得發布：")
    assert lead(found, "ru").startswith("old: выпуск недопустим — общая оценка 64,0")
    both = replace(found, checks=(replace(other, decision="fail"), cause))
    assert lead(both, "en") == f"old must not be released: overall {measured}, needs ≥ 85. new must not be released"
    assert check_label(cause, "zh") == "old：总分"


def test_a_decision_over_invented_law_says_so():
    """On the page, and no condition that citations meet is green there."""
    met = replace(MEASURED, decision="pass", measure="citation_validity")
    found = replace(FAILED, checks=(MEASURED, met))
    said = page(found, "en", "Ardmere").decode()
    assert "INVENTED LAW: Ardmere" in said
    assert '<td class="neutral">' in said
    assert '<td class="pass">' not in said
    assert "INVENTED LAW" not in page(found, "en").decode()


def test_markdown_over_invented_law_says_so():
    """Beside a pull request it stands above the table, and what citations of it meet has no green mark."""
    met = replace(MEASURED, decision="pass", measure="citation_validity")
    found = replace(FAILED, checks=(MEASURED, met))
    said = summary(found, "en", "Ardmere")
    assert said.index("INVENTED LAW: Ardmere") < said.index("| --- |")
    assert "✅" not in said
    assert "✅" in summary(found, "en")


def test_numbers_are_those_of_the_language_in_sentences_and_tables():
    """A Russian summary has no decimal points, and between two numbers there is a semicolon."""
    assert lead(FAILED, "ru") == "a: выпуск недопустим — общая оценка 64,0 [60,8; 67,2], нужно ≥ 85"
    told = summary(FAILED, "ru")
    assert "64,0" in told
    assert "64.0" not in told
    assert "условие | значение" in told
