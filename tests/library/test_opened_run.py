"""`benchbar.open`: samples, gate, spec and tables of a finished run."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import benchbar
from benchbar.artefacts.folder import read_material
from benchbar.artefacts.layout import DERIVED, RunFolder
from benchbar.records import Category, GateDecision, Reply, Turn, decode
from benchbar.records.errors import BadInputError, MissingDependencyError, UnknownNameError
from benchbar.suites.load import load

ROOT = Path(__file__).resolve().parents[2]
SPEC = {
    "suite": "model-jurisdiction-zh",
    "limit": 22,
    "reference": "closed-book",
    "assistants": {
        "extractive": {"kind": "extractive"},
        "old": {"kind": "extractive", "on": "2020-12-31"},
        "closed-book": {"kind": "closed-book"},
    },
}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> benchbar.Run:
    folder = tmp_path_factory.mktemp("runs") / "r"
    benchbar.run(SPEC, out=folder)
    return benchbar.open(folder)


@pytest.fixture(scope="module")
def compared(tmp_path_factory) -> benchbar.Run:
    """Against an assistant that rules decide something of; a win over closed-book takes a judge."""
    folder = tmp_path_factory.mktemp("runs") / "compared"
    benchbar.run(SPEC | {"reference": "old"}, out=folder)
    return benchbar.open(folder)


def test_samples_come_in_the_order_of_the_suite_with_all_that_was_kept(run):
    """Read one at a time, they hold what the files hold when read as a whole."""
    material = read_material(run.folder)
    samples = list(run.samples())
    assert [one.id for one in samples] == list(material.dialogues)
    for one in samples:
        assert one.dialogues == material.dialogues[one.id]
        assert list(one.marks("old")) == material.scores[one.id].get("old", [])
        assert list(one.citations("extractive")) == material.citations.get(one.id, {}).get("extractive", [])
        assert set(one.measures) == set(run.results.assistants)
    assert sum(len(one.citations("extractive")) for one in samples) > 0


def test_a_dialogue_is_clean_of_what_is_forbidden_only_where_all_of_it_was_decided(run):
    """That one forbidden point was not said tells nothing of those that nobody decided."""
    forbidden = {
        sample.id: {point.id for point in sample.guidance.points if point.category is Category.FORBIDDEN}
        for sample in load("model-jurisdiction-zh").samples
    }
    told = set()
    for one in run.samples():
        for name, measures in one.measures.items():
            found = [mark.value for mark in one.marks(name) if mark.dimension in forbidden[one.id]]
            wanted = 1.0 if any(found) else None if None in found else 0.0
            if found and not measures.values["failed"]:
                assert measures.values["forbidden_said"] == wanted
                told.add(wanted)
    assert None in told


def test_filters_choose_samples_by_what_holds_of_a_dialogue(compared):
    """By name or by a function; a name that there is not is answered with those that there are."""
    run = compared
    won = list(run.samples(where="won"))
    by_hand = [one for one in run.samples() if any(m.values.get("win_rate") == 1 for m in one.measures.values())]
    assert 0 < len(won) == len(by_hand) < 22
    assert [one.id for one in run.samples(where=lambda one: one.id == won[0].id)] == [won[0].id]
    assert list(run.samples(where="failed")) == []
    with pytest.raises(
        UnknownNameError, match=r"unknown filter 'citation_fals'.*known: citation_contradicted, citation_false, "
    ):
        run.samples(where="citation_fals")


class Inventor:
    """Cites a law that there is not where wages are the matter, and none elsewhere."""

    identity = "inventor"

    async def reply(self, turns: list[Turn]) -> Reply:
        invents = "工资" in "".join(turn.content for turn in turns)
        return Reply(content="依照《中华人民共和国工资法》第九条处理。" if invents else "请咨询律师。")


def test_false_citations_are_found_where_an_assistant_invents_a_law(tmp_path, monkeypatch):
    """`citation_false` chooses the very samples in which a law or an article does not exist."""
    monkeypatch.setitem(sys.modules, "inventors", SimpleNamespace(one=Inventor()))
    assistants = {"inventor": {"kind": "python", "object": "inventors:one"}, "closed-book": {"kind": "closed-book"}}
    run = benchbar.run(SPEC | {"assistants": assistants}, out=tmp_path / "r")
    false = {one.id for one in run.samples(where="citation_false")}
    wages = {one.id for one in run.samples() if "工资法" in one.dialogue("inventor").show()}
    assert 0 < len(false) < 22
    assert false == wages


def test_an_unknown_assistant_is_answered_with_those_of_the_run(run):
    """Wherever a name is given."""
    sample = next(run.samples())
    for ask in (sample.dialogue, sample.marks, sample.citations, sample.comparisons, run.results.win_rate):
        with pytest.raises(UnknownNameError, match="unknown assistant 'vendor'.*known: closed-book, extractive, old"):
            ask("vendor")
    with pytest.raises(benchbar.UserError, match="no assistant vendor"):
        run.gate(assistants=("vendor",))


def test_a_number_comes_with_its_interval_and_a_dialogue_can_be_read(run, compared):
    """The interval is that of results.json; a dialogue is shown utterance by utterance, with its end."""
    estimate = compared.results.win_rate("extractive")
    assert estimate.interval == (estimate.low, estimate.high)
    assert run.results.win_rate("closed-book").interval is None
    dialogue = next(run.samples()).dialogue("extractive")
    shown = dialogue.show()
    assert shown.startswith(f"user: {dialogue.turns[0].content}")
    assert shown.endswith(f"({dialogue.ended.value})")


def test_the_gate_decides_as_the_command_does_and_says_it_in_each_language(run, benchbar_command):
    """The same checks; a policy may be a name, a file, a table; one sentence tells the decision and what is behind it."""
    done = benchbar_command("gate", str(run.folder), "--json")
    gate = run.gate()
    assert (done.code, gate.passed) == (4, False)
    assert decode(done.out, GateDecision) == gate.record
    assert "extractive, old" in gate.sentence()
    # What neither comes near, so that the decision is a fail whatever rules leave open.
    strict = {"at_least": {"invented_citation": 0.9}, "minimum_n": 5, "rubric": False}
    failed = run.gate(strict)
    assert failed.sentence().startswith("extractive, old must not be released: ")
    assert "lies entirely below the minimum" in failed.sentence()
    assert failed.sentence("zh").startswith("extractive、old 不得发布：")
    assert run.gate(strict, assistants=("old",)).sentence("ru").startswith("old: выпуск недопустим: ")
    with pytest.raises(benchbar.UserError, match="'fi' is not known; known: en"):
        gate.sentence("fi")
    lenient = {"at_most": {"failed": 0.5}, "minimum_n": 5, "rubric": False}
    assert run.gate(lenient).passed
    assert run.gate(lenient).sentence() == "extractive, old may be released: every condition holds."


@pytest.fixture
def benchbar_command(request):
    """The command line; the library has taken the name."""
    return request.getfixturevalue("benchbar")


def test_a_policy_is_not_worse_than_the_baseline_that_it_names(run, tmp_path):
    """Relative to the policy's own folder."""
    policy = tmp_path / "policy.toml"
    policy.write_text(f'[not_worse]\nrun = "{run.folder}"\nmeasures = ["point_score"]\nmargin = 0.1\n', "utf-8")
    checks = {check.name: check for check in run.gate(policy).record.checks}
    assert checks["extractive: not worse point_score"].estimate.value == 0


