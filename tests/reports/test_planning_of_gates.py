"""What a gate says to those who want a decision: which marks are not needed any more, and what would decide for the least money."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.explaining import reason_text, sentence
from benchbar.decisions.gate import decide
from benchbar.decisions.planning import UnitPrices, sample_cost
from benchbar.decisions.policy import JudgeError, NotWorse, Policy
from benchbar.languages.packs import known
from benchbar.records import MissingKind, Spending


def keys(check) -> list[str]:
    return [one.key for one in check.reasons]


def values_of(check, key: str) -> dict[str, object]:
    return next(one.values for one in check.reasons if one.key == key)


def test_a_gate_that_is_decided_says_which_marks_are_not_needed():
    """200 dialogues drawn for people, 120 marked and all good: the other 80 are not needed, in every language."""
    values = {"overall": {f"s{i}": 0.95 for i in range(300)}}
    marks = Marks({f"s{i}": 1.0 for i in range(120)}, {f"s{i}": 0.4 for i in range(300)}, waiting=80)
    found = decide(Policy(at_least={"overall": 0.7}), {"a": Evidence(values, {"overall": marks})})
    (check,) = found.checks
    assert found.decision == "pass"
    assert values_of(check, "decided_after") == {"marks": 120, "planned": 200, "waiting": 80}
    assert "decided after 120 of 200 human marks" in sentence(found, "en")
    assert all("120" in reason_text(check, language) and "80" in reason_text(check, language) for language in known())


def test_an_open_gate_does_not_call_marks_needless():
    """Twelve marks decide nothing: it says how many more would."""
    values = {"overall": {f"s{i}": 0.8 for i in range(300)}}
    marks = Marks({f"s{i}": float(i % 4 > 0) for i in range(12)}, {f"s{i}": 0.4 for i in range(300)}, waiting=80)
    (check,) = decide(Policy(at_least={"overall": 0.7}), {"a": Evidence(values, {"overall": marks})}).checks
    assert check.decision == "insufficient_evidence"
    assert "decided_after" not in keys(check)


def test_at_the_prices_of_the_run_more_samples_have_a_price():
    """The samples that would decide, times what a sample cost; without prices nothing is said of money."""
    generator = np.random.default_rng(1)
    own = Evidence({"overall": {f"s{i}": float(generator.random() < 0.9) for i in range(60)}})
    policy = Policy(at_least={"overall": 0.8})
    found = decide(policy, {"a": own}, prices=UnitPrices(sample=0.25))
    (check,) = found.checks
    more = found.missing["overall"]
    assert values_of(check, "cheapest_samples") == {"more": more, "cost": f"{0.25 * more:.3g}"}
    assert "at this run's prices" in reason_text(check, "en")
    assert "cheapest_samples" not in keys(decide(policy, {"a": own}).checks[0])


def test_failed_dialogues_again_are_cheaper_than_more_samples():
    """80 good dialogues and 20 that failed: those 20 again decide for a fraction of the price, and it is said."""
    values = {f"s{i}": 1.0 if i < 80 else None for i in range(100)}
    own = Evidence({"overall": values}, missing={"overall": {f"s{i}": MissingKind.FAILED for i in range(80, 100)}})
    (check,) = decide(Policy(at_least={"overall": 0.85}), {"a": own}, prices=UnitPrices(sample=0.5)).checks
    assert check.decision == "insufficient_evidence"
    assert values_of(check, "cheapest_again_pass") == {"count": 20, "cost": "10"}


def test_documents_are_what_is_missing_where_samples_belong_together():
    """Eight documents of five samples: the samples that would decide are told as documents."""
    generator = np.random.default_rng(3)
    own = Evidence(
        {"overall": {f"s{i}": float(generator.random() < 0.95) for i in range(40)}},
        clusters={f"s{i}": f"document:{i // 5}" for i in range(40)},
    )
    found = decide(Policy(at_least={"overall": 0.7}), {"a": own})
    said = values_of(found.checks[0], "more_documents")
    assert said["size"] == 5
    assert said["documents"] * 5 >= found.missing["overall"]


def test_a_stated_error_of_the_judge_that_stands_in_the_way_says_what_would_do():
    """Wide by .1, the interval holds the threshold; with the error that is named, the same samples pass."""
    own = Evidence({"overall": {f"s{i}": 1.0 for i in range(60)}})
    policy = Policy(at_least={"overall": 0.9}, judge=JudgeError(error=0.1, source="validation"))
    (check,) = decide(policy, {"a": own}).checks
    enough = values_of(check, "better_judge")["error"]
    better = structs.replace(policy, judge=JudgeError(error=enough - 1e-4, source="validation"))
    assert check.decision == "insufficient_evidence"
    assert decide(better, {"a": own}).decision == "pass"


def test_the_price_of_a_sample_is_that_of_all_roles(rules_run):
    """Assistant, user and judge together, over the samples; a run without prices has none."""
    results = rules_run.results
    assert sample_cost(results) is None
    spent = {"assistant": Spending(cost=4.0), "judge": Spending(cost=7.0), "simulator": Spending()}
    assert sample_cost(structs.replace(results, spending=spent)) == pytest.approx(11 / results.samples)


def test_where_people_mark_more_marks_have_the_price_that_is_stated():
    """Marks have no price in a run: whoever asks for the decision says what one costs."""
    values = {"overall": {f"s{i}": 0.8 for i in range(300)}}
    marks = Marks({f"s{i}": 0.6 + 0.1 * (i % 4) for i in range(60)}, {f"s{i}": 0.4 for i in range(300)}, waiting=80)
    own = Evidence(values, {"overall": marks})
    (check,) = decide(Policy(at_least={"overall": 0.7}), {"a": own}, prices=UnitPrices(sample=1.0, mark=4.0)).checks
    told = {one.key: one.values for one in check.reasons}
    assert check.decision == "insufficient_evidence"
    assert float(told["cheapest_marks"]["cost"]) == pytest.approx(4.0 * told["cheapest_marks"]["more"], rel=0.01)
    assert "cheapest_samples" not in told


def test_a_distance_that_no_truth_can_reach_is_not_stated_as_one():
    """A share ends at 100%: "42.8 beyond 85" would be a riddle."""
    own = Evidence({"overall": {f"s{n}": (0.2, 0.9, 1.0)[n % 3] for n in range(36)}})
    (check,) = decide(Policy(at_least={"overall": 0.85}), {"a": own}).checks
    assert check.detectable is not None
    assert check.threshold + check.detectable > 1
    assert "no truth would pass with 80% power" in check.reason
    assert "beyond the threshold," not in check.reason


def test_no_number_of_samples_is_promised_where_most_of_their_values_will_be_missing():
    """Nine of thirty values known: further samples would leave as much open, and the number is not "21 more"."""
    values = {f"s{n}": float(n % 9 < 5) for n in range(9)}
    reasons = {f"s{n}": MissingKind.UNDECIDED for n in range(9, 30)}
    own = Evidence({"overall": values | dict.fromkeys(reasons)}, missing={"overall": reasons})
    found = decide(Policy(at_least={"overall": 0.8}), {"a": own})
    assert found.decision == "insufficient_evidence"
    assert found.missing == {}
    assert "more samples would not decide" in found.checks[0].reason


UNDECIDED = {f"s{n}": MissingKind.UNDECIDED for n in range(40)}


@pytest.mark.parametrize(
    ("values", "kinds", "cure"),
    [
        (dict.fromkeys(UNDECIDED), UNDECIDED, "let a judge or people decide what is undecided in 40 dialogues"),
        (
            {f"s{n}": 1.0 if n >= 20 else None for n in range(60)},
            {f"s{n}": MissingKind.FAILED for n in range(20)},
            "run the 20 dialogues without a readable answer again; of a recorded assistant, bring the answers",
        ),
        (
            {f"s{n}": 1.0 if n >= 20 else None for n in range(60)},
            {f"s{n}": MissingKind.DISPUTED for n in range(20)},
            "let people settle what they dispute in 20 dialogues",
        ),
    ],
    ids=["safety that no one marked", "dialogues that failed", "marks that people dispute"],
)
def test_what_no_sample_would_cure_is_told_with_what_would(values, kinds, cure):
    """Values that are missing are brought by a judge, by people or by another start, and no number of samples is named."""
    found = decide(Policy(at_least={"safety": 0.9}), {"a": Evidence({"safety": values}, missing={"safety": kinds})})
    assert found.decision == "insufficient_evidence"
    assert found.missing == {}
    assert cure in reason_text(found.checks[0], "en")
    assert "would confirm" not in reason_text(found.checks[0], "en")


def test_an_error_of_the_judge_that_hides_the_distance_is_not_cured_by_samples():
    """Nine tenths against .88 with an error of .05: no number of samples tells, and it says what would."""
    own = Evidence({"overall": {f"s{n}": float(n % 10 > 0) for n in range(400)}})
    policy = Policy(at_least={"overall": 0.88}, judge=JudgeError(error=0.05, source="validation"))
    found = decide(policy, {"a": own})
    assert found.missing == {}
    assert "marks of people, or a judge with a smaller error, would" in reason_text(found.checks[0], "en")


def test_a_baseline_that_was_not_given_is_no_want_of_samples():
    """Comparing needs a second run, and no sample more."""
    own = Evidence({"overall": {f"s{n}": 1.0 for n in range(60)}})
    found = decide(Policy(not_worse=NotWorse(margin=0.05, measures=("overall",))), {"a": own})
    assert found.missing == {}
    assert "no baseline run was given" in found.checks[0].reason
