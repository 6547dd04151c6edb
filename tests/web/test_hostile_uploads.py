"""Hostile files dropped on the page while somebody else marks: every one is refused or read as text, and the marking goes on."""

from __future__ import annotations

import io
import json
import pickle
import struct
import threading
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator

import pytest

from support.hostile import NAME
from support.marking import mark
from support.workbook import workbook, workbook_of
from web.conftest import Apps
from web.test_attacks import Structure
from web.test_new_run import bring, draft_of

ASKED = "May a tenant leave the flat without any notice at all?"
SCRIPT = "<script>window.harmed=1</script>"
ROWS = f'<row r="1"><c r="A1" t="inlineStr"><is><t>Question</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>{ASKED}</t></is></c></row>'
PASSWORDS = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
REMOTE = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What an encrypted or very old file of Office begins with."""


def zipped(parts: dict[str, bytes], *, of: bytes = b"") -> bytes:
    """A ZIP with these parts in the place of, or after, those of another."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        warnings.simplefilter("ignore")  # names that stand there twice
        if of:
            with zipfile.ZipFile(io.BytesIO(of)) as plain:
                for name in plain.namelist():
                    if name not in parts:
                        made.writestr(name, plain.read(name))
        for name, data in parts.items():
            made.writestr(name, data)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def sheet(xml: str, **more: bytes) -> bytes:
    """A workbook with this in the place of its sheet."""
    return zipped({SHEET: xml.encode(), **more}, of=workbook_of({"A": ROWS}))


def cells(rows: str, doctype: str = "") -> str:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<?xml version="1.0"?>{doctype}<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def below(*texts: str) -> str:
    """A column of questions."""
    given = ("Question", *texts)
    return "".join(f'<row r="{n}">{text_cell(f"A{n}", text)}</row>' for n, text in enumerate(given, start=1))


def word(body: str, doctype: str = "", **more: bytes) -> bytes:
    """A DOCX with this body."""
    text = f'<?xml version="1.0"?>{doctype}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": text.encode(), **more})


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def lied() -> bytes:
    """A workbook whose parts say that they unpack to nothing."""
    data = bytearray(workbook({"A": [["Question"], [ASKED]]}))
    place = data.find(b"PK\x01\x02")
    while place >= 0:
        data[place + 24 : place + 28] = struct.pack("<I", 0)
        place = data.find(b"PK\x01\x02", place + 4)
    return bytes(data)


def row(**fields: object) -> bytes:
    return json.dumps({"question": ASKED, **fields}).encode() + b"\n"


