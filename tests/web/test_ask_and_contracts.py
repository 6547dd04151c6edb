"""The consultant and the contract review in the browser, from outside: answers, events, uploads that are none."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from fastapi.testclient import TestClient

import benchbar
from benchbar.cli.consulting import ContractReading, CorpusConsultant
from benchbar.languages.packs import labels
from benchbar.web.app import close
from benchbar.web.config import Config
from support.apps import app_over
from web.conftest import OWNER_TOKEN, Visitor

QUESTION = "试用期最长可以约定多久？"
LEASE = "租赁合同\n第一条 租期三年，租金每月五千元。\n第二条 乙方放弃对本合同提出任何异议的权利，甲方不承担任何责任。\n"


@pytest.fixture(scope="module")
def offline():
    """Answers and reviews without a model; opened once."""
    return {"consultant": CorpusConsultant(None), "contract_reviewer": ContractReading(None)}


@pytest.fixture
def started(runs, offline):
    """Starts an app with a consultant and signs its owner in."""
    apps = []

    def start(**settings):
        app = app_over(Config(runs=runs, owner_token=OWNER_TOKEN, **(offline | settings)))
        visitor = Visitor(TestClient(app, base_url="http://localhost"))
        apps.append((app, visitor))
        assert visitor.sign_in().status_code == 303
        return visitor

    yield start
    for app, visitor in apps:
        visitor.client.close()
        close(app)


def events(text: str) -> list[tuple[str, str]]:
    found = re.findall(r"^event: (\w+)\ndata: (.*)$", text, re.MULTILINE)
    return [(name, json.loads(data)) for name, data in found]


def test_an_answer_rests_on_articles_that_open_and_its_citations_are_checked(started):
    """Rule, practice and conclusion; each article used is there in full, each citation says what the law says of it."""
    page = started().post("/ask", {"question": QUESTION}, form="/ask").text
    assert re.search(r'<details id="source-\d"><summary>\[\d\] 《劳动契约法》第八条</summary>', page)
    assert re.search(r'<a class="cite neutral" href="#source-\d" title="in force[^"]*">《劳动契约法》第八条</a>', page)
    assert "in force, in an invented law: " in page
    # Each verdict with its day, as the reader's language writes it, and the law's file without the server's path to it, and the article beside what the answer says.
    assert re.search(
        r'<li class="neutral"><i aria-hidden="true">·</i> 《劳动契约法》第八条 — in force, in an invented law · law of [A-Z][a-z]+ \d+, \d{4} · <span class="muted">[^</]+\.md</span>',
        page,
    )
    assert re.search(r"<details><summary>says: [^<]*</summary><div[^>]*>article: ", page)
    assert "Everything that was found" not in page


def test_that_nobody_measured_the_consultant_for_a_law_stands_before_its_answer(started, tmp_path):
    """Below the answer it would be read when the answer is believed already."""
    (tmp_path / "acts").mkdir()
    (tmp_path / "acts" / "hire.md").write_text(
        '+++\nlaw_id = "hire"\nname = "Boat Hire Act 2010"\njurisdiction = "Testland"\nin_force = 2010-01-01\n+++\n# Boat Hire Act 2010\n'
        "Section 1. A hirer shall return the boat within three days of the end of the hire.\n",
        "utf-8",
    )
    owner = started(consultant=CorpusConsultant(tmp_path))
    page = owner.post("/ask", {"question": "When must I return a hired boat?"}, form="/ask").text
    told = labels("en", "words")("writer.unmeasured")
    assert page.count(told) == 1
    assert page.index(told) < page.index("within three days")


def test_why_there_is_no_answer_is_said_in_one_language(started):
    """That of the question, as the rest of the answer, whatever the page's language: half a sentence of each is none."""
    owner = started()
    owner.client.cookies.set("benchbar_language", "zh", domain="localhost.local")
    page = owner.post("/ask", {"question": "Will the price of bitcoin rise next year?"}, form="/ask").text
    told = re.search(r'<p class="warning" lang="en">([^<]+)</p>', page)
    assert told is not None
    assert told[1].isascii()
    assert labels("en", "web")("ask.abstained", reason="").strip(" .") in told[1]


def test_the_form_and_the_tick_change_what_comes(started):
    """Preparation for trial lists conditions; the tick shows every passage."""
    owner = started()
    page = owner.post("/ask", {"question": QUESTION, "form": "trial", "sources": "true"}, form="/ask").text
    assert "准备诉讼时" in page
    assert "Everything that was found" in page


@pytest.mark.parametrize("question", ["", "   ", "x" * 4001])
def test_no_question_is_no_question(started, question):
    """Nor is one that never ends."""
    assert started().post("/ask", {"question": question}, form="/ask").status_code == 422


