"""Models in their providers' own protocols through a real server that is as strict as the services: requests, answers, failures."""

from __future__ import annotations

import msgspec
import pytest

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price
from benchbar.clients.providers import PROVIDERS
from benchbar.clients.streaming import ON_TEXT
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
EACH = pytest.mark.parametrize("protocol", ["responses", "anthropic", "gemini", "bedrock"])


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)


def endpoint(server, protocol: str, name: str = "strong", **settings) -> Endpoint:
    path = f"/{PROVIDERS[protocol].version}" if PROVIDERS[protocol].version else ""
    usual = {"tries": 1, "timeout": 10.0, "api_key_env": "MY_KEY", "base_url": f"{server.url}{path}"}
    return Endpoint(model=name, protocol=protocol, **{**usual, **settings})


def ask(server, client, protocol: str, name: str = "strong", **settings):
    return ChatModel(endpoint(server, protocol, name, **settings), client).ask(TURNS, role="assistant")


@EACH
async def test_a_talk_is_answered_with_usage_cost_and_model(chat_server, client, protocol):
    """System prompt, both roles and the key arrive as the service wants them; what it says about the answer is kept."""
    price = Price(input=1e6, output=2e6)
    # Responses has no such field.
    params = {"temperature": 0.2, "max_tokens": 900} | ({} if protocol == "responses" else {"stop": "终"})
    reply = await ask(chat_server, client, protocol, price=price, params=params)
    read = sum(len(turn.content) for turn in TURNS)
    # These two count what was read from and written to a cache apart.
    read += 7 if protocol in {"anthropic", "bedrock"} else 0
    assert "我十七岁" in reply.content
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (read, len(reply.content))
    assert reply.cost == pytest.approx(read + 2 * len(reply.content))
    # Bedrock does not say which model answered.
    assert reply.model == ("" if protocol == "bedrock" else "strong-served")
    assert (reply.finish, reply.thoughts) == ("stop", "")


CACHED = {"responses": 3, "anthropic": 5, "gemini": 1, "bedrock": 5}


@EACH
async def test_tokens_from_the_providers_cache_are_counted_and_priced(chat_server, client, protocol):
    """They are a part of what was read; a price of their own lowers the cost by so much and no more."""
    dear = await ask(chat_server, client, protocol, price=Price(input=1e6, output=0))
    cheap = await ask(chat_server, client, protocol, "strong2", price=Price(input=1e6, output=0, cached=0.25e6))
    assert dear.cached_tokens == cheap.cached_tokens == CACHED[protocol]
    assert dear.cost - cheap.cost == pytest.approx(0.75 * CACHED[protocol])


@EACH
async def test_thoughts_are_kept_apart_and_paid_as_output(chat_server, client, protocol):
    """Blocks and parts of thoughts are no part of the answer; their tokens are counted once."""
    reply = await ask(chat_server, client, protocol, "strong-thinks", price=Price(input=0, output=1e6))
    assert "危险驾驶罪" not in reply.content
    # Bedrock counts them among the tokens written, and does not say how many they were.
    stated = (None, msgspec.UNSET) if protocol == "bedrock" else (30, 30)
    assert (reply.thoughts, reply.thought_tokens, reply.thought_cost) == ("危险驾驶罪？", *stated)
    assert reply.usage.output_tokens == len(reply.content) + 30


async def streamed(server, client, protocol, name):
    """The whole reply, and what was told of it as it came."""
    told: list[str] = []
    token = ON_TEXT.set(told.append)
    try:
        return await ask(server, client, protocol, name, tries=2), told
    finally:
        ON_TEXT.reset(token)


@pytest.mark.parametrize("protocol", ["responses", "azure", "anthropic", "gemini"])
async def test_an_answer_that_streams_is_the_one_that_does_not(chat_server, client, protocol, tmp_path):
    """Text, usage, thoughts and end are those of the answer in one piece; a stream that breaks off begins anew."""
    model = "stumbles-thinks" if protocol != "azure" else "stumbles"
    reply, told = await streamed(chat_server, client, protocol, model)
    other = Client(Ledger(tmp_path / "other.sqlite"))
    try:
        whole = await ask(chat_server, other, protocol, model)
    finally:
        await other.close()
        other.ledger.close()
    assert told.count("") == 2
    last = len(told) - told[::-1].index("")
    assert "".join(told[last:]) == reply.content
    assert len(told[last:]) > 2
    assert msgspec.structs.replace(reply, latency=0.0) == msgspec.structs.replace(whole, latency=0.0)


@pytest.mark.parametrize("protocol", ["responses", "anthropic", "gemini", "bedrock"])
async def test_who_does_not_stream_tells_the_answer_as_a_whole(chat_server, client, protocol):
    """A server that answers the wish for a stream in one piece, and a protocol that is not asked to."""
    reply, told = await streamed(chat_server, client, protocol, "whole")
    assert reply.content
    assert told in ([""], [])


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
    **{("responses", name): error for name, error in SAME.items()},
    **{("bedrock", name): error for name, error in SAME.items() if name != "overloaded-in-200"},
    ("responses", "no-output"): EmptyContentError,
    ("responses", "null-output"): TruncatedJsonError,
    ("responses", "only-tools"): EmptyContentError,
    ("responses", "refuses"): RefusedError,
    ("responses", "filtered"): ContentFilterError,
    ("responses", "content-is-text"): TruncatedJsonError,
    ("bedrock", "no-blocks"): EmptyContentError,
    ("bedrock", "null-content"): TruncatedJsonError,
    ("bedrock", "no-output"): TruncatedJsonError,
    ("bedrock", "only-tools"): EmptyContentError,
    ("bedrock", "malformed"): EmptyContentError,
    ("bedrock", "guarded"): ContentFilterError,
    ("bedrock", "filtered"): ContentFilterError,
    ("bedrock", "content-is-text"): TruncatedJsonError,
    ("bedrock", "failed"): ServerError,
    ("bedrock", "slow"): ServerError,
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
@EACH
async def test_text_beside_what_nobody_knows_is_the_answer(chat_server, client, protocol, name, finish):
    """Unknown blocks are left out; an answer that was cut says so in the word of every protocol."""
    reply = await ask(chat_server, client, protocol, name)
    assert (reply.content, reply.finish) == ("一个回答", finish)


