"""Whatever a record can say has a name in every language of the report."""

from __future__ import annotations

import re

import pytest

from benchbar.dialogue import guards
from benchbar.languages.packs import known, labels
from benchbar.records import LEVELS, SCENARIOS, Category, CitationStatus, DialogueEnd, Layer, PointKind
from benchbar.reports.html import ICONS


@pytest.mark.parametrize("language", known())
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
