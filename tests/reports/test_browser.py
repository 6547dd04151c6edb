"""What a browser makes of the report; needs Chromium on the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.browsing import started, violations, watched
from support.page import Page

HOSTILE = "onerror=alert(2)"


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """One browser for all."""
    with started() as found:
        yield found


@pytest.fixture
def report(rules_run, browser) -> Iterator[object]:
    """The report in a tab; what the page complained of is in ``complaints``."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    page = watched(context)
    page.goto((rules_run.folder / "report.html").as_uri())
    page.locator("#filters").wait_for()
    yield page
    context.close()


def test_the_language_is_switched_and_the_dialogue_stays(report):
    """Title, words and numbers of overview and sample change without a network; what was said does not."""
    report.locator("#list a").first.click()
    report.locator(".sample .dialogue").first.wait_for()
    said = report.locator(".turn .text").all_inner_texts()
    assert report.get_by_role("heading", name="逐条指引").is_visible()
    for name, code, heading, overview in (
        ("English", "en", "Guidance, point by point", "Can it be trusted?"),
        ("Русский", "ru", "Указания по пунктам", "Можно ли этому верить?"),
        ("繁體中文", "zh-Hant", "逐條作答指引", "結果可信嗎？"),
    ):
        report.get_by_role("button", name=name, exact=True).click()
        report.get_by_role("heading", name=heading).wait_for()
        assert report.evaluate("document.documentElement.lang") == code
        assert report.get_by_role("button", name=name, exact=True).get_attribute("aria-pressed") == "true"
        assert report.locator(".turn .text").all_inner_texts() == said
        assert report.locator("[data-phrase]:empty").count() == 0
        report.keyboard.press("Escape")
        report.get_by_role("heading", name=overview).wait_for()
        report.go_back()
        report.locator(".sample .dialogue").first.wait_for()
    assert said
    assert report.complaints == []


def test_samples_are_leafed_through_as_the_list_is_narrowed(report):
    """Arrow keys lead to the neighbours that the filters left, Escape to the row that one came from."""
    shown = report.locator("#shown")
    assert "22 / 22" in shown.inner_text()
    report.locator("#by-result").select_option("0:won")
    left = [one.get_attribute("data-page") for one in report.locator("#list tbody tr:not([hidden])").all()]
    assert 1 < len(left) < 22
    assert f"{len(left)} / 22" in shown.inner_text()
    report.locator("#list tbody tr:not([hidden]) a").first.click()
    report.locator(".sample .dialogue").first.wait_for()
    assert not report.locator(".leaf .previous").is_visible()
    report.keyboard.press("ArrowRight")
    report.wait_for_url(f"**#{left[1]}")
    report.get_by_role("button", name="English").click()
    report.keyboard.press("Escape")
    report.locator("#shown", has_text=f"{len(left)} of 22").wait_for()
    assert report.evaluate("document.activeElement.hash") == f"#{left[1]}"
    assert report.complaints == []


def test_hostile_replies_do_not_run(report):
    """No element came of the markup in them, on any sample."""
    seen = 0
    for address in [one.get_attribute("href") for one in report.locator("#list a").all()]:
        report.evaluate("to => { location.hash = to; }", address)
        report.locator(".sample .dialogue").first.wait_for()
        page = Page(report.content())
        seen += any(HOSTILE in one.text for one in page.all("div", class_="turn"))
        assert not page.all("img")
        assert len(page.all("script")) == 2
    assert seen
    assert report.complaints == []


def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(report):
    """WCAG 2.2 AA of overview and sample, light and dark, which changes colours alone; what is wide scrolls in its own frame."""
    rules = {"light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "dark": ["color-contrast"]}
    for address in ("", "s1"):
        report.evaluate("to => { location.hash = to; }", address)
        report.locator(".sample .dialogue" if address else "#list").first.wait_for()
        for width in (1280, 360):
            report.set_viewport_size({"width": width, "height": 800})
            assert report.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
        for theme, chosen in rules.items():
            report.emulate_media(color_scheme=theme)
            found = violations(report, runOnly=chosen)
            assert [(theme, one["id"], node["html"][:200]) for one in found for node in one["nodes"]] == []


def test_a_reader_without_scripts_has_charts_and_tables(rules_run, browser):
    """And is told what to open the file with for the rest."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((rules_run.folder / "report.html").as_uri())
    assert page.locator("#unreadable").is_visible()
    assert page.locator(".interval-line").first.is_visible()
    assert page.locator("#list tbody tr").count() == 22
    assert not page.locator("#languages").is_visible()
    context.close()


def test_paper_has_the_words_and_not_the_switches(report):
    """Printed dark pages would be black: the light scheme is printed, and what cannot be clicked is left out."""
    report.emulate_media(media="print", color_scheme="dark")
    assert report.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for hidden in ("#languages", "#filters", "#overview nav"):
        assert not report.locator(hidden).is_visible()
    assert report.locator("#list").is_visible()


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 360])
def test_labels_of_an_axis_do_not_run_into_one_another(report, width):
    """In a chart of half a page those between the ends leave."""
    report.set_viewport_size({"width": width, "height": 900})
    gaps = report.evaluate(
        """() => [...document.querySelectorAll(".interval-ticks")].flatMap(axis => {
            const shown = [...axis.querySelectorAll("i")].map(one => one.getBoundingClientRect()).filter(one => one.width);
            return shown.slice(1).map((one, at) => one.left - shown[at].right);
        })"""
    )
    assert gaps
    assert min(gaps) >= 3
