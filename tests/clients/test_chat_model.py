"""Chat models through a real server: what fails has a name, what may succeed is tried again, money is kept count of."""

from __future__ import annotations

import asyncio

import pytest

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price
from benchbar.ledger import Ledger
from benchbar.records import Turn
from benchbar.records.errors import (
    AuthenticationError,
    BudgetExhaustedError,
    ConnectionFailedError,
    ContentFilterError,
    ContextTooLongError,
    EmptyContentError,
    ModelTimeoutError,
    RateLimitError,
    RefusedError,
    ServerError,
    TruncatedJsonError,
    UnknownModelError,
    UserError,
)


def ask(model: ChatModel, text: str = "问题", **index: int):
    return model.ask([Turn(role="user", content=text)], role="assistant", **index)


def endpoint(server, name: str, **settings) -> Endpoint:
    return Endpoint(model=name, base_url=server.base_url, **{"tries": 2, **settings})


async def test_an_answer_comes_with_usage_cost_latency_and_the_model_that_gave_it(chat_server, client):
    """Everything that the endpoint says about an answer is kept."""
    model = ChatModel(endpoint(chat_server, "strong", price=Price(input=1e6, output=2e6)), client)
    reply = await ask(model)
    assert "问题" in reply.content
    assert reply.usage.input_tokens == 2
    assert reply.cost == pytest.approx(2 + 2 * len(reply.content))
    assert (reply.model, reply.finish) == ("strong-served", "stop")
    assert reply.latency > 0


async def test_a_key_that_is_renewed_in_the_environment_is_used_from_the_next_request_on(
    chat_server, client, monkeypatch
):
    """Tokens that live for an hour end no run while somebody renews them; a key that stays refused does, at once."""
    monkeypatch.setenv("SHORT_LIVED", "first")
    model = ChatModel(endpoint(chat_server, "rotates", api_key_env="SHORT_LIVED"), client)
    with pytest.raises(AuthenticationError) as refused:
        await ask(model)
    assert (refused.value.fatal, refused.value.tries) == (True, 1)
    monkeypatch.setenv("SHORT_LIVED", "second")
    replies = await asyncio.gather(*(ask(model, f"问题{n}") for n in range(4)))
    assert all("问题" in reply.content for reply in replies)
    assert chat_server.stats()["authorizations"] == ["Bearer first", "Bearer second"]


FAILURES = {
    "always-429": RateLimitError,
    "always-500": ServerError,
    "always-truncated": TruncatedJsonError,
    "always-empty": EmptyContentError,
    "context": ContextTooLongError,
    "filter": ContentFilterError,
    "refuses": RefusedError,
    "unknown": UnknownModelError,
    "locked": AuthenticationError,
}


@pytest.mark.parametrize(("name", "error"), FAILURES.items())
async def test_each_way_to_fail_has_a_name_of_its_own(chat_server, client, name, error):
    """Rate limit, server error, truncated JSON, empty content, context, filter, refusal, unknown model, wrong key."""
    with pytest.raises(error) as caught:
        await ask(ChatModel(endpoint(chat_server, name), client))
    assert type(caught.value) is error


async def test_a_replayed_failure_is_the_failure_it_was(chat_server, client):
    """What will fail the same way is not sent again, and says again what it said."""
    model = ChatModel(endpoint(chat_server, "context"), client)
    for _ in range(2):
        with pytest.raises(ContextTooLongError, match="too long"):
            await ask(model)
    assert chat_server.stats()["requests"] == {"context": 1}


async def test_a_request_that_takes_too_long_is_a_timeout(chat_server, client):
    """The time limit of the endpoint holds for the whole answer."""
    with pytest.raises(ModelTimeoutError, match=r"0\.2 s"):
        await ask(ChatModel(endpoint(chat_server, "sleeps", timeout=0.2, tries=1), client))


async def test_an_address_where_nobody_is_says_so_and_is_fatal(client):
    """A wrong address ends a run at once instead of failing every call in it."""
    model = ChatModel(Endpoint(model="m", base_url="http://127.0.0.1:9/v1", tries=1), client)
    with pytest.raises(ConnectionFailedError, match="is the server running") as caught:
        await ask(model)
    assert caught.value.fatal


async def test_a_redirect_is_not_followed(chat_server, client):
    """The key must not travel to another address."""
    with pytest.raises(Exception, match="HTTP 302"):
        await ask(ChatModel(endpoint(chat_server, "redirects"), client))


async def test_what_fails_the_first_time_is_tried_again(faulty_chat_server, client):
    """On a server where three in ten requests fail once, in eleven ways, every call is answered."""
    model = ChatModel(endpoint(faulty_chat_server, "strong", tries=4), client)
    replies = await asyncio.gather(*(ask(model, f"问题{n}") for n in range(80)))
    assert all(reply.content for reply in replies)
    stats = faulty_chat_server.stats()
    assert stats["completed"]["strong"] == 80
    assert stats["requests"]["strong"] > 80


