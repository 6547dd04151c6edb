"""A conversation with the consultant: follow-ups, facts, sources that keep their numbers, answers as a document."""

from __future__ import annotations

import html
import os
import pty
import re
import zipfile
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import benchbar
from benchbar.assistants.answer_docx import write_docx
from benchbar.assistants.asking import bundled_law
from benchbar.assistants.checked_citations import checked_documents
from benchbar.assistants.consultation import Consultation
from benchbar.assistants.conversation import Answered, leans, renumbered, stated
from benchbar.assistants.law_practice import as_text
from benchbar.cli.ask import command as ask_command
from benchbar.cli.chat import command as chat_command
from benchbar.cli.consulting import CorpusConsultant
from benchbar.clients import Endpoint
from benchbar.languages.packs import labels
from benchbar.law.index import load_corpus
from benchbar.law.shown import accusations
from support import forked

QUESTION = "试用期最长可以约定多久？"


@pytest.mark.parametrize(
    ("question", "leaning"),
    [
        ("试用期最长可以约定多久？", False),
        ("如果合同只有一年呢？", True),
        ("那要赔多少？", True),
        ("卖了以后我还能接着住吗？", True),
        ("过了三年还能要吗？", True),
        ("За сколько дней предупреждают об увольнении по сокращению штата?", False),
        ("А если она беременна?", True),
        ("Сколько алиментов я буду на них платить?", True),
        ("How many weeks of notice must a landlord give to end a tenancy?", False),
        ("And if the rent is late?", True),
        ("Why?", True),
    ],
)
def test_a_follow_up_is_told_by_its_wording(question, leaning):
    """A connective, a pronoun, or hardly a word of its own."""
    assert leans(question) is leaning


def test_a_follow_up_is_read_with_the_question_before_it():
    """It is answered with the matter; a new question that stands alone is answered alone."""
    matter = benchbar.Conversation()
    first = matter.ask(QUESTION)
    assert first.understood == QUESTION
    second = matter.ask("如果合同只有一年呢？")
    assert second.understood == f"{QUESTION}\n如果合同只有一年呢？"
    assert second.consultation.articles[0] == first.consultation.articles[0]
    assert matter.understood("出租人多久退还押金才算逾期？") == "出租人多久退还押金才算逾期？"


def test_facts_are_a_list_that_can_be_mended():
    """They stand before every question that does not say them; what is struck out is forgotten."""
    matter = benchbar.Conversation(facts=["契约期限为一年"])
    assert matter.understood(QUESTION) == f"契约期限为一年\n{QUESTION}"
    matter.facts[0] = "契约期限为三年"
    assert matter.understood(QUESTION).startswith("契约期限为三年")
    matter.facts.clear()
    assert matter.understood(QUESTION) == QUESTION
    assert stated("I pay rent. May he evict me? He shouted.") == ["I pay rent.", "He shouted."]


def test_sources_keep_their_numbers():
    """A source has one number in all answers, and a number one source; texts name them by it."""
    matter = benchbar.Conversation()
    for question in (QUESTION, "出租人不退押金怎么办？", "如果合同只有一年呢？", QUESTION):
        matter.ask(question)
    named = {(one.number, one.id) for turn in matter.answered for one in turn.consultation.context}
    assert len({number for number, _ in named}) == len({id_ for _, id_ in named}) == len(named)
    first, last = matter.answered[0].consultation, matter.answered[-1].consultation
    assert first == last
    for turn in matter.answered:
        numbers = {one.number for one in turn.consultation.context}
        assert {one.number for one in turn.consultation.statements} <= numbers


def test_numbers_change_in_texts_and_records_alike():
    """[1] in the text is the source whose number was 1."""
    found = benchbar.ask(QUESTION)
    moved = renumbered(found, lambda number: number + 10)
    assert f"[{found.articles[0].number + 10}]" in moved.rule
    assert f"[{found.articles[0].number}]" not in moved.rule
    assert moved.articles[0].number == found.articles[0].number + 10


@pytest.mark.parametrize(
    ("question", "silent"),
    [
        (QUESTION, False),
        ("Можно ли расторгнуть договор аренды досрочно?", False),
        ("Can a tenant end a lease early?", False),
        ("东京的餐馆现在一小时一般给多少？", True),
        ("Сколько сейчас стоит построить баню в Казани?", True),
        ("Which solicitor in Hull has won the most cases?", True),
    ],
)
def test_library_command_page_and_conversation_give_one_answer(question, silent):
    """The same question has the same answer, or the same silence with its reason, wherever it is asked, in each language."""
    found = benchbar.ask(question)
    text = as_text(found)
    assert bool(found.abstained) == silent
    assert benchbar.Conversation().ask(question).consultation == found
    assert text in CliRunner().invoke(ask_command, [question]).output
    assert text in CliRunner().invoke(chat_command, input=f"{question}\n").output
    page = CorpusConsultant(None)(question, "general")
    assert page.abstained == found.abstained
    assert [part.text for part in page.parts] == [one for one in (found.rule, found.practice, found.conclusion) if one]
    assert [one.number for one in page.sources] == [one.number for one in found.context]


