"""What people meet in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from benchbar.languages.packs import known
from support.browsing import serving, started, violations, watched
from support.hostile import NAME

PAGES = (
    "/runs",
    "/runs/plain",
    "/runs/plain/decision",
    "/runs/plain/samples",
    "/runs/plain/samples/1-1-001",
    "/compare?first=plain&second=plain",
    "/compare/sample?first=plain&second=plain&assistant=weak&sample=1-1-001",
    "/runs/plain/samples?column=cost&column=seconds&column=found&sort=-found",
    "/people",
    "/log",
    "/nowhere",
)

LANGUAGES = [one if one in {"ru", "zh"} else pytest.param(one, marks=pytest.mark.slow) for one in known()]
"""The longest words and the widest signs; the others have neither."""


TORN = """all => all.flatMap((one) => {
  const word = document.createRange();
  return [...one.textContent.matchAll(/[A-Za-zА-Яа-яё]+/g)].filter((found) => {
    word.setStart(one.firstChild, found.index);
    word.setEnd(one.firstChild, found.index + found[0].length);
    return word.getClientRects().length > 1;
  }).map((found) => found[0]);
})"""
"""The words of elements that stand in two lines; Chinese breaks anywhere."""


@pytest.fixture(scope="module")
def served(made_run, tmp_path_factory) -> Iterator[str]:
    """The owner's link to `benchbar serve` over the run, under a plain and a hostile name."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(made_run, folder / "plain")
    (folder / NAME).symlink_to(folder / "plain")
    with serving(folder) as link:
        yield link


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """One browser for all."""
    with started() as found:
        yield found


