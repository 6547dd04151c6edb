"""Acts that another act of the corpus says it repeals are not verified after that day."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.law.assembling import assemble
from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index
from benchbar.law.legal_texts import LegalTexts
from benchbar.law.repealing import said_repealed
from benchbar.records import Article, LawVersion


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("本条例自2022年11月1日起施行。《渔户条例》同时废止。", ["渔户条例"]),
        (
            "本条例自公布之日起施行。1996年1月8日国务院发布的《渔港登记条例》、2001年2月3日公布的《渔港登记条例实施细则》同时废止。",
            ["渔港登记条例", "渔港登记条例实施细则"],
        ),
        (
            "《最高法院关于适用〈渔业法〉若干问题的解释》（法释〔2001〕3号）同时废止",
            ["最高法院关于适用〈渔业法〉若干问题的解释"],
        ),
        ("《渔业法》第三条同时废止。", []),
        ("以前发布的规定与《渔业法》相抵触的部分同时废止。", []),
        ("渔业执法机关不得擅自废止《渔业法》。", []),
        (
            'Признать утратившими силу:\n1) Федеральный закон от 2 мая 2001 года N 41-ФЗ "О причалах" (Собрание, 2001);\n'
            "2) статью 5 Федерального закона от 3 мая 2002 года N 42-ФЗ;\n"
            '3) Закон РФ от 7 мая 1993 года N 4999-1 "О сетях", за исключением статьи 2.',
            ["41-ФЗ"],
        ),
        ("The Harbour Dues Act 1923 is hereby repealed.", ["Harbour Dues Act 1923"]),
        ("The Harbour Dues (Amendment) Regulations 1923 (S.I. 1923/4) are revoked.", ["Harbour Dues (Amendment) Regulations 1923"]),
        ("The Harbour Dues Act 1923 is repealed so far as it concerns nets.", []),
        ("Section 4 of the Harbour Dues Act 1923 is repealed.", []),
    ],
)  # fmt: skip
def test_acts_that_are_repealed_as_a_whole_are_read(text, names):
    """Names in Chinese and English, numbers in Russian; a part of an act, or what contradicts the new one, is no act."""
    assert list(said_repealed(text)) == names


def version(law_id: str, name: str, **more: str) -> LawVersion:
    """An act of one country."""
    return LawVersion(law_id=law_id, name=name, jurisdiction="CN", level="regulation", **more)


def corpus(*versions: LawVersion, texts: dict[str, str]) -> Corpus:
    """Each with one article, put together as an index is."""
    articles = [Article(law_id=law_id, number="1", text=text) for law_id, text in texts.items()]
    return Corpus.from_texts(assemble(LegalTexts(versions=list(versions), articles=articles)))


def test_what_a_later_act_repeals_is_not_in_force_from_its_first_day():
    """A compilation still holds the older text and says nothing of its end."""
    held = corpus(
        version("old", "渔户条例", adopted="2011-04-16", in_force="2011-11-01"),
        version("new", "促进渔户发展条例", adopted="2022-10-01"),
        texts={"old": "渔户应当登记。", "new": "本条例自2022年11月1日起施行。《渔户条例》同时废止。"},
    )
    found = {
        day: check_citations("《渔户条例》第一条", held, on=day)[0].status.value for day in ("2022-10-31", "2022-11-01")
    }
    assert found == {"2022-10-31": "verified", "2022-11-01": "not_in_force"}


def test_the_act_in_its_place_is_told_by_its_name(tmp_path):
    """A reader of the terminal knows no ids of a corpus."""
    rows = [
        {
            "law_id": "L1",
            "law_name": "渔户条例",
            "n_articles": 1,
            "version_date": "2011-04-16",
            "valid_from": "2011-11-01",
        },
        {
            "law_id": "L2",
            "law_name": "促进渔户发展条例",
            "n_articles": 1,
            "version_date": "2022-10-01",
            "valid_from": "2022-11-01",
        },
    ]
    texts = {"L1": "渔户应当登记。", "L2": "《渔户条例》同时废止。"}
    articles = [{"law_id": law_id, "no": 1, "text": text} for law_id, text in texts.items()]
    for name, given in (("laws", rows), ("articles", articles)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in given), "utf-8")
    build_index([tmp_path], tmp_path / "index")
    given = ["law", "cite", "《渔户条例》第一条", "--law", str(tmp_path / "index"), "--on", "2024-01-01"]
    said = CliRunner().invoke(cli, given).output
    assert "现为：促进渔户发展条例" in said


def test_an_act_that_took_the_name_of_a_repealed_one_later_stands():
    """The act of 1996 repealed an older one of the same name as that of 2005."""
    held = corpus(
        version("later", "渔港登记条例", adopted="2005-01-01", in_force="2005-01-01"),
        version("between", "渔港管理办法", adopted="1996-01-01", in_force="1996-01-01"),
        texts={"later": "略。", "between": "《渔港登记条例》同时废止。"},
    )
    assert check_citations("《渔港登记条例》第一条", held, on="2020-01-01")[0].status == "verified"
