"""A small real MCP server of the official package: a register of companies. Run as ``python mcp_server.py``, on its standard input, or with a port."""

from __future__ import annotations

import sys

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

OWNERS = {"Alder Holdings Ltd": "Ada Alder", "Birchwood Bakery LLC": "Ben Birch"}
server = MCPServer("registry")


@server.tool()
def owner(company: str) -> str:
    """The owner of a company."""
    if company not in OWNERS:
        raise ToolError(f"no company {company!r}")
    return OWNERS[company]


@server.tool()
def companies() -> str:
    """All companies."""
    return ", ".join(OWNERS)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    server.run("stdio")
