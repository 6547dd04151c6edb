"""Files of every kind, good and bad."""

from __future__ import annotations

import itertools
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter

from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index
from benchbar.law.reading import read_file
from benchbar.law.splitting import cut, split_articles
from benchbar.records.errors import BadInputError
from benchbar.tables.documents import clean_pages

ZH = (
    "试验管理办法\n（2020年1月1日公布）\n第一章 总则\n第一条 为了规范试验活动，制定本办法。\n第二条 本办法适用于试验。\n"
    "前款规定的试验，是指检验。\n第二条规定的期限不变。\n第三条 违反本办法第二条规定的，处五百元罚款。\n第三条之一 情节严重的，从重处罚。\n"
    "第四条 本办法自2020年3月1日起施行。\n"
)
RU = (
    "ПРАВИЛА ПРОВЕРКИ\nГлава 1. Общие положения\nСтатья 1. Предмет\n1. Правила определяют порядок проверки текстов.\n"
    "Статья 1.1. Сроки\nПроверка длится десять дней.\nСтатья 2. Ответственность\nНарушение влечет ответственность.\n"
)
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def write_docx(path: Path, xml: str) -> None:
    """A DOCX with the given body."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", xml)


def docx_of(text: str) -> str:
    """The body of a DOCX with a paragraph for each line."""
    lines = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in text.splitlines())
    return f'<w:document xmlns:w="{WORD}"><w:body>{lines}</w:body></w:document>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
def test_chinese_encodings(tmp_path: Path, encoding: str) -> None:
    """The same articles are read from every encoding, with and without a mark."""
    (tmp_path / "a.txt").write_bytes(ZH.encode(encoding))
    legal_texts = read_file(tmp_path / "a.txt")
    assert [(one.number, one.sub) for one in legal_texts.articles] == [
        ("1", ""),
        ("2", ""),
        ("3", ""),
        ("3", "1"),
        ("4", ""),
    ]
    assert legal_texts.articles[1].text.count("\n") == 2
    assert (legal_texts.versions[0].name, legal_texts.versions[0].in_force) == ("试验管理办法", "2020-03-01")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "utf-16"])
def test_russian_encodings(tmp_path: Path, encoding: str) -> None:
    """A Russian act is read from Windows-1251 as from UTF-8."""
    (tmp_path / "a.txt").write_bytes(RU.encode(encoding))
    articles = read_file(tmp_path / "a.txt").articles
    assert [(one.number, one.sub, one.chapter) for one in articles] == [
        ("1", "", "Глава 1. Общие положения"), ("1", "1", "Глава 1. Общие положения"), ("2", "", "Глава 1. Общие положения"),
    ]  # fmt: skip


def test_docx(tmp_path: Path) -> None:
    """A DOCX gives the articles of its paragraphs."""
    write_docx(tmp_path / "a.docx", docx_of(ZH))
    assert len(read_file(tmp_path / "a.docx").articles) == 5


def pdf_of(pages: list[list[str]]) -> bytes:
    """A PDF with the given lines of ASCII on each page, one text object a line."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for number, lines in enumerate(pages):
        shown = "\n".join(f"BT /F1 10 Tf 50 {780 - 14 * row} Td ({line}) Tj ET" for row, line in enumerate(lines))
        resources = "/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 595 842]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {resources} /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out + tail.encode()


