"""A check finds what makes results doubtful, tells a suite's figures, and masks a copy without changing what it asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.languages.personal_data import Masker
from benchbar.law.index import load_corpus
from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard
from benchbar.suites.check import findings
from benchbar.suites.contamination import contamination
from benchbar.suites.figures import figures
from benchbar.suites.folder import read
from benchbar.suites.load import load
from benchbar.suites.personal import mask_sample, personal_data
from benchbar.suites.taxonomy import TASKS
from benchbar.suites.write import write


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """Runs the command line in the test's folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words, **env: CliRunner().invoke(cli, words, env=env)


LONG = "房东在租赁合同到期以后以墙面留有三个钉眼为理由拒绝把三千元押金退还给承租人并且不再接听电话"


def suite_of(*samples: Sample) -> Suite:
    return Suite(card=SuiteCard(name="x", source="own", licence="MIT"), tasks=dict(TASKS), samples=samples)


def sample(id_: str, information: str = "", *texts: str, task: str = "4-3", **fields) -> Sample:
    points = tuple(
        GuidancePoint(id=f"p{n}", category=Category.MANDATORY, kind=PointKind.SEMANTIC, text=text)
        for n, text in enumerate(texts)
    )
    return Sample(
        **{
            "id": id_,
            "task": task,
            "needs": f"第{id_}问？",
            "information": information,
            "guidance": Guidance(points=points),
        }
        | fields
    )


def test_the_same_and_nearly_the_same_are_told_apart():
    """Equal texts are found in all tasks, nearly equal ones within a task, others are left."""
    alike = {"needs": "怎么办？"}
    suite = suite_of(
        sample("a", LONG, **alike),
        sample("b", LONG + "。", task="2-1", **alike),
        sample("c", LONG + "了", **alike),
        sample("d", "公司连续三个月没有给员工缴纳社会保险费用，员工想要解除劳动合同并且要求补偿。", **alike),
    )
    assert {(one.field, one.message) for one in findings(suite)} == {
        ("b", "the same as a: they count as one sample in every interval"),
        ("c", "nearly the same as a"),
    }


def test_citations_that_go_nowhere_are_named():
    """An article and a law that the suite's own corpus does not hold are problems; what is forbidden may cite them."""
    bundled = load("model-jurisdiction-zh")
    law = load_corpus(bundled.law)
    name = law.laws[0].name
    good, bad = sample("good", "", f"《{name}》第一条"), sample("bad", "", f"《{name}》第九千九百九十九条")
    forbidden = GuidancePoint(id="p0", category=Category.FORBIDDEN, text=f"《{name}》第九千九百九十九条")
    other = sample("forbidden", guidance=Guidance(points=(forbidden,)))
    found = findings(suite_of(good, bad, other), law, today="2026-01-01")
    assert [(one.field, "no such article" in one.message) for one in found] == [("bad", True)]
    assert findings(suite_of(good, bad, other)) == ()


@pytest.mark.parametrize("name", ["model-jurisdiction-zh", "model-jurisdiction-ru", "model-jurisdiction-en"])
def test_bundled_suites_have_no_problem(name):
    """Their guidance cites what their law holds."""
    suite = load(name)
    assert findings(suite, load_corpus(suite.law), today="2026-01-01") == ()


def test_figures_tell_what_rules_decide_balance_and_reading():
    """Shares by points and weight, effective tasks as the exponential of entropy, length in characters and minutes."""
    term = GuidancePoint(id="p1", category=Category.MANDATORY, kind=PointKind.TERM, text="定金", weight=3)
    judged = GuidancePoint(id="p2", category=Category.MANDATORY, text="说明理由", weight=1)
    first = sample("a", "字" * 251, guidance=Guidance(points=(term, judged)))
    found = figures(suite_of(first, sample("b", task="2-1")))
    assert found["rules_decide"] == {"points": 0.5, "weight": 0.75}
    assert found["balance"]["effective_tasks"] == pytest.approx(2.0)
    assert found["reading"]["longest"] == {"sample": "a", "characters": 255}
    assert figures(suite_of())["rules_decide"]["points"] is None


