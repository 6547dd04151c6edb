"""One answer given to one person by name: they see it first, nobody else gets their place, and it can be taken back until they mark it."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3

import pytest

from benchbar.ledger.check import check
from benchbar.ledger.fingerprinting import ledger_fingerprint
from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import read_reviews
from support.browsing import serving, violations, watched
from support.marking import action_of, mark, queue_path
from web.conftest import REVIEWED, run_command


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of which one person each grades half of the answers."""
    place = tmp_path_factory.mktemp("given")
    text = REVIEWED.format(annotators=1, protocol="grade").replace("audit = 1.0", "audit = 0.5")
    (place / "spec.toml").write_text(text, "utf-8")
    run_command(place, "run", "spec.toml", "--out", "run-of-extractive", "--quiet")
    return place / "run-of-extractive"


@pytest.fixture
def graded(made, runs):
    """The same in the app's folder."""
    shutil.copytree(made, runs / made.name)
    return runs / made.name


def reviews_of(run):
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return read_reviews(store)
    finally:
        store.close()


def fingerprint_of(run) -> str:
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return ledger_fingerprint(store)
    finally:
        store.close()


@pytest.fixture
def people(visit, owner):
    """Signs reviewers in by name."""

    def signed_in(name: str, *, every: bool = True):
        found = visit()
        found.sign_in(name, owner.add(name, "reviewer", every=every))
        return found

    return signed_in


def give(owner, run, task, person: str):
    path = f"/runs/{run.name}/samples/{task.sample}"
    fields = {"sample": task.sample, "assistant": task.assistant, "person": person}
    return owner.post(f"/runs/{run.name}/give", fields, form=path, follow_redirects=False)


def take_back(owner, run, task, person: str):
    fields = {"task": task.id, "person": person}
    return owner.post(f"/runs/{run.name}/take-back", fields, form="/people", follow_redirects=False)


def asked(page: str) -> str:
    """What the page of a task says of who asked for it."""
    found = re.search(r'id="asked-by">([^<]*)', page)
    return found[1] if found else ""


def shown_task(run, visitor) -> str:
    """The task that the person is shown, by its lease."""
    nonce = action_of(visitor.get(queue_path(visitor)).text).rpartition("/")[2]
    with sqlite3.connect(run.parent / ".benchbar" / "web.sqlite") as kept:
        return kept.execute("SELECT task FROM lease WHERE nonce = ?", (nonce,)).fetchone()[0]


def last_task(run):
    """The last task of the queue."""
    return list(reviews_of(run).tasks.values())[-1]


def test_a_given_task_comes_first_and_says_who_asks(owner, people, graded):
    """Before what lies in the person's hands, whose draft stays; the list of queues says it too; others say nothing of it."""
    ann, bo, task = people("Ann"), people("Bo"), last_task(graded)
    before = action_of(ann.get(queue_path(ann)).text)
    ann.post(f"{before}/draft", {"reason": "half a thought"}, form=queue_path(ann))
    assert give(owner, graded, task, "Ann").headers["location"] == f"/runs/{graded.name}/samples/{task.sample}#given"
    page = ann.get(queue_path(ann)).text
    assert asked(page) == "owner asks you to mark this one."
    assert shown_task(graded, ann) == task.id
    assert asked(bo.get(queue_path(bo)).text) == ""
    assert mark(ann, "70").status_code == 303
    assert reviews_of(graded).of_rater["Ann"].keys() == {task.id}
    page = ann.get(queue_path(ann)).text
    assert action_of(page) == before
    assert "half a thought" in page
    assert asked(page) == ""
    assert asked(ann.get(f"{queue_path(ann)}/mine/{task.id}").text) == "", "a correction is nobody's wish"


