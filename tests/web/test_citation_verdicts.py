"""What was found of a citation looks the same wherever it stands: what is wrong is red, open without a click, and counted."""

from __future__ import annotations

import html
import io
import json
import re
import shutil

import docx
import pytest

from benchbar.languages.packs import known, labels
from benchbar.law.claims.measured import measured
from benchbar.law.shown import accusations, all_measured
from benchbar.reports.tables import markdown
from support.browsing import serving, watched
from web.conftest import run_command

LAW = """+++
law_id = "lease"
name = "房屋租赁条例"
jurisdiction = "中国"
in_force = 2021-01-01
+++
# 房屋租赁条例
第一条 出租人出卖租赁房屋的，应当在出卖之前的合理期限内通知承租人，承租人享有以同等条件优先购买的权利。
第二条 出租人履行通知义务后，承租人在十五日内未明确表示购买的，视为承租人放弃优先购买权。
"""
QUESTIONS = """问题,预期答案,answer:甲,answer:乙
房东卖房，我多久内要答复？,十五日内,承租人在十五日内未明确表示购买的，视为承租人放弃优先购买权（《房屋租赁条例》第二条）。,承租人在三十日内未明确表示购买的，视为承租人放弃优先购买权（《房屋租赁条例》第二条）。
房东卖房不通知我，行吗？,应当通知,出租人应当在合理期限内通知承租人（《房屋租赁条例》第一条）。,不必通知（《房屋租赁条例》第九十条，民间借贷司法解释第二十六条）。
"""
NAME = "sale"


@pytest.fixture(scope="module")
def cited(tmp_path_factory):
    """A run of two recorded assistants: one cites rightly; one has a number wrong, an article that is not there, and a law nobody knows."""
    place = tmp_path_factory.mktemp("cited")
    (place / "acts").mkdir()
    (place / "acts" / "lease.md").write_text(LAW, "utf-8")
    (place / "q.csv").write_text(QUESTIONS, "utf-8")
    run_command(place, "law", "index", "acts", "--out", "law")
    run_command(place, "start", "q.csv", "--yes", "--quiet", "--set", "law=law", "--out", f"runs/{NAME}", code=4)
    return place / "runs"


@pytest.fixture
def sale(cited, runs):
    """The same in the app's folder."""
    shutil.copytree(cited / NAME, runs / NAME)


def sample_pages(owner) -> list[str]:
    listed = owner.get(f"/runs/{NAME}/samples").text
    return [
        owner.get(f"/runs/{NAME}/samples/{one}").text for one in re.findall(r'name="sample" value="([^"]+)"', listed)
    ]


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.usefixtures("sale")
def test_an_article_that_says_otherwise_is_no_green_line(owner):
    """It exists and is in force; whoever sees it in green reads no further, so its line is red and its list is open."""
    page = next(one for one in sample_pages(owner) if "三十日" in one)
    right, wrong = (page.split(f"<h3>{name}")[1].split("</article>")[0] for name in ("甲", "乙"))
    assert 'class="cite verified"' in right
    assert '<details class="law">' in right
    assert 'class="cite against"' in wrong
    assert '<details class="law" open>' in wrong
    assert '<i aria-hidden="true">✗</i> 《房屋租赁条例》第二条' in wrong


@pytest.mark.usefixtures("sale")
def test_a_contradiction_stands_beside_how_often_such_verdicts_are_right(owner):
    """Of this kind and in this language."""
    shown = measured().rows["contradicts number zh"]
    told = labels("en", "report")("claim.by_measured_rules", language="Chinese", **shown.figures)
    page = next(one for one in sample_pages(owner) if "三十日" in one)
    assert told in plain(page)
    # The gravest word comes first, as in the terminal.
    assert "《房屋租赁条例》第二条 — the article contradicts this · in force" in plain(page)
    other = plain(next(one for one in sample_pages(owner) if "第九十条" in one))
    absent = accusations().rows["invented zh"].figures
    assert labels("en", "report")("accusation.measured", language="Chinese", **absent) in other


