"""People as an assistant: asked in the browser, blind and timed; the run waits for them, and goes on with what came in."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import benchbar
from benchbar.ledger.check import check
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import add_mark, read_reviews
from benchbar.records import Mark
from benchbar.records.errors import UserError, WaitingForPeopleError
from benchbar.suites.load import load
from support import forked
from support.browsing import serving, started, watched
from support.run_spec import LAWYER, model, spec_text

ANSWER = "管辖法院为被告住所地人民法院，依据《中华人民共和国民事诉讼法》第二十二条。"


def asked(server, *, exchanges: int = 2, rate: str = "") -> str:
    """A model and a lawyer about three samples, all of which people mark."""
    return spec_text(
        server.base_url,
        f"limit = 3\nexchanges = {exchanges}",
        {"model": model("weak-1", price=(1.0, 2.0)), "lawyer": f"{LAWYER}\n{rate}"},
        judge='kind = "pairwise"\nmodel = "judge"',
        rest="[review]\naudit = 1.0\ndouble = 0.0",
    )


@pytest.fixture
def spec(tmp_path, chat_server):
    """A model and a lawyer about three samples; the lawyer costs 360 an hour, a tenth a second."""
    file = tmp_path / "spec.toml"
    file.write_text(asked(chat_server, rate="hourly_rate = 360.0"), "utf-8")
    return file


def waits(spec, out) -> str:
    with pytest.raises(WaitingForPeopleError) as caught:
        benchbar.run(spec, out=out)
    return str(caught.value)


def asked_of(out):
    store = open_store(ledger_of(out), writable=False)
    try:
        return read_reviews(store).asked
    finally:
        store.close()


class Lawyer:
    """Somebody who answers, by requests of the page's own forms."""

    def __init__(self, visitor, name: str, token: str) -> None:
        self.visitor = visitor
        assert visitor.sign_in(name, token).status_code == 303

    def page(self) -> str:
        return self.visitor.get("/questions").text

    def action(self) -> str | None:
        found = re.search(r'action="(/questions/\w+/[\w-]+)" class="marking"', self.page())
        return found and found[1]

    def post(self, path: str, **fields):
        return self.visitor.post(
            path, {"visit": "v1", "seconds": "0", **fields}, form="/questions", follow_redirects=False
        )

    def answer_all(self, text: str = ANSWER, seconds: float = 0.01) -> int:
        count = 0
        while action := self.action():
            assert self.post(action, text=text, seconds=str(seconds)).status_code == 303
            count += 1
        return count


def test_a_run_waits_for_people_and_goes_on_with_what_came_in(spec, runs, visit, owner):
    """Two turns of three dialogues: each start of the run asks for the next turn, and the last one reports both assistants."""
    out = runs / "both"
    assert waits(spec, out).startswith("waiting for 3 answers of people (anna: 3)")
    assert not (out / "results.json").exists()
    token = owner.add("anna", "reviewer")
    anna = Lawyer(visit(), "anna", token)
    assert anna.answer_all() == 3
    assert "anna: 3" in waits(spec, out), "the user's second turn follows from the first answer"
    assert anna.answer_all() == 3
    done = benchbar.run(spec, out=out)
    lawyer = done.results.assistants["lawyer"]
    assert done.results.people == ("lawyer",)
    assert lawyer.failed_dialogues == 0
    assert done.results.win_rate("lawyer").n == 3
    assert ANSWER in (out / "dialogues.jsonl").read_text("utf-8")
    timing = json.loads((out / "timing.json").read_bytes())["lawyer"]["mean"]["value"]
    assert 0 < timing < 5
    assert lawyer.cost == pytest.approx(3 * timing * 0.1)
    assert done.results.spending["person"].calls == 6
    assert done.results.spending["person"].cost is None, "people's pay is no model's"
    assert "lawyer" in (out / "report.html").read_text("utf-8")
    assert check(ledger_of(out)).ok
    assert benchbar.run(spec, out=out).unchanged


