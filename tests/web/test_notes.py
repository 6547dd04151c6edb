"""Notes and tags beside runs: kept for owners alone, escaped, and searched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import UserError
from benchbar.web.notes import LONGEST_TAG, MOST_TAGS, tags_of
from support.page import Page

HARM = '<img src=x onerror="window.harmed = 9">'


@pytest.fixture
def three(made_run: Path, runs: Path) -> Path:
    """Three runs."""
    for name in ("one", "two", "three"):
        shutil.copytree(made_run, runs / name)
    return runs


def write(owner, run: str, note: str = "", tags: str = ""):
    return owner.post(f"/runs/{run}/notes", {"note": note, "tags": tags}, form=f"/runs/{run}", follow_redirects=False)


def listed(visitor, query: str = "") -> set[str]:
    page = Page(visitor.get(f"/runs{query}").text)
    return {
        one.text
        for one in page.all("a")
        if one.attributes.get("href") in {f"/runs/{name}" for name in ("one", "two", "three")}
    }


def test_the_list_of_runs_is_narrowed_by_tag_and_by_words(three, owner):
    """Words are looked for in names, notes and tags, however they are capitalised; a second note takes the place of the first."""
    assert write(owner, "one", "Erst nach dem Umzug", "release, Vertrag").status_code == 303
    write(owner, "two", "the prompt of monday", "Release，合同")
    assert listed(owner) == {"one", "two", "three"}
    assert listed(owner, "?tag=release") == {"one"}
    assert listed(owner, "?text=RELEASE") == {"one", "two"}
    assert listed(owner, "?text=合同") == {"two"}
    assert listed(owner, "?text=three") == {"three"}
    assert listed(owner, "?tag=release&text=monday") == set()
    write(owner, "one", "", "")
    assert listed(owner, "?text=release") == {"two"}


def test_what_was_written_stands_on_the_runs_page_as_text(three, owner):
    """Markup in notes and tags is shown to the letter, in the list as well."""
    write(owner, "one", f"see {HARM}", HARM[:30])
    for path in ("/runs", "/runs/one"):
        page = Page(owner.get(path).text)
        assert not [one for one in page.all("img") if "onerror" in one.attributes]
        assert f"see {HARM}" in page.by_id("content").text
    assert Page(owner.get("/runs/one").text).all("textarea", name="note")[0].text == f"see {HARM}"
    assert "wrote notes on a run" in owner.get("/log").text


def test_nobody_else_reads_or_finds_them(three, owner, visit):
    """A viewer sees the runs without notes, cannot tell by searching that they are there, and may not write."""
    write(owner, "one", "the client is insolvent", "secret-tag")
    viewer = visit()
    viewer.sign_in("Vlad", owner.add("Vlad", "viewer"))
    for path in ("/runs", "/runs/one"):
        text = viewer.get(path).text
        assert "insolvent" not in text
        assert "secret-tag" not in text
    assert listed(viewer, "?text=insolvent") == set()
    assert listed(viewer, "?tag=secret-tag") == set()
    assert viewer.post("/runs/one/notes", {"note": "mine"}, form="/runs").status_code == 403
    assert "insolvent" in owner.get("/runs/one").text


def test_they_go_with_the_matter(three, owner):
    """A run of the same name that is made later has none of them."""
    write(owner, "one", "old", "old")
    owner.post("/runs/one/delete", {"confirmed": "one"}, form="/runs/one/delete")
    shutil.copytree(three / "two", three / "one")
    assert listed(owner, "?tag=old") == set()


@pytest.mark.parametrize("tags", ["x" * (LONGEST_TAG + 1), ",".join(map(str, range(MOST_TAGS + 1))), "a\x00b"])
def test_tags_beyond_the_bounds_are_refused(three, owner, tags):
    """With the reason, and what was there before stays."""
    write(owner, "one", "kept", "kept")
    assert write(owner, "one", "new", tags).status_code == 400
    assert listed(owner, "?tag=kept") == {"one"}


@given(st.text(max_size=80))
def test_tags_are_read_again_as_they_were_written(text):
    """Whatever stands between commas: a list that was read and written once more is the same."""
    try:
        found = tags_of(text)
    except UserError:
        return
    assert tags_of(", ".join(found)) == found
    assert len({one.casefold() for one in found}) == len(found)
