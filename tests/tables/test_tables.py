"""What is promised of tables from outside: every format and encoding read alike, every fault named, nothing guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.support.workbook import workbook, workbook_of

from benchbar.records.errors import BadInputError
from benchbar.tables.columns import numbers, read_columns, words
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import csv_text, read_table, write_table
from benchbar.tables.table import MAX_FIELD, Table

COLUMNS = ("id", "question")
ROWS = [{"id": "1", "question": "租客不付租金怎么办？"}, {"id": "2", "question": "房东, 不退“押金”；怎么办?\n急"}]


def read(path: Path, data: bytes, **options: str) -> Table:
    path.write_bytes(data)
    return read_table(path, **options)  # type: ignore[arg-type]


def contents(table: Table) -> list[dict[str, object]]:
    return [row for _, row in table]


def places(table: Table) -> list[tuple[int | None, str | None]]:
    return [(one.line, one.field) for one in table.problems]


def as_csv(rows: list[dict[str, str]], delimiter: str = ",") -> str:
    cells = [COLUMNS, *(tuple(row.values()) for row in rows)]
    return "\r\n".join(delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in cells) + "\r\n"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
def test_any_delimiter_under_any_ending(tmp_path, delimiter, ending):
    """The file tells its delimiter, whatever its name says."""
    table = read(tmp_path / f"a.{ending}", as_csv(ROWS, delimiter).encode())
    assert (table.delimiter, contents(table), table.problems) == (delimiter, ROWS, [])


def test_a_line_that_names_the_delimiter_is_no_row(tmp_path):
    """Excel's ``sep=;`` is taken at its word, and lines are counted with it."""
    table = read(tmp_path / "a.csv", b"sep=;\r\nid;text\r\n1;a, b\r\n")
    assert list(table) == [(3, {"id": "1", "text": "a, b"})]


def test_two_delimiters_that_fit_alike_are_a_question(tmp_path):
    """Where commas and semicolons divide head and rows alike, nothing is guessed."""
    with pytest.raises(BadInputError, match="commas or semicolons"):
        read(tmp_path / "a.csv", b"name, first;age\nBo, Chen;3\n")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "租客不付租金怎么办？"), ("utf-8-sig", "租客不付租金怎么办？"), ("utf-16", "租客不付租金怎么办？"),
        ("utf-16-le", "Вернёт ли арендодатель залог?"), ("utf-32", "租客不付租金怎么办？"), ("gb18030", "租客不付租金怎么办？"),
        ("big5", "租客不付租金怎麼辦？"), ("cp1251", "Вернёт ли арендодатель залог?"), ("koi8-r", "Вернёт ли арендодатель залог?"),
        ("cp1251", "ДОГОВОР АРЕНДЫ"), ("cp1252", "Le dépôt de garantie à restituer"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["csv", "jsonl", "json"])
def test_any_usual_encoding_of_a_short_file(tmp_path, encoding, text, ending):
    """One sentence is enough to tell Chinese of either writing, Russian in either encoding, and French."""
    rows = [{"id": "1", "question": text}]
    forms = {
        "csv": as_csv(rows),
        "jsonl": json.dumps(rows[0], ensure_ascii=False),
        "json": json.dumps(rows, ensure_ascii=False),
    }
    assert contents(read(tmp_path / f"a.{ending}", forms[ending].encode(encoding))) == rows


def test_two_encodings_as_likely_are_a_question(tmp_path):
    """One Russian word in capitals is a word in two encodings: the file is refused, and both are named."""
    with pytest.raises(BadInputError, match=r"Windows-1251 or KOI8-R|KOI8-R or Windows-1251"):
        read(tmp_path / "a.csv", "id,text\n1,УТ Д\n".encode("cp1251"))
    assert contents(read_table(tmp_path / "a.csv", encoding="cp1251")) == [{"id": "1", "text": "УТ Д"}]


@pytest.mark.parametrize(("most", "odd"), [("utf-8", "gb18030"), ("gb18030", "utf-8"), ("cp1251", "utf-8")])
def test_a_row_in_another_encoding_is_named(tmp_path, most, odd):
    """Line, column and both encodings are named; the other rows are read."""
    text = "Вернёт ли арендодатель залог?" if most == "cp1251" else "租客不付租金怎么办呢"
    lines = [f"{number},{text}".encode(odd if number == 2 else most) for number in range(1, 6)]
    table = read(tmp_path / "a.csv", b"id,text\n" + b"\n".join(lines))
    assert [row["id"] for row in contents(table)] == ["1", "3", "4", "5"]
    assert places(table) == [(3, "text")]
    assert table.problems[0].message.startswith(f"in {odd.upper()}, while the file is in ")


