"""The protocols in which models are asked: their providers' usual address, and how a request shows its key."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

WireProtocol = Literal["chat", "responses", "azure", "anthropic", "gemini", "bedrock"]

_VARIABLE = re.compile(r"\{(\w{1,64})\}")


class Provider(NamedTuple):
    """What a protocol's endpoints share, whoever runs them."""

    address: str
    """The provider's own, with its version path; empty where each customer has one, ``{NAME}`` for what the environment says."""
    key: str
    """The environment variable in which its users keep the key."""
    key_header: str
    key_prefix: str = ""
    address_variable: str = ""
    """The environment variable that names another address; empty where none is read."""
    path: str = ""
    """What the address in that variable mostly lacks."""
    batches: bool = True
    """Whether calls can be handed in together."""
    signs: bool = False
    """Whether requests may be signed in place of showing a key."""
    lists_models: bool = True
    """Whether there is a list of models at the address."""
    probabilities: bool = False
    """Whether it states how likely each token was."""
    headers: Mapping[str, str] = MappingProxyType({})
    reserved: tuple[str, ...] = ("model", "messages", "stream")
    """Fields of the body that the run makes: a user's value for them would contradict what the ledger keeps as the call."""
    telemetry: str = ""
    """The provider's name in the OpenTelemetry conventions."""

    @property
    def version(self) -> str:
        """The last part of the address, which users forget."""
        return (self.path or urlsplit(self.address).path).rsplit("/", 1)[-1]

    @property
    def usual_address(self) -> str:
        """The provider's own address; empty where each customer has one, or the environment does not say which."""
        named = {name: os.environ.get(name, "").strip() for name in _VARIABLE.findall(self.address)}
        return self.address.format(**named) if all(named.values()) else ""

    @property
    def named_address(self) -> str:
        """The address that the environment names; empty where it names none."""
        named = os.environ.get(self.address_variable, "").strip().rstrip("/") if self.address_variable else ""
        return f"{named}{self.path}" if named and not urlsplit(named).path else named


PROVIDERS: Mapping[WireProtocol, Provider] = MappingProxyType(
    {
        "chat": Provider(
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            "Authorization",
            key_prefix="Bearer ",
            address_variable="OPENAI_BASE_URL",
            probabilities=True,
            telemetry="openai",
        ),
        "responses": Provider(
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            "Authorization",
            key_prefix="Bearer ",
            address_variable="OPENAI_BASE_URL",
            reserved=("model", "input", "instructions", "stream"),
            probabilities=True,
            telemetry="openai",
        ),
        # Chat completions under the address and with the header of a customer's own resource.
        "azure": Provider(
            "",
            "AZURE_OPENAI_API_KEY",
            "api-key",
            address_variable="AZURE_OPENAI_ENDPOINT",
            path="/openai/v1",
            probabilities=True,
            telemetry="azure.ai.openai",
        ),
        # ANTHROPIC_BASE_URL is not read: other programs keep an address without its version path in it.
        "anthropic": Provider(
            "https://api.anthropic.com/v1",
            "ANTHROPIC_API_KEY",
            "x-api-key",
            headers=MappingProxyType({"anthropic-version": "2023-06-01"}),
            reserved=("model", "messages", "stream", "system"),
            telemetry="anthropic",
        ),
        # The key could stand in the address as well, where proxies and messages would write it down.
        "gemini": Provider(
            "https://generativelanguage.googleapis.com/v1beta",
            "GEMINI_API_KEY",
            "x-goog-api-key",
            reserved=("model", "contents", "systemInstruction", "generationConfig", "stream"),
            telemetry="gcp.gemini",
        ),
        "bedrock": Provider(
            "https://bedrock-runtime.{AWS_REGION}.amazonaws.com",
            "AWS_BEARER_TOKEN_BEDROCK",
            "Authorization",
            key_prefix="Bearer ",
            address_variable="AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
            batches=False,
            signs=True,
            lists_models=False,
            reserved=("modelId", "messages", "system", "inferenceConfig", "stream"),
            telemetry="aws.bedrock",
        ),
    }
)


def no_batches(protocol: WireProtocol) -> str:
    """Why calls in a protocol cannot be handed in together, with the cure; empty where they can."""
    if PROVIDERS[protocol].batches:
        return ""
    able = ", ".join(name for name, one in PROVIDERS.items() if one.batches)
    return f"asked in the protocol {protocol}, which has no batches here; leave out limits.batch, or use one of {able}"
