"""A measure is defined once, and every format takes it from there."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import msgspec
import pytest

from benchbar.artefacts.folder import Material
from benchbar.decisions.evidence import gate_of
from benchbar.decisions.policy import Policy
from benchbar.languages.packs import known, labels
from benchbar.measures.accumulator import FactAccumulator
from benchbar.measures.passages import MEASURES
from benchbar.measures.question_answering import JUDGED
from benchbar.measures.registry import BY_NAME, CONSULTATION, CONTRACTS, OF_DIALOGUES, QUESTIONS, definition, ordered
from benchbar.measures.results import results as results_of
from benchbar.records import (
    Dialogue,
    DialogueEnd,
    Layer,
    Sample,
    SampleResult,
    Score,
    ScoreStatus,
    Suite,
    SuiteCard,
    Task,
    Turn,
)
from benchbar.records.ablation import ReviewResults
from benchbar.records.errors import UserError
from benchbar.records.measures import MeasureDefinition
from benchbar.reports.html import html
from benchbar.reports.tables import as_csv, as_latex, as_markdown
from benchbar.reports.terminal import show

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
LENGTH = MeasureDefinition(name="length", unit="characters", better="lower", label="characters of the last reply")


def test_no_name_is_defined_twice_in_a_list():
    """A measure that stands in two lists is the same one in both."""
    for group in (CONSULTATION, OF_DIALOGUES, QUESTIONS, CONTRACTS):
        names = [one.definition.name for one in group]
        assert len(names) == len(set(names))
    for one in (*CONSULTATION, *OF_DIALOGUES, *QUESTIONS, *CONTRACTS):
        assert one.definition == BY_NAME[one.definition.name].definition
        assert one.definition.label


def test_everything_that_is_computed_is_defined():
    """Measures of questions and of contract reviews are listed where they are computed; their words are in the registry."""
    assert {*JUDGED, *MEASURES} <= {one.definition.name for one in QUESTIONS}
    reviewed = {one.definition.name for one in CONTRACTS} - {"weighted_score", "correct"}
    assert reviewed <= set(ReviewResults.__struct_fields__)


def test_an_unknown_name_is_a_dimension_of_a_rubric():
    """A share of which more is better, called by its own name."""
    found = definition("kindness")
    assert (found.unit, found.better, found.label) == ("share", "higher", "kindness")


@pytest.mark.parametrize("language", known())
def test_labels_of_measures_name_measures(language):
    """A label for a name that no measure has would never be shown; the rules of attacks declare two of their own."""
    named = {key.partition(".")[2] for key in labels(language).texts if key.startswith("measure.")}
    assert named <= BY_NAME.keys() | {"attack_breach", "attack_withstood"}


def test_the_page_lists_every_measure_as_it_is_defined():
    """Name, unit and direction in docs/measures.md are those of the registry."""
    rows = re.findall(r"^\| `([^`]+)` \| (\w+) \| ([\w`, ]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    listed = {name: (unit, better) for name, unit, better in rows}
    assert listed.pop("coverage/CATEGORY") == ("share", "higher, `forbidden` lower")
    wanted = [
        one.definition for one in (*CONSULTATION, *OF_DIALOGUES) if not one.definition.name.startswith("coverage")
    ]
    assert listed == {one.name: (one.unit, one.better) for one in wanted}


@pytest.fixture
def measured():
    """Results of three samples and two assistants, marked by a rule that counts the characters of the last reply."""
    return lengths_of(LENGTH, "ttt")


def lengths_of(kind, names):
    """The same of samples of the named tasks, in their order."""
    tasks = {one: Task(id=one, name="Task", level="apply", scenarios=("court",), background="") for one in names}
    samples = tuple(Sample(id=f"s{n}", task=one, needs="", information="") for n, one in enumerate(names))
    accumulator = FactAccumulator(reference="base", tasks=tasks, declared={"length": kind})
    for n, sample in enumerate(samples):
        dialogues = tuple(
            Dialogue(
                sample=sample.id,
                assistant=name,
                ended=DialogueEnd.SATISFIED,
                turns=(Turn(role="user", content="?"), Turn(role="assistant", content="x" * (10 * n + extra))),
            )
            for name, extra in (("base", 400), ("mine", 250))
        )
        scores = tuple(
            Score(
                sample=sample.id,
                assistant=one.assistant,
                dimension="length",
                layer=Layer.RULE,
                status=ScoreStatus.SCORED,
                value=float(len(one.turns[-1].content)),
            )
            for one in dialogues
            if n or one.assistant == "base"
        )
        accumulator.add(sample, SampleResult(sample=sample.id, dialogues=dialogues, scores=scores, comparisons=()))
    suite = Suite(card=SuiteCard(name="lengths", language="en"), tasks=tasks, samples=samples)
    return results_of(suite, accumulator, simulator="s", judge="", decided_by="rules", law=None, spending={})


def test_a_declared_measure_has_an_estimate_with_what_is_missing(measured):
    """The mean of its marks in its own unit; the sample without a mark is counted and is no zero."""
    found = measured.assistants["mine"]["length"]
    assert (found.value, found.n, found.n_missing) == (pytest.approx(265.0), 2, 1)
    assert measured.assistants["base"].by_task["t"]["length"].value == pytest.approx(410.0)
    assert measured.declared == {"length": LENGTH}
    assert ordered(measured.assistants["mine"].measures)[-1] == "length"


def test_every_format_shows_a_declared_measure(measured, capsys):
    """Terminal, Markdown, LaTeX, CSV and the page: its label and its mean, without any further line of code."""
    show(measured)
    terminal = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "265" in terminal
    for text in (as_markdown(measured), as_latex(measured), html(measured, Material(), None).decode()):
        assert "characters of the last reply" in text
        assert "265" in text
    rows = list(csv.DictReader(io.StringIO(as_csv(measured))))
    assert {(row["assistant"], row["group_kind"], row["value"]) for row in rows if row["measure"] == "length"} >= {
        ("mine", "overall", "265.0"),
        ("base", "task", "410.0"),
    }


def test_results_with_a_declared_measure_are_read_back(measured):
    """Whoever opens the run needs no plugin to know what was measured."""
    assert msgspec.json.decode(msgspec.json.encode(measured), type=type(measured)) == measured


def test_tasks_with_metrics_of_their_own_have_no_mean_over_them(capsys):
    """A measure by task stands in every format task by task, with no overall row; its estimate says why there is none."""
    found = lengths_of(msgspec.structs.replace(LENGTH, by_task=True), "tttuuu")
    whole = found.assistants["mine"]["length"]
    assert (whole.value, whole.reason) == (None, "tasks have metrics of their own: read it by task")
    assert found.assistants["mine"].by_task["u"]["length"].value == pytest.approx(290.0)
    show(found)
    terminal = re.sub(r"\s+", " ", capsys.readouterr().out)
    for text in (terminal, as_markdown(found), as_latex(found), html(found, Material(), None).decode()):
        assert "characters of the last reply, by task" in text
        assert "290" in text
        # Over all six samples.
        assert "280" not in text
    rows = [row for row in csv.DictReader(io.StringIO(as_csv(found))) if row["measure"] == "length"]
    assert {row["group_kind"] for row in rows if row["value"]} == {"task"}
    assert "overall" not in {row["group_kind"] for row in rows}


def test_a_measure_by_task_is_whole_where_one_task_was_run():
    """One task has one metric: the figure of the run is that of the task."""
    found = lengths_of(msgspec.structs.replace(LENGTH, by_task=True), "ttt")
    assert found.assistants["mine"]["length"].value == pytest.approx(265.0)


def test_a_gate_asks_for_one_task():
    """Nothing is decided on a mean that means nothing: the policy is refused with the measure and the cure."""
    found = lengths_of(msgspec.structs.replace(LENGTH, by_task=True), "tttuuu")
    with pytest.raises(UserError, match="length has a metric of its own in each of the run's 2 tasks.*--tasks t"):
        gate_of(found, [], Policy(name="p", at_most={"length": 300.0}))
