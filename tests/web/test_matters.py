"""Walls between matters: who belongs to which run, and what everybody else learns of it."""

from __future__ import annotations

import re
import shutil
import sqlite3

import pytest

from benchbar.cli.serve import configuration
from benchbar.web.app import close, create_app
from benchbar.web.folders import reviews_of
from benchbar.web.run_queues import queue_id


def of(owner, run) -> str:
    """The address of a run's queue, as a reviewer sees it."""
    return f"/review/{queue_id(owner.client.app.state.web, run.name)}"


@pytest.fixture
def two_matters(runs, graded):
    """Two runs about which people are asked, of two clients."""
    other = runs / "other-client"
    shutil.copytree(graded, other)
    return graded, other


def test_who_is_invited_to_one_run_sees_that_one_alone(visit, owner, two_matters):
    """The list shows one queue, and the address of the other is as unknown as one that does not exist."""
    mine, others = two_matters
    page = owner.post(f"/queues/{mine.name}/invite", {"names": "Ann"}, form="/people").text
    ann = visit()
    ann.sign_in("Ann", page.split("token=")[1].split('"')[0])
    assert ann.get("/review", follow_redirects=False).headers["location"] == of(owner, mine)
    assert ann.get(of(owner, mine)).status_code == 200
    refused, unknown = ann.get(of(owner, others)), ann.get("/review/0123456789abcdef")
    assert refused.status_code == unknown.status_code == 404
    assert refused.text.replace(of(owner, others), "") == unknown.text.replace("/review/0123456789abcdef", "")
    for path in ("/x", "/x/draft", "/x/skip", "/take/again", "/mine/t"):
        answer = ann.post(of(owner, others) + path, {"score": "1", "reason": "r"}, form=of(owner, mine))
        assert answer.status_code == 404, path
    assert ann.get(of(owner, others) + "/mine").status_code == 404


def test_a_second_invitation_opens_a_second_run_and_keeps_the_link(visit, owner, two_matters):
    """The person is named once, signs in with the link they have, and finds both queues."""
    mine, others = two_matters
    page = owner.post(f"/queues/{mine.name}/invite", {"names": "Ann"}, form="/people").text
    token = page.split("token=")[1].split('"')[0]
    again = owner.post(f"/queues/{others.name}/invite", {"names": "Ann"}, form="/people").text
    assert "token=" not in again
    assert "is here already and now sees this queue" in again
    ann = visit()
    ann.sign_in("Ann", token)
    assert {ann.get(of(owner, one)).status_code for one in two_matters} == {200}


def test_the_owner_lets_people_out_of_a_run(visit, owner, two_matters):
    """What is not ticked any more is closed at the next request."""
    mine, _ = two_matters
    ann = visit()
    ann.sign_in("Ann", owner.add("Ann", "reviewer", every=False))
    assert ann.get(of(owner, mine)).status_code == 404
    person = owner.path_of("Ann")
    owner.post(f"{person}/runs", {"run": mine.name}, form="/people")
    assert ann.get(of(owner, mine)).status_code == 200
    assert "checked" in owner.get(f"{person}/runs").text
    owner.post(f"{person}/runs", form="/people")
    assert ann.get(of(owner, mine)).status_code == 404


@pytest.mark.parametrize("rest", ["", "/samples", "/samples/x", "/progress", "/export/csv", "/export/json"])
def test_a_viewer_sees_the_runs_they_belong_to_and_no_other(visit, owner, two_matters, rest):
    """Lists, pages, samples, exports and comparisons name no run of another client."""
    mine, others = two_matters
    vera = visit()
    vera.sign_in("Vera", owner.add("Vera", "viewer", every=False))
    assert mine.name not in vera.get("/runs").text
    owner.post(f"{owner.path_of('Vera')}/runs", {"run": mine.name}, form="/people")
    shown = vera.get("/runs").text
    assert mine.name in shown
    assert others.name not in shown
    assert others.name not in vera.get("/compare").text
    assert vera.get(f"/runs/{others.name}{rest}").status_code == 404
    assert vera.get("/compare", params={"first": mine.name, "second": others.name}).status_code == 404


def test_a_matter_has_a_title_and_a_day_and_never_the_name_of_its_run(visit, owner, two_matters):
    """Two queues of one suite are told apart, and whose answers they hold is not told."""
    mine, others = two_matters
    for run, title in ((mine, "Müller ./. Meier <b>"), (others, "")):
        answer = owner.post(f"/queues/{run.name}/matter", {"title": title, "due": "2026-12-01"}, form="/people")
        assert answer.status_code == 200
    ann = visit()
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    page = ann.get("/review").text
    assert "Müller ./. Meier &lt;b&gt;" in page
    assert "wanted by December 1, 2026" in page
    assert mine.name not in page
    assert others.name not in page
    for wrong in ({"title": "a\x07b"}, {"due": "soon"}, {"due": "2026-13-1"}):
        assert owner.post(f"/queues/{mine.name}/matter", wrong, form="/people").status_code == 400


