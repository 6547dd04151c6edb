"""Where a model is reached and what it costs."""

from __future__ import annotations

import ipaddress
import os
import re
from math import inf
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, UnsetType

from benchbar.clients.providers import PROVIDERS, Provider, WireProtocol
from benchbar.records import Record, Usage
from benchbar.records.errors import UserError

DEFAULT_MAX_TOKENS = 4096
OPENAI, BASE_URL = PROVIDERS["chat"].address, PROVIDERS["chat"].address_variable
_KEY_IN_URL = re.compile(r"(?:^|&)(?:api[_-]?)?(?:key|token|secret)=", re.IGNORECASE)
OPERATION = re.compile(
    r"/(?:chat/completions|completions|responses|embeddings|predict|messages|models/[^/]{1,200}:(?:stream)?generateContent"
    r"|model/[^/]{1,200}/(?:converse|invoke)(?:-stream)?)/?$",
    re.IGNORECASE,
)
"""What stands behind the base address in examples of requests."""
_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "maxTokens")


def usual_address(protocol: WireProtocol = "chat") -> str:
    """The address of an endpoint that names none: that of the environment, else the provider's where there is a key for it.

    Raises:
        UserError: the environment names neither.
    """
    provider = PROVIDERS[protocol]
    known = provider.signs or os.environ.get(provider.key)
    found = provider.named_address or (provider.usual_address if known else "")
    if not found:
        raise UserError(f"no base_url: {_ways_to_an_address(provider)}")
    return found


def _ways_to_an_address(provider: Provider) -> str:
    example = f"MODEL@http://127.0.0.1:8000{f'/{provider.version}' if provider.version else ''}"
    ways = [f"name the address of the model, as in {example}"]
    if provider.address_variable:
        ways.append(f"set {provider.address_variable}")
    if provider.signs:
        ways.append("set AWS_REGION to ask the service in that region")
    elif provider.address:
        host = "OpenAI" if provider.address == OPENAI else urlsplit(provider.address).hostname
        ways.append(f"set {provider.key} to ask {host}")
    return f"{', '.join(ways[:-1])}, or {ways[-1]}"


def below(base_url: str, path: str) -> str:
    """The address of a path below the base; a query of the base, as Azure's ``?api-version=``, stays at the end."""
    base, mark, query = base_url.partition("?")
    return f"{base.rstrip('/')}/{path}{mark}{query}"


