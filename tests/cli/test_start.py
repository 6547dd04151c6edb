"""From a stranger's files to a decision in one command, against real models behind HTTP; nothing is written by hand."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import jsonschema
import pytest
from docx import Document

from benchbar.ledger.opening import open_store
from benchbar.runs.spec_schema import spec_schema
from benchbar.suites.load import load
from benchbar.tables.reading import write_table
from support.contract_maker import as_docx
from support.in_process import runner
from support.terminal import conversed
from support.workbook import workbook

ROOT = Path(__file__).resolve().parents[2]
ANSWER = "You must give the landlord at least {n} days of notice in writing before you leave the flat."


def rows(count: int = 30, answer: str = ANSWER) -> list[list[str]]:
    """Questions, what was expected, and what the vendor's assistant answered."""
    return [
        ["Question", "Expected answer", "ChatLex"],
        *(
            [f"How many days of notice must a tenant give in case {n}?", f"{n} days. Must not mention: {n + 30} days", answer.format(n=n)]
            for n in range(30, 30 + count)
        ),
    ]  # fmt: skip


def asked(server, *models: str, judge: str = "judge-apt") -> tuple[str, ...]:
    named = [word for model in models for word in ("--model", model)]
    return (*named, "--judge", judge, "--base-url", server.base_url)


def test_an_analyst_gets_from_the_vendors_spreadsheet_to_a_decision_in_one_command(tmp_path, monkeypatch, chat_server):
    """30 rows with the vendor's answers: what was understood, tried and planned is said, and the last line is the decision."""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": rows()}))
    run = runner(tmp_path, monkeypatch)
    done = run("start", "vendor.xlsx", *asked(chat_server))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "language: en (from the text of 30 samples)"
    assert "answers: column ChatLex = the assistant ChatLex (30 of 30 rows)" in lines
    assert "  forbidden, counts against the assistant: 60 days" in lines
    assert any(line.startswith(f"tried judge: judge-apt at {chat_server.base_url}: answers in") for line in lines)
    assert any(line.startswith("tried the judge: one verdict was read") for line in lines)
    assert any(line.startswith("in all: 30 samples, at most 31 calls") for line in lines)
    assert lines[-1].startswith("Yes: ChatLex meets 100.0% [")
    assert lines[-1].endswith("of what was expected in 30 samples, and the threshold is 80%.")
    assert run("ledger", "check", "runs/vendor").code == 0
    before = chat_server.stats()["requests"]
    again = run("start", "vendor.xlsx", *asked(chat_server))
    assert again.out.splitlines()[-1] == lines[-1]
    assert chat_server.stats()["requests"] == before, "what was answered is not paid for again, trials included"


def test_an_engineer_compares_two_models_on_own_questions_without_writing_a_file(tmp_path, monkeypatch, chat_server):
    """One command decides; the suite and spec that it wrote are good for the next two."""
    (tmp_path / "own.csv").write_text("\n".join(",".join(f'"{cell}"' for cell in row[:2]) for row in rows()), "utf-8")
    run = runner(tmp_path, monkeypatch)
    done = run("start", "own.csv", *asked(chat_server, "weak-a", "strong-b"))
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1].startswith("Yes: strong-b: win rate ")
    assert "against weak-a" in done.out.splitlines()[-1]
    assert "show a true win rate of 74% (or 26%) with 80% power" in " ".join(done.out.split())
    text = (tmp_path / "runs/own/spec.toml").read_text("utf-8")
    assert text.startswith("#:schema ./spec.schema.json\n")
    jsonschema.Draft202012Validator(spec_schema()).validate(tomllib.loads(text))
    schema = json.loads((tmp_path / "runs/own/spec.schema.json").read_text("utf-8"))
    assert schema == json.loads((ROOT / "docs/schemas/spec.schema.json").read_text("utf-8"))
    assert tomllib.loads(text)["endpoints"] == {"default": {"base_url": chat_server.base_url}}
    assert run("check", "runs/own/spec.toml").code == 0
    before = chat_server.stats()["requests"]
    assert run("run", "runs/own/spec.toml", "--out", "runs/own").code == 0
    assert chat_server.stats()["requests"] == before


