"""Test questions that a model wrote enter a suite by the owner's decision alone, each read with its articles in the browser."""

from __future__ import annotations

import pytest

from benchbar.suites.load import load
from benchbar.suites.written_questions import MATERIALS, WrittenQuestions
from support.hostile import HOSTILE
from support.written_questions import NOW, ROWS, THEN, written_questions


@pytest.fixture
def suites(tmp_path):
    """A folder of suites, in one of which three questions wait."""
    written_questions(tmp_path / "suites" / "mine")
    return tmp_path / "suites"


@pytest.fixture
def browsers(apps, runs, suites):
    """Browsers of an app over these suites."""
    return apps(runs, suites=suites)


@pytest.fixture
def judge(browsers):
    """The owner, signed in."""
    found = browsers()
    found.sign_in()
    return found


def test_a_question_is_read_with_its_articles_mended_and_accepted(judge, suites):
    """The list leads to the question, its article stands beside it, accepting leads on to the next one, and the log says who did it."""
    assert "/written/mine" in judge.get("/written").text
    assert "/written/mine/question?id=simple-1" in judge.get("/written/mine").text
    shown = judge.get("/written/mine/question?id=simple-1").text
    assert NOW.text in shown
    assert "Lease Act 8" in shown
    fields = {"id": "simple-1", "question": "When is a deposit due?", "answer": NOW.text, "suite": "ours"}
    looked = judge.post("/written/mine/look", fields, form="/people")
    assert "When is a deposit due?" in looked.text
    assert not (suites / "ours").exists()
    answer = judge.post("/written/mine/accept", fields, form="/people", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == "/written/mine/question?id=time_dependent-1"
    (sample,) = load(str(suites / "ours")).samples
    assert (sample.needs, sample.tags, sample.evidence) == ("When is a deposit due?", ("accepted-by:owner",), (NOW.id,))
    assert len(load(str(suites / "mine")).samples) == 3
    assert judge.get("/written/mine/question?id=simple-1").status_code == 404
    assert judge.post("/written/mine/accept", fields, form="/people").status_code == 404
    assert "accepted (changed)" in judge.get("/written/mine").text
    assert "accepted a written question" in judge.get("/log").text


def test_a_rule_that_mended_words_break_is_named_before_they_are_accepted(judge):
    """Both wordings are shown for a question of another day; an answer by today's is called so."""
    page = judge.get("/written/mine/question?id=time_dependent-1").text
    assert THEN.text in page
    assert NOW.text in page
    assert "does not follow the wording of that day" not in page
    fields = {"id": "time_dependent-1", "question": ROWS[1][1], "answer": "Within fourteen days.", "suite": "ours"}
    assert "does not follow the wording of that day" in judge.post("/written/mine/look", fields, form="/people").text
    fields["question"] = "By section 5, when is the deposit due?"
    assert "names the article" in judge.post("/written/mine/look", fields, form="/people").text


def test_a_dropped_question_enters_no_suite(judge, suites):
    """It waits no more, and its reason is kept and shown as text."""
    answer = judge.post("/written/mine/reject", {"id": "simple-1", "reason": "too <u>easy</u>"}, form="/people")
    assert answer.status_code == 200
    listed = judge.get("/written/mine").text
    assert "too &lt;u&gt;easy&lt;/u&gt;" in listed
    assert "question?id=simple-1" not in listed
    (decision,) = WrittenQuestions(suites / "mine").log.all()
    assert (decision.question, decision.decided, decision.by) == ("simple-1", "rejected", "owner")
    assert [one.name for one in suites.iterdir()] == ["mine"]


def test_what_cannot_be_accepted_is_refused_with_what_was_typed(judge, suites):
    """A folder beside the suites, or the one that the model's questions lie in: nothing is written."""
    for name in ("../mine", "/etc", ".hidden", "a/b", " ", "x" * 81, "mine"):
        fields = {"id": "simple-1", "question": "Worded anew?", "answer": "Yes.", "suite": name}
        answer = judge.post("/written/mine/accept", fields, form="/people")
        assert answer.status_code == 400, name
        assert "Worded anew?" in answer.text
    assert [one.name for one in suites.iterdir()] == ["mine"]
    assert not WrittenQuestions(suites / "mine").log.all()
    for path in ("/written/other", "/written/%2e%2e", "/written/mine/question?id=nobody"):
        assert judge.get(path).status_code == 404


def test_hostile_texts_of_a_model_and_of_a_law_stay_texts(judge):
    """Question, answer and article, on the list, on the page and in what is shown of typed words."""
    pages = [judge.get("/written/mine").text, judge.get("/written/mine/question?id=unanswerable-1").text]
    fields = {"id": "unanswerable-1", "question": HOSTILE, "answer": HOSTILE, "suite": '"><script>'}
    pages.append(judge.post("/written/mine/look", fields, form="/people").text)
    for text in pages:
        assert "&lt;" in text
        for sign in ("<script>window", "<img src=x", "<svg onload", '"><script>'):
            assert sign not in text


def test_only_the_owner_sees_written_questions_and_decides(judge, browsers, suites):
    """Reviewers and viewers are refused, strangers have to sign in, and a form without the session's token does nothing."""
    sent = {"id": "simple-1", "suite": "ours"}
    for role in ("reviewer", "viewer"):
        guest = browsers()
        guest.sign_in(role, judge.add(role, role))
        for path in ("/written", "/written/mine", "/written/mine/question?id=simple-1"):
            assert guest.get(path).status_code == 403
        for step in ("look", "accept", "reject"):
            assert guest.post(f"/written/mine/{step}", sent).status_code == 403
    stranger = browsers()
    assert stranger.client.get("/written/mine", follow_redirects=False).status_code in {303, 401}
    for step in ("look", "accept", "reject"):
        assert stranger.post(f"/written/mine/{step}", sent).status_code == 401
        assert judge.client.post(f"/written/mine/{step}", data=sent).status_code == 403
    assert [one.name for one in suites.iterdir()] == ["mine"]


def test_questions_without_their_articles_and_apps_without_suites_say_so(judge, suites, owner, apps, runs):
    """An earlier version kept no articles: their ids are shown. With hidden names nothing is offered."""
    (suites / "mine" / MATERIALS).unlink()
    page = judge.get("/written/mine/question?id=simple-1").text
    assert "not kept" in page
    assert NOW.id in page
    assert "--suites FOLDER" in owner.get("/written").text
    masked = apps(runs, suites=suites, mask=True)()
    masked.sign_in()
    assert "--mask" in masked.get("/written").text
    assert masked.get("/written/mine").status_code == 404


def test_a_spoilt_file_of_decisions_hides_no_other_folder(judge, suites):
    """The row of the folder says which line cannot be read."""
    (suites / "mine" / "decisions.jsonl").write_text('{"question": 3}\n', "utf-8")
    text = judge.get("/written").text
    assert "decisions.jsonl" in text
    assert "/written/mine" in text
