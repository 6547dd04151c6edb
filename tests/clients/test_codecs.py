"""Models in their providers' own protocols through a real server that is as strict as the services: requests, answers, failures."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price
from benchbar.clients.providers import PROVIDERS
from benchbar.ledger import Ledger
from benchbar.records import Turn
from benchbar.records.errors import (
    AuthenticationError,
    BadRequestError,
    ContentFilterError,
    ContextTooLongError,
    EmptyContentError,
    RateLimitError,
    RefusedError,
    ServerError,
    TruncatedJsonError,
    UnknownModelError,
    UserError,
)
from benchbar.records.protocols import AnswerSchema
from support.provider_answers import KEY

TURNS = [
    Turn(role="system", content="你是律师。"),
    Turn(role="user", content="问题"),
    Turn(role="assistant", content="请说明。"),
    Turn(role="user", content="我十七岁。"),
]
BOTH = pytest.mark.parametrize("protocol", ["anthropic", "gemini"])


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)


@pytest.fixture
async def client(tmp_path: Path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    opened = Client(ledger, concurrency=8)
    yield opened
    await opened.close()
    ledger.close()


def endpoint(server, protocol: str, name: str = "strong", **settings) -> Endpoint:
    version = PROVIDERS[protocol].version
    usual = {"tries": 1, "timeout": 10.0, "api_key_env": "MY_KEY", "base_url": f"{server.url}/{version}"}
    return Endpoint(model=name, protocol=protocol, **{**usual, **settings})


def ask(server, client, protocol: str, name: str = "strong", **settings):
    return ChatModel(endpoint(server, protocol, name, **settings), client).ask(TURNS, role="assistant")


@BOTH
async def test_a_talk_is_answered_with_usage_cost_and_model(chat_server, client, protocol):
    """System prompt, both roles and the key arrive as the service wants them; what it says about the answer is kept."""
    price = Price(input=1e6, output=2e6)
    params = {"temperature": 0.2, "max_tokens": 900, "stop": "终"}
    reply = await ask(chat_server, client, protocol, price=price, params=params)
    read = sum(len(turn.content) for turn in TURNS)
    # Messages counts what was read from and written to a cache apart.
    read += 7 if protocol == "anthropic" else 0
    assert "我十七岁" in reply.content
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (read, len(reply.content))
    assert reply.cost == pytest.approx(read + 2 * len(reply.content))
    assert (reply.model, reply.finish, reply.thoughts) == ("strong-served", "stop", "")


@BOTH
async def test_thoughts_are_kept_apart_and_paid_as_output(chat_server, client, protocol):
    """Blocks and parts of thoughts are no part of the answer; their tokens are counted once."""
    reply = await ask(chat_server, client, protocol, "strong-thinks", price=Price(input=0, output=1e6))
    assert "危险驾驶罪" not in reply.content
    assert (reply.thoughts, reply.thought_tokens, reply.thought_cost) == ("危险驾驶罪？", 30, 30)
    assert reply.usage.output_tokens == len(reply.content) + 30


SAME = {
    "not-json": TruncatedJsonError,
    "truncated": TruncatedJsonError,
    "empty-body": TruncatedJsonError,
    "web-page": TruncatedJsonError,
    "16-mb": TruncatedJsonError,
    "deep": TruncatedJsonError,
    "cut-empty": EmptyContentError,
    "overloaded": ServerError,
    "overloaded-in-200": ServerError,
    "limited": RateLimitError,
    "unknown": UnknownModelError,
    "too-long": ContextTooLongError,
    "bad-request": BadRequestError,
    "forbidden": AuthenticationError,
}
FAILURES = {
    **{("anthropic", name): error for name, error in SAME.items()},
    **{("gemini", name): error for name, error in SAME.items()},
    ("anthropic", "no-blocks"): EmptyContentError,
    ("anthropic", "null-content"): TruncatedJsonError,
    ("anthropic", "unknown-blocks"): EmptyContentError,
    ("anthropic", "only-tools"): EmptyContentError,
    ("anthropic", "refuses"): RefusedError,
    ("anthropic", "refuses-late"): RefusedError,
    ("anthropic", "content-is-text"): TruncatedJsonError,
    ("anthropic", "block-is-number"): TruncatedJsonError,
    ("anthropic", "too-large"): ContextTooLongError,
    ("anthropic", "filtered"): ContentFilterError,
    ("gemini", "no-candidates"): TruncatedJsonError,
    ("gemini", "no-content"): EmptyContentError,
    ("gemini", "no-parts"): EmptyContentError,
    ("gemini", "unknown-parts"): EmptyContentError,
    ("gemini", "only-thoughts"): EmptyContentError,
    ("gemini", "blocked"): ContentFilterError,
    ("gemini", "safety"): ContentFilterError,
    ("gemini", "safety-late"): ContentFilterError,
    ("gemini", "recited"): ContentFilterError,
    ("gemini", "candidates-is-text"): TruncatedJsonError,
}


@pytest.mark.parametrize(
    ("case", "error"), FAILURES.items(), ids=lambda one: "-".join(one) if isinstance(one, tuple) else ""
)
async def test_each_hostile_answer_has_the_name_that_it_has_in_chat(chat_server, client, case, error):
    """Refusals, filters, limits, overload, broken and overlong bodies end in the named errors of every protocol."""
    protocol, name = case
    with pytest.raises(error) as caught:
        await ask(chat_server, client, protocol, name)
    assert type(caught.value) is error


@pytest.mark.parametrize(("name", "finish"), [("cut", "length"), ("unknown-beside", "stop")])
@BOTH
async def test_text_beside_what_nobody_knows_is_the_answer(chat_server, client, protocol, name, finish):
    """Unknown blocks are left out; an answer that was cut says so in the word of every protocol."""
    reply = await ask(chat_server, client, protocol, name)
    assert (reply.content, reply.finish) == ("一个回答", finish)


@BOTH
async def test_a_wrong_key_is_named_as_one(chat_server, client, protocol, monkeypatch):
    """Gemini answers it with 400, which else would mean a bad request."""
    monkeypatch.setenv("MY_KEY", "wrong")
    with pytest.raises(AuthenticationError):
        await ask(chat_server, client, protocol)


HELD = AnswerSchema(
    name="verdict",
    fields={"reasons": {"type": "string", "maxLength": 50}, "verdict": {"type": "string", "enum": ["1", "2"]}},
    decides="verdict",
    choices=("1", "2"),
)


@pytest.mark.parametrize(("name", "holds"), [("judge-schema", True), ("strong", False)])
@BOTH
async def test_whether_answers_are_held_to_a_schema_is_asked_for(chat_server, client, protocol, name, holds):
    """The same probe as in chat, with the field of each protocol; a service that does not read it is asked for text."""
    assert await ChatModel(endpoint(chat_server, protocol, name), client).holds_to_schemas() is holds


@BOTH
async def test_an_answer_is_asked_once(chat_server, client, protocol):
    """The ledger knows a call in every protocol."""
    model = ChatModel(endpoint(chat_server, protocol), client)
    first, second = [await model.ask(TURNS, role="assistant") for _ in range(2)]
    assert first == second
    assert chat_server.stats()["requests"] == {"strong": 1}


async def test_one_address_in_two_protocols_is_two_models(chat_server):
    """What is sent differs, so no call is answered by that of the other; chat keeps the name that stored runs know."""
    address = f"{chat_server.url}/v1"
    spoken = [endpoint(chat_server, one, base_url=address).identity for one in ("chat", "anthropic", "gemini")]
    assert spoken == [f"strong@{address}", f"strong@{address} (anthropic)", f"strong@{address} (gemini)"]


async def test_a_budget_bounds_what_each_protocol_may_cost(chat_server, tmp_path):
    """Without a bound of the user's own the usual one is sent, under the name of the protocol."""
    with_budget = Client(Ledger(tmp_path / "l.sqlite"), budget=Budget(1.0))
    try:
        for protocol in ("anthropic", "gemini"):
            model = ChatModel(endpoint(chat_server, protocol, price=Price(input=1, output=1)), with_budget)
            assert model.room == 4096
            assert (await model.ask(TURNS, role="assistant")).content
    finally:
        await with_budget.close()
        with_budget.ledger.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"protocol": "anthropic", "params": {"system": "x"}}, "params may not set system"),
        ({"protocol": "gemini", "params": {"generationConfig": {}}}, "write the fields of generationConfig as params"),
        ({"protocol": "gemini", "probabilities": True}, "probabilities: not read in the protocol gemini"),
        ({"base_url": "http://h/v1beta/models/g:generateContent"}, "without /models/g:generateContent it is right"),
        ({"base_url": "http://h/v1beta?key=abc"}, "a key stands in the address"),
    ],
)
def test_what_could_not_be_sent_is_refused(settings, message):
    """Fields of the run's own, and an address that is one operation or holds a key."""
    with pytest.raises(UserError) as caught:
        Endpoint(**{"model": "m", "base_url": "http://h/v1", **settings})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("protocol", "variable", "address", "header"),
    [
        ("anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1", "x-api-key"),
        ("gemini", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta", "x-goog-api-key"),
    ],
)
def test_a_providers_key_goes_to_the_provider_alone(monkeypatch, protocol, variable, address, header):
    """Its usual variable names the usual address; no other address gets the key unless api_key_env says so."""
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UserError, match=f"set {variable}"):
        Endpoint(model="m", protocol=protocol)
    monkeypatch.setenv(variable, "s3cret")
    made = Endpoint(model="m", protocol=protocol)
    assert (made.base_url, made.headers()[header]) == (address, "s3cret")
    assert "s3cret" not in str(msgspec.json.encode(made))
    assert header not in Endpoint(model="m", protocol=protocol, base_url="http://elsewhere/v1").headers()


