"""People check the judge's decisions and the simulated user's turns in the browser: what they see, say, and where it goes."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from benchbar.languages.packs import labels
from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import read_reviews
from benchbar.records import ERRORS, POINT, TURN
from support.browsing import serving, violations, watched
from support.in_process import runner

LANGUAGES = ("en", "zh", "zh-Hant", "ru")


@pytest.fixture(scope="module")
def drawn(made_run, tmp_path_factory) -> Path:
    """The run with a judge, with a sample of its points and of the user's turns to be checked by one person."""
    place = tmp_path_factory.mktemp("drawn")
    shutil.copytree(made_run, place / "run")
    with pytest.MonkeyPatch.context() as patch:
        run = runner(place, patch)
        for ask, size in (("points", "3"), ("turns", "2")):
            done = run("review", "draw", "run", "--ask", ask, "--size", size, "--raters", "1", "--seed", "4")
            assert done.code == 0, done.err
    return place / "run"


@pytest.fixture
def run(drawn, runs) -> Path:
    """That run in the app's folder."""
    shutil.copytree(drawn, runs / "checked")
    return runs / "checked"


@pytest.fixture
def ann(visit, owner):
    """A reviewer."""
    found = visit()
    found.sign_in("Ann", owner.add("Ann", "reviewer"))
    return found


def reviews_of(run):
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return read_reviews(store)
    finally:
        store.close()


def queue_of(visitor) -> str:
    return visitor.get("/review", follow_redirects=False).headers["location"]


def action_of(page: str) -> str:
    return html.unescape(re.search(r'<form method="post" action="([^"]+)" class="review"', page)[1])


