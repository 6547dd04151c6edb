"""A run from a spreadsheet to its results without a terminal: understood, priced, started, stopped, gone on with."""

from __future__ import annotations

import io
import json
import re
import socket
import time
import tomllib
import zipfile
from pathlib import Path

import pytest

from benchbar.artefacts.folder import read_results
from benchbar.artefacts.layout import RunFolder
from benchbar.clients.pinning import VARIABLE, as_variable, resolved
from benchbar.ledger.check import check
from benchbar.records import ReviewTask
from benchbar.records.errors import UserError
from benchbar.runs import background
from benchbar.web.folders import reviews_of
from support import forked
from support.contract_maker import as_docx
from support.marking import action_of, queue_path
from support.workbook import workbook

ANSWER = "You must give the landlord at least {n} days of notice in writing before you leave the flat."


def table(count: int = 6, *, answers: bool = True, guided: bool = True) -> bytes:
    """A workbook of questions, with what was expected and what the vendor's assistant answered."""
    head = ["Question", *(["Expected answer"] if guided else []), *(["ChatLex"] if answers else [])]
    return workbook({"Sheet": [head, *(row(n, answers=answers, guided=guided) for n in range(30, 30 + count))]})


def row(n: int, *, answers: bool, guided: bool) -> list[str]:
    asked = f"How many days of notice must a tenant give in case {n}?"
    expected = [f"{n} days. Must not mention: {n + 30} days"] if guided else []
    return [asked, *expected, *([ANSWER.format(n=n)] if answers else [])]


@pytest.fixture
def endpoints(tmp_path, chat_server) -> Path:
    """A list of allowed models at the test server, which is on this machine."""
    return allowed(tmp_path, chat_server.base_url)


def allowed(place: Path, url: str, more: str = "private = true") -> Path:
    file = place / "endpoints.toml"
    file.write_text(
        f'[endpoints.house]\nbase_url = "{url}"\nmodels = ["strong", "weak", "judge-apt"]\n'
        f"price = {{ input = 1.0, output = 2.0 }}\n{more}\n",
        "utf-8",
    )
    return file


@pytest.fixture
def owner(apps, runs, endpoints):
    """The owner of an app that allows these models."""
    found = apps(runs, endpoints=endpoints)()
    found.sign_in()
    return found


def bring(owner, data: bytes, name: str = "vendor.xlsx", **more):
    """The answer to a file dropped on the page."""
    files = [("file", (name, data)), *(("answers", one) for one in more.pop("answers", ()))]
    csrf = owner.csrf("/new")
    return owner.client.post(
        "/new", data={"csrf": csrf}, files=files, headers={"accept": "text/html"}, follow_redirects=False
    )


def draft_of(answer) -> str:
    assert answer.status_code == 303, answer.text
    return re.fullmatch(r"(/new/[0-9a-f]{32})/questions", answer.headers["location"])[1]


def begun(owner, name: str = "own", count: int = 6, **choice) -> str:
    """The name of a run that was started from a spreadsheet of questions."""
    draft = draft_of(bring(owner, table(count)))
    fields = {"model": "house/strong", "judge": "house/judge-apt", "answers": "ChatLex", **choice}
    assert owner.post(f"{draft}/assistants", fields, form="/new", follow_redirects=False).status_code == 303
    answer = owner.post(f"{draft}/start", {"name": name}, form="/new", follow_redirects=False)
    assert answer.status_code == 303, re.findall(r'role="alert">(.*?)</p>', answer.text)
    return name


def visit_as(owner, visit, name: str):
    """The browser of a new reviewer of every run."""
    person = visit()
    person.sign_in(name, owner.add(name, "reviewer"))
    return person


def ended(runs: Path, name: str, seconds: float = 300) -> background.Ended:
    """How a run ended, once it has."""
    control = runs / ".benchbar" / "started" / name
    for _ in range(int(seconds * 10)):
        if not background.under_way(control) and (found := background.ended(control)):
            return found
        time.sleep(0.1)
    raise AssertionError((control / "output.txt").read_text())


