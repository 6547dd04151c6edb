"""What is promised of TOML files: one reader, and every fault with its file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchbar.records import SuiteCard
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml, toml_of


def _fault(path: Path) -> BadInputError:
    with pytest.raises(BadInputError) as caught:
        read_toml(path, SuiteCard)
    return caught.value


def test_a_value_of_the_asked_type(tmp_path: Path) -> None:
    """A file becomes the record that was asked for, with or without a byte order mark."""
    (tmp_path / "card.toml").write_bytes(b"\xef\xbb\xbf" + 'name = "审判"\nversion = "2"\n'.encode())
    assert read_toml(tmp_path / "card.toml", SuiteCard) == SuiteCard(name="审判", version="2")


def test_a_fault_of_grammar_has_its_line_and_column(tmp_path: Path) -> None:
    """What is no TOML is named by line and column."""
    (tmp_path / "card.toml").write_text('name = "a"\nversion = \n', "utf-8")
    error = _fault(tmp_path / "card.toml")
    assert (error.line, error.message) == (2, "not valid TOML: Invalid value (column 11)")


def test_an_end_too_early_is_said() -> None:
    """A file that breaks off is said to break off at its end."""
    with pytest.raises(BadInputError, match=r"card: not valid TOML: .* \(at the end\)"):
        toml_of('name = """a', dict[str, str], file="card")


def test_a_field_that_does_not_fit_is_named(tmp_path: Path) -> None:
    """A field of another type is named with what was expected and found."""
    (tmp_path / "card.toml").write_text("name = 3\n", "utf-8")
    error = _fault(tmp_path / "card.toml")
    assert (error.field, error.message) == ("name", "Expected `str`, got `int`")


def test_another_encoding_is_refused_by_its_line(tmp_path: Path) -> None:
    """TOML is UTF-8; the first line that is not is named."""
    (tmp_path / "card.toml").write_bytes(b'name = "a"\n' + 'version = "版"\n'.encode("gb18030"))
    error = _fault(tmp_path / "card.toml")
    assert (error.line, "not UTF-8" in error.message) == (2, True)


def test_hostile_nesting_is_a_fault() -> None:
    """Lists nested thousands deep end in an error that says so."""
    with pytest.raises(BadInputError, match="not valid TOML"):
        toml_of("a = " + "[" * 20_000, dict[str, list[str]], file="card")
