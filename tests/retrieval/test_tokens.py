"""Text becomes index terms."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchbar.retrieval.tokens import grams, words


def test_chinese_gives_characters_and_pairs_that_stop_at_punctuation():
    """No pair of characters spans a comma."""
    assert grams("出租，人") == (["出", "租", "人"], ["出租"])


def test_russian_words_are_met_in_any_case():
    """Forms of one word share a stem, and ё is е."""
    assert grams("Недвижимые вещи")[0] == grams("недвижимых вещей")[0]
    assert grams("учёт")[0] == grams("учет")[0]


def test_english_words_are_stemmed_and_paired():
    """Neighbouring stems make a pair."""
    assert grams("Leases of vessels") == (["leas", "of", "vessel"], ["leas of", "of vessel"])


def test_full_width_letters_and_digits_are_plain():
    """Width does not matter."""
    assert grams("第１２条ＡＢ") == grams("第12条AB")


def test_chinese_words_are_cut_by_a_dictionary():
    """The cut knows words of two and more characters."""
    assert words("劳动合同的解除") == ["劳动合同", "的", "解除"]


@given(st.text(max_size=200))
def test_any_text_has_terms_without_an_error(text):
    """Whatever characters come, terms come out, and none is empty."""
    unigrams, bigrams = grams(text)
    assert all(unigrams)
    assert all(bigrams)
    assert all(words(text))
