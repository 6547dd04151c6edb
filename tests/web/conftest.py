"""An app over a folder of runs, and browsers made of an HTTP client."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra `web` is not installed")

from fastapi.testclient import TestClient

from benchbar.web.app import close, create_app
from benchbar.web.config import Config

OWNER_TOKEN = "a token of the owner of this bench"  # noqa: S105 - of the tests alone


class Visitor:
    """A browser without JavaScript: keeps cookies, and sends the token of the last form."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, path: str, **options):
        return self.client.get(path, headers={"accept": "text/html"} | options.pop("headers", {}), **options)

    def csrf(self, path: str = "/sign-in") -> str:
        return re.search(r'name="csrf" value="([0-9a-f]{64})"', self.get(path).text)[1]

    def post(self, path: str, fields: dict[str, str] | None = None, *, form: str = "/sign-in", **options):
        fields = {"csrf": self.csrf(form)} | (fields or {})
        return self.client.post(path, data=fields, headers={"accept": "text/html"}, **options)

    def sign_in(self, name: str = "owner", token: str = OWNER_TOKEN, **fields: str):
        return self.post("/sign-in", {"name": name, "token": token, **fields}, follow_redirects=False)

    def add(self, name: str, role: str) -> str:
        """Let somebody in; the token in the link that the page shows."""
        answer = self.post("/people", {"name": name, "role": role}, form="/people")
        assert answer.status_code == 200, answer.text
        return re.search(r"token=([\w-]+)", answer.text)[1]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """An empty folder for runs."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def visit(runs: Path) -> Iterator[Callable[[], Visitor]]:
    """Makes browsers of one app, each with cookies of its own."""
    app = create_app(Config(runs=runs, owner_token=OWNER_TOKEN))
    clients: list[TestClient] = []

    def visitor() -> Visitor:
        client = TestClient(app, base_url="http://localhost")
        clients.append(client)
        return Visitor(client)

    yield visitor
    for client in clients:
        client.close()
    close(app)


@pytest.fixture
def owner(visit) -> Visitor:
    """The owner, signed in."""
    found = visit()
    assert found.sign_in().status_code == 303
    return found


REVIEWED = """
reference = "closed-book"
limit = 14
[assistants.extractive]
kind = "extractive"
[assistants.closed-book]
kind = "closed-book"
[review]
audit = 1.0
double = 0.0
annotators = {annotators}
protocol = "{protocol}"
[gate]
minimum_n = 5
minimum_marks = 5
rubric = false
at_least = {{ overall = 0.9 }}
"""


@pytest.fixture(scope="session")
def reviewed_runs(tmp_path_factory) -> Path:
    """Two finished runs of the bundled suite: people grade every dialogue of one, and compare in the other."""
    folder = tmp_path_factory.mktemp("reviewed")
    for name, annotators, protocol in (("run-of-extractive", 2, "grade"), ("compared", 2, "compare")):
        spec = folder / f"{name}.toml"
        spec.write_text(REVIEWED.format(annotators=annotators, protocol=protocol), "utf-8")
        command = [sys.executable, "-m", "benchbar", "run", str(spec), "--out", str(folder / "runs" / name), "--quiet"]
        subprocess.run(command, check=True, capture_output=True, timeout=300, cwd=folder)
    return folder / "runs"


@pytest.fixture
def graded(reviewed_runs, runs) -> Path:
    """The run whose dialogues are graded, in the app's folder."""
    shutil.copytree(reviewed_runs / "run-of-extractive", runs / "run-of-extractive")
    return runs / "run-of-extractive"


@pytest.fixture
def compared(reviewed_runs, runs) -> Path:
    """The run whose dialogues are compared, in the app's folder."""
    shutil.copytree(reviewed_runs / "compared", runs / "compared")
    return runs / "compared"