@pytest.mark.parametrize(
    ("count", "answer", "code", "sentence"),
    [
        (30, "No.", 3, "No: ChatLex meets 0.0% ["),
        (5, ANSWER, 4, "Not yet: ChatLex meets 100.0% ["),
    ],
)
def test_the_last_line_says_no_or_how_many_more(tmp_path, monkeypatch, chat_server, count, answer, code, sentence):
    """Exit codes are those of the gate."""
    table = rows(count, answer)
    # So short a column is known for answers by its head alone.
    table[0][2] = "answer:ChatLex"
    (tmp_path / "q.xlsx").write_bytes(workbook({"Sheet": table}))
    done = runner(tmp_path, monkeypatch)("start", "q.xlsx", *asked(chat_server))
    assert (done.code, done.err) == (code, "")
    last = done.out.splitlines()[-1]
    assert last.startswith(sentence)
    assert ("like these would confirm a " in last) == (code == 4)


def test_of_two_assistants_the_harm_of_the_better_one_is_told(tmp_path, monkeypatch, chat_server):
    """Who is better is another question: the breach stands in the last line and decides nothing."""
    table = rows()
    for row in table[1:]:
        row[1] = "Must mention: " + row[1].replace(". ", "\n")
    table[20][2] += " The notice may as well be 79 days."
    both = [[*row, "answer:None" if place == 0 else "I do not know."] for place, row in enumerate(table)]
    (tmp_path / "both.xlsx").write_bytes(workbook({"Sheet": both}))
    done = runner(tmp_path, monkeypatch)(
        "start", "both.xlsx", *asked(chat_server, judge="judge-sound"), "--reference", "None"
    )
    assert done.code == 4
    assert "ChatLex breaks “never something forbidden said”: 1 of 30 dialogues breach it" in done.out.splitlines()[-1]


def test_a_few_forbidden_points_and_a_failed_dialogue_bar_no_pass(tmp_path, monkeypatch, chat_server):
    """Who gives no answer says nothing forbidden; three clean dialogues are no breach, and their bound is printed."""
    table = rows(60)
    for row in table[4:]:
        row[1] = row[1].partition(". ")[0]
    table[2][2] = ""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": table}))
    run = runner(tmp_path, monkeypatch)
    assert run("start", "vendor.xlsx", *asked(chat_server)).code == 0
    told = " ".join(run("gate", "runs/vendor", "--full").out.split())
    assert "0 of 2 dialogues breach it, which bounds the rate at 77.6%" in told
    assert "who gives no answer says nothing forbidden" in told


def written(folder, name: str):
    """The same three questions and answers in one form or another; returns what is named on the command line."""
    table = rows(3)
    records = [dict(zip(table[0], row, strict=True)) for row in table[1:]]
    if name == "folder":
        (folder / "data").mkdir()
        write_table(folder / "data" / "q.csv", table[0], records)
        return "data"
    if name == "q.docx":
        document = Document()
        grid = document.add_table(rows=0, cols=3)
        for row in table:
            for cell, text in zip(grid.add_row().cells, row, strict=True):
                cell.text = text
        document.save(folder / name)
    elif name == "q.csv":
        write_table(folder / name, table[0], records)
    elif name == "q.jsonl":
        (folder / name).write_text("\n".join(map(json.dumps, records)), "utf-8")
    else:
        chats = [
            {"messages": [{"role": "user", "content": q}, {"role": "assistant", "content": a}], "target": e}
            for q, e, a in table[1:]
        ]
        (folder / name).write_text("\n".join(map(json.dumps, chats)), "utf-8")
    return name


