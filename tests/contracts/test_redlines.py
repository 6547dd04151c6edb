"""Redlines: the other side's changes are read and judged; our proposals are tracked, minimal, and move nothing unasked."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import subprocess
from pathlib import Path

import docx
import pytest
from click.testing import CliRunner
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from hypothesis import given
from hypothesis import strategies as st

import benchbar
from benchbar.cli.review_contract import command
from benchbar.contracts.docx_source import body_paragraphs, read_docx
from benchbar.contracts.redlines.changes import clause_changes, turned
from benchbar.contracts.redlines.docx_proposals import without_ours
from benchbar.contracts.redlines.preservation import moves
from benchbar.contracts.redlines.words import pieces
from benchbar.contracts.source import read_contract
from support.contract_maker import as_docx, as_pdf, contract_lines, paged

CHANGES = [qn(one) for one in ("w:ins", "w:del", "w:moveFrom", "w:moveTo")]


def _tracked(tag, inner, number=7, author="Other"):
    return parse_xml(
        f'<w:{tag} {nsdecls("w")} w:id="{number}" w:author="{author}" w:date="2026-03-01T09:00:00Z">{inner}</w:{tag}>'
    )


def _saved(document, path):
    document.save(path)
    return path


@pytest.fixture
def redlined(tmp_path):
    """A lease that the other side has changed: a number, a whole clause in, one out, one moved, and bold type."""
    document = docx.Document()
    document.add_paragraph("房屋租赁合同")
    penalty = document.add_paragraph("第一条 逾期付款的，违约金为每日")
    penalty._p.append(_tracked("del", "<w:r><w:delText>万分之一</w:delText></w:r>", 1))
    penalty._p.append(_tracked("ins", "<w:r><w:t>百分之五</w:t></w:r>", 2))
    penalty.add_run("。")
    gone = document.add_paragraph()
    gone._p.get_or_add_pPr().append(
        parse_xml(f'<w:rPr {nsdecls("w")}><w:del w:id="3" w:author="Other" w:date="2026-03-01T09:00:00Z"/></w:rPr>')
    )
    gone._p.append(_tracked("del", "<w:r><w:delText>第二条 甲方负责房屋主体结构的维修。</w:delText></w:r>", 4))
    came = document.add_paragraph()
    came._p.get_or_add_pPr().append(
        parse_xml(f'<w:rPr {nsdecls("w")}><w:ins w:id="5" w:author="Second" w:date="2026-03-01T09:00:00Z"/></w:rPr>')
    )
    came._p.append(
        _tracked("ins", "<w:r><w:t>第三条 甲方有权随时单方解除本合同，且不承担任何责任。</w:t></w:r>", 6, "Second")
    )
    bold = document.add_paragraph("第四条 ")
    run = bold.add_run("租金每月五千元。")
    run.bold = True
    run._r.get_or_add_rPr().append(
        parse_xml(f'<w:rPrChange {nsdecls("w")} w:id="8" w:author="Other"><w:rPr/></w:rPrChange>')
    )
    old = document.add_paragraph("第五条 ")
    old._p.append(_tracked("moveFrom", "<w:r><w:t>水费由乙方承担。</w:t></w:r>", 9))
    old.add_run("电费由乙方承担。")
    new = document.add_paragraph("第六条 ")
    new._p.append(_tracked("moveTo", "<w:r><w:t>水费由乙方承担。</w:t></w:r>", 10))
    new.add_run("燃气费由乙方承担。")
    return _saved(document, tmp_path / "redlined.docx")


def test_both_versions_of_a_redlined_document_are_read(redlined):
    """All changes rejected, and all accepted: insertions, deletions, moves and whole paragraphs; formatting is no change."""
    data = redlined.read_bytes()
    assert read_docx(data, "a", "before").text.splitlines() == [
        "房屋租赁合同",
        "第一条 逾期付款的，违约金为每日万分之一。",
        "第二条 甲方负责房屋主体结构的维修。",
        "第四条 租金每月五千元。",
        "第五条 水费由乙方承担。电费由乙方承担。",
        "第六条 燃气费由乙方承担。",
    ]
    assert read_docx(data, "a").text.splitlines() == [
        "房屋租赁合同",
        "第一条 逾期付款的，违约金为每日百分之五。",
        "第三条 甲方有权随时单方解除本合同，且不承担任何责任。",
        "第四条 租金每月五千元。",
        "第五条 电费由乙方承担。",
        "第六条 水费由乙方承担。燃气费由乙方承担。",
    ]


def test_a_split_paragraph_was_one_before(tmp_path):
    """A paragraph whose end was inserted is one with the next in the earlier version."""
    document = docx.Document()
    first = document.add_paragraph("第一条 租金每月五千元，")
    first._p.get_or_add_pPr().append(parse_xml(f'<w:rPr {nsdecls("w")}><w:ins w:id="5" w:author="B"/></w:rPr>'))
    document.add_paragraph("每月五日前支付。")
    path = _saved(document, tmp_path / "a.docx")
    assert read_docx(path.read_bytes(), "a", "before").text == "第一条 租金每月五千元，每月五日前支付。"


def test_rows_of_a_table_that_came_or_went_are_in_one_version(tmp_path):
    """A tracked row of a table stands in the later version, or in the earlier one."""
    document = docx.Document()
    document.add_paragraph("第一条 费用如下表。")
    table = document.add_table(rows=2, cols=1)
    for row, text, tag in zip(table.rows, ("水费", "电费"), ("ins", "del"), strict=True):
        row.cells[0].text = text
        row._tr.get_or_add_trPr().append(parse_xml(f'<w:{tag} {nsdecls("w")} w:id="3" w:author="B"/>'))
    data = _saved(document, tmp_path / "a.docx").read_bytes()
    assert read_docx(data, "a").text.splitlines()[1:] == ["水费"]
    assert read_docx(data, "a", "before").text.splitlines()[1:] == ["电费"]


def test_the_other_sides_changes_are_judged(redlined):
    """Each changed clause has its author, both texts, the words that turned and a verdict from reviews of both versions."""
    review = benchbar.review_contract(redlined)
    found = {(one.kind, one.name): one for one in review.report.changes}
    assert set(found) == {
        ("changed", "第一条"), ("removed", "第二条"), ("added", "第三条"), ("changed", "第五条"), ("changed", "第六条"),
    }  # fmt: skip
    penalty = found["changed", "第一条"]
    assert penalty.by == (("Other", "2026-03-01T09:00:00Z"),)
    assert penalty.verdict == "worse"
    assert penalty.new
    assert ("number", ("万分之一",), ("百分之五",)) in [(one.kind, one.lost, one.gained) for one in penalty.turned]
    assert ("removed", "万分之一") in penalty.pieces
    assert found["added", "第三条"].verdict == "worse"
    assert found["added", "第三条"].by == (("Second", "2026-03-01T09:00:00Z"),)
    # What protected the reader went: no review of what is left can see that, so that a person has to read it.
    assert found["removed", "第二条"].verdict == "turned"


def test_a_change_in_a_table_is_its_authors_and_answers_only_for_itself(tmp_path):
    """An amount that contradicts itself in both versions is no risk of the change; who changed the cell is told."""
    document = docx.Document()
    document.add_paragraph("Договор поставки")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("Вентиль", "40 000 (тридцать тысяч) рублей", "Отгрузка", ""), strict=True):
        cell.text = text
    changed = table.rows[1].cells[1].paragraphs[0]
    changed._p.append(_tracked("del", "<w:r><w:delText>20 дней</w:delText></w:r>", 51, "Petrova"))
    changed._p.append(_tracked("ins", "<w:r><w:t>80 дней</w:t></w:r>", 52, "Petrova"))
    (change,) = benchbar.review_contract(_saved(document, tmp_path / "a.docx")).report.changes
    assert (change.verdict, change.new, change.gone) == ("turned", (), ())
    assert change.level_before == change.level_after
    assert change.by == (("Petrova", "2026-03-01T09:00:00Z"),)


def test_a_change_back_takes_the_risk_away(tmp_path):
    """The same two versions the other way round: the finding is gone, and the verdict better."""
    for name, line in (("old", "押金在任何情况下均不予退还。"), ("new", "押金在租赁期满后十日内退还。")):
        (tmp_path / f"{name}.txt").write_text(f"房屋租赁合同\n第一条 租期两年。\n第二条 {line}\n", "utf-8")
    (change,) = benchbar.review_contract(tmp_path / "new.txt", compare=tmp_path / "old.txt").report.changes
    assert (change.verdict, change.kind, len(change.gone)) == ("better", "changed", 1)


def _source(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return read_contract(path)


def test_versions_of_any_format_are_compared(tmp_path):
    """DOCX, text and PDF of one contract do not differ; a change is found whichever formats the versions have."""
    lines = contract_lines(12)
    other = [line.replace("每月五日前", "每月二十五日前") for line in lines]
    old = {
        "a.docx": as_docx(lines), "a.txt": "\n".join(lines).encode(), "a.pdf": as_pdf(paged(lines)),
    }  # fmt: skip
    new = _source(tmp_path, "b.pdf", as_pdf(paged(other)))
    for name, data in old.items():
        earlier = _source(tmp_path, name, data)
        assert clause_changes(earlier, _source(tmp_path, "c.txt", "\n".join(lines).encode())) == ()
        found = clause_changes(earlier, new)
        assert found
        assert all(
            (one.kind, one.lost, one.gained) == ("number", ("五",), ("二十五",))
            for change in found
            for one in change.turned
        )


def test_numbers_that_moved_on_are_no_change_and_moved_clauses_are_told(tmp_path):
    """A clause put in renumbers the rest, which says the same; a clause that stands elsewhere is moved."""
    body = ["租赁期限为二年。", "租金每月五千元。", "维修由甲方负责。", "争议由法院解决。"]

    def numbered(texts):
        lines = (f"第{number}条 {text}" for number, text in zip("一二三四五六", texts, strict=False))
        return _source(tmp_path, "a.txt", "\n".join(("房屋租赁合同", *lines)).encode())

    old = numbered(body)
    (added,) = clause_changes(old, numbered([body[0], "乙方不得转租。", *body[1:]]))
    assert (added.kind, added.name) == ("added", "第二条")
    (moved,) = clause_changes(old, numbered([body[3], *body[:3]]))
    assert (moved.kind, moved.name, moved.turned) == ("moved", "第一条", ())


@pytest.mark.parametrize(
    ("before", "after", "lost", "gained"),
    [
        ("secret for three years", "secret for nine years", "three", "nine"),
        ("within eighteen (18) months", "within sixty (60) months", "18", "60"),
        ("on the first day of each month", "on the twentieth day of each month", "first", "twentieth"),
        ("checked once a year", "checked twice a year", "once", "twice"),
        ("в течение трёх лет", "в течение десяти лет", "трёх", "десяти"),
        ("за два дня", "за двадцать пять дней", "два", "двадцать пять"),
        ("не позднее пятого числа", "не позднее двадцатого числа", "пятого", "двадцатого"),
        ("每半年查阅一次账目", "每三年查阅一次账目", "半", "三"),
    ],
)
def test_a_number_in_words_turns_a_clause_as_one_in_digits_does(before, after, lost, gained):
    """Three years that become nine are no change of wording only; a number that stands in words and digits is told once."""
    assert ("number", (lost,), (gained,)) in [(one.kind, one.lost, one.gained) for one in turned(before, after)]


def test_words_that_count_nobody_are_no_numbers():
    """Who a rule is for may change without a number that comes or goes."""
    found = turned("No one party may assign.", "Neither of the parties may assign.")
    assert "number" not in [one.kind for one in found]


@given(st.text("ab 十百0.的，\n", max_size=40), st.text("ab 十百0.的，\n", max_size=40))
def test_pieces_hold_both_texts(before, after):
    """Without what was added they are the earlier text, without what was removed the later one."""
    found = pieces(before, after)
    assert "".join(text for kind, text in found if kind != "added") == before
    assert "".join(text for kind, text in found if kind != "removed") == after


CONTRACT = "甲方出租人，乙方承租人。“服务”是指平台服务。The Landlord and the Tenant. “Services” means the work. «Услуги» означает работы. Арендодатель, Арендатор."
UNASKED = [
    ("zh", "租金每月5000元，押金不予退还。", "押金应当退还。", "number"),
    ("zh", "乙方应在三十日内支付。", "乙方应在六十日内支付。", "number"),
    ("zh", "违约金为千分之一。", "违约金为百分之一。", "number"),
    ("zh", "甲方应当维修房屋。", "乙方应当维修房屋。", "party"),
    ("zh", "甲方应当维修房屋。", "甲方应当维修房屋，买方承担费用。", "party"),
    ("zh", "乙方不得转租，押金不予退还。", "押金应当退还。", "negation"),
    ("zh", "甲方提供服务。", "甲方提供协助。", "defined term"),
    ("en", "Rent is 500 dollars and the deposit is forfeited.", "The deposit is returned.", "number"),
    ("en", "The Landlord repairs the roof.", "The Tenant repairs the roof.", "party"),
    ("en", "The Tenant shall not sublet, and the deposit is not returned.", "The Tenant is given the deposit.", "negation"),
    ("en", "The Services end on notice.", "The work ends on notice.", "defined term"),
    ("ru", "Плата составляет 500 рублей, залог не возвращается.", "Залог возвращается.", "number"),
    ("ru", "Арендодатель ремонтирует крышу.", "Арендатор ремонтирует крышу.", "party"),
    ("ru", "Арендатор не сдаёт помещение, залог не возвращается.", "Арендатор получает залог.", "negation"),
    ("ru", "Услуги оказываются ежедневно.", "Работы выполняются ежедневно.", "defined term"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "before", "after", "kind"), UNASKED)
def test_what_nobody_asked_for_is_named(language, before, after, kind):
    """A number, party, negation or defined term that a wording moves and its finding does not name is unasked."""
    found = moves(before, after, named="押金 deposit залог", by_rule=True, contract=CONTRACT)
    assert kind in {one.kind for one in found if not one.asked}, (language, found)


@pytest.mark.parametrize(
    ("before", "after", "named", "by_rule"),
    [
        ("租赁期限为二十三年。", "租赁期限不超过二十年。", "条款写明23年，界限为20年。", False),
        ("押金不予退还。", "押金应当在十日内退还。", "", True),
        ("甲方可以随时解除。", "任何一方可以提前通知解除。", "", True),
        ("The Landlord is never liable.", "Either party is liable for its fault.", "", True),
        ("Арендодатель не несёт ответственности.", "Каждая из сторон несёт ответственность.", "", True),
    ],
)
def test_what_was_asked_for_passes(before, after, named, by_rule):
    """A number that the finding names, the accused negation, a right that becomes mutual, what a rule's own wording brings in."""
    assert all(one.asked for one in moves(before, after, named=named, by_rule=by_rule, contract=CONTRACT))


