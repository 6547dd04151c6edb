"""Hostile cases of the gate as a table: policy, what was measured, what has to be decided, and the reason that has to be told.

The first part holds the cases of an outside review, the second further ones.
"""

from __future__ import annotations

from math import inf, nan
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.evidence import evidence_of
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import policy_of
from benchbar.records import Measures, MissingKind
from benchbar.records.errors import BadInputError
from benchbar.records.measures import MeasureDefinition

PASS, FAIL, MORE = "pass", "fail", "insufficient_evidence"
NA, FAILED, REFUSED = MissingKind.NOT_APPLICABLE, MissingKind.FAILED, MissingKind.REFUSED


def at(threshold: float, **more: object) -> dict[str, object]:
    """At least so much overall."""
    return {"at_least": {"overall": threshold}, "minimum_n": 30, **more}


def most(threshold: float, **more: object) -> dict[str, object]:
    """At most so much harm."""
    return {"at_most": {"harm": threshold}, "minimum_n": 30, **more}


def never(**more: object) -> dict[str, object]:
    """No leak at all."""
    return {"never": [{"measure": "leak", "above": 0, **more}], "minimum_n": 30}


def worse(margin: float = 0.05, measure: str = "overall") -> dict[str, object]:
    """Not worse than before."""
    return {"not_worse": {"margin": margin, "measures": [measure]}, "minimum_n": 30}


ASSUMED = {"missing": {"assume": "as_observed", "reason": "the endpoint was down"}}
JUDGE = {"judge": {"error": 0.05, "source": "validation of May"}}


def own(kinds: dict[str, MissingKind] | None = None, /, **measures: list[float | None]) -> Evidence:
    """Values by position, and why those that are None are missing, by measure."""
    return Evidence(
        {name: {f"s{n}": value for n, value in enumerate(values)} for name, values in measures.items()},
        missing={
            name: {f"s{n}": kind for n, value in enumerate(measures[name]) if value is None}
            for name, kind in (kinds or {}).items()
        },
    )


def said(
    automatic: list[float | None], marks: dict[int, float], chance: float, disputed: tuple[int, ...] = ()
) -> Evidence:
    """Values overall, with people's marks by position and one chance for all."""
    found = own(overall=automatic)
    frame = dict.fromkeys(found.values["overall"], chance)
    values = {f"s{n}": value for n, value in marks.items()}
    return Evidence(
        found.values,
        {"overall": Marks(values, frame)} if marks else {},
        {"overall": frozenset(f"s{n}" for n in disputed)},
    )


def spread(middle: float, n: int, away: float = 0.05) -> list[float]:
    """N values around a mean."""
    return [middle + (away if place % 2 else -away) for place in range(n)]


def share(yes: int, n: int) -> list[float]:
    """So many ones of n."""
    return [1.0] * yes + [0.0] * (n - yes)


CHARACTERS = {"length": MeasureDefinition(name="length", unit="characters", better="lower", label="characters")}


def lengths(values: list[float | None]) -> Evidence:
    """A measure without bounds."""
    found = own(length=values)
    return Evidence(found.values, declared=CHARACTERS)


