"""Templates are compiled once for an installation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchbar.records.templates import environment


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Path:
    """The folder in which Python, and so Benchbar, keeps what it compiles."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("template-*") if path.is_file())


def _compilations(monkeypatch) -> list[str]:
    """The names of the templates that are compiled from now on."""
    import jinja2

    found: list[str] = []
    compiled = jinja2.Environment.compile

    def compile_(self, source, name=None, *rest, **named):
        found.append(name)
        return compiled(self, source, name, *rest, **named)

    monkeypatch.setattr(jinja2.Environment, "compile", compile_)
    return found


def test_a_template_is_compiled_by_the_first_process_only(kept, monkeypatch):
    """Its code lies where Python keeps its own, and the next environment takes it from there."""
    compiled = _compilations(monkeypatch)
    name = environment("benchbar.reports").list_templates()[0]
    environment("benchbar.reports").get_template(name)
    assert (compiled, len(_files(kept))) == ([name], 1)
    environment("benchbar.reports").get_template(name)
    assert compiled == [name]


def test_code_that_is_damaged_is_compiled_anew(kept, monkeypatch):
    """A file that breaks off, or holds something else, is only a lost copy."""
    name = environment("benchbar.reports").list_templates()[0]
    environment("benchbar.reports").get_template(name)
    for damage in (b"", b"not code", _files(kept)[0].read_bytes()[:-9]):
        _files(kept)[0].write_bytes(damage)
        compiled = _compilations(monkeypatch)
        environment("benchbar.reports").get_template(name)
        assert compiled == [name]


def test_where_nothing_can_be_kept_each_process_compiles(kept, monkeypatch):
    """An installation that another user owns works as well, and ``PYTHONDONTWRITEBYTECODE`` is obeyed."""
    name = environment("benchbar.reports").list_templates()[0]
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    environment("benchbar.reports").get_template(name)
    assert not _files(kept)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (kept / "taken").write_bytes(b"")
    monkeypatch.setattr(sys, "pycache_prefix", str(kept / "taken"))
    environment("benchbar.reports").get_template(name)
    assert not _files(kept)
