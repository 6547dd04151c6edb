"""A page in another language shows the commands and names the options of the English page."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from support.pages import ROOT, blocks, prose

DOCS = ROOT / "docs"
LANGUAGES = {"zh": "中文", "ru": "Русский"}
TRANSLATED = [page for language in LANGUAGES for page in sorted((DOCS / language).glob("*.md"))]
FRONT = {"README.zh-CN.md", "README.ru.md"}


def commands(page) -> list[str]:
    """What a page tells its readers to type, without comments."""
    lines = [line for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")]
    return [line.partition(" # ")[0].rstrip() for line in lines]


def names(page) -> set[str]:
    """Options, fields and other code in the text of a page; where a text block stands in for a value, the code alone."""
    text = page.read_text("utf-8")
    return set(re.findall(r"--[a-z][a-z-]+", text)) | set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", text))


def settings(page) -> list[str]:
    """The settings in a page's TOML blocks, without comments."""
    lines = [line.partition("#")[0].strip() for block in blocks(page, "toml") for line in block.splitlines()]
    return [line for line in lines if line]


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_translation_has_the_commands_options_and_settings_of_its_original(page):
    """Not one less, or a reader misses it; not one more, or it is out of date."""
    original = DOCS / page.name
    assert commands(page) == commands(original)
    assert names(page) == names(original)
    assert [line for line in settings(page) if '"' not in line] == [
        line for line in settings(original) if '"' not in line
    ]


def fields(page) -> list[list[str]]:
    """The code in the first cell of each row of a page's tables: what the row explains."""
    return [re.findall(r"`[^`]+`", line.split("|")[1]) for line in prose(page).splitlines() if line.startswith("|")]


def targets(page) -> Counter[str]:
    """Where a page's links lead below those to other languages: without the heading, which may be a translated one."""
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", prose(page).split("\n\n", 2)[2])]
    return Counter(re.sub(r"^\.\./", "", link) for link in links)


def headings(page) -> list[int]:
    """The level of each heading of a page."""
    return [len(signs) for signs in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_translation_has_the_sections_tables_and_links_of_its_original(page):
    """A section, a row or a paragraph that only the English page has shows here, the last by what it links to."""
    original = DOCS / page.name
    assert headings(page) == headings(original)
    assert fields(page) == fields(original)
    assert targets(page) == targets(original)


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_translation_leads_to_the_other_languages(page):
    """The line below the title names each language that the page is in."""
    line = page.read_text("utf-8").splitlines()[2]
    assert f"[English](../{page.name})" in line
    for language, name in LANGUAGES.items():
        if language != page.parent.name:
            assert f"[{name}](../{language}/{page.name})" in line


def test_each_language_has_the_same_pages():
    """And a front page."""
    first, *others = ({page.name for page in (DOCS / language).glob("*.md")} for language in LANGUAGES)
    assert first
    assert all(found == first for found in others)
    assert {page.name for page in ROOT.glob("README.*.md")} <= FRONT