REVIEW = [
    # name, policy, evidence, decision, reason
    ("perfect, 30 of 30 at .95", at(0.95), own(overall=[1.0] * 30), MORE, "contains the minimum 95"),
    ("29 perfect and one .99: worse, so no pass either", at(0.95), own(overall=[1.0] * 29 + [0.99]), MORE, "contains"),
    ("29 perfect and one 0", at(0.95), own(overall=[1.0] * 29 + [0.0]), MORE, "contains"),
    ("760 of 800 missing", at(0.85), own(overall=spread(0.97, 40, 0.02) + [None] * 760), MORE, "760 are missing"),
    ("never: 59 known, 941 missing", never(bound=0.05), own(leak=[0.0] * 59 + [None] * 941), MORE, "may breach it"),
    (
        "24 people say 0, the judge .95",
        at(0.85),
        said(spread(0.95, 300), dict.fromkeys(range(24), 0.0), 0.08),
        FAIL,
        "",
    ),
    (
        "24 people say 0 without recorded chances",
        at(0.85),
        said(spread(0.95, 1000), dict.fromkeys(range(24), 0.0), 0.0),
        MORE,
        "24 human marks contradict a pass",
    ),
    ("confidence .5", at(0.85, confidence=0.5), own(overall=[0.99] * 60), PASS, ""),
    ("100 x .85 at .85", at(0.85), own(overall=[0.85] * 100), MORE, "too close"),
    ("nothing at all", at(0.85), own(), MORE, "no dialogue has a value"),
    ("an empty list", at(0.85), own(overall=[]), MORE, "no dialogue has a value"),
    ("all missing", at(0.85), own(overall=[None] * 50), MORE, "no dialogue has a value"),
    ("one sample", at(0.85), own(overall=[1.0]), MORE, "1 sample; the policy requires 30"),
    ("one sample, minimum 1", at(0.85, minimum_n=1), own(overall=[1.0]), MORE, "contains"),
    ("a policy without conditions", {}, own(overall=[1.0] * 99), MORE, ""),
    ("advisory conditions alone", at(0.85, advisory=["overall"]), own(overall=[1.0] * 99), MORE, ""),
    ("never scored", at(0.85), own(other=[1.0] * 99), MORE, "no dialogue has a value of overall"),
    ("no baseline", worse(), own(overall=[1.0] * 99), MORE, "--baseline"),
    (
        "veto at .9999999999",
        {"never": [{"measure": "safety", "below": 1.0}]},
        own(safety=[1.0] * 99 + [1 - 1e-10]),
        FAIL,
        "",
    ),
    ("veto at 1", {"never": [{"measure": "safety", "below": 1.0}]}, own(safety=[1.0] * 99), PASS, "0 of 99"),
    ("half at .5", at(0.5), own(overall=share(50, 100)), MORE, "too close"),
    ("rare catastrophes at .95", at(0.95), own(overall=[0.98] * 30), MORE, "contains"),
    ("rare catastrophes, three of 300", at(0.95), own(overall=[0.985] * 297 + [0.0] * 3), MORE, "contains"),
    ("rare catastrophes, none of 600", at(0.95), own(overall=[0.985] * 600), PASS, ""),
    ("a thousand good", at(0.85), own(overall=spread(0.9, 1000)), PASS, "at or above the minimum 85"),
    ("a thousand bad", at(0.85), own(overall=spread(0.8, 1000)), FAIL, "below the minimum 85"),
    ("bimodal, mean .9", at(0.85), own(overall=share(270, 300)), MORE, "contains"),
    ("bimodal, mean .9, 2,000", at(0.85), own(overall=share(1800, 2000)), PASS, ""),
    (
        "failed dialogues beyond what is allowed",
        {"evidence": {"failed": 0.05}},
        own(failed=share(6, 100)),
        MORE,
        "more than 5%",
    ),
    ("failed dialogues within", {"evidence": {"failed": 0.05}}, own(failed=share(5, 100)), PASS, "at most 5%"),
]

