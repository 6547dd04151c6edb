"""Contract files as text: four formats, offsets that hold, and clear words about files that cannot be read."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from benchbar.contracts.clauses import clauses
from benchbar.contracts.source import read_contract
from benchbar.records.contracts import ClauseKind
from benchbar.records.errors import BadInputError
from support.contract_maker import as_docx, as_pdf, contract_lines, paged

LINES = contract_lines(30)


def _read(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return read_contract(path)


def _docx(build):
    import docx

    document = docx.Document()
    build(document)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", "\n".join(LINES).encode()),
        ("a.md", "\n\n".join(LINES).encode()),
        ("a.txt", "\r\n".join(LINES).encode("gb18030")),
        ("a.txt", "\n".join(LINES).encode("utf-16")),
        ("a.docx", as_docx(LINES)),
        ("a.pdf", as_pdf(paged(LINES, header="房屋租赁合同 内部资料"))),
    ],
)
def test_every_format_gives_the_same_clauses(tmp_path, name, data):
    """The same contract has the same numbered clauses in text of any encoding, Markdown, DOCX and PDF."""
    found = clauses(_read(tmp_path, name, data))
    numbers = [clause.number for clause in found if clause.kind in {ClauseKind.CLAUSE, ClauseKind.HEADING}]
    expected = [f"第{n}条" for n in range(1, 31)]
    assert [number for number in numbers if number.endswith("条")] == expected
    assert sum("." in number for number in numbers) == 30
    assert found[0].kind is ClauseKind.PREAMBLE
    assert found[-1].kind is ClauseKind.SIGNATURE


@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.pdf"])
def test_offsets_point_into_the_text(tmp_path, name):
    """A clause's text is exactly the characters that its offsets name."""
    data = {"a.txt": "\n".join(LINES).encode(), "a.docx": as_docx(LINES), "a.pdf": as_pdf(paged(LINES))}[name]
    source = _read(tmp_path, name, data)
    assert all(source.text[one.start : one.end] == one.text for one in clauses(source))
    assert all(source.text[one.start : one.end] == one.text for one in source.blocks)


def test_pdf_pages_headers_and_wrapped_lines(tmp_path):
    """A PDF's clauses know their page; running headers and page numbers are left out, wrapped lines are joined."""
    source = _read(tmp_path, "a.pdf", as_pdf(paged(LINES, header="机密 第1版")))
    assert "机密" not in source.text
    assert "共" not in source.text
    assert "乙方应于每月五日前支付。逾期支付的，每日按欠付金额的千分之一支付违约金。" in source.text
    assert max(clause.page for clause in clauses(source)) == source.pages
    assert any("running headers" in warning for warning in source.warnings)


def test_word_counts_its_lists_and_so_do_we(tmp_path):
    """Numbers of automatic lists, which stand in no paragraph's text, are counted as Word shows them."""

    def build(document):
        for text in ("租金每月五千元。", "押金不予退还。"):
            document.add_paragraph(text, style="List Number")
        document.add_paragraph("其他约定。", style="List Bullet")

    source = _read(tmp_path, "a.docx", _docx(build))
    assert source.text.splitlines() == ["1. 租金每月五千元。", "2. 押金不予退还。", "• 其他约定。"]
    assert [block.label for block in source.blocks] == [3, 3, 2]


def test_tables_are_read_row_by_row(tmp_path):
    """A table's rows become one clause of kind table, cells divided by bars, merged cells once."""

    def build(document):
        document.add_paragraph("第一条 费用如下表。")
        table = document.add_table(rows=2, cols=3)
        for row, cells in zip(table.rows, (("费用", "金额", "承担方"), ("水费", "实际", "乙方")), strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        document.add_paragraph("第二条 完。")

    found = clauses(_read(tmp_path, "a.docx", _docx(build)))
    table = next(clause for clause in found if clause.kind is ClauseKind.TABLE)
    assert table.text == "费用 | 金额 | 承担方\n水费 | 实际 | 乙方"


def test_insertions_are_read_and_deletions_are_not(tmp_path):
    """Of tracked changes the inserted words count and the deleted do not, and a warning says so."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    def build(document):
        paragraph = document.add_paragraph("第一条 押金")
        for tag, text in (("ins", "<w:t>一千元</w:t>"), ("del", "<w:delText>两千元</w:delText>")):
            paragraph._p.append(parse_xml(f'<w:{tag} {nsdecls("w")} w:id="1" w:author="A"><w:r>{text}</w:r></w:{tag}>'))

    source = _read(tmp_path, "a.docx", _docx(build))
    assert source.text == "第一条 押金一千元"
    assert "1 insertions were read" in source.warnings[0]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.rtf", b"{}", "expected one of .docx"),
        ("a.txt", b"", "the file is empty"),
        ("a.txt", b"   \n ", "no text"),
        ("a.txt", bytes(range(256)) * 40, "binary file"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + b"x" * 64, "encrypted DOCX or an old .doc"),
        ("a.docx", b"no zip", "cannot be unpacked"),
        ("a.pdf", b"%PDF-1.7 garbage", "not a readable PDF"),
        ("a.pdf", as_pdf([[], [], []]), "looks like a scan"),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_a_cure(tmp_path, name, data, says):
    """Other formats, empty, binary, protected, damaged and scanned files are refused, and the message says what to do."""
    with pytest.raises(BadInputError, match=says):
        _read(tmp_path, name, data)


def test_a_password_is_named_as_the_reason(tmp_path):
    """A PDF behind a password is refused for that reason."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(as_pdf([["第一条 租金。"]]))))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = BytesIO()
    writer.write(buffer)
    with pytest.raises(BadInputError, match="password"):
        _read(tmp_path, "a.pdf", buffer.getvalue())


def test_a_zip_bomb_is_not_unpacked(tmp_path):
    """A DOCX that would unpack to more than half a gigabyte is refused before that."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        zero = b"\0" * (1 << 20)
        with archive.open("word/document.xml", "w") as file:
            for _ in range(520):
                file.write(zero)
    with pytest.raises(BadInputError, match="unpacks to"):
        _read(tmp_path, "a.docx", buffer.getvalue())


def test_a_partly_scanned_pdf_says_which_pages_are_missing(tmp_path):
    """Pages without text are named, and the rest is read."""
    source = _read(tmp_path, "a.pdf", as_pdf([["第一条 租金五千元。"], [], ["第二条 押金一千元。"]]))
    assert any("1 of 3 pages (2)" in warning for warning in source.warnings)
    assert len(clauses(source)) == 2