@pytest.mark.parametrize("name", ["q.csv", "q.jsonl", "q.docx", "folder", "chats.jsonl"])
def test_any_form_of_questions_and_answers_will_do(tmp_path, monkeypatch, chat_server, name):
    """A table in any format, a folder with one, an export of chats: the same answers are found; a dry run sends nothing."""
    given = written(tmp_path, name)
    done = runner(tmp_path, monkeypatch)("start", given, *asked(chat_server), "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert "How many days of notice must a tenant give in case 30?" in " ".join(done.out.split())
    assert (
        f"assistant {'chats' if 'chats' in name else 'ChatLex'}: answers to 3 of 3 questions are there already"
        in " ".join(done.out.split())
    )
    assert "in all: 3 samples, at most 4 calls" in done.out
    assert chat_server.stats()["requests"] == {}
    assert not (tmp_path / "runs").exists()


def test_one_answer_that_says_what_experts_forbid_ends_in_no(tmp_path, monkeypatch, chat_server):
    """A mean of 98% hides it: the policy of a suite with forbidden points asks for none, and the last line names the sample."""
    table = rows()
    # The judge of these tests finds the first and the third point met.
    table[7][1] = "Must mention: 36 days; notice in writing. Must not mention: 66 days"
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": [[*row, n or "No"] for n, row in enumerate(table)]}))
    done = runner(tmp_path, monkeypatch)("start", "vendor.xlsx", *asked(chat_server))
    assert done.code == 3
    last = done.out.splitlines()[-1]
    assert last.startswith("No: ChatLex breaks “never something forbidden said”: 1 of 30 dialogues breach it")
    assert last.endswith("samples: 7.")


def test_one_question_asked_thirty_times_is_one_question(tmp_path, monkeypatch, chat_server):
    """Thirty copies with thirty right answers prove nothing of other questions; it is said before anything is spent."""
    copies = [[str(n), f"How long is the notice{'?' * (n % 3 + 1)}", "30 days", ANSWER.format(n=30)] for n in range(30)]
    (tmp_path / "copies.xlsx").write_bytes(workbook({"Sheet": [["No", *rows()[0][:2], "answer:ChatLex"], *copies]}))
    run = runner(tmp_path, monkeypatch)
    told = run("start", "copies.xlsx", *asked(chat_server), "--dry-run").out
    assert "29 of 30 samples ask what another one asks" in " ".join(told.split())
    done = run("start", "copies.xlsx", *asked(chat_server))
    assert done.code == 4
    assert done.out.splitlines()[-1].startswith("Not yet: ChatLex meets 100.0% [")
    assert "30 samples (not independent: some ask the same or share a document)" in done.out.splitlines()[-1]


def test_a_cell_without_an_answer_counts_as_the_worst_in_the_last_line(tmp_path, monkeypatch, chat_server):
    """The sentence has the interval that was decided on, and the cure is the answer that is missing."""
    table = rows()
    table[3][2] = ""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": table}))
    run = runner(tmp_path, monkeypatch)
    last = run("start", "vendor.xlsx", *asked(chat_server)).out.splitlines()[-1]
    gate = json.loads(run("gate", "runs/vendor", "--json").out)
    low = next(check["estimate"]["low"] for check in gate["checks"] if check["name"] == "point_score")
    assert f"ChatLex meets 100.0% [{100 * low:.1f}, 100.0]" in last
    assert "29 samples (1 more without a value count as the worst)" in last
    assert "of a recorded assistant, bring the answers" in " ".join(run("gate", "runs/vendor", "--full").out.split())


def test_law_is_named_from_the_folder_that_one_stands_in(tmp_path, monkeypatch, chat_server):
    """The spec lies two folders below: a path that held before it was written holds after, and a day needs no quotes."""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": rows(3)}))
    shutil.copytree(load("model-jurisdiction-en").law, tmp_path / "acts")
    run = runner(tmp_path, monkeypatch)
    law = ("--set", "law=acts", "--set", "on=2024-06-01", "--map", "reference=Expected answer", "--set", "rubric=")
    done = run("start", "vendor.xlsx", *asked(chat_server), *law)
    assert done.code == 4, done.err
    assert "no law at hand" not in done.out
    results = json.loads((tmp_path / "runs/vendor/results.json").read_text("utf-8"))
    assert (results["on"], bool(results["law"])) == ("2024-06-01", True)


def test_each_sample_has_its_own_language(tmp_path, monkeypatch, chat_server):
    """A mixed table is said to be one, and each sample keeps the language that was found."""
    table = [
        *rows(2),
        ["押金不退的话，租客可以怎么办？", "可以起诉。", "可以向人民法院起诉要求返还押金，也可以先与房东协商。"],
    ]
    (tmp_path / "q.xlsx").write_bytes(workbook({"Sheet": table}))
    done = runner(tmp_path, monkeypatch)("start", "q.xlsx", *asked(chat_server))
    assert "language: en 2, zh 1 (from the text of 3 samples)" in done.out
    samples = [json.loads(line) for line in (tmp_path / "runs/q/suite/samples.jsonl").read_text("utf-8").splitlines()]
    assert sorted(one["language"] for one in samples) == ["en", "en", "zh"]


def test_personal_data_is_masked_on_the_way(tmp_path, monkeypatch, chat_server):
    """It is counted and said; with --mask neither the files that are written nor any call holds it."""
    table = rows(3)
    table[1][0] = "My name is John Smith, my phone is +1 202 555 0143. When do I get my deposit back?"
    table[1][2] = "John Smith, your landlord has to return the deposit within thirty days after you left."
    (tmp_path / "q.xlsx").write_bytes(workbook({"Sheet": table}))
    run = runner(tmp_path, monkeypatch)
    said = run("start", "q.xlsx", *asked(chat_server), "--dry-run").out
    assert "personal data in the samples: " in said
    assert "--mask" in said
    done = run("start", "q.xlsx", *asked(chat_server), "--mask", "--out", "m")
    assert "personal data is masked" in done.out
    for part in ("suite/samples.jsonl", "answers/ChatLex.jsonl", "dialogues.jsonl"):
        text = (tmp_path / "m" / part).read_text("utf-8")
        assert "deposit" in text
        assert not any(secret in text for secret in ("Smith", "555 0143")), part
    store = open_store(tmp_path / "m" / "ledger.sqlite", writable=False)
    assert b"Smith" not in b"".join(bytes(row[0]) for row in store.rows("SELECT request FROM call"))
    store.close()


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ("judge-mute", "judge: judge-mute at http://127.0.0.1:{port}/v1: its verdict cannot be read"),
        ("unknown", "judge: unknown at http://127.0.0.1:{port}/v1: HTTP 404"),
        ("locked", "judge: locked at http://127.0.0.1:{port}/v1: HTTP 401"),
    ],
)
def test_a_judge_that_cannot_be_used_ends_it_after_its_first_answer(tmp_path, monkeypatch, chat_server, judge, message):
    """Role, model and address stand first; the models to be tested are not asked for more than their trial."""
    (tmp_path / "q.xlsx").write_bytes(workbook({"Sheet": rows()}))
    done = runner(tmp_path, monkeypatch)("start", "q.xlsx", *asked(chat_server, "weak-a", judge=judge))
    assert done.code == 2
    assert message.format(port=chat_server.base_url.split(":")[2].removesuffix("/v1")) in done.err
    assert chat_server.stats()["requests"]["weak-a"] == 1


