"""The decision in a sentence names those whom it is about."""

from __future__ import annotations

from benchbar.decisions.explaining import sentence, short_sentence
from benchbar.records import GateCheck, GateDecision
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
