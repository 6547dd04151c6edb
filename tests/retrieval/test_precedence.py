"""Which of two documents comes first where a question is as near to both."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

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
    assert "guiding case" in shown.splitlines()[0]
    assert "set aside by （2021）甲民再2号" in shown


def test_a_nearer_decision_stays_before_a_weightier_one(hits):
    """Weight breaks ties and nothing else: what has more of the question's words comes first."""
    near = [{**ROWS[1]}, {**ROWS[3], "title": "指导案例5号：运输案"}]
    texts = [WORDS, "承运人对运输过程中货物的毁损承担赔偿责任，押金除外。"]
    found, _ = hits([{**row, "text": text} for row, text in zip(near, texts, strict=True)])
    assert [one["weight"] for one in found] == ["ordinary", "guiding_case"]