def test_on_a_terminal_it_asks_for_what_is_missing(tmp_path, chat_server):
    """File, sheet, models, judge, address and key are asked for one by one, and what was understood has to be confirmed."""
    sheets = {"Old": [row[:2] for row in rows(2)], "New": [row[:2] for row in rows(3)]}
    (tmp_path / "q.xlsx").write_bytes(workbook(sheets))
    answers = {
        "File or folder of questions": "q.xlsx",
        "Sheet that holds the questions (Old, New)": "New",
        "Is this what the file means?": "y",
        "Models to test": "weak-a, strong-b",
        "address": chat_server.base_url,
        "variable with the key": "",
        "Judge model": "judge",
        "Run it?": "y",
    }
    code, seen = conversed(tmp_path, answers)
    assert code == 4
    assert "\x1b[32m  ground_truth: 30 days." in seen, "points are in the colour of their category"
    assert "\x1b[31m  forbidden, counts against the assistant: 60 days" in seen
    assert "sheet New; 3 rows" in seen
    assert "Not yet: strong-b: win rate" in seen


ODD = "Ref;Anliegen;Soll\n1;Can the landlord keep my deposit?;No\n2;May rent rise twice a year?;Once only\n"


def test_a_model_suggests_columns_and_nobody_else_takes_them(tmp_path, monkeypatch, chat_server):
    """Without a terminal the suggestion is shown with the options that use it, and the table is read without it."""
    (tmp_path / "q.csv").write_text(ODD, "utf-8")
    run = runner(tmp_path, monkeypatch)
    words = ("start", "q.csv", *asked(chat_server, "weak-a"), "--dry-run")
    done = run(*words, "--suggest-columns", "columns")
    assert done.code == 2
    assert "  needs = Anliegen" in done.out
    assert "not used, as there is no such field or column: evidence = no such head" in " ".join(done.out.split())
    assert "to use it: --map needs=Anliegen --map reference=Soll" in " ".join(done.out.split())
    assert chat_server.stats()["requests"] == {"columns": 1}
    used = run(*words, "--map", "needs=Anliegen", "--map", "reference=Soll")
    assert used.code == 0
    assert "columns: Anliegen = needs, Soll = reference and guidance" in used.out
    refused = run(*words, "--suggest-columns", "columns@https://models.example/v1", "--local-only")
    assert "--local-only: models.example is another machine" in refused.err
    assert "--mask" in run(*words, "--suggest-columns", "columns", "--mask").err


