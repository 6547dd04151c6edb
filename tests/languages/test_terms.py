"""One word for each thing, in every language and wherever a person reads it."""

from __future__ import annotations

import re

import pytest

from benchbar.languages.packs import known, labels, pack
from support.pages import ROOT, prose
from support.terms import second_words, terms

SPOKEN = ("report", "web", "contract", "reasons")
"""What people read. Prompts and ``words.toml`` go to models and stand in stored runs, whose fingerprints hold their texts:
a word changed there would make every run of before another one."""
every_pack = pytest.mark.parametrize("language", known())
PAGES = {"zh": [ROOT / "README.zh-CN.md", *sorted((ROOT / "docs/zh").glob("*.md"))],
         "ru": [ROOT / "README.ru.md", *sorted((ROOT / "docs/ru").glob("*.md"))]}  # fmt: skip


def texts(language: str) -> dict[str, str]:
    """Every text of a language that people read, by its area and key."""
    found = {f"{area} {key}": text for area in SPOKEN for key, text in labels(language, area).texts.items()}
    asked = re.findall(r'= "(.*)"$|(?:text|options|title) = (.*)$', pack(language).text("survey.toml"), re.MULTILINE)
    found |= {f"survey {number}": "".join(one) for number, one in enumerate(asked)}
    # A field is named in code; what it is filled with is looked at on the pages.
    return {key: re.sub(r"\{\w+\}", "7", text) for key, text in found.items()}


@every_pack
def test_every_language_has_a_word_for_each_term(language):
    """The glossary shows them beside each other."""
    assert terms(language).keys() == terms("en").keys()


@every_pack
def test_no_text_calls_a_thing_by_a_second_word(language):
    """A reader who meets two words looks for two things."""
    wrong = [f"{key}: {one}" for key, text in texts(language).items() for one in second_words(text, language)]
    assert wrong == []


@every_pack
def test_every_term_is_in_use(language):
    """A word that no text has would be a rule about nothing."""
    said = "\n".join(texts(language).values()).lower()
    # Russian nouns have endings, which the stem of each word stands for.
    unused = [
        one.word
        for one in terms(language).values()
        if not all(part[: max(4, len(part) - 2)] in said for part in one.word.split())
    ]
    assert unused == []


@every_pack
def test_every_wording_that_means_something_else_is_in_use(language):
    """An exception that nothing needs would hide the next second word."""
    said = list(texts(language).values())
    pages = [prose(page) for page in PAGES.get(language, [])]
    for one in terms(language).values():
        for wording, why in one.other.items():
            assert why
            assert any(re.search(wording, text) for text in (*said, *pages)), wording


@pytest.mark.parametrize("page", [page for pages in PAGES.values() for page in pages], ids=lambda page: page.name)
def test_translated_pages_use_the_words_of_the_product(page):
    """Whoever reads the manual looks for its words on the screen."""
    language = next(one for one, pages in PAGES.items() if page in pages)
    wrong = [one for line in prose(page).splitlines() for one in second_words(line, language)]
    assert wrong == []


def test_the_glossary_has_the_word_of_every_language():
    """Translators and readers find them in one place."""
    tags = [tag for tag in known() if tag != "en"]
    rows = [
        f"| {one.word} | {' | '.join(terms(tag)[name].word for tag in tags)} |" for name, one in terms("en").items()
    ]
    assert "\n".join(rows) in (ROOT / "docs" / "glossary.md").read_text("utf-8")