@pytest.mark.parametrize(("head", "says"), [("id,id,x", "field `id`: two columns"), ("id,,x", "column 2 has no name")])
def test_heads_that_would_lose_a_column_are_refused(tmp_path, head, says):
    """Two columns of one name, and one without, are refused in every format with a head."""
    rows = [head.split(","), ["1", "2", "3"]]
    for name, data in (("a.csv", "\n".join(map(",".join, rows)).encode()), ("a.xlsx", workbook({"S": rows}))):
        with pytest.raises(BadInputError, match=says) as caught:
            read(tmp_path / name, data)
        assert caught.value.line == 1


def test_rows_of_other_widths(tmp_path):
    """Empty cells beyond the head and missing ones at the end are nothing; a value beyond the head is a problem."""
    table = read(tmp_path / "a.csv", b"a,b,\n1,2,\n1\n\n1,2,3\n")
    assert list(table) == [(2, {"a": "1", "b": "2"}), (3, {"a": "1", "b": ""})]
    assert [(one.line, one.message) for one in table.problems] == [(5, "3 cells; the head has 2")]


def test_rows_are_numbered_by_their_first_line(tmp_path):
    """Cells of several lines shift nothing, and an unclosed quotation mark is named where it begins."""
    table = read(tmp_path / "a.csv", b'a,b\n1,"x\ny"\n2,z\n3,"open\n4,w\n')
    assert [line for line, _ in table] == [2, 4]
    assert [(one.line, "never closed" in one.message) for one in table.problems] == [(5, True)]


def test_hostile_nesting_is_a_problem_of_its_line(tmp_path):
    """JSON nested a hundred or a hundred thousand deep costs its own row only."""
    deep = ['{"id": "x", "question": ' + "[" * depth + "]" * depth + "}" for depth in (100, 2_000, 100_000)]
    table = read(tmp_path / "a.jsonl", "\n".join([*deep, json.dumps(ROWS[0])]).encode())
    assert contents(table) == ROWS[:1]
    assert [(one.line, "nested too deep" in one.message) for one in table.problems] == [(n, True) for n in (1, 2, 3)]
    (tmp_path / "a.json").write_text("[" * 100_000)
    with pytest.raises(BadInputError, match="nested too deep"):
        read_json(tmp_path / "a.json")


def test_items_of_a_list_are_named_by_their_lines(tmp_path):
    """In a JSON list over several lines too, a wrong item has its line."""
    table = read(tmp_path / "a.json", b'[\n {"id": "1"},\n\n 7, {"id":\n "2"},\n {"id": NaN}\n]')
    assert list(table) in (
        [(2, {"id": "1"}), (4, {"id": "2"}), (6, {"id": None})],
        [(1, {"id": "1"}), (3, {"id": "2"}), (4, {"id": None})],
    )
    assert [one.message for one in table.problems] == ["a JSON object was expected, found a number"]


def test_numbers_that_json_does_not_know_are_missing(tmp_path):
    """The NaN that pandas writes is a missing value, not an error and not a zero."""
    assert contents(read(tmp_path / "a.jsonl", b'{"id": 1, "score": NaN}')) == [{"id": 1, "score": None}]


def test_a_field_too_long_costs_its_row(tmp_path):
    """A field of over a million characters is named, and the row left out."""
    for name, data in (
        ("a.csv", f"a,b\n1,{'x' * (MAX_FIELD + 1)}\n2,y\n"),
        ("a.jsonl", f'{{"a":"1","b":"{"x" * (MAX_FIELD + 1)}"}}\n{{"a":"2","b":"y"}}'),
    ):
        table = read(tmp_path / name, data.encode())
        assert contents(table) == [{"a": "2", "b": "y"}]
        assert [one.field for one in table.problems] == ["b"]


