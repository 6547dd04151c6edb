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


def test_a_file_that_cannot_be_written_ends_no_conversation(tmp_path):
    """It is told with its cause in the language of the question; the next question is answered, and the exit code says that a file is missing."""
    (tmp_path / "file").write_text("", "utf-8")
    lines = f"试用期最长多久？\n/save {tmp_path}/file/now.docx\n押金多久退？\n/save {tmp_path}/then.docx\n"
    result = CliRunner().invoke(command, ["--save", str(tmp_path / "file" / "end.docx")], input=lines)
    assert result.exit_code == 1
    assert result.output.count("未保存") == 2
    assert "押金" in result.output.partition("未保存")[2]
    assert (tmp_path / "then.docx").stat().st_size


def test_a_folder_in_place_of_a_file_is_refused_before_the_first_question(tmp_path):
    """Nobody asks an hour long and learns then that nothing is kept."""
    result = CliRunner().invoke(command, ["--save", str(tmp_path)], input="押金多久退？\n")
    assert result.exit_code == 2
    assert "is a folder" in result.output
