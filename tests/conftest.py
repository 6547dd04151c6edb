"""What all tests share."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from benchbar.clients import Client
    from benchbar.ledger import Ledger

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT / ".." / "shared" / "data"
sys.path.insert(0, str(ROOT / "tests"))

# Compiled modules are kept whatever the shell is set to: without them each process that a test starts compiles its libraries anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes depends on the machine: no test fails by the clock.
# In CI the examples are the same in every run, so that a change is judged by itself and not by luck.
settings.register_profile("benchbar", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("benchbar")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What stands when all tests are known stays to the end, so the collector of garbage leaves it alone: it would go through millions
    of objects tens of times, and once for each correction of p-values, where statsmodels calls it.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test that states no rule, or could not fail, is refused before anything runs."""
    from support.specification import fault_of

    fault = fault_of(item.path, getattr(item, "originalname", item.name))
    if fault:
        raise pytest.UsageError(f"{item.nodeid} {fault}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data beside the repository; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder ../shared/data is not here")
    return SHARED.resolve()


@pytest.fixture(scope="session", params=["made", "public"])
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data sets in public formats: small ones of our own, which everybody has, and the public ones where they are."""
    from support.published import write_published

    if request.param == "made":
        return write_published(tmp_path_factory.mktemp("published"))
    return request.getfixturevalue("shared")


@dataclass(frozen=True)
class ChatServer:
    """A chat server in a process of its own."""

    url: str

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def stats(self) -> dict[str, object]:
        with urllib.request.urlopen(f"{self.url}/stats", timeout=120) as answer:
            return json.load(answer)

    def answer_after(self, seconds: float) -> None:
        """Take so long for each answer from now on: whatever is to happen while a run goes on then happens on a busy machine too."""
        wanted = json.dumps({"kinds": [], "share": 0, "delay": seconds}).encode()
        urllib.request.urlopen(f"{self.url}/faults", wanted, timeout=120).close()


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    """A fresh server that answers at once."""
    from support.chat_servers import served

    with served() as url:
        yield ChatServer(url)


@pytest.fixture(scope="module")
def shared_chat_server() -> Iterator[ChatServer]:
    """One server for all tests of a file that do not count what it served."""
    from support.chat_servers import served

    with served() as url:
        yield ChatServer(url)


@pytest.fixture(scope="session", autouse=True)
def own_process_of_a_review() -> Iterator[Callable[[], object]]:
    """Reviews that a test asks for in this process are forked, where a new Python would take longer than the review; the function
    that starts one in a new Python.
    """
    from benchbar.contracts import bounds
    from support import forked

    anew = bounds.started

    def started() -> object:
        environment = dict(os.environ)
        if not forked.can_fork(environment):
            return anew()
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": False}
        return forked.Forked((), cwd=Path.cwd(), environment=environment, module=bounds.WORKER, **streams)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "started", started)
        yield anew


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A new ledger in a file."""
    from benchbar.ledger import Ledger

    opened = Ledger(tmp_path / "ledger.sqlite")
    yield opened
    opened.close()


@pytest.fixture
async def client(ledger: Ledger) -> AsyncIterator[Client]:
    """A client whose calls are kept in a new ledger."""
    from benchbar.clients import Client

    opened = Client(ledger, concurrency=8)
    yield opened
    await opened.close()


@pytest.fixture
def slow_chat_server() -> Iterator[ChatServer]:
    """A fresh server that takes 30 ms for each answer, so that a run lasts long enough to be killed."""
    from support.chat_servers import served

    with served("--delay", "0.03") as url:
        yield ChatServer(url)


@pytest.fixture
def faulty_chat_server() -> Iterator[ChatServer]:
    """A fresh server on which 30% of requests fail the first time, in eleven ways."""
    from support.chat_server import FAULTS
    from support.chat_servers import served

    with served("--faults", ",".join(FAULTS), "--fault-share", "0.3") as url:
        yield ChatServer(url)


@pytest.fixture(scope="session")
def container_image(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a small image that a real container engine runs; skipped with the reason where none can."""
    from benchbar.assistants.agents.sandbox import Sandbox, engine_of
    from benchbar.records.errors import SandboxError
    from support.containers import NoContainerError, image

    try:
        name = image(tmp_path_factory.mktemp("containers"))
        engine_of(Sandbox(name))
    except (NoContainerError, SandboxError) as error:
        pytest.skip(f"no container can be had: {error}")
    return name


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory):
    """A PostgreSQL server, one for all workers of the session; skipped with the reason where none can be started."""
    pytest.importorskip("psycopg")
    from support.postgres import NoServerError, served

    folder = tmp_path_factory.getbasetemp()
    shared_by_all = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with ExitStack() as stack:
        try:
            server = stack.enter_context(served(shared_by_all))
        except NoServerError as error:
            pytest.skip(str(error))
        yield server


@pytest.fixture
def postgres(postgres_server) -> Iterator[str]:
    """The address of a new database, without its password: that is in the environment."""
    with postgres_server.database() as url:
        yield url


@dataclass(frozen=True)
class Finished:
    """A finished command."""

    code: int
    out: str
    err: str


@pytest.fixture
def benchbar(tmp_path: Path):
    """Runs the command line in a folder of its own, in a process of its own."""

    def run(*arguments: str, env: dict[str, str] | None = None, stdin: str | None = None) -> Finished:
        from support import forked

        process = forked.command(*arguments, cwd=tmp_path, env=env, stdin=stdin)
        return Finished(process.returncode, process.stdout, process.stderr)

    return run