async def test_anthropics_sdk_can_talk_to_the_test_server(chat_server):
    """Its types accept what the codec is tested with."""
    anthropic = pytest.importorskip("anthropic", reason="anthropic is not installed: `uv pip install anthropic`")
    sdk = anthropic.AsyncAnthropic(api_key=KEY, base_url=chat_server.url, max_retries=0)
    said = await sdk.messages.create(
        model="strong-thinks", max_tokens=9, system="律师", messages=[{"role": "user", "content": "问题"}]
    )
    assert ([block.type for block in said.content], said.stop_reason) == (["thinking", "text"], "end_turn")
    assert said.usage.output_tokens_details.thinking_tokens == 30
    with pytest.raises(anthropic.NotFoundError):
        await sdk.messages.create(model="unknown", max_tokens=9, messages=[{"role": "user", "content": "问题"}])


async def test_geminis_sdk_can_talk_to_the_test_server(chat_server):
    """Its types accept what the codec is tested with."""
    genai = pytest.importorskip("google.genai", reason="google-genai is not installed: `uv pip install google-genai`")
    sdk = genai.Client(api_key=KEY, http_options={"base_url": chat_server.url})
    said = sdk.models.generate_content(
        model="strong-thinks", contents="问题", config={"system_instruction": "律师", "max_output_tokens": 9}
    )
    assert "问题" in said.text
    assert said.usage_metadata.thoughts_token_count == 30
    with pytest.raises(genai.errors.ClientError, match="not found"):
        sdk.models.generate_content(model="unknown", contents="问题")
