"""A contract's redlines in the browser: tracked changes, two versions, side, playbook and day, and the files to take away."""

from __future__ import annotations

import html
import io
import json
import re
import tempfile
import zipfile

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

import benchbar
from benchbar.languages.errors import foreign
from benchbar.records import encode

OURS = "房屋租赁合同\n出租人（甲方）：青石公司\n承租人（乙方）：王某\n第一条 逾期付款的，违约金为每日万分之一。\n第二条 甲方负责房屋主体结构的维修。\n"
THEIRS = OURS.replace("万分之一", "百分之五").replace("甲方负责房屋主体结构的维修", "押金在任何情况下均不予退还")
PLAYBOOK = """side = "tenant"
[[position]]
topic = "违约金"
preferred = "违约金为每日万分之一。"
fallback = "违约金为每日万分之三。"
walk_away = "每日百分之五"
[[position]]
topic = "保险"
preferred = "出租人为房屋投保。"
"""


@pytest.fixture(name="command")
def _command(benchbar):
    """The command line, by another name than the library's."""
    return benchbar


@pytest.fixture
def sent(apps, runs):
    """Sends a contract with further fields and files, and gives the page that comes back."""
    visitor = apps(runs)()
    assert visitor.sign_in().status_code == 303

    def send(name: str, data: bytes, fields=None, **files):
        everything = {"csrf": visitor.csrf("/contracts"), **(fields or {})}
        attached = {"file": (name, data), **files}
        return visitor.client.post("/contracts", data=everything, files=attached, headers={"accept": "text/html"})

    send.visitor = visitor
    return send


def given(visitor, page: str) -> dict[str, bytes]:
    """The files that a page offers, by the last part of their address."""
    links = re.findall(r'href="(/contracts/[0-9a-f]{32}/(\w+))"', page)
    return {form: visitor.get(link).content for link, form in links}


def redlined() -> bytes:
    """A lease in which the other side has tracked another late charge."""
    document = docx.Document()
    document.add_paragraph("房屋租赁合同")
    penalty = document.add_paragraph("第一条 逾期付款的，违约金为每日")
    for tag, inner in (("del", "<w:delText>万分之一</w:delText>"), ("ins", "<w:t>百分之五</w:t>")):
        head = f'{nsdecls("w")} w:id="1" w:author="Other" w:date="2026-03-01T09:00:00Z"'
        penalty._p.append(parse_xml(f"<w:{tag} {head}><w:r>{inner}</w:r></w:{tag}>"))
    penalty.add_run("。")
    document.add_paragraph("第二条 押金在任何情况下均不予退还。")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_the_other_sides_tracked_changes_are_shown_with_before_and_after(sent):
    """With their author and a verdict, before the clauses."""
    page = sent("theirs.docx", redlined()).text
    change = re.search(r'<section class="change".*?</section>', page, re.DOTALL)[0]
    assert "<del>万分之一</del><ins>百分之五</ins>" in change
    assert "Other 2026-03-01" in change
    assert "带来风险" in change
    assert "/changes" not in page


def test_proposals_stand_beside_their_findings_and_go_to_word_as_tracked_changes(sent):
    """The DOCX holds the comments and our own insertions and deletions; with comments alone it holds none of ours."""
    page = sent("lease.txt", OURS.replace("甲方负责房屋主体结构的维修", "租赁期限为二十三年").encode()).text
    proposal = re.search(r'<dd class="proposal">(.*?)</dd>', page, re.DOTALL)[1]
    assert "<del>" in proposal
    assert "<ins>" in proposal
    files = given(sent.visitor, page)
    assert set(files) == {"docx", "proposals", "html", "json"}
    written = docx.Document(io.BytesIO(files["proposals"]))
    inserted = "".join(text.text or "" for one in written.element.iter(qn("w:ins")) for text in one.iter(qn("w:t")))
    assert inserted
    assert inserted in re.sub(r"<[^>]+>", "", proposal)
    with zipfile.ZipFile(io.BytesIO(files["proposals"])) as document:
        assert "w:comment " in document.read("word/comments.xml").decode()
    assert not list(docx.Document(io.BytesIO(files["docx"])).element.iter(qn("w:ins")))


