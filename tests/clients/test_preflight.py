"""Endpoints are tried before the first call, and what cannot be asked is named by role, model, address, cause and cure."""

from __future__ import annotations

import json
import re
import socket
import threading
import urllib.request
from contextlib import suppress

import pytest

from benchbar.clients import preflight
from benchbar.clients.breaker import FAILURES, Breaker
from benchbar.clients.results import failed
from benchbar.ledger import CallStatus
from benchbar.records.errors import ConnectionFailedError, UserError
from benchbar.runs.receivers import sent_to, targets
from benchbar.runs.spec_reading import as_spec
from support.in_process import runner

SUITE = "model-jurisdiction-zh"


@pytest.fixture(autouse=True)
def busy(monkeypatch):
    """A machine with much to do may take more than two seconds for a list of models."""
    monkeypatch.setattr(preflight, "SECONDS", 60.0)


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


def listing(server, *models: str, status: int = 200) -> None:
    """Have the server list these models."""
    body = json.dumps({"models": models, "status": status}).encode()
    with urllib.request.urlopen(f"{server.url}/models", body, timeout=120) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    ("model", "models", "status", "message"),
    [
        ("unknown", ("strong", "unknwon-2", "weak"), 200, "; the server has unknwon-2, weak, strong"),
        ("locked", ("strong",), 401, "HTTP 401: the key is not accepted; name the variable that holds the key"),
        ("locked", ("strong",), 403, "HTTP 401: "),
    ],
)
def test_a_key_or_model_that_is_refused_is_told_before_the_run(
    tmp_path, monkeypatch, chat_server, model, models, status, message
):
    """With the models that there are, the most alike first; others are not asked anything."""
    listing(chat_server, *models, status=status)
    url = chat_server.base_url
    run = runner(tmp_path, monkeypatch)
    done = run(
        "run", "--limit", "2", "--assistant", f"good=openai:strong@{url}", "--assistant", f"new=openai:{model}@{url}"
    )
    assert done.code == 2
    assert f"assistant new: {model} at {url}: " in done.err
    assert message in done.err
    requests = chat_server.stats()["requests"]
    # Where the list itself is forbidden each model is asked once, the good one too.
    assert requests.get("strong", 0) == (status == 403)


def test_a_model_that_a_list_leaves_out_is_asked_before_it_is_refused(tmp_path, monkeypatch, chat_server):
    """Lists leave out aliases: one question settles it, which stands in the ledger and is not asked again."""
    listing(chat_server, "another")
    run = runner(tmp_path, monkeypatch)
    command = (
        "run",
        "--limit",
        "2",
        "--assistant",
        f"new=openai:strong@{chat_server.base_url}",
        "--out",
        "r",
        "--json",
    )
    done = run(*command)
    assert done.code == 0, done.err
    spending = json.loads(done.out)["spending"]
    assert spending["trial"]["calls"] == 1
    assert spending["trial"]["input_tokens"] > 0
    assert run("ledger", "check", "r").code == 0
    again = run(*command, "--accept-changes", "--set", "seed=3")
    assert json.loads(again.out)["spending"]["trial"]["calls"] == 1