def test_every_dialogue_becomes_a_row_of_a_data_frame(run):
    """Missing values are NA; the means are those of the results."""
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert len(frame) == 22 * 3
    assert frame["answer_quality"].isna().all()
    means = frame.groupby("assistant")["point_score"].mean()
    assert means["extractive"] == pytest.approx(run.results.assistants["extractive"]["point_score"].value)


def test_without_pandas_it_is_said_how_to_install_it(run, monkeypatch):
    """The rest of the library does without."""
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'benchbar\[pandas\]'"):
        run.to_pandas()


def test_what_is_no_finished_run_is_refused_with_the_cure(tmp_path, run):
    """No folder, an empty one, one whose marks lie in another order than its dialogues."""
    with pytest.raises(benchbar.UserError, match="no such folder"):
        benchbar.open(tmp_path / "nowhere")
    with pytest.raises(benchbar.UserError, match=r"no results\.json"):
        benchbar.open(tmp_path)
    for file in run.folder.iterdir():
        if file.suffix != ".lock":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    measures = RunFolder(tmp_path).derived("measures")
    measures.write_bytes(b"".join(reversed(measures.read_bytes().splitlines(keepends=True))))
    with pytest.raises(BadInputError, match="run the same `benchbar run` command again"):
        list(benchbar.open(tmp_path).samples())


def test_nobody_but_artefacts_knows_the_name_of_a_file_in_a_run_folder():
    """The format of the folder has one home: a name is written down there and nowhere else."""
    folder = RunFolder(Path())
    files = (*folder.signs, folder.report, folder.tables, folder.timing, folder.failures, folder.marks)
    names = {file.name for file in (*files, folder.finished, folder.shown, folder.shown_plain, folder.lock)}
    names |= {f"{folder.derived(name)}{packed}" for name in DERIVED for packed in ("", ".gz")}
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for file in sorted((ROOT / "src" / "benchbar").rglob("*.py"))
        if file.parent.name != "artefacts"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert found == []