def test_a_models_wording_brings_in_no_number():
    """What a model writes may hold no number that its finding does not name; a rule's author chose the rule's."""
    asked = {
        by: moves("押金不予退还。", "押金应当在十日内退还。", named="", by_rule=by, contract=CONTRACT)
        for by in (True, False)
    }
    assert all(one.asked for one in asked[True])
    assert [one.kind for one in asked[False] if not one.asked] == ["number"]


def _lease(path):
    document = docx.Document()
    document.add_paragraph("房屋租赁合同")
    paragraph = document.add_paragraph("第一条 ")
    paragraph.add_run("租赁期限").bold = True
    paragraph.add_run("为二十三年，自2026年1月1日起。").italic = True
    document.add_paragraph("第二条 租金每月5000元。押金在任何情况下均不予退还。")
    inserted = document.add_paragraph("第三条 ")
    inserted._p.append(
        _tracked(
            "ins",
            "<w:r><w:t>房屋用于居住。甲方有权随时单方解除本合同，且不承担任何责任。乙方应当爱护房屋。</w:t></w:r>",
            41,
        )
    )
    document.add_paragraph("第四条 租金每月5000元，定金在任何情况下均不予退还。")
    return _saved(document, path)


PLAYBOOK = """
[[position]]
topic = "押金"
find = ["押金"]
preferred = "押金在租赁期满后退还。"
walk_away = "押金在任何情况下均不予退还"
[[position]]
topic = "解除"
find = ["解除"]
preferred = "另一方严重违约且经催告仍不改正的，守约方可以书面通知对方终止。"
walk_away = "甲方有权随时单方解除本合同，且不承担任何责任"
[[position]]
topic = "定金"
find = ["定金"]
preferred = "乙方按月支付租金，定金期满退还。"
"""


