"""`benchbar serve` as a process: who can reach it, and how a run is followed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.records.errors import MissingDependencyError
from support import forked
from support.run_spec import WEAK_AND_STRONG, spec_text


@pytest.mark.parametrize(
    ("arguments", "token", "said"),
    [
        (("runs", "--host", "0.0.0.0"), "", "others can reach 0.0.0.0"),  # noqa: S104 - it is refused
        (("runs", "--host", "::"), "", "others can reach ::"),
        (("runs",), "short", "expected at least 16"),
        (("runs", "--host", "192.0.2.1"), "long enough to be a token", "cannot listen on"),
        (("run",), "", "expected the folder that it lies in"),
        (("runs", "--database", "mysql://x/y"), "", "expected postgresql://"),
    ],
)
def test_what_would_be_unsafe_is_refused(benchbar, tmp_path, arguments, token, said):
    """An address for others without a token, a token soon guessed, a run in the place of its folder."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}", "utf-8")
    done = benchbar("serve", *arguments, env={"BENCHBAR_OWNER_TOKEN": token})
    assert done.code == 2
    assert said in done.err


class _Browser:
    """A visitor over real sockets."""

    def __init__(self, link: str) -> None:
        self.base, _, self.fragment = link.partition("/sign-in#")
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str):
        return self.opener.open(urllib.request.Request(self.base + path, headers={"accept": "text/html"}), timeout=120)

    def sign_in(self) -> str:
        page = self.get("/sign-in").read().decode()
        csrf = re.search(r'name="csrf" value="(\w+)"', page)[1]
        body = f"csrf={csrf}&{self.fragment}".encode()
        with self.opener.open(f"{self.base}/sign-in", body, timeout=120) as answer:
            return answer.url


def test_a_run_is_followed_while_it_goes_on(slow_chat_server, tmp_path):
    """The list says that it runs, events tell how far it is, and at the end the page is the report."""
    url, rest = slow_chat_server.base_url, "[limits]\nconcurrency = 1"
    text = spec_text(url, "limit = 30", WEAK_AND_STRONG, simulator='kind = "agenda"', judge="", rest=rest)
    (tmp_path / "spec.toml").write_text(text, "utf-8")
    slow_chat_server.answer_after(1.0)
    environment = {name: value for name, value in os.environ.items() if name != "BENCHBAR_OWNER_TOKEN"}
    options = {"cwd": tmp_path, "env": environment | {"PYTHONUNBUFFERED": "1"}, "stdout": subprocess.PIPE}
    run = ("run", "--quiet", "--out", "runs/now", "spec.toml")
    with (
        forked.started(*run, stderr=subprocess.DEVNULL, **options) as running,
        forked.started("serve", "runs", "--port", "0", **options) as server,
    ):
        try:
            browser = _Browser(re.search(r"http://\S+", server.stdout.readline())[0])
            assert browser.sign_in().endswith("/runs")
            _wait_for(tmp_path / "runs" / "now" / "run.json")
            assert "running" in browser.get("/runs").read().decode()
            slow_chat_server.answer_after(0.03)
            events = _events(browser.get("/runs/now/progress"))
            running.wait(300)
            report = browser.get("/runs/now").read().decode()
        finally:
            running.kill()
            server.terminate()
    names = [name for name, _ in events]
    assert names[-1] == "end"
    assert "progress" in names
    shares = [data["share"] for _, data in events]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert 'id="matrix"' in report


def _wait_for(file: Path) -> None:
    import time

    for _ in range(3000):
        if file.is_file():
            return
        time.sleep(0.1)
    pytest.fail(f"{file} never came")


def _events(answer) -> list[tuple[str, dict[str, object]]]:
    text = answer.read().decode()
    return [
        (one.partition("event: ")[2].partition("\n")[0], json.loads(one.partition("data: ")[2]))
        for one in text.split("\n\n")
        if one.strip()
    ]


def test_a_fault_within_the_app_is_not_told_as_a_missing_package(monkeypatch, tmp_path):
    """No package mends it; of a library that is missing the extra is named."""
    monkeypatch.delitem(sys.modules, "benchbar.web.app", raising=False)
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "benchbar.web.sessions", None)
        assert isinstance(CliRunner().invoke(cli, ["serve", str(tmp_path)]).exception, ModuleNotFoundError)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert isinstance(CliRunner().invoke(cli, ["serve", str(tmp_path)]).exception, MissingDependencyError)
