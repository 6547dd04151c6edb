"""A run that says of itself that its figures are not to be relied on names no winner: not by a colour, not by an arrow."""

from __future__ import annotations

import re
import shutil

import msgspec
import pytest

from benchbar.artefacts.folder import read_results
from benchbar.artefacts.layout import RunFolder
from benchbar.measures.health import finding
from benchbar.records import Estimate, encode
from support.hostile import ASSISTANT

COLOURED = re.compile(r'class="(?:card|interval-line|chip)? ?(?:better|worse|won|lost)"|▲|▼')
PAGES = ("/runs/{run}", "/runs/{run}?task=1-1", "/runs/{run}/samples", "/runs/{run}/samples/1-1-001")


@pytest.fixture
def signed(apps, copied):
    """The owner before two copies of a run with a clear loser, of which the second one's judge sees positions alone."""
    shutil.copytree(copied / "plain", copied / "doubted")
    for name in ("plain", "doubted"):
        folder = copied / name
        found = read_results(folder)
        lost = found.assistants[ASSISTANT]
        rate = Estimate(value=0.1, low=0.02, high=0.2, n=60, method="share")
        cells = {
            id_: msgspec.structs.replace(cell, measures=cell.measures | {"win_rate": rate})
            for id_, cell in lost.by_task.items()
        }
        lost = msgspec.structs.replace(lost, measures=lost.measures | {"win_rate": rate}, by_task=cells, tied_with=())
        astray = (finding("chance", ASSISTANT, {"changed": "9", "both": "10"}),) if name == "doubted" else ()
        found = msgspec.structs.replace(
            found, assistants=found.assistants | {ASSISTANT: lost}, health=astray, gate=None
        )
        RunFolder(folder).results.write_bytes(encode(found))
    visitor = apps(copied)()
    visitor.sign_in()
    return visitor


def shown(visitor, path: str) -> str:
    """The page from its first heading on, without the gate, which has a colour of its own."""
    before, _, rest = visitor.get(path).text.partition("<h1>")[2].partition('<section id="gate"')
    return before + rest.partition("</section>")[2]


def test_a_sound_judge_gives_colours(signed):
    """The counterpart: the same figures with nothing against them are coloured."""
    text = shown(signed, PAGES[0].format(run="plain"))
    assert 'class="interval-line worse"' in text
    assert 'class="card worse"' in text


@pytest.mark.parametrize("path", PAGES)
def test_no_page_of_a_doubted_run_names_a_winner(signed, path):
    """Neither chart, card, matrix nor the chips of its samples."""
    text = signed.get(path.format(run="doubted")).text.partition("<h1>")[2]
    before, _, rest = text.partition('<section id="gate"')
    assert not COLOURED.search(before + rest.partition("</section>")[2])


def test_a_comparison_with_a_doubted_run_says_so_and_colours_nothing(signed):
    """The finding stands above the figures, under the run's name."""
    text = signed.get("/compare?first=plain&second=doubted").text.partition("<h1>")[2]
    assert not re.search(r'<td class="(?:better|worse)"', text)
    assert re.search(r'role="alert"[^<]*<strong>[^<]*</strong> doubted: ', text)