@pytest.fixture
def proposed(tmp_path):
    source = _lease(tmp_path / "lease.docx")
    (tmp_path / "own.toml").write_text(PLAYBOOK, "utf-8")
    review = benchbar.review_contract(source, playbook=tmp_path / "own.toml")
    return review, review.save(tmp_path / "out.docx", tracked=True)


def test_proposals_are_tracked_and_the_rest_is_as_it_was(proposed):
    """Accepted, the new wordings stand there; with ours rejected, every paragraph says what it said, formatting included."""
    review, path = proposed
    document = docx.Document(path)
    text = read_docx(path.read_bytes(), "a").text
    assert "二十三年" not in text
    assert "自2026年1月1日起" in text
    assert "5000元。押金在任何情况下" not in text
    rejected = [
        "".join(node.text or "" for node in without_ours(one).iter(qn("w:t"))) for one in body_paragraphs(document)
    ]
    assert rejected == review.source.text.splitlines()
    bold = [run.text for run in document.paragraphs[1].runs if run.bold]
    assert bold == ["租赁期限"]
    inserted = next(document.paragraphs[1]._p.iter(qn("w:ins")))
    assert inserted.find(f"{qn('w:r')}/{qn('w:rPr')}/{qn('w:i')}") is not None


def test_what_would_move_unasked_stays_a_comment_that_says_why(proposed):
    """A wording that would drop the rent of its sentence is refused, and the comment names the number."""
    review, path = proposed
    refused = {
        review.report.by_clause[one.clause].clause: one for one in review.report.proposals if one.refused == "unasked"
    }
    assert refused
    assert "定金在任何情况下均不予退还" in read_docx(path.read_bytes(), "a").text
    comments = [one.text for one in docx.Document(path).comments]
    assert any("无人要求：数字 5000" in one for one in comments)
    assert any("已写成修订" in one for one in comments)