def test_two_versions_are_compared_and_the_page_says_what_the_command_says(sent, tmp_path):
    """Every change with its verdict as the library gives it; the changes come as a Word document of their own."""
    (tmp_path / "ours.txt").write_text(OURS, "utf-8")
    (tmp_path / "theirs.txt").write_text(THEIRS, "utf-8")
    review = benchbar.review_contract(tmp_path / "theirs.txt", compare=tmp_path / "ours.txt", side="tenant")
    page = sent("theirs.txt", THEIRS.encode(), {"side": "tenant"}, earlier=("ours.txt", OURS.encode())).text
    assert "compared with ours.txt" in page
    files = given(sent.visitor, page)
    told = json.loads(files["json"])
    own = json.loads(encode(review.report.to_json()))
    for row in (*told["clauses"], *own["clauses"]):
        (row["review"] or {}).pop("latency", None)
    assert told == own | {"file": "theirs.txt"}
    assert len(told["changes"]) == page.count('<section class="change"') > 0
    changed = docx.Document(io.BytesIO(files["changes"]))
    assert "百分之五" in "".join(
        one.text or "" for ins in changed.element.iter(qn("w:ins")) for one in ins.iter(qn("w:t"))
    )
    assert "theirs.txt" in files["html"].decode()


def test_side_playbook_and_day_are_used_and_said(sent):
    """Beyond the walk-away is high, a topic without a clause is told of; the page names the playbook, and keeps what was chosen."""
    answer = sent(
        "theirs.txt", THEIRS.encode(), {"side": "乙方", "on": "2026-05-01"}, playbook=("ours.toml", PLAYBOOK.encode())
    )
    page = html.unescape(answer.text)
    assert "playbook: ours.toml" in page
    assert "每日百分之五" in re.search(r'<section class="clause high".*?</section>', page, re.DOTALL)[0]
    assert "保险" in re.search(r"<h3>合同整体</h3>.*?</section>", page, re.DOTALL)[0]
    assert 'value="乙方"' in page
    assert 'value="2026-05-01"' in page
    assert "<details open><summary>Side, playbook" in page
    assert re.search(r"审查立场：承租人", page)


