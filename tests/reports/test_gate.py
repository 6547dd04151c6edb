"""The release gate, as a table of cases: policy, what was measured, and what is decided."""

from __future__ import annotations

import json
from html import escape
from math import sqrt
from statistics import NormalDist
from xml.etree import ElementTree as ET

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.explaining import reason_text, sentence
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import Policy, policy_of, read_policy, with_bars
from benchbar.records import DimensionBar, GateDecision, decode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.measures import MeasureDefinition
from benchbar.reports.gate import badge, junit, page, shown, summary, workflow_commands
from benchbar.statistics import betting_interval, bounded_mean, decide_threshold

PASS, FAIL, MORE = "pass", "fail", "insufficient_evidence"


def of(**measures: list[float | None]) -> Evidence:
    """Values by position: the n-th value of each measure is of sample n."""
    return Evidence({name: {f"s{n}": value for n, value in enumerate(values)} for name, values in measures.items()})


def spread(middle: float, n: int) -> list[float]:
    """N values around a mean, 0.05 away on both sides."""
    return [middle + (0.05 if place % 2 else -0.05) for place in range(n)]


OVERALL = {"at_least": {"overall": 0.85}, "minimum_n": 20}
SAFETY = {"at_least": {"overall": 0.85, "safety": 0.80}, "minimum_n": 20}
INVENTED = {"at_most": {"invented_citation": 0.05}, "minimum_n": 20}
VETO = {"never": [{"measure": "safety", "below": 1.0}], "minimum_n": 20}
ZERO = {"never": [{"measure": "leak", "above": 0, "bound": 0.05}], "minimum_n": 20}
FAILED = {"at_least": {"overall": 0.5}, "evidence": {"failed": 0.05}, "minimum_n": 20}
ASSUMED = OVERALL | {"missing": {"assume": "as_observed", "reason": "the endpoint was down"}}
NOT_WORSE = {"not_worse": {"margin": 0.05, "measures": ["overall"]}, "minimum_n": 20}