def test_a_workbook_as_excel_counts_it(tmp_path):
    """Rows carry Excel's numbers, whole numbers no decimals; the only sheet with rows is read, hidden ones are not."""
    sheets = {"Empty": [], "问题": [["id", "score"], [1, 0.5], [], [2, None]], "Old": [["x"], ["y"]]}
    table = read(tmp_path / "a.xlsx", workbook(sheets, hidden=["Old"]))
    assert list(table) == [(2, {"id": 1, "score": 0.5}), (4, {"id": 2, "score": ""})]
    assert table.understood() == "XLSX; sheet 问题; columns id, score"


def test_several_sheets_are_a_question(tmp_path):
    """Two sheets with rows are named; one may be asked for; one that is not there is refused."""
    data = workbook({"A": [["x"], ["1"]], "B": [["x"], ["2"]]})
    with pytest.raises(BadInputError, match="2 sheets hold rows: A, B"):
        read(tmp_path / "a.xlsx", data)
    assert contents(read_table(tmp_path / "a.xlsx", sheet="B")) == [{"x": "2"}]
    with pytest.raises(BadInputError, match="no sheet 'C'; there are A, B"):
        read_table(tmp_path / "a.xlsx", sheet="C")


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c><v>1</v></c></row><row r="1048576">' + "<c><v>1</v></c>" * 20 + "</row>",
    ],
)
def test_a_sheet_of_two_far_corners_is_refused(tmp_path, rows):
    """A file of 2 KB whose rectangle of cells would fill the memory is an error, not the end of the process."""
    with pytest.raises(BadInputError, match="1048576 rows"):
        read(tmp_path / "a.xlsx", workbook_of({"S": rows}))


def test_a_bomb_of_zeros_is_not_unpacked(tmp_path):
    """A workbook or Word file that unpacks to more than the limit is refused by its stated size."""
    data = workbook_of({"S": " " * (257 * 1024 * 1024)})
    for name in ("a.xlsx", "a.docx"):
        with pytest.raises(BadInputError, match="unpacks to"):
            read(tmp_path / name, data)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.txt"])
def test_a_workbook_under_another_name_is_said_to_be_one(tmp_path, name):
    """Bytes that are no text are not read as cells."""
    with pytest.raises(BadInputError, match="a ZIP archive"):
        read(tmp_path / name, workbook({"S": [["id"], ["1"]]}))


def test_an_unknown_ending_names_the_known(tmp_path):
    """Old formats are refused with what is read instead."""
    with pytest.raises(BadInputError, match=r"ending \.ods; expected one of \.csv"):
        read(tmp_path / "a.ods", b"")


def test_the_column_view_refuses_what_it_would_have_to_leave_out(tmp_path):
    """Figures are not computed from the rows that happen to be readable."""
    (tmp_path / "a.csv").write_text("judge;human\n1;yes\n0;na\n", "utf-8")
    table = read_columns(tmp_path / "a.csv")
    assert (numbers(table, "judge"), words(table, "human")) == ([1.0, 0.0], ["yes", None])
    (tmp_path / "a.csv").write_text("judge;human\n1;yes;2\n", "utf-8")
    with pytest.raises(BadInputError, match=r"a\.csv:2: 3 cells; the head has 2"):
        read_columns(tmp_path / "a.csv")


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
HEADS = st.lists(CELL.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True)
ENDED = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def tables(draw: st.DrawFn, cell: st.SearchStrategy[str] = CELL) -> tuple[list[str], list[dict[str, str]]]:
    """Columns and rows of which none is empty: an empty row is none."""
    heads = draw(
        HEADS if cell is CELL else st.lists(cell.map(str.strip).filter(bool), min_size=1, max_size=4, unique=True)
    )
    rows = draw(st.lists(st.lists(cell, min_size=len(heads), max_size=len(heads)), max_size=4))
    return heads, [dict(zip(heads, row, strict=True)) for row in rows if any(one.strip() for one in row)]


@ENDED
@given(tables())
@example((["a"], [{"a": "'=1+1"}, {"a": "=1"}, {"a": "''-"}]))
@example((["0;"], [{"0;": "0"}]))
@example((["0;0"], [{"0;0": "0"}]))
@example((["0\t1"], [{"0\t1": "0"}]))
@example((["0\t1"], [{"0\t1": "0\t"}]))
def test_csv_reads_back_what_was_written(tmp_path, written):
    """Formulas, quotation marks, line ends and other writings come back as they were; a doubt is refused, never guessed."""
    heads, rows = written
    write_table(tmp_path / "a.csv", heads, rows)
    try:
        table = read_table(tmp_path / "a.csv")
        read: object = (contents(table), table.problems)
    except BadInputError as doubt:
        # Heads and cells that hold another delimiter may divide evenly by it as well.
        # A head that begins with it has an empty first column then.
        doubts = ("both fit head and rows", "has no name", "two columns have this name")
        assert any(one in doubt.message for one in doubts)  # noqa: PT017 - the other outcome is a table
        return
    assert read == (rows, [])