def test_tracked_changes_are_as_word_writes_them(proposed):
    """Every change has its own id, our name and a time; runs stand where the schema wants them, and deleted text is delText."""
    _, path = proposed
    body = docx.Document(path).element.body
    changes = list(body.iter(*CHANGES))
    ids = [one.get(qn("w:id")) for one in changes]
    assert len(set(ids)) == len(ids)
    for one in changes:
        assert dt.datetime.fromisoformat(one.get(qn("w:date")))
        assert one.get(qn("w:author")) in {"Benchbar", "Other"}
        assert {child.tag for child in one} <= {qn("w:r"), qn("w:del")}
        assert len(one)
    for deleted in body.iter(qn("w:del")):
        assert not list(deleted.iter(qn("w:t")))
    for run in body.iter(qn("w:r")):
        properties = run.find(qn("w:rPr"))
        assert properties is None or run[0] is properties
    for paragraph in body.iter(qn("w:p")):
        properties = paragraph.find(qn("w:pPr"))
        assert properties is None or paragraph[0] is properties
    marks = list(body.iter(qn("w:commentRangeStart"), qn("w:commentRangeEnd"), qn("w:commentReference")))
    assert marks
    assert not [one for one in marks if any(up.tag in CHANGES for up in one.iterancestors())]


def test_the_other_sides_insertion_is_struck_and_not_undone(proposed):
    """Words that the other side put in are deleted inside its insertion; ours stand beside it, and both keep their authors."""
    _, path = proposed
    paragraph = docx.Document(path).paragraphs[3]._p
    outer = [one for one in paragraph.iter(qn("w:ins")) if one.get(qn("w:author")) == "Other"]
    assert len(outer) == 2
    assert "".join(node.text for one in outer for node in one.iter(qn("w:delText"))).startswith("甲方有权随时单方解除")
    ours = [one for one in paragraph if one.tag == qn("w:ins") and one.get(qn("w:author")) == "Benchbar"]
    assert len(ours) == 1
    assert list(paragraph).index(outer[0]) < list(paragraph).index(ours[0]) < list(paragraph).index(outer[1])


