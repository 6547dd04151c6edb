"""A measure is defined once, and every format takes it from there."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import msgspec
import pytest

from benchbar.artefacts.folder import Material
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
    """A label for a name that no measure has would never be shown."""
    named = {key.partition(".")[2] for key in labels(language).texts if key.startswith("measure.")}
    assert named <= BY_NAME.keys()


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
    tasks = {"t": Task(id="t", name="Task", level="apply", scenarios=("court",), background="")}
    samples = tuple(Sample(id=f"s{n}", task="t", needs="", information="") for n in range(3))
    accumulator = FactAccumulator(reference="base", tasks=tasks, declared={"length": LENGTH})
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
    suite = Suite(card=SuiteCard(name="three", language="en"), tasks=tasks, samples=samples)
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
