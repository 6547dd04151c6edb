"""The protocols in which models are asked: their providers' usual address, and how a request shows its key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

WireProtocol = Literal["chat", "anthropic", "gemini"]


class Provider(NamedTuple):
    """What a protocol's endpoints share, whoever runs them."""

    address: str
    """The provider's own, with its version path."""
    key: str
    """The environment variable in which its users keep the key."""
    key_header: str
    key_prefix: str = ""
    address_variable: str = ""
    """The environment variable that names another address; empty where none is read."""
    headers: Mapping[str, str] = MappingProxyType({})
    reserved: tuple[str, ...] = ("model", "messages", "stream")
    """Fields of the body that the run makes: a user's value for them would contradict what the ledger keeps as the call."""
    telemetry: str = ""
    """The provider's name in the OpenTelemetry conventions."""

    @property
    def version(self) -> str:
        """The last part of the address, which users forget."""
        return self.address.rsplit("/", 1)[-1]

    @property
    def named_address(self) -> str:
        """The address that the environment names; empty where it names none."""
        return os.environ.get(self.address_variable, "").strip().rstrip("/") if self.address_variable else ""


PROVIDERS: Mapping[WireProtocol, Provider] = MappingProxyType(
    {
        "chat": Provider(
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            "Authorization",
            key_prefix="Bearer ",
            address_variable="OPENAI_BASE_URL",
            telemetry="openai",
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
    }
)
