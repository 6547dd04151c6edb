"""Failures of a live assistant become samples by the owner's decision alone, made in the browser as by the command."""

from __future__ import annotations

import pytest

from benchbar.evaluations.records import LoggedAnswer
from benchbar.production.sampling import Sampling
from benchbar.production.store import ProductionStore
from benchbar.suites.load import load
from support.hostile import HOSTILE

QUESTION = "How long may my landlord keep the deposit?"
GUIDANCE = "Must mention: thirty days; the receipt"


@pytest.fixture
def store(tmp_path) -> ProductionStore:
    """Three failures, one of them hostile in every text, and an answer that is right; sampled with a pass mark of 0.7."""
    made = ProductionStore(tmp_path / "kept")
    given = {"model": "m", "answer": "Thirty days.", "scores": {"right": 0.9}}
    rows = (
        {"question": QUESTION, "answer": "No idea, ask 13912345678.", "scores": {"right": 0.6}},
        {"question": f"Rent? {HOSTILE}", "answer": HOSTILE, "scores": {"<b>score</b>": 0.1}},
        {"question": "Who pays for repairs?", "answer": "", "error": "<i>TimeoutError</i>"},
        {"question": "Is this fine?"},
    )
    made.keep(
        [LoggedAnswer(sample=f"c{n}", identity=str(n), **(given | row)) for n, row in enumerate(rows)],
        Sampling(pass_mark=0.7),
    )
    return made


@pytest.fixture
def suites(tmp_path):
    """An empty folder for suites."""
    folder = tmp_path / "suites"
    folder.mkdir()
    return folder


@pytest.fixture
def browsers(apps, runs, store, suites):
    """Browsers of an app over these traces."""
    return apps(runs, production=store.folder, suites=suites)


@pytest.fixture
def judge(browsers):
    """The owner, signed in."""
    found = browsers()
    found.sign_in()
    return found


def path_of(store: ProductionStore, beginning: str = QUESTION) -> str:
    return f"/production/{next(one.id for one in store.traces() if one.question.startswith(beginning))}"


def test_an_accepted_proposal_is_the_sample_that_was_shown(judge, store, suites):
    """The form shows the sample first and writes nothing; accepting makes the suite, names the owner, and ends the proposal."""
    path = path_of(store)
    listed = judge.get("/production").text
    assert path in listed
    assert "score 0.6, below 0.7" in listed
    assert "Is this fine?" not in listed
    fields = {"guidance": GUIDANCE, "question": "How long may a landlord keep a deposit?", "suite": "failures"}
    shown = judge.post(f"{path}/sample", fields, form="/people")
    assert shown.status_code == 200
    assert '<span class="text">thirty days</span>' in shown.text
    assert "13912345678" not in shown.text
    assert not list(suites.iterdir())
    assert not store.verdicts()
    answer = judge.post(f"{path}/accept", fields, form="/people", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    (sample,) = load(str(suites / "failures")).samples
    assert sample.needs == fields["question"]
    assert [point.text for point in sample.guidance.points] == ["thirty days", "the receipt"]
    (verdict,) = store.verdicts()
    assert (verdict.decided, verdict.by, verdict.suite) == ("accepted", "owner", "failures")
    assert judge.get(path).status_code == 404
    assert judge.post(f"{path}/accept", fields, form="/people").status_code == 404
    assert "accepted a proposal" in judge.get("/log").text


def test_a_rejected_proposal_is_proposed_no_more_and_has_its_reason(judge, store, suites):
    """A reason has to be given; no suite is made."""
    path = path_of(store, "Who pays")
    assert judge.post(f"{path}/reject", {"reason": "  "}, form="/people").status_code == 400
    assert not store.verdicts()
    answer = judge.post(f"{path}/reject", {"reason": "no <u>legal</u> question"}, form="/people")
    assert answer.status_code == 200
    assert "no &lt;u&gt;legal&lt;/u&gt; question" in answer.text
    assert f'href="{path}"' not in answer.text
    assert [(one.decided, one.reason) for one in store.verdicts()] == [("rejected", "no <u>legal</u> question")]
    assert not list(suites.iterdir())


def test_what_cannot_become_a_sample_is_refused_with_what_was_typed(judge, store, suites):
    """Without guidance, with a label that is not known, or into a folder beside the suites: nothing is written, and the form keeps the words."""
    path = path_of(store)
    answer = judge.post(f"{path}/accept", {"guidance": "", "question": "Worded anew?"}, form="/people")
    assert answer.status_code == 400
    assert "Worded anew?" in answer.text
    for name in ("../kept", "/etc", ".hidden", "a/b", "a\\b", " ", "x" * 81, "a\nb"):
        answer = judge.post(f"{path}/accept", {"guidance": GUIDANCE, "suite": name}, form="/people")
        assert answer.status_code == 400, name
        assert "thirty days" in answer.text
    unknown = judge.post(f"{path}/accept", {"guidance": f"{GUIDANCE}\nMust frobnicate: it"}, form="/people")
    assert unknown.status_code == 400
    assert '<span class="text">Must frobnicate</span>' in unknown.text
    assert not list(suites.iterdir())
    assert not store.verdicts()


def test_hostile_texts_of_a_trace_stay_texts(judge, store):
    """Question, answer, name of a score and of an error, on the list, the proposal and its preview."""
    path = path_of(store, "Rent?")
    pages = [judge.get("/production").text, judge.get(path).text, judge.get(path_of(store, "Who pays")).text]
    pages.append(judge.post(f"{path}/sample", {"guidance": HOSTILE, "suite": '"><script>'}, form="/people").text)
    for text in pages:
        assert "&lt;" in text
        for sign in ("<script>window", "<img src=x", "<svg onload", "<b>score", "<i>TimeoutError", '"><script>'):
            assert sign not in text


def test_only_the_owner_sees_proposals_and_decides(judge, browsers, store, suites):
    """Reviewers and viewers are refused, strangers have to sign in, and a form without the session's token does nothing."""
    path = path_of(store)
    sent = {"guidance": GUIDANCE, "suite": "failures", "reason": "why"}
    for role in ("reviewer", "viewer"):
        guest = browsers()
        guest.sign_in(role, judge.add(role, role))
        assert guest.get("/production").status_code == 403
        assert guest.get(path).status_code == 403
        assert "/production" not in guest.get("/sign-in").text
        for step in ("sample", "accept", "reject"):
            assert guest.post(f"{path}/{step}", sent).status_code == 403
    stranger = browsers()
    assert stranger.client.get(path, follow_redirects=False).status_code in {303, 401}
    for step in ("sample", "accept", "reject"):
        assert stranger.post(f"{path}/{step}", sent).status_code == 401
        assert judge.client.post(f"{path}/{step}", data=sent).status_code == 403
    assert not store.verdicts()
    assert not list(suites.iterdir())


def test_without_a_folder_the_page_says_how_to_name_one(owner, apps, runs, store):
    """No folder of production: the option is named. No folder of suites: one can reject, and is told what accepting takes."""
    assert "--production FOLDER" in owner.get("/production").text
    assert owner.get("/production/0").status_code == 404
    bare = apps(runs, production=store.folder)()
    bare.sign_in()
    path = path_of(store)
    answer = bare.post(f"{path}/accept", {"guidance": GUIDANCE}, form="/people")
    assert answer.status_code == 400
    assert "--suites FOLDER" in answer.text
    assert bare.post(f"{path}/reject", {"reason": "why"}, form="/people").status_code == 200
    assert [one.decided for one in store.verdicts()] == ["rejected"]