def test_every_check_is_marked_in_the_browser_and_validate_reads_it(run, ann, benchbar):
    """One after the other, each kind by itself; the marks are those that a table would have brought."""
    path = queue_of(ann)
    wanted = Counter(task.measure for task in reviews_of(run).tasks.values() if task.voted)
    assert min(wanted[POINT], wanted[TURN]) > 0
    answers = {
        "points": {"referred": "yes", "choice": "wrong", "error": "partly_met", "reason": "half of it is there"},
        "turns": {"choice": "right"},
    }
    for kind, measure in (("points", POINT), ("turns", TURN)):
        address = f"{path}?kind={kind}"
        for _ in range(wanted[measure]):
            page = ann.get(address).text
            assert f'data-measure="{measure}"' in page
            answer = ann.post(action_of(page), {**answers[kind], "seconds": "3"}, form=address, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (303, address)
        assert f'data-measure="{measure}"' not in ann.get(address).text
    marks = [one.mark for one in reviews_of(run).marks if reviews_of(run).tasks[one.mark.task].voted]
    said = Counter((mark.value, mark.referred, mark.error, mark.reason) for mark in marks)
    assert said == {
        (0.0, True, "partly_met", "half of it is there"): wanted[POINT],
        (1.0, None, "", ""): wanted[TURN],
    }
    told = json.loads(benchbar("validate", str(run), "--json").out)["validations"]
    points = next(one for one in told if one["name"] == "points")
    rates = {one["measure"]: one["estimate"]["value"] for one in points["figures"] if one["group"].endswith("overall")}
    assert rates["judged right"] == 0
    assert rates["referred to"] == 1
    mine = ann.get(f"{path}/mine").text
    say = labels("zh", "web") if "评分" in mine else labels("en", "web")
    assert say.name("error_type", "partly_met") in html.unescape(mine)


def test_what_is_asked_is_shown_and_who_is_asked_about_is_not(run, ann):
    """The point with what the judge said, or the turn in its dialogue; neither the judge's name nor its other verdicts."""
    reviews, path = reviews_of(run), queue_of(ann)
    for kind in ("points", "turns"):
        page = ann.get(f"{path}?kind={kind}").text
        assert page.count('id="asked"') == 1
        assert page.count('name="met"') == page.count('name="criterion"') == 0
        for word in ("pairwise:", "checklist:", "/v1", "weak-1", "validation"):
            assert word not in page, word
        assert not any(task.sample in page for task in reviews.tasks.values())
    # Two kinds at hand: each has a link with how many are left.
    assert page.count("?kind=") >= 3


@pytest.mark.parametrize(
    ("kind", "sent", "missing"),
    [
        ("points", {"choice": "right"}, "referred_first"),
        ("points", {"referred": "yes"}, "judged_point_first"),
        ("points", {"referred": "no", "choice": "wrong"}, "error_first"),
        ("points", {"referred": "no", "choice": "wrong", "error": "invents_facts"}, "error_first"),
        ("turns", {}, "user_turn_first"),
        ("turns", {"choice": "first"}, "user_turn_first"),
        ("turns", {"choice": "wrong", "error": "missed_point"}, "error_first"),
    ],
)
def test_a_check_that_leaves_something_open_is_shown_again(run, ann, kind, sent, missing):
    """It says what is missing, keeps the reason, and no mark is made."""
    address = f"{queue_of(ann)}?kind={kind}"
    before = len(reviews_of(run).marks)
    answer = ann.post(action_of(ann.get(address).text), {**sent, "reason": "because <b>"}, form=address)
    assert answer.status_code == 400
    texts = {labels(language, "web")(f"review.{missing}") for language in LANGUAGES}
    assert any(html.escape(text) in answer.text or text in answer.text for text in texts)
    assert "because &lt;b&gt;" in answer.text
    assert len(reviews_of(run).marks) == before


def test_what_cannot_be_decided_needs_no_error_and_a_correction_takes_its_place(run, ann):
    """An error that was chosen before the answer changed is none; the form of a mark shows what was said."""
    path = queue_of(ann)
    address = f"{path}?kind=turns"
    ann.post(action_of(ann.get(address).text), {"choice": "cannot", "error": "other"}, form=address)
    (kept,) = [one for one in reviews_of(run).marks if one.mark.rater == "Ann"]
    assert (kept.mark.value, kept.mark.error) == (None, "")
    own = f"{path}/mine/{kept.mark.task}"
    assert re.search(r'value="cannot"[^>]* checked', ann.get(own).text)
    ann.post(own, {"choice": "wrong", "error": "other", "reason": "after all"}, form=own)
    last = reviews_of(run).marks[-1].mark
    assert (last.value, last.error, last.corrects) == (0.0, "other", kept.number)
    shown = ann.get(own).text
    assert re.search(r'value="other"[^>]* checked', shown)
    assert re.search(r'value="wrong"[^>]* checked', shown)


def test_the_owner_sees_how_checks_stand_apart_from_marks_of_dialogues(run, ann, owner):
    """A gate counts people's grades: checks of the judge are no marks of an answer."""
    page = owner.get("/queues/checked").text
    count = sum(task.voted for task in reviews_of(run).tasks.values())
    texts = [
        labels(language, "web")("queues.checks", open=str(count), settled="0", divided="0") for language in LANGUAGES
    ]
    assert any(html.escape(text) in page or text in page for text in texts)


@pytest.fixture(scope="module")
def link(drawn, tmp_path_factory):
    """The owner's link to `benchbar serve` over that run."""
    folder = tmp_path_factory.mktemp("served") / "runs"
    shutil.copytree(drawn, folder / "checked")
    with serving(folder) as address:
        yield address


def tab(chromium, link, *, width: int, language: str = "en"):
    context = chromium.new_context(viewport={"width": width, "height": 900}, locale=language)
    page = watched(context)
    page.goto(link)
    page.wait_for_url(lambda url: "/sign-in" not in url)
    page.base = link.partition("/sign-in")[0]
    page.goto(f"{page.base}/review")
    page.locator("#mark[data-ready]").wait_for()
    page.queue = page.url
    return page


def to_kind(page, kind: str) -> None:
    page.goto(f"{page.queue.partition('?')[0]}?kind={kind}")
    page.locator("#mark[data-ready]").wait_for()


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 360])
@pytest.mark.parametrize(
    "language", [one if one == "ru" else pytest.param(one, marks=pytest.mark.slow) for one in LANGUAGES]
)
def test_the_pages_of_checks_hold_in_every_language_and_on_a_telephone(chromium, link, width, language):
    """Nothing runs over the edge, the button is in sight, every text is there, and no rule of accessibility is broken."""
    page = tab(chromium, link, width=width, language=language)
    say = labels(language, "web")
    for kind, measure in (("points", POINT), ("turns", TURN)):
        to_kind(page, kind)
        assert page.locator("h1").inner_text() == say(f"review.title_of_{measure}")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.locator("#send").is_visible()
        box = page.locator("#send").bounding_box()
        assert box["y"] + box["height"] <= 900
        page.locator('input[name="choice"][value="wrong"]').check()
        shown = page.locator(".errors label").all_inner_texts()
        assert [text.split("\n")[0].strip() for text in shown] == [
            say.name("error_type", one) for one in ERRORS[measure]
        ]
        grave = [one for one in violations(page) if one["impact"] in {"serious", "critical"}]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in grave] == []
    assert page.complaints == []
    page.context.close()


def test_checks_by_keyboard_alone(chromium, link):
    """y, an error's digit and Enter; then 1 and Enter: no mouse, and a type of error goes when the answer changes."""
    page = tab(chromium, link, width=1280)
    to_kind(page, "points")
    action = page.locator("#mark").get_attribute("action")
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.id") == "asked"
    page.keyboard.press("y")
    page.keyboard.press("5")
    assert page.locator('input[name="choice"]:checked').get_attribute("value") == "wrong"
    assert page.locator('input[name="error"]:checked').get_attribute("value") == ERRORS[POINT][2]
    page.keyboard.press("1")
    assert page.locator('input[name="error"]:checked').count() == 0
    assert not page.locator(".errors").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_function("was => document.getElementById('mark').getAttribute('action') !== was", arg=action)
    page.locator("#mark[data-ready]").wait_for()
    assert page.locator("#mark").get_attribute("data-measure") == POINT
    to_kind(page, "turns")
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.classList.contains('user')")
    page.keyboard.press("3")
    page.keyboard.press("Control+Enter")
    page.locator("#mark[data-ready]").wait_for()
    assert page.complaints == []
    page.context.close()