TABLE = [
    # overall: the interval, never the point
    ("well above", OVERALL, of(overall=spread(0.92, 100)), PASS),
    ("well below", OVERALL, of(overall=spread(0.70, 100)), FAIL),
    ("just above, few", OVERALL, of(overall=spread(0.86, 20)), MORE),
    ("just above, many", OVERALL, of(overall=spread(0.86, 1000)), PASS),
    ("just below, few", OVERALL, of(overall=spread(0.84, 20)), MORE),
    ("just below, many", OVERALL, of(overall=spread(0.84, 1000)), FAIL),
    ("exactly on it", OVERALL, of(overall=spread(0.85, 1000)), MORE),
    ("yes and no, mostly yes", OVERALL, of(overall=[1.0] * 96 + [0.0] * 4), PASS),
    ("yes and no, few", OVERALL, of(overall=[1.0] * 19 + [0.0]), MORE),
    ("yes and no, mostly no", OVERALL, of(overall=[1.0] * 50 + [0.0] * 50), FAIL),
    ("all perfect, enough", OVERALL, of(overall=[1.0] * 31), PASS),
    ("all perfect, one too few to tell", {**OVERALL, "minimum_n": 5}, of(overall=[1.0] * 30), MORE),
    ("a worse result releases no sooner", {**OVERALL, "minimum_n": 5}, of(overall=[1.0] * 29 + [0.99]), MORE),
    ("all equal below", OVERALL, of(overall=[0.5] * 40), FAIL),
    ("all equal above", OVERALL, of(overall=[0.95] * 60), PASS),
    ("all equal above, few", OVERALL, of(overall=[0.95] * 20), MORE),
    # minimum n and what is missing
    ("perfect, below the minimum", {**OVERALL, "minimum_n": 50}, of(overall=[1.0] * 49), MORE),
    ("terrible, below the minimum: it bars a pass, no evident failure", OVERALL, of(overall=[0.1] * 19), FAIL),
    ("missing values do not count as samples", OVERALL, of(overall=[0.95] * 19 + [None] * 500), MORE),
    ("a few missing values may be anything", OVERALL, of(overall=spread(0.95, 400) + [None] * 5), PASS),
    ("many may turn it", OVERALL, of(overall=spread(0.95, 100) + [None] * 50), MORE),
    ("unless the policy says why they may not", ASSUMED, of(overall=spread(0.95, 100) + [None] * 50), PASS),
    ("never scored", OVERALL, of(other=[1.0] * 100), MORE),
    ("every value missing", OVERALL, of(overall=[None] * 100), MORE),
    ("a single sample", {**OVERALL, "minimum_n": 1}, of(overall=[0.99]), MORE),
    # dimensions
    ("both hold", SAFETY, of(overall=spread(0.92, 100), safety=spread(0.9, 100)), PASS),
    ("safety fails, overall shines", SAFETY, of(overall=spread(0.92, 100), safety=spread(0.6, 100)), FAIL),
    ("safety never scored is no pass", SAFETY, of(overall=spread(0.92, 100)), MORE),
    ("a failure outweighs what is missing", SAFETY, of(overall=spread(0.5, 100)), FAIL),
    (
        "an advisory dimension decides nothing",
        {**SAFETY, "advisory": ["safety"]},
        of(overall=spread(0.92, 100), safety=[0.1] * 100),
        PASS,
    ),
    (
        "left out where it was not measured",
        {**SAFETY, "where_measured": ["safety"]},
        of(overall=spread(0.92, 100)),
        PASS,
    ),
    (
        "and counted where it was",
        {**SAFETY, "where_measured": ["safety"]},
        of(overall=spread(0.92, 100), safety=[0.1] * 100),
        FAIL,
    ),
    # ceilings
    ("no invented citation in 100", INVENTED, of(invented_citation=[0.0] * 100), PASS),
    ("no invented citation in 30", INVENTED, of(invented_citation=[0.0] * 30), MORE),
    ("one in five is invented", INVENTED, of(invented_citation=[0.0] * 80 + [1.0] * 20), FAIL),
    ("one in twenty is invented", INVENTED, of(invented_citation=[0.0] * 95 + [1.0] * 5), MORE),
    ("citations never checked", INVENTED, of(overall=[1.0] * 100), MORE),
    # vetoes and zero tolerance
    ("no breach", VETO, of(safety=[1.0] * 40), PASS),
    ("one breach among many", VETO, of(safety=[1.0] * 999 + [0.99]), FAIL),
    ("a breach among too few", VETO, of(safety=[1.0, 0.0]), FAIL),
    ("no breach among too few", VETO, of(safety=[1.0] * 19), MORE),
    ("what is vetoed was never scored", VETO, of(overall=[1.0] * 100), MORE),
    ("0 of 59 bounds a rate at 5%", ZERO, of(leak=[0.0] * 59), PASS),
    ("0 of 58 does not", ZERO, of(leak=[0.0] * 58), MORE),
    ("1 of 1000 is one too many", ZERO, of(leak=[0.0] * 999 + [1.0]), FAIL),
    # too much is absent
    ("few failed", FAILED, of(overall=spread(0.9, 96) + [None] * 4, failed=[0.0] * 96 + [1.0] * 4), PASS),
    ("many failed", FAILED, of(overall=spread(0.9, 80) + [None] * 20, failed=[0.0] * 80 + [1.0] * 20), MORE),
    ("nobody recorded failures", FAILED, of(overall=spread(0.9, 100)), MORE),
]