def test_a_spreadsheet_becomes_a_run_in_five_steps(owner, runs, chat_server):
    """Three rows are shown as understood, calls and cost are told, and what runs is what `benchbar start` would run."""
    draft = draft_of(bring(owner, table()))
    shown = owner.get(f"{draft}/questions").text
    assert shown.count('<article class="card">') == 3
    assert "How many days of notice must a tenant give in case 30?" in shown
    assert "answers of ChatLex" in shown
    assert "Forbidden" in shown
    assert chat_server.stats()["requests"] == {}
    answer = owner.post(f"{draft}/questions", {"go": "1"}, form="/new", follow_redirects=False)
    assert answer.headers["location"] == f"{draft}/guidance"
    assert "6 of 6 questions have an expected answer" in owner.get(f"{draft}/guidance").text
    fields = {"model": "house/strong", "judge": "house/judge-apt", "answers": "ChatLex", "max_cost": "5"}
    owner.post(f"{draft}/assistants", fields, form="/new")
    plan = owner.get(f"{draft}/start").text
    assert "6 samples are too few" in plan
    assert chat_server.base_url in plan
    spec = owner.client.get(f"{draft}/spec.toml").content
    owner.post(f"{draft}/start", {"name": "own"}, form="/new", follow_redirects=False)
    assert ended(runs, "own").how == "done"
    assert (runs / "own" / "spec.toml").read_bytes() == spec == owner.client.get("/runs/own/spec.toml").content
    results = read_results(runs / "own")
    assert set(results.assistants) == {"strong", "ChatLex"}
    owner.client.cookies.set("benchbar_language", "zh", domain="localhost.local")
    assert "策略“优于参照助手”" in owner.get("/runs/own").text
    assert "依据本评测自己的策略“优于参照助手”。" in owner.get("/runs/own/decision").text
    assert results.samples == 6
    assert check(runs / "own" / "ledger.sqlite").ok
    assert not list((runs / ".benchbar" / "drafts").iterdir()), "a draft that was started is gone"
    before = chat_server.stats()["requests"]
    again = ("run", str(runs / "own" / "spec.toml"), "--out", str(runs / "own"), "--quiet")
    forked.command(*again, cwd=runs).check_returncode()
    assert chat_server.stats()["requests"] == before, "the command line goes on with it, and finds everything answered"


def test_a_run_is_stopped_gone_on_with_and_survives_the_server(apps, runs, tmp_path, slow_chat_server):
    """Stopping keeps what was answered; another server goes on, and pays nothing twice."""
    file = allowed(tmp_path, slow_chat_server.base_url)
    first = apps(runs, endpoints=file)()
    first.sign_in()
    # It is stopped after its first answers.
    slow_chat_server.answer_after(0.5)
    begun(first, count=90, model="house/weak")
    ledger = RunFolder(runs / "own").ledger
    for _ in range(6000):
        if ledger.is_file() and sum(slow_chat_server.stats()["requests"].values()) > 3:
            break
        time.sleep(0.05)
    assert first.post("/runs/own/stop", form="/new", follow_redirects=False).status_code == 303
    assert ended(runs, "own").how == "stopped"
    slow_chat_server.answer_after(0.03)
    page = first.get("/runs/own").text
    assert "Go on where it was" in page
    # The latest samples stand with what was asked; the list of runs names no folder for a suite.
    assert re.search(r'<th scope="row">q-[0-9a-f]+ <small class="note">How many days of notice', page)
    assert '<td data-label="Suite">–' in first.get("/runs").text
    assert 'action="/runs/own/go-on"' in page
    second = apps(runs, endpoints=file)()
    second.sign_in()
    assert second.post("/runs/own/go-on", form="/new", follow_redirects=False).status_code == 303
    assert ended(runs, "own").how == "done"
    assert slow_chat_server.stats()["served_twice"] == 0
    assert check(ledger).ok


def test_a_run_whose_budget_is_spent_goes_on_under_a_higher_one(owner, runs):
    """It is told before the start that the money will not do, then what is lacking; nothing is paid twice, and no path is told."""
    draft = draft_of(bring(owner, table()))
    fields = {"model": "house/strong", "judge": "house/judge-apt", "answers": "ChatLex", "max_cost": "0,001"}
    owner.post(f"{draft}/assistants", fields, form="/new")
    assert "is above the budget of 0.001" in owner.get(f"{draft}/start").text
    owner.post(f"{draft}/start", {"name": "own"}, form="/new")
    assert ended(runs, "own").slug == "budget"
    page = owner.get("/runs/own").text
    assert "the next call may cost" in page
    assert "go on under a higher budget" in page
    assert str(runs) not in page
    assert owner.post("/runs/own/go-on", {"max_cost": "much"}, form="/new").status_code == 422
    assert owner.post("/runs/own/go-on", {"max_cost": "5,5"}, form="/new", follow_redirects=False).status_code == 303
    assert ended(runs, "own").how == "done"
    assert "max_cost = 5.5" in (runs / "own" / "spec.toml").read_text("utf-8")
    assert "5.5" in owner.get("/log").text
    assert check(runs / "own" / "ledger.sqlite").ok


