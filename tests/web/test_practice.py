"""Practice before the queue: tasks with keys and feedback, which count nowhere, and a least share before anybody marks."""

from __future__ import annotations

import html
import re
import sqlite3

import httpx
import pytest

from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import read_reviews
from benchbar.web.run_queues import queue_id
from support.browsing import serving, violations, watched
from support.marking import action_of, mark, queue_path
from support.visitor import OWNER_TOKEN, Visitor

SENTENCE = "The deadline is <b>30</b> days, so nobody could act on it."


def reviews_of(run):
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return read_reviews(store)
    finally:
        store.close()


@pytest.fixture
def people(visit, owner):
    """Signs reviewers in by name."""

    def signed_in(name: str):
        found = visit()
        found.sign_in(name, owner.add(name, "reviewer"))
        return found

    return signed_in


def tasks_of(run) -> list[str]:
    return list(reviews_of(run).tasks)


def key_path(run, task: str) -> str:
    return f"/queues/{run.name}/practice/{task}"


def set_key(owner, run, task: str, **fields):
    path = key_path(run, task)
    fields = {"score": "40", "reason": SENTENCE} | fields
    return owner.post(path, fields, form=path, follow_redirects=False)


def practise(person, **fields) -> str:
    """Answer the practice task that the queue leads to; the page with the key."""
    path = queue_path(person)
    shown = person.get(path)
    assert "/practice/" in str(shown.url)
    answer = person.post(action_of(shown.text), fields, form=str(shown.url.path))
    assert answer.status_code == 200, answer.text
    return answer.text


def rows(page: str) -> list[tuple[str, ...]]:
    """Class of each row of the comparison, and the texts of its cells."""
    found = re.findall(r'<tr class="(same|differs|neither)">(.*?)</tr>', page, re.DOTALL)
    return [
        (kind, *(re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)))
        for kind, row in found
    ]


def test_practice_comes_first_with_key_difference_and_sentence(owner, people, graded):
    """In one order, called practice, in the form of a mark; after each the difference by field and why; then the queue."""
    first, second = tasks_of(graded)[:2]
    assert set_key(owner, graded, first).headers["location"] == f"/queues/{graded.name}#practice"
    assert set_key(owner, graded, second, score="", criterion=["30", "20", "20"], met=["0-0"]).status_code == 303
    ann = people("Ann")
    path = queue_path(ann)
    page = ann.get(path)
    assert page.url.path == f"{path}/practice/1"
    assert "practice 1 of 2" in page.text
    assert 'name="criterion"' in page.text
    assert "data-draft" not in page.text
    # The key is nowhere before somebody has answered.
    assert ann.get(f"{path}/practice/1/feedback").status_code == 404
    assert "nobody could act" not in page.text
    seen = practise(ann, score="45")
    assert "The deadline is &lt;b&gt;30&lt;/b&gt; days" in seen
    assert rows(seen)[0] == ("same", "Mark", "45", "40", "as the key")
    assert "practice 2 of 2" in ann.get(path).text
    seen = practise(ann, criterion=["30", "35", "20"], met=["0-1"])
    found = rows(seen)
    # 85 beside 70 is as near as the run lets marks be; accuracy 35 beside 20 of 40 is not.
    assert found[:4] == [
        ("same", "Mark", "85", "70", "as the key"),
        ("same", "Completeness", "30", "30", "as the key"),
        ("differs", "Accuracy", "35", "20", "differs"),
        ("same", "Clarity", "20", "20", "as the key"),
    ]
    assert [row[2:] for row in found[4:6]] == [("not ticked", "ticked", "differs"), ("ticked", "not ticked", "differs")]
    # The other points are ticked by neither, and say nothing.
    assert {row[0] for row in found[6:]} == {"neither"}
    assert "3 of 6 fields" in seen
    done = ann.get(f"{path}/practice").text
    assert "below" not in done
    assert "/practice" not in str(ann.get(path).url)


def test_practice_counts_nowhere(owner, people, graded):
    """Not in the ledger, marks, progress, own marks, pace, exports; no practice task is a real one for anybody."""
    ids = tasks_of(graded)
    for task in ids[:3]:
        set_key(owner, graded, task)
    ann, panel = people("Ann"), f"/queues/{graded.name}/panel"
    path, before = queue_path(ann), owner.get(panel).text
    for _ in range(3):
        practise(ann, score="90", reason="a reason of practice", span=['{"side":0,"turn":1,"kind":"good","quote":"a"}'])
    assert reviews_of(graded).marks == []
    assert owner.get(panel).text == before
    assert "a reason of practice" not in ann.get(f"{path}/mine").text
    rows_ = sqlite3.connect(graded.parent / ".benchbar" / "web.sqlite")
    assert rows_.execute("SELECT count(*) FROM done").fetchone() == (0,)
    assert owner.get(f"/queues/{graded.name}/passages.csv").text.count("\n") == 1
    # Whoever has practised is given all but those, also after they are taken out.
    owner.post(f"{key_path(graded, ids[0])}/out", form="/people")
    assert f"{len(ids) - 3} left" in ann.get(path).text
    for _ in range(len(ids) - 3):
        assert mark(ann, "70").status_code == 303
    assert "Nothing is left to mark" in ann.get(path).text
    marked = {one.mark.task for one in reviews_of(graded).marks}
    assert marked == set(ids[3:])


