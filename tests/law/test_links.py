"""Citations in Markdown: links around the words of a citation, whose addresses are no part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.citations import extract
from benchbar.law.links import without_links


@pytest.mark.parametrize(
    ("language", "text", "law", "article"),
    [
        (
            "en",
            "Under [section 17](http://law.example/ord/553/s17.html) of the [Electronic Transactions Ordinance](http://law.example/553) ([Cap. 553](/553)), it is.",
            "Electronic Transactions Ordinance",
            "17",
        ),
        ("zh", "依照[《民法典》](https://law.example/a)[第五百七十七条](https://law.example/a#577)的规定，应当赔偿。", "民法典", "577"),
        ("ru", 'Согласно [ст. 15](https://law.example/15 "статья") [ГК РФ](/gk) убытки возмещаются.', "ГК РФ", "15"),
    ],
)  # fmt: skip
def test_a_citation_made_of_links_is_read(language: str, text: str, law: str, article: str) -> None:
    """Law and article are found across the addresses; the span lies in the text, and the citation's words hold no address."""
    (found,) = [one for one in extract(text, language) if one.article]
    assert (found.law, found.article) == (law, article)
    assert "law.example" not in found.text
    start, end = found.span

    assert text[start] == found.text[0]
    assert text[end - 1] == found.text[-1]


def test_brackets_that_are_no_link_stay() -> None:
    """Brackets beside each other, as of a neutral citation or an index, are words of the text."""
    for text in ("[2019] UKSC 41", "a[1](2) and [x](y)", "section 3 [see](below) of the Housing Act 1988"):
        assert without_links(text) is None


@given(st.lists(st.one_of(st.text("ab ]([", max_size=6), st.just("[ст. 15 ГК РФ](https://x.example/1)")), max_size=8))
def test_every_character_is_found_again(parts: list[str]) -> None:
    """Whatever stands around links: each kept character has its place in the text, in order, and nothing else is kept."""
    text = "".join(parts)
    found = without_links(text)
    if found is None:
        return
    plain, placed = found
    places = [placed((at, at + 1)) for at in range(len(plain))]
    assert [text[start:end] for start, end in places] == list(plain)
    assert places == sorted(set(places))


def test_a_flood_of_brackets_takes_no_longer_than_its_length() -> None:
    """Texts that open links without end are read in linear time; the suite's own limit would stop another."""
    assert without_links("[a](" * 50_000) is None
    assert without_links("[" * 50_000 + "a" * 50_000 + "](") is None