BOMB = b" " * (100 << 20)
FILES: dict[str, Callable[[], bytes]] = {
    # Workbooks.
    "bomb.xlsx": lambda: zipped({f"xl/worksheets/sheet{n}.xml": BOMB for n in range(3)}),
    "entities.xlsx": lambda: sheet(cells(below("&b;"), '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>')),
    "passwords.xlsx": lambda: sheet(cells(below("&e;"), PASSWORDS)),
    "passwords in strings.xlsx": lambda: sheet(
        cells('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
        **{"xl/sharedStrings.xml": f"{PASSWORDS}<sst><si><t>Question &amp; &e;</t></si></sst>".encode()},
    ),
    "remote definition.xlsx": lambda: sheet(cells(below(ASKED), REMOTE)),
    "far corner.xlsx": lambda: sheet(cells(f'<row r="1">{text_cell("A1", "Question")}</row><row r="1048576">{text_cell("XFD1048576", "x")}</row>')),
    "link formula.xlsx": lambda: sheet(cells(below(ASKED) + '<row r="3"><c r="A3" t="str"><f>HYPERLINK("http://127.0.0.1:9/","here")</f><v>What may a tenant do?</v></c></row>')),
    "web formula.xlsx": lambda: sheet(cells(below(ASKED) + '<row r="3"><c r="A3" t="str"><f>WEBSERVICE("http://127.0.0.1:9/")</f></c></row>')),
    "command formula.xlsx": lambda: sheet(cells(below(ASKED) + "<row r=\"3\"><c r=\"A3\" t=\"str\"><f>cmd|'/c calc'!A0</f><v>=cmd|'/c calc'!A0</v></c></row>")),
    "other workbook.xlsx": lambda: sheet(cells(below(ASKED)), **{"xl/externalLinks/externalLink1.xml": b'<externalLink r:id="x"/>'}),
    "macros.xlsx": lambda: sheet(cells(below(ASKED)), **{"xl/vbaProject.bin": OLE + b"\0" * 4000}),
    "parts lead out.xlsx": lambda: sheet(cells(below(ASKED)), **{"../../../evil.xml": b"<x/>"}),
    "absolute part.xlsx": lambda: sheet(cells(below(ASKED)), **{"/etc/cron.d/evil": b"* * * * * root id"}),
    "encrypted.xlsx": lambda: OLE + b"\0" * 4000,
    "many parts.xlsx": lambda: zipped({f"xl/p{n}.xml": b"" for n in range(3_000)}, of=workbook({"A": [["Question"], [ASKED]]})),
    "zip in zip.xlsx": lambda: zipped({SHEET: workbook({"A": [["Question"], [ASKED]]})}, of=workbook({"A": [["Question"], [ASKED]]})),
    "long cell.xlsx": lambda: sheet(cells(below(SCRIPT.replace("<", "&lt;") + "a" * 2_000_000))),
    "no such string.xlsx": lambda: sheet(cells('<row r="1"><c r="A1" t="s"><v>4294967295</v></c></row>')),
    "numbers.xlsx": lambda: sheet(cells(below(ASKED) + '<row r="3"><c r="A3"><v>1e999</v></c></row><row r="4"><c r="A4"><v>NaN</v></c></row>')),
    "days.xlsx": lambda: sheet(cells(below(ASKED) + '<row r="3"><c r="A3" t="d"><v>999999-99-99T99:99:99</v></c></row>')),
    "sheet name.xlsx": lambda: workbook({f'">{SCRIPT}': [["Question"], [ASKED]], NAME[:20]: [["x"], ["y"]]}),
    "all hidden.xlsx": lambda: workbook({SCRIPT: [["Question"], [ASKED]]}, hidden=[SCRIPT]),
    "other encoding.xlsx": lambda: zipped({SHEET: cells(below(ASKED)).encode("utf-16")}, of=workbook_of({"A": ROWS})),
    "deep.xlsx": lambda: sheet(cells("<row>" * 50_000)),
    "cut off.xlsx": lambda: workbook({"A": [["Question"], [ASKED]]})[:-40],
    "sizes that lie.xlsx": lied,
    "a page.xlsx": lambda: b"<!doctype html><title>Sign in</title>",
    # Word.
    "entities.docx": lambda: word(paragraph("&b;"), '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'),
    "passwords.docx": lambda: word(paragraph(f"Question: {ASKED} &e;"), PASSWORDS),
    "remote definition.docx": lambda: word(paragraph(f"Question: {ASKED}"), REMOTE),
    "a page within.docx": lambda: word('<w:altChunk xmlns:r="x" r:id="a"/>', **{"word/afchunk.html": SCRIPT.encode()}),
    "remote template.docx": lambda: word(
        paragraph(f"Question: {ASKED}"),
        **{"word/_rels/settings.xml.rels": b'<Relationships><Relationship Id="a" Type="attachedTemplate" TargetMode="External" Target="http://127.0.0.1:9/t.dotm"/></Relationships>'},
    ),
    "fields.docx": lambda: word(f'<w:p><w:fldSimple w:instr="INCLUDETEXT file:///etc/passwd"><w:r><w:t>{ASKED}</w:t></w:r></w:fldSimple></w:p>'),
    "commands.docx": lambda: word(f'<w:p><w:fldSimple w:instr="DDEAUTO c:\\\\windows\\\\cmd.exe"><w:r><w:t>Question: {ASKED}</w:t></w:r></w:fldSimple></w:p>'),
    "deep.docx": lambda: word("<w:tbl><w:tr><w:tc>" * 5_000),
    "bomb.docx": lambda: zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b" " * (300 << 20)}),
    "parts lead out.docx": lambda: word(paragraph(f"Question: {ASKED}"), **{"../../evil.xml": b"<x/>"}),
    "no document.docx": lambda: zipped({"[Content_Types].xml": b"<Types/>"}),
    "script.docx": lambda: word(paragraph(f"Question: &lt;img src=x onerror=window.harmed=1&gt; {ASKED}") + paragraph("Must mention: &lt;script&gt;window.harmed=1&lt;/script&gt;")),
    # Delimited text.
    **{
        f"formula {number}.csv": lambda sign=sign: f'question,expected answer\n"{sign}HYPERLINK(""http://127.0.0.1:9/"",""{ASKED}"")",{sign}1\n'.encode()
        for number, sign in enumerate(("=", "+", "-", "@", "\t=", "＝", "=cmd|'/c calc'!A0 "))
    },
    "open quote.csv": lambda: b'question\n"' + b"a,\n" * 100_000,
    "huge cell.csv": lambda: b"question,answer\n" + b"a" * 3_000_000 + b",b\n",
    "wide.csv": lambda: b",".join(b"c%d" % n for n in range(20_000)) + b"\n" + b"," * 19_999 + b"\n",
    "nul.csv": lambda: b"question\n\x00\x00\x00\n",
    "binary.csv": lambda: bytes(range(256)) * 40,
    "utf-7.csv": lambda: b"question\n+ADw-script+AD4-window.harmed=1\n",
    "half a character.csv": lambda: b"question\n" + ASKED.encode() + b"\xe4\xb8\n",
    "utf-16 cut off.csv": lambda: b"\xff\xfe" + f"question\n{ASKED}\n".encode("utf-16-le")[:-1],
    "utf-32.csv": lambda: f"question\n{ASKED}\n".encode("utf-32"),
    "right to left.csv": f"question\n\u202e{ASKED}\u2066\u200b\ufeff\n".encode,
    "terminal.csv": f"question\n\x1b]0;owned\x07\x1b[2J{ASKED}\n".encode,
    "header lines.csv": lambda: b'question\n"a\r\nSet-Cookie: x=y\r\n\r\n<script>window.harmed=1</script>"\n',
    "twice.csv": lambda: b"question,question\na,b\n",
    "head.csv": f'question,"{SCRIPT}","{NAME}"\n{ASKED},a,b\n'.encode,
    "empty rows.csv": lambda: b"question\n" + b"\n" * 50_000 + ASKED.encode() + b"\n",
    "script.csv": f'question,expected answer,ChatLex\n"{SCRIPT}","Must mention: {NAME}","<img src=x onerror=window.harmed=1>"\n'.encode,
    "templates.csv": lambda: b"question,expected answer\n{{7*7}}${7*7}#{7*7}<%=7*7%>{% import os %},{{config}}{{''.__class__.__mro__}}\n",
    # JSON.
    "deep.jsonl": lambda: b'{"question":' * 50_000,
    "deep.json": lambda: b"[" * 100_000,
    "long number.jsonl": lambda: b'{"question":"' + ASKED.encode() + b'","on":' + b"9" * 6000 + b"}\n",
    "infinite.jsonl": lambda: b'{"question":"' + ASKED.encode() + b'","task":NaN,"on":-Infinity}\n',
    "half a pair.jsonl": lambda: b'{"question":"\\ud800 ' + ASKED.encode() + b'"}\n',
    "twice.jsonl": lambda: b'{"question":"a","question":"' + ASKED.encode() + b'"}\n',
    "prototypes.jsonl": lambda: row(__proto__={"polluted": 1}, __class__="os.system", constructor={"prototype": 1}),
    "other types.jsonl": lambda: b"".join(row(**{field: [{"a": [1]}]}) for field in ("id", "task", "guidance", "tags", "on")),
    "path.jsonl": lambda: row(id="../../../etc/passwd") + row(id="/etc/passwd") + row(id="a\\..\\b"),
    "control.jsonl": lambda: row(id="a\nb\x00c\u2028d") + row(task="\x00", tags=["\x1b[31m"]),
    "every field.jsonl": lambda: row(id=SCRIPT, task=NAME, guidance=f"Must mention: {SCRIPT}", tags=[SCRIPT], source=NAME, language=SCRIPT, on=SCRIPT, evidence=SCRIPT, information=SCRIPT, reference=NAME),
    "pickle.jsonl": lambda: pickle.dumps({"question": ASKED}),
    "one long string.jsonl": lambda: b'{"question":"' + b"a" * 15_000_000 + b'"}\n',
    "wide list.jsonl": lambda: row(tags=["x"] * 200_000),
    "yaml.json": lambda: b"!!python/object/apply:os.system ['id']\n",
}  # fmt: skip
"""Name to what makes the file; each is another kind."""