def test_a_model_writes_piece_by_piece_and_hostile_text_of_its_stays_text(started, chat_server):
    """Events: it begins, text, then the whole answer with its citations checked."""
    model = CorpusConsultant(None, model="consultant", base_url=chat_server.base_url)
    owner = started(consultant=model)
    fields = {"question": QUESTION + "<script>alert(1)</script>", "csrf": owner.csrf("/ask")}
    answer = owner.client.post("/ask", data=fields, headers={"accept": "text/event-stream"})
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer.text)
    assert [told[0][0], told[1][0], told[-1][0]] == ["begun", "again", "answer"]
    pieces = [data for name, data in told if name == "text"]
    assert len(pieces) > 3
    assert "<script>" not in told[-1][1]
    assert "<article" in told[-1][1]


def test_a_model_that_does_not_answer_is_told_of(started, chat_server):
    """On the page and in the events; nothing of the question is in the log."""
    owner = started(consultant=CorpusConsultant(None, model="locked", base_url=chat_server.base_url))
    page = owner.post("/ask", {"question": QUESTION}, form="/ask")
    assert (page.status_code, 'role="alert"' in page.text) == (502, True)
    fields = {"question": QUESTION, "csrf": owner.csrf("/ask")}
    wanted = {"accept": "text/event-stream", "accept-language": "ru"}
    told = events(owner.client.post("/ask", data=fields, headers=wanted).text)
    assert told[-1][0] == "problem"
    assert "Модель locked" in told[-1][1]
    assert "HTTP 401" in told[-1][1]
    assert "check the key" not in told[-1][1]
    assert "试用期" not in owner.get("/log").text


def test_an_answer_that_breaks_off_is_asked_for_three_times_and_not_told_as_one(started, chat_server):
    """Somebody waits before the page: each try begins anew, and the last word is why there is no answer, in no library's jargon."""
    owner = started(consultant=CorpusConsultant(None, model="always-truncated", base_url=chat_server.base_url))
    fields = {"question": QUESTION, "csrf": owner.csrf("/ask")}
    told = events(owner.client.post("/ask", data=fields, headers={"accept": "text/event-stream"}).text)
    assert told[-1][0] == "problem"
    assert "always-truncated" in told[-1][1]
    assert "Error" not in told[-1][1]
    assert chat_server.stats()["requests"] == {"always-truncated": 3}


@pytest.mark.parametrize(
    ("labels", "seen"), [({}, False), ({"owner": ("matter-7",)}, True), ({"anna": ("matter-7",)}, False)]
)
def test_a_person_is_answered_from_the_documents_of_their_labels(started, tmp_path, labels, seen):
    """A document with an access label answers those alone who hold it by the app's list of people."""
    from benchbar.law.index import build_index

    (tmp_path / "law").mkdir()
    (tmp_path / "law" / "rules.txt").write_text(
        "Правила гавани\nСтатья 1. Сбор\nСбор за стоянку судна вносят до отхода.\n", encoding="utf-8"
    )
    (tmp_path / "law" / "memo.txt").write_text(
        "Записка о сборе\nСтатья 1. Сбор\nТайный сбор за стоянку судна вносят тройной.\n", encoding="utf-8"
    )
    (tmp_path / "law" / "law.toml").write_text('["memo.txt"]\nkind = "act"\nlabels = ["matter-7"]\n', encoding="utf-8")
    build_index([tmp_path / "law"], tmp_path / "index")
    owner = started(consultant=CorpusConsultant(tmp_path / "index"), labels=labels)
    page = owner.post("/ask", {"question": "Какой сбор за стоянку судна вносят?", "sources": "true"}, form="/ask").text
    assert "до отхода" in page
    assert ("Тайный" in page) == seen


def sealed(page: str) -> str:
    """What a page of answers goes on from."""
    return re.search(r'name="conversation" form="ask" value="([^"]+)"', page)[1]


def test_a_follow_up_is_read_with_the_question_before_it(started):
    """What was understood stands above the answer; the earlier one is folded below, and a source has one number in both."""
    owner = started()
    first = owner.post("/ask", {"question": QUESTION}, form="/ask").text
    fields = {"question": "如果合同只有一年呢？", "conversation": sealed(first), "facts": "工人每月领工资\n\n"}
    page = owner.post("/ask", fields, form="/ask").text
    understood = re.search(r'class="muted understood">Understood as: <span lang="zh">([^<]+)<', page)[1]
    assert understood.split("\n") == ["工人每月领工资", QUESTION, "如果合同只有一年呢？"]
    assert page.index('<h2 class="asked" lang="zh">如果合同只有一年呢？') < page.index(f'<summary lang="zh">{QUESTION}')
    numbers = {
        (number, citation)
        for number, citation in re.findall(r'<details id="(?:1-)?source-(\d+)"><summary>\[\1\] ([^<]+)', page)
    }
    assert len({number for number, _ in numbers}) == len(numbers) == len({citation for _, citation in numbers})
    assert "工人每月领工资</textarea>" in page.replace("\n\n</textarea>", "</textarea>")


