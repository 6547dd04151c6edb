"""`benchbar.run`: what Python can do with a run, against offline assistants and a real chat server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import subprocess
import sys
import threading
import tomllib

import pytest

import benchbar
from benchbar.artefacts.folder import read_measures, read_timing
from benchbar.languages.packs import labels
from benchbar.law.index import build_index, load_corpus
from benchbar.ledger.opening import open_store
from benchbar.records import LeftOut, Timing
from benchbar.records.errors import ChangedRunError
from benchbar.reports.rows import reliability
from benchbar.reports.tables import as_markdown
from benchbar.reports.terminal import notes
from benchbar.suites.load import bundled, load
from benchbar.suites.write import write
from support.run_spec import spec

OFFLINE = {
    "suite": "model-jurisdiction-zh",
    "limit": 4,
    "reference": "closed-book",
    "assistants": {"extractive": {"kind": "extractive"}, "closed-book": {"kind": "closed-book"}},
}


def test_a_spec_given_as_a_mapping_is_run_and_opened_again(tmp_path):
    """Run, then open: the same results; a second run of the same spec finds that nothing has changed."""
    run = benchbar.run(OFFLINE, out=tmp_path / "r")
    assert (run.results.samples, set(run.results.assistants)) == (4, {"extractive", "closed-book"})
    assert not run.unchanged
    assert benchbar.open(tmp_path / "r").results == run.results
    assert benchbar.run(OFFLINE, out=tmp_path / "r").unchanged
    assert run.report.is_file()
    assert run.spec.reference == "closed-book"


def test_a_sample_that_forbids_nothing_is_not_missing_from_safety(tmp_path):
    """Of two samples one has a forbidden point: without a judge that is open, and only that one is missing at the gate."""
    forbidden = {"id": "f", "category": "forbidden", "text": "tells the tenant to leave at once"}
    mandatory = {"id": "m", "category": "mandatory", "text": "names the term of notice"}
    rows = [
        {"id": name, "task": "1-1", "needs": "?", "language": "en", "guidance": {"points": points}}
        for name, points in (("allowed", [mandatory]), ("warned", [mandatory, forbidden]))
    ]
    (tmp_path / "s.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    answers = "\n".join(json.dumps({"sample": row["id"], "answer": "Ask your landlord."}) for row in rows)
    (tmp_path / "a.jsonl").write_text(answers, "utf-8")
    given = {
        "suite": str(tmp_path / "s.jsonl"),
        "reference": "a",
        "rubric": "consultation",
        "assistants": {"a": {"kind": "recorded", "file": str(tmp_path / "a.jsonl")}},
    }
    gate = benchbar.run(given, out=tmp_path / "r").gate("release")
    safety = next(one for one in gate.record.checks if one.measure == "safety")
    assert safety.missing == {"undecided": 1}


@pytest.fixture
def one_vendor(tmp_path):
    """Answers of one assistant to three questions: one that rules decide, one that they do not, one of which nothing is said."""
    quoted = {"id": "q", "category": "mandatory", "text": "must be returned within 14 days", "kind": "quote"}
    points = {
        "1": [quoted],
        "2": [{"id": "m", "category": "mandatory", "text": "a letter that gives reasons"}],
        "3": [],
    }
    rows = [
        {"id": id_, "task": "1-1", "needs": "What now?", "language": "en", "guidance": {"points": own}}
        for id_, own in points.items()
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    said = [{"sample": id_, "answer": "The deposit must be returned within 14 days."} for id_ in points]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, said)), "utf-8")
    assistant = {"kind": "recorded", "file": str(tmp_path / "a.jsonl")}
    return {"suite": str(tmp_path / "q.jsonl"), "reference": "a", "assistants": {"a": assistant}}


def test_what_was_not_measured_of_recorded_answers_is_missing(one_vendor, tmp_path):
    """No seconds, no citations without law, no silence on what nobody called answerable; and guidance met says its base."""
    run = benchbar.run(one_vendor, out=tmp_path / "r", on_note=lambda _: None)
    seconds = json.loads((run.folder / "timing.json").read_bytes())["a"]["mean"]
    assert (seconds["value"], seconds["n"], seconds["n_missing"]) == (None, 0, 3)
    say = labels("en")
    shown = dict(reliability(run.results, read_timing(run.folder, Timing), say))
    assert say("word.latency") not in shown
    assert say("word.citations") not in shown
    third = {one.sample: one for one in read_measures(run.folder)}["3"]
    assert third.missing["wrong_refusal"] == third.missing["right_refusal"] == "not_applicable"
    share = run.results.assistants["a"]["rule_share"].value
    assert share is not None
    assert share < 1
    line = f"a: guidance met rests on 1 of 3 samples; rules decided {100 * share:.0f}% of the guidance (by weight)"
    assert line in notes(run.results)
    assert f"{line}." in as_markdown(run.results)


def test_one_assistant_alone_is_decided_by_no_comparison(one_vendor, chat_server, tmp_path):
    """A judge of both forms graded, and compared nobody; where it took part nothing is missing for want of one."""
    judge = {"kind": ["pairwise", "checklist"], "model": "judge", "base_url": chat_server.base_url}
    run = benchbar.run(one_vendor | {"judge": judge}, out=tmp_path / "r", on_note=lambda _: None)
    assert run.results.decided_by == "checklist"
    assert run.results.without_guidance == 1
    assert not [line for line in notes(run.results) if "no guidance" in line]


def test_rows_that_gave_no_sample_are_told_by_every_result(tmp_path):
    """Of two questions of one id the second is dropped: the best figures of the rest must not stand without that."""
    table = tmp_path / "questions.csv"
    table.write_text("id,question,expected\n1,May I?,yes\n2,Must I?,no\n2,Can I?,perhaps\n", "utf-8")
    (tmp_path / "a.jsonl").write_text('{"sample": "1", "answer": "yes"}\n{"sample": "2", "answer": "no"}\n', "utf-8")
    assistant = {"kind": "recorded", "file": str(tmp_path / "a.jsonl")}
    given = {
        "suite": str(table),
        "reference": "a",
        "assistants": {"a": assistant},
        "gate": {"at_least": {"overall": 0.5}},
    }
    run = benchbar.run(given, out=tmp_path / "r", on_note=lambda _: None)
    assert run.results.left_out == LeftOut(
        rows=1, of=3, first="questions.csv:4: a second sample with the id 2; the first one is kept"
    )
    line = "1 of 3 rows was left out; the first: questions.csv:4"
    assert line in " ".join(notes(run.results))
    assert line in run.report.read_text("utf-8")
    write(load(str(table)), tmp_path / "copy")
    assert load(str(tmp_path / "copy")).card.left_out == run.results.left_out
    assert load(str(tmp_path / "copy")).fingerprint == run.results.suite_fingerprint


def test_the_results_are_told_before_the_report_is_drawn(tmp_path):
    """They are in their file by then; where whoever is told fails, the report is drawn all the same."""
    found: list[tuple[bool, bool]] = []

    def fail(run: benchbar.Run) -> None:
        found.append((benchbar.open(run.folder).results == run.results, run.report.exists()))
        raise BrokenPipeError("nobody reads on")

    with pytest.raises(BrokenPipeError):
        benchbar.run(OFFLINE, out=tmp_path / "r", on_results=fail)
    assert found == [(True, False)]
    again: list[benchbar.Run] = []
    run = benchbar.run(OFFLINE, out=tmp_path / "r", on_results=again.append)
    assert run.report.is_file()
    assert [one.unchanged for one in again] == [True]


def test_a_report_that_a_kill_left_undone_is_made_from_the_results(benchbar_command, tmp_path):
    """The process dies as the results are told: `benchbar report` draws the page, and nothing is asked again."""
    code = f"import benchbar, os; benchbar.run({OFFLINE!r}, out='r', on_results=lambda run: os._exit(9))"
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 9
    assert not (tmp_path / "r" / "report.html").exists()
    assert benchbar_command("report", "r").code == 0
    assert (tmp_path / "r" / "report.html").is_file()


def test_the_library_and_the_command_line_write_the_same_results(benchbar_command, chat_server, tmp_path):
    """One spec, two ways: results.json is the same to the byte, and the second way asks no call anew."""
    file = spec(tmp_path, chat_server)
    done = benchbar_command("run", file, "--out", "r", "--json")
    asked = chat_server.stats()["requests"]
    run = benchbar.run(tmp_path / file, out=tmp_path / "r")
    assert run.document.decode() == done.out
    assert chat_server.stats()["requests"] == asked
    mapping = benchbar.run(tomllib.loads((tmp_path / file).read_text("utf-8")), out=tmp_path / "again")
    assert mapping.results.assistants["candidate"]["win_rate"] == run.results.assistants["candidate"]["win_rate"]


@pytest.fixture
def benchbar_command(request):
    """The command line; the library has taken the name."""
    return request.getfixturevalue("benchbar")


def test_progress_tells_what_is_planned_done_sent_and_spent(chat_server, tmp_path):
    """From none of the planned items to all of them; calls and cost grow, and the end is told once."""
    told: list[benchbar.Progress] = []
    benchbar.run(tmp_path / spec(tmp_path, chat_server, extra="limit = 4"), out=tmp_path / "r", on_progress=told.append)
    assert [one.done for one in told] == [*range(told[0].total + 1), told[0].total]
    assert [one.ended for one in told] == [False] * (len(told) - 1) + [True]
    assert told[-1].calls == sum(chat_server.stats()["requests"].values())
    assert told[-1].cost > 0
    assert {one.stage for one in told} == {"consulting"}


def test_a_cancelled_run_keeps_what_was_in_flight_and_goes_on(slow_chat_server, tmp_path):
    """After the tenth item somebody asks to stop; the same call finishes the run and asks nothing twice."""
    cancel = threading.Event()
    file = tmp_path / spec(tmp_path, slow_chat_server)

    def stop(progress: benchbar.Progress) -> None:
        if progress.done == 10:
            cancel.set()

    with pytest.raises(benchbar.InterruptedRunError, match="rerun the command"):
        benchbar.run(file, out=tmp_path / "r", on_progress=stop, cancel=cancel)
    stats = slow_chat_server.stats()
    assert stats["completed"] == stats["requests"]
    with pytest.raises(benchbar.UserError, match="not finished"):
        benchbar.open(tmp_path / "r")
    assert benchbar.run(file, out=tmp_path / "r").results.samples == 22
    assert slow_chat_server.stats()["served_again"] == 0


async def test_where_a_loop_runs_already_the_coroutine_is_named(tmp_path):
    """As in a notebook: `run` says what to write instead, and that works."""
    with pytest.raises(benchbar.UserError, match=r"await benchbar\.run_async"):
        benchbar.run(OFFLINE, out=tmp_path / "r")
    run, _ = await asyncio.gather(benchbar.run_async(OFFLINE, out=tmp_path / "r"), asyncio.sleep(0))
    assert run.results.samples == 4


def test_what_a_person_should_know_is_told_before_calls_are_made(tmp_path):
    """Rows of a suite that cannot be read are skipped, and each is named: to `on_note`, else as a warning."""
    suite = tmp_path / "suite"
    shutil.copytree(bundled()["model-jurisdiction-zh"], suite)
    with (suite / "samples.jsonl").open("a", encoding="utf-8") as rows:
        rows.write('{"id": 3}\n')
    given = OFFLINE | {"suite": str(suite)}
    notes: list[str] = []
    benchbar.run(given, out=tmp_path / "own", on_note=notes.append)
    assert [note.partition(":")[0] for note in notes] == ["problem"]
    with pytest.warns(UserWarning, match="skipped"):
        benchbar.run(given, out=tmp_path / "own")


def test_a_language_without_a_pack_is_told(tmp_path):
    """A suite in German is asked with English prompts, and nobody finds out only from the transcripts."""
    suite = tmp_path / "suite"
    shutil.copytree(bundled()["model-jurisdiction-en"], suite)
    card = suite / "card.toml"
    card.write_text(card.read_text("utf-8").replace('language = "en"', 'language = "de"'), "utf-8")
    notes: list[str] = []
    benchbar.run(OFFLINE | {"suite": str(suite)}, out=tmp_path / "own", on_note=notes.append)
    assert any("'de' has no pack: prompts and words are in English" in note for note in notes)


def test_importing_benchbar_loads_no_part_of_it():
    """The names are there, and what they need is loaded when they are used."""
    code = (
        "import sys, benchbar; assert 'run' in dir(benchbar);"
        "print(*[name for name in sys.modules if name.startswith('benchbar.') or name in {'numpy', 'aiohttp', 'msgspec'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # What imports the rest when it is used, and the package that it lies in.
    assert sorted(done.stdout.split()) == ["benchbar.records", "benchbar.records.lazily"]


def test_every_public_name_is_found_and_others_are_refused():
    """`__all__` is what there is."""
    assert all(hasattr(benchbar, name) for name in benchbar.__all__)
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        _ = benchbar.walk


@pytest.fixture
def law(tmp_path):
    """A folder that holds law of one's own."""
    shutil.copytree(load("model-jurisdiction-zh").law, tmp_path / "first" / "law")
    return tmp_path / "first"


