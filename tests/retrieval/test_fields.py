"""Fields of law: which one a question is of, and which of them a store holds."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from benchbar.assistants.law_practice import LawPractice
from benchbar.assistants.writers import ExtractiveWriter
from benchbar.records import Piece
from benchbar.retrieval.fields import (
    FIELD_SIGNALS,
    asked_fields,
    covered_fields,
    field_signals,
    fields_of_law,
    foreign_field,
    held_fields,
)
from benchbar.retrieval.index import Index
from benchbar.retrieval.settings import RetrievalSettings
from benchbar.retrieval.store import Store


def code_of(name: str, language: str, times: int = 20) -> Store:
    """A code that says every statutory phrase of one field, in as many articles."""
    field = next(one for one in fields_of_law(language) if one.name == name)
    verb = {"ru": "регулирует настоящий Кодекс", "zh": "适用本法", "en": "is governed by this Act"}[language]
    return Store(
        [
            Piece(
                id=f"{number}-{place}", kind="article", document=f"{number}-{place}", law=name, law_id="l",
                title=phrase if language != "zh" else "", text=f"{phrase} {verb}.",
            )
            for number in range(times)
            for place, phrase in enumerate(field.statutory)
        ]
    )  # fmt: skip


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_a_vocabulary_names_many_fields_in_both_kinds_of_words(language):
    """Each field has a name of its own, everyday phrases, and phrases of statutes."""
    fields = fields_of_law(language)
    assert len({one.name for one in fields}) == len(fields) >= 20
    for field in fields:
        assert len(field.everyday) >= 5
        assert len(field.statutory) >= 4
        assert all(phrase.parts and phrase.weight > 0 for phrase in field.everyday)


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_a_store_holds_the_field_whose_statutory_words_it_says(language):
    """A code made of one field's phrases holds that field wholly, and is not taken to hold all of them."""
    for field in fields_of_law(language):
        store = code_of(field.name, language)
        held = held_fields(store)
        assert held[fields_of_law(language).index(field)] == 1
        assert field.name in covered_fields(store)
        assert len(covered_fields(store)) < len(fields_of_law(language)) / 3


@pytest.mark.parametrize(
    ("language", "own", "question", "other"),
    [
        ("ru", "жилищное право", "Какой налог платить с дохода и когда подавать декларацию в налоговую?", "налоги"),
        ("zh", "劳动用工", "酒驾被交警扣了驾驶证，要扣多少分？", "道路交通"),
        ("en", "employment", "Does HMRC want VAT on what I sell, and when is my tax return late?", "tax"),
    ],
)
def test_a_question_of_a_field_that_is_not_held_is_told_by_its_name(language, own, question, other):
    """The field is named where the store does not hold it, and not where it does."""
    assert foreign_field(code_of(own, language), question) == other
    assert foreign_field(code_of(other, language), question) == ""


def test_everyday_words_are_met_in_any_form_within_one_sentence():
    """Beginnings of Russian words; all parts of a phrase in one sentence; nothing for words of no field."""
    names = [one.name for one in fields_of_law("ru")]
    labour = names.index("трудовое право")
    assert asked_fields("Меня уволили без предупреждения", "ru")[labour] > 0
    traffic = names.index("дорожное движение и автомобили")
    together = asked_fields("Пьяный сидел за рулём", "ru")[traffic]
    assert together > asked_fields("Пьяный пришёл. Мы стояли за дверью", "ru")[traffic]
    assert not asked_fields("Ω", "ru").any()
    assert not len(asked_fields("Was gilt?", "de"))


def test_signals_are_numbers_whatever_is_asked():
    """A question of no field speaks neither for a store nor against it."""
    store = code_of("налоги", "ru")
    for question in ("", "Ω", "налог " * 300):
        found = field_signals(store, question)
        assert len(found) == len(FIELD_SIGNALS)
        assert np.isfinite(found).all()
    assert field_signals(store, "Ω")[FIELD_SIGNALS.index("share_held")] == 0.5


def test_the_consultant_says_which_field_is_not_at_hand():
    """Where it is silent on a question of another field, it names that field and those that the corpus holds."""
    passages = list(code_of("жилищное право", "ru").passages)
    search = Index({"law": passages}).search(RetrievalSettings(silence=0.1, familiarity=False))
    asked = LawPractice(search, ExtractiveWriter(), covers=("Жилищный кодекс",)).consult(
        "Какой налог платить с дохода и когда подавать декларацию в налоговую?"
    )
    answer = asyncio.run(asked)
    assert answer.context == ()
    assert "налоги" in answer.abstained
    assert "жилищное право" in answer.abstained