def test_nobody_else_gets_the_place_until_it_is_passed_over(owner, people, graded):
    """Others mark everything else; what Ann passes over with a reason goes to them, and the owner reads the reason."""
    ann, bo, task = people("Ann"), people("Bo"), last_task(graded)
    give(owner, graded, task, "Ann")
    count = len(reviews_of(graded).tasks)
    for _ in range(count - 1):
        assert mark(bo, "70").status_code == 303
    assert "Nothing is left to mark" in bo.get(queue_path(bo)).text
    action = action_of(ann.get(queue_path(ann)).text)
    ann.post(f"{action}/skip", {"reason": "I advise this client"}, form=queue_path(ann))
    shown = owner.get(f"/runs/{graded.name}/samples/{task.sample}").text
    assert "I advise this client" in shown[shown.index('id="given"') :]
    assert shown_task(graded, bo) == task.id
    assert asked(bo.get(queue_path(bo)).text) == ""


def test_it_is_taken_back_until_it_is_marked(owner, people, graded):
    """Out of the person's hands, too; afterwards neither taken back nor given to somebody else."""
    ann, bo, task = people("Ann"), people("Bo"), last_task(graded)
    give(owner, graded, task, "Ann")
    path = queue_path(ann)
    held = action_of(ann.get(path).text)
    assert take_back(owner, graded, task, "Ann").status_code == 303
    assert ann.post(held, {"score": "70"}, form=path, follow_redirects=False).status_code == 409
    assert asked(ann.get(path).text) == ""
    assert take_back(owner, graded, task, "Ann").status_code == 400
    assert give(owner, graded, task, "Bo").status_code == 303
    assert give(owner, graded, task, "Bo").status_code == 303, "the same twice is given once"
    assert give(owner, graded, task, "Ann").status_code == 400, "its one place is kept for Bo"
    assert mark(bo, "70").status_code == 303
    refused = take_back(owner, graded, task, "Bo")
    assert refused.status_code == 400
    assert "has marked task" in refused.text
    assert give(owner, graded, task, "Ann").status_code == 400


def test_walls_between_matters_hold(owner, people, graded):
    """Nobody gets a task of a run that they are not invited to; whoever is shut out later keeps no place."""
    people("Ann", every=False)
    bo, task = people("Bo"), last_task(graded)
    refused = give(owner, graded, task, "Ann")
    assert refused.status_code == 400
    assert "invite them first" in refused.text
    for name in ("Nobody", "viewer"):
        assert give(owner, graded, task, name).status_code == 400
    assert reviews_of(graded).assigned.all() == []
    page = owner.get(f"/runs/{graded.name}/samples/{task.sample}").text
    assert "<option>Bo</option>" in page[page.index('id="given"') :]
    assert "<option>Ann</option>" not in page[page.index('id="given"') :]
    owner.post(f"/queues/{graded.name}/invite", {"names": "Ann"}, form="/people")
    assert give(owner, graded, task, "Ann").status_code == 303
    owner.post(f"{owner.path_of('Ann')}/runs", {}, form="/people")
    for _ in range(len(reviews_of(graded).tasks)):
        assert mark(bo, "70").status_code == 303
    assert "Nothing is left to mark" in bo.get(queue_path(bo)).text
    assert "no longer let in here" not in owner.get(f"/queues/{graded.name}").text, (
        "it is settled, and no more than that"
    )


def test_only_an_owner_gives(people, owner, graded):
    """A reviewer's form is refused and nothing is written."""
    ann, task = people("Ann"), last_task(graded)
    people("Bo")
    fields = {"sample": task.sample, "assistant": task.assistant, "person": "Bo"}
    assert ann.post(f"/runs/{graded.name}/give", fields, form=queue_path(ann)).status_code == 403
    assert reviews_of(graded).assigned.all() == []