@pytest.mark.usefixtures("sale")
@pytest.mark.parametrize("language", known())
def test_results_say_how_often_accusations_are_right(owner, cited, language):
    """Beside the counts on the page of the run, in Markdown, in the static report and in the file of results: one home, one figure."""
    owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
    (told,) = all_measured(["zh"], labels(language, "report"))
    assert told in plain(owner.get(f"/runs/{NAME}").text)
    if language == "en":
        assert markdown(told) in run_command(cited, "report", NAME, "--format", "md")
        rows = json.loads((cited / NAME / "results.json").read_bytes())["accusations"]
        assert rows["invented zh"]["said"] == accusations().rows["invented zh"].said


@pytest.mark.usefixtures("sale")
@pytest.mark.parametrize("language", known())
def test_the_decision_counts_what_is_false_and_what_is_open(owner, language):
    """Whoever signs reads, of each assistant, what its citations came to; the DOCX says the same in the same words."""
    owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
    say = labels(language, "report")
    page = owner.get(f"/runs/{NAME}/decision").text
    part = plain(page.split('<section id="citations">')[1].split("</section>")[0])
    assert say("brief.contradicted", count=1) in part
    assert say("brief.open", count=1) in part
    assert say("gate_reason.kind", kind=say("citation.no_such_article"), count=1) in part
    assert say("brief.cited_means") in part
    assert all(line in part for line in all_measured(["zh"], say))
    document = docx.Document(io.BytesIO(owner.client.get(f"/runs/{NAME}/decision.docx").content))
    lines = [" ".join(one.text.split()) for one in document.paragraphs]
    begun = lines.index(say("brief.citations"))
    assert all(line in part for line in lines[begun : begun + 5])


@pytest.mark.usefixtures("sale")
def test_the_decision_names_whom_the_others_are_compared_with(owner):
    """A rate of wins says nothing without it; on the page and in the DOCX."""
    told = labels("en", "report")("page.compared_with", reference="甲")
    assert told in plain(owner.get(f"/runs/{NAME}/decision").text)
    document = docx.Document(io.BytesIO(owner.client.get(f"/runs/{NAME}/decision.docx").content))
    assert told in [one.text for one in document.paragraphs]


def test_markdown_counts_them_too(cited):
    """By status and assistant, as the report's table does."""
    told = run_command(cited, "report", NAME, "--format", "md")
    table = told.split("## Citations held against the law")[1].split("##")[0]
    assert "| status | 乙 | 甲 |" in table
    assert "| no such article | 1 | 0 |" in table
    assert "| outside the law at hand | 1 | 0 |" in table


def test_the_next_question_is_kept_while_an_answer_comes(chromium, cited):
    """Whoever writes it meanwhile finds it again when the answer stands there; what was asked is taken out."""
    with serving(cited) as link:
        page = watched(chromium.new_context(locale="zh-CN"))
        page.goto(link)
        page.wait_for_url(re.compile("/runs"))
        page.goto(f"{link.partition('/sign-in')[0]}/ask")
        held = []
        page.route("**/ask", lambda route: held.append(route))  # noqa: PLW0108 - Playwright writes on what it is given
        page.fill("textarea[name=question]", "押金最多可以收几个月的租金？")
        page.click("#ask button.main")
        page.wait_for_selector("#ask button.main[disabled]")
        page.fill("textarea[name=question]", "下一个问题")
        held[0].continue_()
        page.wait_for_selector("#answer article")
        assert page.input_value("textarea[name=question]") == "下一个问题"
        page.unroute("**/ask")
        page.fill("textarea[name=question]", "押金可以不退吗？")
        page.click("#ask button.main")
        page.wait_for_selector("#answer h2.asked:has-text('押金可以不退')")
        assert page.input_value("textarea[name=question]") == ""
        assert page.complaints == []