def test_page_conversation_and_library_say_the_same(started):
    """The parts of each answer of a conversation are those that ``benchbar.Conversation`` gives."""
    questions = [QUESTION, "如果合同只有一年呢？", "出租人不退押金怎么办？"]
    matter, consultant, kept = benchbar.Conversation(facts=["每月领工资"]), CorpusConsultant(None), ""
    for question in questions:
        matter.ask(question)
        found = consultant.go_on(question, "general", kept=kept, facts=["每月领工资"])
        kept = found.kept
    assert [one.understood for one in found.exchanges] == [one.understood for one in matter.answered]
    for page, own in zip(found.exchanges, matter.answered, strict=True):
        answer = own.consultation
        assert [part.text for part in page.advice.parts] == [answer.rule, answer.practice, answer.conclusion]
        assert [one.number for one in page.advice.sources] == [one.number for one in answer.context]


def test_a_page_keeps_the_last_ten_answers_and_no_number_is_given_twice(started):
    """Eleven questions: the first is left behind, and its sources' numbers are not given to others."""
    consultant, kept = CorpusConsultant(None), ""
    asked = ["出租人不退押金怎么办？", *[QUESTION] * 10, "加班费怎么计算？"]
    numbers: dict[int, str] = {}
    for question in asked:
        found = consultant.go_on(question, "general", kept=kept)
        kept = found.kept
        for source in found.exchanges[-1].advice.sources:
            assert numbers.setdefault(source.number, source.citation) == source.citation
    assert [one.asked for one in found.exchanges] == [*[QUESTION] * 9, "加班费怎么计算？"]
    assert len(kept) < 900_000


def test_words_of_an_article_are_not_said_to_contradict_it(started):
    """An answer without a model is quoted word for word: none of its lines is accused, and headings stand outside lists."""
    owner = started()
    first = owner.post("/ask", {"question": QUESTION}, form="/ask").text
    page = owner.post("/ask", {"question": "如果合同只有一年呢？", "conversation": sealed(first)}, form="/ask").text
    assert "期限与金额" in page
    assert 'class="claim' not in page
    assert "</ul>\n<p>期限与金额：</p>" in page


def test_answers_go_to_word_with_footnotes(started):
    """The document of the page is that of the conversation."""
    owner = started()
    page = owner.post("/ask", {"question": QUESTION}, form="/ask").text
    answer = owner.post("/ask/docx", {"conversation": sealed(page)}, form="/ask")
    assert answer.headers["content-disposition"] == 'attachment; filename="answers.docx"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as document:
        assert "《劳动契约法》第八条" in document.read("word/footnotes.xml").decode()


def test_a_conversation_is_gone_on_with_by_its_own_person_alone(started):
    """One that was altered, invented or taken from another person's page is refused, and nothing of it is shown."""
    owner = started()
    own = sealed(owner.post("/ask", {"question": QUESTION}, form="/ask").text)
    eve = Visitor(TestClient(owner.client.app, base_url="http://localhost"))
    eve.sign_in("Eve", owner.add("Eve", "viewer"))
    for visitor, conversation in ((owner, own[:-2] + "xx"), (owner, "[]"), (eve, own)):
        for path in ("/ask", "/ask/docx"):
            answer = visitor.post(path, {"question": "呢？", "conversation": conversation}, form="/ask")
            assert answer.status_code == 422
            assert "劳动契约法" not in answer.text
    eve.client.close()


def test_hostile_questions_and_facts_stay_text(started):
    """In the question above the answer, in what was understood and in the list of facts."""
    hostile = '"><script>alert(1)</script>'
    owner = started()
    first = owner.post("/ask", {"question": QUESTION + hostile}, form="/ask").text
    fields = {"question": f"如果{hostile}呢？", "facts": hostile, "conversation": sealed(first)}
    page = owner.post("/ask", fields, form="/ask").text
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") >= 4


def upload(visitor: Visitor, name: str, data: bytes, kind: str = "text/plain"):
    fields = {"csrf": visitor.csrf("/contracts")}
    return visitor.client.post(
        "/contracts", data=fields, files={"file": (name, data, kind)}, headers={"accept": "text/html"}
    )