@ENDED
@given(tables())
def test_json_reads_back_what_was_written(tmp_path, written):
    """A list and lines of objects hold the same rows."""
    _, rows = written
    (tmp_path / "a.json").write_text(json.dumps(rows), "utf-8")
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    assert contents(read_table(tmp_path / "a.json")) == contents(read_table(tmp_path / "a.jsonl")) == rows


PRINTED = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs", "Co", "Cn"]), max_size=12
)


@ENDED
@given(tables(PRINTED))
def test_word_and_excel_read_back_what_was_written(tmp_path, written):
    """What can be seen in a cell comes back from a Word table and from a sheet."""
    heads, rows = written
    write_table(tmp_path / "a.docx", heads, rows)
    assert contents(read_table(tmp_path / "a.docx")) == rows
    sheet = workbook({"S": [heads, *(list(row.values()) for row in rows)]})
    assert contents(read(tmp_path / "a.xlsx", sheet)) == rows


def test_parquet_reads_back_what_was_written(tmp_path):
    """Parquet needs pyarrow; its rows are numbered."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.table({"id": ["1", "2"], "score": [0.5, None]}), tmp_path / "a.parquet")
    assert list(read_table(tmp_path / "a.parquet")) == [(1, {"id": "1", "score": 0.5}), (2, {"id": "2", "score": None})]


def _whole() -> dict[str, bytes]:
    folder = [ROWS[0], ROWS[1]]
    text = csv_text([COLUMNS, *(list(row.values()) for row in folder)])
    return {
        "a.csv": text.encode(),
        "b.csv": text.encode("gb18030"),
        "a.tsv": as_csv(folder, "\t").encode("utf-16"),
        "a.json": json.dumps(folder).encode(),
        "a.jsonl": "\n".join(map(json.dumps, folder)).encode(),
        "a.xlsx": workbook({"S": [COLUMNS, *(list(row.values()) for row in folder)]}),
    }


WHOLE = _whole()


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(sorted(WHOLE)),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=6)), max_size=4),
    st.floats(0, 1),
)
def test_damaged_files_end_in_problems_and_errors_that_say_so(tmp_path, name, strokes, cut):
    """Bytes overwritten, put in and cut off never end in another exception."""
    data = bytearray(WHOLE[name])
    for at, bytes_ in strokes:
        place = int(at * len(data))
        data[place : place + len(bytes_)] = bytes_
    if cut < 0.5:
        del data[int(2 * cut * len(data)) :]
    try:
        table = read(tmp_path / name, bytes(data))
        assert all(isinstance(row, dict) for row in contents(table))
    except BadInputError as error:
        assert name in str(error)  # noqa: PT017 - an error is one of the two right ends


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["0,5", "1,25", "", "3"], [0.5, 1.25, None, 3.0]),
        (["0,125", "-0,5"], [0.125, -0.5]),
        (["TRUE", "False", "—", "н/д"], [1.0, 0.0, None, None]),
    ],
)
def test_numbers_as_spreadsheets_write_them(tmp_path, cells, values):
    """Decimal commas, truth values in capitals, and the usual signs for nothing."""
    (tmp_path / "a.csv").write_text("\n".join(["id;x", *(f"{row};{cell}" for row, cell in enumerate(cells))]), "utf-8")
    assert numbers(read_columns(tmp_path / "a.csv"), "x") == values


@pytest.mark.parametrize("cells", [["1,234", "2,500"], ["1,5", "2.5"]])
def test_a_comma_that_may_stand_between_thousands_is_refused(tmp_path, cells):
    """The message asks for a point, and offers no way to lose the value."""
    (tmp_path / "a.csv").write_text("\n".join(["id;x", *(f"{row};{cell}" for row, cell in enumerate(cells))]))
    with pytest.raises(BadInputError, match="expected a decimal point") as refused:
        numbers(read_columns(tmp_path / "a.csv"), "x")
    assert "--missing" not in str(refused.value)
