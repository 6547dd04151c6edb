"""``agent``: a chat model with tools, or a program of one's own, over a folder of documents and in a container."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from benchbar.records.base import converted
from benchbar.records.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path

    from benchbar.assistants.agents.tools import ToolServer
    from benchbar.assistants.agents.work import Worker
    from benchbar.clients import ChatModel
    from benchbar.ledger import Ledger


class LedgeredContext(Protocol):
    """What an agent takes from the run: its calls, those of tools among them, go through the ledger one by one."""

    @property
    def ledger(self) -> Ledger:
        """Of the run."""
        ...

    def model(self, settings: Mapping[str, Any]) -> ChatModel:
        """A chat model at an endpoint."""
        ...

    def path(self, name: str) -> Path:
        """A file named in the spec."""
        ...


def build(
    context: LedgeredContext,
    *,
    image: str = "",
    folder: str = "documents",
    model: str = "",
    base_url: str = "",
    command: str = "",
    out: str = "",
    system: str = "",
    network: bool = False,
    environment: tuple[str, ...] = (),
    engine: str = "",
    limits: Mapping[str, Any] | None = None,
    mcp: Mapping[str, Mapping[str, Any]] | None = None,
    **settings: Any,
) -> Worker:
    """An agent from ``image`` and either ``model`` (with an endpoint's other settings) or ``command``.

    Raises:
        SandboxError: no container engine can run the image with its bounds.
        UserError: neither a model nor a command is named, or both.
    """
    from benchbar.assistants.agents.loop import Program, ToolLoop
    from benchbar.assistants.agents.sandbox import IMAGE, Bounds, Sandbox, engine_of

    if bool(model) == bool(command):
        raise UserError("an agent is a model with tools or a command of its image: name one of `model` and `command`")
    if command and (mcp or system or settings):
        named = ", ".join([*(["mcp"] if mcp else []), *(["system"] if system else []), *settings])
        raise UserError(f"{named}: only for an agent with a model; its command brings its own")
    if not image:
        raise UserError(
            "no `image` is named: an agent works in a container alone; name an image that is here, such as"
            f" image={IMAGE} after `podman pull {IMAGE}`"
        )
    sandbox = Sandbox(image, converted(dict(limits or {}), Bounds), network, tuple(environment), engine)
    # Before anything is paid, here or by another assistant of the run.
    engine_of(sandbox)
    place, kept = context.path(folder), context.path(out) if out else None
    if command:
        return Program(command, sandbox, context.ledger, place, out=kept)
    servers: list[ToolServer] = []
    if mcp:
        from benchbar.assistants.agents.mcp_tools import servers_of

        servers = [*servers_of(mcp)]
    chat = context.model({"model": model, "base_url": base_url} | settings)
    return ToolLoop(
        chat,
        sandbox,
        context.ledger,
        place,
        out=kept,
        system=system,
        servers=servers,
        further={"mcp": mcp} if mcp else None,
    )
