"""A conversation with the consultant: follow-ups, facts, sources that keep their numbers, answers as a document."""

from __future__ import annotations

import zipfile
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

import benchbar
from benchbar.assistants.answer_docx import write_docx
from benchbar.assistants.conversation import leans, renumbered, stated
from benchbar.assistants.law_practice import as_text
from benchbar.cli.ask import command as ask_command
from benchbar.cli.chat import command as chat_command
from benchbar.cli.consulting import CorpusConsultant

QUESTION = "试用期最长可以约定多久？"


@pytest.mark.parametrize(
    ("question", "leaning"),
    [
        ("试用期最长可以约定多久？", False),
        ("如果合同只有一年呢？", True),
        ("那要赔多少？", True),
        ("За сколько дней предупреждают об увольнении по сокращению штата?", False),
        ("А если она беременна?", True),
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
    assert f"[{found.context[0].number + 10}]" in moved.rule
    assert "[1]" not in moved.rule
    assert moved.articles[0].number == found.articles[0].number + 10


def test_library_command_page_and_conversation_give_one_answer():
    """The same question has the same answer wherever it is asked."""
    found = benchbar.ask(QUESTION)
    text = as_text(found)
    assert benchbar.Conversation().ask(QUESTION).consultation == found
    assert text in CliRunner().invoke(ask_command, [QUESTION]).output
    assert text in CliRunner().invoke(chat_command, input=f"{QUESTION}\n").output
    page = CorpusConsultant(None)(QUESTION, "general")
    assert [part.text for part in page.parts] == [found.rule, found.practice, found.conclusion]
    assert [one.number for one in page.sources] == [one.number for one in found.context]


def test_an_event_loop_asks_without_blocking():
    """``ask_async`` keeps the same memory."""
    import asyncio

    matter = benchbar.Conversation()
    answered = asyncio.run(matter.ask_async(QUESTION))
    assert matter.answered == [answered]


def test_a_document_has_its_sources_as_footnotes(tmp_path):
    """Each reference is a footnote with the citation and the words of the source; Word's own two come first."""
    matter = benchbar.Conversation()
    matter.ask(QUESTION)
    matter.ask("火星上怎么办理签证？")
    write_docx(matter.answered, tmp_path / "a.docx")
    with zipfile.ZipFile(tmp_path / "a.docx") as package:
        notes = ET.fromstring(package.read("word/footnotes.xml"))
        body = package.read("word/document.xml").decode()
        assert "footnotes+xml" in package.read("[Content_Types].xml").decode()
        assert "footnotes.xml" in package.read("word/_rels/document.xml.rels").decode()
    texts = ["".join(note.itertext()).strip() for note in notes]
    assert len(texts) > 2
    assert texts[2].startswith("《劳动契约法》第八条")
    assert body.count("footnoteReference") == len(texts) - 2
    assert "[1]" not in body
