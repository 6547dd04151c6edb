"""Exports of chat programs become questions and recorded answers; the branch that was taken is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.records.errors import BadInputError
from benchbar.suites.load import load
from benchbar.tables.chat_exports import chat_export
from support.in_process import runner

QUESTION = "How many days of notice must a tenant give?"


def node(name: str, parent: str | None, role: str, text: str, **message: object) -> dict[str, object]:
    """A node of ChatGPT's tree."""
    content = {"content_type": "text", "parts": [text]}
    return {"id": name, "parent": parent, "message": {"author": {"role": role}, "content": content, **message}}


def chatgpt(name: str, *nodes: dict[str, object], last: str) -> dict[str, object]:
    """A conversation of ChatGPT's export."""
    mapping = {one["id"]: one for one in nodes}
    return {"title": "t", "conversation_id": name, "current_node": last, "mapping": {"root": {"id": "root", "message": None, "parent": None}, **mapping}}  # fmt: skip


BRANCHED = chatgpt(
    "c1",
    node("h", "root", "system", "hidden"),
    node("q", "h", "user", QUESTION),
    node("a1", "q", "assistant", "Ten days."),
    node("call", "q", "assistant", "search('notice')", recipient="web"),
    node("tool", "call", "tool", "results"),
    node("a2", "tool", "assistant", "Thirty days."),
    node("a3", "a2", "assistant", "In writing."),
    last="a3",
)
CLAUDE = {
    "uuid": "k1",
    "chat_messages": [
        {"uuid": "1", "sender": "human", "text": QUESTION},
        {"uuid": "2", "sender": "assistant", "text": "", "content": [{"type": "text", "text": "Ten days."}], "parent_message_uuid": "1"},
        {"uuid": "3", "sender": "assistant", "text": "Thirty days.", "parent_message_uuid": "1"},
    ],
}  # fmt: skip
PLAIN = [
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": [{"type": "text", "text": "Thirty days."}]},
]


@pytest.mark.parametrize(
    ("document", "answer", "told"),
    [
        ([BRANCHED], "Thirty days.\n\nIn writing.", "branch that was open last; 1 answers stand on other branches"),
        ([CLAUDE], "Thirty days.", "branch that was open last; 1 answers stand on other branches"),
        (PLAIN, "Thirty days.", "1 conversations, of which 0 have more than one question"),
        ([PLAIN], "Thirty days.", "1 conversations"),
        ({"messages": PLAIN}, "Thirty days.", "1 conversations"),
    ],
)
def test_an_export_becomes_a_suite_and_an_assistant(tmp_path, monkeypatch, document, answer, told):
    """Question and answer are those of the branch that the user saw last; what was left is said before anything is used."""
    (tmp_path / "conversations.json").write_text(json.dumps(document), "utf-8")
    done = runner(tmp_path, monkeypatch)("start", "conversations.json", "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert told in done.out
    assert "assistant conversations: answers to 1 of 1 questions are there already" in done.out
    suite = load("transcripts:conversations.json", base=tmp_path)
    assert [one.needs for one in suite.samples] == [QUESTION]
    dialogue = RecordedAnswers(tmp_path / "conversations.json").dialogue(suite.samples[0])
    assert dialogue.turns[-1].content == answer


def test_conversations_without_an_answer_are_counted_and_left_out(tmp_path):
    """One that was broken off would end the reading of the good ones."""
    broken = chatgpt("c2", node("q", "root", "user", "Hello?"), last="q")
    (tmp_path / "c.json").write_text(json.dumps([BRANCHED, broken, BRANCHED]), "utf-8")
    suite = load("transcripts:c.json", base=tmp_path)
    assert len(suite.samples) == 1
    assert "left out: 2 without a question and an answer to it, or there twice" in suite.understood


def test_a_tree_that_bites_its_tail_ends(tmp_path: Path):
    """Parents in a circle, a last message that is not there, and nodes that are none of either."""
    circle = chatgpt("c", node("a", "b", "assistant", "x"), node("b", "a", "user", "y"), last="a")
    assert chat_export([circle]).rows
    lost = chatgpt(
        "c", node("q", "root", "user", "y", create_time=1), node("a", "q", "assistant", "x", create_time=2), last="gone"
    )
    assert chat_export([lost]).rows
    (tmp_path / "c.json").write_text(json.dumps([{"mapping": {"a": 7, "b": []}, "current_node": ["a"]}]), "utf-8")
    with pytest.raises(BadInputError, match=r"c\.json"):
        load("transcripts:c.json", base=tmp_path)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "mapping",
                    "chat_messages",
                    "messages",
                    "role",
                    "content",
                    "parts",
                    "parent",
                    "message",
                    "current_node",
                    "sender",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JUNK)
def test_no_document_is_more_than_it_can_read(document):
    """Whatever JSON holds, it is an export or it is none."""
    found = chat_export(document)
    assert found is None or all(row["messages"] for _, row in found.rows)


def test_heads_of_transcripts_may_be_capitalised_and_what_is_not_read_is_said(tmp_path):
    """An expected answer under `Reference` is one; a category is named as left, where it would be looked for."""
    row = {"ID": "r1", "Messages": PLAIN, "Reference": "Thirty days.", "Category": "lease"}
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    suite = load(f"transcripts:{tmp_path / 'q.jsonl'}")
    assert [(one.id, one.needs, one.reference) for one in suite.samples] == [("r1", QUESTION, "Thirty days.")]
    assert suite.understood[:2] == (
        "read q.jsonl: JSON lines; 1 questions, 1 with an expected answer",
        "not read: Category",
    )
    assert RecordedAnswers(tmp_path / "q.jsonl").dialogue(suite.samples[0]).turns[-1].content == "Thirty days."
