"""Citations in Markdown and HTML: links, tags, notes and entities among the words of a citation, which are no part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.citations import extract
from benchbar.law.links import plainly, without_links


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


@pytest.mark.parametrize(
    ("text", "law", "article"),
    [
        ("<b>Section 12</b> of the <i>Theft Act 1968</i> applies.", "Theft Act 1968", "12"),
        ('See <a href="https://law.example/s?5">section&nbsp;5</a>&nbsp;of the <em>Bribery Act 2010</em>.', "Bribery Act 2010", "5"),
        ("Under section 5[^2] of the Bribery Act 2010[^3], it is.", "Bribery Act 2010", "5"),
        ("Under section 5[1] of the Bribery Act 2010[2], it is.", "Bribery Act 2010", "5"),
        ("Section\u2060 5 of the Bri\u00adbery Act 2010 bars it.", "Bribery Act 2010", "5"),
        ("Bribery Act 2010, s\\. 5", "Bribery Act 2010", "5"),
        ("Срок по ст.&nbsp;196 <strong>ГК&nbsp;РФ</strong> — три года.", "ГК РФ", "196"),
        ("Статья 15 ГК РФ<sup>2</sup> говорит об убытках.", "ГК РФ", "15"),
        ("依照《民法典》<strong>第577条</strong>【4†source】的规定。", "民法典", "577"),
    ],
)  # fmt: skip
def test_marks_of_the_page_are_no_part_of_a_citation(text: str, law: str, article: str) -> None:
    """Tags, entities, marks of notes and sources, escapes and characters that nobody sees may stand in the midst of a citation."""
    (found,) = [one for one in extract(text) if one.article]

    assert (found.law, found.article) == (law, article)
    start, end = found.span
    assert text[start:end].strip()
    assert not {"<", "&", "[", "\u2060", "\u00ad"} & set(found.text)


def test_a_raised_number_is_part_of_the_article_before_it() -> None:
    """``ст. 123<sup>1</sup>`` is article 123.1, as ``ст. 123¹`` is."""
    (found,) = extract("ст. 123<sup>1</sup> ГК РФ")

    assert (found.article, found.sub) == ("123", "1")
    assert found.span == (0, len("ст. 123<sup>1</sup> ГК РФ"))


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


MARKED = ("<b>", "</b>", "&nbsp;", "&sect;", "<sup>1</sup>", "7", "[^2]", "[3]", "\\[", "\u2060", "ст. ", "ГК РФ", "section 5", " of the ", "Theft Act 1968", "**", "_")  # fmt: skip


@given(st.lists(st.sampled_from(MARKED), max_size=14).map("".join))
def test_every_place_found_lies_in_the_text(text: str) -> None:
    """Whatever marks stand where: places go forward, and each holds its character or the mark that stands for it."""
    found = plainly(text)
    if found is None:
        return
    plain, placed = found
    spans = [placed((at, at + 1)) for at in range(len(plain))]

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert all(text[start:end] == letter or end - start > 1 for letter, (start, end) in zip(plain, spans, strict=True))


def test_a_flood_of_brackets_takes_no_longer_than_its_length() -> None:
    """Texts that open links without end are read in linear time; the suite's own limit would stop another."""
    assert without_links("[a](" * 50_000) is None
    assert without_links("[" * 50_000 + "a" * 50_000 + "](") is None
    assert extract("<" * 20_000 + "b" + ">b" * 20_000 + " s 5 of the Theft Act 1968", "en")