def test_who_ticks_nothing_agrees_on_nothing(owner, people, graded):
    """Points that neither the answer nor the key ticks are no agreement; the pages say what is counted."""
    set_key(owner, graded, tasks_of(graded)[0], met=["0-0", "0-1"])
    ann = people("Ann")
    found = rows(practise(ann, score="90"))
    assert len(found) > 4, "there are points that nobody ticks"
    done = ann.get(f"{queue_path(ann)}/practice").text
    assert '0% <small class="count">n = 3</small>' in done
    assert "ticked in neither says nothing" in done


def test_the_key_of_a_settled_task_is_what_its_marks_say(owner, people, graded):
    """Their mean, and the points that both ticked; it is offered on the owner's page, and who marked it does not practise on it."""
    ann, bo = people("Ann"), people("Bo")
    for person, score, met in ((ann, "70", ["0-0", "0-1"]), (bo, "80", ["0-0"])):
        assert mark(person, score, met=met).status_code == 303
    (task,) = {one.mark.task for one in reviews_of(graded).marks}
    assert key_path(graded, task) in owner.get(f"/queues/{graded.name}").text
    page = owner.get(key_path(graded, task)).text
    assert re.search(r'name="score"[^>]*value="75"', page)
    assert re.findall(r'name="met" value="([\d-]+)" checked', page) == ["0-0"]
    assert set_key(owner, graded, task, score="75", met=["0-0"]).status_code == 303
    assert "/practice" not in str(ann.get(queue_path(ann)).url)
    chen = people("Chen")
    assert [row[0] for row in rows(practise(chen, score="75", met=["0-0"])) if row[0] != "neither"] == ["same", "same"]


def test_comparisons_are_practised_too(owner, people, compared):
    """The key is in the order on the screen, whichever assistant stands first, and stays so."""
    task = tasks_of(compared)[0]
    assert set_key(owner, compared, task, choice="second", score="").status_code == 303
    page = owner.get(key_path(compared, task)).text
    assert re.search(r'value="second"[^>]*checked', page)
    ann = people("Ann")
    assert rows(practise(ann, choice="first"))[0][:4] == (
        "differs", "Mark", "Dialogue 1 is better", "Dialogue 2 is better",
    )  # fmt: skip
    ann.post(f"{queue_path(ann)}/practice/1", {"choice": "second"}, form="/sign-in")
    assert rows(ann.get(f"{queue_path(ann)}/practice/1/feedback").text)[0][0] == "same"


def test_below_the_least_share_nobody_marks_until_the_owner_lets_them(owner, people, graded):
    """The first answer counts, however often somebody practises again; the owner sees the share with n."""
    set_key(owner, graded, tasks_of(graded)[0], met=["0-0"])
    queue = f"/queues/{graded.name}"
    assert owner.post(f"{queue}/practice-least", {"least": "101"}, form="/people").status_code == 400
    assert owner.post(f"{queue}/practice-least", {"least": "100"}, form="/people").status_code == 200
    ann, bo = people("Ann"), people("Bo")
    path = queue_path(ann)
    practise(ann, score="90", met=["0-0"])
    practise(bo, score="40", met=["0-0"])
    assert "/practice" not in str(bo.get(path).url)
    stopped = ann.get(path)
    assert stopped.url.path == f"{path}/practice"
    assert 'id="below"' in stopped.text
    ann.post(f"{path}/practice/1", {"score": "40"}, form=path)
    assert 'id="below"' in ann.get(path).text
    shown = owner.get(queue).text
    row = shown[shown.index('<th scope="row">Ann</th>') :].split("</tr>")[0]
    # The point is as the key, the mark is not, and nothing else was ticked.
    assert '50% <small class="count">n = 2</small>' in row
    assert "ticked in neither says nothing" in shown
    assert "1 / 1" in row
    assert owner.post(f"{queue}/practice-pass", {"name": "Nobody"}, form="/people").status_code == 404
    owner.post(f"{queue}/practice-pass", {"name": "Ann"}, form="/people")
    assert 'id="below"' not in ann.get(path).text
    assert action_of(ann.get(path).text).startswith(f"{path}/")
    assert "let through" in owner.get(queue).text