def test_on_a_terminal_a_suggestion_can_be_accepted(tmp_path, chat_server):
    """It is shown before the question; then the rows are read with it."""
    (tmp_path / "q.csv").write_text(ODD, "utf-8")
    answers = {"Use these columns?": "y", "Is this what the file means?": "n"}
    words = ("q.csv", *asked(chat_server, "weak-a"), "--suggest-columns", "columns")
    code, seen = conversed(tmp_path, answers, *words)
    assert code == 2
    assert seen.index("needs = Anliegen") < seen.index("Use these columns?")
    assert "Soll = reference and guidance" in seen


def test_paragraphs_of_a_document_are_questions_and_lines_fit(tmp_path, monkeypatch, chat_server):
    """`Question:` and `Expected answer:` are read as in a table's head; nothing but addresses is wider than 80 columns."""
    lines = ["Question: Can my landlord keep the deposit?", "Expected answer: No.", "Must mention: fair wear and tear"]
    (tmp_path / "q.docx").write_bytes(as_docx([*lines, "Question: How long is a notice?", "Expected answer: 30 days"]))
    done = runner(tmp_path, monkeypatch)("start", "q.docx", *asked(chat_server, "weak-a"), "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert "  mandatory: fair wear and tear" in done.out
    assert [line for line in done.out.splitlines() if len(line) > 80 and "http" not in line] == []


def test_without_expected_answers_more_questions_are_not_asked_for(tmp_path, monkeypatch, chat_server):
    """They would leave the run as undecided as it is."""
    chat = {"messages": [{"role": "user", "content": "May I record a call?"}, {"role": "assistant", "content": "Yes."}]}
    (tmp_path / "chats.jsonl").write_text(json.dumps(chat) + "\n", "utf-8")
    done = runner(tmp_path, monkeypatch)("start", "chats.jsonl", *asked(chat_server))
    assert done.code == 4
    assert done.out.splitlines()[-1].endswith("would not decide: add expected answers.")


def test_without_a_terminal_a_missing_file_is_said(tmp_path, monkeypatch):
    """Scripts are never kept waiting."""
    done = runner(tmp_path, monkeypatch)("start")
    assert done.code == 2
    assert "name a file of questions" in done.err


def test_a_judge_that_failed_its_trial_lets_nothing_pass(tmp_path, monkeypatch, chat_server):
    """It saw no difference between expected answers and general words: the last line is "not yet", and so it stays."""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": rows()}))
    run = runner(tmp_path, monkeypatch)
    done = run("start", "vendor.xlsx", *asked(chat_server, judge="judge-even"))
    assert done.code == 4
    lines = done.out.splitlines()
    said = "NOT TO BE RELIED ON: on trial, judge judge-even did not prefer"
    warning = lines.index(next(line for line in lines if line.startswith(said)))
    assert warning < next(n for n, line in enumerate(lines) if "evidence to release" in line)
    assert lines[-1].startswith("Not yet: on trial, judge judge-even did not prefer the expected answers of q-")
    again = run(*lines[-2].removeprefix("again: benchbar ").split())
    assert said in again.out, "the command that it prints repeats the warning"


def test_a_judge_in_start_is_asked_as_in_any_run(tmp_path, monkeypatch, chat_server):
    """Its trial is booked apart, and does not make the run pass for one that was begun by an older version."""
    (tmp_path / "vendor.xlsx").write_bytes(workbook({"Sheet": rows(3)}))
    run = runner(tmp_path, monkeypatch)
    assert run("start", "vendor.xlsx", *asked(chat_server, judge="judge-schema")).code == 4
    store = open_store(tmp_path / "runs/vendor/ledger.sqlite", writable=False)
    assert store.meta("judging") == b"2"
    kept = json.loads((tmp_path / "runs/vendor/results.json").read_text("utf-8"))
    # One question to the endpoint and one verdict; the judge's own are whether it holds to a schema and three marks.
    assert (kept["spending"]["trial"]["calls"], kept["spending"]["judge"]["calls"]) == (2, 1 + 3)
    store.close()
