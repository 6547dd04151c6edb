"""Assistants' Markdown: laid out, harmless, and marked where evidence and citations are."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.web.markdown import Marked, as_html, as_text

TAGS = re.compile(r"<[^>]*>")
SUPERSCRIPT = re.compile(r'<sup class="rests[^>]*>[^<]*</sup>')


def marked(text: str, part: str, target: str = "") -> Marked:
    start = text.index(part)
    return Marked(start, start + len(part), "met", "p1", target)


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("依照第五条处理", "第五条", "依照<mark"),
        ("1. 第一项\n2. 第二项", "2. 第二项", "<li><mark"),
        ("# 标题一\n正文", "# 标题一", "<mark"),
        ("a **b c** d", "b c** d", "<strong><mark"),
        ("一段\n\n二段", "段\n\n二", "<mark"),
    ],
)
def test_spans_are_marked_within_the_layout(text, part, expected):
    """Lists stay lists, headings headings; a span over two paragraphs is marked in both."""
    found = as_html(text, [marked(text, part)])
    assert expected in found
    assert found.count("<mark") == found.count("</mark>") >= 1
    assert '<sup class="rests met">p1</sup>' in found


def test_a_citation_leads_to_its_article():
    """As a link within the page; inside an assistant's own link it is none, for links do not nest."""
    text = "见《民法典》第五条。"
    assert '<a class="cite met" href="#law-1"' in as_html(text, [marked(text, "第五条", "law-1")])
    text = "见[《民法典》第五条](https://example.org)。"
    found = as_html(text, [marked(text, "第五条", "law-1")])
    assert '<span class="cite met"' in found
    assert found.count("<a ") == 1


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&#58;alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://evil.example/a.png)",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "[x](https://a.example 'onmouseover=alert(1)')",
        "<a href='https://a.example' onclick=alert(1)>x</a>",
        "`<script>`\n\n```html\n<script>alert(1)</script>\n```",
        '<https://a.example/"onmouseover=alert(1)>',
    ],
)
def test_nothing_in_it_runs_or_loads(text):
    """No element but those of a text, no attribute but an address, no scheme but those of the web and of mail."""
    for found in (as_html(text, []), as_text(text, [])):
        for tag in TAGS.findall(found):
            assert re.fullmatch(
                r"</?(p|br|hr|em|strong|s|code|pre|blockquote|ul|ol|li|h[56])>|</a>"
                r'|<a href="(https?:|mailto:)[^"]*" rel="noopener noreferrer nofollow">|<a rel="[^"]*">|<ol start="\d+">',
                tag,
            ), tag


@given(
    st.text("ab 第五条。*_`#-1.\n[](<>&\"'|~", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6),
)
def test_tags_are_always_closed_and_marks_change_no_word(text, spans):
    """Whatever overlaps: every mark is closed, and as written the text is the text."""
    marks = [Marked(a, a + n, "met", "p", "law-0" if a % 2 else "") for a, n in spans]
    plain = as_text(text, marks)
    assert html.unescape(TAGS.sub("", SUPERSCRIPT.sub("", plain))) == text
    for found in (plain, as_html(text, marks)):
        for tag in ("mark", "a", "span"):
            assert len(re.findall(rf"<{tag}\b", found)) == found.count(f"</{tag}>")


def test_private_characters_of_a_reply_open_nothing():
    """An assistant that writes our own border characters gets a replacement sign for each."""
    assert "<mark" not in as_html("\U000f0000x\U000f0001", [])
    found = as_html("ab\U000f0000cd\U000f0001ef", [Marked(0, 2, "met", "p1")])
    assert found.count("<mark") == 1
    assert "\ufffd" in found