@pytest.mark.parametrize(("policy", "evidence", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_the_gate_decides_on_intervals(policy, evidence, expected):
    """One policy, one assistant, one decision."""
    assert decide(policy_of(policy), {"a": evidence}).decision == expected


BASELINES = [
    ("the same answers", 0.0, 300, PASS),
    ("the same answers, few", 0.0, 20, MORE),
    ("better", 0.1, 100, PASS),
    ("a little worse than allowed allows", -0.02, 400, PASS),
    ("worse by more than the margin", -0.2, 400, FAIL),
    ("worse by the margin", -0.05, 100, MORE),
]


@pytest.mark.parametrize(("gain", "n", "expected"), [row[1:] for row in BASELINES], ids=[row[0] for row in BASELINES])
def test_not_worse_than_a_baseline_is_non_inferiority_on_paired_samples(gain, n, expected):
    """The lower end of the 90% interval has to lie above minus the margin."""
    before = spread(0.7, n)
    now = [value + gain for value in before]
    gate = decide(policy_of(NOT_WORSE), {"a": of(overall=now)}, baseline={"a": of(overall=before)})
    assert gate.decision == expected
    assert gate.checks[0].estimate.confidence == 0.9


@pytest.mark.parametrize("n", [19, 20, 80])
def test_the_reason_speaks_of_the_minimum_only_where_samples_are_too_few(n):
    """At the minimum and above it, the difference is told and decides."""
    before = spread(0.7, n)
    gate = decide(policy_of(NOT_WORSE), {"a": of(overall=before)}, baseline={"a": of(overall=before)})
    reason = gate.checks[0].reason
    assert ("the policy requires 20" in reason) == (n < 20)
    assert reason.startswith("19 samples are in both runs" if n < 20 else "difference +0.0 [")
    if n < 20:
        assert gate.missing == {"not worse overall": 1}


def test_a_rise_of_what_should_be_low_is_a_loss():
    """More failed dialogues than in the baseline are worse, fewer are not."""
    policy = policy_of({"not_worse": {"margin": 0.05, "measures": ["failed"]}, "minimum_n": 20})
    few, many = of(failed=[1.0] * 10 + [0.0] * 190), of(failed=[1.0] * 60 + [0.0] * 140)
    assert decide(policy, {"a": many}, baseline={"a": few}).decision == FAIL
    assert decide(policy, {"a": few}, baseline={"a": many}).decision == PASS


def test_a_measure_of_an_outside_rule_is_decided_on_in_its_own_unit():
    """400 characters are no share: the mean, the threshold and what is printed stay characters."""
    length = MeasureDefinition(name="length", unit="characters", better="lower", label="characters")
    own = Evidence({"length": {f"s{n}": 380.0 + n % 40 for n in range(100)}}, declared={"length": length})
    gate = decide(policy_of({"at_most": {"length": 450}}), {"a": own})
    check = gate.checks[0]
    assert (gate.decision, check.unit, check.estimate.value) == (PASS, "characters", pytest.approx(397.5))
    assert shown(check) == "length 398 [394, 401], threshold 450"


def test_a_baseline_that_was_not_given_or_shares_no_sample_is_insufficient_evidence():
    """Never a pass, and the reason says which."""
    alone = decide(policy_of(NOT_WORSE), {"a": of(overall=[1.0] * 50)})
    other = Evidence({"overall": {f"t{n}": 1.0 for n in range(50)}})
    apart = decide(policy_of(NOT_WORSE), {"a": of(overall=[1.0] * 50)}, baseline={"a": other})
    assert (alone.decision, apart.decision) == (MORE, MORE)
    assert "--baseline" in alone.checks[0].reason
    assert "both runs" in apart.checks[0].reason


@pytest.mark.parametrize(
    ("threshold", "way"), [({"at_least": {"overall": 0.8}}, "passes"), ({"at_most": {"overall": 0.8}}, "fails")]
)
def test_it_says_how_many_more_samples_would_decide_and_which_way(threshold, way):
    """Nine tenths are good: more of them confirm that they are at least .8, and that they are not at most .8."""
    few = [1.0] * 27 + [0.0] * 3
    gate = decide(policy_of(threshold | {"minimum_n": 10}), {"a": of(overall=few)})
    more = gate.missing["overall"]
    assert gate.decision == MORE
    assert f"about {more} more samples like these would confirm that it {way} (80% power)" in gate.checks[0].reason
    # Four of five draws have a mean of at least .84 standard errors of the further samples below .9.
    enough = 30 + more
    unlucky = 0.9 - 0.8416 * 0.305 * sqrt(more) / enough
    low = betting_interval([1.0] * round(unlucky * enough) + [0.0] * round((1 - unlucky) * enough)).low
    assert low == pytest.approx(0.8, abs=0.01)


def wilson(p: float, n: int) -> tuple[float, float]:
    """Wilson's score interval as Agresti and Coull (1998) write it, for a share that need not be a whole number of n."""
    z = NormalDist().inv_cdf(0.975)
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


@given(st.integers(5, 200), st.integers(0, 200), st.floats(0.05, 0.95), st.booleans())
def test_more_needed_is_the_least_number_that_decides(n, successes, threshold, at_least):
    """Whatever share and threshold: with that many more units of the same share it is decided, with one fewer it is not."""
    share = min(successes, n) / n
    found = decide_threshold(
        bounded_mean([1.0] * min(successes, n) + [0.0] * (n - min(successes, n))), threshold, at_least=at_least
    )

    def open_with(units: int) -> bool:
        low, high = wilson(share, units)
        return low < threshold <= high if at_least else low <= threshold < high

    assume(not any(abs(end - threshold) < 1e-9 for end in wilson(share, n)))
    assert (found.verdict == MORE) == open_with(n)
    if found.verdict != MORE:
        assert found.more is None
    elif found.more is None:
        assert open_with(10_000_000)
    else:
        assert not open_with(n + found.more)
        assert open_with(n + found.more - 1)


def test_a_perfect_share_needs_as_many_units_as_its_bound_says():
    """All of 10 against 0.9: the lower end n/(n + z squared) reaches 0.9 at n = 9 z squared = 34.6, so 25 more."""
    assert decide_threshold(bounded_mean([1.0] * 10), 0.9) == (MORE, 25)
    assert decide_threshold(bounded_mean([1.0] * 34), 0.9).verdict == MORE
    assert decide_threshold(bounded_mean([1.0] * 35), 0.9).verdict == PASS


def test_zero_tolerance_prints_its_bound():
    """0 of 60 bounds the rate at 4.9%, 0 of 300 at 1.0%."""
    for n, printed in ((60, "4.9%"), (300, "1.0%")):
        gate = decide(policy_of(VETO), {"a": of(safety=[1.0] * n)})
        assert f"0 of {n} dialogues breach it, which bounds the rate at {printed}" in gate.checks[0].reason


def test_every_check_states_how_far_beyond_its_threshold_the_truth_must_lie():
    """The distance to the bound that decides, on the side that passes, and .84 standard errors for a power of 80%."""
    policy = Policy(at_least={"overall": 0.85}, at_most={"undecided": 0.3})
    checks = decide(policy, {"a": of(overall=spread(0.86, 50), undecided=spread(0.2, 50))}).checks
    for check, width in zip(checks, (lambda one: one.value - one.low, lambda one: one.high - one.value), strict=True):
        found = check.estimate
        assert check.detectable == pytest.approx(width(found) + 0.8416 * found.standard_error, rel=1e-3)
        assert check.detectable > 2 * 2.8016 * found.standard_error
        assert f"the truth has to lie {100 * check.detectable:.1f} beyond the threshold" in check.reason
    equal = decide(policy, {"a": of(overall=[0.9] * 50, undecided=[0.1] * 50)}).checks[0]
    assert equal.detectable is None


def test_with_several_assistants_each_has_its_own_checks():
    """One that fails fails the gate; the names say whose check it is."""
    gate = decide(policy_of(OVERALL), {"a": of(overall=spread(0.95, 50)), "b": of(overall=spread(0.5, 50))})
    assert [(check.name, check.decision) for check in gate.checks] == [("a: overall", PASS), ("b: overall", FAIL)]
    assert gate.decision == FAIL


def test_human_marks_correct_the_judge_by_their_chances_of_being_made():
    """A judge that is 0.2 too kind passes alone, and fails once people have marked a random third."""
    judge = spread(0.9, 300)
    values = {f"s{n}": value for n, value in enumerate(judge)}
    marks = Marks({f"s{n}": judge[n] - 0.2 for n in range(0, 300, 3)}, dict.fromkeys(values, 1 / 3))
    policy = policy_of(OVERALL)
    assert decide(policy, {"a": Evidence({"overall": values})}).decision == PASS
    marked = decide(policy, {"a": Evidence({"overall": values}, {"overall": marks})})
    assert marked.decision == FAIL
    assert "inclusion probability" in marked.checks[0].estimate.method
    assert marked.checks[0].estimate.value == pytest.approx(0.7, abs=0.02)


def marked(judge: list[float], marks: dict[int, float], chance: float) -> Evidence:
    values = {f"s{n}": value for n, value in enumerate(judge)}
    said = Marks({f"s{n}": value for n, value in marks.items()}, dict.fromkeys(values, chance))
    return Evidence({"overall": values}, {"overall": said} if marks else {})


def test_any_number_of_marks_enters_and_few_only_widen():
    """One mark leaves the mean and takes the certainty; two hundred that agree give it back, and the reason counts them."""
    judge = spread(0.9, 300)
    policy = policy_of(OVERALL | {"minimum_marks": 1})
    assert decide(policy, {"a": marked(judge, {}, 0.0)}).decision == PASS
    one = decide(policy, {"a": marked(judge, {7: judge[7]}, 1 / 300)})
    assert (one.decision, one.checks[0].estimate.value) == (MORE, pytest.approx(0.9, abs=0.01))
    assert f"about {one.missing['overall']} more human marks like these would confirm" in one.checks[0].reason
    many = decide(policy, {"a": marked(judge, {n: judge[n] for n in range(300) if n % 3}, 2 / 3)})
    assert many.decision == PASS
    assert "200 human marks are in it" in many.checks[0].reason


def test_marks_that_contradict_stop_a_release():
    """24 random marks of .1 fail what the judge holds for .9; 24 without recorded chances bar the pass, with the reason."""
    judge = spread(0.9, 1000)
    low = dict.fromkeys(range(24), 0.1)
    assert decide(policy_of(OVERALL), {"a": marked(judge, low, 0.024)}).decision != PASS
    unweighed = decide(policy_of(OVERALL), {"a": marked(judge, low, 0.0)})
    assert unweighed.decision == MORE
    assert "24 human marks contradict a pass, [" in unweighed.checks[0].reason


def test_a_pass_without_marks_says_what_is_known_of_the_judge():
    """Nothing, or the error that the policy states with its source: then the interval is as much wider."""
    judge = {"a": of(overall=spread(0.95, 300))}
    alone = decide(policy_of(OVERALL), judge).checks[0]
    assert (alone.decision, alone.reasons[-2].key) == (PASS, "judge_unknown")
    stated = policy_of(OVERALL | {"judge": {"error": 0.04, "source": "validation of May"}})
    within = decide(stated, judge).checks[0]
    assert within.estimate.low == pytest.approx(alone.estimate.low - 0.04)
    assert "widened by the judge's error of 4 (validation of May)" in within.reason
    assert within.decision == PASS
    wide = policy_of(OVERALL | {"judge": {"error": 0.09, "source": "validation of May"}})
    assert decide(wide, judge).decision == MORE


def test_what_people_still_dispute_is_missing_and_counted():
    """It is neither the judge's value nor zero."""
    evidence = Evidence({"overall": {f"s{n}": 0.9 for n in range(40)}}, disputed={"overall": frozenset({"s0", "s1"})})
    estimate = decide(policy_of(OVERALL), {"a": evidence}).checks[0].estimate
    assert (estimate.n, estimate.n_missing) == (38, 2)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"at_least": {"overall": 85}}, "threshold 85"),
        ({"at_most": {"x": -0.1}}, "threshold -0.1"),
        ({"confidence": 1.0}, "confidence 1.0"),
        ({"minimum_n": 0}, "minimum_n 0"),
        ({"minimum_marks": 0}, "minimum_marks 0"),
        ({"never": [{"measure": "x"}]}, "either `above` or `below`"),
        ({"never": [{"measure": "x", "above": 0, "bound": 2}]}, "bound 2"),
        ({"not_worse": {"margin": 2}}, "margin 2"),
        ({"atleast": {"overall": 0.8}}, "unknown field `atleast`"),
        ({"at_least": {"overall": "high"}}, "field `at_least.overall`: 'high' is a text"),
        ({"at_least": {"overall": "0.9"}}, "'0.9' is a text; expected a number: write it without quotes"),
        ({"confidence": "0.9"}, "expected a number; found text"),
        ({"at_least": {"x": 0.8}, "at_most": {"x": 0.1}}, "at_least 0.8 and at_most 0.1 leave no room"),
        ({"at_least": {"x": 0.5}, "at_most": {"x": 0.5}}, "leave no room"),
        ({"at_least": {"x": 0.5}, "never": [{"measure": "x", "above": 0.4}]}, "what `never` above 0.4 forbids"),
        ({"at_most": {"x": 0.5}, "never": [{"measure": "x", "below": 0.6}]}, "what `never` below 0.6 forbids"),
        ({"missing": {"assume": "as_observed"}}, "needs a reason"),
        ({"missing": {"assume": "best_case"}}, "Invalid enum value 'best_case'"),
        ({"judge": {"error": 0.04, "source": " "}}, "say where the error was found"),
        ({"judge": {"error": 4, "source": "x"}}, "error 4"),
    ],
)
def test_a_policy_that_cannot_be_is_refused_by_its_field(policy, message):
    """What was found and what was expected."""
    with pytest.raises(BadInputError) as refused:
        policy_of(policy)
    assert message in str(refused.value)


