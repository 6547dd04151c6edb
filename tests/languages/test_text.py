"""Normal forms that remember where they came from, sentences, and the language of a text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.languages.text import comparable, detect_language, normalise, sentences


@given(st.text(max_size=100))
def test_normal_form_maps_back(text: str) -> None:
    """Every character of the normal form maps to a span of the original that is not empty and in order."""
    form = normalise(text)
    spans = [form.original(index, index + 1) for index in range(len(form.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


def test_normal_form_is_nfkc_without_invisible_characters() -> None:
    """Full width becomes plain, and soft hyphens and joiners go."""
    form = normalise("Ａ（１）条\u200b款")
    assert form.text == "A(1)条款"
    assert form.original(4, 6) == (4, 7)
    assert form.text == unicodedata.normalize("NFKC", form.text)


def test_compared_form_keeps_letters_and_digits() -> None:
    """Punctuation, spaces and case do not count in a comparison."""
    assert comparable("《民法典》 第１条，ABC").text == "民法典第1条abc"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("根据《民法典》第一条。应当赔偿；可以协商！", 3),
        ("Согласно п. 2 ст. 552 ГК РФ, договор заключен. Суд решил взыскать 5 тыс. руб. с ответчика.", 2),
        ("See Art. 6(1) GDPR. The court in Smith v. Jones held otherwise. Done.", 3),
        ("The right under the Housing Act 1985 (c. 68) and reg. 5 ends. So does a lease.", 2),
        ("", 0),
    ],
)
def test_sentences(text: str, count: int) -> None:
    """Sentences end where they end, and not after an abbreviation."""
    spans = sentences(text)
    assert len(spans) == count
    assert all(text[start:end].strip() == text[start:end] for start, end in spans)


@pytest.mark.parametrize(
    ("text", "language"),
    [("根据 GDPR 处理", "zh"), ("Согласно ГК РФ (Civil Code)", "ru"), ("The court held", "en"), ("", "en")],
)
def test_language_by_script(text: str, language: str) -> None:
    """The script of most letters tells the language."""
    assert detect_language(text) == language
