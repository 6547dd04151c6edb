"""Every language of the report says the same things."""

from __future__ import annotations

import re

import pytest

from benchbar.dialogue import guards
from benchbar.records import LEVELS, SCENARIOS, Category, CitationStatus, DialogueEnd, Layer, PointKind
from benchbar.reports.catalogue import LANGUAGES, labels
from benchbar.reports.html import ICONS

FIELD = re.compile(r"{\w+}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_texts_with_the_same_fields(language):
    """A text that is missing, or lost a field, would show in the report."""
    english, own = labels("en").texts, labels(language).texts
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert sorted(FIELD.findall(text)) == sorted(FIELD.findall(english[key])), key
        assert text.strip(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_a_record_has_a_name(language):
    """Levels, scenarios, categories, kinds, layers, endings, marks and guards."""
    import inspect

    names = {
        "level": LEVELS,
        "scenario": SCENARIOS,
        "category": tuple(Category),
        "kind": tuple(PointKind),
        "layer": tuple(Layer),
        "ended": tuple(DialogueEnd),
        "mark": tuple(ICONS),
        "citation": tuple(CitationStatus),
        "guard": tuple(re.findall(r'guard="(\w+)"', inspect.getsource(guards))),
    }
    for kind, values in names.items():
        assert values, kind
        for value in values:
            assert f"{kind}.{value}" in labels(language).texts


def test_an_unknown_language_is_answered_in_english():
    """A suite in another language still gets a report."""
    assert labels("kk").language == "en"


def test_what_is_filled_in_is_not_read_as_a_template():
    """Braces in a name stay braces."""
    assert "{reference.__class__}" in labels("en")("verdict.better", name="{reference.__class__}", reference="b")
