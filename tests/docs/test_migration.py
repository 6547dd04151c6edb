"""What files, settings and printed records of the first published version hold is still understood, or its page says what became of it."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import msgspec
import pytest

import benchbar
from benchbar.measures.registry import BY_NAME
from benchbar.records.errors import UserError
from benchbar.runs.spec_reading import read_spec

ROOT = Path(__file__).resolve().parents[2]
MOVED_WHOLE = {"AssistantResults", "Cell", "TemperamentCell"}
"""Their measures stand within `measures` now, each under its name: one row of the page says it of all."""


def _lines(sign: str) -> list[tuple[str, list[str]]]:
    """What the first version had: a record with its fields (``:``), or a set of values (``=``)."""
    text = (Path(__file__).parent / "first_fields.txt").read_text("utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    return [
        (name.strip(), words.split()) for name, found, words in (row.partition(f"{sign} ") for row in rows) if found
    ]


@cache
def _now() -> dict[str, list[set[str]]]:
    """Every record and set of values of today by its name, which several may bear."""
    found: dict[str, list[set[str]]] = {}
    for part in walk_packages(benchbar.__path__, "benchbar."):
        if part.name.startswith("benchbar.web") or part.name.endswith("__main__"):
            continue
        for name, one in vars(import_module(part.name)).items():
            if isinstance(one, type) and issubclass(one, msgspec.Struct | Enum) and one.__module__ == part.name:
                found.setdefault(name, []).append(_words(one))
    return found


def _words(one: type) -> set[str]:
    if issubclass(one, msgspec.Struct):
        return {field.encode_name for field in msgspec.structs.fields(one)}
    return {str(value.value) for value in one}


def _told() -> set[str]:
    """What stands in the first column of the page's table of fields."""
    section = (ROOT / "docs" / "migration.md").read_text("utf-8").partition("\n## Fields\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    return {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}


@pytest.mark.parametrize("sign", [":", "="], ids=["fields", "values"])
def test_each_field_and_value_of_the_first_version_is_there_or_its_page_says_what_became_of_it(sign):
    """A file that was written then opens, and a script that reads one finds each name, or a line in docs/migration.md."""
    told, now = _told(), _now()
    first = _lines(sign)
    assert len(first) > 10
    assert [name for name, _ in first if name not in now] == []
    lost = [
        f"{name}.{one}"
        for name, words in first
        for one in min((set(words) - there for there in now[name]), key=len)
        if one not in told and not (name in MOVED_WHOLE and one in BY_NAME)
    ]
    assert lost == []


def test_a_field_that_no_version_had_is_refused_with_the_one_that_was_meant(tmp_path):
    """So that a misspelt one is not passed over in silence."""
    file = tmp_path / "spec.toml"
    file.write_text("exchnages = 2\n", "utf-8")
    with pytest.raises(UserError, match="did you mean 'exchanges'"):
        read_spec(file, {}, (), {})
