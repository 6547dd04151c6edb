"""Acts in Markdown with YAML front matter, as archives of law kept under version control publish them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchbar.law.citation_check import check_citations
from benchbar.law.index import build_index, open_index
from benchbar.law.reading import read_file
from benchbar.records import CitationStatus

HEAD = """---
title: "Kites and Balloons Act , 1982"
identifier: "IE-1982-act-99"
country: "ie"
rank: "act"
publication_date: "1982-05-21"
last_updated: "2019-05-28"
status: "in_force"
source: "http://www.example.org/eli/1982/act/99"
---
# Kites and Balloons Act , 1982

## PART I Preliminary

"""
BODY = """##### 1. **Short title.**

**1.**—This Act may be cited as the Kites and Balloons Act 1982.

##### 2.. **Duty of flyers**

**2**.— (1) A person who flies a kite shall keep it *thirty metres* from a road.

F1[(1A) A person under 12 years of age shall be accompanied.]

## PART II Offences

##### 2A **Balloons.**

F7[2A.—(1) A balloon shall not be released.]

##### 2B. [**Lanterns.**

F8[...]

##### 3. [**Penalty.**

**3.** A person who contravenes section 2 commits an offence.
"""


def act(folder: Path, text: str = HEAD + BODY) -> Path:
    file = folder / "IE-1982-act-99.md"
    file.write_text(text, "utf-8")
    return file


def test_an_act_is_named_numbered_and_dated_by_its_front_matter(tmp_path):
    """The comma before the year is the site's; the report of the index says where each fact was read."""
    read = read_file(act(tmp_path))
    (version,), (taken,) = read.versions, read.understood
    assert (version.name, version.law_id) == ("Kites and Balloons Act 1982", "IE-1982-act-99")
    assert (version.jurisdiction, version.adopted, version.expired) == ("IE", "1982-05-21", False)
    assert version.stated.identifiers == ("IE-1982-act-99", "http://www.example.org/eli/1982/act/99")
    assert set(taken.origins.values()) == {"front matter"}
    assert taken.articles == 5
    assert any("2019-05-28" in note and "--as-of" in note for note in taken.notes)


def test_headings_with_numbers_begin_its_sections_and_the_others_its_parts(tmp_path):
    """Numbers, emphasis and marks of amendments are no part of the text; a section that was taken out stays as one that the act has had."""
    articles = read_file(act(tmp_path)).articles
    assert [(one.number, one.sub, one.title, one.chapter) for one in articles] == [
        ("1", "", "Short title", "PART I Preliminary"),
        ("2", "", "Duty of flyers", "PART I Preliminary"),
        ("2", "A", "Balloons", "PART II Offences"),
        ("2", "B", "Lanterns", "PART II Offences"),
        ("3", "", "Penalty", "PART II Offences"),
    ]
    assert articles[1].text == (
        "(1) A person who flies a kite shall keep it thirty metres from a road.\n[(1A) A person under 12 years of age shall be accompanied.]"
    )
    assert articles[2].text == "[(1) A balloon shall not be released.]"


def test_only_the_number_in_front_of_a_section_is_left_out(tmp_path):
    """A text that begins without it keeps the same number where the law says it."""
    text = HEAD + "##### 12. **Kites of children.**\n\nA child of 12 (or less) flies none.\n"
    assert read_file(act(tmp_path, text)).articles[0].text == "A child of 12 (or less) flies none."


def test_a_citation_of_it_is_checked_like_any_other(tmp_path):
    """Section 2A stands in it and section 40 does not."""
    (tmp_path / "acts").mkdir()
    act(tmp_path / "acts")
    build_index([tmp_path / "acts"], tmp_path / "index")
    corpus = open_index(tmp_path / "index")
    found = check_citations(
        "See section 2A and section 40 of the Kites and Balloons Act 1982.", corpus, on="2020-01-01"
    )
    assert [one.status for one in found] == [CitationStatus.VERIFIED, CitationStatus.NO_SUCH_ARTICLE]


@pytest.mark.parametrize("status", ["repealed", "expired"])
def test_an_act_that_its_archive_calls_repealed_is_not_in_force(tmp_path, status):
    """The field of the front matter counts."""
    assert read_file(act(tmp_path, HEAD.replace("in_force", status) + BODY)).versions[0].expired


@pytest.mark.parametrize("missing", ["title", "identifier"])
def test_other_front_matter_names_no_act(tmp_path, missing):
    """A post of a blog has front matter too, and is refused unless its text shows an act."""
    lines = [line for line in (HEAD + BODY).splitlines() if not line.startswith(f"{missing}:")]
    read = read_file(act(tmp_path, "\n".join(lines)))
    assert all("front matter" not in one.origins.values() for one in read.understood)
