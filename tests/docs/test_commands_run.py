"""Every command in the pages is run as it stands there; where an extra or a server is missing, a skip names what was not."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from support import forked
from support.chat_servers import served
from support.columns import COLUMNS, too_wide
from support.in_process import runner
from support.page_commands import commands_of
from support.page_files import filled, make_for, named_here, with_image
from support.page_running import DATABASE, absent, further, run_apart
from support.pages import ROOT, blocks, pages
from support.provider_answers import KEY

LAW = ROOT / "src" / "benchbar" / "suites" / "data" / "model-jurisdiction-zh" / "law"
ADDRESS = re.compile(r"http://127\.0\.0\.1:8[01]00|https://api\.openai\.com(?=/)")
WITH_A_STORY = {"suite-authoring.md": "test_authoring.py", "tutorial.md": "test_tutorial.py"}
"""Pages whose commands need what stands between them, with the test that follows each from top to bottom."""

PAGES = [
    page
    for page in pages()
    if page.parent.name not in {"zh", "ru"} and page.name not in WITH_A_STORY and any(commands_of(page))
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
    with served() as address:
        (folder / "judged.toml").write_text(ADDRESS.sub(address, spec), "utf-8")
        for line in (
            "run --limit 22 --out runs/model-jurisdiction-zh",
            "run judged.toml --limit 2 --out runs/r",
            "law index statutes --out indexes/prc",
        ):
            forked.command(*line.split(), cwd=folder).check_returncode()
    for name in ("new", "old", "monday", "tuesday"):
        shutil.copytree(folder / "runs" / "model-jurisdiction-zh", folder / "runs" / name)
    return folder


LONG = {
    "ablation.md",
    "agents.md",
    "lawyer-baseline.md",
    "ledger.md",
    "production.md",
    "rag-evaluation.md",
    "retrieval.md",
    "review-online.md",
    "web.md",
}
"""Pages whose commands take seconds of a processor."""


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _marks(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.slow,) if page.name in LONG else ()


ENDS = {"run": {0, 5}, "baseline": {0, 3, 4}, "gate": {0, 3, 4}, "start": {0, 3, 4}, "audit": {0, 1}}
"""Exit codes that are an answer: a decision, what was found, or that people have to answer first."""


@pytest.fixture
def database(request) -> str | None:
    """The address of a new PostgreSQL database; None where no server can be started."""
    try:
        return request.getfixturevalue("postgres")
    except pytest.skip.Exception:
        return None


@pytest.fixture
def image(request) -> str | None:
    """The name of a container's image; None where no container can be had."""
    try:
        return request.getfixturevalue("container_image")
    except pytest.skip.Exception:
        return None


@pytest.mark.parametrize("page", [pytest.param(page, id=_name(page), marks=_marks(page)) for page in PAGES])
def test_the_commands_of_a_page_work_one_after_the_other(page, prepared, tmp_path, monkeypatch, chat_server, request):
    """Each ends well, or with the decision of a gate, and fits its terminal; those whose extra or server is not here are named by a skip."""
    folder = tmp_path / "work"
    shutil.copytree(prepared, folder)
    for spec in folder.rglob("*.toml"):
        spec.write_text(ADDRESS.sub(chat_server.url, spec.read_text("utf-8")), "utf-8")
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setenv("TERM", "dumb")
    run = runner(folder, monkeypatch, terminal=True)
    monkeypatch.setenv("BENCHBAR_TEST_CHAT", chat_server.url)
    monkeypatch.setenv("BENCHBAR_TEST_KEY", KEY)
    monkeypatch.setenv("BENCHBAR_OIDC_SECRET", KEY)
    make_for(page.name, folder, run)
    commands = [*commands_of(page)]
    in_database = any(DATABASE in word for one in commands for word in one)
    database = request.getfixturevalue("database") if in_database else None
    in_container = any(one[0] == "agent" for one in commands)
    image = request.getfixturevalue("image") if in_container else None
    failed, left = [], []
    for arguments in commands:
        here = [ADDRESS.sub(chat_server.url, word) for word in (*arguments, *further(arguments))]
        lacks = "a container engine" if arguments[0] == "agent" and not image else absent(arguments)
        lacks = lacks or ("PostgreSQL" if not database and any(DATABASE in word for word in here) else None)
        if lacks:
            left.append(f"{lacks} is not here: benchbar {shlex.join(arguments)}")
            continue
        here = [word.replace(DATABASE, database or "") for word in here]
        here = with_image(folder, here, image) if image else here
        filled(folder, here, run)
        here = named_here(folder, here)
        # A conversation ends where its input does.
        monkeypatch.setattr("sys.stdin", io.StringIO("What is due?\n"))
        if "-" in here:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((folder / "answer.txt").read_bytes())))
        done = run_apart(here, folder) or run(*here)
        if done.code not in ENDS.get(arguments[0], {0}):
            failed.append(f"benchbar {shlex.join(arguments)}\n{done.err}{done.out[-500:]}")
        # What programs read, as JSON and CSV, has lines of any length.
        wide = [] if {"--json", "--format", "--corrections", "--schema"} & {*here} else too_wide(done.out)
        failed += [f"benchbar {shlex.join(arguments)}: wider than {COLUMNS} columns: {line}" for line in wide[:3]]
    assert not failed, "\n".join(failed)
    if left:
        pytest.skip("; ".join(left))


@pytest.mark.parametrize("name", WITH_A_STORY)
def test_a_page_with_a_story_has_all_its_commands_where_its_test_reads_them(name):
    """In blocks of `console`: one in a block of another kind would never be run."""
    page = ROOT / "docs" / name
    typed = [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    assert [shlex.split(line)[1:] for line in typed if line.startswith("benchbar ")] == [*commands_of(page)]
    assert name in (Path(__file__).parent / WITH_A_STORY[name]).read_text("utf-8")
