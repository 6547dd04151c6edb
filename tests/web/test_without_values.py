"""A run in which nothing was measured: it says what is wanting, and draws no empty axes and grids."""

from __future__ import annotations

import pytest

from support.page import Page
from web.conftest import run_command

LEADS = {
    "en": "Nothing was compared",
    "zh": "没有任何比较",
    "zh-Hant": "沒有任何比較",
    "ru": "Сравнить ничего не удалось",
}


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory):
    """A folder with a run over questions without expected answers, which no judge looked at."""
    place = tmp_path_factory.mktemp("unmarked")
    (place / "q.csv").write_text("问题\n押金最多可以约定多少？\n租期最长多久？\n", "utf-8")
    two = ("--assistant=a=closed-book", "--assistant=b=closed-book", "--reference=a")
    printed = run_command(place, "run", "q.csv", *two, "--out", "runs/q")
    return place / "runs", printed


@pytest.mark.parametrize("language", LEADS)
def test_its_page_says_what_is_wanting_instead_of_empty_charts(apps, unmarked, language):
    """With the cure, before anything else; each task still leads to its samples."""
    owner = apps(unmarked[0])()
    owner.sign_in()
    owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
    page = Page(owner.get("/runs/q").text)
    told = [one.text for one in page.all("p", class_="warning")]
    assert [text for text in told if text.startswith(LEADS[language])]
    assert page.all("div", class_="interval-row") == []
    assert page.all("td", class_="undefined") == []
    assert [one for one in page.all("a") if one.inside("matrix") and "/samples?" in one.attributes.get("href", "")]


def test_its_report_and_its_output_say_it_too(unmarked):
    """The report in the language of its questions, without an empty grid."""
    runs, printed = unmarked
    assert LEADS["en"] in " ".join(printed.split())
    report = (runs / "q" / "report.html").read_text("utf-8")
    assert LEADS["zh"] in report
    assert 'class="undefined"' not in report
