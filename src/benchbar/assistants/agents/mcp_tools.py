"""Tools of MCP servers, offered to an agent beside those over its folder; through the official package."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from benchbar.assistants.agents.tools import PAGE, ToolError
from benchbar.records import Record
from benchbar.records.base import converted
from benchbar.records.errors import ConnectionFailedError, MissingDependencyError, UserError
from benchbar.records.protocols import Tool

if TYPE_CHECKING:
    from mcp import Client

SECONDS = 60.0
"""That one call of a tool may take."""
PAGES = 20
"""Pages of a server's list of tools that are read."""


class Settings(Record, frozen=True, kw_only=True):
    """How a server is reached."""

    url: str = ""
    """Streamable HTTP."""
    command: tuple[str, ...] = ()
    """A program that is started on this machine and spoken to over its standard input: one that the user trusts."""
    environment: tuple[str, ...] = ()
    """Names of variables that the program is given besides the usual ones."""
    tools: tuple[str, ...] = ()
    """Those that are offered; empty for all."""

    def __post_init__(self) -> None:
        """Refuse a server that is named twice or not at all.

        Raises:
            UserError: not exactly one of ``url`` and ``command`` is given.
        """
        if bool(self.url) == bool(self.command):
            raise UserError("an MCP server is reached by `url` or by `command`: name one of them")


def servers_of(given: Mapping[str, Mapping[str, Any]]) -> list[Server]:
    """The servers that a spec names.

    Raises:
        MissingDependencyError: the package is not installed.
        UserError: a setting does not fit.
    """
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError("mcp", "mcp", "tools of MCP servers") from error
    return [Server(name, converted(dict(one), Settings)) for name, one in given.items()]


class Server:
    """One server; its tools are asked for anew for each piece of work."""

    def __init__(self, name: str, settings: Settings) -> None:
        """Known to the model as ``name``: its tools are ``NAME_TOOL``, so that two servers do not get in each other's way."""
        self._name, self._settings = name, settings

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[ServerTools]:
        """The server's tools while the block lasts.

        Raises:
            ConnectionFailedError: it does not answer.
        """
        from mcp import Client, StdioServerParameters

        one = self._settings
        place: Any = one.url
        if one.command:
            environment = {name: os.environ[name] for name in one.environment if name in os.environ}
            place = StdioServerParameters(command=one.command[0], args=list(one.command[1:]), env=environment or None)
        client = Client(place, read_timeout_seconds=SECONDS)
        try:
            await client.__aenter__()
        except Exception as error:
            raise ConnectionFailedError(f"MCP server {self._name}: {_first(error)}") from error
        try:
            yield ServerTools(self._name, client, await self._listed(client))
        finally:
            await client.__aexit__(None, None, None)

    async def _listed(self, client: Client) -> list[Tool]:
        found: list[Tool] = []
        cursor: str | None = None
        for _ in range(PAGES):
            page = await client.list_tools(cursor=cursor)
            found += [
                Tool(f"{self._name}_{one.name}", (one.description or "")[:2000], one.input_schema)
                for one in page.tools
                if not self._settings.tools or one.name in self._settings.tools
            ]
            cursor = page.next_cursor
            if not cursor:
                break
        return found


def _first(error: BaseException) -> str:
    """The fault itself: what runs several tasks hands it on in a group."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:300]


class ServerTools:
    """The tools of an opened server."""

    def __init__(self, name: str, client: Client, tools: Sequence[Tool]) -> None:
        """Calls go to ``client``."""
        self._name, self._client, self.tools = name, client, tools

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The texts that the server answers with.

        Raises:
            ToolError: it refuses, fails or takes too long.
        """
        try:
            answer = await self._client.call_tool(name.removeprefix(f"{self._name}_"), dict(arguments))
        except Exception as error:
            raise ToolError(f"{self._name}: {_first(error)}") from error
        text = "\n".join(one.text for one in answer.content if one.type == "text")
        if answer.is_error:
            raise ToolError(text[:PAGE] or "the server names no reason")
        return text[:PAGE] + (f"\n(cut: {len(text) - PAGE} more characters)" if len(text) > PAGE else "")