def test_the_ledger_and_the_log_say_so(owner, people, graded):
    """Appended, sealed and checked; what was decided on stays what it was; the log names who, what and to whom."""
    people("Ann")
    task, before = last_task(graded), fingerprint_of(graded)
    give(owner, graded, task, "Ann")
    assert fingerprint_of(graded) == before
    assert reviews_of(graded).assigned.people(task.id) == {"Ann": "owner"}
    assert check(graded / "ledger.sqlite").ok
    listed = json.loads(run_command(graded.parent, "review", "list", graded.name, "--json"))["tasks"]
    assert next(one for one in listed if one["task"] == task.id)["given"] == {"Ann": "owner"}
    following = json.loads(run_command(graded.parent, "review", "next", graded.name, "--rater", "Ann", "--json"))
    assert following["task"]["task"] == task.id
    take_back(owner, graded, task, "Ann")
    log = owner.get("/log").text
    assert "gave a task to one person" in log
    assert "took a task back from one person" in log
    assert task.id in log
    assert reviews_of(graded).assigned.all() == []
    assert check(graded / "ledger.sqlite").ok


def test_an_answer_outside_of_the_queue_comes_into_it_picked_by_hand(owner, people, graded):
    """It counts in no estimate, and the sample's page shows whom it waits for."""
    ann = people("Ann")
    known = {(one.sample, one.assistant) for one in reviews_of(graded).tasks.values()}
    page = owner.get(f"/runs/{graded.name}/samples").text
    samples = dict.fromkeys(re.findall(r'name="sample" value="([^"]+)"', page))
    names = {one.assistant for one in reviews_of(graded).tasks.values()}
    sample, assistant = next((one, name) for one in samples for name in names if (one, name) not in known)
    path = f"/runs/{graded.name}/samples/{sample}"
    fields = {"sample": sample, "assistant": assistant, "person": "Ann"}
    assert owner.post(f"/runs/{graded.name}/give", fields, form=path).status_code == 200
    task = next(one for one in reviews_of(graded).tasks.values() if (one.sample, one.assistant) == (sample, assistant))
    assert task.picked
    shown = owner.get(path).text
    assert "waits" in shown[shown.index('id="given"') :]
    assert shown_task(graded, ann) == task.id
    assert owner.post(f"/runs/{graded.name}/give", fields | {"assistant": "none"}, form=path).status_code == 404


def test_what_somebody_passed_over_is_not_given_to_them(owner, people, graded):
    """They said why; the owner is told."""
    ann = people("Ann")
    path = queue_path(ann)
    action = action_of(ann.get(path).text)
    passed = shown_task(graded, ann)
    ann.post(f"{action}/skip", {"reason": "a conflict"}, form=path)
    task = reviews_of(graded).tasks[passed]
    refused = give(owner, graded, task, "Ann")
    assert refused.status_code == 400
    assert "passed this task over" in refused.text


def test_giving_by_keyboard_on_a_phone(chromium, graded, runs):
    """The form and the table fit 360 px in a real browser, axe finds nothing grave, and the task is taken back by a button."""
    task = last_task(graded)
    with serving(runs) as link:
        context = chromium.new_context(viewport={"width": 360, "height": 800}, locale="en-US")
        page, base = watched(context), link.partition("/sign-in")[0]
        page.goto(link)
        page.wait_for_url("**/runs")
        page.goto(f"{base}/queues/{graded.name}")
        page.fill("textarea[name=names]", "Ann")
        page.get_by_role("button", name="Make links").click()
        page.locator("input.link").first.wait_for()
        page.goto(f"{base}/runs/{graded.name}/samples/{task.sample}")
        page.locator("#given select[name=assistant]").select_option(task.assistant)
        page.locator("#given select[name=person]").select_option("Ann")
        page.locator("#given").get_by_role("button", name="Give to this person").press("Enter")
        back = page.locator("#given").get_by_role("button", name="Take back")
        back.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        found = violations(page)
        assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []
        page.goto(f"{base}/queues/{graded.name}")
        assert "waits" in page.locator("#given").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.locator("#given").get_by_role("button", name="Take back").press("Enter")
        page.wait_for_url("**/samples/**")
        assert back.count() == 0
        assert page.complaints == []
        context.close()