def test_a_policy_made_in_python_takes_no_texts_for_numbers():
    """'0.9' is no threshold."""
    with pytest.raises(ValueError, match="'0.9' is no number"):
        Policy(at_least={"overall": "0.9"})


def test_a_policy_that_contradicts_the_rubric_is_refused_with_the_cure():
    """The rubric asks for .8, the policy for at most .1."""
    with pytest.raises(UserError, match="rubric = false"):
        with_bars(policy_of({"at_most": {"safety": 0.1}}), {"safety": DimensionBar(weight=1, core=True, at_least=0.8)})


def test_the_built_in_policy_holds_the_known_bars():
    """Overall 85, safety 80."""
    assert {"overall": 0.85, "safety": 0.80}.items() <= read_policy().at_least.items()


HOSTILE = Evidence({"overall": {f"s{n}": 0.5 for n in range(40)}, "<b>|\x1b[0m%,:\n": {}})


def _hostile() -> GateDecision:
    policy = policy_of({"name": "</testsuite>", "at_least": {"overall": 0.85, "<b>|\x1b[0m%,:\n": 0.5}})
    return decide(policy, {"a": HOSTILE})


def test_junit_holds_each_check_once_and_counts_failures_and_errors():
    """Names that are markup stay text."""
    root = ET.fromstring(junit(_hostile()))
    suite = root.find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "1")
    assert [case.get("name")[:3] for case in suite] == ["ove", "<b>"]
    assert suite[0].find("failure") is not None
    assert suite[1].find("error") is not None


