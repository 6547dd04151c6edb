"""`benchbar chat`: questions and commands from standard input."""

from __future__ import annotations

from click.testing import CliRunner

from benchbar.cli.chat import command


def chat(*options: object, lines: str) -> str:
    result = CliRunner().invoke(command, [str(one) for one in options], input=lines)
    assert result.exit_code == 0, result.output
    return result.output


def test_facts_are_listed_added_and_dropped():
    """Each command shows the list as it is after it."""
    said = chat("--fact", "one", lines="/fact two\n/drop 1\n/facts\n/drop 9\n").splitlines()
    assert said[:4] == ["1. one", "2. two", "1. two", "1. two"]
    # There is no ninth fact.
    assert "/drop N" in said[4]


def test_what_was_understood_is_said():
    """A follow-up is shown with what it was put together with."""
    said = chat(lines="试用期最长可以约定多久？\n如果合同只有一年呢？\n/quit\n出租人？\n")
    assert "理解为：试用期最长可以约定多久？ / 如果合同只有一年呢？" in said
    assert "出租人？" not in said


def test_answers_are_kept_as_a_document(tmp_path):
    """`--save` at the end, `/save` at once; an unknown command is answered with help."""
    said = chat("--save", tmp_path / "end.docx", lines=f"试用期最长多久？\n/save {tmp_path}/now.docx\n/nonsense\n")
    assert (tmp_path / "end.docx").stat().st_size
    assert (tmp_path / "now.docx").stat().st_size
    assert "/save" in said