@pytest.mark.slow
def test_processes_that_share_a_run_wait_for_people_together(spec, runs, visit, owner, postgres):
    """Two processes on one ledger in PostgreSQL: both end with code 5, nobody is asked twice, and whoever goes on finishes the run."""
    spec.write_text(f'ledger = "{postgres}?run=shared"\n' + spec.read_text("utf-8"), "utf-8")
    outs = [runs / "one", runs.parent / "elsewhere"]

    def both() -> list[int]:
        commands = [("run", str(spec), "--quiet", "--out", str(out)) for out in outs]
        return [one.wait() for one in [forked.started(*words, stderr=subprocess.DEVNULL) for words in commands]]

    assert both() == [5, 5]
    assert len(asked_of(outs[0]).open) == 3
    anna = Lawyer(visit(), "anna", owner.add("anna", "reviewer"))
    assert anna.answer_all() == 3
    assert both() == [5, 5], "the user's second turn follows from the first answer"
    assert anna.answer_all() == 3
    assert both() == [0, 0]
    results = [json.loads((out / "results.json").read_bytes()) for out in outs]
    assert results[0] == results[1]
    assert results[0]["spending"]["person"]["calls"] == 6
    assert check(ledger_of(outs[0])).ok


def test_a_dry_run_counts_people_apart_from_calls(spec, benchbar, runs):
    """Who is asked, how often, and what reading alone costs; three samples are said to show no difference, not 196%."""
    done = benchbar("run", str(spec), "--dry-run")
    assert "assistant lawyer (anna): at most 6 answers by people; reading alone takes " in done.out
    assert "the run waits for them" in done.out
    assert "3 samples are too few: compared by a judge they show no win rate with 80% power, not even 100%" in done.out
    plan = json.loads(benchbar("run", str(spec), "--dry-run", "--json").out)
    assert plan["people"][0]["answers"] == 6
    assert plan["people"][0]["pay"] == pytest.approx(plan["people"][0]["reading"] / 60 * 360)


def test_whoever_a_run_asks_is_let_into_it_when_invited(spec, runs, owner):
    """A lawyer whom the spec names finds the questions behind the link, and nobody else gets anything by it."""
    waits(spec, runs / "both")
    for name in ("anna", "bert"):
        assert owner.post("/people", {"name": name, "role": "reviewer"}, form="/people").status_code == 200
    rows = re.findall(r'<a href="/people/(\d+)">(\w+)</a>.*?/people/\1/runs">(\d+)</a>', owner.get("/people").text)
    assert {name: int(count) for _, name, count in rows} == {"anna": 1, "bert": 0}


def test_another_rate_or_another_lawyer_of_the_group_is_no_other_run(spec, runs):
    """Neither asks anybody anew; another group does, and is refused."""
    out = runs / "both"
    named = spec.read_text("utf-8").replace('people = ["anna"]', 'people = ["anna"]\ngroup = "office"')
    spec.write_text(named, "utf-8")
    assert "anna: 3" in waits(spec, out)
    spec.write_text(named.replace("360.0", "400.0").replace('["anna"]', '["anna", "bert"]'), "utf-8")
    assert "anna or bert: 3" in waits(spec, out)
    spec.write_text(named.replace('"office"', '"other"'), "utf-8")
    with pytest.raises(UserError, match=r"assistants.lawyer.group was 'office', now 'other'"):
        benchbar.run(spec, out=out)


def test_without_a_rate_the_cost_is_missing(tmp_path, chat_server, runs, visit, owner):
    """No hourly rate: the time is there, the cost is None and not 0."""
    file = tmp_path / "spec.toml"
    file.write_text(asked(chat_server, exchanges=1), "utf-8")
    waits(file, runs / "free")
    anna = Lawyer(visit(), "anna", owner.add("anna", "reviewer"))
    anna.answer_all()
    done = benchbar.run(file, out=runs / "free")
    assert done.results.assistants["lawyer"].cost is None
    assert done.results.assistants["model"].cost is not None


@pytest.fixture
def waiting(tmp_path, chat_server, runs):
    """A run of one turn that waits for anna or boris, with the spec that goes on with it."""
    file = tmp_path / "spec.toml"
    text = asked(chat_server, exchanges=1)
    file.write_text(text.replace('["anna"]', '["anna", "boris"]'), "utf-8")
    waits(file, runs / "both")
    return file