def test_a_contract_comes_back_with_findings_in_place_and_as_docx(started, visit):
    """The words that a finding is about are marked; the DOCX has comments, and goes when it is told to."""
    owner = started()
    page = upload(owner, "租约.txt", LEASE.encode())
    assert page.status_code == 200, page.text
    assert re.search(r'<mark class="high">[^<]*放弃[^<]*</mark>', page.text)
    link = re.search(r'href="(/contracts/[0-9a-f]{32}/docx)"', page.text)[1]
    answer = owner.get(link)
    assert "%E7%A7%9F%E7%BA%A6.reviewed.docx" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as document:
        assert "放弃" in document.read("word/document.xml").decode()
        assert "w:comment " in document.read("word/comments.xml").decode()
    owner.post(link.replace("docx", "delete"), form="/contracts")
    assert owner.get(link).status_code == 404


@pytest.mark.parametrize(
    ("language", "none", "cure"),
    [
        ("en", "no law was used", "benchbar serve --law INDEX"),
        ("ru", "закон не применялся", "benchbar serve --law INDEX"),
        ("zh", "未使用法律", "benchbar serve --law INDEX"),
        ("zh-Hant", "未使用法律", "benchbar serve --law INDEX"),
    ],
)
def test_a_review_without_law_says_so_first_and_calls_no_clause_fine(started, language, none, cure):
    """In the reader's language, with this app's option; a clause in which nothing was found names the checks that were made."""
    owner = started()
    owner.client.cookies.set("benchbar_language", language)
    page = upload(owner, "租约.txt", (LEASE + "第三条 乙方应按时支付租金，出租人应出具收据。\n").encode()).text
    first = re.search(r'<p class="warning">([^<]+)</p>', page)[1]
    assert none.casefold() in first.casefold()
    assert cure in first
    assert "--demo" not in page
    assert 'class="clause low"' not in page
    quiet = re.findall(r'<section class="clause no_risk_found".*?</section>', page, re.DOTALL)
    assert quiet
    assert all("已做的检查：" in one for one in quiet)


def test_nobody_fetches_another_persons_contract(started):
    """Not even with the link."""
    owner = started()
    link = re.search(r"/contracts/[0-9a-f]{32}/docx", upload(owner, "a.txt", LEASE.encode()).text)[0]
    eve = Visitor(TestClient(owner.client.app, base_url="http://localhost"))
    eve.sign_in("Eve", owner.add("Eve", "viewer"))
    assert eve.get(link).status_code == 404
    eve.client.close()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("drawing.svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        ("page.html", b"<script>alert(1)</script>"),
        ("lease.docx", b"no zip at all"),
        ("lease.pdf", b"PK\x03\x04 not a pdf"),
        ("lease.docx", b"PK\x03\x04 broken"),
        ("lease", b"text"),
        ("", b"text"),
        ("empty.txt", b""),
    ],
)
def test_what_is_no_contract_is_refused_by_name(started, name, data):
    """Other kinds, and files that are not what their name says."""
    answer = upload(started(), name, data)
    assert answer.status_code in {400, 422}, answer.text
    assert "<svg" not in answer.text
    assert "<script>alert" not in answer.text


def test_a_hostile_file_name_is_shown_as_text_and_reaches_no_folder(started, runs):
    """Markup, folders and control characters in it do nothing."""
    name = '../../etc/<img src=x onerror=alert(1)>\r\nx"; filename=evil.txt'
    page = upload(started(), name, LEASE.encode())
    assert page.status_code == 200, page.text
    assert "<img" not in page.text
    assert not [file for file in runs.rglob("*") if "img" in file.name or "evil" in file.name]


def test_a_file_beyond_the_limit_is_refused_before_it_is_read_whole(started):
    """By its size, with the limit named."""
    answer = upload(started(), "large.txt", b"x" * (17 * 1024 * 1024))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("language", "country"), [("zh", "澜海共和国"), ("ru", "Беловодская Федерация"), ("en", "Dominion of Ardmere")]
)
def test_invented_law_is_said_before_anything_is_asked(started, language, country):
    """Which law would answer stands above the form, in the reader's language."""
    owner = started()
    owner.client.cookies.set("benchbar_language", language)
    assert re.search(f'<p class="warning" id="invented">[^<]*{country}', owner.get("/ask").text)


def test_invented_law_is_said_before_the_answer(started):
    """The first line names the jurisdiction that does not exist, and no citation is green."""
    page = started().post("/ask", {"question": QUESTION}, form="/ask").text
    answer = page[page.index('<article class="answer') :]
    assert answer.index('role="alert"') < answer.index("<section>")
    assert "Republic of Lanhai" in answer[: answer.index("<section>")]
    assert "cite met" not in answer
