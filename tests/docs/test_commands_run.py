"""Commands in the pages are run as they stand there; each that is not has a reason."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from support.in_process import runner
from support.page_commands import commands_of
from support.pages import ROOT, pages

LAW = ROOT / "src" / "benchbar" / "suites" / "data" / "model-jurisdiction-zh" / "law"
ADDRESS = "http://127.0.0.1:8000"
HERE = "run from top to bottom by a test of its own"
OWN_FILES = "needs the reader's own files; the command is tested with small ones in the tests of its room"
SERVER = "does not end by itself; tested in tests/web"
DATABASE = "needs a PostgreSQL server; tested in tests/ledger"
OTHER_LAW = "needs an index of law that is not bundled; tested in tests/law"
SLOW = "takes minutes; tested in tests/rag and tests/retrieval"
DRAWN = "names a task by the id that was drawn for the reader; tested in tests/ledger/test_reviews.py and tests/measures/test_validation.py"

NOT_RUN = {
    "*": {"serve ": SERVER, "start ": "asks for a model of the reader's; the tutorial's are run, others in tests/cli/test_start.py", "indexes/ru": OTHER_LAW, "answer.txt": OWN_FILES},
    "ablation.md": {"ablate": OWN_FILES},
    "align.md": {"align": "needs a judge that compared, and people's marks; tested in tests/measures/test_alignment.py"},
    "ask.md": {"ask 'Переходят": OTHER_LAW},
    "audit.md": {"audit": OWN_FILES},
    "citations.md": {"law cite answer.txt": OWN_FILES, "law cite -": "reads from a pipe"},
    "compare.md": {"compare runs/old": OWN_FILES},
    "interchange.md": {"run": OWN_FILES, "suite check": OWN_FILES, "report": "needs the extra inspect; tested in tests/reports/test_inspect.py"},
    "judge-validation.md": {"review mark": DRAWN, "review import": DRAWN},
    "judging.md": {"run": "needs a folder of the reader's own prompts; tested in tests/dialogue"},
    "law.md": {"law show": OTHER_LAW, "law diff": OTHER_LAW, "law touched": OTHER_LAW, "ask": OTHER_LAW},
    "law-recipes.md": {"": "needs the files of the official publisher that it names; tested in tests/law"},
    "ledger.md": {"run spec.toml --out runs/two --ledger": DATABASE, "ledger copy": DATABASE, "ledger check runs/two": DATABASE, "ledger check 'postgresql": DATABASE},
    "public-sets.md": {"": "needs the public data set that the page names"},
    "rag-evaluation.md": {"": SLOW},
    "repeats.md": {"stats": "needs a run with repeats; tested in tests/statistics/test_repeating.py"},
    "report.md": {"report runs/questions": OWN_FILES},
    "results-retrieval.md": {"": "needs the data that the figures were measured on"},
    "retrieval.md": {"law evaluate": OWN_FILES, "law train-encoder": SLOW, "law search 'продажа": OTHER_LAW, "law search 'Как": OTHER_LAW, "ask 'Как": OTHER_LAW, "law embed": "needs an embedding model; tested in tests/retrieval/test_embeddings.py"},
    "review-contract.md": {"review-contract lease": OWN_FILES, "review-contract theirs": OWN_FILES, "review-contract --compare": OWN_FILES, "review-contract ours": OWN_FILES, "suite import": OWN_FILES, "run": OWN_FILES},
    "review.md": {"review mark": DRAWN, "review import": DRAWN, "stability": DRAWN},
    "rubrics.md": {"rubric check": OWN_FILES, "rubric score": OWN_FILES},
    "run.md": {"run --suite ucl-bench": OWN_FILES, "run questions.xlsx": OWN_FILES},
    "scaling.md": {"": DATABASE},
    "stats-command.md": {"": OWN_FILES},
    "suite-authoring.md": {"": HERE},
    "suite-format.md": {"": OWN_FILES},
    "survey.md": {"survey analyse": OWN_FILES, "survey verify": OWN_FILES},
    "tutorial.md": {"": HERE},
    "ucl-bench.md": {"": "needs a clone of UCL-Bench; tested with one of its shape in tests/suites"},
}  # fmt: skip
"""Page to the beginnings of its commands that are not run here, each with the reason; under `*` parts of those of any page."""


def reason(page: Path, arguments: list[str]) -> str | None:
    """Why a command is not run here."""
    line = f"{shlex.join(arguments)} "
    own = (why for begin, why in NOT_RUN.get(page.name, {}).items() if line.startswith(begin))
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
        (folder / "judged.toml").write_text(spec.replace(ADDRESS, address), "utf-8")
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
    for spec in (folder / "spec.toml", folder / "examples" / "two-models.toml"):
        spec.write_text(spec.read_text("utf-8").replace(ADDRESS, chat_server.url), "utf-8")
    run = runner(folder, monkeypatch)
    for arguments in [one for one in commands_of(page) if reason(page, one) is None]:
        done = run(*(word.replace(ADDRESS, chat_server.url) for word in (*arguments, *further(arguments))))
        allowed = {0, 3, 4} if arguments[0] == "gate" else {0}
        assert done.code in allowed, f"benchbar {shlex.join(arguments)}\n{done.err}{done.out[-500:]}"


def test_no_reason_outlives_its_command():
    """Every reason is one of a command that is there."""
    there = {
        (page.name, begin)
        for page in pages()
        for begin in NOT_RUN.get(page.name, {})
        if any(shlex.join(one).startswith(begin) for one in commands_of(page))
    }
    assert {(page, begin) for page, rows in NOT_RUN.items() for begin in rows if page != "*"} == there