def test_a_person_sees_what_a_model_is_sent_and_nothing_else(waiting, runs, visit, owner):
    """No guidance, no answer of the model, no name of the run; and not a run that they were not invited to."""
    token = owner.add("anna", "reviewer", every=False)
    anna = Lawyer(visit(), "anna", token)
    number = owner.path_of("anna")
    owner.post(f"{number}/runs", {}, form="/people")
    assert "Nobody asks you" in anna.page(), "let out again"
    owner.post(f"{number}/runs", {"run": "both"}, form="/people")
    page = anna.page()
    question = next(iter(asked_of(runs / "both").open.values()))
    assert question.turns[-1].content.split("\n")[0][:20] in page
    sample = next(one for one in load("model-jurisdiction-zh").samples if one.id == question.sample)
    asked = " ".join(turn.content for turn in question.turns)
    hidden = [point.text for point in sample.guidance.points if point.text not in asked]
    assert hidden
    assert not [text for text in hidden if text in page]
    assert "both" not in re.sub(r"<[^>]+>", "", page)
    for path in ("/runs", "/runs/both", "/runs/both/samples"):
        assert anna.visitor.get(path).status_code == 403
    address = anna.action()
    boris = Lawyer(visit(), "boris", owner.add("boris", "reviewer", every=False))
    owner.post(f"{owner.path_of('boris')}/runs", {}, form="/people")
    assert boris.visitor.get(address.rpartition("/")[0]).status_code == 404, "boris was let out again"


def test_owners_and_viewers_do_not_answer(waiting, visit, owner):
    """They may see samples with their guidance, so the pages are not for them."""
    assert owner.get("/questions").status_code == 403
    viewer = visit()
    viewer.sign_in("vera", owner.add("vera", "viewer"))
    assert viewer.get("/questions").status_code == 403


def test_two_people_get_different_questions_and_a_question_left_goes_to_the_other(waiting, runs, visit, owner):
    """Each question is answered once; what one leaves, the other is given."""
    anna = Lawyer(visit(), "anna", owner.add("anna", "reviewer"))
    boris = Lawyer(visit(), "boris", owner.add("boris", "reviewer"))
    first, second = anna.action(), boris.action()
    assert first.rpartition("/")[2] != second.rpartition("/")[2]
    assert boris.post(first, text=ANSWER).status_code == 409, "anna has it"
    anna.post(f"{first}/leave", reason="labour law is not my field")
    assert anna.answer_all() == 1
    assert boris.answer_all() == 2
    assert {one.person for one in asked_of(runs / "both").answers.values()} == {"anna", "boris"}
    done = benchbar.run(waiting, out=runs / "both")
    assert done.results.assistants["lawyer"].failed_dialogues == 0


def test_a_draft_and_its_time_outlive_leaving(waiting, runs, visit, owner):
    """Reports of two visits add up, a late one takes nothing back, and nobody worked longer than the question was theirs."""
    token = owner.add("anna", "reviewer")
    anna = Lawyer(visit(), "anna", token)
    action = anna.action()
    for visit_name, text, seconds in (("a", "first", "0.2"), ("a", "first words", "0.1"), ("b", "all words", "0.1")):
        assert anna.post(f"{action}/draft", text=text, visit=visit_name, seconds=seconds).status_code == 204
    again = Lawyer(visit(), "anna", token)
    assert "all words" in again.page()
    assert again.action() == action
    time.sleep(0.5)
    assert again.post(action, text=ANSWER, visit="b", seconds="0.15").status_code == 303
    assert again.post(action, text=ANSWER, visit="b", seconds="0.15").status_code == 303, "sent twice, kept once"
    answer = next(iter(asked_of(runs / "both").answers.values()))
    assert answer.seconds == pytest.approx(0.35)
    assert again.post(again.action(), text=ANSWER, visit="c", seconds="80000").status_code == 303
    assert max(one.seconds for one in asked_of(runs / "both").answers.values()) < 60


def test_no_time_is_no_answer(waiting, runs, visit, owner):
    """Without the script there is no time, and an answer whose time is unknown is not taken: missing is never zero."""
    anna = Lawyer(visit(), "anna", owner.add("anna", "reviewer"))
    assert anna.post(anna.action(), text=ANSWER, seconds="", visit="").status_code == 422
    assert anna.post(anna.action(), text="  ").status_code == 400
    assert not asked_of(runs / "both").answers


