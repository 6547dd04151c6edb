"""Tools of MCP servers and agents behind A2A, each against a real server of its official package."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbar.assistants.agents.mcp_tools import Server, Settings, servers_of
from benchbar.assistants.agents.tools import ToolError
from benchbar.records.errors import ConnectionFailedError, UserError

SUPPORT = Path(__file__).resolve().parents[1] / "support"
REGISTRY = (sys.executable, str(SUPPORT / "mcp_server.py"))


@pytest.fixture
def agent() -> Iterator[str]:
    """The address of a running agent."""
    pytest.importorskip("a2a.server.routes", reason="a2a-sdk is not installed: pip install 'benchbar[a2a]'")
    command = [sys.executable, str(SUPPORT / "a2a_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process.stdout.readline().strip()
        process.terminate()


async def test_a_server_offers_its_tools_and_answers():
    """A tool bears the server's name; a refusal of the server is told to the model."""
    pytest.importorskip("mcp")
    async with Server("registry", Settings(command=REGISTRY, tools=("owner",))).opened() as opened:
        (tool,) = opened.tools
        assert (tool.name, tool.parameters["required"]) == ("registry_owner", ["company"])
        assert await opened.call("registry_owner", {"company": "Alder Holdings Ltd"}) == "Ada Alder"
        with pytest.raises(ToolError, match="no company 'Nobody Ltd'"):
            await opened.call("registry_owner", {"company": "Nobody Ltd"})


async def test_a_server_that_is_not_there_is_named():
    """The error has the server's name."""
    pytest.importorskip("mcp")
    with pytest.raises(ConnectionFailedError, match="MCP server registry"):
        async with Server("registry", Settings(url="http://127.0.0.1:1/mcp")).opened():
            pass


def test_a_server_is_reached_in_one_way():
    """By address or by command."""
    pytest.importorskip("mcp")
    with pytest.raises(UserError, match="name one of them"):
        servers_of({"registry": {"url": "http://127.0.0.1:1/mcp", "command": ["x"]}})


def test_an_agent_asks_a_server_and_is_told_the_same_again(benchbar, tmp_path, chat_server, container_image):
    """Answers of the server stand in the trace; the second start asks neither model nor server."""
    pytest.importorskip("mcp")
    (tmp_path / "agents.toml").write_text(
        f"[assistants.a]\nkind = 'agent'\nimage = '{container_image}'\nmodel = 'agent-mcp'\n"
        f"base_url = '{chat_server.base_url}'\n[assistants.a.mcp.registry]\ncommand = {json.dumps(list(REGISTRY))}\n"
    )
    run = ("agent", "lease-en", "--spec", "agents.toml", "--out", "out", "--json", "--quiet")
    first = json.loads(benchbar(*run).out)["goes"]
    assert list(first[0]["files"]) == ["owner.txt"]
    trace = json.loads((tmp_path / "out/traces/a/lease-en/run1.messages.jsonl").read_text("utf-8"))
    answers = [one["content"] for one in trace["messages"] if one["role"] == "tool"]
    assert answers[:2] == ["Ada Alder", '{"error":"Error executing tool owner: no company \'Nobody Ltd\'"}']
    paid = chat_server.stats()["requests"]
    assert json.loads(benchbar(*run).out)["goes"] == first
    assert chat_server.stats()["requests"] == paid


def test_an_agent_behind_a2a_hands_back_files(benchbar, tmp_path, agent):
    """It gets task and documents; names that lead elsewhere and addresses are not taken; asked once, it is not asked again."""
    run = ("agent", "lease-en", "--assistant", f"clerk=a2a:{agent}", "--out", "out", "--json", "--quiet")
    ended = benchbar(*run)
    assert ended.code == 0, ended.err
    (go,) = json.loads(ended.out)["goes"]
    assert (go["ended"], list(go["files"])) == ("done", ["memo.md"])
    assert [one.partition(":")[0] for one in go["left_out"]] == ["../outside.txt", "http"]
    memo = (tmp_path / "out/results/clerk/lease-en/run1/output/memo.md").read_text("utf-8")
    assert "USD 4,800 per month" in memo
    assert json.loads(benchbar(*run).out)["goes"] == [go]


def test_an_agent_that_refuses_is_a_failed_go(benchbar, tmp_path, agent):
    """Its words are the reason; it has no marks."""
    folder = tmp_path / "task"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents/a.txt").write_text("a")
    (folder / "task.json").write_text(json.dumps({"title": "t", "instructions": "refuse", "criteria": []}))
    ended = benchbar("agent", "task", "--assistant", f"clerk=a2a:{agent}", "--out", "out", "--json", "--quiet")
    (go,) = json.loads(ended.out)["goes"]
    assert "not without a mandate" in go["error"]