def test_overlap_with_other_files_is_counted_by_ngrams(tmp_path):
    """A sample that stands whole in a file, behind escapes and across lines, half of another, none of the third."""
    half = "公司连续三个月没有给员工缴纳社会保险费用，员工想要解除劳动合同。"
    suite = suite_of(
        sample("whole", LONG, needs="怎么办？"),
        sample("half", half + "另外还有加班工资以及年休假工资报酬都没有按照约定足额支付给员工本人", needs="怎么办？"),
        sample("none", "两位老人立了内容不同的遗嘱其中一份经过公证处公证另一份是亲笔书写的", needs="怎么办？"),
        sample("short", "押金", needs="怎么办？"),
    )
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.jsonl").write_text('{"n": 1}\n' + json.dumps({"q": LONG}) + "\n", "utf-8")
    (tmp_path / "b.txt").write_text(half[:14] + "\n" + half[14:], "utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF")
    read_so_far: list[int] = []
    found = contamination(suite, tmp_path, done=read_so_far.append)
    shares = {one.sample: one for one in found.overlaps}
    assert (shares["whole"].share, shares["whole"].file, shares["whole"].line) == (1.0, "deep/a.jsonl", 2)
    assert 0.3 < shares["half"].share < 0.7
    assert "none" not in shares
    assert (found.too_short, found.unread, found.files) == (("short",), ("c.pdf",), 2)
    assert sum(read_so_far) > 0


def test_a_suite_is_not_held_against_itself(tmp_path):
    """Where the suite lies in the folder that is searched, its own files are passed over."""
    write(suite_of(sample("a", LONG)), tmp_path / "mine")
    assert contamination(read(tmp_path / "mine"), tmp_path).overlaps == ()


NAMED = "原告周建平，电话13912345678，身份证号码310115198503042211，诉被告欧阳雪琴租赁合同纠纷，押金三千元。"


def test_a_masked_copy_holds_no_personal_data_and_asks_for_the_same(tmp_path, typed):
    """Names in guidance follow those in the information, kinds and bounds stay, one secret gives one copy."""
    original = sample("a", NAMED, "周建平有权要求返还押金", "由欧阳雪琴承担举证责任")
    write(suite_of(original), tmp_path / "mine")
    (tmp_path / "mine" / "sources.toml").write_text('[[source]]\nname = "own"\nlicence = "MIT"\n', "utf-8")
    done = typed("suite", "check", "mine", "--masked", "masked", "--json", BENCHBAR_MASK_SECRET="s")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["personal_data"]
    assert found["kinds"] == {"name": 4, "phone": 1, "id": 1}
    assert "周建平" not in done.stdout
    (copy,) = read(tmp_path / "masked").samples
    assert list(personal_data(read(tmp_path / "masked"))) == []
    name = copy.information[2:5]
    assert copy.guidance.points[0].text.startswith(name)
    assert [(one.kind, one.weight, len(one.text)) for one in copy.guidance.points] == [
        (one.kind, one.weight, len(one.text)) for one in original.guidance.points
    ]
    assert copy == mask_sample(original, Masker("s"))
    assert (tmp_path / "masked" / "sources.toml").exists()
    assert "not empty" in str(typed("suite", "check", "mine", "--masked", "masked").exception)


def test_overlap_of_half_is_a_problem_on_the_command_line(tmp_path, typed):
    """Exit code 1, with file and line of the other file."""
    write(suite_of(sample("a", LONG, needs="怎么办？")), tmp_path / "mine")
    others = tmp_path / "others"
    others.mkdir()
    Path(others / "x.jsonl").write_text(json.dumps({"q": LONG}, ensure_ascii=False), "utf-8")
    done = typed("suite", "check", "mine", "--against", "others")
    assert done.exit_code == 1
    assert "others/x.jsonl:1: a: 100% of the sample stands in it" in done.stdout