@EACH
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
@EACH
async def test_whether_answers_are_held_to_a_schema_is_asked_for(chat_server, client, protocol, name, holds):
    """The same probe as in chat, with the field of each protocol; a service that does not read it is asked for text."""
    assert await ChatModel(endpoint(chat_server, protocol, name), client).holds_to_schemas() is holds


@EACH
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
        for protocol in ("responses", "azure", "anthropic", "gemini", "bedrock"):
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
        ({"protocol": "bedrock", "params": {"inferenceConfig": {}}}, "params may not set inferenceConfig"),
        ({"protocol": "bedrock", "probabilities": True}, "probabilities: not read in the protocol bedrock"),
        ({"base_url": "http://h/model/m/converse"}, "without /model/m/converse it is right: http://h"),
        ({"price": Price(input=1, output=1), "base_url": "ftp://h"}, "begins with http:// or https://"),
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


async def test_what_a_model_remarks_on_its_way_is_no_answer(chat_server, client):
    """Responses marks such messages as commentary: they are kept with the thoughts."""
    reply = await ask(chat_server, client, "responses", "commentary")
    assert (reply.content, reply.thoughts) == ("一个回答", "先查一下")


@pytest.mark.parametrize(
    "path", ["/openai/v1", "/openai/deployments/strong?api-version=2024-10-21"], ids=["v1", "deployment"]
)
async def test_azure_is_asked_at_both_of_its_addresses(chat_server, client, path):
    """Chat completions with the key in a header of Azure's own; the version stays behind the path."""
    reply = await ask(chat_server, client, "azure", base_url=f"{chat_server.url}{path}")
    assert (reply.model, reply.finish) == ("strong-served", "stop")


def test_azures_variable_names_the_resource(monkeypatch):
    """Its users keep the address without a path, and the key in a variable; the key goes nowhere else."""
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com/")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "s3cret")
    made = Endpoint(model="m", protocol="azure")
    assert (made.base_url, made.headers()["api-key"]) == ("https://mine.openai.azure.com/openai/v1", "s3cret")
    assert "api-key" not in Endpoint(model="m", protocol="azure", base_url="https://other/openai/v1").headers()
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT")
    with pytest.raises(UserError, match="set AZURE_OPENAI_ENDPOINT"):
        Endpoint(model="m", protocol="azure")


async def test_requests_to_bedrock_are_signed_where_no_key_is_shown(chat_server, client, monkeypatch):
    """The server makes the signature again; a wrong secret is told as a key that is not accepted."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKID")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    reply = await ask(chat_server, client, "bedrock", "eu.vendor.strong-v1:0", api_key_env="")
    assert "我十七岁" in reply.content
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    with pytest.raises(AuthenticationError, match="does not match the signature"):
        await ask(chat_server, client, "bedrock", "other", api_key_env="")


def test_bedrocks_address_follows_from_the_region(monkeypatch):
    """Without a region, and without credentials, the message says what to set."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="set AWS_REGION"):
        Endpoint(model="m", protocol="bedrock")
    monkeypatch.setenv("AWS_REGION", "eu-west-3")
    made = Endpoint(model="m", protocol="bedrock")
    assert made.base_url == "https://bedrock-runtime.eu-west-3.amazonaws.com"
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "s3cret")
    assert made.headers()["Authorization"] == "Bearer s3cret"


async def test_amazons_sdk_can_talk_to_the_test_server(chat_server, monkeypatch):
    """Its types accept what the codec is tested with."""
    boto3 = pytest.importorskip("boto3", reason="boto3 is not installed: `uv pip install boto3`")
    monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
    sdk = boto3.client(
        "bedrock-runtime",
        endpoint_url=chat_server.url,
        region_name="eu-central-1",
        aws_access_key_id="AKID",
        aws_secret_access_key=KEY,
    )
    said = sdk.converse(modelId="strong-thinks", messages=[{"role": "user", "content": [{"text": "问题"}]}])
    blocks = said["output"]["message"]["content"]
    assert [next(iter(block)) for block in blocks] == ["reasoningContent", "text"]
    with pytest.raises(sdk.exceptions.ValidationException, match="model identifier is invalid"):
        sdk.converse(modelId="unknown", messages=[{"role": "user", "content": [{"text": "问题"}]}])


async def test_openais_sdk_can_talk_to_the_test_server(chat_server):
    """Its types accept what the codec is tested with, in one piece and as a stream."""
    openai = pytest.importorskip("openai", reason="openai is not installed: `uv pip install openai`")
    sdk = openai.AsyncOpenAI(api_key=KEY, base_url=f"{chat_server.url}/v1", max_retries=0)
    asked = {"model": "strong-thinks", "input": "问题", "store": False}
    said = await sdk.responses.create(**asked)
    assert "问题" in said.output_text
    assert said.usage.output_tokens_details.reasoning_tokens == 30
    events = [event async for event in await sdk.responses.create(**asked, stream=True)]
    assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
    with pytest.raises(openai.NotFoundError):
        await sdk.responses.create(**{**asked, "model": "unknown"})


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