def test_a_declined_question_is_a_failed_dialogue(waiting, runs, visit, owner):
    """Whoever declines says why; the run goes on, counts it as failed, and asks nobody again."""
    anna = Lawyer(visit(), "anna", owner.add("anna", "reviewer"))
    assert anna.post(f"{anna.action()}/decline", reason="conflict of interest").status_code == 303
    anna.answer_all()
    done = benchbar.run(waiting, out=runs / "both")
    assert done.results.assistants["lawyer"].failed_dialogues == 1
    assert done.results.win_rate("lawyer").n_missing == 1
    assert any("conflict of interest" in one.error for sample in done.samples() for one in sample.dialogues.values())


def test_who_answers_marks_nobodys_answers_to_the_same_sample(waiting, runs, visit, owner):
    """Refused in the ledger whatever the way, not given out on the page, which says so; boris may mark what he did not answer."""
    token = owner.add("anna", "reviewer")
    anna = Lawyer(visit(), "anna", token)
    anna.answer_all()
    benchbar.run(waiting, out=runs / "both")
    store = open_store(ledger_of(runs / "both"), session=False)
    task = next(iter(read_reviews(store).tasks))
    with pytest.raises(UserError, match="answers sample .* and cannot mark"):
        add_mark(store, Mark(task=task, rater="anna", value=1.0))
    add_mark(store, Mark(task=task, rater="boris", value=1.0))
    store.close()
    page = visit()
    page.sign_in("anna", token)
    shown = page.get("/review").text
    assert 'id="mark"' not in shown
    assert "you answer the same questions yourself" in shown


def test_who_marked_is_not_asked_in_this_run_nor_in_another_of_the_suite(waiting, tmp_path, runs, visit, owner):
    """A person who saw a sample's guidance is left out; where nobody else is named, the run says so."""
    boris = Lawyer(visit(), "boris", owner.add("boris", "reviewer"))
    boris.answer_all()
    benchbar.run(waiting, out=runs / "both")
    store = open_store(ledger_of(runs / "both"), session=False)
    for task in read_reviews(store).tasks:
        add_mark(store, Mark(task=task, rater="clara", value=1.0))
    store.close()
    spec = waiting.read_text("utf-8").replace('["anna", "boris"]', '["clara"]')
    (tmp_path / "clara.toml").write_text(spec, "utf-8")
    with pytest.raises(UserError, match="clara marked answers to sample"):
        benchbar.run(tmp_path / "clara.toml", out=runs / "both", accept_changes=True)
    waits(tmp_path / "clara.toml", runs / "other")
    clara = Lawyer(visit(), "clara", owner.add("clara", "reviewer"))
    page = clara.page()
    assert clara.action() is None
    assert "3 questions are not shown to you" in page


def test_who_practised_on_a_question_is_not_asked_it_and_who_answered_it_does_not_practise(
    waiting, tmp_path, runs, visit, owner
):
    """A practice task shows the guidance as a real one does; the two are kept apart both ways."""
    tokens = {name: owner.add(name, "reviewer") for name in ("boris", "clara")}
    Lawyer(visit(), "boris", tokens["boris"]).answer_all()
    benchbar.run(waiting, out=runs / "both")
    store = open_store(ledger_of(runs / "both"), session=False)
    tasks = read_reviews(store).tasks
    store.close()
    for task in tasks:
        page = f"/queues/both/practice/{task}"
        assert owner.post(page, {"score": "40", "choice": "tie", "reason": "why"}, form=page).status_code == 200
    reviewers = {name: visit() for name in tokens}
    for name, person in reviewers.items():
        person.sign_in(name, tokens[name])
    queue = reviewers["clara"].get("/review").url.path.partition("/practice")[0]
    for number in range(1, len(tasks) + 1):
        answer = f"{queue}/practice/{number}"
        assert reviewers["boris"].get(answer).status_code == 404
        assert reviewers["clara"].post(answer, {"score": "40", "choice": "tie"}, form=answer).status_code == 200
    (tmp_path / "clara.toml").write_text(waiting.read_text("utf-8").replace('["anna", "boris"]', '["clara"]'), "utf-8")
    waits(tmp_path / "clara.toml", runs / "other")
    clara = Lawyer(visit(), "clara", tokens["clara"])
    assert "3 questions are not shown to you" in clara.page()
    assert clara.action() is None


