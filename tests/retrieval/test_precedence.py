"""Which of two documents comes first where a question is as near to both."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import benchbar
from benchbar.assistants.law_practice import as_text
from benchbar.cli.main import cli
from benchbar.law.index import build_index

WORDS = "出租人扣留押金应当说明理由，没有说明理由的应当退还押金并支付利息。"
ROWS = [
    {"case_number": "（2020）甲01民终1号", "court": "甲市中级人民法院", "overruled_by": "（2021）甲民再2号"},
    {"case_number": "（2020）甲02民终3号", "court": "甲市中级人民法院"},
    {"case_number": "（2020）最高法民申4号", "court": "最高人民法院"},
    {"case_number": "（2020）甲03民终5号", "court": "甲市中级人民法院", "title": "指导案例5号：押金案"},
]


@pytest.fixture
def hits(tmp_path):
    """The hits of `law search` over decisions of the same words, in the order of the file and turned round."""
    (tmp_path / "d").mkdir()

    def found(rows):
        lines = [json.dumps({"text": WORDS, **row}, ensure_ascii=False) for row in rows]
        (tmp_path / "d" / "decisions.jsonl").write_text("\n".join(lines), "utf-8")
        build_index([tmp_path / "d"], tmp_path / "index")
        arguments = [
            "law",
            "search",
            "扣留押金要不要说明理由",
            "--law",
            str(tmp_path / "index"),
            "--retriever",
            "lexical",
        ]
        done = CliRunner().invoke(cli, [*arguments, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)["hits"], CliRunner().invoke(cli, arguments).stdout

    return found


@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1]])
def test_at_equal_relevance_the_weightier_decision_comes_first_and_says_so(hits, rows):
    """A guiding case, then the supreme court, then an ordinary decision, then one that was set aside, whatever their order in the file."""
    found, shown = hits(rows)
    assert [one["weight"] for one in found] == ["guiding_case", "supreme_court", "ordinary", "set_aside"]
    assert "指导性案例" in shown.splitlines()[0]
    assert "已被（2021）甲民再2号" in shown


def test_a_nearer_decision_stays_before_a_weightier_one(hits):
    """Weight breaks ties and nothing else: what has more of the question's words comes first."""
    near = [{**ROWS[1]}, {**ROWS[3], "title": "指导案例5号：运输案"}]
    texts = [WORDS, "承运人对运输过程中货物的毁损承担赔偿责任，押金除外。"]
    found, _ = hits([{**row, "text": text} for row, text in zip(near, texts, strict=True)])
    assert [one["weight"] for one in found] == ["ordinary", "guiding_case"]


@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1]])
def test_the_consultant_lists_the_weightier_decision_first_and_says_what_became_of_one(tmp_path, rows):
    """Of decisions about as relevant; one that was set aside comes last and is named as such in the answer's language."""
    (tmp_path / "decisions.jsonl").write_text(
        "\n".join(json.dumps({"text": WORDS, **row}, ensure_ascii=False) for row in rows), "utf-8"
    )
    build_index([tmp_path / "decisions.jsonl"], tmp_path / "index")
    answer = benchbar.ask("扣留押金要不要说明理由", law=tmp_path / "index")
    found = [one.citation for one in answer.context]
    assert [name.partition("号")[0].rpartition("）")[2] for name in found[:1]] == ["甲03民终5"]
    assert [one.treated for one in answer.cases] == ["", "", "", "set aside by （2021）甲民再2号"]
    assert "被（2021）甲民再2号" in as_text(answer)


def test_a_decision_on_the_article_that_is_asked_about_bears_on_the_question(tmp_path):
    """Whatever its other words; `law show` prints it, and the article, by the number and the id that the answer names them by."""
    (tmp_path / "law").mkdir()
    (tmp_path / "law" / "act.txt").write_text(
        "СЕМЕЙНЫЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ\nСтатья 1. Сбор\nСбор вносят до отхода судна.\n", encoding="utf-8"
    )
    row = {
        "case_number": "2-9/2031",
        "text": "Истец просил вернуть шлюпку. Согласно ст. 1 СК РФ в иске отказано.",
    }
    (tmp_path / "law" / "decisions.jsonl").write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    build_index([tmp_path / "law"], tmp_path / "index")
    answer = benchbar.ask("О чём ст. 1 СК РФ?", law=tmp_path / "index")
    assert [one.citation for one in answer.cases] == ["2-9/2031"]
    for name, words in ((answer.cases[0].citation, "шлюпку"), (answer.articles[0].id, "до отхода")):
        shown = CliRunner().invoke(cli, ["law", "show", name, "--law", str(tmp_path / "index")])
        assert words in shown.stdout
    assert not benchbar.ask("Когда вносят сбор за стоянку?", law=tmp_path / "index").cases
