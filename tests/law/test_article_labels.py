"""Where articles begin: raised numbers of every format, headings apart from the text, and copies that lost their indices."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.reading import read_file
from benchbar.law.splitting import split_articles

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns"


def docx(path: Path, raised: str) -> None:
    """A DOCX whose index is set by a property of its run."""
    body = (
        "<w:p><w:r><w:t>ПРАВИЛА ПРИЧАЛА</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Статья 2. Сборы</w:t></w:r></w:p><w:p><w:r><w:t>Сбор платят.</w:t></w:r></w:p>"
        f"<w:p><w:pPr><w:rPr>{raised}</w:rPr></w:pPr><w:r><w:t>Статья 2</w:t></w:r>"
        f"<w:r><w:rPr>{raised}</w:rPr><w:t>1</w:t></w:r><w:r><w:t>. Льготы</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Лодки не платят за 10 м</w:t></w:r>"
        f"<w:r><w:rPr>{raised}</w:rPr><w:t>2</w:t></w:r><w:r><w:t> причала.</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Статья 3. Споры</w:t></w:r></w:p><w:p><w:r><w:t>Спор решает суд.</w:t></w:r></w:p>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')


def odt(path: Path, raised: str) -> None:
    """An ODT whose index is set by an automatic style."""
    content = (
        f'<office:document-content xmlns:office="{OFFICE}:office:1.0" xmlns:text="{OFFICE}:text:1.0" xmlns:style="{OFFICE}:style:1.0">'
        f'<office:automatic-styles><style:style style:name="T1"><style:text-properties style:text-position="{raised}"/>'
        "</style:style></office:automatic-styles><office:body><office:text><text:p>ПРАВИЛА ПРИЧАЛА</text:p>"
        "<text:p>Статья 2. Сборы</text:p><text:p>Сбор платят.</text:p>"
        '<text:p>Статья 2<text:span text:style-name="T1">1</text:span>. Льготы</text:p>'
        '<text:p>Лодки не платят за 10 м<text:span text:style-name="T1">2</text:span> причала.</text:p>'
        "<text:p>Статья 3. Споры</text:p><text:p>Спор решает суд.</text:p></office:text></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", content)


def page(path: Path, raised: str) -> None:
    """A page whose index is set by a class of its style sheet."""
    path.write_text(
        f'<html><head><meta charset="utf-8"><style>.up {{ {raised} }} .x {{ color: red }}</style></head><body><p>ПРАВИЛА ПРИЧАЛА</p>'
        '<p>Статья 2. Сборы</p><p>Сбор платят.</p><p>Статья 2<span class="up">1</span>. Льготы</p>'
        '<p>Лодки не платят за 10 м<span class="up">2</span> причала.</p><p>Статья 3. Споры</p><p>Спор решает суд.</p></body></html>',
        encoding="utf-8",
    )


def rtf(path: Path, raised: str) -> None:
    """An RTF whose index is set by a control word."""

    def written(text: str) -> str:
        return "".join(one if ord(one) < 128 else f"\\u{ord(one)} ?" for one in text)

    lines = (
        written("ПРАВИЛА ПРИЧАЛА"), written("Статья 2. Сборы"), written("Сбор платят."),
        written("Статья 2") + "{" + raised + " 1}" + written(". Льготы"),
        written("Лодки не платят за 10 м") + "{" + raised + " 2}" + written(" причала."),
        written("Статья 3. Споры"), written("Спор решает суд."),
    )  # fmt: skip
    path.write_text("{\\rtf1\\ansi " + "\\par\n".join(lines) + "}", encoding="ascii")


@pytest.mark.parametrize(
    ("write", "ending", "raised"),
    [
        (docx, "docx", '<w:vertAlign w:val="superscript"/>'),
        (docx, "docx", '<w:position w:val="8"/>'),
        (odt, "odt", "super 58%"),
        (odt, "odt", "33% 80%"),
        (page, "html", "vertical-align: super"),
        (page, "html", "position: relative; top: -0.33em"),
        (rtf, "rtf", "\\super"),
        (rtf, "rtf", "\\up8"),
    ],
)
def test_a_raised_number_is_an_index_in_every_format(
    tmp_path: Path, write: Callable[[Path, str], None], ending: str, raised: str
) -> None:
    """Статья 2¹ is article 2.1 however it is set above the line; square metres stay what they are."""
    write(tmp_path / f"rules.{ending}", raised)
    articles = read_file(tmp_path / f"rules.{ending}").articles
    assert [(one.number, one.sub, one.title) for one in articles] == [
        ("2", "", "Сборы"),
        ("2", "1", "Льготы"),
        ("3", "", "Споры"),
    ]
    assert articles[1].text == "Лодки не платят за 10 м2 причала."


def test_a_heading_stands_apart_from_the_text_as_in_rows_of_law() -> None:
    """The heading of an article is its title, broken lines joined; an article without one keeps all of its text."""
    found = split_articles(
        "Статья 1. Решения общего собрания собственников\nпомещений в доме\n1. Решения принимаются.\n"
        "Статья 2. Граждане платят сбор\nв срок.\nСрок — месяц.\nСтатья 3. Сбор платят.\nСтатья 4\nО сборах\nСбор платят.\n"
        "Section 5. Duties of the master\nThe master pays.\n",
        "law",
    ).articles
    assert [(one.title, one.text) for one in found] == [
        ("Решения общего собрания собственников помещений в доме", "1. Решения принимаются."),
        ("", "Граждане платят сбор\nв срок.\nСрок — месяц."),
        ("", "Сбор платят."),
        ("О сборах", "Сбор платят."),
        ("Duties of the master", "The master pays."),
    ]


def test_chinese_articles_have_no_headings() -> None:
    """What a Chinese article begins with is its text, whatever stands at the end of the line."""
    found = split_articles("第一条 为了保护劳动者的合法权益\n制定本法。\n第二条 本法适用。\n", "law").articles
    assert [one.title for one in found] == ["", ""]
    assert found[0].text == "为了保护劳动者的合法权益\n制定本法。"


@pytest.mark.parametrize(
    ("numbers", "read"),
    [
        # Articles 107 to 112 were repealed, and so was 106 itself.
        ("104 1061 1062 113", "104 106.1 106.2 113"),
        ("30 31 311 312 32 33", "30 31 31.1 31.2 32 33"),
        ("55 551 5510 56 57", "55 55.1 55.10 56 57"),
        # An excerpt, whose numbers rise.
        ("30 311 312", "30 311 312"),
        ("55.16 55.16.1 55.17 56", "55.16 55.16.1 55.17 56"),
        # One number far too high hides nothing behind it.
        ("1 2 900 3 4 5", "1 2 3 4 5"),
    ],
)
def test_no_article_is_hidden_behind_a_lost_index(numbers: str, read: str) -> None:
    """Where a copy lost the raised indices, articles keep their numbers, whatever was repealed between them."""
    text = "\n".join(f"Статья {one}. Слово\nТекст статьи." for one in numbers.split())
    found = split_articles(text, "law").articles
    assert [f"{one.number}.{one.sub}".rstrip(".") for one in found] == read.split()


@given(st.lists(st.integers(1, 400), max_size=40))
def test_every_label_is_an_article_or_named(numbers: list[int]) -> None:
    """Whatever order labels come in, each begins an article or is named among those that were read as text."""
    text = "\n".join(f"Статья {one}. Текст статьи." for one in numbers)
    found = split_articles(text, "law")
    assert len(found.articles) + len(found.unread) == len(numbers)
    places = [(int(one.number), int(one.sub or 0)) for one in found.articles]
    assert places == sorted(set(places))
