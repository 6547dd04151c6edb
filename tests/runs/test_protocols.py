"""A consultation with assistants in three protocols, through real servers: from the command line to the report, killed and resumed."""

from __future__ import annotations

import subprocess
import time

from support import forked
from support.in_process import runner
from support.provider_answers import KEY


def command(server) -> tuple[str, ...]:
    return (
        "run",
        "--suite",
        "model-jurisdiction-zh",
        "--limit",
        "4",
        "--assistant",
        f"claude=anthropic:strong@{server.url}/v1,api_key_env=MY_KEY",
        "--assistant",
        f"gemini=gemini:weak@{server.url}/v1beta,api_key_env=MY_KEY",
        "--judge",
        f"judge@{server.base_url}",
        "--simulator",
        f"user@{server.base_url}",
        "--out",
        "out",
    )


def completed(server) -> dict[str, int]:
    return server.stats()["completed"]


def test_a_run_in_three_protocols_goes_on_after_a_kill_and_asks_nothing_twice(slow_chat_server, tmp_path, monkeypatch):
    """Both assistants are talked with and judged; what was answered before the kill is not asked for again."""
    monkeypatch.setenv("MY_KEY", KEY)
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = forked.started(*command(slow_chat_server), cwd=tmp_path, **streams)
    end = time.monotonic() + 300
    while time.monotonic() < end and completed(slow_chat_server).get("strong", 0) < 2 and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert completed(slow_chat_server).get("strong", 0) >= 2
    run = runner(tmp_path, monkeypatch)
    done = run(*command(slow_chat_server))
    assert done.code == 0, done.err
    assert (completed(slow_chat_server)["strong"], completed(slow_chat_server)["weak"]) >= (4, 4)
    before = completed(slow_chat_server)
    again = run(*command(slow_chat_server))
    assert again.code == 0, again.err
    assert completed(slow_chat_server) == before
    assert KEY not in (tmp_path / "out" / "run.json").read_text("utf-8")
    assert "protocol" in (tmp_path / "out" / "run.json").read_text("utf-8")


def test_a_model_in_another_protocol_does_not_take_the_default_address(tmp_path, monkeypatch):
    """The table of usual settings is that of another protocol's server; local-only names the provider's host."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    (tmp_path / "spec.toml").write_text(
        'suite = "model-jurisdiction-zh"\n[endpoints.default]\nbase_url = "http://127.0.0.1:9/v1"\n'
        '[assistants.a]\nkind = "openai"\nmodel = "m"\nprotocol = "anthropic"\n'
    )
    done = runner(tmp_path, monkeypatch)("run", "spec.toml", "--local-only")
    assert done.code == 2
    assert "api.anthropic.com: questions and its own replies (assistant a)" in done.err
