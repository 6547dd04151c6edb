"""An app over a folder of runs, browsers made of an HTTP client, and a real run with everything in it."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra `web` is not installed")

from fastapi.testclient import TestClient

from benchbar.cli.serve import configuration
from benchbar.web import people
from benchbar.web.app import close
from support import forked
from support.apps import app_over
from support.browsing import started
from support.chat_servers import served
from support.hostile import ASSISTANT, HOSTILE, NAME, PERSON
from support.run_spec import JUDGE, model, spec_text
from support.visitor import OWNER_TOKEN, Visitor

REPLIES = f"""
HOSTILE = {HOSTILE!r}

def hostile(turns):
    return HOSTILE

def failing(turns):
    raise RuntimeError("<script>window.harmed = 6</script>")
"""
ASSISTANTS = {
    "weak": model("weak-1", price=(1.0, 2.0)),
    "hostile": 'kind = "python"\nobject = "replies:hostile"',
    "failing": 'kind = "python"\nobject = "replies:failing"',
}


@pytest.fixture(scope="session", autouse=True)
def digests_computed_once() -> Iterator[None]:
    """A token's digest is dear by design: the one that is kept when somebody is let in is not computed anew when they sign in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people, "digest", functools.cache(people.digest))
        yield


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """An empty folder for runs."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


class Apps:
    """Makes apps; each gives browsers with cookies of their own."""

    def __init__(self) -> None:
        self.apps = []
        self.clients: list[TestClient] = []

    def __call__(self, runs: Path, **options) -> Callable[[], Visitor]:
        app = app_over(configuration(runs, OWNER_TOKEN, **options))
        self.apps.append(app)

        def visitor() -> Visitor:
            client = TestClient(app, base_url="http://localhost")
            self.clients.append(client)
            return Visitor(client)

        return visitor

    def close(self) -> None:
        for client in self.clients:
            client.close()
        for app in self.apps:
            close(app)


@pytest.fixture
def apps() -> Iterator[Apps]:
    """Apps of one test."""
    made = Apps()
    yield made
    made.close()


@pytest.fixture
def visit(apps, runs) -> Callable[[], Visitor]:
    """Browsers of an app over an empty folder."""
    return apps(runs)


@pytest.fixture
def owner(visit) -> Visitor:
    """The owner, signed in."""
    found = visit()
    assert found.sign_in().status_code == 303
    return found


def run_command(place: Path, *arguments: str, code: int = 0) -> str:
    """What a benchbar command prints in a folder; ``code`` is the exit code that it has to have."""
    done = forked.command(*arguments, cwd=place, env={"PYTHONPATH": str(place)})
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def made_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a hostile and a failing assistant, a judge in both orders and twice, and two marks of a person."""
    place = tmp_path_factory.mktemp("made")
    (place / "replies.py").write_text(REPLIES, "utf-8")
    with served() as address:
        url = f"{address}/v1"
        top, rest = 'limit = 6\ngate = "release"', "[review]\naudit = 1.0"
        text = spec_text(url, top, ASSISTANTS, judge=f"{JUDGE}\nrepeats = 2", rest=rest)
        (place / "spec.toml").write_text(text, "utf-8")
        # One, because a whole assistant failed; the run and its results are there all the same.
        run_command(place, "run", "--quiet", "--out", "run", "spec.toml", code=1)
    tasks = json.loads(run_command(place, "review", "list", "run", "--json"))["tasks"]
    task = next(one["task"] for one in tasks if one["assistant"] == ASSISTANT and one["sample"] == "1-1-001")
    mark = ("review", "mark", "run", task, "--rater", "Анна <b>")
    run_command(place, *mark, "--score", "80", "--reason", "first <i>reason</i>")
    run_command(place, *mark, "--score", "30", "--reason", f"{PERSON}说不对", "--correct")
    return place / "run"


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory, made_run: Path) -> Path:
    """A folder with that run, under a plain and under a hostile name; tests read it and change nothing."""
    folder = tmp_path_factory.mktemp("full")
    shutil.copytree(made_run, folder / "plain")
    (folder / NAME).symlink_to(folder / "plain")
    return folder


@pytest.fixture(scope="session")
def reading(full: Path) -> Iterator[Callable[[], Visitor]]:
    """Browsers of one app over it."""
    made = Apps()
    yield made(full)
    made.close()


@pytest.fixture
def copied(tmp_path: Path, made_run: Path) -> Path:
    """A folder with that run, to be spoiled."""
    shutil.copytree(made_run, tmp_path / "runs" / "plain")
    return tmp_path / "runs"


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
        run_command(folder, "run", str(spec), "--out", str(folder / "runs" / name), "--quiet")
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    """One browser for the tests of a file."""
    with started() as found:
        yield found