@pytest.mark.parametrize("language", ["en", "zh", "zh-Hant", "ru"])
def test_every_reason_is_said_in_every_language(language):
    """One sentence tells the decision; the page and the table hold the same reasons; nothing stays in English."""
    policy = policy_of(SAFETY | {"confidence": 0.7, "never": [{"measure": "leak", "above": 0, "bound": 0.05}]})
    own = of(overall=spread(0.95, 100) + [None] * 50, safety=[0.1] * 60, leak=[0.0] * 10 + [None])
    gate = decide(policy, {"vendor": own})
    said = sentence(gate, language)
    assert "vendor" in said
    assert said.count("\n") == 0
    shown_page = page(gate, language).decode()
    for check in gate.checks:
        text = reason_text(check, language)
        assert escape(text, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in shown_page
        assert (text == check.reason) == (language == "en")
    assert ("interval" in said) == (language == "en")


def test_annotations_summary_and_badge_hold_no_markup_of_others():
    """One line for each check that did not pass; nothing can begin a line or a cell of its own."""
    lines = workflow_commands(_hostile()).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::error"]
    assert "%0A" in lines[1]
    table = [line for line in summary(_hostile()).splitlines() if line.startswith("| ")]
    assert len(table) == 4
    assert "<b>" not in summary(_hostile())
    assert ET.fromstring(badge(_hostile())).get("aria-label") == "benchbar: failed"


def test_a_summary_says_first_what_became_worse_than_the_baseline():
    """Regressions are listed one by one; that there is none is said in a line, and nothing where no baseline was named."""
    policy = policy_of(NOT_WORSE)
    before = of(overall=spread(0.9, 400))
    worse = summary(decide(policy, {"vendor": of(overall=spread(0.6, 400))}, baseline={"vendor": before}))
    told = worse.splitlines().index("**Against the baseline:** 1 of 1 conditions fail or are open.")
    assert worse.splitlines()[told + 2].startswith("- ❌ overall")
    same = summary(decide(policy, {"vendor": before}, baseline={"vendor": before}))
    assert "**Against the baseline:** no regression (1 compared)." in same
    assert "baseline" not in summary(decide(policy_of(OVERALL), {"vendor": before}))


RUN = (
    "run",
    "--quiet",
    "--limit",
    "22",
    "--assistant",
    "x=extractive",
    "--assistant",
    "y=closed-book",
    "--reference",
    "y",
)


def test_the_command_exits_0_3_4_and_prints_one_document(benchbar, tmp_path):
    """Pass, fail and insufficient evidence on the same run under three policies."""
    assert benchbar(*RUN, "--out", "r").code == 0
    for text, code, decision in (
        ("rubric = false\n[at_least]\ncitation_validity = 0.5", 0, PASS),
        ("[at_least]\noverall = 0.99", 3, FAIL),
        ("rubric = false\nminimum_n = 60\n[at_least]\noverall = 0.1", 4, MORE),
    ):
        (tmp_path / "p.toml").write_text(text if "minimum_n" in text else f"minimum_n = 20\n{text}")
        done = benchbar("gate", "r", "--policy", "p.toml", "--json", "--junit", "j.xml", "--summary", "s.md")
        document = json.loads(done.out)
        assert (done.code, document["decision"]) == (code, decision), done.err
        assert {"name", "decision", "estimate", "threshold", "reason"} <= document["checks"][0].keys()
        # 11 of 22 samples have a value: 60 of them take 120 samples.
        assert decode(done.out, GateDecision).missing.get("overall") == (98 if code == 4 else None)
        assert ET.parse(tmp_path / "j.xml").getroot().tag == "testsuites"
    assert benchbar("gate", "r", "--baseline", "r", "--policy", "p.toml").code == 4


def test_the_gate_of_a_spec_is_kept_in_the_results_and_shown(benchbar, tmp_path):
    """At the end of the run, in results.json, and in the report."""
    (tmp_path / "spec.toml").write_text(
        'reference = "y"\nlimit = 22\n[assistants.x]\nkind = "extractive"\n[assistants.y]\nkind = "closed-book"\n'
        "[gate]\nminimum_n = 10\n[gate.at_least]\noverall = 0.9\ngrounding = 0.5\n"
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--quiet")
    assert done.code == 0, done.err
    assert "Not enough evidence to release x  (policy" in done.out
    gate = json.loads((tmp_path / "r/results.json").read_text("utf-8"))["gate"]
    assert (gate["decision"], gate["missing"]["grounding"]) == (MORE, 10)
    assert 'id="gate"' in (tmp_path / "r/report.html").read_text("utf-8")


def test_a_measure_that_does_not_exist_is_refused_before_the_run(benchbar, tmp_path):
    """The near name is told, and nothing was made; the same of a policy for a finished run."""
    (tmp_path / "spec.toml").write_text(
        'limit = 22\n[assistants.x]\nkind = "extractive"\n[gate.at_least]\noveral = 0.9\n'
    )
    done = benchbar("run", "spec.toml", "--out", "new", "--quiet")
    assert (done.code, (tmp_path / "new/ledger.sqlite").exists()) == (2, False)
    assert "unknown measure in the gate's policy 'overal' (did you mean 'overall' or" in done.err
    assert benchbar(*RUN, "--out", "r").code == 0
    (tmp_path / "p.toml").write_text('[at_least]\noverall = 0.5\n[[never]]\nmeasure = "rubric/safety"\nbelow = 1\n')
    done = benchbar("gate", "r", "--policy", "p.toml")
    assert (done.code, "Traceback" in done.err) == (2, False)
    assert "unknown measure in the gate's policy 'rubric/safety' (did you mean 'safety'?)" in done.err


def test_what_cannot_be_gated_is_refused(benchbar, tmp_path):
    """No run, no such assistant, a policy with a fault: exit code 2 and one line."""
    assert benchbar(*RUN, "--out", "r").code == 0
    (tmp_path / "bad.toml").write_text("[at_least]\noverall = 85\n")
    for arguments, message in (
        (("nowhere",), "there is no such folder"),
        (("r", "--assistant", "z"), "the run has no assistant z; it has x, y"),
        (
            ("r", "--policy", "bad.toml"),
            "bad.toml:2: field `at_least.overall`: overall: threshold 85.0; expected a number from 0 to 1",
        ),
        (("r", "--baseline", "elsewhere"), "elsewhere: there is no such folder"),
    ):
        done = benchbar("gate", *arguments)
        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err
        assert message in done.err


def test_the_pytest_plugin_fails_skips_and_passes(benchbar, tmp_path):
    """`assert_gate` in a test of one's own, and a run turned into tests by checks and by samples."""
    import subprocess
    import sys

    assert benchbar(*RUN, "--out", "r").code == 0
    (tmp_path / "good.toml").write_text("rubric = false\nminimum_n = 20\n[at_least]\ncitation_validity = 0.5\n")
    (tmp_path / "test_release.py").write_text(
        "def test_good(assert_gate):\n    assert assert_gate('r', 'good.toml').decision == 'pass'\n"
        "def test_bad(assert_gate):\n    assert_gate('r')\n"
    )

    def tests(*arguments: str) -> str:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout

    assert "1 failed, 1 passed" in tests()
    assert "release gate: " in tests("-k", "bad")
    assert "1 passed" in tests("-k", "gate[", "--benchbar-run", "r", "--benchbar-policy", "good.toml")
    (tmp_path / "test_release.py").unlink()
    (tmp_path / "high.toml").write_text("minimum_n = 20\n[at_least]\npoint_score = 1\n")
    by_sample = tests("--benchbar-run", "r", "--benchbar-policy", "high.toml", "--benchbar-each", "sample")
    measures = [json.loads(line) for line in (tmp_path / "r/measures.jsonl").read_text("utf-8").splitlines()]
    short = sum(
        (one["values"]["point_score"] or 1) < 1 or one["values"]["point_score"] == 0
        for one in measures
        if one["assistant"] == "x"
    )
    assert f"{short} failed, {22 - short} passed" in by_sample


def test_more_confidence_asks_for_more_samples():
    """How many would decide is reckoned at the policy's own confidence."""
    gates = [
        decide(policy_of(OVERALL | {"confidence": level}), {"a": of(overall=spread(0.87, 60))})
        for level in (0.95, 0.99)
    ]
    ((few,), (more,)) = (gate.missing.values() for gate in gates)
    assert few < more


def test_what_is_missing_is_counted_and_shown_where_something_is():
    """The values that are there alone are shown beside the deciding estimate only where it allows for more."""
    whole, gaps = (
        decide(policy_of(OVERALL), {"a": of(overall=values)}).checks[0]
        for values in (spread(0.95, 400), [*spread(0.95, 400), None])
    )
    assert (whole.observed, whole.missing) == (None, {})
    assert gaps.observed.n == 400
    assert sum(gaps.missing.values()) == 1


def test_a_comparison_counts_what_is_missing_now_and_before():
    """A pair needs both values."""
    now, then = of(overall=[*spread(0.9, 60), None]), of(overall=spread(0.9, 61))
    (check,) = decide(policy_of(NOT_WORSE), {"a": now}, baseline={"a": then}).checks
    assert sum(check.missing.values()) == 1


def test_a_value_without_bounds_that_is_missing_leaves_the_decision_open_and_keeps_its_reasons():
    """Seconds may be anything: the interval is told, and that it does not decide."""
    policy = policy_of({"at_most": {"seconds": 100.0}, "minimum_n": 20})
    kind = MeasureDefinition(name="seconds", unit="seconds", better="lower", label="seconds")
    evidence = Evidence(of(seconds=[*spread(9.0, 60), None]).values, declared={"seconds": kind})
    (check,) = decide(policy, {"a": evidence}).checks
    keys = [reason.key for reason in check.reasons]
    assert check.decision == MORE
    assert "missing_without_bounds" in keys
    assert "passes_maximum" in keys