def test_one_sample_is_asked_anew_and_the_others_are_not(owner, runs, chat_server):
    """Its calls are made once more, the earlier ones stay in the ledger, and the run is finished again."""
    begun(owner)
    assert ended(runs, "own").how == "done"
    before = sum(chat_server.stats()["requests"].values())
    sample = next(iter(json.loads((runs / "own" / "dialogues.jsonl").read_text().splitlines()[0]).values()))
    answer = owner.post(f"/runs/own/again/{sample}", form="/new", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert ended(runs, "own").how == "done"
    made = sum(chat_server.stats()["requests"].values()) - before
    assert 0 < made <= before / 3, "one sample of six"
    assert check(runs / "own" / "ledger.sqlite").ok
    assert read_results(runs / "own").samples == 6


def test_so_many_people_read_each_answer_as_were_chosen(owner):
    """Nobody else is waited for; marks are of what decides, whatever share of the answers people read; of one person, a fifth are read twice."""
    draft = draft_of(bring(owner, table()))
    chosen = {"model": "house/strong", "judge": "house/judge-apt", "answers": "ChatLex"}

    def review(**more: str) -> dict[str, object]:
        owner.post(f"{draft}/assistants", chosen | more, form="/new")
        return tomllib.loads(owner.client.get(f"{draft}/spec.toml").text).get("review", {})

    assert review(annotators="2") == {"annotators": 2, "double": 0.0, "protocol": "compare"}
    assert review(annotators="3", people="40")["double"] == 0.0
    # The usual: one person grades, and of every fifth answer a second one.
    assert review(decides="share", share="80") == {}
    assert review() == {"protocol": "compare"}
    assert "every fifth answer" in owner.get(f"{draft}/assistants").text


def test_an_owner_has_people_mark_more_of_a_finished_run(owner, visit, runs, chat_server):
    """Share and people for each are changed on the page; what was marked stays, no model is asked again, and the spec says so."""
    begun(owner, annotators="1", people="0")
    assert ended(runs, "own").how == "done"
    before = chat_server.stats()["requests"]
    page = "/queues/own"
    assert 'value="0"' in owner.get(page).text.split("How much people mark")[1]
    assert f'href="{page}"' in owner.get("/runs/own").text

    def draw(people: str, annotators: str = "1") -> dict[str, ReviewTask]:
        answer = owner.post(
            f"{page}/more", {"people": people, "annotators": annotators}, form=page, follow_redirects=False
        )
        assert answer.status_code == 303, answer.text
        assert ended(runs, "own").how == "done"
        return reviews_of(runs / "own").tasks

    assert len(draw("100")) == 6
    ann = visit_as(owner, visit, "Ann")
    path = queue_path(ann)
    action = action_of(ann.get(path).text)
    assert ann.post(action, {"choice": "first"}, form=path, follow_redirects=False).status_code == 303
    tasks = draw("100", "2")
    assert [one.annotators for one in tasks.values()] == [2] * 6
    assert all(one.compared for one in tasks.values())
    assert sum(bool(reviews_of(runs / "own").standing(id_)) for id_ in tasks) == 1
    assert chat_server.stats()["requests"] == before
    spec = tomllib.loads((runs / "own" / "spec.toml").read_text("utf-8"))
    assert spec["review"] == {"audit": 1.0, "annotators": 2, "double": 0.0, "protocol": "compare"}
    assert "had people mark more" in owner.get("/log").text
    for wrong in ({"people": "0"}, {"people": "101"}, {"people": "50", "annotators": "4"}):
        assert owner.post(f"{page}/more", wrong, form=page).status_code == 422


def test_a_run_of_elsewhere_is_drawn_anew_where_it_was_made(owner, graded):
    """Its spec is not here: the page offers nothing, and a form that is sent all the same is refused."""
    page = f"/queues/{graded.name}"
    assert "How much people mark" not in owner.get(page).text
    assert "was not made here" in owner.post(f"{page}/more", {"people": "50"}, form=page).text


def test_a_file_without_columns_asks_for_none(owner):
    """What cannot be read at all is told, and no column below is spoken of, as there is none."""
    shown = owner.get(f"{draft_of(bring(owner, b'no workbook'))}/questions").text
    assert "The file cannot be used as it is." in shown
    assert "Say below" not in shown


def test_calls_before_the_run_are_told_apart_from_those_of_the_table(owner):
    """The number above is that of the table and of the calls that try models and judge."""
    draft = draft_of(bring(owner, table()))
    owner.post(
        f"{draft}/assistants", {"model": "house/strong", "judge": "house/judge-apt", "answers": "ChatLex"}, form="/new"
    )
    shown = owner.get(f"{draft}/start").text
    every = int(re.search(r"<dd>(\d+)</dd></div>\n<div><dt>Cost", shown)[1])
    tried = int(re.search(r"include at most (\d+) that try", shown)[1])
    table_ = sum(map(int, re.findall(r'data-label="Calls at most">(\d+)<', shown)))
    assert every == tried + table_


NOTED = {
    "en": "row 1 above the names of the columns is not read: “Report”",
    "ru": "строка 1 над названиями столбцов не прочитана: “Report”",
    "zh": "列名上方的第 1 行未读取：“Report”",
    "zh-Hant": "欄名上方的第 1 列未讀取：“Report”",
}


def test_of_several_sheets_a_person_chooses_one_and_reads_what_was_left_out(owner):
    """Each sheet is a button; the choice holds for answers and run, and takes back what was said of another sheet."""
    rows = [["Question", "ChatLex"], *([f"May I leave in case {n}?", ANSWER.format(n=n)] for n in range(4))]
    second = [["Report"], *rows[:1], *([f"May I stay in case {n}?", ANSWER.format(n=n + 9)] for n in range(4))]
    book = {"Leave": rows, "<b>Stay": second, "Old": rows, "Faulty": [["Question", "Question"], ["a", "b"]]}
    draft = draft_of(bring(owner, workbook(book, hidden=["Old"])))
    shown = owner.get(f"{draft}/questions").text
    assert "Several sheets hold rows. Which one holds the questions?" in shown
    assert re.findall(r'name="sheet" value="([^"]*)"', shown) == ["Leave", "&lt;b&gt;Stay", "Faulty"]
    assert owner.post(f"{draft}/sheet", {"sheet": "Old"}, form="/new").status_code == 400
    owner.post(f"{draft}/sheet", {"sheet": "Faulty"}, form="/new")
    shown = owner.get(f"{draft}/questions").text
    assert "two columns have this name" in shown
    assert re.findall(r'name="sheet" value="([^"]*)"', shown) == ["Leave", "&lt;b&gt;Stay"]
    owner.post(f"{draft}/questions", {"language": "en"}, form="/new")
    owner.post(f"{draft}/sheet", {"sheet": "<b>Stay"}, form="/new")
    for language, noted in NOTED.items():
        owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
        assert noted in owner.get(f"{draft}/questions").text
    owner.client.cookies.set("benchbar_language", "en", domain="localhost.local")
    asked = owner.get(f"{draft}/guidance").text
    assert "May I stay in case 3?" in asked
    assert "May I leave" not in asked
    owner.post(f"{draft}/assistants", {"answers": "ChatLex"}, form="/new")
    ready = owner.get(f"{draft}/start").text
    assert "[assistants.ChatLex]" in ready
    assert 'role="alert"' not in ready


def test_the_only_sheet_with_questions_is_read_and_the_others_are_offered(owner):
    """What was not read is said on the page; after another choice it says why that one cannot be used."""
    book = {"说明": [["请先阅读"], ["谢谢"]], "Questions": [["Question"], ["May I leave at once?"]]}
    draft = draft_of(bring(owner, workbook(book)))
    shown = owner.get(f"{draft}/questions").text
    assert "May I leave at once?" in shown
    assert "with a column of questions; not read: 说明" in shown
    assert "Read is the sheet Questions. Is another one meant?" in shown
    owner.post(f"{draft}/sheet", {"sheet": "说明"}, form="/new")
    shown = owner.get(f"{draft}/questions").text
    assert "no column holds the question" in shown
    assert "Read this sheet: Questions" in shown


CHATS = [
    {"chat_messages": [{"sender": "human", "text": "May I leave?"}, {"sender": "assistant", "text": "Not at once."}]},
    {"chat_messages": [{"sender": "human", "text": "May I stay?"}]},
]
TOLD = {
    "en": ("1 conversations, of which 0 have more than one question", "left out: 1 without a question"),
    "ru": ("разговоров 1, из них с несколькими вопросами 0", "не учтено: 1 без вопроса"),
    "zh": ("1 个对话，其中 0 个不止一个问题", "未计入：1 个没有问题"),
    "zh-Hant": ("1 個對話，其中 0 個不止一個問題", "未計入：1 個沒有問題"),
}


def test_of_an_export_of_chats_is_said_what_was_taken(owner):
    """In the reader's language; the export's own fields are not shown as columns that nobody reads."""
    draft = draft_of(bring(owner, json.dumps(CHATS).encode(), "conversations.json"))
    for language, told in TOLD.items():
        owner.client.cookies.set("benchbar_language", language, domain="localhost.local")
        shown = owner.get(f"{draft}/questions").text
        assert "May I leave?" in shown
        assert [line for line in told if line not in shown] == []
        assert "chat_messages" not in shown


def test_columns_are_mended_by_hand(owner):
    """A head that says nothing is refused with the columns at hand; the choice is read at once."""
    heads = ["Spalte A", "Spalte B"]
    data = workbook({"Sheet": [heads, *([f"May case {n} be heard?", "Yes, within a year."] for n in range(5))]})
    draft = draft_of(bring(owner, data))
    shown = owner.get(f"{draft}/questions").text
    assert "The file cannot be used as it is" in shown
    assert str(owner.client.app.state.web.config.own) not in shown, "the server's paths are its own"
    assert 'name="column-needs"' in shown
    fields = {"column-needs": "Spalte A", "column-reference": "Spalte B"}
    owner.post(f"{draft}/questions", fields, form="/new")
    shown = owner.get(f"{draft}/questions").text
    assert "May case 0 be heard?" in shown
    assert "with an expected answer: 5" in shown


def test_answers_under_a_head_that_does_not_say_so_are_named_by_hand(owner, runs):
    """A column that was not read becomes an assistant when a person says so."""
    same = "Answers differ little here."
    data = workbook({"Sheet": [["Question", "Column Q"], *([f"May case {n} be heard?", same] for n in range(5))]})
    draft = draft_of(bring(owner, data))
    assert "not read" in owner.get(f"{draft}/questions").text
    owner.post(f"{draft}/questions", {"answers-1": "1"}, form="/new")
    shown = owner.get(f"{draft}/questions").text
    assert "answers of Column-Q" in shown
    assert 'name="answers-1" value="1" checked' in shown, "what was ticked stays ticked"
    fields = {"answers": "Column-Q", "model": "house/strong"}
    owner.post(f"{draft}/assistants", fields, form="/new")
    owner.post(f"{draft}/start", {"name": "named"}, form="/new")
    assert ended(runs, "named").how == "done"
    assert set(read_results(runs / "named").assistants) == {"Column-Q", "strong"}


@pytest.mark.parametrize(
    ("fields", "taken", "guided"),
    [
        ({"column-reference": "答"}, "预期答案", 3),
        ({"answers-1": "1"}, "答 的回答", 0),
    ],
)
def test_questions_and_answers_in_paragraphs_are_shown_and_mended_by_hand(owner, fields, taken, guided):
    """问 and 答 of a document are its columns; whose answers they are is asked, and no answer stays in its question."""
    lines = ["租赁问答", *(one for n in range(3) for one in (f"{n + 1}. 问：第{n}种押金可以不退吗？", "答：不可以。"))]
    draft = draft_of(bring(owner, as_docx(lines), "问答.docx"))
    owner.client.cookies.set("benchbar_language", "zh", domain="localhost.local")
    shown = owner.get(f"{draft}/questions").text
    assert "文件暂时无法使用" in shown
    assert '<th scope="row">答</th>' in shown
    owner.post(f"{draft}/questions", fields, form="/new")
    shown = owner.get(f"{draft}/questions").text
    assert taken in shown
    assert f"共 3 个问题，其中 {guided} 个有预期答案" in shown
    assert '<p class="text">第0种押金可以不退吗？</p>' in shown


def test_columns_that_may_be_points_or_answers_are_told_beside_their_heads(owner):
    """What an expert forbids under a head that is nearly a label is not lost without a word."""
    heads = ["Question", "Expected answer", "Not to be mentioned ever", "Kim"]
    rows = ([f"May case {n} be heard?", "Within a year", f"That case {n} is lost", f"ask {n} again"] for n in range(5))
    draft = draft_of(bring(owner, workbook({"Sheet": [heads, *rows]})))
    shown = owner.get(f"{draft}/questions").text
    assert "MAY BE POINTS" in shown
    assert "may be an assistant&#39;s answers" in shown
    assert "<details open>" in shown


def test_points_drafted_from_the_law_wait_until_they_are_accepted(owner, runs):
    """A draft is no guidance: the spec's suite holds a point only once a person has ticked it."""
    asked = "房东不退押金怎么办？"
    data = workbook({"Sheet": [["问题"], [asked], ["今天天气好吗？"]]})
    draft = draft_of(bring(owner, data, "问题.xlsx"))
    fields = {"draft": "1", "text-0": "", "text-1": ""}
    owner.post(f"{draft}/guidance", fields, form="/new")
    shown = owner.get(f"{draft}/guidance").text
    points = re.findall(r'name="accept-0-(\d)"', shown)
    assert points, "the bundled law speaks of deposits"
    assert "0 of 2 questions have an expected answer" in shown
    fields = {"text-0": "", "text-1": "必须提及：不是法律问题", "accept-0-0": "1"}
    owner.post(f"{draft}/guidance", fields, form="/new")
    shown = owner.get(f"{draft}/guidance").text
    assert "2 of 2 questions have an expected answer" in shown
    assert 'name="accept-0-0"' not in shown
    assert owner.post(f"{draft}/assistants", {"model": "house/strong"}, form="/new").status_code == 200
    owner.post(f"{draft}/start", {"name": "points"}, form="/new")
    samples = [json.loads(line) for line in (runs / "points/suite/samples.jsonl").read_text().splitlines()]
    assert [len(one["guidance"]["points"]) for one in samples] == [1, 1]
    ended(runs, "points")


def test_a_failing_endpoint_is_told_with_its_reason(owner, runs, apps, tmp_path):
    """The page of the run says what failed and in which words, and offers to go on."""
    file = allowed(tmp_path, "http://127.0.0.1:9/v1")
    other = apps(runs, endpoints=file)()
    other.sign_in()
    begun(other)
    found = ended(runs, "own")
    assert (found.how, found.slug) == ("failed", "endpoint")
    page = other.get("/runs/own").text
    assert "127.0.0.1:9" in page
    assert 'action="/runs/own/go-on"' in page


def test_only_owners_make_and_steer_runs(owner, runs, visit):
    """Viewers and reviewers, and whoever sends no token, are refused at every route."""
    draft = draft_of(bring(owner, table()))
    begun(owner, "mine")
    ended(runs, "mine")
    paths = [
        "/new", "/new/example", f"{draft}/questions", f"{draft}/guidance", f"{draft}/assistants", f"{draft}/start",
        f"{draft}/delete", "/runs/mine/stop", "/runs/mine/go-on", "/runs/mine/again/1",
    ]  # fmt: skip
    for role in ("viewer", "reviewer"):
        guest = visit()
        guest.sign_in(role, owner.add(role, role))
        for path in paths:
            assert guest.post(path).status_code == 403, (role, path)
        for path in ("/new", f"{draft}/questions", f"{draft}/spec.toml"):
            assert guest.get(path).status_code == 403, (role, path)
    for path in paths:
        answer = owner.client.post(path, data={"csrf": "0" * 64}, headers={"accept": "text/html"})
        assert answer.status_code == 403, path
        foreign = owner.client.post(path, headers={"origin": "http://evil.example"})
        assert foreign.status_code == 400, path
        assert visit().post(path, follow_redirects=False).status_code == 401, path


@pytest.mark.parametrize(
    "fields",
    [
        {"model": "http://169.254.169.254/latest"},
        {"model": "house/unknown"},
        {"model": "house/strong@http://evil.example/v1"},
        {"judge": "strong@http://10.0.0.1/v1"},
        {"simulator": "../../etc/passwd"},
        {"judge": "python:os:system"},
    ],
)
def test_no_address_can_be_named_in_the_browser(owner, fields):
    """Only names on the server's list are taken."""
    draft = draft_of(bring(owner, table()))
    assert owner.post(f"{draft}/assistants", fields, form="/new").status_code == 400


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "10.1.2.3", "192.168.0.9", "172.16.5.4", "169.254.169.254", "0.0.0.1", "::1", "::ffff:127.0.0.1",
        "fe80::1", "fd00::1", "64:ff9b::7f00:1", "2002:7f00:1::", "100.64.0.1", "2130706433", "0x7f000001", "127.1", "224.0.0.1",
        "017700000001", "0177.0.0.1", "0x7f.1", "127.0.1", "::ffff:7f00:1", "::ffff:0:127.0.0.1", "::127.0.0.1", "0:0:0:0:0:0:0:1",
        "64:ff9b:1::7f00:1", "2606:4700::5efe:7f00:1", "2002:a9fe:a9fe::", "fec0::1", "ff02::1", "fe80::1%lo", "198.18.0.1", "240.0.0.1", "255.255.255.255",
        "192.0.2.1", "localhost.", "\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021", "\u2460\u2461\u2466.0.0.1",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_refused(host):
    """In every way to write them; a list that is to reach its own network has to say so."""
    with pytest.raises(UserError):
        resolved(host)


def test_every_address_of_a_name_has_to_be_allowed(monkeypatch):
    """A name of an attacker that has a public address and one within the network: the client may choose either."""
    known = {"mixed.example": ("203.0.114.7", "10.0.0.5"), "both.example": ("2606:4700::1", "203.0.114.7"), "odd.example": ("2606:4700::1", "::ffff:169.254.169.254")}  # fmt: skip
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_, **__: [(0, 0, 0, "", (one, 0)) for one in known[host]])
    with pytest.raises(UserError, match=r"10\.0\.0\.5, which is not public"):
        resolved("mixed.example")
    with pytest.raises(UserError, match="which no model can be asked at"):
        resolved("odd.example", private=True)
    assert resolved("both.example") == known["both.example"]


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "0", "fe80::1", "224.0.0.1", "2002:a9fe:a9fe::", "64:ff9b::a9fe:a9fe", "::169.254.169.254"],
)
def test_some_addresses_are_never_asked(host):
    """Not even where private ones are allowed: cloud providers hand out credentials there."""
    with pytest.raises(UserError):
        resolved(host, private=True)
    assert resolved("127.0.0.1", private=True) == ("127.0.0.1",)