FURTHER = [
    # missing values
    (
        "five of 405 missing",
        at(0.85),
        own(overall=spread(0.95, 400) + [None] * 5),
        PASS,
        "whatever the 5 missing values are",
    ),
    ("a quarter missing", at(0.85), own(overall=spread(0.95, 300) + [None] * 100), MORE, "would pass, ["),
    (
        "a quarter missing, assumed",
        at(0.85, **ASSUMED),
        own(overall=spread(0.95, 300) + [None] * 100),
        PASS,
        "endpoint was down",
    ),
    (
        "failed ones are assumed, refused ones are not",
        at(0.85, missing={**ASSUMED["missing"], "kinds": ["failed"]}),
        own({"overall": REFUSED}, overall=spread(0.95, 300) + [None] * 100),
        MORE,
        "refused: 100",
    ),
    (
        "failed ones are assumed and there are no others",
        at(0.85, missing={**ASSUMED["missing"], "kinds": ["failed"]}),
        own({"overall": FAILED}, overall=spread(0.95, 300) + [None] * 100),
        PASS,
        "failed: 100",
    ),
    (
        "assumed of another measure",
        at(0.85, missing={**ASSUMED["missing"], "measures": ["safety"]}),
        own(overall=spread(0.95, 300) + [None] * 100),
        MORE,
        "an assumption is stated",
    ),
    (
        "not applicable is not missing",
        at(0.85),
        own({"overall": NA}, overall=spread(0.95, 300) + [None] * 900),
        PASS,
        "",
    ),
    (
        "a bad share with many missing may be good",
        at(0.85),
        own(overall=spread(0.7, 100) + [None] * 300),
        MORE,
        "would fail, [",
    ),
    (
        "a bad share with few missing is bad",
        at(0.85),
        own(overall=spread(0.3, 100) + [None] * 10),
        FAIL,
        "whatever the 10",
    ),
    ("missing harm may be harm", most(0.05), own(harm=[0.0] * 200 + [None] * 20), MORE, "would pass"),
    ("missing harm, assumed harmless", most(0.05, **ASSUMED), own(harm=[0.0] * 200 + [None] * 20), PASS, ""),
    ("one missing harm of 1,000", most(0.05), own(harm=[0.0] * 999 + [None]), PASS, "whatever the 1 missing"),
    ("one leak unknown", never(), own(leak=[0.0] * 999 + [None]), MORE, "1 dialogue has no value"),
    ("one leak unknown, assumed", {**never(), **ASSUMED}, own(leak=[0.0] * 999 + [None]), PASS, "endpoint was down"),
    ("a leak that does not apply", never(), own({"leak": NA}, leak=[0.0] * 99 + [None]), PASS, "0 of 99"),
    ("a leak outweighs what is unknown", never(), own(leak=[1.0] + [None] * 99), FAIL, "1 of 1 dialogues breach"),
    (
        "lengths have no worst case",
        {"at_most": {"length": 500}},
        lengths([400.0, 410.0] * 50 + [None]),
        MORE,
        "no worst case",
    ),
    ("lengths, assumed", {"at_most": {"length": 500}, **ASSUMED}, lengths([400.0, 410.0] * 50 + [None]), PASS, ""),
    ("a small suite and one failure", at(0.85), own(overall=[1.0] * 35 + [None]), MORE, "would pass"),
    # people
    (
        "one agreeing mark of 300 leaves it open",
        at(0.85),
        said(spread(0.95, 300), {3: 1.0}, 1 / 300),
        MORE,
        "more human marks",
    ),
    (
        "300 marks of 300",
        at(0.85),
        said(spread(0.95, 300), dict(enumerate(spread(0.95, 300))), 1.0),
        PASS,
        "300 human marks",
    ),
    (
        "all marked and bad, the judge good",
        at(0.85),
        said(spread(0.95, 100), dict.fromkeys(range(100), 0.2), 1.0),
        FAIL,
        "",
    ),
    (
        "all marked and good, the judge bad",
        at(0.85),
        said(spread(0.2, 200), dict.fromkeys(range(200), 1.0), 1.0),
        PASS,
        "",
    ),
    (
        "20 marks carry no pass",
        at(0.3, minimum_n=5),
        said([0.9] * 20, dict.fromkeys(range(20), 1.0), 1.0),
        MORE,
        "requires 25",
    ),
    (
        "unless the policy asks for fewer",
        at(0.3, minimum_n=5, minimum_marks=20),
        said([0.9] * 20, dict.fromkeys(range(20), 1.0), 1.0),
        PASS,
        "20 human marks",
    ),
    (
        "20 marks are enough to fail",
        at(0.85, minimum_n=5),
        said([0.9] * 20, dict.fromkeys(range(20), 0.0), 1.0),
        FAIL,
        "",
    ),
    (
        "60 of 600 marked, the judge is right",
        at(0.80),
        said(spread(0.95, 600), dict.fromkeys(range(0, 600, 10), 0.95), 0.1),
        PASS,
        "60 human marks",
    ),
    (
        "60 of 600 marked, half of them catastrophes the judge missed",
        at(0.80),
        said(spread(0.95, 600), {n: float(n % 20 > 0) for n in range(0, 600, 10)}, 0.1),
        FAIL,
        "",
    ),
    (
        "disputed ones may be anything",
        at(0.85),
        said(spread(0.95, 60), {}, 0.0, tuple(range(20))),
        MORE,
        "disputed by people: 20",
    ),
    (
        "people settle what the judge could not read",
        at(0.5),
        said([None] * 100, dict.fromkeys(range(100), 0.9), 1.0),
        PASS,
        "100 human marks",
    ),
    ("a stated error that leaves room", at(0.8, **JUDGE), own(overall=spread(0.95, 300)), PASS, "validation of May"),
    ("a stated error that leaves none", at(0.9, **JUDGE), own(overall=spread(0.95, 300)), MORE, "validation of May"),
    ("no stated error: it is said", at(0.85), own(overall=spread(0.95, 300)), PASS, "its error is not known"),
    (
        "failed dialogues are counted, not judged",
        {"at_most": {"failed": 0.1}},
        own(failed=[0.0] * 100),
        PASS,
        "at or below",
    ),
    # thresholds and both sides
    ("exactly at the threshold, constant", at(0.9), own(overall=[0.9] * 5000), MORE, "contains"),
    ("a hair above, many", at(0.9), own(overall=[0.92] * 5000), PASS, ""),
    ("a hair below, many", at(0.9), own(overall=[0.88] * 5000), FAIL, ""),
    ("at least 0", at(0.0), own(overall=share(0, 100)), PASS, ""),
    ("at least 1, all perfect", at(1.0), own(overall=[1.0] * 5000), MORE, "contains"),
    ("at most 0, none", most(0.0), own(harm=[0.0] * 5000), MORE, "contains"),
    ("at most 1", most(1.0), own(harm=[1.0] * 100), PASS, ""),
    ("no harm in 59", most(0.05), own(harm=[0.0] * 59), MORE, "contains the maximum 5"),
    ("no harm in 200", most(0.05), own(harm=[0.0] * 200), PASS, "at or below the maximum 5"),
    ("harm in a fifth", most(0.05), own(harm=share(20, 100)), FAIL, "above the maximum 5"),
    (
        "two conditions, one open",
        {**at(0.85), "at_most": {"harm": 0.05}},
        own(overall=[0.99] * 99, harm=[0.0] * 40),
        MORE,
        "",
    ),
    (
        "two conditions, one failed",
        {**at(0.85), "at_most": {"harm": 0.05}},
        own(overall=[0.99] * 99, harm=[1.0] * 40),
        FAIL,
        "",
    ),
    ("a wide confidence", at(0.85, confidence=0.999), own(overall=spread(0.95, 100)), PASS, ""),
    (
        "a wide confidence, few",
        at(0.85, confidence=0.999),
        own(overall=spread(0.95, 40)),
        MORE,
        "would confirm that it passes",
    ),
    ("terrible below the minimum n", at(0.85), own(overall=[0.0] * 12), FAIL, "below the minimum"),
    ("perfect below the minimum n", at(0.5), own(overall=[1.0] * 29), MORE, "29 samples; the policy requires 30"),
    # zero tolerance
    ("0 of 59 at 5%", never(bound=0.05), own(leak=[0.0] * 59), PASS, "bounds the rate at 5.0%"),
    ("0 of 58 at 5%", never(bound=0.05), own(leak=[0.0] * 58), MORE, "1 more sample without a breach"),
    ("0 of 29", never(), own(leak=[0.0] * 29), MORE, "1 more sample without a breach"),
    ("the last of 10,000", never(bound=0.001), own(leak=[0.0] * 9999 + [1e-9]), FAIL, "1 of 10000"),
    ("never scored", never(), own(), MORE, "no dialogue has a value of leak"),
    # means without bounds
    ("lengths well below", {"at_most": {"length": 500}}, lengths([400.0, 410.0] * 50), PASS, "below the maximum 500"),
    ("lengths well above", {"at_most": {"length": 300}}, lengths([400.0, 410.0] * 50), FAIL, "above the maximum 300"),
    (
        "lengths that scatter",
        {"at_most": {"length": 500}},
        lengths([0.0, 900.0] * 40),
        MORE,
        "contains the maximum 500",
    ),
    ("lengths that are all equal", {"at_most": {"length": 500}}, lengths([400.0] * 50), MORE, "no interval"),
]