def test_pdf(tmp_path: Path) -> None:
    """A PDF gives its articles with lines joined across pages, without running heads and page numbers."""
    head = "Harbour Act"
    body = [
        [head, "Section 1. This Act regulates the use of harbours and of their installations by", "ships.", "1"],
        [head, "Section 2. Whoever enters a harbour without leave of the master of that harbour has", "2"],
        [head, "to pay a fee.", "Section 2A. The fee is set by the master.", "3"],
    ]
    (tmp_path / "a.pdf").write_bytes(pdf_of(body))
    articles = read_file(tmp_path / "a.pdf").articles
    assert [(one.number, one.sub) for one in articles] == [("1", ""), ("2", ""), ("2", "A")]
    assert articles[1].text == "Whoever enters a harbour without leave of the master of that harbour has to pay a fee."


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Broken, protected, empty, scanned, mixed and foreign files are skipped, each with its reason."""
    (tmp_path / "good.txt").write_text(ZH, encoding="utf-8")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04garbage")
    (tmp_path / "old.docx").write_bytes(b"\xd0\xcf\x11\xe0rest")
    write_docx(tmp_path / "entities.docx", '<!DOCTYPE x [<!ENTITY a "b">]>' + docx_of("x"))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\ngarbage")
    scan = PdfWriter()
    scan.add_blank_page(200, 200)
    scan.write(tmp_path / "scan.pdf")
    (tmp_path / "mixed.txt").write_bytes(ZH.encode("gb18030") + RU.encode("utf-8") + b"\xff\xfe\x80\x81")
    (tmp_path / "random.txt").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "notice.md").write_text("# 关于某事的通知\n各单位：请注意。\n", encoding="utf-8")
    (tmp_path / "shopping.txt").write_text("Shopping list\nmilk\ntwelve eggs\n", encoding="utf-8")
    (tmp_path / "order.md").write_text("# 关于某事的规定\n法发〔2020〕3号\n各单位：请注意。\n", encoding="utf-8")
    (tmp_path / "rows.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    (tmp_path / "table.xyz").write_text("?", encoding="utf-8")
    (tmp_path / "header.md").write_text('+++\nlaw_id = "x"\nnmae = "y"\n+++\n第一条 略。\n', encoding="utf-8")
    report = build_index([tmp_path], tmp_path / "index")
    reasons = {Path(one.file).name: one.reason for one in report.skipped}
    expected = {
        "broken.docx": "not a readable DOCX", "old.docx": "password", "entities.docx": "entities",
        "broken.pdf": "not a readable PDF", "scan.pdf": "text recognition", "mixed.txt": "mixed", "random.txt": "binary",
        "empty.txt": "no text", "notice.md": "no sign of an act", "shopping.txt": "no sign of an act", "order.md": "no articles", "rows.jsonl": "no layout", "table.xyz": "not read",
        "header.md": "nmae",
    }  # fmt: skip
    assert reasons.keys() == expected.keys()
    assert all(part in reasons[name] for name, part in expected.items())


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A DOCX that would unpack to more than the limit is refused by its announced size."""
    with zipfile.ZipFile(tmp_path / "a.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<a>" + b" " * (257 * 1024 * 1024) + b"</a>")
    assert "unpacks to" in read_file(tmp_path / "a.docx").skipped[0].reason


def test_a_file_too_large_is_refused_unread(tmp_path: Path) -> None:
    """Half a gigabyte is skipped by its size."""
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(500_000_000)
    assert "at most" in read_file(tmp_path / "a.txt").skipped[0].reason


def test_bad_rows_cost_only_themselves(tmp_path: Path) -> None:
    """A line that is no JSON and a row without its field are named by line; the others are read."""
    lines = ['{"law": "甲法", "article": "第一条", "text": "一。"}', "not json", '{"law": "甲法"}', '{"law": "甲法", "article": "2", "text": "二。"}']  # fmt: skip
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    legal_texts = read_file(tmp_path / "a.jsonl")
    assert [one.number for one in legal_texts.articles] == ["1", "2"]
    assert [one.file.rpartition(":")[2] for one in legal_texts.skipped] == ["2", "3"]


def test_a_judgment_is_a_decision(tmp_path: Path) -> None:
    """Number, court and date are read from the text of a judgment, Chinese and Russian."""
    (tmp_path / "a.txt").write_text(
        "东屿市某区人民法院\n民事判决书\n（2021）京0105民初123号\n原告：某甲。\n原告诉称……买卖合同纠纷一案\n本院认为，依照《民法典》第一条，"
        "判决如下：略。\n审判员 某乙\n二〇二一年六月三日\n",
        encoding="utf-8",
    )
    (tmp_path / "b.txt").write_text(
        "Арбитражный суд города\nРЕШЕНИЕ\nдело № А40-12345/19\n12 марта 2019 г.\nСуд решил взыскать долг.\n",
        encoding="utf-8",
    )
    first, second = (read_file(tmp_path / name).decisions[0] for name in ("a.txt", "b.txt"))
    assert (first.case_number, first.date, first.court) == (
        "（2021）京0105民初123号",
        "2021-06-03",
        "东屿市某区人民法院",
    )
    assert (second.case_number, second.date) == ("А40-12345/2019", "2019-03-12")