def test_advice_never_becomes_a_sentence_of_the_contract(tmp_path):
    """A suggestion that tells the reader what to do stays a comment; one that quotes a wording gives the wording."""
    lease = tmp_path / "lease.txt"
    lease.write_text("房屋租赁合同\n第一条 电梯由乙方擦洗。\n第二条 走廊由乙方清扫。\n", "utf-8")
    rows = [
        {"id": "R1", "name": "擦洗", "keywords": ["擦洗"], "reasoning": "x", "levels": {"high": ["擦洗"]}, "suggestion": "建议删除本条。"},
        {"id": "R2", "name": "清扫", "keywords": ["清扫"], "reasoning": "x", "levels": {"high": ["清扫"]}, "suggestion": "建议修改为：“走廊由双方清扫。”"},
    ]  # fmt: skip
    rules = tmp_path / "rules.jsonl"
    rules.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    found = {one.before: one for one in benchbar.review_contract(lease, rules=rules).report.proposals}
    assert found["电梯由乙方擦洗。"].refused == "advice"
    assert (found["走廊由乙方清扫。"].refused, found["走廊由乙方清扫。"].after) == ("", "走廊由双方清扫。")


def _run(*arguments):
    done = CliRunner().invoke(command, [str(one) for one in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _versions(tmp_path):
    old = [
        "房屋租赁合同",
        "第一条 租赁期限为二年。",
        "第二条 双方均可提前三十日书面通知解除。",
        "第三条 押金在租赁期满后十日内退还。",
    ]
    new = [*old[:1], "第一条 租赁期限为二十三年。", "第二条 乙方不得转租。", "第三条 押金在任何情况下均不予退还。"]
    for name, lines in (("old", old), ("new", new)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), "utf-8")
    return tmp_path / "old.txt", tmp_path / "new.txt"


def test_two_versions_become_one_tracked_document(tmp_path):
    """`--compare OLD NEW --redline`: accepted, the text is the new one, rejected, the old one; each change has a comment."""
    old, new = _versions(tmp_path)
    out = tmp_path / "changes.docx"
    printed = _run("--compare", old, new, "--redline", out, "--html", tmp_path / "a.html")
    assert "变更 第一条" in printed
    data = out.read_bytes()
    assert read_docx(data, "a").text == new.read_text("utf-8")
    assert read_docx(data, "a", "before").text == old.read_text("utf-8")
    assert len(list(docx.Document(out).comments)) == len(json.loads(_run("--compare", old, new, "--json"))["changes"])
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "<del>二</del><ins>二十三</ins>" in page


def _rules(path, *rows):
    """Rules whose wordings are known, so that a test knows what is proposed."""
    lines = [
        json.dumps({"id": f"R{at}", "name": word, "keywords": [word], "reasoning": word, "levels": {"high": [word]}, "suggestion": wording}, ensure_ascii=False)
        for at, (word, wording) in enumerate(rows)
    ]  # fmt: skip
    path.write_text("\n".join(lines), "utf-8")
    return path


@pytest.fixture
def spread(tmp_path):
    """A clause in a table's cell, one over three paragraphs, and the review of both."""
    document = docx.Document()
    document.add_paragraph("房屋租赁合同")
    document.add_paragraph("第一条 租赁物为一套住宅。")
    table = document.add_table(rows=2, cols=3)
    for row, texts in zip(
        table.rows,
        (("事项", "约定", "备注"), ("钥匙", "钥匙遗失的，乙方应支付全部门锁的更换费用。", "无")),
        strict=True,
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_paragraph("第二条 乙方应当：")
    document.add_paragraph("（一）每日清扫走廊，")
    document.add_paragraph("（二）每周擦洗电梯。")
    document.add_paragraph("第三条 其余从法律。")
    source = _saved(document, tmp_path / "spread.docx")
    rules = _rules(
        tmp_path / "rules.jsonl",
        ("更换费用", "钥匙遗失的，乙方应支付该门锁的更换费用。"),
        ("清扫走廊", "双方应当每日清扫走廊，每周擦洗电梯。"),
    )
    review = benchbar.review_contract(source, rules=rules)
    return source, review, review.save(tmp_path / "out.docx", tracked=True)


def _texts(path, version="after"):
    return read_docx(path.read_bytes(), "a", version).text


def test_a_proposal_stands_in_the_cell_of_a_table(spread):
    """The cell that says what is accused is changed word by word; the other cells of its row stay."""
    source, review, path = spread
    written = [one for one in review.report.proposals if not one.refused]
    assert "钥匙遗失的，乙方应支付全部门锁的更换费用。" in [one.before for one in written]
    cells = [[cell.text for cell in row.cells] for row in docx.Document(source).tables[0].rows]
    table = docx.Document(path).tables[0]
    assert [[cell.text for cell in row.cells][::2] for row in table.rows] == [row[::2] for row in cells]
    assert "钥匙 | 钥匙遗失的，乙方应支付该门锁的更换费用。 | 无" in _texts(path)
    cell = table.rows[1].cells[1]._tc
    assert "".join(node.text for node in cell.iter(qn("w:delText"))) == "全部"
    assert "".join(node.text for one in cell.iter(qn("w:ins")) for node in one.iter(qn("w:t"))) == "该"


def test_a_proposal_over_several_paragraphs_deletes_their_ends(spread):
    """Accepted, the list is one sentence in one paragraph; with ours rejected every paragraph is as it was, and so are the ends."""
    source, review, path = spread
    one = next(one for one in review.report.proposals if "\n" in one.before)
    assert one.refused == ""
    document = docx.Document(path)
    ends = [
        mark
        for mark in document.element.body.iter(qn("w:del"))
        if mark.getparent().tag == qn("w:rPr") and mark.getparent().getparent().tag == qn("w:pPr")
    ]
    assert len(ends) == one.before.count("\n")
    # The reader keeps accepted paragraphs apart; Word joins them.
    assert one.after in _texts(path).replace("\n", "")
    rejected = [
        "".join(node.text or "" for node in without_ours(element).iter(qn("w:t")))
        for element in body_paragraphs(document)
    ]
    assert rejected == [element.text for element in map(_Text, body_paragraphs(docx.Document(source)))]
    for properties in (end.getparent() for end in ends):
        assert properties[0].tag == qn("w:del")


class _Text:
    """The text of a paragraph's element."""

    def __init__(self, element):
        """By its text nodes."""
        self.text = "".join(node.text or "" for node in element.iter(qn("w:t")))


def test_libreoffice_accepts_what_stands_in_tables_and_over_paragraphs(spread, tmp_path):
    """It opens, with our changes in the cell and over the ends of paragraphs."""
    _, _, path = spread
    seen = _in_libreoffice(path, tmp_path)
    assert seen.count("<text:deletion>") >= 2
    assert "<text:insertion>" in seen


def _in_libreoffice(path: Path, folder: Path) -> str:
    """The document as LibreOffice understands it, in its flat XML."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("LibreOffice is not installed: the document was not opened in it")
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command = [office, profile, "--headless", "--convert-to", "fodt", "--outdir", str(folder), str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return (folder / f"{path.stem}.fodt").read_text("utf-8")


def test_libreoffice_opens_proposals_with_all_comments_and_changes(proposed, tmp_path):
    """As many comments as we wrote, and our insertions and deletions beside the other side's."""
    _, path = proposed
    seen = _in_libreoffice(path, tmp_path)
    document = docx.Document(path)
    assert seen.count("<office:annotation ") == len(list(document.comments))
    creators = seen.count("<dc:creator>Benchbar</dc:creator>") - len(list(document.comments))
    written = [one for one in document.element.body.iter(*CHANGES) if one.get(qn("w:author")) == "Benchbar"]
    assert creators == len(written)
    assert "<text:insertion>" in seen
    assert "<text:deletion>" in seen


def test_libreoffice_opens_a_comparison(tmp_path):
    """The comparison of two texts opens with its changes and comments."""
    old, new = _versions(tmp_path)
    review = benchbar.review_contract(new, compare=old)
    seen = _in_libreoffice(review.save_comparison(tmp_path / "changes.docx"), tmp_path)
    assert seen.count("<office:annotation ") == len(review.report.changes)
    assert "<text:deletion>" in seen


def test_time_is_bounded_on_hostile_versions(tmp_path):
    """Thousands of clauses that are all alike, and one clause of one character, are compared within seconds."""
    many = "\n".join(f"{number}. 甲方甲方甲方甲方甲方{'甲' * (number % 7)}" for number in range(1, 900))
    other = many.replace("甲方", "甲乙")
    found = clause_changes(_source(tmp_path, "a.txt", many.encode()), _source(tmp_path, "b.txt", other.encode()))
    assert len(found) >= 800
    assert pieces("甲" * 6000, "甲" * 3000 + "乙" * 3000)


def test_a_comparison_needs_an_earlier_version(tmp_path):
    """Without one there is nothing to write; the contract itself is never overwritten."""
    path = tmp_path / "a.txt"
    path.write_text("第一条 租期两年。", "utf-8")
    review = benchbar.review_contract(path)
    with pytest.raises(benchbar.UserError, match="no earlier version"):
        review.save_comparison(tmp_path / "b.docx")
