"""Who follows the page on authoring from top to bottom ends with a suite that runs, and its card."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from support.pages import ROOT, blocks

PAGE = ROOT / "docs" / "suite-authoring.md"


def followed(folder: Path) -> dict[str, str]:
    """What each command of the page printed, typed in order in a copy of the examples."""
    shutil.copytree(ROOT / "examples" / "authoring", folder)
    card, sources = blocks(PAGE, "toml")
    printed: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in [line[2:] for block in blocks(PAGE, "console") for line in block.splitlines()]:
            done = CliRunner().invoke(cli, shlex.split(line)[1:])
            assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception}"
            printed[line] = done.stdout
            if " suite new " in line:
                (folder / "help-desk" / "card.toml").write_text(card, "utf-8")
                (folder / "help-desk" / "sources.toml").write_text(sources, "utf-8")
    return printed


def printed_by(printed: dict[str, str], words: str) -> str:
    return next(text for line, text in printed.items() if words in line)


def test_the_page_leads_from_a_table_to_a_finished_card(tmp_path):
    """Twenty samples with settled guidance, checked, put to three assistants without a failed dialogue, and their card."""
    folder = tmp_path / "authoring"
    printed = followed(folder)
    samples = [json.loads(line) for line in (folder / "help-desk" / "samples.jsonl").read_text("utf-8").splitlines()]
    assert len(samples) == 20
    assert all(sample["guidance"]["points"] for sample in samples)
    assert "17 agreed, 3 decided" in printed_by(printed, "annotate settle")
    results = json.loads((folder / "runs" / "first" / "results.json").read_text("utf-8"))
    assert results["assistants"].keys() >= {"first", "second", "floor"}
    assert {one["failed_dialogues"] for one in results["assistants"].values()} == {0}
    assert "at least 20" in printed_by(printed, "suite items")
    card = (folder / "help-desk" / "README.md").read_text("utf-8")
    for piece in (
        "| all |  | 20 | 100.0% |",
        "anna 20, bo 20 samples",
        "no lawyer has read the guidance",
        "CC0-1.0 50.0%",
    ):
        assert piece in card
    croissant = json.loads((folder / "help-desk" / "croissant.json").read_text("utf-8"))
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert (folder / "exports" / "promptfoo" / "tests.json").exists()