class Marking(threading.Thread):
    """Somebody who marks one task after the other for as long as hostile files are read."""

    def __init__(self, person) -> None:
        super().__init__(daemon=True)
        self._person, self._ends = person, threading.Event()
        self.kept, self.problems = 0, []
        self.longest = 0.0
        """Seconds of the longest mark, with its page."""

    def run(self) -> None:
        while not self._ends.is_set():
            began = time.monotonic()
            try:
                if 'class="review"' in self._person.get("/review").text:
                    answer = mark(self._person, "70", "as usual")
                else:
                    answer = self._person.get("/review")
                    self._ends.wait(0.05)
                if answer.status_code not in {200, 303}:
                    self.problems.append(answer.text[:300])
            except Exception as error:  # noqa: BLE001 - told by the test
                self.problems.append(repr(error))
            self.longest = max(self.longest, time.monotonic() - began)
            self.kept += 1

    def end(self) -> None:
        self._ends.set()
        self.join(300)


@pytest.fixture(scope="module")
def place(reviewed_runs, tmp_path_factory) -> Iterator[tuple[object, Marking]]:
    """An owner who drops files, and a reviewer who marks meanwhile, in one app."""
    import shutil

    runs = tmp_path_factory.mktemp("uploads") / "runs"
    shutil.copytree(reviewed_runs / "run-of-extractive", runs / "run-of-extractive")
    apps = Apps()
    visit = apps(runs)
    owner, ann = visit(), visit()
    owner.sign_in()
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    owner.runs = runs
    marking = Marking(ann)
    marking.start()
    yield owner, marking
    marking.end()
    apps.close()