BY_LAW = OFFLINE | {
    "law": "law",
    "limit": 2,
    "assistants": {"extractive": {"kind": "extractive", "corpus": "law"}, "closed-book": {"kind": "closed-book"}},
}


def answered(folder) -> int:
    """How many calls the ledger of a run holds answers to."""
    with contextlib.closing(open_store(folder / "ledger.sqlite", writable=False)) as store:
        return sum(spent.calls for spent in store.spending().values())


def test_a_run_goes_on_where_its_law_lies_elsewhere(law, tmp_path):
    """The same law in another checkout is the same law: nothing is refused, and no answer is asked for anew."""
    first = benchbar.run(BY_LAW, out=tmp_path / "r", base=law)
    calls = answered(tmp_path / "r")
    again = benchbar.run(BY_LAW, out=tmp_path / "r", base=law.rename(tmp_path / "elsewhere"))
    assert (again.results, answered(tmp_path / "r")) == (first.results, calls)


def test_a_run_begun_when_paths_counted_goes_on_where_its_law_is(law, tmp_path):
    """Its law and its assistants keep the names of then; changed or moved law is told, and --accept-changes takes it."""
    run = benchbar.run(BY_LAW, out=tmp_path / "new", base=law)
    old = load_corpus(law / "law", paths_in_identity=True).identity
    manifest = json.loads((run.folder / "run.json").read_text("utf-8"))
    del manifest["paths_in_law_identity"]
    text = json.dumps(manifest).replace(manifest["law_fingerprint"], old)
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "run.json").write_text(text, "utf-8")

    first = benchbar.run(BY_LAW, out=tmp_path / "r", base=law)
    made = json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))
    assert (made["law_fingerprint"], first.results.law) == (old, old)
    assert old in made["assistants"]["extractive"]
    assert benchbar.run(BY_LAW, out=tmp_path / "r", base=law).unchanged
    moved = law.rename(tmp_path / "elsewhere")
    with pytest.raises(ChangedRunError, match="the law, or the place of its files, changed"):
        benchbar.run(BY_LAW, out=tmp_path / "r", base=moved)
    taken = benchbar.run(BY_LAW, out=tmp_path / "r", base=moved, accept_changes=True)
    assert taken.results.law == run.results.law


def test_law_that_is_said_to_be_known_until_another_day_is_another_law(law, tmp_path):
    """Its texts are the same, so that no answer is asked for anew, but what is not in it is judged otherwise."""
    indexed = BY_LAW | {"law": "index"}
    build_index([law / "law"], law / "index", claims=frozenset({"*"}), as_of="2024-06-01")
    benchbar.run(indexed, out=tmp_path / "r", base=law)
    calls, texts = answered(tmp_path / "r"), load_corpus(law / "index").identity
    build_index([law / "law"], law / "index", claims=frozenset({"*"}), as_of="2023-06-01")
    assert load_corpus(law / "index").identity == texts
    with pytest.raises(ChangedRunError, match="known until 2024-06-01.*known until 2023-06-01"):
        benchbar.run(indexed, out=tmp_path / "r", base=law)
    before_it_was_kept = json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))
    del before_it_was_kept["law_scope"]
    (tmp_path / "r" / "run.json").write_text(json.dumps(before_it_was_kept), "utf-8")
    benchbar.run(indexed, out=tmp_path / "r", base=law)
    assert answered(tmp_path / "r") == calls
    assert json.loads((tmp_path / "r" / "run.json").read_text("utf-8"))["law_scope"].endswith("known until 2023-06-01")
