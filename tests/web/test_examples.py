"""A page with nothing on it yet shows what it is for: an example to click, in the reader's language."""

from __future__ import annotations

import html
import re

import pytest

from benchbar.languages.packs import known, labels
from support.page import Page

FORM = re.compile(r'<form method="post" action="([^"]+)" class="example">(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def clicked(owner, path: str):
    """What comes of the example on a page."""
    action, body = FORM.search(owner.get(path).text).groups()
    fields = {name: html.unescape(value) for name, value in FIELD.findall(body)}
    return owner.client.post(action, data=fields, headers={"accept": "text/html"}, follow_redirects=True)


@pytest.fixture(params=known())
def speaking(owner, request):
    """The owner of an empty bench who reads one language, and its texts."""
    owner.client.cookies.set("benchbar_language", request.param, domain="localhost.local")
    return owner, labels(request.param, "web")


def test_a_question_of_ours_is_answered_from_the_bundled_law(speaking):
    """With articles in force of the law in the reader's language, said to be invented; then no example is in the way."""
    owner, say = speaking
    answer = clicked(owner, "/ask")
    assert answer.status_code == 200
    asked = Page(answer.text).all("h2", class_="asked")[0].text
    assert asked == say("ask.example")
    assert say("ask.nearest") not in answer.text
    assert "verified" in answer.text
    assert not FORM.search(answer.text)


def test_a_lease_of_ours_is_reviewed(speaking):
    """With findings in its clauses, and the DOCX to take along."""
    owner, say = speaking
    answer = clicked(owner, "/contracts")
    assert answer.status_code == 200
    page = Page(answer.text)
    assert len(page.all("section", class_="clause")) > 5
    assert page.all("section", class_="high")
    assert say("contract.download_docx") in answer.text


@pytest.mark.parametrize("path", ["/runs", "/queues", "/compare"])
def test_where_runs_are_wanted_and_none_is_there_one_is_begun(owner, path):
    """With a small file of ours, at the step that shows how it was understood."""
    answer = clicked(owner, path)
    assert answer.status_code == 200
    assert answer.url.path.endswith("/questions")
    assert Page(answer.text).all("div", class_="understood") or "understood" in answer.text


def test_a_survey_is_begun_in_the_readers_language(speaking):
    """With the questionnaire that comes along."""
    owner, say = speaking
    answer = clicked(owner, "/surveys")
    assert answer.status_code == 200
    assert say("surveys.no_file") not in answer.text
    assert not FORM.search(owner.get("/surveys").text)