def test_a_private_address_has_to_be_allowed_before_a_run_starts(apps, runs, tmp_path, chat_server):
    """Without private = true nothing is written and nothing is sent."""
    found = apps(runs, endpoints=allowed(tmp_path, chat_server.base_url, ""))()
    found.sign_in()
    draft = draft_of(bring(found, table()))
    found.post(f"{draft}/assistants", {"model": "house/strong"}, form="/new")
    answer = found.post(f"{draft}/start", {"name": "own"}, form="/new", follow_redirects=False)
    assert answer.status_code == 400
    assert "not public" in answer.text
    assert not (runs / "own").exists()
    assert chat_server.stats()["requests"] == {}


def test_a_run_asks_only_the_addresses_that_were_looked_at(monkeypatch, chat_server):
    """The pinned address is asked whatever the name means now, and no other host at all."""
    import asyncio

    from benchbar.clients import transport
    from benchbar.records.errors import ConnectionFailedError

    port = chat_server.base_url.rpartition(":")[2].removesuffix("/v1")
    hosts = {"model.example": ("127.0.0.1",)}
    monkeypatch.setenv(VARIABLE, as_variable(hosts)[VARIABLE])
    body = json.dumps({"model": "strong", "messages": [{"role": "user", "content": "hello"}]}).encode()

    async def ask(host: str) -> int:
        session = transport.opened()
        try:
            url = f"http://{host}:{port}/v1/chat/completions"
            return (await transport.sent(session, url, body, {"Content-Type": "application/json"}, 5)).status
        finally:
            await session.close()

    transport._parsed.cache_clear()
    assert asyncio.run(ask("model.example")) == 200
    for host in ("127.0.0.1", "localhost", "other.example"):
        with pytest.raises(ConnectionFailedError):
            asyncio.run(ask(host))
    transport._parsed.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        "[endpoints.a]\nmodels = []\nbase_url = 'http://h/v1'",
        "[endpoints.a]\nmodels = ['m']",
        "[endpoints.a]\nmodels = ['m']\nbase_url = 'http://h/v1'\napi_key = 'sk-1'",
        "[endpoints.a]\nmodels = ['m']\nbase_url = 'http://user:pw@h/v1'",
        "[endpoints.a]\nmodels = ['m']\nbase_url = 'http://h/v1'\nprivate = 'yes'",
        "[other]\nx = {}",
    ],
)
def test_a_wrong_list_of_endpoints_is_refused_at_the_start(tmp_path, text):
    """With the field that is wrong: a list that means less or more than it says is worse than none."""
    from benchbar.records.errors import BadInputError
    from benchbar.runs.allowed import read_allowed

    (tmp_path / "endpoints.toml").write_text(text, "utf-8")
    with pytest.raises(BadInputError):
        read_allowed(tmp_path / "endpoints.toml")


