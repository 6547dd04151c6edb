"""What became of a decision, as the files of later decisions say it, and where that is shown."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index, open_index
from benchbar.law.legal_texts import LegalTexts
from benchbar.law.treatment.table import told_by
from benchbar.records import Decision

FIRST, APPEAL, REVIEW = "（2012）甲01民初4号", "（2013）甲00民终3号", "（2016）最高法民再9号"
APPEALED = f"上诉人某公司不服甲市中级人民法院{FIRST}民事判决，向本院提起上诉。"


def read(text: str) -> list[tuple[str, str, str, bool]]:
    """What the text says: the treatment, of whom, by whom, and whether only in part."""
    return [(one.kind.value, one.number or one.day, one.by, one.partly) for one in told_by(text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{APPEALED}\n判决如下：驳回上诉，维持原判。", [("upheld", FIRST, "", False)]),
        (f"{APPEALED}\n判决如下：一、撤销甲市中级人民法院{FIRST}民事判决；二、驳回诉讼请求。", [("set_aside", FIRST, "", False)]),
        (f"判决如下：维持{FIRST}民事判决第一项；撤销{FIRST}民事判决第二项。", [("upheld", FIRST, "", True), ("set_aside", FIRST, "", True)]),
        (f"判决如下：变更{FIRST}民事判决第一项为：给付一万元。", [("changed", FIRST, "", True)]),
        (
            f"甲法院作出{FIRST}民事判决：支持。宣判后，被告上诉。甲高院作出{APPEAL}民事判决：撤销一审判决。申请再审。"
            f"最高人民法院作出{REVIEW}民事判决：1.撤销甲高院{APPEAL}民事判决；2.维持甲法院{FIRST}民事判决。",
            [("set_aside", FIRST, APPEAL, False), ("set_aside", APPEAL, REVIEW, False), ("upheld", FIRST, REVIEW, False)],
        ),
        (f"此前{FIRST}判决的观点不再适用。", [("overruled", FIRST, "", False)]),
        (f"上诉请求：撤销{FIRST}民事判决。", []),
        ("判决如下：驳回上诉，维持原判。", []),
        ("判决如下：撤销某局（2018）执罚字第3号行政处罚决定。", []),
        (
            "Судебная коллегия определила: решение Дальнего районного суда от 3 марта 2021 года по делу № 2-118/2021 отменить.",
            [("set_aside", "2-118/2021", "", False)],
        ),
        (
            "Решением Дальнего районного суда от 3 марта 2021 г., оставленным без изменения апелляционным определением "
            "Краевого суда от 5 июля 2021 г. № 33-402/2021, иск удовлетворён.",
            [("upheld", "2021-03-03", "33-402/2021", False)],
        ),
        (
            "Апелляционным определением Краевого суда от 5 июля 2021 г. № 33-402/2021 решение Дальнего районного суда от 3 марта 2021 г. отменено.",
            [("set_aside", "2021-03-03", "33-402/2021", False)],
        ),
        ("ПОСТАНОВИЛ: решение Арбитражного суда города Дальнего от 12.04.2023 изменить.", [("changed", "2023-04-12", "", True)]),
        ("В жалобе ответчик просит решение Дальнего районного суда от 3 марта 2021 г. отменить.", []),
        ("Суд вправе отменить решение суда первой инстанции полностью или в части.", []),
        ("ОПРЕДЕЛИЛА: решение суда оставить без изменения, жалобу – без удовлетворения.", []),
        ("Able v. Baker, 12 F.3d 34, 36 (1st Cir. 1990), aff’d, 56 U.S. 78 (1991).", [("upheld", "12 F.3d 34", "56 U.S. 78", False)]),
        ("Able v. Baker, 12 F.3d 34 (1990), rev’d on other grounds, 56 U.S. 78 (1991).", [("set_aside", "12 F.3d 34", "56 U.S. 78", True)]),
        ("Able v. Baker, 12 U.S. 34 (1896), overruled by Cole v. Board of Harbours, 56 U.S. 78 (1954).", [("overruled", "12 U.S. 34", "56 U.S. 78", False)]),
        ("Held: the search was lawful.\n12 F. 3d 34, reversed and remanded.\nABLE, J., spoke.", [("set_aside", "12 F. 3d 34", "", False)]),
        ("We overrule Able v. Baker, 12 U.S. 34 (1896).", [("overruled", "12 U.S. 34", "", False)]),
        ("On appeal from: [2017] EWCA Civ 12\nJUDGMENT\nI would dismiss the appeal.", [("upheld", "[2017] EWCA Civ 12", "", False)]),
        ("[1990] 2 AC 605, affirmed [1991] 1 AC 3.", [("upheld", "[1990] 2 AC 605", "[1991] 1 AC 3", False)]),
        ("We decline to overrule Able v. Baker, 12 U.S. 34 (1896).", []),
        ("The judgment of the Court of Appeals is reversed. See 12 F.3d 34.", []),
        ("In Able v. Baker, 12 F.3d 34, reversed burdens were discussed.", []),
    ],
)  # fmt: skip
def test_what_a_text_says_became_of_which_decision(text, told):
    """The word is read where its object is named, by number or by court and day; of what parties ask for nothing is read."""
    assert read(text) == told


def decisions() -> list[Decision]:
    """Three instances of one dispute."""
    return [
        Decision(id=FIRST, case_number=FIRST, court="甲市中级人民法院", date="2012-05-01", text="判决如下：支付租金。"),
        Decision(id=APPEAL, case_number=APPEAL, court="甲省高级人民法院", date="2013-09-12", text=f"{APPEALED}判决如下：撤销{FIRST}民事判决。"),
        Decision(id=REVIEW, case_number=REVIEW, court="最高人民法院", date="2016-05-31", text=f"判决如下：撤销{APPEAL}民事判决；维持{FIRST}民事判决。"),
    ]  # fmt: skip


def test_the_last_treatment_by_the_day_counts():
    """What was set aside on appeal stands again once the court above restored it; a citation never becomes an invented one."""
    corpus = Corpus.from_texts(LegalTexts(decisions=decisions(), claims=frozenset({"*"})))
    said = [
        [(one.status.value, one.reason) for one in check_citations(f"{FIRST}、{APPEAL}", corpus, on=day)]
        for day in ("2013-01-01", "2014-01-01", "2017-01-01")
    ]
    assert said == [
        [("verified", ""), ("verified", "")],
        [("not_in_force", f"set aside by {APPEAL} (2013-09-12)"), ("verified", "")],
        [("verified", f"upheld by {REVIEW} (2016-05-31)"), ("not_in_force", f"set aside by {REVIEW} (2016-05-31)")],
    ]


def test_a_decision_that_only_another_one_names_is_not_invented():
    """A corpus that claims all decisions and holds the one that upheld it says that it is named there."""
    corpus = Corpus.from_texts(LegalTexts(decisions=decisions()[1:], claims=frozenset({"*"})))
    (found,) = check_citations(FIRST, corpus, on="2017-01-01")
    assert (found.status.value, found.treatment.by) == ("outside_corpus", REVIEW)


def test_of_a_number_that_papers_share_the_day_tells_which_is_meant():
    """Two papers of one case number: that of the day which the later court names is set aside; without a day none is."""
    number = "2-118/2021"
    papers = [
        Decision(id=number, case_number=number, court="Дальний районный суд", date="2021-03-03", text="Иск удовлетворён."),
        Decision(id=f"{number}#2", case_number=number, court="Дальний районный суд", date="2021-06-01", text="Расходы взысканы."),
        Decision(id="33-9/2021", case_number="33-9/2021", date="2021-07-05", text="ОПРЕДЕЛИЛА: решение Дальнего районного суда от 3 марта 2021 г. отменить."),
        Decision(id="33-10/2021", case_number="33-10/2021", date="2021-08-05", text=f"ОПРЕДЕЛИЛА: решение по делу № {number} отменить."),
    ]  # fmt: skip
    table = Corpus.from_texts(LegalTexts(decisions=papers)).treatments
    assert [[one.by for one in table.of_decision(paper)] for paper in papers[:2]] == [["33-9/2021"], []]


@pytest.fixture
def index(tmp_path):
    """An index of the three instances, the last one closed to who has not its label."""
    (tmp_path / "d").mkdir()
    for place, one in enumerate(decisions()):
        row = {"case_number": one.case_number, "court": one.court, "date": one.date, "text": one.text}
        (tmp_path / "d" / f"{place}.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    (tmp_path / "d" / "law.toml").write_text('["2.jsonl"]\nlabels = ["matter-7"]\n', "utf-8")
    build_index([tmp_path / "d"], tmp_path / "index")
    return tmp_path / "index"


def test_an_index_keeps_treatments_and_what_a_closed_decision_says_is_closed(index):
    """With the label the first judgment stands again; without it nobody learns that."""
    corpus = open_index(index)
    first = corpus.decision(FIRST)
    assert corpus.visible_to(["matter-7"]).treatments.now(first).by == REVIEW
    assert corpus.visible_to([]).treatments.now(first).by == APPEAL


def test_show_and_search_say_what_became_of_a_decision(index):
    """`law show` prints every treatment, `law search` the one that counts, and a decision that was set aside comes last."""
    shown = CliRunner().invoke(cli, ["law", "show", APPEAL, "--law", str(index), "--labels", "matter-7"])
    assert f"已被{REVIEW} (2016-05-31)撤销" in shown.stdout, "in the language of what was asked"
    found = CliRunner().invoke(cli, ["law", "search", "撤销民事判决", "--law", str(index), "--json"])
    rows = {row["case_number"]: row for row in json.loads(found.stdout)["hits"]}
    assert rows[FIRST]["treatment"]["kind"] == "set_aside"
    assert (rows[FIRST]["overruled_by"], rows[FIRST]["weight"]) == (APPEAL, "set_aside")
