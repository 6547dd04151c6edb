"""docs/api.md: made from the docstrings, current, and its examples run."""

from __future__ import annotations

import doctest
import importlib.util
from pathlib import Path

import benchbar

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "api.md"


def test_the_reference_is_what_the_docstrings_say():
    """Made anew it is the file in docs; else run scripts/make_api_reference.py."""
    spec = importlib.util.spec_from_file_location("make_api_reference", ROOT / "scripts" / "make_api_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.reference() == PAGE.read_text("utf-8")


def test_every_public_name_has_an_entry_and_every_function_an_example():
    """A coroutine is named beside the function that does the same."""
    page = PAGE.read_text("utf-8")
    for name in set(benchbar.__all__) - {"__version__"}:
        assert f"### `{name}`" in page or f"await benchbar.{name}(" in page, name
    for name in ("run", "open", "check_citations", "ask", "review_contract", "ablate"):
        entry = page.partition(f"### `{name}`")[2].partition("\n### ")[0]
        assert ">>> " in entry, name
        assert f"benchbar.{name}(" in entry


def test_the_examples_do_what_they_show(tmp_path, monkeypatch):
    """All of them, one after the other, offline, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    found = doctest.DocTestParser().get_doctest(PAGE.read_text("utf-8").replace("```", ""), {}, "api.md", str(PAGE), 0)
    assert len(found.examples) > 15
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(found, out=told.append)
    assert told == [], "".join(told)
