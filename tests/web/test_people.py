"""What the owner sees of each person: when they were here, how they mark, with whom they agree, and what to write to them."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs

import pytest

from benchbar.web.run_queues import queue_id
from support.marking import mark

LANGUAGES = {"en": "Hello Ann", "zh": "Ann，您好", "zh-Hant": "Ann，您好", "ru": "Здравствуйте, Ann"}


def reminder_of(page: str) -> str:
    return html.unescape(re.search(r"<textarea[^>]*>([^<]*)</textarea>", page)[1])


@pytest.fixture
def marked(visit, owner, graded):
    """Two reviewers of one matter with a title and a day, who have marked six tasks each."""
    owner.post(
        f"/queues/{graded.name}/matter", {"title": "Müller ./. <b>Meier</b>", "due": "2026-12-01"}, form="/people"
    )
    people = {name: visit() for name in ("Ann", "Bo")}
    for name, person in people.items():
        person.sign_in(name, owner.add(name, "reviewer"))
        scores = {"Ann": ("90", "20", "75", "60", "95", "40"), "Bo": ("85", "10", "55", "75", "95", "45")}
        for score in scores[name]:
            assert mark(person, score, "why").status_code == 303
    return people


def test_a_person_was_here_or_never(visit, owner):
    """The list says when somebody last asked for a page."""
    token = owner.add("Ann", "reviewer")
    row = next(row for row in owner.get("/people").text.split("<tr>") if ">Ann<" in row)
    assert "never" in row
    ann = visit()
    ann.sign_in("Ann", token)
    ann.get("/review")
    row = next(row for row in owner.get("/people").text.split("<tr>") if ">Ann<" in row)
    assert "never" not in row


def test_agreement_pace_and_time_stand_on_the_page_of_a_person(owner, marked, graded):
    """With the others and with the run itself, each with n and interval; what nobody can know yet says so."""
    text = owner.get(owner.path_of("Ann")).text
    section = text.split("<section>")[1]
    rows = dict(re.findall(r'<th scope="row">([^<]+?)(?: <small.*?)?</th><td[^>]*>(.*?)</td>', section))
    assert rows["Marks"] == rows["Last 7 days"] == "6"
    assert "n = 6" in rows["Time of one"]
    assert re.fullmatch(
        r"-?[\d.]+ \[-?[\d.]+, -?[\d.]+\].*n = 6.*|<span class=\"chip\">.*",
        rows["With the other reviewers, grades in four bands: κ"],
    )
    assert "With the run&#39;s own grades (rules and judge), four bands: κ" in rows
    assert "Müller ./. &lt;b&gt;Meier&lt;/b&gt;" in section


def test_few_tasks_in_common_are_a_status_and_no_number(visit, owner, graded):
    """Below five tasks there is no kappa; it is said how many there are, and where there are none at all."""
    for name in ("Ann", "Bo"):
        person = visit()
        person.sign_in(name, owner.add(name, "reviewer"))
        for score in ("90", "20", "60"):
            mark(person, score, "why")
        text = owner.get(owner.path_of("Ann")).text
        assert ("Nobody else has marked the same tasks yet." in text) == (name == "Ann")
    assert '<span class="chip">too few tasks: 3 of at least 5</span>' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reminder_names_matter_tasks_day_and_link_in_the_readers_language(owner, marked, graded, language):
    """And never the run, whose name may tell whose answers are marked."""
    marked["Ann"].client.cookies.set("benchbar_language", language)
    path = owner.path_of("Ann")
    text = reminder_of(owner.get(path, params={"language": language}).text)
    assert text.startswith(LANGUAGES[language])
    assert "Müller ./. <b>Meier</b>" in text
    assert "2026" in text
    waiting = re.search(r"\d+", text.split("Meier</b>")[1])[0]
    assert int(waiting) == 28 - 6
    link = re.search(r"http://localhost(/review/[0-9a-f]{16})", text)[1]
    assert link == f"/review/{queue_id(owner.client.app.state.web, graded.name)}"
    assert marked["Ann"].get(link).status_code == 200
    assert graded.name not in text


def test_a_reminder_is_written_in_the_language_that_the_person_reads(visit, owner, graded):
    """The owner need not know it: it is that of the person's last page."""
    ann = visit()
    ann.client.headers["accept-language"] = "ru"
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    ann.get("/review")
    assert reminder_of(owner.get(owner.path_of("Ann")).text).startswith("Здравствуйте")


def test_who_never_signed_in_is_told_how_and_can_be_sent_a_link_that_signs_in(visit, owner, graded):
    """The address of a queue alone would end before a form that asks for a token; the link ends the one before and leads on."""
    old, path = owner.add("Zoë", "reviewer"), owner.path_of("Zoë")
    page = owner.get(path).text
    assert "personal link that you were given" in reminder_of(page)
    answer = owner.post(f"{path}/reminder", {"language": "ru"}, form=path)
    text = reminder_of(answer.text)
    assert text.startswith("Здравствуйте, Zoë")
    where, _, fragment = re.search(r"http://localhost(/sign-in\?next=/review/[0-9a-f]{16}#\S+)", text)[1].partition("#")
    given = parse_qs(fragment)
    assert given["name"] == ["Zoë"]
    assert visit().sign_in("Zoë", old).status_code == 403
    zoe = visit()
    signed = zoe.sign_in("Zoë", given["token"][0], next=where.partition("next=")[2])
    assert zoe.get(signed.headers["location"]).status_code == 200
    assert "personal link" not in reminder_of(owner.get(path).text)
    assert given["token"][0] not in owner.get("/log").text


def test_nobody_is_reminded_who_has_nothing_to_do(visit, owner, graded):
    """Neither a viewer nor somebody who was let in no more, nor a reviewer of no run."""
    for name, role, every in (("Vera", "viewer", True), ("Cy", "reviewer", False), ("Gone", "reviewer", True)):
        owner.add(name, role, every=every)
        if name == "Gone":
            owner.post(f"{owner.path_of(name)}/revoke", form="/people")
        assert "<textarea" not in owner.get(owner.path_of(name)).text


def test_the_page_of_a_person_is_for_the_owner(visit, owner, marked):
    """A reviewer reads neither their own figures nor those of others; an unknown number is 404."""
    path = owner.path_of("Bo")
    assert marked["Ann"].get(path).status_code == 403
    assert visit().get(path, follow_redirects=False).status_code == 303
    assert owner.get("/people/9999").status_code == 404