async def test_the_key_goes_into_the_header_and_nowhere_else(chat_server, client, monkeypatch, tmp_path):
    """The key comes from the named variable and is never written to disk."""
    monkeypatch.setenv("MY_KEY", "sk-very-secret-4711")
    await ask(ChatModel(endpoint(chat_server, "strong", api_key_env="MY_KEY"), client))
    assert chat_server.stats()["authorizations"] == ["Bearer sk-very-secret-4711"]
    client.ledger.store.close()
    assert all(b"very-secret" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_missing_key_is_said_before_anything_is_sent(client, monkeypatch):
    """The message names the variable."""
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UserError, match="MY_KEY is not set"):
        ChatModel(Endpoint(model="m", base_url="http://x/v1", api_key_env="MY_KEY"), client)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"base_url": "ftp://x"}, "http"),
        ({"params": {"messages": []}}, "messages"),
        ({"tries": 0}, "tries"),
        ({"base_url": "http://user:secret@x/v1"}, "a key stands in the address"),
        ({"base_url": "http://x/v1?api_key=secret"}, "a key stands in the address"),
        ({"api_key_env": "sk-abc-123"}, "is no name of an environment variable"),
    ],
)
def test_settings_that_could_not_be_sent_are_refused(settings, message):
    """The message names the setting."""
    with pytest.raises(UserError, match=message) as error:
        Endpoint(**({"model": "m", "base_url": "http://x"} | settings))
    assert "secret" not in str(error.value)
    assert "sk-abc" not in str(error.value)


async def test_the_budget_is_never_exceeded(chat_server, tmp_path):
    """A call that might cost more than is left is not sent; what it may cost is reserved before it is."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    budget = Budget(0.02)
    client = Client(ledger, budget=budget, concurrency=8)
    settings = {"price": Price(input=1.0, output=10.0), "params": {"max_tokens": 100}}
    model = ChatModel(endpoint(chat_server, "strong", **settings), client)
    results = await asyncio.gather(*(ask(model, f"问题{n}") for n in range(60)), return_exceptions=True)
    refused = [result for result in results if isinstance(result, BudgetExhaustedError)]
    assert refused
    assert "--max-cost" in str(refused[0])
    assert 0 < budget.spent <= 0.02
    assert ledger.store.committed_cost() == pytest.approx(budget.spent)
    assert chat_server.stats()["requests"]["strong"] == 60 - len(refused)
    await client.close()
    ledger.close()


async def test_a_budget_is_used_up_before_it_stops(chat_server, tmp_path):
    """What calls in flight reserve is more than they cost: others wait for it, and stop when nothing more can come free."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    price = Price(input=1.0, output=10.0)
    model = endpoint(chat_server, "strong", price=price, params={"max_tokens": 1000})
    most = model.most(200)
    budget = Budget(2 * most)
    client = Client(ledger, budget=budget, concurrency=64)
    asked = ChatModel(model, client)
    results = await asyncio.gather(*(ask(asked, f"问题{n}") for n in range(200)), return_exceptions=True)
    answered = [result for result in results if not isinstance(result, BudgetExhaustedError)]
    assert len(answered) > 2
    if len(answered) < len(results):
        assert budget.spent + most > budget.limit
    assert budget.reserved == pytest.approx(0)
    await client.close()
    ledger.close()


async def test_a_budget_without_prices_is_refused(chat_server, tmp_path):
    """It could hold nothing; the message names the model and its address, and what to write."""
    ledger = Ledger(tmp_path / "ledger.sqlite")
    client = Client(ledger, budget=Budget(1.0))
    with pytest.raises(UserError, match=r"strong at http.* has no price"):
        ChatModel(endpoint(chat_server, "strong"), client)
    ledger.close()


@pytest.mark.parametrize("price", [{"input": -1, "output": 1}, {"input": 1, "output": float("nan")}])
def test_a_price_that_would_earn_money_is_refused(price):
    """A run once cost -1.32."""
    with pytest.raises(UserError, match="from 0 on"):
        Price(**price)


def test_the_usual_variables_of_openai_are_honoured(monkeypatch):
    """Address and key; the key goes to no other address, and without either the message names both variables."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UserError, match="OPENAI_BASE_URL"):
        Endpoint(model="m")
    monkeypatch.setenv("OPENAI_API_KEY", "k-1")
    assert Endpoint(model="m").base_url == "https://api.openai.com/v1"
    assert "Authorization" not in Endpoint(model="m", base_url="http://127.0.0.1:1/v1").headers()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1/")
    assert Endpoint(model="m").headers()["Authorization"] == "Bearer k-1"
    assert Endpoint(model="m", base_url="http://127.0.0.1:1/v1").headers()["Authorization"] == "Bearer k-1"


async def test_with_a_budget_answers_are_bounded(client, chat_server):
    """Without a bound on the answer nothing could be reserved, so one is sent along."""
    plain = Endpoint(model="m", base_url="http://x/v1", price=Price(input=1, output=1))
    assert "max_tokens" not in plain.params
    assert plain.bounded().params["max_tokens"] == 4096
    assert Endpoint(model="m", base_url="http://x", params={"max_completion_tokens": 7}).bounded().params == {
        "max_completion_tokens": 7
    }


@pytest.mark.parametrize(("name", "begins"), [("strong", 1), ("stumbles", 2), ("whole", 1)])
async def test_an_answer_is_told_as_it_comes_and_kept_as_a_whole(chat_server, client, name, begins):
    """A try that breaks off begins anew; an endpoint that knows no streaming tells nothing; asked again, it comes from the ledger."""
    from benchbar.clients.streaming import ON_TEXT

    told: list[str] = []
    held = ON_TEXT.set(told.append)
    try:
        model = ChatModel(endpoint(chat_server, name, price=Price(input=1e6, output=2e6)), client)
        reply = await ask(model, "一个相当长的问题，好让回答分成许多段")
        again = await ask(model, "一个相当长的问题，好让回答分成许多段")
    finally:
        ON_TEXT.reset(held)
    assert told.count("") == begins
    assert told[0] == ""
    if name == "whole":
        assert "".join(told) == ""
    else:
        assert "".join(told[len(told) - told[::-1].index("") :]) == reply.content
        assert len(told) > 4
    assert (reply.model, reply.finish, again) == (f"{name}-served", "stop", reply)
    assert reply.cost == pytest.approx(reply.usage.input_tokens + 2 * len(reply.content))