HEAVY = ("bomb.xlsx", "bomb.docx", "many parts.xlsx", "huge cell.csv", "one long string.jsonl", "entities.xlsx")
"""Files whose making or reading takes seconds."""


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.slow) if one in HEAVY else one for one in FILES])
def test_a_hostile_file_harms_nobody(place, name):
    """Every step answers, nothing of the file is more than text, no file appears elsewhere, and the other one marks on."""
    owner, marking = place
    before = marking.kept
    answer = bring(owner, FILES[name](), name)
    assert answer.status_code in {303, 400, 413}, answer.text[:300]
    shown = [answer.text]
    if answer.status_code == 303:
        draft = draft_of(answer)
        for step in ("questions", "guidance", "assistants", "start", "spec.toml"):
            got = owner.get(f"{draft}/{step}")
            assert got.status_code in {200, 303, 400}, (step, got.text[:300])
            shown.append(got.text)
        owner.post(f"{draft}/delete", form="/new")
    for text in shown:
        assert "Traceback" not in text
        assert "root:" not in text
        assert not [one for one in Structure(text).found if "harmed" in one or "onerror" in one]
    assert not list(owner.runs.parent.rglob("*evil*"))
    for _ in range(2400):
        if marking.kept > before:
            break
        time.sleep(0.05)
    assert marking.kept > before
    assert marking.problems == []


def test_the_hostile_files_are_many():
    """At least sixty, each of another kind."""
    assert len(FILES) >= 60
