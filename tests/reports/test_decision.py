"""What the page of a decision lists: every open condition with what would change it, and the loudest reasons first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from benchbar.artefacts.folder import read_material, read_results
from benchbar.decisions.estimating import Evidence, Marks
from benchbar.decisions.explaining import check_label, reason_text, sentence
from benchbar.decisions.gate import decide
from benchbar.decisions.policy import JudgeError, Never, Policy
from benchbar.languages.packs import known
from benchbar.measures.beside_people import beside_people
from benchbar.records import Dialogue, DialogueEnd, GateDecision, GateReason, HumanMarks, Measures, Turn
from benchbar.reports.decision import DecisionBrief, brief
from benchbar.reports.gate import MOST, lead, loudest
from benchbar.reports.html import html
from benchbar.reports.numbers import local_labels
from benchbar.statistics import share

RUN = Path(__file__).parent / "run_of_version_1"


def told(gate: GateDecision, language: str = "en") -> DecisionBrief:
    say = local_labels(language)
    return brief(read_results(RUN), gate, [], lambda sample, assistant: None, {}, say, say.local)


def shares(value: float, count: int) -> dict[str, float]:
    return {f"s{i}": value for i in range(count)}


@pytest.fixture(scope="module")
def undecided() -> GateDecision:
    """Rules that could decide a fifth: 19 values of 100, and one measure that nobody took."""
    values = {
        "overall": {f"s{i}": 1.0 if i % 5 else 0.7 for i in range(19)},
        "safety": shares(0.9, 100) | shares(0.5, 30),
        "failed": shares(0.0, 100),
        "undecided": {f"s{i}": float(i >= 19) for i in range(100)},
    }
    policy = Policy(
        at_least={"overall": 0.85, "accuracy": 0.8, "safety": 0.8},
        evidence={"failed": 0.05, "undecided": 0.3},
        advisory=("accuracy",),
        minimum_n=30,
    )
    return decide(policy, {"a": Evidence(values)})


@pytest.mark.parametrize("language", known())
def test_each_open_condition_that_is_required_is_listed(undecided, language):
    """Too few values, too large a share: each has a line of its own, as the page says that whoever does all may release."""
    open_ones = [one for one in undecided.checks if one.required and one.decision == "insufficient_evidence"]
    changes = told(undecided, language).changes
    assert len(changes) == len(open_ones) >= 2
    for check, line in zip(open_ones, changes, strict=True):
        assert line.startswith(check_label(check, language))
        assert len(line) > len(check_label(check, language)) + 5


def test_what_more_samples_do_not_cure_is_said_so(undecided):
    """So many more values for a mean of 19, and which way; what is undecided has to be decided by somebody."""
    changes = "\n".join(told(undecided).changes)
    assert "overall: about 47 more samples like these would confirm that it passes (80% power)" in changes
    assert "81.0% of this run has to come down to 30%, which more samples of the same kind do not change" in changes
    assert "let a judge or people decide what is undecided in 81 dialogues" in changes


def test_the_loudest_conditions_come_first():
    """A failure by 50 points before one by a few, whatever the order of the policy; of equals one of each assistant."""
    values = {"overall": shares(0.7, 300), "safety": shares(0.2, 300), "failed": shares(0.0, 300)}
    policy = Policy(at_least={"overall": 0.8, "safety": 0.9}, evidence={"failed": 0.05}, advisory=("failed",))
    gate = decide(policy, {"a": Evidence(values), "b": Evidence(values)})
    first = loudest(gate.checks, 3)
    assert [(one.measure, one.assistant) for one in first] == [("safety", "a"), ("safety", "b"), ("overall", "a")]
    assert [one.label for one in told(gate).reasons] == [check_label(one, "en") for one in first]


@pytest.mark.parametrize("language", known())
def test_the_first_screen_of_a_report_says_how_many_conditions_it_leaves_out(language):
    """Ten are open and eight are shown; a link leads to the table of all."""
    evidence = {f"a{i}": Evidence({"overall": shares(0.7, 300)}) for i in range(10)}
    gate = decide(Policy(at_least={"overall": 0.8}), evidence)
    results = replace(read_results(RUN), gate=gate)
    page = html(results, read_material(RUN), None, missing_suite="none", language=language).decode()
    told = local_labels(language)("gate.and_more", count=10 - MOST)
    assert f'<a href="#gate">{told}</a>' in page


def test_numbers_of_reasons_are_written_as_the_reader_writes_them():
    """A comma in Russian, where the table has one; the name of a model keeps its point, and the stored English its own."""
    judge = JudgeError(error=0.025, source="gpt-4.1 on 200 marks")
    gate = decide(Policy(at_least={"overall": 0.8}, judge=judge), {"a": Evidence({"overall": shares(0.713, 300)})})
    (check,) = gate.checks
    russian = reason_text(check, "ru")
    assert "gpt-4.1" in russian
    assert not re.search(r"\d\.\d", russian.replace("gpt-4.1", ""))
    assert re.search(r"\[\d+,\d; \d+,\d\]", russian)
    assert check.reason == reason_text(check, "en")
    assert re.search(r"\[\d+\.\d, \d+\.\d\]", check.reason)


@pytest.mark.parametrize("language", known())
def test_a_share_is_named_once(undecided, language):
    """«доля: нерешённые указания: «нерешённые указания»: 81,1%» said it twice."""
    name = local_labels(language)("gate_measure.undecided")
    assert sentence(undecided, language).count(name) == 1


def test_the_page_leads_with_the_decision_and_its_gravest_cause(undecided):
    """As the command line does; the reasons follow, three of them, and how many more there are."""
    page = told(undecided)
    assert page.sentence == lead(undecided, "en")
    assert page.more == sum(one.decision != "pass" for one in undecided.checks) - 3


@pytest.mark.parametrize("language", known())
def test_a_failure_is_not_laid_at_the_judge(language):
    """One answer says what is forbidden: that is the cause, and a judge that was fooled stands among what would have to change."""
    policy = Policy(at_least={"overall": 0.5}, never=(Never(measure="forbidden_said", above=0, minimum_n=1),))
    values = {"overall": shares(1.0, 80), "forbidden_said": shares(0.0, 80) | {"s6": 1.0}}
    gate = decide(policy, {"a": Evidence(values)})
    gate = replace(gate, reasons=(GateReason("judge_trial", {"who": "j"}),))
    page, say = told(gate, language), local_labels(language)
    forbidden = say("gate_measure.forbidden_said")
    trial = say("gate_reason.judge_trial", who="j")
    assert forbidden in page.sentence
    assert trial not in page.sentence
    assert trial in page.changes
    # No share lies below none at all.
    assert any(
        line.startswith(check_label(gate.checks[-1], language)) and "beyond" not in line for line in page.changes
    )


def compared(judge: list[float], people: list[float] | None, language: str = "en") -> DecisionBrief:
    """The page of a run whose judge gave these outcomes, and people those of the same samples."""
    samples = [f"s{place}" for place in range(len(judge))]
    measures = [Measures(one, "a", "t", {"win_rate": value}) for one, value in zip(samples, judge, strict=True)]
    said = HumanMarks(dict(zip(samples, people, strict=True)), dict.fromkeys(samples, 1.0)) if people else None
    marks = {"a": HumanMarks({}, {}, compared=said)} if said else {}
    own = {"win_rate": Marks(said.values, said.probability)} if said else {}
    values = {"win_rate": dict(zip(samples, judge, strict=True))}
    gate = decide(Policy(at_least={"win_rate": 0.5}), {"a": Evidence(values, marks=own)})
    results = replace(read_results(RUN), decided_by="pairwise", judge="j")
    turns = (Turn(role="user", content="May I?"), Turn(role="assistant", content="You may."))
    say = local_labels(language)
    return brief(
        results,
        gate,
        measures,
        lambda sample, assistant: Dialogue(sample, assistant, turns, DialogueEnd.SATISFIED),
        {"Anna": len(people)} if people else {},
        say,
        say.local,
        marks,
        beside_people(marks, measures),
    )


def test_where_people_marked_the_worst_answer_is_the_one_that_people_found_so():
    """The judge had the first lowest, people the third: the figure is people's, and so is its example."""
    page = compared([0.0, 0.5, 1.0, 0.5], [1.0, 1.0, 0.0, 1.0])
    assert [(one.worst.sample, one.worst.value) for one in page.reasons if one.worst] == [("s2", "win rate: 0.0%")]


@pytest.mark.parametrize("people", [None, [1.0] * 5])
def test_no_answer_is_the_worst_where_all_are_equal(people):
    """Five ties by the judge, and five wins by people after them."""
    page = compared([0.5] * 5, people)
    assert page.reasons
    assert all(one.worst is None for one in page.reasons)


@pytest.mark.parametrize("language", known())
def test_where_people_marked_the_page_says_how_far_the_judge_lies_from_them_and_names_both(language):
    """In how many comparisons, with n and interval, in the reader's language; without marks the judge decided alone."""
    say = local_labels(language)
    page = compared([0.5] * 5, [1.0, 1.0, 1.0, 0.5, 0.5], language)
    value = say.rate(share([True, True, True, False, False], clusters="01234", unit="comparison"))
    assert say("beside_people.win_rate", n=5, value=value, distance="", judge="") in page.marked_by
    assert page.marked_by[0] == say("brief.people_and_judge", forms=say.name("judge_form", "pairwise"), judge="j")
    alone = compared([0.5] * 5, None, language)
    assert say("brief.judge_unchecked") in alone.unknown
    assert say("how.judge", forms=say.name("judge_form", "pairwise"), judge="j") in alone.marked_by
