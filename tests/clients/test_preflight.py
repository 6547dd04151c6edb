"""Endpoints are tried before the first call, and what cannot be asked is named by role, model, address, cause and cure."""

from __future__ import annotations

import socket

import pytest

from benchbar.records.errors import UserError
from benchbar.runs.receivers import sent_to, targets
from benchbar.runs.spec_reading import as_spec
from support.in_process import runner

SUITE = "model-jurisdiction-zh"


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:{free}/v1", "connection refused: nothing listens there"),
        ("http://no-such-host.invalid/v1", "unknown host no-such-host.invalid"),
    ],
)
def test_an_address_that_cannot_be_asked_ends_a_run_before_it_begins(tmp_path, monkeypatch, chat_server, url, message):
    """Nothing is sent to the others either; the ledger keeps no call."""
    bad = url.format(free=free_port())
    run = runner(tmp_path, monkeypatch)
    command = (
        "run",
        "--limit",
        "2",
        "--assistant",
        f"good=openai:strong@{chat_server.base_url}",
        "--assistant",
        f"new=openai:m1@{bad}",
    )
    done = run(*command)
    assert done.code == 2
    assert f"assistant new: m1 at {bad}: {message}" in done.err
    assert "Traceback" not in done.err
    assert chat_server.stats()["requests"] == {}


def test_a_finished_run_needs_no_endpoint(tmp_path, monkeypatch, chat_server):
    """What its ledger answers is not asked again, so nothing is tried."""
    run = runner(tmp_path, monkeypatch)
    spec = tmp_path / "spec.toml"
    port = free_port()
    text = f'suite = "{SUITE}"\nlimit = 1\n[assistants.new]\nkind = "openai"\nmodel = "strong"\nbase_url = "{{}}"\n'
    spec.write_text(text.format(f"http://127.0.0.1:{port}/v1"))
    assert run("run", "spec.toml").code == 2
    spec.write_text(text.format(chat_server.base_url))
    assert run("run", "spec.toml", "--accept-changes").code == 0
    changed = run("run", "spec.toml", "--set", "seed=8")
    assert "seed was 0, now 8" in changed.err
    moved = run("run", "spec.toml", "--set", "assistants.new.timeout=9")
    assert "assistants.new.timeout was not set, now 9" in moved.err


def test_each_endpoint_is_tried_once_with_all_its_roles():
    """Simulator and judge may be one model."""
    one = {"model": "m", "base_url": "http://127.0.0.1:1/v1"}
    spec = {"suite": SUITE, "assistants": {"a": {"kind": "openai", **one}, "b": {"kind": "closed-book"}}, "simulator": {"kind": "llm", **one}, "judge": one}  # fmt: skip
    (target,) = targets(as_spec(spec)[0])
    assert target.name == "assistant a, simulator, judge: m at http://127.0.0.1:1/v1"


def test_which_text_goes_to_which_host_is_said_and_may_be_forbidden():
    """This machine is no other host; a ledger in a database and an http assistant are."""
    assistants = {
        "a": {"kind": "openai", "model": "m", "base_url": "http://localhost:1/v1"},
        "b": {"kind": "http", "url": "https://vendor.example/ask"},
    }
    judge = {"model": "j", "base_url": "https://api.example/v1"}
    spec = {"suite": SUITE, "assistants": assistants, "judge": judge}
    assert sent_to(as_spec(spec)[0]) == [
        "sent to vendor.example: questions and its own replies (assistant b)",
        "sent to api.example: dialogues and guidance (judge)",
    ]
    with pytest.raises(UserError, match=r"vendor\.example.*api\.example"):
        sent_to(as_spec(spec | {"limits": {"local_only": True}})[0])
    local = {"suite": SUITE, "assistants": {"a": assistants["a"]}, "limits": {"local_only": True}}
    assert sent_to(as_spec(local)[0]) == []
