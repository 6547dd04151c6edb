"""What changed in an act between two days, and who cites what changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from benchbar.cli.main import cli
from benchbar.law.amendments import changes_of, spans_of
from benchbar.law.corpus import Corpus
from benchbar.law.legal_texts import LegalTexts
from benchbar.law.reading import read_file
from benchbar.records import Article, LawVersion
from benchbar.records.errors import UserError

OLD = [
    "为了保护租用双方的权益，制定本法。",
    "押金不得超过三个月租金，出租人应当在租用终止后三十日内返还。",
    "租用期限超过二十年的，超过部分无效。",
    "出租人应当修缮房屋。",
]
NEW = [
    "为了保护租用双方的权益，制定本法。",
    "出租人不得以停水停电的方式迫使承租人搬离。",
    "押金不得超过两个月租金，出租人应当在租用终止后十五日内返还。",
    "出租人应当修缮房屋。",
    "违反本法规定的，处一千元以上五千元以下罚款。",
]


def corpus_of(old: list[str], new: list[str]) -> Corpus:
    """An act in two editions."""
    legal_texts = LegalTexts(
        versions=[
            LawVersion(law_id="r1", name="租用法", adopted="2012-03-01", in_force="2012-06-01"),
            LawVersion(law_id="r2", name="租用法", adopted="2021-12-20", in_force="2022-07-01"),
        ]
    )
    for law_id, texts in (("r1", old), ("r2", new)):
        legal_texts.articles += [
            Article(law_id=law_id, number=str(number), text=text) for number, text in enumerate(texts, start=1)
        ]
    return Corpus.from_texts(legal_texts)


def test_articles_are_matched_by_their_text() -> None:
    """An inserted article makes those behind it renumbered, not changed; one that is alike was changed, and the rest came or went."""
    corpus = corpus_of(OLD, NEW)
    found = changes_of(corpus.acts[0], corpus, "2020-01-01", "2023-01-01")
    assert (found.before, found.after, found.unchanged) == (("r1",), ("r2",), 2)
    assert [(one.kind, one.before, one.after) for one in found.changes] == [
        ("changed", "2", "3"), ("removed", "3", ""), ("added", "", "2"), ("added", "", "5"),
    ]  # fmt: skip


def test_a_renumbered_article_is_named() -> None:
    """An article that has another number and the same words is renumbered."""
    corpus = corpus_of(OLD, [*NEW[:1], "新增的条文规定了登记。", OLD[2], *NEW[3:]])
    found = changes_of(corpus.acts[0], corpus, "2020-01-01", "2023-01-01")
    assert [one.kind for one in found.changes if one.before == "3"] == []
    swapped = corpus_of(OLD, [OLD[0], OLD[2], OLD[1], OLD[3]])
    found = changes_of(swapped.acts[0], swapped, "2020-01-01", "2023-01-01")
    assert [(one.kind, one.before, one.after) for one in found.changes] == [
        ("renumbered", "2", "3"), ("renumbered", "3", "2"),
    ]  # fmt: skip


def test_sections_with_days_of_their_own_change_on_these() -> None:
    """Of an act of official XML the days of the sections tell which of them came, whatever the day of the text."""
    corpus = Corpus.from_texts(read_file(Path(__file__).parent / "official" / "clml-anaw-2018-1.xml"))
    found = changes_of(corpus.acts[0], corpus, "2018-02-01", "2019-02-01")
    assert {(one.kind, one.before or one.after) for one in found.changes} >= {("added", "Sch 1")}


def test_a_day_without_a_text_is_refused() -> None:
    """Before the first text nothing can be compared."""
    corpus = corpus_of(OLD, NEW)
    with pytest.raises(UserError, match="no text of 租用法 is held for 2001-01-01"):
        changes_of(corpus.acts[0], corpus, "2001-01-01", "2023-01-01")


def test_an_uncertain_text_is_said() -> None:
    """Where the first day of a text is not known, the comparison says so."""
    corpus = Corpus.from_texts(
        LegalTexts(
            versions=[
                LawVersion(law_id="a", name="渔港法", adopted="2005-01-01", in_force="2005-02-01"),
                LawVersion(law_id="b", name="渔港法", adopted="2020-06-01"),
            ],
            articles=[Article(law_id="a", number="1", text="一。"), Article(law_id="b", number="1", text="二二二。")],
        )
    )
    found = changes_of(corpus.acts[0], corpus, "2010-01-01", "2023-01-01")
    assert found.after == ("b",)
    assert changes_of(corpus.acts[0], corpus, "2010-01-01", "2010-01-02").changes == ()


@given(
    st.text(alphabet="押金不得超过三两个月 ab1", max_size=60), st.text(alphabet="押金不得超过三两个月 ab1", max_size=60)
)
def test_a_difference_holds_both_texts(old: str, new: str) -> None:
    """What stayed and what was removed is the old text; what stayed and what was added is the new one."""
    pieces = spans_of(old, new)
    assert "".join(text for kind, text in pieces if kind != "added") == old
    assert "".join(text for kind, text in pieces if kind != "removed") == new


@st.composite
def edits(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A law of distinct articles, and the same with some dropped and others put in."""
    texts = draw(st.lists(st.text("甲乙丙丁戊己庚辛", min_size=12, max_size=20), min_size=1, max_size=6, unique=True))
    kept = [one for one in texts if draw(st.booleans())]
    for place in range(draw(st.integers(0, 3))):
        kept.insert(draw(st.integers(0, len(kept))), f"新增条文第{place}号，与其他条文毫无关系的内容。")
    return texts, kept or texts