@pytest.mark.parametrize(
    ("policy", "evidence", "decision", "reason"),
    [row[1:] for row in [*REVIEW, *FURTHER]],
    ids=[row[0] for row in [*REVIEW, *FURTHER]],
)
def test_hostile_cases(policy, evidence, decision, reason):
    """The decision, and the words that its reason has to hold."""
    found = decide(policy_of(policy), {"a": evidence})
    assert found.decision == decision, [check.reason for check in found.checks]
    assert not reason or any(reason in check.reason for check in found.checks), [one.reason for one in found.checks]


PAIRS = [
    ("against itself, 44 dialogues", worse(), [0.7] * 44, [0.7] * 44, MORE, "would confirm that it passes"),
    ("against itself, 400", worse(), spread(0.7, 400), spread(0.7, 400), PASS, "a loss of 5 is allowed"),
    ("better", worse(), spread(0.8, 100), spread(0.7, 100), PASS, "difference +10.0"),
    ("much worse", worse(), spread(0.5, 200), spread(0.7, 200), FAIL, "difference -20.0"),
    ("few in common", worse(), [0.7] * 29, [0.7] * 29, MORE, "29 samples are in both runs"),
    ("missing now", worse(), [0.9] * 100 + [None] * 60, [0.7] * 160, MORE, "counted as the worst"),
    ("missing before", worse(), [0.7] * 160, [0.7] * 100 + [None] * 60, MORE, "counted as the worst"),
    ("a few missing, much better", worse(), [0.99] * 400 + [None] * 4, [0.5] * 404, PASS, "whatever the 4"),
    ("no value in common", worse(), [None] * 50, [0.7] * 50, MORE, "no sample has overall in both runs"),
    ("fewer failures", worse(measure="failed"), share(1, 300), share(30, 300), PASS, "difference +9.7"),
    ("more failures", worse(measure="failed"), share(90, 300), share(3, 300), FAIL, "difference -29.0"),
]


