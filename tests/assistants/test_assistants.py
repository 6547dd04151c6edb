"""Assistants under test: all pass the same examination, and each has rules of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchbar.assistants import closed_book, http, python
from benchbar.assistants.build import build, parse_assistant
from benchbar.assistants.chat import ChatAssistant
from benchbar.assistants.extractive import Extractive
from benchbar.assistants.http import fill, pick
from benchbar.assistants.recorded import RecordedAnswers
from benchbar.law.corpus import Corpus
from benchbar.records import Reply, Sample, Turn
from benchbar.records.errors import BadInputError, TruncatedJsonError, UserError
from benchbar.records.protocols import Assistant
from benchbar.suites.load import load
from benchbar.testing import AssistantConformance


class Parrot:
    """A model that says what it heard."""

    identity = "parrot"

    async def ask(self, messages: Sequence[Turn], *, role: str, repeat: int = 0, attempt: int = 0) -> Reply:
        return Reply(content=" | ".join(f"{turn.role}:{turn.content}" for turn in messages))


class Service:
    """A context whose way out is a service that answers with what it was posted."""

    language = "zh"

    async def post(self, url, body, headers, seconds) -> bytes:
        return json.dumps({"data": [{"text": body.decode()}]}).encode()


def bundled_corpus() -> Corpus:
    return Corpus.from_folder(load("model-jurisdiction-zh").law)


class TestChat(AssistantConformance):
    def make(self) -> Assistant:
        return ChatAssistant(Parrot())


class TestClosedBook(AssistantConformance):
    def make(self) -> Assistant:
        return closed_book.build()


class TestExtractive(AssistantConformance):
    corpus = None

    def make(self) -> Assistant:
        TestExtractive.corpus = TestExtractive.corpus or bundled_corpus()
        return Extractive(TestExtractive.corpus, articles=2, language="zh")


class TestPythonFunction(AssistantConformance):
    def make(self) -> Assistant:
        return python.PythonAssistant(lambda turns: f"您说：{turns[-1].content}", "f")


class TestHttp(AssistantConformance):
    def make(self) -> Assistant:
        return http.build(Service(), url="http://x", answer="data.0.text")


async def test_extractive_quotes_and_cites_the_law_in_force():
    """Its answer holds the article's own words and its citation."""
    corpus = bundled_corpus()
    reply = await Extractive(corpus, articles=1, language="zh").reply(
        (Turn(role="user", content="试用期最长可以约定多久？"),)
    )
    quoted = reply.content.split("：“")[1].split("”")[0]
    assert any(article.text == quoted for article in corpus.articles)
    assert "《" in reply.content
    assert "第" in reply.content


async def test_extractive_looks_up_an_article_that_is_named():
    """Who asks for an article by its number gets that article, not one with similar words."""
    corpus = bundled_corpus()
    wanted = corpus.find_articles("房屋租赁法", "7")[0]
    asked = (Turn(role="user", content="《房屋租赁法》第七条的原文是什么？"),)
    reply = await Extractive(corpus, articles=1, language="zh").reply(asked)
    assert wanted.text in reply.content


async def test_extractive_says_when_it_finds_nothing():
    """No article is better than a wrong one."""
    reply = await Extractive(bundled_corpus(), articles=1, language="zh").reply((Turn(role="user", content="@@@@"),))
    assert "没有找到" in reply.content


async def test_system_turns_are_joined_before_the_dialogue():
    """Many chat templates take a single system message, and only first."""
    turns = (Turn(role="system", content="材料"), Turn(role="user", content="问"))
    assert (await ChatAssistant(Parrot(), system="规则").reply(turns)).content == "system:规则\n\n材料 | user:问"


def test_a_body_template_is_filled_in_one_pass():
    """What a user said is never read as a field of the template."""
    turns = (Turn(role="user", content="{conversation} {messages}"),)
    template = {"q": "<{question}>", "all": "{messages}", "deep": [{"c": "{conversation}"}], "n": 3}
    assert fill(template, turns) == {
        "q": "<{conversation} {messages}>",
        "all": [{"role": "user", "content": "{conversation} {messages}"}],
        "deep": [{"c": "user: {conversation} {messages}"}],
        "n": 3,
    }


