"""Marking through the pages, from outside: blindness, drafts, corrections, differences, agreement and the gate."""

from __future__ import annotations

import html
import json
import re

import pytest
from fastapi.testclient import TestClient

from benchbar.ledger.opening import open_store
from benchbar.ledger.reviews import read_reviews
from benchbar.web.run_queues import queue_id, streams_of
from support.marking import action_of, mark, queue_path


@pytest.fixture
def judge(visit, owner):
    """Signs reviewers in by name."""

    def signed_in(name: str):
        found = visit()
        found.sign_in(name, owner.add(name, "reviewer"))
        return found

    return signed_in


def reviews_of(run):
    store = open_store(run / "ledger.sqlite", writable=False)
    try:
        return read_reviews(store)
    finally:
        store.close()


def test_a_mark_reaches_the_ledger_with_reason_criteria_and_ticks(visit, judge, graded):
    """And the next page shows another task, with the progress of this person."""
    ann = judge("Анна")
    path = queue_path(ann)
    first = ann.get(path)
    assert first.status_code == 200
    answer = ann.post(
        action_of(first.text),
        {
            "criterion": ["30", "25,5", "20"],
            "met": ["0-0", "0-1", "7-7"],
            "reason": "ст. 5 <b>верно</b>",
            "seconds": "3",
        },
        form=path,
        follow_redirects=False,
    )
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    kept = reviews_of(graded).marks
    assert [(one.mark.rater, one.mark.value, one.mark.reason) for one in kept] == [
        ("Анна", 0.755, "ст. 5 <b>верно</b>")
    ]
    assert kept[0].mark.criteria == {"completeness": 30, "accuracy": 25.5, "clarity": 20}
    second = ann.get(path).text
    assert action_of(second) != action_of(first.text)
    assert "1 marked" in second
    own = ann.get(f"{path}/mine").text
    assert "ст. 5 &lt;b&gt;верно&lt;/b&gt;" in own


@pytest.mark.parametrize("score", ["", "101", "-1", "1e2", "nan", "eighty"])
def test_a_form_that_says_nothing_is_shown_again_with_what_was_written(judge, graded, score):
    """Nothing is kept, nothing typed is lost."""
    answer = mark(judge("Bo"), score, "a <i>long</i> reason")
    assert answer.status_code == 400
    assert "a &lt;i&gt;long&lt;/i&gt; reason" in answer.text
    assert reviews_of(graded).marks == []


def test_drafts_survive_and_a_task_is_kept_for_its_rater(judge, graded):
    """Whoever comes back finds what they wrote; nobody else is shown it."""
    ann, bo, chen = judge("Ann"), judge("Bo"), judge("Chen")
    path = queue_path(ann)
    action = action_of(ann.get(path).text)
    saved = ann.post(f"{action}/draft", {"score": "61", "reason": "half a thought"}, form=path)
    assert saved.status_code == 204
    assert "half a thought" in ann.get(path).text
    assert action_of(ann.get(path).text) == action
    for other in (bo, chen):
        assert "half a thought" not in other.get(path).text
        assert other.post(f"{action}/draft", {"score": "1"}, form=path).status_code == 409
        assert other.post(action, {"score": "1"}, form=path).status_code == 409
    assert reviews_of(graded).marks == []