def test_an_address_that_speaks_no_tls_says_so(tmp_path, monkeypatch):
    """Https where a server speaks http and refuses what it cannot read: the same error as a certificate that does not hold."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            with suppress(OSError):
                while True:
                    caller, _ = server.accept()
                    with caller:
                        caller.recv(4096)
                        caller.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=refuse, daemon=True).start()
        url = f"https://127.0.0.1:{server.getsockname()[1]}/v1"
        done = runner(tmp_path, monkeypatch)("run", "--limit", "2", "--assistant", f"new=openai:strong@{url}")
        server.shutdown(socket.SHUT_RDWR)
    assert done.code == 2
    assert f"assistant new: strong at {url}: TLS: " in done.err


def test_a_fault_that_ends_a_run_names_role_model_and_address(tmp_path, monkeypatch, chat_server):
    """Also where the endpoint lists no models, so that only the first call shows it."""
    url = chat_server.base_url
    done = runner(tmp_path, monkeypatch)("run", "--limit", "2", "--assistant", f"new=openai:unknown@{url}")
    assert done.code == 1
    assert f"assistant unknown at {url}: HTTP 404: " in done.err


def test_an_outage_is_told_at_once_without_a_terminal(tmp_path, monkeypatch):
    """And how long it is waited for; that it is over is told as well."""
    run = runner(tmp_path, monkeypatch)
    port = free_port()
    command = (
        "run",
        *("--limit", "22", "--no-preflight", "--assistant", f"new=openai:strong@http://127.0.0.1:{port}/v1,tries=3"),
        *("--set", "limits.max_outage=1"),
    )
    done = run(*command)
    assert done.code == 1
    assert (
        f"http://127.0.0.1:{port}/v1/chat/completions does not answer: 8 requests failed in a row; waiting for it at most 1 s"
        in done.err
    )


@pytest.mark.parametrize(("said", "told"), [("HTTP 500: internal", " but 'HTTP 500: internal'."), ("", ".")])
async def test_an_outage_that_ends_a_run_is_told_with_what_the_server_said(said, told):
    """A server that answers with its own error is up for whoever looks; one that is gone said nothing."""
    breaker = Breaker("http://a/v1", 0.0)
    for _ in range(FAILURES):
        breaker.failed(said)
    with pytest.raises(ConnectionFailedError, match=re.escape(f"no answer for 0 s{told}")):
        await breaker.ready()


async def test_whoever_stops_a_run_does_not_wait_for_an_endpoint_that_is_down():
    """Calls that wait for it end as failed at once, and are asked again when the run is gone on with."""
    breaker = Breaker("http://a/v1", 3600.0, stopped=lambda: True)
    for _ in range(FAILURES):
        breaker.failed()
    with pytest.raises(ConnectionFailedError, match="did not answer, and the run was stopped") as caught:
        await breaker.ready()
    assert failed(caught.value).status is CallStatus.FAILED, "an outcome that lasts would never be asked again"


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
    long = "Be brief. " * 50
    first = run("run", "spec.toml", "--set", f"assistants.new.system={long}A", "--accept-changes")
    assert first.code == 0
    prompt = run("run", "spec.toml", "--set", f"assistants.new.system={long}B")
    assert "Be brief. A', now …" in prompt.err, "what differs is shown, not what is the same"
    assert run("run", "spec.toml", "--accept-changes").code == 0
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


def judged(server, judge: str, *more: str) -> tuple[str, ...]:
    """A run of two assistants on two samples with this judge."""
    url = server.base_url
    assistants = ("--assistant", f"weak=openai:weak-a@{url}", "--assistant", f"new=openai:strong@{url}")
    return ("run", "--limit", "2", *assistants, "--judge", f"{judge}@{url}", "--out", "r", "--json", *more)


def test_a_judge_that_cannot_be_read_ends_a_run_at_its_first_verdict(tmp_path, monkeypatch, chat_server):
    """Its own words are quoted, nothing is asked of the assistants, and who knows better goes on."""
    run = runner(tmp_path, monkeypatch)
    done = run(*judged(chat_server, "judge-mute"))
    assert done.code == 2
    assert f"judge: judge-mute at {chat_server.base_url}: its verdict cannot be read" in done.err
    assert "两份记录各有长处" in done.err
    assert set(chat_server.stats()["requests"]) == {"judge-mute"}
    unasked = run(*judged(chat_server, "judge-mute", "--no-preflight"))
    assert unasked.code == 1
    assert "20 of the first 20 verdicts are like this, so the run stopped" in unasked.err
    gone_on = run(*judged(chat_server, "judge-mute", "--keep-going", "--accept-changes"))
    assert json.loads(gone_on.out)["health"][0]["slug"] == "failed"


def test_one_verdict_of_the_judge_is_in_ledger_and_plan(tmp_path, monkeypatch, chat_server):
    """It is booked as a trial, is not repeated when the run goes on, and a finished run makes no call at all."""
    run = runner(tmp_path, monkeypatch)
    command = judged(chat_server, "judge-schema")
    plan = json.loads(run(*command, "--dry-run").out)
    done = run(*command)
    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert 1 <= results["spending"]["trial"]["calls"] <= plan["trials"]
    assert results["health"] == []
    assert run("ledger", "check", "r").code == 0
    before = chat_server.stats()["requests"]
    assert run(*command).code == 0
    assert run(*command, "--set", "seed=3", "--accept-changes").code == 0
    assert chat_server.stats()["requests"]["judge-schema"] >= before["judge-schema"]
    assert json.loads((tmp_path / "r/results.json").read_text("utf-8"))["spending"]["trial"]["calls"] == results["spending"]["trial"]["calls"]  # fmt: skip


def test_a_judge_that_sees_no_difference_is_named_before_every_figure(tmp_path, monkeypatch, chat_server):
    """Of three samples it preferred no expected answer to general words; the finding stays with the run."""
    done = runner(tmp_path, monkeypatch)(*judged(chat_server, "judge-even"))
    (found,) = json.loads(done.out)["health"]
    assert (found["slug"], found["who"]) == ("trial", "judge-even")


def test_a_judge_that_thinks_long_does_not_hold_the_run_up(tmp_path, monkeypatch, chat_server):
    """The verdict is waited for a moment; what it shows later ends the run all the same."""
    monkeypatch.setattr(preflight, "SECONDS", 0.1)
    request = urllib.request.Request(
        f"{chat_server.url}/faults", json.dumps({"kinds": [], "share": 0, "delay": 2.5}).encode()
    )
    urllib.request.urlopen(request, timeout=120).close()
    done = runner(tmp_path, monkeypatch)(*judged(chat_server, "judge-mute"))
    assert done.code == 2
    assert "its verdict cannot be read" in done.err
    assert chat_server.stats()["requests"]["weak-a"] > 0


@pytest.mark.parametrize(
    ("model", "path", "message"),
    [
        ("strong", "", "; most addresses end in /v1: try base_url = {url}/v1"),
        ("sent-to-login", "/v1", "HTTP 302: redirected to login.example/sign-in (a login page?)"),
        ("web-page", "/v1", "a web page “Sign in”, not the answer of an API"),
    ],
)
def test_a_wrong_address_that_answers_is_told_with_its_cure(tmp_path, monkeypatch, chat_server, model, path, message):
    """Also where the server lists no models: role, model, address, cause and cure stand in the first line."""
    url = f"{chat_server.url}{path}"
    done = runner(tmp_path, monkeypatch)("run", "--limit", "2", "--assistant", f"new=openai:{model}@{url},tries=1")
    assert done.code != 0
    told = next(line for line in (done.err + done.out).splitlines() if message.format(url=chat_server.url) in line)
    assert "new" in told or model in told


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/chat/completions/", "/v1/completions"])
def test_the_address_of_one_operation_is_named_with_the_right_one(tmp_path, monkeypatch, path):
    """It stands in providers' examples of requests; its base is what is meant."""
    url = f"http://api.example{path}"
    done = runner(tmp_path, monkeypatch)("run", "--limit", "2", "--assistant", f"new=openai:m@{url}")
    assert done.code == 2
    assert "is right: http://api.example/v1" in done.err