@pytest.mark.parametrize(
    ("language", "fields", "files", "named"),
    [
        ("ru", {"side": "tennant"}, {}, "'tennant'"),
        ("zh-Hant", {"side": "tennant"}, {}, "'tenant'"),
        ("zh", {"side": "C"}, {}, "'C'"),
        ("ru", {"on": "2026-02-30"}, {}, "2026-02-30"),
        ("zh", {}, {"playbook": ("mine.toml", b"[[position")}, "mine.toml"),
        ("ru", {}, {"playbook": ("mine.toml", b"side = 'tenant'")}, "mine.toml"),
        ("ru", {}, {"playbook": ("mine.toml", b"[[position]]\ntopic = 'a'\nwant = 'b'")}, "mine.toml"),
        ("ru", {}, {"playbook": ("mine.docx", b"PK\x03\x04 broken")}, "mine.docx"),
        ("en", {}, {"playbook": ("mine.exe", b"MZ")}, "mine.exe"),
        ("zh-Hant", {}, {"earlier": ("old.docx", b"PK\x03\x04 broken")}, "old.docx"),
        ("zh", {}, {"earlier": ("old.svg", b"<svg/>")}, "old.svg"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_own_name(sent, language, fields, files, named):
    """In the reader's language, with what was sent; no path of the server stands in it, and what was chosen is still there."""
    sent.visitor.client.cookies.set("benchbar_language", language)
    answer = sent("lease.txt", OURS.encode(), fields, **files)
    assert answer.status_code == 400, answer.text
    problem = html.unescape(re.search(r'role="alert">(.*?)</p>', answer.text, re.DOTALL)[1])
    assert named in problem
    assert tempfile.gettempdir() not in problem
    assert "--" not in problem
    assert language == "en" or not foreign(problem, language), problem


def test_a_side_is_taken_where_the_contract_names_it_and_refused_where_it_names_nobody(sent):
    """A is 甲方 where there is one, whatever its role; in a text without parties it is nobody."""
    taken = sent("note.txt", "合同\n甲方：张三\n乙方：李四\n第一条 甲方交货。\n".encode(), {"side": "A"})
    assert taken.status_code == 200
    assert "甲方" in html.unescape(taken.text)
    refused = sent("note.txt", "合同\n第一条 甲方交货。\n".encode(), {"side": "A"})
    assert refused.status_code == 400
    assert "Parties read: none that was understood" in html.unescape(refused.text)


def test_every_file_goes_when_it_is_told_to(sent):
    """And no name but ours leads to one."""
    page = sent("theirs.txt", THEIRS.encode(), earlier=("ours.txt", OURS.encode())).text
    visitor = sent.visitor
    links = re.findall(r'href="(/contracts/[0-9a-f]{32}/\w+)"', page)
    assert len(links) == 5
    assert visitor.get(links[0].rpartition("/")[0] + "/name").status_code == 404
    visitor.post(links[0].rpartition("/")[0] + "/delete", form="/contracts")
    assert {visitor.get(link).status_code for link in links} == {404}


def test_command_page_and_library_find_the_same(sent, tmp_path, command):
    """With the same party, playbook, day, language and earlier version: clauses, findings, changes, proposals and first page."""
    ours, theirs, positions = (tmp_path / name for name in ("ours.txt", "theirs.txt", "positions.toml"))
    ours.write_text(OURS, "utf-8"), theirs.write_text(THEIRS, "utf-8"), positions.write_text(PLAYBOOK, "utf-8")
    wishes = {"side": "承租人", "on": "2026-03-01", "language": "zh"}
    options = [f"--{name}={value}" for name, value in wishes.items()]
    done = command(
        "review-contract", *map(str, (theirs, "--compare", ours, "--playbook", positions)), *options, "--json"
    )
    library = benchbar.review_contract(theirs, compare=ours, playbook=positions, **wishes).report.to_json()
    page = sent(
        "theirs.txt",
        THEIRS.encode(),
        wishes,
        earlier=("ours.txt", OURS.encode()),
        playbook=("p.toml", PLAYBOOK.encode()),
    ).text
    answers = [json.loads(done.out), json.loads(encode(library)), json.loads(given(sent.visitor, page)["json"])]
    for one in answers:
        one.pop("file"), one["playbook"].pop("name")
        for review in filter(None, (row["review"] for row in one["clauses"])):
            review.pop("latency")
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["changes"]
    assert answers[0]["clauses"][2]["review"]["findings"]


def test_a_demonstration_marks_every_finding_on_the_page_and_in_the_files(sent):
    """The page's option is the command's --demo: every comment in Word says so."""
    page = sent(
        "lease.txt", OURS.replace("甲方负责房屋主体结构的维修", "押金在任何情况下均不予退还").encode(), {"law": "demo"}
    ).text
    files = given(sent.visitor, page)
    assert json.loads(files["json"])["demo"] is True
    comments = [one.text for one in docx.Document(io.BytesIO(files["docx"])).comments]
    assert comments
    assert all("演示" in one for one in comments)


def test_an_unknown_language_is_refused(sent):
    """The field offers those that there are; whoever sends another is told."""
    answer = sent("lease.txt", OURS.encode(), {"language": "xx"})
    assert answer.status_code == 400
    assert "xx is not a language" in html.unescape(answer.text)
