"""From an empty folder to guidance that stands: layout, samples from documents, several annotators."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import docx
import pytest

from benchbar.records.errors import BadInputError, UserError
from benchbar.suites.authoring.adding import add
from benchbar.suites.authoring.agreement import compare, settle
from benchbar.suites.authoring.annotation import (
    checked_name,
    guidance_as_text,
    load_all,
    read_filled,
    sheet_rows,
    store,
    with_guidance,
)
from benchbar.suites.authoring.layout import lay_out, write_samples
from benchbar.suites.check import findings
from benchbar.suites.folder import read
from benchbar.suites.guidance_text import read_guidance
from benchbar.tables.reading import read_table, write_table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A new suite of two tasks."""
    lay_out(tmp_path / "mine", language="zh", jurisdiction="PRC", tasks=["4-3", "2-1"])
    return tmp_path / "mine"


def table(path: Path, rows: list[list[str]], encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_a_new_suite_checks_clean(tmp_path, language):
    """What is laid out can be read at once, has no problem, and shows the form by one sample with guidance."""
    lay_out(tmp_path / "new", language=language, jurisdiction="", tasks=["Real Case Consultation"])
    suite = read(tmp_path / "new")
    assert findings(suite) == ()
    (sample,) = suite.samples
    assert sample.guidance.points
    assert (sample.task, sample.language) == ("4-3", language)


def test_nothing_is_laid_over_what_is_there(folder):
    """A folder that is not empty, an unknown task and an unknown language are refused."""
    for place, language, task in ((folder, "zh", "4-3"), (folder / "x", "fr", "4-3"), (folder / "x", "zh", "9-9")):
        with pytest.raises(UserError):
            lay_out(place, language=language, jurisdiction="", tasks=[task])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_samples_come_from_a_table_in_any_encoding(folder, tmp_path, encoding):
    """Chinese heads are known, the example goes, the source becomes a tag, and the same file again adds nothing."""
    rows = [["案情", "问题", "来源", "备注"], ["房东不退押金三千元，理由是墙面有钉眼。", "怎么办？", "Help Desk", "x"]]
    file = table(tmp_path / "a.csv", rows, encoding)
    found = add(folder, file, defaults={"task": "4-3"})
    assert ([sample.id for sample in found.samples], found.problems, found.unread) == (["s001"], [], ("备注",))
    (sample,) = read(folder).samples
    assert (sample.information, sample.needs, sample.tags) == (rows[1][0], "怎么办？", ("source:Help-Desk",))
    assert add(folder, file, defaults={"task": "4-3"}).there == ["s001"]


def test_russian_tables_of_old_spreadsheets_are_read(folder, tmp_path):
    """Windows-1251 with semicolons, as Russian spreadsheets write it, is told from Chinese."""
    text = "Задача;Вопрос;Обстоятельства\n4-3;Что делать?;Арендодатель не возвращает залог\n"
    (tmp_path / "a.csv").write_bytes(text.encode("cp1251"))
    found = add(folder, tmp_path / "a.csv", defaults={"language": "ru"})
    assert found.encoding == "cp1251"
    assert found.samples[0].information == "Арендодатель не возвращает залог"


def test_bad_input_is_named_by_file_row_and_column(folder, tmp_path):
    """A cell in another encoding, a date that is none, an unknown task, yes or no that is neither, a taken id, cells too many."""
    lines = [
        b"id,task,needs,information,on,long_information",
        "a,4-3,第一个问题是什么？,事实甲,2024-01-01,no".encode(),
        b"b,4-3,\xbd\xe8\xbf\xee,x,,",
        "c,4-3,第三个问题？,事实丙,去年,".encode(),
        "d,9-9,第四个问题？,事实丁,,".encode(),
        "e,4-3,第五个问题？,事实戊,,maybe".encode(),
        "a,4-3,第六个问题？,事实己,,".encode(),
        "g,4-3,第七个问题？,事实庚,,,,too".encode(),
        "h,4-3,,事实辛,,".encode(),
    ]
    file = tmp_path / "bad.csv"
    file.write_bytes(b"\r\n".join(lines))
    found = add(folder, file)
    assert [sample.id for sample in found.samples] == ["a"]
    assert {one.file for one in found.problems} == {str(file)}
    places = {(one.line, one.field) for one in found.problems}
    assert places == {(3, "needs"), (4, "on"), (5, "task"), (6, "long_information"), (7, "id"), (8, None), (9, "needs")}
    assert "GB18030" in next(one.message for one in found.problems if one.line == 3)


def test_columns_are_mapped_and_problems_keep_their_names(folder, tmp_path):
    """A head of one's own fills a field with --map, and a problem of that field names the head."""
    file = table(tmp_path / "a.csv", [["Frage", "Tag"], ["Was nun?", "gestern"], ["Und jetzt?", "2024-01-01"]])
    found = add(folder, file, columns={"needs": "Frage", "on": "Tag"}, defaults={"task": "2-1"}, dry_run=True)
    assert [(one.line, one.field) for one in found.problems] == [(2, "Tag")]
    assert len(found.samples) == 1
    assert read(folder).samples[0].id == "example-1"
    with pytest.raises(UserError, match="Sachverhalt"):
        add(folder, file, columns={"information": "Sachverhalt"})


def test_samples_come_from_word_tables_and_paragraphs(folder, tmp_path):
    """A table in a DOCX has a head; without tables, labelled paragraphs begin a sample where a label comes again."""
    write_table(tmp_path / "a.docx", ["needs", "information"], [{"needs": "怎么办？", "information": "欠款未还"}])
    assert [one.needs for one in add(folder, tmp_path / "a.docx", defaults={"task": "4-3"}).samples] == ["怎么办？"]
    document = docx.Document()
    for text in (
        "Interviews",
        "Needs: 能退货吗？",
        "Information: 冰箱破了",
        "商家不理",
        "Needs: 能赔偿吗？",
        "Information: 车被撞了",
    ):
        document.add_paragraph(text)
    document.save(tmp_path / "b.docx")
    found = add(folder, tmp_path / "b.docx", defaults={"task": "4-3"})
    assert [(one.needs, one.information) for one in found.samples] == [
        ("能退货吗？", "冰箱破了\n商家不理"),
        ("能赔偿吗？", "车被撞了"),
    ]


def test_guidance_in_a_table_or_in_jsonl_becomes_points(folder, tmp_path):
    """Labelled text in a cell and points in JSON both arrive as points."""
    rows = [["task", "needs", "guidance"], ["2-1", "离婚冷静期有多长？", "答案参考：三十日。禁止提及：六十日"]]
    add(folder, table(tmp_path / "a.csv", rows))
    point = {"id": "p1", "category": "mandatory", "text": "诉讼时效"}
    row = {"id": "j", "task": "2-1", "needs": "时效几年？", "guidance": {"points": [point]}}
    (tmp_path / "b.jsonl").write_text(json.dumps(row), "utf-8")
    add(folder, tmp_path / "b.jsonl")
    first, second = read(folder).samples
    assert [point.category.value for point in first.guidance.points] == ["ground_truth", "forbidden"]
    assert second.guidance.points[0].text == "诉讼时效"


def test_rows_that_cannot_be_read_are_never_lost(folder, tmp_path):
    """A suite with a broken row is not written anew; the error says which row."""
    file = folder / "samples.jsonl"
    file.write_text(file.read_text("utf-8") + '{"id": "broken"\n', "utf-8")
    with pytest.raises(UserError, match="line 2"):
        add(folder, table(tmp_path / "a.csv", [["task", "needs"], ["2-1", "什么？"]]))


def test_two_columns_of_one_name_are_refused(tmp_path):
    """Which of them is meant, nobody could say."""
    with pytest.raises(BadInputError, match="needs"):
        read_table(table(tmp_path / "a.csv", [["needs", "needs"], ["a", "b"]]))


def test_a_sheet_cannot_smuggle_a_formula(tmp_path):
    """A cell that a spreadsheet would compute is written as text, and read back as it was."""
    rows = [{"sample": "=1+1", "guidance": "-必须提及：a"}]
    write_table(tmp_path / "a.csv", ["sample", "guidance"], rows)
    raw = (tmp_path / "a.csv").read_text("utf-8-sig")
    assert "\n=1" not in raw.replace("\r", "")
    assert [row for _, row in read_table(tmp_path / "a.csv").rows] == rows


@pytest.fixture
def annotated(folder, tmp_path):
    """Three samples, and what two people wrote for them: agreed, another category, one point more."""
    rows = [
        ["id", "task", "needs"],
        ["a", "2-1", "离婚冷静期有多长？"],
        ["b", "2-1", "定金如何返还？"],
        ["c", "2-1", "酒驾怎么处罚？"],
    ]
    add(folder, table(tmp_path / "a.csv", rows))
    suite = read(folder)
    written = {
        "anna": ["答案参考：三十日", "必须提及：双倍返还", "必须提及：1. 罚款；2. 暂扣驾驶证"],
        "bo": ["答案参考：三十日", "鼓励提及：双倍返还", "必须提及：罚款"],
    }
    for name, texts in written.items():
        cells = [["sample", "guidance"], *([id_, text] for id_, text in zip("abc", texts, strict=True))]
        found = read_filled(suite, table(tmp_path / f"{name}.csv", cells), by=name)
        assert found.problems == []
        store(folder, name, found.annotations)
    return suite


def test_disagreements_are_points_that_one_has_or_weighs_differently(annotated):
    """Agreed points count for agreement; a missing point and another category are named with both annotators."""
    found = compare(annotated, load_all(annotated))
    assert [(one.sample, one.what, one.text) for one in found.disagreements] == [
        ("b", "category", "双倍返还"),
        ("c", "missing", "暂扣驾驶证"),
    ]
    assert found.shared == {"a": (2, 2), "b": (2, 2), "c": (2, 3)}
    assert found.weighed == {"a": (1, 1), "b": (0, 1), "c": (1, 1)}


def test_what_is_disputed_waits_for_a_decision(annotated, folder, tmp_path):
    """Agreed guidance stands at once, disputed guidance only once it is decided."""
    everybody = load_all(annotated)
    first = settle(annotated, everybody, {})
    assert (first.agreed, first.disputed) == (["a"], ["b", "c"])
    cells = [["sample", "guidance"], ["b", "必须提及：双倍返还"], ["c", ""]]
    found = read_filled(annotated, table(tmp_path / "d.csv", cells), by="lead")
    assert found.empty == ["c"]
    second = settle(annotated, everybody, {one.sample: one for one in found.annotations})
    assert (second.adjudicated, second.disputed) == (["b"], ["c"])
    write_samples(folder, with_guidance(annotated.samples, second.guidance))
    points = {sample.id: len(sample.guidance.points) for sample in read(folder).samples}
    assert points == {"a": 1, "b": 1, "c": 0}


def test_annotations_of_a_sample_that_changed_no_longer_count(annotated, folder):
    """Guidance belongs to what the annotator saw."""
    text = (folder / "samples.jsonl").read_text("utf-8").replace("离婚冷静期有多长？", "离婚冷静期从哪天算？")
    (folder / "samples.jsonl").write_text(text, "utf-8")
    assert set(load_all(read(folder))["anna"]) == {"b", "c"}


def test_faults_of_a_filled_in_sheet_are_named(annotated, tmp_path):
    """An unknown sample, a second row, a stale row and an unknown label each have their row and column."""
    cells = [
        ["sample", "guidance", "content"],
        ["a", "必须提及：x", "stale"],
        ["zzz", "必须提及：x", ""],
        ["b", "顺便提及：y", ""],
        ["b", "必须提及：z", ""],
    ]
    found = read_filled(annotated, table(tmp_path / "x.csv", cells), by="anna")
    assert {(one.line, one.field) for one in found.problems} == {
        (2, "content"),
        (3, "sample"),
        (4, "guidance"),
        (5, "sample"),
    }
    assert [one.sample for one in found.annotations] == ["b"]


@pytest.mark.parametrize("ending", [".csv", ".docx"])
def test_a_sheet_goes_there_and_back(annotated, folder, tmp_path, ending):
    """What an annotator wrote stands in the next sheet, and reads back as the same points."""
    own = load_all(annotated)["anna"]
    file = tmp_path / f"sheet{ending}"
    rows = sheet_rows(annotated, own)
    write_table(file, list(rows[0]), rows)
    found = read_filled(annotated, file, by="anna")
    assert {one.sample: one.guidance.points for one in found.annotations} == {
        id_: one.guidance.points for id_, one in own.items()
    }


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_points_without_text_can_be_written_out(language):
    """Guidance that came as points is shown as labelled text that reads back with the same categories and wordings."""
    guidance = read_guidance("答案参考：三千元。必须提及：1. 正常损耗；2. 举证责任。禁止提及：押金不退").guidance
    bare = type(guidance)(points=guidance.points)
    again = read_guidance(guidance_as_text(bare, language)).guidance
    assert [(point.category, point.text) for point in again.points] == [
        (point.category, point.text) for point in bare.points
    ]


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "adjudicated", "x" * 70])
def test_an_annotators_name_is_a_files_name(name):
    """Names that would leave the folder, or take another file's place, are refused."""
    with pytest.raises(UserError):
        checked_name(name)
