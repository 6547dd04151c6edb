"""What stands above, below and beside a table of questions is left out and said, or refused with what to do: never guessed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.records.errors import BadInputError, SeveralSheetsError
from benchbar.runs.assembling import chosen_suite
from benchbar.runs.intake import intake, put_down
from benchbar.runs.spec_reading import as_spec
from benchbar.suites import folder
from benchbar.suites.question_table import question_table, wanted
from benchbar.tables.title_rows import titles_above
from suites.test_plain_tables import ANSWER, ROWS, assistants_of, table
from support.workbook import workbook

TITLED = 'No;Question;Expected answer\n1;Is it void?;No\n2;Is it due?;Yes\n3;May I?;"Yes\nand no"\n4;3;No\n'


@pytest.mark.parametrize(
    ("title", "rows"),
    [
        ("Report of the bot\n", "row 1 above the names of the columns is not read: “Report of the bot”"),
        (";;Report of the bot\n", "row 1 above the names of the columns is not read: “Report of the bot”"),
        ("Отчёт бота, май 2026\n", "row 1 above the names of the columns is not read: “Отчёт бота, май 2026”"),
        ("\n\nReport;;\n\nMay 2026;;\n;;\n", "rows 3 to 5 above the names of the columns are not read: “Report”, “May 2026”"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["q.csv", "q.xlsx"])
def test_a_title_above_the_names_of_the_columns_is_left_out_and_said(tmp_path, name, title, rows):
    """One cell a row, above a head of which names are known; the lines of later problems stay those of the file."""
    file = tmp_path / name
    cells = [line.split(";") for line in f"{title}{TITLED}".replace('"Yes\nand no"', "Yes").splitlines()]
    file.write_bytes(workbook({"S": cells}) if name == "q.xlsx" else f"{title}{TITLED}".encode())
    suite = folder.read(file)
    assert [sample.needs for sample in suite.samples] == ["Is it void?", "Is it due?", "May I?"]
    assert rows in suite.understood
    last = title.count("\n") + (5 if name == "q.xlsx" else 6)
    assert [(one.line, one.message[:17]) for one in suite.problems] == [(last, "'3' is no questio")]


@pytest.mark.parametrize(
    "lines",
    [
        ["Question", "Hello, is it void?", "Hello, is it due?"],
        ["Question", "Hello, is it void", "Hello, is it due, or not"],
        ["Text", "Question, may I keep the deposit", "Question, may I leave"],
        ["Текст", "Вопрос, можно ли удержать залог", "Вопрос, можно ли уйти"],
        ["内容", "问题,押金怎么退", "问题,房东要涨租"],
        ["内容", "您好,我有个问题", "您好,押金怎么退"],
        ["Text", "Question; may I leave", "Question; may I stay"],
        ["Report", "Question,Score,Score", "May I leave?,1,2"],
        ["Report", "Question,,Score", "May I leave?,1,2"],
        ["Report", "Question,1,Score", "May I leave?,1,2"],
        ["Report", "Question,Score,Note", "May I leave?,1,2,3"],
        ["Report", "Question,Score,Is it so?", "May I leave?,1,2"],
        [*["Report"] * 21, "Question,Expected answer", "May I leave?,No", "May I stay?,Yes"],
    ],
)
def test_what_is_no_certain_head_below_a_title_is_never_taken_for_one(tmp_path, lines):
    """Commas in sentences, doubled names, gaps, numbers, sentences, wider rows: the first row stays the head, or is refused."""
    (tmp_path / "q.csv").write_text("\n".join(lines), "utf-8")
    with suppress(BadInputError):
        table = question_table(tmp_path / "q.csv")
        assert (table.columns, table.notes) == ((lines[0],), ())


GREETING = st.sampled_from(["", "", "Question, ", "вопрос; ", "问题,", "Hello, my question: ", "Q, "])
SENTENCES = st.builds(str.__add__, GREETING, st.text(alphabet="bщ押 ,;|\t", min_size=1, max_size=30).filter(str.strip))


@given(st.sampled_from(["Question", "Вопрос", "问题", "Text"]), st.lists(SENTENCES, min_size=1, max_size=5))
def test_no_sentence_is_taken_for_the_head_of_a_column_of_questions(name, sentences):
    """Whatever commas, semicolons and tabs they hold, and whatever they begin with."""
    for sign in ",;|\t":
        rows = [(1, [name]), *((place, one.split(sign)) for place, one in enumerate(sentences, start=2))]
        assert titles_above(rows, wanted(), divided=True) == 0


@pytest.mark.parametrize(
    "rows",
    [
        [["Question"], ["May I keep the deposit", "a note by Anna"], ["Is it void"]],
        [["Fragen"], ["Frage", "Antwort"], ["Darf ich gehen?", "Nein"]],
        [["Report"], ["Question", None, "Expected answer"], ["May I leave?", "x", "No"]],
    ],
)
def test_a_title_above_heads_that_nobody_knows_is_refused_with_what_to_do(tmp_path, rows):
    """Of cells too; a head that --map names is known."""
    file = table(tmp_path / "q.xlsx", rows)
    with pytest.raises(
        BadInputError, match=f"row 1 has one cell, “{rows[0][0]}”.*delete what is above them"
    ) as refused:
        folder.read(file)
    assert refused.value.line == 1


def test_a_title_above_a_sheet_whose_heads_nobody_knows_leaves_the_heads_to_be_mapped(tmp_path):
    """They are named, so that --map or the browser can say which holds the question; remarks beside one column are no head."""
    rows = [["Fragen"], ["Frage", "Antwort"], *([f"Darf ich {n} gehen?", "Nein"] for n in range(3))]
    with pytest.raises(BadInputError, match="its columns are Frage, Antwort") as refused:
        folder.read(table(tmp_path / "q.xlsx", rows))
    assert refused.value.line == 2
    beside = [
        ["Fragen"],
        ["Kündigung der Wohnung", "eilig"],
        ["Nachbar zu laut", None],
        ["Kaution", None],
        ["Miete", None],
    ]
    with pytest.raises(BadInputError, match="row 1 has one cell, “Fragen”, and row 2 more"):
        folder.read(table(tmp_path / "beside.xlsx", beside))


def test_a_centred_title_above_heads_that_nobody_knows_is_no_column_without_a_name(tmp_path):
    """The cause is told, and not what follows from it."""
    rows = [
        ["", "Fragen", ""],
        ["Nr", "Frage", "Antwort"],
        ["1", "Darf ich gehen?", "Nein"],
        ["2", "Und bleiben?", "Ja"],
    ]
    for file in (table(tmp_path / "q.xlsx", rows), table(tmp_path / "q.csv", rows)):
        with pytest.raises(BadInputError, match="row 1 has one cell, “Fragen”, and row 2 more"):
            folder.read(file)


def test_a_head_that_is_mapped_is_found_below_a_title(tmp_path):
    """And a fault of the head is told by its own row."""
    file = table(tmp_path / "q.xlsx", [["Fragen"], [None], ["Frage", "Antwort"], ["Darf ich gehen?", "Nein"]])
    suite = folder.read(file, columns={"needs": "Frage", "reference": "Antwort"})
    assert [(sample.needs, sample.reference) for sample in suite.samples] == [("Darf ich gehen?", "Nein")]
    assert "row 1 above the names of the columns is not read: “Fragen”" in suite.understood
    file = table(tmp_path / "a.csv", [["Report", "", ""], ["Question", "Answer", "Topic"], ["May I leave?", "No", "x"]])
    with pytest.raises(BadInputError, match="is this the expected answer, or an assistant's") as refused:
        folder.read(file)
    assert refused.value.line == 2


def test_a_title_of_two_cells_is_named_with_the_row_that_holds_the_names(tmp_path):
    """It may be a head: nothing is left out, and the cure is in the first line."""
    below = [["Отчёт"], ["Организация", "Ромашка"], ["№", "Вопрос", "Эталон"], ["1", "Можно ли уйти?", "Нет"]]
    with pytest.raises(BadInputError, match="row 1 has one cell, “Отчёт”, and row 3 more"):
        folder.read(table(tmp_path / "1c.xlsx", below))
    rows = [
        ["Период", "май 2026"],
        ["№", "Вопрос", "Эталон"],
        ["1", "Можно ли уйти?", "Нет"],
        ["2", "А остаться?", "Да"],
    ]
    for file in (table(tmp_path / "q.xlsx", rows), table(tmp_path / "q.csv", rows, mark=";")):
        with pytest.raises(
            BadInputError, match=r"row 1 does not hold the names.*row 2 seems to: delete what is above row 2"
        ):
            folder.read(file)


def test_a_head_that_stands_again_among_the_rows_is_no_question(tmp_path):
    """As exports repeat it on each page; a title “Questions” above one column is no head with a question “Question” either."""
    head, row = ["Question", "Expected answer"], ["May I leave?", "No"]
    suite = folder.read(table(tmp_path / "q.xlsx", [head, row, head, ["May I stay?", "Yes"]]))
    assert len(suite.samples) == 2
    assert [(one.line, one.message[:36]) for one in suite.problems] == [(3, "the names of the columns come again;")]
    below = [["Report A", ""], head, row, ["Report B", ""], head, ["May I stay?", "Yes"]]
    suite = folder.read(table(tmp_path / "stacked.csv", below))
    assert [sample.needs for sample in suite.samples] == ["May I leave?", "May I stay?"]
    assert [(one.line, one.message[:7]) for one in suite.problems] == [(4, "a title"), (5, "the nam")]
    suite = folder.read(table(tmp_path / "one.xlsx", [["Questions"], ["Question"], ["May I leave?"]]))
    assert [sample.needs for sample in suite.samples] == ["May I leave?"]
    with pytest.raises(BadInputError, match="row 2 seems to"):
        folder.read(table(tmp_path / "two.xlsx", [["Questions", "2024"], head, row]))


@pytest.mark.parametrize("name", ["q.csv", "q.xlsx"])
@pytest.mark.parametrize(
    ("left", "noted"), [([0, 1, 2], True), ([1, 2, 3], True), (["", "", ""], False), ([1, 3, 2], None), (["a", "b", "c"], None)]
)  # fmt: skip
def test_an_unnamed_column_that_only_counts_the_rows_is_left_out_and_said(tmp_path, name, left, noted):
    """As pandas writes its index; an empty one holds nothing to be said. Any other column without a name is refused."""
    rows = [
        ["", "Question", "Expected answer"],
        *([one, f"May I leave in case {n}?", "No"] for n, one in enumerate(left)),
    ]
    file = table(tmp_path / name, rows)
    if noted is None:
        with pytest.raises(BadInputError, match="column 1 has no name"):
            folder.read(file)
        return
    suite = folder.read(file)
    assert [sample.needs[:5] for sample in suite.samples] == ["May I"] * 3
    assert ("column 1 has no name and only counts the rows: it is not read" in suite.understood) == noted


def test_a_text_far_below_in_a_column_without_a_name_is_a_problem_of_its_row(tmp_path):
    """It was not seen when the column was taken for a counter; nothing of it is dropped in silence."""
    rows = [["", "Question"], *([n, f"May I leave in case {n}?"] for n in range(60)), ["Total", "Sixty of them?"]]
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert (len(suite.samples), suite.problems[0].line) == (60, 62)
    assert suite.problems[0].message == "“Total” stands in a column without a name"


def test_a_head_over_two_rows_that_is_too_narrow_is_told_as_such(tmp_path):
    """Not as a doubt about one of its columns, which is not the cause."""
    rows = [
        ["№", "Вопрос", "Ответы"],
        [None, None, "Lex", "Bot"],
        *([n, f"Можно ли {n}?", "Да", "Нет"] for n in range(3)),
    ]
    with pytest.raises(
        BadInputError, match=r"reach to column 3, and every row below to column 4 or further: name"
    ) as told:
        folder.read(table(tmp_path / "q.xlsx", rows))
    assert told.value.line == 1


@pytest.mark.parametrize("total", ["Total", "Итого:", "合计", "Average"])
def test_a_row_of_totals_is_no_question(tmp_path, total):
    """Directly below the last row, without an empty one between."""
    rows = [["Question", "Expected answer"], ["May I leave?", "No"], ["May I stay?", "Yes"], [total, "2"]]
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert len(suite.samples) == 2
    assert [(one.line, "stands over totals" in one.message) for one in suite.problems] == [(4, True)]
    rows = [["No", *ROWS[0]], *([n, *row] for n, row in enumerate(ROWS[1:])), [total, "", "", "", "", "3"]]
    assert assistants_of(table(tmp_path / "a.xlsx", rows)) == {"ChatLex", "LexBot"}


def test_a_merged_title_in_a_table_of_a_document_is_left_out_and_said(tmp_path):
    """Its text stands in each column that it covers, and is no name of one."""
    document = docx.Document()
    grid = document.add_table(rows=3, cols=2)
    grid.cell(0, 0).merge(grid.cell(0, 1)).text = "Report of the bot"
    for place, text in enumerate(["Question", "Expected answer", "May I leave?", "No"]):
        grid.cell(1 + place // 2, place % 2).text = text
    document.save(tmp_path / "q.docx")
    suite = folder.read(tmp_path / "q.docx")
    assert [(sample.needs, sample.reference) for sample in suite.samples] == [("May I leave?", "No")]
    assert "row 1 above the names of the columns is not read: “Report of the bot”" in suite.understood


BOOK = {
    "说明": [["请先阅读"], ["每行一个问题", "谢谢"]],
    "Вопросы": [["Отчёт"], ["Вопрос", "Эталон"], ["Можно ли уйти?", "Нет"]],
    "Log": [["id", "score"], [1, 2]],
}


def test_of_several_sheets_the_only_one_with_questions_is_read_and_the_others_are_named(tmp_path):
    """Also below a title; its answers too. The others can be named."""
    file = tmp_path / "q.xlsx"
    file.write_bytes(workbook(BOOK | {"Old": BOOK["Вопросы"]}, hidden=["Old"]))
    suite = folder.read(file)
    assert [sample.needs for sample in suite.samples] == ["Можно ли уйти?"]
    assert suite.understood[0] == "read q.xlsx: XLSX; sheet Вопросы; 1 rows"
    said = "sheet “Вопросы” is read, the only one of 3 with a column of questions; not read: 说明, Log"
    assert suite.understood[1] == said
    assert [question_table(file, sheet=name).columns for name in ("Log", "Old")] == [
        ("id", "score"),
        ("Вопрос", "Эталон"),
    ]
    with pytest.raises(BadInputError, match=r"only workbooks \(\.xlsx, \.xlsm\) have sheets"):
        folder.read(table(tmp_path / "q.csv", ROWS), sheet="Log")


@pytest.mark.parametrize("second", ["Вопросы 2", "Log"])
def test_several_sheets_of_which_not_one_alone_has_questions_are_refused_by_name(tmp_path, second):
    """The names are kept, so that they can be offered; one that is named is read by suite and answers alike."""
    rows = [["Question", "ChatLex"], ["May I leave at once?", ANSWER.format(n=1)], ["Is it mine?", ANSWER.format(n=2)]]
    other = [
        ["Question", "ChatLex"],
        ["And in the last case?", ANSWER.format(n=3)],
        ["Is it void?", ANSWER.format(n=4)],
    ]
    book = {"A": rows, second: other} if second != "Log" else {"A": [["x", "y"], [1, 2]], second: [["z"], ["1"]]}
    file = tmp_path / "q.xlsx"
    file.write_bytes(workbook(book))
    with pytest.raises(
        SeveralSheetsError, match=f"2 sheets hold rows: A, {second}; say which is meant with --sheet"
    ) as refused:
        folder.read(file)
    assert refused.value.sheets == ("A", second)
    if second != "Log":
        spec, _ = as_spec({"suite": str(file), "sheet": second})
        suite = chosen_suite(spec, Path())
        assert [sample.needs for sample in suite.samples] == ["And in the last case?", "Is it void?"]
        held = RecordedAnswers(file, "ChatLex", sheet=spec.assistants["ChatLex"]["sheet"])
        assert held.dialogue(suite.samples[0]).turns[-1].content == ANSWER.format(n=3)
        found = intake([file], {}, {"sheet": second}, {})
        assert [len(one) for one in found.answers.values()] == [2]
        # The folder of the run holds that sheet alone.
        assert "sheet" not in put_down(found, tmp_path / "run").read_text("utf-8")