def in_terminal(*arguments: str, lines: tuple[str, ...]) -> tuple[str, int]:
    """What `benchbar` shows in a terminal where these lines are typed, and its exit code."""
    ours, its = pty.openpty()
    with forked.started(*arguments, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        os.write(ours, "".join(f"{line}\n" for line in lines).encode())
        shown = b""
        with suppress(OSError):  # Linux tells the end of a terminal as an error
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*m|\r", "", shown.decode()), process.returncode


@pytest.mark.parametrize(("model", "begins"), [("consultant", 1), ("stumbles", 2)])
def test_a_models_words_come_piece_by_piece_and_anew_where_the_stream_is_cut(chat_server, model, begins):
    """In a terminal; the whole answer follows once, after the words that came, under the warning that the law is invented."""
    endpoint = ("--model", model, "--base-url", chat_server.base_url)
    shown, code = in_terminal("chat", *endpoint, lines=(QUESTION, "/quit"))
    assert code == 0
    came, _, answer = shown.partition("澜海共和国")
    assert came.count(f"{model}认为") == begins
    assert answer.count(f"\n{model}认为") == 1
    assert chat_server.stats()["requests"][model] == begins


def test_a_question_without_an_answer_ends_no_conversation(chat_server, tmp_path):
    """It is told with its cause; the next line is taken, what was answered is saved, and the exit code says that one failed."""
    endpoint = ("--model", "locked", "--base-url", chat_server.base_url)
    document = tmp_path / "answers.docx"
    shown, code = in_terminal(
        "chat", *endpoint, "--save", str(document), lines=(QUESTION, "/fact 每月领工资", "/facts", "/quit")
    )
    assert "HTTP 401" in shown
    assert "1. 每月领工资" in shown.partition("HTTP 401")[2]
    assert (code, document.exists()) == (1, True)


def test_a_document_warns_of_what_no_passage_bears_out(chat_server, tmp_path):
    """A model's citations and sentences that are to be checked stand in the file as in the terminal: it is what is passed on."""
    matter = benchbar.Conversation(model=Endpoint(model="consultant", base_url=chat_server.base_url))
    answered = matter.ask(QUESTION).consultation
    assert answered.unsupported
    corpus = load_corpus(bundled_law(QUESTION))
    write_docx(matter.answered, tmp_path / "a.docx", lambda _: corpus)
    with zipfile.ZipFile(tmp_path / "a.docx") as package:
        body = package.read("word/document.xml").decode()
    assert all(one in body for one in (*answered.outside_context, *answered.unsupported))
    assert labels("zh", "words")("law_practice.unsupported") in body


@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_citation_of_a_models_answer_says_what_became_of_it(language, tmp_path):
    """The gravest verdict first, the day, the file without its folders, how often such verdicts are right, that day's text beside the claim, and how a nickname is told: in the document and for a program."""
    text = "依照《民事基本法》第五十八条，定金不得超过合同价款的百分之三十。《民事基本法》第九百条另有规定，《民事本法》第三条也是。"
    corpus, say = load_corpus(bundled_law(QUESTION)), labels(language, "report")
    found = Consultation(
        question=QUESTION, language=language, form="general", generator="model:x", rule=text, invented="澜海共和国"
    )
    write_docx([Answered(QUESTION, QUESTION, found)], tmp_path / "a.docx", lambda _: corpus, on="2024-01-01")
    with zipfile.ZipFile(tmp_path / "a.docx") as package:
        body = html.unescape(package.read("word/document.xml").decode())
    first = say("gate_reason.between").join([say("claim.contradicts"), say("how.in_invented_law")])
    day = say("claim.day", day="2024-01-01")
    assert f"《民事基本法》第五十八条 — {first} ({day}{say('gate_reason.between')}civil-2020.md)" in body
    assert f"《民事基本法》第九百条 — {say('citation.no_such_article')} ({day})" in body
    figures = accusations().rows["invented zh"].figures
    assert say("accusation.measured", language=say("tongue.zh"), **figures) in body
    assert say("claim.text", text="定金不得超过合同价款的百分之三十") in body
    article, absent, unknown = checked_documents(found, corpus, "2024-01-01")
    assert say("claim.article", text=" ".join(str(article["law_says"]).split())[:100]) in body
    assert [one["verdict"] for one in (article, absent)] == ["contradicts", "no_such_article"]
    assert (article["day"], article["status"]) == ("2024-01-01", "verified")
    assert [one["of"] for one in (*article["precision"], *absent["precision"])] == ["contradicts number", "invented"]
    assert unknown["verdict"] in {"not_recognised", "no_such_law"}
    assert say("cited.nickname", command="").strip() in body


def test_an_event_loop_asks_without_blocking():
    """``ask_async`` keeps the same memory."""
    import asyncio

    matter = benchbar.Conversation()
    answered = asyncio.run(matter.ask_async(QUESTION))
    assert matter.answered == [answered]


def test_a_document_has_its_sources_as_footnotes(tmp_path):
    """Each reference is a footnote with citation, words and file of the source; that the law is invented is said in the answer's language."""
    matter = benchbar.Conversation()
    corpus = load_corpus(bundled_law(QUESTION))
    matter.ask(QUESTION)
    matter.ask("火星上怎么办理签证？")
    write_docx(matter.answered, tmp_path / "a.docx", lambda _: corpus)
    with zipfile.ZipFile(tmp_path / "a.docx") as package:
        notes = ET.fromstring(package.read("word/footnotes.xml"))
        body = package.read("word/document.xml").decode()
        assert "footnotes+xml" in package.read("[Content_Types].xml").decode()
        assert "footnotes.xml" in package.read("word/_rels/document.xml.rels").decode()
    texts = ["".join(note.itertext()).strip() for note in notes]
    assert len(texts) > 2
    assert texts[2].startswith("《劳动契约法》第八条")
    # The file's name and no folder of whoever made the document; a source that is cited again leads back to its first note.
    assert "labour-2023.md)" in texts[2]
    assert not any("/model-jurisdiction" in text for text in texts)
    assert texts[3] == "《劳动契约法》第八条: 见注 1"
    assert "最接近的内容" in body
    assert body.count("虚构的法律") == 2
    assert body.count("footnoteReference") == len(texts) - 2
    assert "[1]" not in body