KILLED = """
import sys
from pathlib import Path
from benchbar.records.people import PersonAnswer
from benchbar.web.mark_stream import MarkStream

stream = MarkStream(Path(sys.argv[1]))
for question in sys.argv[2:]:
    stream.answer(PersonAnswer(question, "anna", "an answer", 1.0))
    print(question, flush=True)
"""


def test_an_answer_that_was_acknowledged_outlives_a_kill(waiting, runs):
    """SIGKILL right after the acknowledgement: the answer is there, and the run goes on with it."""
    questions = list(asked_of(runs / "both").open)
    for question in questions:
        command = [sys.executable, "-c", KILLED, str(runs / "both"), question]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
            assert process.stdout.readline().strip() == question
            process.send_signal(signal.SIGKILL)
    assert set(asked_of(runs / "both").answers) == set(questions)
    assert benchbar.run(waiting, out=runs / "both").results.assistants["lawyer"].failed_dialogues == 0
    assert check(ledger_of(runs / "both")).ok


def test_the_command_says_what_it_waits_for_and_ends_with_its_own_code(waiting, benchbar, runs):
    """Exit code 5, so that a script reruns it later and takes it for no failure; the page of the run says it, too."""
    done = benchbar("run", str(waiting), "--out", str(runs / "both"), "--quiet")
    assert done.code == 5
    assert "waiting for 3 answers of people (anna or boris: 3)" in done.err
    assert "benchbar explain waiting" in done.err


def test_the_page_of_a_waiting_run_says_so(waiting, owner):
    """An owner sees that nothing failed, and what the run waits for."""
    assert "Waiting for 3 answers of people" in owner.get("/runs/both").text


def test_questions_that_a_changed_run_does_not_ask_are_withdrawn(waiting, tmp_path, runs):
    """A run narrowed to one sample waits for one answer; the other two questions are open no more."""
    (tmp_path / "one.toml").write_text(waiting.read_text("utf-8").replace("limit = 3", "limit = 1"), "utf-8")
    with pytest.raises(WaitingForPeopleError, match="waiting for 1 answer of"):
        benchbar.run(tmp_path / "one.toml", out=runs / "both", accept_changes=True)
    assert len(asked_of(runs / "both").open) == 1
    assert (
        check(ledger_of(runs / "both")).problems[:1] == ()
        or "no outcome" in check(ledger_of(runs / "both")).problems[0]
    )


def test_a_lawyer_answers_in_a_real_browser(waiting, runs):
    """Invited by a link: the page counts seconds, keeps a draft through a closed tab, and takes the answer by keyboard."""
    with started() as chromium, serving(runs) as link:
        base = link.partition("/sign-in")[0]
        owner = watched(chromium.new_context(locale="en-US"))
        owner.goto(link)
        owner.wait_for_url(lambda url: "/sign-in" not in url)
        owner.goto(f"{base}/people")
        owner.fill("input[name=name]", "anna")
        owner.select_option("select[name=role]", "reviewer")
        owner.locator("form:has(input[name=name]) button").click()
        invitation = owner.locator("input.link").first.input_value()
        owner.locator('a[href$="/runs"][href^="/people/"]').last.click()
        owner.check('input[name=run][value="both"]')
        owner.locator("button.main").click()
        context = chromium.new_context(locale="en-US")
        page = watched(context)
        page.goto(invitation)
        page.wait_for_url(lambda url: "/sign-in" not in url)
        page.goto(f"{base}/questions")
        page.locator("#answer[data-ready]").wait_for()
        page.fill("textarea[name=text]", "half an answer")
        page.get_by_text("Draft saved").wait_for()
        page.mouse.move(200, 200)
        page.wait_for_timeout(1500)
        page.close()
        page = watched(context)
        page.goto(f"{base}/questions")
        page.locator("#answer[data-ready]").wait_for()
        assert page.input_value("textarea[name=text]") == "half an answer"
        page.fill("textarea[name=text]", ANSWER)
        page.keyboard.press("Control+Enter")
        page.get_by_text("1 answered").wait_for()
        assert not [one for one in page.complaints if "409" not in one]
        answer = next(iter(asked_of(runs / "both").answers.values()))
        assert answer.text == ANSWER
        assert 1 <= answer.seconds < 20
