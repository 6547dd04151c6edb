"""What a reasoning model thinks is kept apart from what it says, however the endpoint or a file hands it over."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients import ChatModel, Client, Endpoint
from benchbar.clients.protocol import read_completion
from benchbar.ledger import Ledger
from benchbar.records import Turn
from benchbar.records.errors import EmptyContentError
from benchbar.records.thoughts import parted

CASES = [
    ("no thoughts", "盗窃罪。", "盗窃罪。", ""),
    ("a closed block", "<think>甲？乙？</think>\n\n不知道。", "不知道。", "甲？乙？"),
    ("capitals and spaces", "<Thinking >甲</ thinking>乙", "乙", "甲"),
    ("only the closing tag", "甲？乙？</think>不知道。", "不知道。", "甲？乙？"),
    ("two blocks", "<think>甲</think>乙<think>丙</think>丁", "乙丁", "甲\n丙"),
    ("a block within a block", "<think>甲<think>乙</think>丙", "丙", "甲\n乙"),
    ("never closed", "<think>甲？乙？", "", "甲？乙？"),
    ("words like the tag", "I think <thing> so", "I think <thing> so", ""),
]


@pytest.mark.parametrize(("text", "answer", "thoughts"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_answer_is_parted_from_its_thoughts(text, answer, thoughts):
    """Whatever the tags look like, and wherever they stand."""
    assert parted(text) == (answer, thoughts)


@given(st.text(alphabet=st.sampled_from("ab<>/ think"), max_size=200))
def test_text_without_thoughts_is_untouched(text):
    """Where nothing was thought, every character stays; where something was, the answer holds none of it twice."""
    answer, thoughts = parted(text)
    assert len(answer) + len(thoughts) <= len(text)
    assert thoughts or answer == text or "<" in text


@pytest.fixture
async def client(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    opened = Client(ledger, concurrency=2)
    yield opened
    await opened.close()
    ledger.close()


@pytest.mark.parametrize("name", ["thinks", "thinks-untagged"])
async def test_a_models_thoughts_do_not_reach_its_reply(chat_server, client, name):
    """The reply is what follows; the thoughts are kept beside it."""
    model = ChatModel(Endpoint(model=name, base_url=chat_server.base_url), client)
    reply = await model.ask([Turn(role="user", content="问题")], role="assistant")
    assert "盗窃罪" not in reply.content
    assert "问题" in reply.content
    assert reply.thoughts == "危险驾驶罪？盗窃罪？"


async def test_thoughts_that_never_end_are_no_answer(chat_server, client):
    """The error says what to raise."""
    model = ChatModel(Endpoint(model="thinks-on", base_url=chat_server.base_url, tries=1), client)
    with pytest.raises(EmptyContentError, match="raise max_tokens"):
        await model.ask([Turn(role="user", content="问题")], role="assistant")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_in_a_field_of_their_own_are_kept(field):
    """As vLLM, DeepSeek and OpenRouter hand them over."""
    message = {"role": "assistant", "content": "不知道。", field: "甲？乙？"}
    reply = read_completion(json.dumps({"choices": [{"message": message}]}).encode())
    assert (reply.content, reply.thoughts) == ("不知道。", "甲？乙？")


def test_recorded_thoughts_meet_no_guidance(benchbar, tmp_path):
    """Recorded answers with and without thoughts are marked alike; the thoughts name what the guidance asks for."""
    samples = {"id": "s1", "task": "4-3", "needs": "什么罪？", "guidance": "答案参考：盗窃罪。"}
    suite = tmp_path / "mine"
    suite.mkdir()
    (suite / "card.toml").write_text('name = "mine"\nlanguage = "zh"\n', "utf-8")
    (suite / "samples.jsonl").write_text(json.dumps(samples, ensure_ascii=False), "utf-8")
    for name, said in (("plain", "不知道。"), ("thinks", "<think>盗窃罪？</think>不知道。")):
        row = json.dumps({"sample": "s1", "answer": said}, ensure_ascii=False)
        (tmp_path / f"{name}.jsonl").write_text(row, "utf-8")
    done = benchbar(
        "run", "--suite", "mine", "--assistant", "plain=recorded:plain.jsonl", "--assistant",
        "thinks=recorded:thinks.jsonl", "--reference", "plain", "--out", "r", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in (tmp_path / "r" / "measures.jsonl").read_text("utf-8").splitlines()]
    assert {row["assistant"]: row["values"]["point_score"] for row in rows} == {"plain": 0.0, "thinks": 0.0}
    assert "盗窃" not in (tmp_path / "r" / "dialogues.jsonl").read_text("utf-8")