def bomb() -> bytes:
    """A workbook of some kilobytes that unpacks to 300 megabytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for part in range(3):
            made.writestr(f"xl/worksheets/sheet{part}.xml", b" " * (100 << 20))
    return out.getvalue()


BILLION = b"""<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><w>&b;</w>"""


def docx_of(xml: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("[Content_Types].xml", b"<Types/>")
        made.writestr("word/document.xml", xml)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bomb.xlsx", bomb),
        ("entities.docx", lambda: docx_of(BILLION)),
        ("broken.xlsx", lambda: b"PK\x03\x04" + b"\0" * 200),
        ("empty.csv", lambda: b""),
        ("binary.csv", lambda: bytes(range(256)) * 40),
        ("page.xlsx", lambda: b"<!doctype html><title>Sign in</title>"),
        ("deep.json", lambda: b"[" * 100_000),
        ("deep.jsonl", lambda: b'{"question":' * 50_000),
        ("huge-cell.csv", lambda: b"question,answer\n" + b"a" * 3_000_000 + b",b\n"),
        ("wide.csv", lambda: b",".join(b"c%d" % n for n in range(20_000)) + b"\n" + b"," * 19_999 + b"\n"),
        ("nul.csv", lambda: b"question\n\x00\x00\x00\n"),
        ("formula.csv", lambda: b'question\n=cmd|"/c calc"!A0\n'),
        ("utf7.csv", lambda: b"question\n+ADw-script+AD4-\n"),
        ("script.csv", lambda: b"question,expected answer\n<script>window.harmed=1</script>,<img src=x onerror=1>\n"),
    ],
)
def test_hostile_files_break_nothing(owner, name, data):
    """Whatever is dropped, every step answers, shows no traceback, and runs nothing of it."""
    answer = bring(owner, data(), name)
    assert answer.status_code in {303, 400, 413}
    if answer.status_code != 303:
        return
    draft = draft_of(answer)
    for step in ("questions", "guidance", "assistants", "start"):
        shown = owner.get(f"{draft}/{step}")
        assert shown.status_code in {200, 303}, (name, step)
        assert "<script>window" not in shown.text
        assert "<img src=x" not in shown.text
        assert "Traceback" not in shown.text


@pytest.mark.parametrize(
    "name",
    [
        "../../../etc/cron.d/x.csv", "..\\..\\x.csv", "/etc/passwd.csv", "C:\\x.csv", ".hidden.csv", "...csv", "\u202egnp.csv",
        "a" * 300 + ".csv", "con.csv", "draft.json.csv", "<script>.csv", "x\x00.csv", "x\n.csv", "-rf.csv", "%2e%2e%2fx.csv", "$(id).csv",
    ],
)  # fmt: skip
def test_names_of_files_lead_nowhere(owner, runs, name):
    """A file lies in the folder of its draft and nowhere else, under a name of letters, digits and dashes."""
    before = {one for one in runs.parent.rglob("*") if ".benchbar" not in one.parts}
    answer = bring(owner, b"question\nMay a tenant leave the flat without any notice at all?\n", name)
    assert answer.status_code in {303, 400}
    assert {one for one in runs.parent.rglob("*") if ".benchbar" not in one.parts} == before
    for file in (runs / ".benchbar" / "drafts").rglob("*.csv"):
        assert re.fullmatch(r"[\w-]{1,60}\.csv", file.name)


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".benchbar", "../x", "a/b", "a\\b", "x" * 200, "-", "a\nb", "--out", "%2e%2e"]
)
def test_names_of_runs_lead_nowhere(owner, runs, name):
    """A run's folder lies directly in the folder of runs, and none is overwritten."""
    draft = draft_of(bring(owner, table(2)))
    owner.post(f"{draft}/assistants", {"answers": "ChatLex"}, form="/new")
    answer = owner.post(f"{draft}/start", {"name": name}, form="/new", follow_redirects=False)
    if answer.status_code == 303:
        ended(runs, name)
    assert answer.status_code in {303, 400, 422}
    assert all(one.parent.parent == runs for one in runs.parent.rglob("spec.toml"))


@pytest.mark.parametrize("id_", ["0" * 32, "../../x", "..%2f..%2fweb.sqlite", "A" * 32, "0" * 31 + "/"])
def test_drafts_are_found_by_their_own_names_alone(owner, id_):
    """Nothing else leads to a folder."""
    assert owner.get(f"/new/{id_}/questions").status_code == 404


def test_keys_stay_on_the_server(apps, runs, tmp_path, chat_server, monkeypatch):
    """A key from the environment reaches the endpoint, and no page, file or log of the run."""
    monkeypatch.setenv("HOUSE_KEY", "sk-very-secret-1234")
    file = allowed(tmp_path, chat_server.base_url, 'private = true\napi_key_env = "HOUSE_KEY"')
    found = apps(runs, endpoints=file)()
    found.sign_in()
    begun(found)
    assert ended(runs, "own").how == "done"
    assert any("sk-very-secret-1234" in one for one in chat_server.stats()["authorizations"])
    for path in ("/runs/own", "/runs/own/spec.toml", "/log", "/new", "/runs/own/samples"):
        assert "sk-very-secret" not in found.get(path).text
    for one in runs.rglob("*"):
        assert not one.is_file() or b"sk-very-secret" not in one.read_bytes(), one
