"""The commands of `benchbar law`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.assistants.asking import bundled_law
from benchbar.cli.main import cli
from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import labels
from benchbar.law.claims.measured import measured
from benchbar.law.shown import accusations
from benchbar.records.errors import BadInputError, UserError
from benchbar.tables.documents import decode_text

FIELDS = {
    "span", "text", "language", "law", "law_id", "article", "sub", "paragraph", "item", "case_number", "status", "in_force",
    "superseded_by", "quote", "quote_score", "topic", "claim_check",
}  # fmt: skip


@pytest.fixture
def index(model_folder: Path, tmp_path: Path) -> Path:
    """An index built by the command."""
    run("law", "index", str(model_folder), "--out", str(tmp_path / "index"), "--claim", "*")
    return tmp_path / "index"


def run(*arguments: str, stdin: bytes | None = None) -> str:
    """The command's standard output; errors of ours are raised."""
    result = CliRunner().invoke(cli, arguments, input=stdin, standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.stdout


def test_index_reports_what_was_read(model_folder: Path, tmp_path: Path) -> None:
    """One JSON document with the counts, each file, and what was skipped."""
    document = json.loads(run("law", "index", str(model_folder), "--out", str(tmp_path / "index"), "--json"))
    assert {name: document[name] for name in ("laws", "articles", "decisions", "pieces", "skipped")} == {
        "laws": 3, "articles": 11, "decisions": 3, "pieces": 14, "skipped": [],
    }  # fmt: skip
    assert len(document["read"]) == 5
    assert "14 pieces from 5 files (5 unchanged)" in run(
        "law", "index", str(model_folder), "--out", str(tmp_path / "index")
    )


def test_cite_prints_one_document(index: Path) -> None:
    """Every citation has the fields that are fixed, and its status on the day."""
    text = "依照《房屋租用法》第二条、第九条和《诺约条例》第一条，参照（2023）屿0101民初12号。"
    document = json.loads(run("law", "cite", text, "--law", str(index), "--on", "2024-01-01", "--json"))
    assert all(one.keys() >= FIELDS for one in document["citations"])
    assert [one["status"] for one in document["citations"]] == [
        "verified",
        "no_such_article",
        "not_in_force",
        "verified",
    ]
    assert document["citations"][0]["article"] == "2"
    start, end = document["citations"][0]["span"]
    assert text[start:end] == "《房屋租用法》第二条"
    assert document["summary"]["verified"] == 2
    assert (document["contradicted"], document["other_authority"]) == (0, 0)


def test_the_document_counts_what_exists_and_says_otherwise() -> None:
    """A section that is verified may say the opposite: the count stands beside the statuses, as in the terminal."""
    text = "Under section 4(1) of the Tenancies Act 2021 a deposit may not exceed ten weeks' rent."
    document = json.loads(run("law", "cite", text, "--law", "model-jurisdiction-en", "--on", "2024-03-01", "--json"))
    assert document["summary"]["verified"] == 1
    assert document["contradicted"] == 1
    assert document["verdicts"] == {"contradicts": 1}
    (cited,) = document["citations"]
    assert next(iter(cited.items())) == ("verdict", "contradicts")
    (precision,) = cited["precision"]
    row = measured().rows["contradicts number en"]
    assert (precision["of"], precision["language"]) == ("contradicts number", "en")
    assert (precision["right"], precision["said"], precision["low"]) == (row.right, row.said, row.low)
    assert precision["measured_on"]


def test_cite_reads_files_and_standard_input(index: Path, tmp_path: Path) -> None:
    """A file's name, a dash and the text itself give the same; the encoding is told apart."""
    text = "依照《房屋租用法》第二条和《诺约条例》第一条判决如下，各方应当遵守。"
    file = tmp_path / "answer.txt"
    file.write_bytes(text.encode("gb18030"))
    arguments = ("--law", str(index), "--on", "2024-01-01")
    outputs = {
        run("law", "cite", text, *arguments),
        run("law", "cite", str(file), *arguments),
        run("law", "cite", "-", *arguments, stdin=text.encode("gb18030")),
    }
    assert len(outputs) == 1
    told = outputs.pop().splitlines()
    assert told[-1] == "按2024-01-01的法律核查，共 2 处引用：并非现行有效 1 个、现行有效 1 个"


@pytest.mark.parametrize("empty", [b"", b" \n\t\n"])
def test_nothing_to_check_is_refused(index: Path, tmp_path: Path, empty: bytes) -> None:
    """Nothing found in nothing would pass for nothing wrong: the stream or file is named, and what was expected."""
    with pytest.raises(UserError, match="standard input is empty: expected a text"):
        run("law", "cite", "-", "--law", str(index), stdin=empty)
    with pytest.raises(UserError, match="TEXT is empty: expected a text"):
        run("law", "cite", empty.decode(), "--law", str(index))
    (tmp_path / "empty.txt").write_bytes(empty)
    with pytest.raises(BadInputError, match=r"empty\.txt: there is no text in it"):
        run("law", "cite", str(tmp_path / "empty.txt"), "--law", str(index))


@pytest.mark.parametrize(
    ("text", "law", "contradicts", "absent", "unknown"),
    [
        (
            "依照《民事基本法》第五十八条，定金不得超过合同价款的百分之三十。《民事基本法》第九百九十九条。《航海与灯塔维护法》第三条。",
            "model-jurisdiction-zh",
            *("条文与此矛盾：《民事基本法》第五十八条", "没有这一条：《民事基本法》第九百九十九条", "没有这部法律：《航海与灯塔维护法》第三条"),
        ),
        (
            "По ст. 999 Жилищного кодекса положена премия. Согласно ст. 10 Закона о маяках и бакенах маяк горит.",
            "model-jurisdiction-ru",
            *("", "нет такой статьи: ст. 999 Жилищного кодекса", "нет такого закона: ст. 10 Закона о маяках"),
        ),
        (
            "Under section 4(1) of the Tenancies Act 2021 a deposit may not exceed ten weeks' rent. Section 99 of the Tenancies Act 2021.",
            "model-jurisdiction-en",
            *("the article contradicts this: section 4(1)", "no such article: Section 99", ""),
        ),
    ],
)  # fmt: skip
def test_the_terminal_speaks_the_language_of_the_text_and_the_first_word_is_the_gravest(
    text: str, law: str, contradicts: str, absent: str, unknown: str
) -> None:
    """An article in force that says otherwise is no "in force"; what accuses never stands without how often such verdicts were right."""
    lines = run("law", "cite", text, "--law", law, "--on", "2024-03-01").splitlines()
    for begin in filter(None, (contradicts, absent, unknown)):
        assert any(line.startswith(begin) for line in lines), begin
    say = labels(law.rpartition("-")[2], "report")
    language = say("tongue." + say.language)
    figures = accusations().rows[f"invented {say.language}"].figures
    local = {name: local_numbers(one, say.language) for name, one in figures.items()}
    assert f"  {say('accusation.measured', language=language, **local)}" in lines
    if say.language != "en":
        # Names of acts and commands apart, nothing in it is English.
        assert not re.search(r"[a-z]{3,}", re.sub(r"benchbar .*|\(.*\.md\)|\S+\.md", "", "\n".join(lines)))


def test_a_name_that_is_not_recognised_says_how_a_nickname_is_told(index: Path) -> None:
    """The command as it can be run: with the name, and with the law that is likely meant where one is."""
    out = run("law", "cite", "《房屋租用管理法》第二条规定押金。", "--law", str(index), "--on", "2024-01-01")
    (told,) = (line for line in out.splitlines() if "benchbar law nickname" in line)
    words = shlex.split(told[told.index("benchbar") :])
    assert words[:4] == ["benchbar", "law", "nickname", "房屋租用管理法"]
    assert words[-2:] == ["--to", str(index)]


def test_what_an_edition_left_out_is_told_and_what_none_has_is_refused(index: Path) -> None:
    """The line of an edition alone would read as if there were no more to say."""
    shown = run("law", "show", "租用法第四条", "--law", str(index))
    assert "此文本中没有租用法第四条" in shown.partition("[tenancy-2022]")[2]
    with pytest.raises(UserError, match="第九十九条"):
        run("law", "show", "租用法第九十九条", "--law", str(index))
    with pytest.raises(UserError, match=r"第二条第九款.*paragraph"):
        run("law", "show", "租用法第二条第九款", "--law", str(index))


def test_cite_refuses_what_is_no_date_and_no_index(index: Path, tmp_path: Path) -> None:
    """A wrong date and a missing index are the user's errors, said in one sentence."""
    with pytest.raises(UserError, match="2024-13-01"):
        run("law", "cite", "《民事总法》第一条", "--law", str(index), "--on", "2024-13-01")
    with pytest.raises(BadInputError, match="law index"):
        run("law", "cite", "《民事总法》第一条", "--law", str(tmp_path / "none"))


def test_show_prints_every_edition(index: Path) -> None:
    """An article is shown in each edition, a decision by its number, and the unknown is refused."""
    document = json.loads(run("law", "show", "租用法第二条", "--law", str(index), "--json"))
    assert [one["law_id"] for one in document["editions"]] == ["tenancy-2012", "tenancy-2022"]
    assert all(one["articles"][0]["number"] == "2" for one in document["editions"])
    assert "押金返还" in run("law", "show", "（2023）屿0101民初12号", "--law", str(index))
    with pytest.raises(UserError, match="holds nothing"):
        run("law", "show", "《没有法》第一条", "--law", str(index))


def test_help_teaches_with_an_example() -> None:
    """Each command's help shows how to call it."""
    for name in ("index", "cite", "show"):
        assert f"benchbar law {name}" in run("law", name, "--help")
    assert "index" in run("law", "--help")


def test_standard_input_must_be_text() -> None:
    """Bytes that are no text are refused."""
    with pytest.raises(BadInputError, match="binary"):
        decode_text(bytes(range(256)) * 8, Path("standard input"))


def test_the_law_of_a_bundled_suite_has_its_name():
    """No path into the package is needed; a name that there is not is refused with those that there are."""
    cited = json.loads(run("law", "cite", "《民事基本法》第五十八条", "--law", "model-jurisdiction-zh", "--json"))
    assert [one["status"] for one in cited["citations"]] == ["verified"]
    assert "《民事基本法》第五十八条" in run("law", "search", "定金", "--law", "model-jurisdiction-zh")
    with pytest.raises(BadInputError, match="bundled .*model-jurisdiction-ru"):
        run("law", "cite", "《民事基本法》第五十八条", "--law", "model-jurisdiction-fr")


@pytest.mark.parametrize(
    ("text", "says", "claim", "article", "day"),
    [
        (
            "Ст. 10 Жилищного кодекса разрешает наймодателю менять замки.",
            "ВЫМЫШЛЕННОЕ ПРАВО",
            *("сказано: ", "статья: ", "право на 2024-01-01"),
        ),
        (
            "Section 13 of the Employment Act 2019 awards two weeks' wages for each year of service.",
            "INVENTED LAW",
            *("says: ", "article: ", "law of 2024-01-01"),
        ),
    ],
)
def test_beside_each_citation_stands_the_law_of_that_day(
    text: str, says: str, claim: str, article: str, day: str
) -> None:
    """With --texts: what the text says, the whole article, its day and its source; and that the law is invented, in the text's language."""
    law = bundled_law(text)
    done = CliRunner().invoke(cli, ["law", "cite", text, "--law", str(law), "--on", "2024-01-01", "--texts"])
    assert done.exit_code == 0
    assert says in done.stderr
    body = next(line for line in done.stdout.splitlines() if line.startswith(f"    {article}"))
    assert body.endswith(".md)")
    assert f"({day}; " in body
    assert f"    {claim}" in done.stdout