@given(edits())
def test_every_article_is_accounted_for_once(laws: tuple[list[str], list[str]]) -> None:
    """Each article of the old text is the same, changed, renumbered or removed; each of the new one has one origin or was added."""
    old, new = laws
    corpus = corpus_of(old, new)
    found = changes_of(corpus.acts[0], corpus, "2020-01-01", "2023-01-01")
    before = [one.before for one in found.changes if one.before]
    after = [one.after for one in found.changes if one.after]
    assert len(before) == len(set(before)) <= len(old)
    assert len(after) == len(set(after)) <= len(new)
    assert found.unchanged + len(before) == len(old)
    assert found.unchanged + len(after) == len(new)


def run(*arguments: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(cli, arguments, standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.stdout


def test_the_difference_is_printed(model_folder: Path) -> None:
    """Each change with its words between brackets; as a summary the numbers alone; as JSON both texts."""
    days = ("--from", "2020-01-01", "--to", "2023-01-01", "--law", str(model_folder))
    shown = run("law", "diff", "房屋租用法", *days)
    assert shown.startswith("房屋租用法, 2020-01-01 to 2023-01-01 (tenancy-2012 → tenancy-2022): ")
    assert "{+促进房屋合理利用，+}" in shown
    summary = run("law", "diff", "租用法", *days, "--summary")
    assert "{+" not in summary
    assert "2-1 added" in summary
    changes = json.loads(run("law", "diff", "房屋租用法", *days, "--json"))["changes"]
    assert {"added", "changed", "removed"} >= {one["kind"] for one in changes}
    assert all(one["old"] or one["new"] for one in changes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("租用法", "--from", "2023-01-01", "--to", "2020-01-01"), "before"),
        (("租用法", "--from", "gestern", "--to", "2020-01-01"), "expected a date"),
        (("航空法", "--from", "2020-01-01", "--to", "2023-01-01"), "names none"),
    ],
)
def test_what_cannot_be_compared_is_refused(model_folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """Days in the wrong order, days that are none, and laws that are not held."""
    with pytest.raises(UserError, match=message):
        run("law", "diff", *arguments, "--law", str(model_folder))


def test_guidance_and_answers_that_cite_a_changed_article_are_named(model_folder: Path, tmp_path: Path) -> None:
    """Samples whose guidance cites a changed article are named with the place, those that cite others are not."""
    suite = Path("src/benchbar/suites/data/model-jurisdiction-zh")
    shutil.copytree(Path(__file__).parents[2] / suite, tmp_path / "suite")
    file = next((tmp_path / "suite").rglob("samples*.jsonl"))
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows[0]["information"] = "当事人引用《房屋租用法》第二条。"
    rows[1]["information"] = "当事人引用《民事总法》第一条。"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    found = json.loads(
        run(
            "law", "touched", "房屋租用法", "--from", "2020-01-01", "--to", "2023-01-01", "--law", str(model_folder),
            "--suite", str(tmp_path / "suite"), "--json",
        )
    )["touched"]  # fmt: skip
    assert [(one["where"].partition(",")[0].partition(":")[0], one["number"], one["kind"]) for one in found] == [
        (f"sample {rows[0]['id']}", "2", "changed")
    ]
    with pytest.raises(UserError, match="--suite, --run"):
        run("law", "touched", "房屋租用法", "--from", "2020-01-01", "--to", "2023-01-01", "--law", str(model_folder))
