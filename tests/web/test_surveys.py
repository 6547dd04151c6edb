"""A survey in the browser: links, consent, pages, one submission each, responses for the analysis."""

from __future__ import annotations

import json
import re

import pytest

from benchbar.survey import store
from benchbar.survey.questionnaire import questionnaire_of, template
from benchbar.survey.responses import read_responses


@pytest.fixture
def clock(monkeypatch):
    """The server's clock, which a test may set forward."""

    class Clock:
        now = 1_000_000.0

        def time(self) -> float:
            return self.now

    found = Clock()
    monkeypatch.setattr(store, "time", found)
    return found


@pytest.fixture
def survey(owner):
    """A survey from the English template; the address of its page."""
    answer = owner.post("/surveys", {"language": "en"}, form="/surveys", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def make_links(owner, survey: str, **fields: str) -> list[str]:
    answer = owner.post(f"{survey}/links", fields, form=survey)
    assert answer.status_code == 200, answer.text
    return re.findall(r"http://localhost(/answer/[\w-]+)", answer.text)


def downloaded(owner, survey: str) -> list[dict]:
    return [json.loads(line) for line in owner.get(f"{survey}/responses.jsonl").text.splitlines()]


def test_a_respondent_answers_without_an_account(visit, owner, survey, clock, tmp_path):
    """Consent, about oneself, wishes; the response has the minutes it took, and the analysis reads it."""
    (link,) = make_links(owner, survey, labels="Judge Li\n")
    guest = visit()
    assert "totals" in guest.get(link).text
    clock.now += 500
    page = guest.post(link, {"consent": "yes", "do": "next"}, form=link)
    assert "Which of these describes you best?" in page.text
    clock.now += 120
    page = guest.post(link, {"scenario": "court", "about-years": "over 10", "do": "next"}, form=link)
    assert "Decide on the sentence" in page.text
    assert "Fill in or adapt" not in page.text
    clock.now += 300
    fields = {"selected": ["court-charges", "court-issues", "college-exams"], "open": "读卷宗", "do": "submit"}
    assert "Your answers have been submitted" in guest.post(link, fields, form=link).text
    (found,) = downloaded(owner, survey)
    assert found["selected"] == ["court-charges", "court-issues"]
    assert (found["scenario"], found["minutes"], found["open"]) == ("court", 7.0, "读卷宗")
    assert "Judge Li" not in json.dumps(found)
    file = tmp_path / "r.jsonl"
    file.write_bytes(owner.get(f"{survey}/responses.jsonl").content)
    read = read_responses(file, questionnaire_of(template("en"), "en.toml"))
    assert (len(read.responses), read.problems, read.ignored) == (1, (), ())
    assert "use case is retained" in owner.get(survey).text


def test_nothing_is_asked_before_consent_and_nothing_is_submitted_empty(visit, owner, survey):
    """Each page says what is missing."""
    (link,) = make_links(owner, survey, count="1")
    guest = visit()
    assert guest.post(link, {"do": "next"}, form=link).status_code == 400
    assert guest.post(link, {"do": "submit", "scenario": "court"}, form=link).status_code == 400
    assert "Court" not in guest.get(link).text
    guest.post(link, {"consent": "yes", "do": "next"}, form=link)
    for wrong in ({"scenario": "moon"}, {"scenario": "court", "about-years": "many"}, {}):
        assert guest.post(link, wrong | {"do": "next"}, form=link).status_code == 400
    guest.post(link, {"scenario": "court", "do": "next"}, form=link)
    assert guest.post(link, {"do": "submit"}, form=link).status_code == 400
    assert downloaded(owner, survey) == []
    assert guest.post(link, {"none": "yes", "do": "submit"}, form=link).status_code == 200
    assert downloaded(owner, survey)[0]["none"] is True


def test_what_was_begun_is_gone_on_with_and_absence_does_not_count(visit, owner, survey, clock):
    """In another browser on another day; the day between is no time spent on the answers."""
    (link,) = make_links(owner, survey, count="1")
    guest = visit()
    guest.post(link, {"consent": "yes", "do": "next"}, form=link)
    clock.now += 60
    guest.post(link, {"scenario": "college", "do": "next"}, form=link)
    clock.now += 60
    page = guest.post(link, {"selected": ["college-exams"], "open": "half a thought", "do": "later"}, form=link)
    assert "Open the same link to resume" in page.text
    clock.now += 24 * 3600
    other = visit()
    page = other.get(link)
    assert "half a thought" in page.text
    assert re.search(r'value="college-exams" checked', page.text)
    other.post(link, {"selected": ["college-exams"], "do": "back"}, form=link)
    other.post(link, {"scenario": "court", "do": "next"}, form=link)
    clock.now += 60
    other.post(link, {"selected": ["court-charges"], "do": "submit"}, form=link)
    (found,) = downloaded(owner, survey)
    assert (found["scenario"], found["selected"], found["minutes"]) == ("court", ["court-charges"], 3.0)


def test_each_link_is_submitted_once_and_none_after_the_end(visit, owner, survey):
    """A second submission changes nothing; a closed survey takes none; a made-up link leads nowhere."""
    first, second = make_links(owner, survey, count="2")
    for link in (first, second):
        guest = visit()
        guest.post(link, {"consent": "yes", "do": "next"}, form=link)
        guest.post(link, {"scenario": "court", "do": "next"}, form=link)
    csrf = guest.csrf(first)
    guest.post(first, {"selected": ["court-charges"], "do": "submit"}, form=first)
    again = guest.client.post(first, data={"csrf": csrf, "selected": ["court-issues"], "do": "submit"})
    assert "submitted" in again.text
    owner.post(f"{survey}/close", form=survey)
    assert "closed" in guest.post(second, {"csrf": csrf, "do": "submit", "none": "yes"}, form="/sign-in").text
    assert [one["selected"] for one in downloaded(owner, survey)] == [["court-charges"]]
    assert visit().get("/answer/made-up").status_code == 404


def test_only_the_owner_sees_surveys(visit, owner, survey):
    """Reviewers, viewers and respondents see neither list nor responses."""
    (link,) = make_links(owner, survey, count="1")
    guest, viewer = visit(), visit()
    viewer.sign_in("Vera", owner.add("Vera", "viewer"))
    for path in ("/surveys", survey, f"{survey}/responses.jsonl"):
        assert viewer.get(path).status_code == 403
        assert guest.get(path, follow_redirects=False).status_code == 303
    assert guest.get(link).status_code == 200


def test_a_questionnaire_of_ones_own_is_checked_and_shown_as_text(visit, owner):
    """A faulty file is refused with its fault; markup in a good one is not obeyed."""
    hostile = template("en").replace("Decide on the sentence", "<script>alert(1)</script>")
    csrf = owner.csrf("/surveys")

    def send(data: bytes):
        return owner.client.post(
            "/surveys", data={"csrf": csrf}, files={"file": ("q.toml", data)}, headers={"accept": "text/html"}
        )

    for bad in (b"name = 1", b"\xff\xfe", b"x" * 600_000):
        assert send(bad).status_code == 400
    address = send(hostile.encode()).url.path
    (link,) = make_links(owner, address, count="1")
    guest = visit()
    guest.post(link, {"consent": "yes", "do": "next"}, form=link)
    page = guest.post(link, {"scenario": "court", "do": "next"}, form=link).text
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


@pytest.mark.parametrize(("language", "word"), [("zh", "我同意"), ("ru", "Я согласен"), ("en", "I agree")])
def test_the_pages_speak_the_respondents_language(visit, owner, survey, language, word):
    """Buttons and messages follow the browser; the questions stay in the questionnaire's language."""
    (link,) = make_links(owner, survey, count="1")
    page = visit().get(link, headers={"accept-language": language}).text
    assert word in page
    assert 'lang="en"' in page