@pytest.mark.parametrize(
    ("policy", "now", "then", "decision", "reason"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_hostile_comparisons(policy, now, then, decision, reason):
    """The same against a baseline on the same samples."""
    measure = policy["not_worse"]["measures"][0]
    found = decide(policy_of(policy), {"a": own(**{measure: now})}, baseline={"a": own(**{measure: then})})
    assert found.decision == decision, found.checks[0].reason
    assert reason in found.checks[0].reason


@pytest.mark.parametrize("value", [nan, inf, -inf, 1.2, -0.1])
def test_values_off_the_scale_are_refused(value):
    """No share is NaN, infinite, above 1 or below 0."""
    with pytest.raises(BadInputError, match="expected"):
        decide(policy_of(at(0.85)), {"a": own(overall=[1.0] * 40 + [value])})


@pytest.mark.parametrize("threshold", [nan, inf, 1.5, -0.5])
def test_thresholds_off_the_scale_are_refused(threshold):
    """Nor is a threshold."""
    with pytest.raises(BadInputError, match="expected"):
        policy_of(at(threshold))


def test_disjoint_samples_are_no_comparison():
    """A baseline on other samples says nothing."""
    other = Evidence({"overall": {f"t{n}": 1.0 for n in range(99)}})
    found = decide(policy_of(worse()), {"a": own(overall=[1.0] * 99)}, baseline={"a": other})
    assert (found.decision, "both runs" in found.checks[0].reason) == (MORE, True)


def test_a_low_confidence_is_said_of_the_whole_decision():
    """At .7, 15% of what just misses a threshold passes."""
    found = decide(policy_of(at(0.85, confidence=0.7)), {"a": own(overall=[0.99] * 99)})
    assert [one.key for one in found.reasons] == ["low_confidence"]
    assert decide(policy_of(at(0.85)), {"a": own(overall=[0.99] * 99)}).reasons == ()


ORDER = {FAIL: 0, MORE: 1, PASS: 2}
VALUES = st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=5, max_size=60)


@settings(deadline=None)
@given(VALUES, st.floats(0.2, 0.8), st.data())
def test_a_better_value_never_decides_worse(values, threshold, data):
    """Values that rise, and missing ones that come in, move a decision only one way: to a pass, or to a known value."""
    place = data.draw(st.integers(0, len(values) - 1))
    before = values[place]
    better = [*values[:place], data.draw(st.floats(before or 0.0, 1)), *values[place + 1 :]]
    policy = policy_of(at(threshold, minimum_n=1))
    first, second = (decide(policy, {"a": own(overall=one)}).decision for one in (values, better))
    if before is None:
        # A missing value allowed for anything: the new one can only decide what was open.
        assert first in {second, MORE}
    else:
        assert ORDER[second] >= ORDER[first]


@pytest.mark.slow
@settings(deadline=None)
@given(st.data(), st.floats(0.2, 0.8), st.sampled_from([0.0, 0.25, 1.0]))
def test_a_better_mark_never_decides_worse(data, threshold, chance):
    """Nor does the automatic value of a dialogue that nobody marked."""
    automatic = data.draw(st.lists(st.floats(0, 1), min_size=20, max_size=60))
    places = data.draw(st.sets(st.integers(0, len(automatic) - 1), min_size=1))
    marks = {place: data.draw(st.floats(0, 1)) for place in sorted(places)}
    policy = policy_of(at(threshold, minimum_n=1, minimum_marks=1))
    first = decide(policy, {"a": said(automatic, marks, chance)}).decision
    one = data.draw(st.sampled_from(sorted(places)))
    better = {**marks, one: data.draw(st.floats(marks[one], 1))}
    assert ORDER[decide(policy, {"a": said(automatic, better, chance)}).decision] >= ORDER[first]
    if free := sorted(set(range(len(automatic))) - places):
        place = data.draw(st.sampled_from(free))
        raised = [*automatic[:place], data.draw(st.floats(automatic[place], 1)), *automatic[place + 1 :]]
        assert ORDER[decide(policy, {"a": said(raised, marks, chance)}).decision] >= ORDER[first]


def trials(values: list[list[float | None]], kind: MissingKind = FAILED, measure: str = "overall") -> Evidence:
    """What a run with repeats kept of an assistant: the mean of the trials there are, and why some have none."""
    kept = [
        Measures(
            sample=f"s{n}",
            assistant="x",
            task="t",
            values={measure: fmean(known) if (known := [one for one in row if one is not None]) else None},
            missing={measure: kind} if None in row else {},
            trials=tuple({measure: one} for one in row),
        )
        for n, row in enumerate(values)
    ]
    return evidence_of(kept)["x"]


GOOD = [[1.0, 1.0, 1.0]] * 40
SURVIVED = [*[[1.0, 1.0, 1.0]] * 20, *[[1.0, None, None]] * 20]
"""Half of the samples are good in the one trial of three that was not cut off."""


def test_the_mean_of_the_trials_that_went_well_is_no_pass():
    """Forty perfect means, of which twenty hide failed trials: as missing as if nothing were there, and the gate says so."""
    passed = decide(policy_of(at(0.8)), {"x": trials(GOOD)})
    open_ = decide(policy_of(at(0.8)), {"x": trials(SURVIVED)})
    assert (passed.decision, open_.decision) == (PASS, MORE)
    (check,) = open_.checks
    assert check.missing == {"failed": 20}
    assert check.observed.value == 1.0
    assert check.observed.n == 40
    assert check.holds == "worst_case"
    assert "of 20 of the missing values some trials are there" in check.reason
    assert "missing_trials" not in {one.key for one in passed.checks[0].reasons}


def test_a_policy_may_let_the_mean_of_the_other_trials_stand_with_its_reason():
    """Then it decides, and the assumption stands beside it."""
    found = decide(policy_of(at(0.8, **ASSUMED)), {"x": trials(SURVIVED)})
    assert found.decision == PASS
    assert "the endpoint was down" in found.checks[0].reason
    assert (found.checks[0].estimate.n, found.checks[0].estimate.n_missing) == (40, 0)


def test_a_trial_that_a_measure_asks_nothing_of_is_not_missing():
    """A reply that cites nothing has no citation to be valid."""
    assert decide(policy_of(at(0.8)), {"x": trials(SURVIVED, NA)}).decision == PASS


def test_a_breach_in_one_trial_fails_whatever_became_of_the_others():
    """And without one, a trial that nobody could look into bars the pass."""
    clean = [*[[0.0, 0.0]] * 100, [0.0, None]]
    assert decide(policy_of(never()), {"x": trials([*clean, [1.0, None]], measure="leak")}).decision == FAIL
    found = decide(policy_of(never(bound=0.2)), {"x": trials(clean, measure="leak")})
    assert found.decision == MORE
    assert "some trials are there" in found.checks[0].reason
    assert decide(policy_of(never(bound=0.2)), {"x": trials(clean[:-1], measure="leak")}).decision == PASS


@given(st.lists(st.lists(st.sampled_from([None, 0.0, 0.5, 1.0]), min_size=2, max_size=3), min_size=30, max_size=60))
@settings(max_examples=40, deadline=None)
def test_whatever_the_missing_trials_were_a_pass_and_a_failure_stand(rows):
    """Filled in with 0 or with 1, the decision is the same or was open."""
    before = decide(policy_of(at(0.5)), {"x": trials(rows)}).decision
    for value in (0.0, 1.0):
        filled = [[value if one is None else one for one in row] for row in rows]
        after = decide(policy_of(at(0.5)), {"x": trials(filled)}).decision
        assert before in {after, MORE} or {before, after} != {PASS, FAIL}
