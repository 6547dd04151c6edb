"""Who types the tutorial's commands from top to bottom ends with a decision."""

from __future__ import annotations

import shlex

import pytest

from support.in_process import runner
from support.pages import ROOT, blocks

PAGES = sorted(ROOT.glob("docs/**/tutorial.md"))
ADDRESS = "http://127.0.0.1:8000"
DECISIONS = {"Yes: ": 0, "No: ": 3, "Not yet: ": 4}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_the_tutorial_works_where_the_one_before_left_off(page, tmp_path, monkeypatch, chat_server):
    """The example, the look before, the decision, its reasons, the tasks for a lawyer, and what they say of the judge."""
    run = runner(tmp_path, monkeypatch)
    lines = [line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    ends: dict[str, int] = {}
    for line in lines:
        done = run(*shlex.split(line.replace(ADDRESS, chat_server.url))[1:])
        assert done.err == "", line
        ends[line] = done.code
        decided = done.out.splitlines()[-1].partition(": ")[0] + ": "
        if decided in DECISIONS:
            assert done.code == DECISIONS[decided]
            assert done.out.splitlines()[-1] in " ".join(page.read_text("utf-8").split()), (
                "the page shows another decision"
            )
    assert [
        line for line, code in ends.items() if code not in ({0, 3, 4} if " gate " in line or " start " in line else {0})
    ] == []
    assert {word for line in lines for word in shlex.split(line)[1:3]} >= {"example", "start", "gate", "validate"}
    assert (tmp_path / "runs" / "vendor" / "report.html").exists()
    assert (tmp_path / "points.csv").exists()