def is_local(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Price(Record, frozen=True):
    """What a million tokens cost, in the user's currency."""

    input: float
    output: float
    cached: float | UnsetType = UNSET
    """Of tokens that the provider had in its cache; left out, they cost what the others do."""

    def __post_init__(self) -> None:
        """Refuse what would make a run earn money.

        Raises:
            UserError: a price is below 0 or no number.
        """
        stated = {"input": self.input, "output": self.output, "cached": self.cached}
        if not all(value is UNSET or 0 <= value < inf for value in stated.values()):
            told = ", ".join(f"{name} = {value}" for name, value in stated.items() if value is not UNSET)
            raise UserError(f"price {told}: numbers from 0 on were expected")

    def of(self, usage: Usage, cached: int | UnsetType = UNSET) -> float | None:
        """The cost of these tokens, ``cached`` of them read from a cache; None where their number is unknown."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        # No more than were read: an endpoint that says otherwise must not make a run earn money.
        kept = 0 if cached is UNSET or self.cached is UNSET else min(cached, usage.input_tokens)
        saved = 0.0 if self.cached is UNSET else kept * (self.input - self.cached)
        return (usage.input_tokens * self.input - saved + usage.output_tokens * self.output) / 1e6

    def of_thoughts(self, tokens: int | None) -> float | UnsetType:
        """The part of a reply's cost that its thoughts make, which are paid as output; unset where nobody counted them."""
        return UNSET if tokens is None else tokens * self.output / 1e6


def address_fault(base_url: str) -> str:
    """What is wrong with an address, without repeating a key in it; empty where nothing is."""
    parts = urlsplit(base_url)
    if parts.username or parts.password or _KEY_IN_URL.search(parts.query):
        # Addresses are written into run.json, reports and messages.
        return (
            f"a key stands in the address of {parts.hostname}, which is written down and shown; put it into an environment"
            " variable and name that with api_key_env"
        )
    if not base_url.startswith(("http://", "https://")):
        return f"{base_url!r}: expected an address that begins with http:// or https://"
    if found := OPERATION.search(parts.path):
        # Copied from a provider's example of a request: the client would add the same once more.
        base = parts._replace(path=parts.path[: found.start()], query="", fragment="").geturl()
        return f"{base_url!r} is the address of one operation; without {found[0]} it is right: {base}"
    return ""


class Endpoint(Record, frozen=True, kw_only=True):
    """A model that is asked over HTTP (hosted, vLLM, Ollama, llama.cpp)."""

    model: str
    base_url: str = ""
    """With its version path, e.g. ``http://127.0.0.1:8000/v1``; left out, that of OPENAI_BASE_URL, else the provider's own."""
    protocol: WireProtocol = "chat"
    """``chat``: OpenAI's chat completions, which most servers speak; ``responses``: OpenAI's Responses; ``azure``: chat completions
    at a resource of Azure OpenAI; ``anthropic``: Messages; ``gemini``: generateContent; ``bedrock``: Converse."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key, never the key."""
    params: dict[str, Any] = {}
    """Goes into the request body as it is: temperature, max_tokens, seed, ..."""
    price: Price | None = None
    timeout: float = 120.0
    """Seconds for one request, from sending to the last byte; where somebody reads along as it is written, of each silence, with five times as many in all."""
    tries: int = 6
    """Requests for one call at most; between them waits grow and keep Retry-After."""
    requests_per_minute: float | None = None
    """At most so many requests a minute at this address; what the endpoint says in its headers is kept anyway."""
    tokens_per_minute: float | None = None
    """At most so many tokens a minute at this address, read and written."""
    thought_tags: tuple[str, ...] = ()
    """Names of tags around thoughts, besides those of ``benchbar.records.thoughts`` (``think``, ``reasoning`` and others)."""
    answers: Literal["auto", "text", "schema"] = "auto"
    """How a judge is made to answer in a form: ``schema`` by ``response_format``, ``text`` by its prompt alone; ``auto`` asks
    the endpoint once whether it holds answers to a schema."""
    probabilities: bool = False
    """Whether the probability of each choice of a judge is asked for (``logprobs``), where answers are held to a schema."""

    def __post_init__(self) -> None:
        """Refuse what could not be sent.

        Raises:
            UserError: no http address, or a parameter that is not the user's to set.
        """
        if not self.base_url:
            msgspec.structs.force_setattr(self, "base_url", usual_address(self.protocol))
        if fault := address_fault(self.base_url):
            raise UserError(f"base_url of {self.model}: {fault}")
        parts = urlsplit(self.base_url)
        if self.api_key_env and not re.fullmatch(r"[A-Za-z_]\w{0,63}", self.api_key_env):
            raise UserError(
                f"api_key_env of {self.model} at {parts.hostname} is no name of an environment variable; if it is the key itself,"
                " put the key into a variable such as OPENAI_API_KEY and name that here"
            )
        self._check_params()
        for name in ("requests_per_minute", "tokens_per_minute"):
            if (rate := getattr(self, name)) is not None and not 0 < rate < inf:
                raise UserError(f"{name} is {rate}; a number above 0 was expected, or none for no limit")
        if self.tries < 1 or self.timeout <= 0:
            raise UserError("tries must be at least 1 and timeout above 0 seconds")

    def _check_params(self) -> None:
        if taken := sorted(set(self.params) & set(PROVIDERS[self.protocol].reserved)):
            own = "; write the fields of generationConfig as params themselves" if "generationConfig" in taken else ""
            raise UserError(f"params may not set {', '.join(taken)}: these are made by the run itself{own}")
        if self.probabilities and not PROVIDERS[self.protocol].probabilities:
            raise UserError(
                f'probabilities: not read in the protocol {self.protocol}; leave it out, or ask the model with protocol = "chat"'
            )

    @property
    def identity(self) -> str:
        """What makes the model the same one in two runs."""
        # One address may speak two protocols, and what is sent differs. Chat goes without: stored runs know it so.
        spoken = "" if self.protocol == "chat" else f" ({self.protocol})"
        return f"{self.model}@{self.base_url.rstrip('/')}{spoken}"

    def headers(self) -> dict[str, str]:
        """The headers of a request, with the key from the environment.

        Raises:
            UserError: the named variable is not set.
        """
        provider, address = PROVIDERS[self.protocol], self.base_url.rstrip("/")
        headers = {"Content-Type": "application/json", **provider.headers}
        # Nobody else is sent a provider's key: only the address that its own variable names, or the provider's.
        usual = address in {provider.usual_address, provider.named_address}
        name = self.api_key_env or (provider.key if usual else "")
        if name:
            key = os.environ.get(name)
            if not key and (self.api_key_env or (address == provider.usual_address and not provider.signs)):
                raise UserError(
                    f"the environment variable {name} is not set; it should hold the key of {self.base_url}"
                )
            if key:
                headers[provider.key_header] = f"{provider.key_prefix}{key}"
        return headers

    def bounded(self) -> Endpoint:
        """The same endpoint with a bound on the answer's length, without which no budget could be kept."""
        if self.room is not None:
            return self
        params = {**self.params, "max_tokens": DEFAULT_MAX_TOKENS}
        return Endpoint(**{name: getattr(self, name) for name in self.__struct_fields__} | {"params": params})

    @property
    def room(self) -> int | None:
        """Tokens that an answer may have; None where the parameters do not bound it."""
        return min((int(self.params[field]) for field in _LIMIT_FIELDS if field in self.params), default=None)

    def most(self, request_bytes: int) -> float:
        """The most that a request of this size may cost: a token is at least one byte of it."""
        if self.price is None:
            return 0.0
        answer = max((int(self.params[field]) for field in _LIMIT_FIELDS if field in self.params), default=0)
        return (request_bytes * self.price.input + answer * self.price.output) / 1e6