def test_people_of_before_go_on_seeing_every_run(runs):
    """A database without walls is brought up to date: nobody who could mark yesterday is locked out today."""
    own = runs / ".benchbar"
    app = create_app(configuration(runs, "a token of the owner of this bench"))
    close(app)
    with sqlite3.connect(own / "web.sqlite") as old:
        old.execute(
            "INSERT INTO person (name, role, salt, digest, stamp, created) VALUES ('Old','reviewer',x'00',x'00','s',0)"
        )
        old.execute("ALTER TABLE person DROP COLUMN every_run")
        old.execute("DELETE FROM schema_step WHERE area = 'people' AND step = 3")
    app = create_app(configuration(runs, "a token of the owner of this bench"))
    close(app)
    with sqlite3.connect(own / "web.sqlite") as new:
        assert new.execute("SELECT every_run FROM person WHERE name = 'Old'").fetchall() == [(1,)]


def test_forbidden_points_stand_apart_under_words_that_say_what_a_tick_means(visit, owner, graded):
    """The words "tick what is met" never stands over what must not be said."""
    ann = visit()
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    for _ in range(8):
        page = ann.get(of(owner, graded)).text
        if "Must not say (tick if it says it)" in page:
            break
        nonce = page.split('action="')[-1]
        action = page.split('class="review"')[0].rsplit('action="', 1)[1].split('"')[0]
        assert nonce
        ann.post(f"{action}/skip", {"reason": "the next"}, form="/review")
    good, bad = page.split("Must not say (tick if it says it)")
    assert 'class="tag forbidden"' not in good
    assert 'class="tag forbidden"' in bad


def test_tasks_that_want_more_people_than_there_are_say_so(visit, owner, graded):
    """Until enough reviewers are let in, the owner reads how many tasks nobody would ever finish; practice tasks are told apart."""
    tasks = reviews_of(graded).tasks
    page = f"/queues/{graded.name}"

    def short() -> int:
        found = re.search(r'id="waits">(\d+) of the tasks', owner.get(page).text)
        return int(found[1]) if found else 0

    twice = sum(one.annotators > 1 for one in tasks.values())
    assert twice
    assert short() == len(tasks)
    owner.add("Ann", "reviewer")
    assert short() == twice
    ann = visit()
    token = owner.add("Bo", "reviewer")
    assert short() == 0
    ann.sign_in("Bo", token)
    key = f"{page}/practice/{next(iter(tasks))}"
    owner.post(key, {"score": "40", "reason": "wrong day"}, form=key)
    assert "1 of the tasks that wait is a practice task" in owner.get(page).text
    assert short() == 0


def test_the_law_that_is_cited_stands_beside_the_form(visit, owner, graded):
    """Reviewers open the articles that guidance and answers cite, as of the day of the matter, without any verdict."""
    ann = visit()
    ann.sign_in("Ann", owner.add("Ann", "reviewer"))
    page = ann.get(of(owner, graded)).text
    law = page.split('<details class="law" id="law">')[1].split("</section>")[0]
    assert "It does not say who cites what" in law
    titles = [part.split("</summary>")[0] for part in law.split("<summary>")[2:]]
    assert titles == sorted(titles)
    # As its language cites it, and no bare number behind a name; then the file that it was read from, without the folders of the server.
    assert titles
    file = '<small class="muted"><code>[^/<]+</code></small>'
    assert all(re.fullmatch(f"《[^》]+》第[^ ]+条[^ ]* {file}", one) for one in titles)
    assert "As of " in law
    assert not any(word in law for word in ("verified", "invented", "extractive"))


def test_a_sample_shows_day_source_and_text_of_what_is_cited(owner, graded):
    """Beside each citation of an answer: its status, the day whose law counted, the file of the law, and the article."""
    listed = re.findall(r'href="(/runs/[^"]+/samples/[^"?]+)', owner.get(f"/runs/{graded.name}/samples").text)
    shown = (owner.get(path).text for path in dict.fromkeys(listed))
    cited = next(
        page.split('<ul class="cited">')[1].split("</ul>")[0] for page in shown if '<ul class="cited">' in page
    )
    assert re.search(r"in force[^·]* · law of [A-Z][a-z]+ \d{1,2}, \d{4}", cited)
    assert re.search(r'<small class="muted"><code>[^<]+\.md</code></small><div class="text">', cited)
