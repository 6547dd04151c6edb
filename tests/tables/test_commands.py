"""What is promised of tables at the command line: whichever command reads a file, it reads the same."""

from __future__ import annotations

import json

import pytest
from tests.support.workbook import workbook

QUESTIONS = ("Вернёт ли арендодатель залог?", "Как расторгнуть договор аренды?")
TEXT = "id,task,needs\n" + "".join(f"{number},4-3,{text}\n" for number, text in enumerate(QUESTIONS, start=1))
READ = {
    "windows.csv": TEXT.encode("cp1251"),
    "semicolons.csv": TEXT.replace(",", ";").encode(),
    "tabs.csv": TEXT.replace(",", "\t").encode(),
    "book.xlsx": workbook({"S": [line.split(",") for line in TEXT.splitlines()]}),
}
DOUBLED = TEXT.replace("id,task", "id,id").encode()
NESTED = (
    json.dumps({"id": "1", "task": "4-3", "needs": QUESTIONS[0]})
    + '\n{"id": "2", "needs": '
    + "[" * 2000
    + "]" * 2000
    + "}"
)


@pytest.fixture
def put(benchbar, tmp_path):
    """Writes a file, and a suite that it can be added to."""

    def written(name: str, data: bytes) -> str:
        (tmp_path / name).write_bytes(data)
        benchbar("suite", "new", "mine", "--language", "ru")
        return name

    return written


@pytest.mark.parametrize("name", READ)
def test_what_spreadsheets_write_is_read_by_every_command(benchbar, put, name):
    """Windows-1251, semicolons, tabs under .csv and a workbook are two rows to each of them, and their texts are right."""
    file = put(name, READ[name])
    checked = json.loads(benchbar("suite", "check", file, "--json").out)
    assert (checked["samples"], checked["problems"]) == (2, [])
    added = json.loads(benchbar("suite", "add", "mine", file, "--json").out)
    assert (added["added"], added["problems"]) == (["1", "2"], [])
    assert QUESTIONS[0] in benchbar("suite", "show", "mine", "1").out
    assert benchbar("stats", "agree", file, "--raters", "task,needs", "--json").code == 0


def test_two_columns_of_one_name_are_refused_by_every_command(benchbar, put):
    """Each names file, line and column, and none takes the last of the two."""
    file = put("twice.csv", DOUBLED)
    for command in (
        ("suite", "check", file),
        ("suite", "add", "mine", file),
        ("stats", "agree", file, "--raters", "id,needs"),
        ("run", "--suite", file, "--out", "r"),
    ):
        done = benchbar(*command)
        assert (done.code, "twice.csv:1: field `id`: two columns have this name" in done.err) == (2, True), command


def test_hostile_nesting_is_said_by_every_command(benchbar, put):
    """A line nested 2,000 deep is named by its line, and never a traceback."""
    file = put("nested.jsonl", NESTED.encode())
    for command in (
        ("suite", "check", file),
        ("suite", "add", "mine", file),
        ("stats", "agree", file, "--raters", "id,needs"),
    ):
        done = benchbar(*command)
        assert "nested too deep" in done.out + done.err, command
        assert "Traceback" not in done.err
    for kind in ("questions", "lexrubric", "lawbench", "transcripts", "ucl-bench"):
        done = benchbar("run", "--suite", f"{kind}:{file}", "--out", "r")
        assert (done.code, "nested.jsonl" in done.err, "Traceback" in done.err) == (2, True, False), kind


def test_a_survey_in_the_encoding_of_russian_excel(benchbar, tmp_path):
    """Responses in Windows-1251 with semicolons are read, and none is lost."""
    benchbar("survey", "template", "--language", "ru", "--out", "needs.toml")
    asked = json.loads(benchbar("survey", "check", "needs.toml", "--json").out)
    assert asked
    from benchbar.survey.questionnaire import read_questionnaire

    scenario = read_questionnaire(tmp_path / "needs.toml").scenarios[0].name
    lines = [
        "номер;респондент;сценарий;другое",
        *(f"{n};р{n};{scenario};Хочу понять договор аренды" for n in range(1, 6)),
    ]
    (tmp_path / "answers.csv").write_bytes("\n".join(lines).encode("cp1251"))
    done = benchbar("survey", "import", "answers.csv", "--questionnaire", "needs.toml", "--out", "answers.jsonl")
    assert (done.code, done.err) == (0, "")
    assert "Хочу понять договор аренды" in (tmp_path / "answers.jsonl").read_text("utf-8")