def test_a_key_has_to_be_a_mark_with_a_sentence(owner, graded):
    """What says nothing, or says why in a page, is shown again with what was written; ten tasks are the most."""
    ids = tasks_of(graded)
    for fields in ({"score": ""}, {"score": "101"}, {"reason": " "}, {"reason": "a" * 501}):
        answer = set_key(owner, graded, ids[0], **fields)
        assert answer.status_code == 400
        assert html.escape((fields.get("reason") or SENTENCE).strip()).split("&")[0] in answer.text
    assert set_key(owner, graded, ids[0], reason="a" * 500).status_code == 303
    for task in ids[1:10]:
        assert set_key(owner, graded, task).status_code == 303
    assert "at most ten" in set_key(owner, graded, ids[10]).text
    assert set_key(owner, graded, ids[3], score="50").status_code == 303
    assert owner.get(f"/queues/{graded.name}").text.count("/out") == 10
    # A path that does not name a task of this queue.
    assert owner.get(key_path(graded, "0" * 16)).status_code == 404


def test_practice_can_be_set_before_anybody_marked(owner, people, graded):
    """The owner's page leads to tasks that nobody has marked; their key page asks for no passages; marked ones are listed no more."""
    page = f"/queues/{graded.name}"
    shown = owner.get(page).text.split("Choose a task that nobody has marked")[1].split("</details>")[0]
    assert [path.rpartition("/")[2] for path in re.findall(r'href="([^"]+)"', shown)] == tasks_of(graded)
    task = tasks_of(graded)[0]
    assert "Marked passages" not in owner.get(key_path(graded, task)).text
    ann = people("Ann")
    assert mark(ann, "70").status_code == 303
    marked = next(iter(reviews_of(graded).of_rater["Ann"]))
    shown = owner.get(page).text.split("Choose a task that nobody has marked")[1].split("</details>")[0]
    assert marked not in shown


def test_reviewers_reach_no_key_and_no_other_matter(owner, people, visit, graded):
    """The owner's pages are closed to them, and a queue that they do not belong to is as unknown as one made up."""
    task = tasks_of(graded)[0]
    set_key(owner, graded, task)
    ann, other = people("Ann"), visit()
    other.sign_in("Other", owner.add("Other", "reviewer", every=False))
    path = queue_path(ann)
    assert ann.get(key_path(graded, task)).status_code == 403
    for address in ("practice", "practice/1", "practice/1/feedback"):
        assert other.get(f"{path}/{address}").status_code == 404
    assert ann.client.post(f"{path}/practice/1", data={"score": "40"}).status_code == 403
    assert ann.get(f"{path}/practice/2").status_code == 404
    assert ann.post(f"{path}/practice/1", {"score": ""}, form=path).status_code == 400


def test_the_log_tells_of_keys_and_a_deleted_matter_leaves_none(owner, people, graded, runs):
    """The log names the task and no sentence; keys, answers and rules go with the matter, from the disk as well."""
    task = tasks_of(graded)[0]
    set_key(owner, graded, task, reason="sentence-of-the-client-7001")
    owner.post(f"/queues/{graded.name}/practice-least", {"least": "50"}, form="/people")
    ann = people("Ann")
    practise(ann, score="90")
    owner.post(f"/queues/{graded.name}/practice-pass", {"name": "Ann"}, form="/people")
    log = owner.get("/log").text
    assert "set the key of a practice task" in log
    assert "sentence-of-the-client" not in log
    owner.post(f"/runs/{graded.name}/delete", {"confirmed": graded.name}, form="/people")
    kept = sqlite3.connect(runs / ".benchbar" / "web.sqlite")
    queue = queue_id(owner.client.app.state.web, graded.name)
    for table in ("practice_key", "practice_answer", "practice_rule", "practice_pass"):
        assert kept.execute(f"SELECT count(*) FROM {table} WHERE queue = ?", (queue,)).fetchone() == (0,), table
    kept.close()
    left = [one for one in runs.rglob("*") if one.is_file() and b"sentence-of-the-client" in one.read_bytes()]
    assert left == []


@pytest.mark.slow
def test_practice_by_keyboard_on_a_phone(chromium, graded, runs):
    """From the first practice task to the queue without a mouse at 360 px; nothing lies beside the screen, and axe finds nothing grave."""
    with serving(runs, token=OWNER_TOKEN) as link, httpx.Client(follow_redirects=True, timeout=300) as client:
        base = link.partition("/sign-in")[0]
        client.base_url = base
        boss = Visitor(client)
        boss.sign_in()
        for task in tasks_of(graded)[:2]:
            set_key(boss, graded, task)
        token = boss.add("Ann", "reviewer")
        context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en-US")
        page = watched(context)
        page.goto(f"{base}/sign-in#name=Ann&token={token}")
        page.wait_for_url(lambda url: "/sign-in" not in url)
        page.goto(f"{base}/review")

        def sound() -> None:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            found = violations(page)
            assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []

        for number in (1, 2):
            page.locator("#mark[data-ready]").wait_for()
            assert page.url.endswith(f"/practice/{number}")
            sound()
            page.keyboard.type("45")
            page.keyboard.press("Control+Enter")
            page.wait_for_url("**/feedback")
            sound()
            # The way on has the focus.
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: "/feedback" not in url)
        sound()
        page.keyboard.press("Enter")
        page.locator("#mark[data-draft]").wait_for()
        context.close()