@pytest.fixture
def tab(browser, served) -> Iterator[object]:
    """A tab of somebody who opened the owner's link; complaints of the page are gathered in ``tab.complaints``."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    page = watched(context)
    page.goto(served)
    page.wait_for_url("**/runs")
    page.base = served.partition("/sign-in")[0]
    yield page
    context.close()


def test_a_newcomer_drills_from_the_link_to_the_law(tab):
    """The link signs in and leaves no token behind; run, samples, one sample, the article under the pointer."""
    assert "token" not in tab.url
    tab.get_by_role("link", name="plain", exact=True).click()
    tab.get_by_role("heading", name="Release gate").wait_for()
    tab.locator(".heat a").first.click()
    tab.locator("table.list tbody a").first.click()
    tab.get_by_role("heading", name="Dialogues").wait_for()
    tab.locator("a.cite.neutral").first.hover()
    tab.locator("#hover").wait_for(state="visible")
    assert "百分之十五" in tab.locator("#hover").inner_text()
    tab.keyboard.press("Escape")
    assert not tab.locator("#hover").is_visible()
    assert tab.complaints == []


def test_samples_are_leafed_through_by_keyboard(tab):
    """Right and left lead on and back, Escape to the list; the address names the sample. The first Tab leads past the menu."""
    tab.goto(f"{tab.base}/runs/plain/samples")
    tab.keyboard.press("Tab")
    assert tab.locator("a.skip").evaluate(
        "one => one === document.activeElement && one.getBoundingClientRect().left >= 0"
    )
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('main') !== null")
    tab.locator("table.list tbody a").first.click()
    tab.wait_for_url("**/samples/*")
    first = tab.url
    tab.keyboard.press("ArrowRight")
    tab.wait_for_url(lambda url: url != first and "/samples/" in url)
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_url(first)
    tab.keyboard.press("Escape")
    tab.wait_for_url("**/samples")
    assert tab.complaints == []


def test_choosing_narrows_the_list_and_the_link_can_be_sent(tab, browser):
    """A choice submits itself, but not each arrow of a keyboard; the same address shows the same to somebody else who may see it."""
    tab.goto(f"{tab.base}/runs/plain/samples")
    task = tab.get_by_role("combobox", name="Task")
    task.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    assert task.evaluate("one => one.selectedIndex") == 2
    assert tab.url.endswith("/samples")
    tab.goto(f"{tab.base}/runs/plain/samples")
    task.select_option("1-1")
    tab.wait_for_url("**/samples?task=1-1")
    assert tab.locator("table.list tbody tr").count() == 1
    with browser.new_context() as other:
        stranger = other.new_page()
        stranger.goto(tab.url)
        assert "/sign-in?next=" in stranger.url


def test_nothing_hostile_runs(tab):
    """Scripts in replies, links, errors and names of folders stay text, and nothing is asked of another host."""
    asked = []
    tab.on("request", lambda one: asked.append(one.url))
    for path in ("/runs", "/runs/plain/samples/1-1-001", f"/runs/{quote(NAME)}", "/people", "/log"):
        tab.goto(tab.base + path)
        assert tab.evaluate("window.harmed") is None, path
        assert tab.locator("body").is_visible()
    tab.goto(f"{tab.base}/people")
    tab.get_by_label("Name").fill('"><img src=x onerror=window.harmed=7>')
    tab.get_by_role("button", name="Add").click()
    tab.locator("input.link").wait_for()
    assert tab.evaluate("window.harmed") is None
    assert [url for url in asked if not url.startswith(tab.base)] == []
    assert tab.complaints == []


def test_axe_finds_nothing_serious(tab):
    """WCAG 2.2 AA on every page, light and dark: the dark scheme changes colours alone."""
    rules = {"light": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "dark": ["color-contrast"]}
    found = []
    for path in PAGES:
        tab.goto(tab.base + path)
        for theme, chosen in rules.items():
            tab.emulate_media(color_scheme=theme)
            for one in violations(tab, runOnly=chosen):
                found += [(path, theme, one["id"], node["html"][:200]) for node in one["nodes"]]
    assert found == []


@pytest.mark.parametrize("width", [360, *(pytest.param(one, marks=pytest.mark.slow) for one in (1280, 1920))])
def test_no_page_is_wider_than_the_screen(tab, width):
    """From a phone to a projector: what is wide scrolls in its own frame."""
    tab.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        tab.goto(tab.base + path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_navigation_stands_in_one_row(tab, language):
    """At 1280 px, in each group of its entries and in every language."""
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.locator(f"button[name=language][value='{language}']").click()
    tab.locator(f"html[lang='{language}']").wait_for()
    for path in ("/runs", "/queues", "/ask", "/people"):
        tab.goto(tab.base + path)
        tops = tab.locator(".shell a, .shell button").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().top / 20))"
        )
        assert max(tops) - min(tops) <= 1, (path, tops)


def test_paper_is_white_and_has_nothing_to_click(tab):
    """In dark mode too: run, decision and sample are printed without navigation and forms."""
    tab.emulate_media(media="print", color_scheme="dark")
    for path in ("/runs/plain", "/runs/plain/decision", "/runs/plain/samples/1-1-001"):
        tab.goto(tab.base + path)
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert tab.locator("h1, h2").first.is_visible()
        for hidden in (".shell", ".filters", ".trail", ".worst a"):
            assert not any(one.is_visible() for one in tab.locator(hidden).all()), (path, hidden)
    tab.goto(f"{tab.base}/runs/plain/decision")
    assert tab.get_by_text("Run plain, finished").is_visible(), "the trail, which named the run, is not printed"


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_samples_fit_their_boxes(tab, language, width):
    """Long headings wrap, and on a phone a row is a card that names each figure: nobody scrolls sideways for the verdict. A long
    name of a run tears no word of the figures that stand beside it.
    """
    tab.set_viewport_size({"width": width, "height": 800})
    tab.locator(f"button[name=language][value='{language}']").first.click()
    tab.locator(f"html[lang='{language}']").wait_for()
    tab.goto(f"{tab.base}/runs/plain/samples")
    box = tab.locator(".scroll:has(table.samples)")
    assert box.evaluate("one => one.scrollWidth <= one.clientWidth")
    assert box.locator("tbody td.number").first.is_visible()
    tab.goto(f"{tab.base}/compare/sample?first=plain&second={quote(NAME)}&assistant=weak&sample=1-1-001")
    assert box.locator("tbody th").evaluate_all(TORN) == []