def test_a_mark_sent_twice_is_kept_once(judge, graded):
    """The second time leads on to the next task, as the first did."""
    ann = judge("Ann")
    path = queue_path(ann)
    action = action_of(ann.get(path).text)
    for _ in range(2):
        answer = ann.post(action, {"score": "50"}, form=path, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert len(reviews_of(graded).marks) == 1


def test_ones_own_mark_can_be_corrected_and_nobody_elses(judge, graded):
    """Both are kept; the second names the first."""
    ann, bo = judge("Ann"), judge("Bo")
    mark(ann, "50", "hasty")
    path = queue_path(ann)
    link = re.search(rf'href="({path}/mine/\w+)"', ann.get(f"{path}/mine").text)[1]
    assert "hasty" in ann.get(link).text
    assert bo.get(link).status_code == 404
    assert ann.post(link, {"score": "70", "reason": "calm"}, form=link, follow_redirects=False).status_code == 303
    assert [(one.mark.value, one.mark.corrects is None) for one in reviews_of(graded).marks] == [
        (0.5, True),
        (0.7, False),
    ]


def test_everything_a_rater_is_sent_is_blind(visit, judge, graded, compared):
    """No assistant, no run, no model, no sample id, no grade: in no page, header, address or cookie of a whole session."""
    results = json.loads((graded / "results.json").read_text("utf-8"))
    dialogues = (graded / "dialogues.jsonl").read_text("utf-8").splitlines()
    tasks = {**reviews_of(graded).tasks, **reviews_of(compared).tasks}
    forbidden = {
        *results["assistants"],
        graded.name,
        compared.name,
        *(json.loads(line)["sample"] for line in dialogues),
        *(f'"{task.probability}"' for task in tasks.values()),
        "audit",
        "closed_book",
    }
    ann = judge("Ann")
    sent: list[str] = []
    request = ann.client.request

    def recorded(method, url, **options):
        answer = request(method, url, **options)
        for one in (*answer.history, answer):
            jar = " ".join(f"{name}={value}" for name, value in one.cookies.items())
            sent.append(f"{one.request.method} {one.request.url}\n{one.headers}\n{jar}\n{one.text}")
        return answer

    ann.client.request = recorded
    paths = re.findall(r'href="(/review/[0-9a-f]{16})"', ann.get("/review").text)
    assert len(paths) == 2
    for path in paths:
        for number in range(4):
            page = ann.get(path).text
            action = action_of(page)
            ann.post(f"{action}/draft", {"score": str(40 + number), "choice": "tie"}, form=path)
            if number == 3:
                ann.post(f"{action}/skip", {"reason": "not my field"}, form=path)
            else:
                kind = {"choice": "first"} if 'data-compared="yes"' in page else {"score": str(40 + number)}
                ann.post(action, {**kind, "seconds": "2"}, form=path)
        ann.post(f"{path}/take/again", form=path)
        ann.get(f"{path}/mine")
        for link in re.findall(rf'href="({path}/mine/\w+)"', ann.get(f"{path}/mine").text):
            ann.get(link)
    for closed in ("/runs", f"/runs/{graded.name}", "/queues", f"/queues/{graded.name}", "/log", "/people"):
        assert ann.client.get(closed).status_code in {403, 404}, closed
    own = [text for text in sent if f"/{graded.name}" not in text.partition("\n")[0]]
    assert len(own) > 30
    said = "\n".join(own)
    for word in forbidden:
        assert not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", said), word
    assert "etag" not in said.lower()
    assert not re.search(r'\b(?:class|id|data-\w+)="[^"]*(?:score|value)[:-]\d', said)


def test_an_assistant_that_names_itself_is_masked(judge, graded, visit):
    """What the run calls an assistant does not come through its replies either."""
    file = graded / "dialogues.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for line in lines:
        line["turns"][1]["content"] = (
            f"I am closed-book, not 'Closed-Book'. <script>alert(1)</script> {line['assistant']}"
        )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    page = judge("Ann").get(queue_path(judge("Bo"))).text
    assert "closed-book" not in page.lower()
    assert "<script>alert" not in page
    assert "I am █████, not" in page


SELF = {
    "qwen2.5-72b认为，应当适用第三条。": "█████认为，应当适用第三条。",
    "我是通义千问，由某公司研发。通义千问认为应当起诉。": "我是█████，由某公司研发。█████认为应当起诉。",
    "I am a large language model called Qwen. Qwen says so.": "I am a large language model called █████. █████ says so.",
    "Я языковая модель Qwen и думаю так.": "Я языковая модель █████ и думаю так.",
    "I'm Extra and I sue.": "I'm █████ and I sue.",
    "通义千问认为，应当起诉。以上由通义千问作答。": "█████认为，应当起诉。以上由█████作答。",
    "Extra: sue at once.": "█████: sue at once.",
    "Qwen считает, что срок истёк.": "█████ считает, что срок истёк.",
    "Extra costs are borne by the tenant.": "Extra costs are borne by the tenant.",
    "The witness Qwen said extra things.": "The witness Qwen said extra things.",
    "我是原告。通义公司违约。": "我是原告。通义公司违约。",
    "my-qwen2.5-72b-notes": "my-qwen2.5-72b-notes",
}
"""What a reply says, to what is shown of it where an assistant is called "extra" and its model is qwen2.5-72b."""


@pytest.mark.parametrize("said", SELF)
def test_a_name_is_covered_where_a_reply_says_who_it_is_and_the_page_says_so(judge, graded, said):
    """An id wherever it stands, also right before a Chinese character; a plain name or a family's only where it introduces."""
    manifest = graded / "run.json"
    made = json.loads(manifest.read_text("utf-8"))
    made["spec"]["assistants"]["extractive"]["model"] = "vendor/qwen2.5-72b"
    manifest.write_text(json.dumps(made), "utf-8")
    results = graded / "results.json"
    found = json.loads(results.read_text("utf-8"))
    found["assistants"]["extra"] = found["assistants"]["extractive"]
    results.write_text(json.dumps(found), "utf-8")
    file = graded / "dialogues.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for line in lines:
        line["turns"][1]["content"] = said
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    page = html.unescape(judge("Ann").get(queue_path(judge("Bo"))).text)
    assert SELF[said] in page
    assert ('class="muted covered"' in page) == ("█" in SELF[said])


def test_two_differ_the_owner_settles_and_the_gate_changes(visit, owner, judge, graded):
    """Agreement is live, differences are listed with both reasons, and the decision rests on what was settled."""
    ann, bo = judge("Ann"), judge("Bo")
    standing = f"/queues/{graded.name}"
    before = re.search(r'data-decision="(\w+)"', owner.get(standing).text)[1]
    # Rules leave most of the guidance open.
    assert before == "insufficient_evidence"
    for number in range(28):
        assert mark(ann, "95", "right").status_code == 303
        assert mark(bo, "20" if number < 3 else "97", "wrong" if number < 3 else "right").status_code == 303
    assert "Nothing is left to mark" in ann.get(queue_path(ann)).text
    page = owner.get(standing).text
    assert "28 tasks" in page
    for name in ("Fleiss κ", "AC2", "Krippendorff α"):
        row = re.search(rf"{name}.*?</tr>", page, re.DOTALL)[0]
        assert re.search(r"-?\d\.\d\d \[-?\d\.\d\d, -?\d\.\d\d\]", row), row
    for _ in range(3):
        path = owner.get(f"{standing}/differ", follow_redirects=False).headers["location"]
        page = owner.get(path).text
        assert all(word in page for word in ("Ann", "Bo", "right", "wrong"))
        answer = owner.post(path, {"score": "96", "reason": "the article is right"}, form=path, follow_redirects=False)
        assert answer.status_code == 303
    assert owner.get(f"{standing}/differ", follow_redirects=False).headers["location"] == standing
    after = owner.get(f"{standing}/panel").text
    # 28 marks around .96 outweigh the rules, and are too few to prove .9.
    assert 'data-decision="insufficient_evidence"' in after
    assert "human marks are in it" in after or "samples; the policy requires" in after
    # The page of the run and the list say the same: the gate is no memory of the day of the run.
    for address, where in ((f"/runs/{graded.name}", 'id="gate" class="card tied"'), ("/runs", "insufficient")):
        assert where in owner.get(address).text
    streams_of(owner.client.app).of(graded).write()
    marks = json.loads((graded / "marks.json").read_text("utf-8"))
    assert marks["extractive"]["waiting"] == 0
    assert "settled a difference" in owner.get("/log").text


def test_whoever_marked_a_task_does_not_settle_it(owner, judge, graded):
    """The owner may mark as well, and then somebody else has to settle."""
    ann = judge("Ann")
    mark(owner, "90")
    mark(ann, "10")
    standing = f"/queues/{graded.name}"
    assert owner.get(f"{standing}/differ", follow_redirects=False).headers["location"] == standing
    task = next(iter(reviews_of(graded).marks)).mark.task
    assert "You marked this task yourself" in owner.get(f"{standing}/differ/{task}").text
    assert owner.post(f"{standing}/differ/{task}", {"score": "50"}, form=standing).status_code == 400


def test_reviewers_are_invited_together(visit, owner, graded):
    """Each line is a person with a link of their own; a name that is taken is said to be."""
    page = owner.post(f"/queues/{graded.name}/invite", {"names": "Ann\n\n王五 \nowner\n"}, form="/people").text
    links = dict(re.findall(r"sign-in#name=([^&]+)&amp;token=([\w-]+)", page))
    assert set(links) == {"Ann", "%E7%8E%8B%E4%BA%94"}
    assert "owner is here already" in page
    assert visit().sign_in("王五", links["%E7%8E%8B%E4%BA%94"]).status_code == 303


def test_a_viewer_neither_marks_nor_settles(visit, owner, graded):
    """Their role sees runs alone."""
    eve = visit()
    eve.sign_in("Eve", owner.add("Eve", "viewer"))
    path = f"/review/{queue_id(owner.client.app.state.web, graded.name)}"
    assert {eve.get(one).status_code for one in ("/review", path, "/queues")} == {403}
    assert eve.post(f"{path}/x", {"score": "1"}).status_code == 403


def test_a_hostile_name_of_a_rater_and_of_a_run_is_text(visit, owner, graded, runs):
    """Markup in them shows as it is."""
    hostile = runs / "run <img src=x onerror=alert(1)>"
    graded.rename(hostile)
    ann = visit()
    ann.sign_in("<script>alert(2)</script>", owner.add("<script>alert(2)</script>", "reviewer"))
    mark(ann, "50", "<svg onload=alert(3)>")
    for path in ("/queues", "/queues/run%20%3Cimg%20src=x%20onerror=alert(1)%3E"):
        page = owner.get(path)
        assert page.status_code == 200
        assert "<img" not in page.text
        assert "<script>alert" not in page.text
    assert isinstance(owner.client, TestClient)
