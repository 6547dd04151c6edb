"""Commands in the pages are run as they stand there; each that is not has a reason."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from support.in_process import runner
from support.page_commands import commands_of
from support.page_files import filled, make_for, named_here
from support.pages import ROOT, pages

LAW = ROOT / "src" / "benchbar" / "suites" / "data" / "model-jurisdiction-zh" / "law"
ADDRESS = re.compile(r"http://127\.0\.0\.1:8[01]00|https://api\.openai\.com(?=/)")
HERE = "run from top to bottom by a test of its own"
SERVER = "does not end by itself; tested in tests/web"
DATABASE = "needs a PostgreSQL server; tested in tests/ledger"

NOT_RUN = {
    "*": {"serve ": SERVER, "--format inspect": "needs the extra inspect; tested in tests/reports/test_inspect.py", ".eval": "needs the extra inspect; tested in tests/reports/test_inspect.py", "ray": "needs the extra ray; tested in tests/cli/test_ray.py"},
    "rag-evaluation.md": {"ablate rag-retrieval": "takes minutes; tested in tests/rag"},
    "results-retrieval.md": {"law evaluate --law indexes/prc --queries ../shared/data/zh/stard": "stands for several retrievers by the word NAME; the command after it is run"},
    "retrieval.md": {"law train-encoder": "takes minutes; tested in tests/retrieval"},
    "run.md": {"run questions.xlsx --assistant a=anthropic": "asks the services of Anthropic and Google; tested in tests/runs/test_protocols.py"},
    "start.md": {"start $": "asks its questions on a terminal; tested in tests/cli/test_start.py"},
    "ledger.md": {"run spec.toml --out runs/two --ledger": DATABASE, "ledger copy": DATABASE, "ledger check runs/two": DATABASE, "ledger check 'postgresql": DATABASE},
    "suite-authoring.md": {"": HERE},
    "tutorial.md": {"": HERE},
}  # fmt: skip
"""Page to patterns of its commands, from their beginning, that are not run here, each with the reason; under `*` parts of those of any page."""


def reason(page: Path, arguments: list[str]) -> str | None:
    """Why a command is not run here."""
    line = f"{shlex.join(arguments)} "
    own = (why for begin, why in NOT_RUN.get(page.name, {}).items() if re.match(begin, line))
    return next(own, None) or next((why for part, why in NOT_RUN["*"].items() if part in line), None)


PAGES = [
    page
    for page in pages()
    if page.parent.name not in {"zh", "ru"} and any(reason(page, one) is None for one in commands_of(page))
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    """What the commands name: finished runs, a spec, a policy, the examples, and law to index."""
    folder = tmp_path_factory.mktemp("prepared")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("my_assistant.py", "my_scorer.py"):
        shutil.copy(ROOT / "examples" / name, folder)
    for name in ("statutes", "acts"):
        shutil.copytree(LAW / "acts", folder / name)
    shutil.copy(LAW / "decisions.jsonl", folder)
    (folder / "policy.toml").write_text("minimum_n = 20\n[at_least]\noverall = 0.5\n", "utf-8")
    spec = (ROOT / "examples" / "two-models.toml").read_text("utf-8")
    (folder / "spec.toml").write_text(spec.replace("max_cost", "# max_cost"), "utf-8")
    server = [sys.executable, str(ROOT / "tests" / "support" / "chat_server.py")]
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as models:
        address = f"http://127.0.0.1:{models.stdout.readline().strip()}"
        (folder / "judged.toml").write_text(ADDRESS.sub(address, spec), "utf-8")
        for line in (
            "run --limit 22 --out runs/model-jurisdiction-zh",
            "run judged.toml --limit 2 --out runs/r",
            "law index statutes --out indexes/prc",
        ):
            command = [sys.executable, "-m", "benchbar", *line.split()]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        models.terminate()
    for name in ("new", "old", "monday", "tuesday"):
        shutil.copytree(folder / "runs" / "model-jurisdiction-zh", folder / "runs" / name)
    return folder


ENDS = {"gate": {0, 3, 4}, "start": {0, 3, 4}, "audit": {0, 1}}
"""Exit codes that are an answer: a decision, or what was found."""


def further(arguments: list[str]) -> list[str]:
    """What keeps a run short, two samples, and apart from other runs; what a page promises is that the command works."""
    if arguments[0] != "run":
        return []
    limit = [] if "--limit" in arguments else ["--limit", "2"]
    return limit if "--out" in arguments else [*limit, "--out", f"runs/{zlib.crc32(shlex.join(arguments).encode())}"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_work_one_after_the_other(page, prepared, tmp_path, monkeypatch, chat_server):
    """Each ends well, or with the decision of a gate."""
    folder = tmp_path / "work"
    shutil.copytree(prepared, folder)
    for spec in folder.rglob("*.toml"):
        spec.write_text(ADDRESS.sub(chat_server.url, spec.read_text("utf-8")), "utf-8")
    run = runner(folder, monkeypatch)
    monkeypatch.setenv("BENCHBAR_TEST_CHAT", chat_server.url)
    make_for(page.name, folder, run)
    failed = []
    for arguments in [one for one in commands_of(page) if reason(page, one) is None]:
        filled(folder, arguments, run)
        here = named_here(folder, [ADDRESS.sub(chat_server.url, word) for word in (*arguments, *further(arguments))])
        # A conversation ends where its input does.
        monkeypatch.setattr("sys.stdin", io.StringIO("What is due?\n"))
        if "-" in here:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((folder / "answer.txt").read_bytes())))
        done = run(*here)
        if done.code not in ENDS.get(arguments[0], {0}):
            failed.append(f"benchbar {shlex.join(arguments)}\n{done.err}{done.out[-500:]}")
    assert not failed, "\n".join(failed)


def test_no_reason_outlives_its_command():
    """Every reason is one of a command that is there."""
    there = {
        (page.name, begin)
        for page in pages()
        for begin in NOT_RUN.get(page.name, {})
        if any(re.match(begin, f"{shlex.join(one)} ") for one in commands_of(page))
    }
    assert {(page, begin) for page, rows in NOT_RUN.items() for begin in rows if page != "*"} == there


def test_nearly_all_commands_of_the_pages_are_run():
    """What a page tells to type and no test types may be wrong; those of translations are the same commands."""
    own = [page for page in pages() if page.parent.name not in {"zh", "ru"}]
    commands = [(page, one) for page in own for one in commands_of(page)]
    left = [shlex.join(one) for page, one in commands if (reason(page, one) or HERE) != HERE]
    print(f"{len(commands) - len(left)} of {len(commands)} commands are run; not: {left}")  # noqa: T201
    assert len(left) < len(commands) / 8, left
