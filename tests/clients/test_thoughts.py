"""What a reasoning model thinks is kept apart from what it says, however the endpoint or a file hands it over."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.clients import ChatModel, Endpoint
from benchbar.clients.protocol import read_completion
from benchbar.clients.streaming import ON_TEXT
from benchbar.records import Turn
from benchbar.records.errors import EmptyContentError
from benchbar.records.thoughts import AnswerStream, parted

CASES = [
    ("no thoughts", "盗窃罪。", "盗窃罪。", ""),
    ("a closed block", "<think>甲？乙？</think>\n\n不知道。", "不知道。", "甲？乙？"),
    ("capitals and spaces", "<Thinking >甲</ thinking>乙", "乙", "甲"),
    ("only the closing tag", "甲？乙？</think>不知道。", "不知道。", "甲？乙？"),
    ("two blocks", "<think>甲</think>乙<think>丙</think>丁", "乙丁", "甲\n丙"),
    ("a block within a block", "<think>甲<think>乙</think>丙", "丙", "甲\n乙"),
    ("never closed", "<think>甲？乙？", "", "甲？乙？"),
    ("words like the tag", "I think <thing> so", "I think <thing> so", ""),
    # Further wordings.
    ("the tag of other models", "<thought>甲？</thought>乙", "乙", "甲？"),
    ("reasoning", "<reasoning>甲？</reasoning>乙", "乙", "甲？"),
    ("capitals alone", "<THINK>甲</THINK>乙", "乙", "甲"),
    ("line breaks within", "<think>\n甲\n\n乙\n</think>\n\n丙", "丙", "甲\n\n乙"),
    ("behind the answer", "盗窃罪。<think>对吗？</think>", "盗窃罪。", "对吗？"),
    ("amid the answer", "构成<think>盗窃？诈骗？</think>诈骗罪。", "构成诈骗罪。", "盗窃？诈骗？"),
    ("an empty block", "<think></think>不知道。", "不知道。", ""),
    ("blank space alone", "<think>\n\n</think>\n\n不知道。", "不知道。", ""),
    ("never closed behind an answer", "不知道。<think>甲？", "不知道。", "甲？"),
    ("a second one never closed", "<think>甲</think>乙<think>丙", "乙", "甲\n丙"),
    ("a list as thoughts", "<think>1. 甲罪\n2. 乙罪</think>无法判断。", "无法判断。", "1. 甲罪\n2. 乙罪"),
    (
        "a citation as thought",
        "<think>《刑法》第二百六十四条？</think>不知道。",
        "不知道。",
        "《刑法》第二百六十四条？",
    ),
    ("an English answer", "<think>Is it theft?</think>I do not know.", "I do not know.", "Is it theft?"),
    ("a Russian answer", "<think>Кража?</think>Не знаю.", "Не знаю.", "Кража?"),
    ("a comparison sign", "若金额<三千元，则不构成。", "若金额<三千元，则不构成。", ""),
    ("other markup", "<b>盗窃罪</b>", "<b>盗窃罪</b>", ""),
    # Further formats.
    (
        "gpt-oss",
        "<|channel|>analysis<|message|>甲？<|end|><|start|>assistant<|channel|>final<|message|>不知道。<|return|>",
        "不知道。",
        "甲？",
    ),
    ("gpt-oss that only thought", "<|channel|>analysis<|message|>甲？乙？", "", "甲？乙？"),
    (
        "gpt-oss that called a tool",
        "<|channel|>commentary to=functions.law <|constrain|>json<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>乙",
        "乙",
        "{}",
    ),
    (
        "gpt-oss without its tokens",
        "analysisIs it theft?assistantfinalI do not know.",
        "I do not know.",
        "analysisIs it theft?",
    ),
    ("gpt-oss that only answered", "<|channel|>final<|message|>乙。<|return|>", "乙。", ""),
    ("Kimi", "◁think▷甲？◁/think▷不知道。", "不知道。", "甲？"),
    ("Mistral", "[THINK]甲？[/THINK]不知道。", "不知道。", "甲？"),
    ("Cohere", "<|START_THINKING|>甲？<|END_THINKING|><|START_RESPONSE|>乙。<|END_RESPONSE|>", "乙。", "甲？"),
    (
        "OpenThoughts",
        "<|begin_of_thought|>甲？<|end_of_thought|><|begin_of_solution|>乙。<|end_of_solution|>",
        "乙。",
        "甲？",
    ),
    ("Seed", "<seed:think>甲？</seed:think>乙。", "乙。", "甲？"),
    ("a tag with attributes", '<think duration="3">甲？</think>乙。', "乙。", "甲？"),
    (
        "Open WebUI",
        '<details type="reasoning" done="true" duration="12">\n<summary>Thought for 12 s</summary>\n> 甲？\n</details>\n乙。',
        "乙。",
        "<summary>Thought for 12 s</summary>\n> 甲？",
    ),
    (
        "details that are no thoughts",
        "<details><summary>甲</summary>乙</details>丙",
        "<details><summary>甲</summary>乙</details>丙",
        "",
    ),
    ("a year in brackets", "Smith v Jones [1988] AC 1", "Smith v Jones [1988] AC 1", ""),
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


def test_the_tokens_of_thoughts_are_kept():
    """They are among the output tokens, and paid; a reader should see what they cost."""
    usage = {"prompt_tokens": 5, "completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 80}}
    body = {"choices": [{"message": {"content": "不知道。"}}], "usage": usage}
    reply = read_completion(json.dumps(body).encode())
    assert (reply.usage.output_tokens, reply.thought_tokens) == (90, 80)
    assert read_completion(b'{"choices": [{"message": {"content": "x"}}]}').thought_tokens is None


def test_an_endpoint_may_name_its_own_tags():
    """Besides the usual ones."""
    body = json.dumps({"choices": [{"message": {"content": "<scratchpad>甲？</scratchpad>乙"}}]}).encode()
    assert read_completion(body).content.startswith("<scratchpad>")
    assert read_completion(body, tags=("scratchpad",)).content == "乙"


@pytest.mark.parametrize("text", [case[1] for case in CASES])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_thoughts_are_not_shown_while_an_answer_comes(text, size):
    """What remains on the page is the answer, in pieces of any size; after an empty piece the page begins anew."""
    stream, shown = AnswerStream(), ""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    for piece in [*(one for part in pieces for one in stream.feed(part)), *stream.end()]:
        shown = shown + piece if piece else ""
    assert shown.strip() == parted(text).answer.strip()


@pytest.mark.parametrize("name", ["thinks", "thinks-on"])
async def test_thoughts_do_not_stream_into_the_page(chat_server, client, name):
    """Whoever watches is told the answer alone, and nothing of thoughts that never end."""
    told: list[str] = []
    model = ChatModel(Endpoint(model=name, base_url=chat_server.base_url, tries=1), client)
    token = ON_TEXT.set(told.append)
    try:
        with suppress(EmptyContentError):
            await model.ask([Turn(role="user", content="问题")], role="assistant")
    finally:
        ON_TEXT.reset(token)
    assert "盗窃" not in "".join(told)
    assert ("问题" in "".join(told)) is (name == "thinks")


def test_recorded_thoughts_meet_no_guidance(benchbar, tmp_path):
    """Recorded answers with and without thoughts are marked alike; the thoughts name what the guidance asks for."""
    samples = {"id": "s1", "task": "4-3", "needs": "什么罪？", "guidance": "答案参考：盗窃罪。"}
    suite = tmp_path / "mine"
    suite.mkdir()
    (suite / "card.toml").write_text('name = "mine"\nlanguage = "zh"\n', "utf-8")
    (suite / "samples.jsonl").write_text(json.dumps(samples, ensure_ascii=False), "utf-8")
    for name, said in (
        ("plain", "其行为构成诈骗罪。"),
        ("thinks", "<think>其行为构成盗窃罪。</think>其行为构成诈骗罪。"),
    ):
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