@pytest.mark.parametrize("path", ["a.x", "a.5", "a.0.t.z", "n"])
def test_an_answer_that_is_not_where_it_should_be_is_an_error(path):
    """It names the path."""
    with pytest.raises(TruncatedJsonError, match=path.replace(".", r"\.")):
        pick(b'{"a": [{"t": "x"}], "n": 3}', path)


def test_http_headers_come_from_the_environment(monkeypatch):
    """A key is named, never written."""
    monkeypatch.delenv("MY_HEADER", raising=False)
    with pytest.raises(UserError, match="MY_HEADER is not set"):
        http.build(Service(), url="http://x", headers_env={"X-Key": "MY_HEADER"})


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


SAMPLE = Sample(id="1-1-001", task="1-1", needs="第一条是什么？")


def test_recorded_answers_are_found_by_sample(tmp_path):
    """One answer, or all turns; JSONL or CSV; a sample without one has none."""
    jsonl = write(tmp_path / "a.jsonl", '{"sample": "1-1-001", "answer": "原文如下"}\n')
    assert RecordedAnswers(jsonl).dialogue(SAMPLE).turns[-1] == Turn(role="assistant", content="原文如下")
    csv = write(tmp_path / "a.csv", "sample,answer\n1-1-001,原文如下\n")
    assert RecordedAnswers(csv).dialogue(SAMPLE).turns[0].content == SAMPLE.needs
    turns = [{"role": "user", "content": "问"}, {"role": "assistant", "content": "答"}]
    talk = write(tmp_path / "t.jsonl", json.dumps({"sample": "1-1-001", "turns": turns}))
    assert [turn.content for turn in RecordedAnswers(talk).dialogue(SAMPLE).turns] == ["问", "答"]
    assert RecordedAnswers(csv).dialogue(Sample(id="other", task="1-1", needs="x")) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"answer": "x"}', ":1: field `sample`"),
        ('{"sample": "1"}', "neither answer nor turns"),
        ('{"sample": "1", "answer": "a"}\n{"sample": "1", "answer": "b"}', ":2: field `sample`: a second answer"),
        ('{"sample": "1", "answer": "a"}\n{broken', ":2: not valid JSON"),
        ('{"sample": "1", "turns": [{"role": "judge", "content": "x"}]}', "field `turns\\[0\\]`: unknown role"),
    ],
)
def test_a_broken_recording_is_named_by_file_line_and_field(tmp_path, text, message):
    """Nothing is guessed about who answered what."""
    with pytest.raises(BadInputError, match=message):
        RecordedAnswers(write(tmp_path / "a.jsonl", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=closed-book", ("a", {"kind": "closed-book"})),
        ("a=openai:m@http://h/v1", ("a", {"kind": "openai", "model": "m", "base_url": "http://h/v1"})),
        (
            "a=openai:org/m@http://h/v1,tries=2",
            ("a", {"kind": "openai", "model": "org/m", "base_url": "http://h/v1", "tries": 2}),
        ),
        ("a=python:mod:obj", ("a", {"kind": "python", "object": "mod:obj"})),
        ("a=recorded:answers.jsonl", ("a", {"kind": "recorded", "file": "answers.jsonl"})),
        ("a=extractive:articles=5", ("a", {"kind": "extractive", "articles": 5})),
    ],
)
def test_assistants_are_named_on_the_command_line(text, expected):
    """Each kind has a short form."""
    assert parse_assistant(text) == expected


@pytest.mark.parametrize("text", ["a", "a=", "=openai", "a=extractive:articles"])
def test_a_short_form_that_cannot_be_read_says_what_was_expected(text):
    """With an example."""
    with pytest.raises(UserError, match="expected|key=value"):
        parse_assistant(text)


def test_an_unknown_kind_is_answered_with_the_known_ones():
    """And an unknown setting with the settings that the kind takes."""
    with pytest.raises(UserError, match="closed-book.*extractive"):
        build("a", {"kind": "oracle"}, Service())
    with pytest.raises(UserError, match="settings it takes: .*url"):
        build("a", {"kind": "http", "uri": "x"}, Service())
    with pytest.raises(UserError, match="no kind"):
        build("a", {}, Service())