def test_copies_of_a_decision_are_told_from_twins(tmp_path: Path) -> None:
    """The same case twice is kept once; two cases with one text are both kept."""
    rows = [{"case_number": f"（2021）京01民终{number}号", "text": "驳回上诉。"} for number in (1, 2, 1)]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    report = build_index([tmp_path / "a.jsonl"], tmp_path / "index")
    assert report.decisions == 2
    assert "copy" in report.skipped[0].reason


def test_heads_feet_and_page_numbers_go() -> None:
    """Lines that most pages share at their edges and page numbers are left out; the body stays."""
    body = ["原告起诉。", "被告答辩。", "本院查明。", "本院认为。", "判决如下。"]
    pages = [["某法院", line, f"- {number} -"] for number, line in enumerate(body, start=1)]
    assert clean_pages(pages) == body


def test_article_labels_at_the_edges_of_pages_stay() -> None:
    """Labels of articles are alike but for their number, and head most pages of a code of short articles: they are no running heads."""
    pages = [["Harbour Act", f"Section {number}. Fees", f"The fee of ship {number} is due."] for number in range(1, 6)]
    assert [line for line in clean_pages(pages) if line.startswith("Section")] == [
        f"Section {number}. Fees" for number in range(1, 6)
    ]


@given(st.text(alphabet="法律。，\n规定 ab", max_size=3000), st.integers(20, 300), st.integers(0, 10))
def test_cutting_loses_nothing(text: str, size: int, overlap: int) -> None:
    """Pieces cover the text in order, none is larger than the size, and neighbours touch or overlap."""
    spans = cut(text, size, overlap)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(end - start <= size for start, end in spans)
    assert all(after[0] <= before[1] and after[1] > before[1] for before, after in itertools.pairwise(spans))


def test_a_line_that_begins_with_a_reference_is_no_label() -> None:
    """第二条规定的… in the middle of article 2 does not open another article."""
    split = split_articles(ZH, "x")
    assert [one.id for one in split.articles] == ["x#1", "x#2", "x#3", "x#3-1", "x#4"]
    assert "第二条规定的期限不变" in split.articles[1].text


def test_a_corpus_folder_with_a_bad_act_is_refused(tmp_path: Path) -> None:
    """A bundled corpus must be whole: what would be skipped in an index is an error there."""
    (tmp_path / "bad.md").write_text('+++\nname = "x"\n+++\n', encoding="utf-8")
    with pytest.raises(BadInputError, match="law_id"):
        Corpus.from_folder(tmp_path)


@pytest.mark.parametrize(
    "heading",
    [
        "Р Е Ш Е Н И Е\nИменем Российской Федерации",
        "РЕШЕНИЕ ИМЕНЕМ РОССИЙСКОЙ ФЕДЕРАЦИИ",
        "Заочное решение",
        "АПЕЛЛЯЦИОННОЕ ОПРЕДЕЛЕНИЕ",
        "Определение по делу № 2-1520/2021",
    ],
)
@pytest.mark.parametrize("ending", ["txt", "docx"])
def test_a_russian_decision_is_a_decision(tmp_path: Path, heading: str, ending: str) -> None:
    """A file with a judgment's heading and a case number is a decision, in capitals or not, as text and as Word."""
    text = f"Дело № 2-1520/2021\n{heading}\n5 мая 2021 года Озёрный районный суд рассмотрел иск.\nРуководствуясь ст. 15 ГК РФ, суд решил."
    file = tmp_path / f"decision.{ending}"
    if ending == "txt":
        file.write_text(text, encoding="utf-8")
    else:
        from docx import Document

        document = Document()
        for line in text.splitlines():
            document.add_paragraph(line)
        document.save(str(file))
    legal_texts = read_file(file)
    assert legal_texts.versions == []
    (decision,) = legal_texts.decisions
    assert (decision.case_number, decision.date) == ("2-1520/2021", "2021-05-05")
