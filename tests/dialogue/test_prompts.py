"""Prompts are files whose fields are filled in, and nothing else in them is."""

from __future__ import annotations

import pytest

from benchbar.languages.prompts import Prompts
from benchbar.records.errors import BadInputError


@pytest.fixture
def own(tmp_path):
    def write(text: str) -> Prompts:
        (tmp_path / "en").mkdir(exist_ok=True)
        (tmp_path / "en" / "rewrite.md").write_text(text, "utf-8")
        return Prompts(tmp_path)

    return write


def test_fields_are_filled_in_and_what_is_filled_in_is_no_template(own):
    """Names in braces and bare ones; two dollar signs are one."""
    text = own("\n$question in ${count}s for $$5, $question\n").render(
        "rewrite", "en", question="$count {x} $$", count="3"
    )
    assert text == "$count {x} $$ in 3s for $5, $count {x} $$"


@pytest.mark.parametrize("text", ["ask $nobody", "five $ or so", "${nobody}"])
def test_a_field_that_there_is_none_of_is_named_with_those_that_are(own, text):
    """The error says which file it is in."""
    with pytest.raises(BadInputError, match=r"unknown field .*known: \$count, \$question") as error:
        own(text).render("rewrite", "en", question="q", count="3")
    assert "en/rewrite.md" in str(error.value)
