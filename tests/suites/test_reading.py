"""Suites are read whole or with their faults named: file, line and field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchbar.records import LEVELS, QUESTION_ANSWERING, SCENARIOS
from benchbar.records.errors import BadInputError, UnknownNameError
from benchbar.suites import folder, ucl_bench
from benchbar.suites.check import findings
from benchbar.suites.load import bundled, load
from benchbar.suites.taxonomy import TASKS, task_id
from benchbar.suites.write import write


def lines(path: Path, *rows: object) -> Path:
    path.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows), "utf-8"
    )
    return path


ROW = {
    "task": "Charge Prediction",
    "id": 2,
    "information": "某甲窃取手机。",
    "needs": "给出罪名",
    "guidance": "答案参考：罪名是：盗窃罪",
}


def test_the_published_half_of_ucl_bench_is_read_without_loss(shared):
    """116 samples, 23 tasks, no unknown label; the five samples without guidance are named."""
    summary = ucl_bench.read(shared / "zh" / "ucl_bench" / "samples_even.jsonl").summary()
    assert (summary["samples"], summary["tasks"], summary["problems"]) == (116, 23, [])
    assert summary["without_guidance"] == ["6-2-002", "6-2-004", "6-2-006", "6-2-008", "6-2-010"]


def test_rows_of_several_tasks_are_counted_and_those_without_guidance_named(tmp_path):
    """Every row is a sample of its task; one without guidance stays, and the summary names it."""
    consulting = ROW | {"task": "Real Case Consulting", "id": 3, "guidance": "", "needs": "押金怎么退？"}
    rows = (ROW, ROW | {"id": 4}, consulting, consulting | {"id": 5, "guidance": "必须提及：退还押金"})
    summary = ucl_bench.read(lines(tmp_path / "samples.jsonl", *rows)).summary()
    assert (summary["samples"], summary["tasks"], summary["problems"]) == (4, 2, [])
    assert summary["without_guidance"] == [f"{task_id('Real Case Consulting')}-003"]


def test_a_label_that_is_a_path_is_one_answer_and_not_four(tmp_path):
    """Task 4-2 has a closed list of paths: naming a part of one, which others share, is no right answer."""
    label = "本金争议/借贷合意/书面协议or电子协议/本金（金额）"
    row = ROW | {"task": "Dispute Focus Identification", "guidance": f"答案参考：争议焦点是：{label}"}
    (sample,) = ucl_bench.read(lines(tmp_path / "a.jsonl", row)).samples
    (point,) = sample.guidance.points
    assert (point.kind, point.text, point.alternatives, point.exhaustive) == ("term", label, (), False)
    assert sample.guidance.text == row["guidance"]
    charge = ucl_bench.read(lines(tmp_path / "b.jsonl", ROW | {"guidance": "答案参考：盗窃/诈骗"})).samples[0]
    assert charge.guidance.points[0].alternatives == ("诈骗",)


def test_upstreams_own_json_gives_the_same_samples(tmp_path):
    """An object of task name to list, with evaluation_hints in the place of guidance."""
    own = {key: value for key, value in ROW.items() if key not in {"task", "guidance"}} | {
        "evaluation_hints": ROW["guidance"]
    }
    upstream = lines(tmp_path / "mini.json", {"Charge Prediction": [own | {"task_name": "Charge Prediction"}]})
    assert ucl_bench.read(upstream).samples == ucl_bench.read(lines(tmp_path / "a.jsonl", ROW)).samples


def test_the_taxonomy_is_the_papers():
    """22 tasks of the paper and one more of its data, six levels, five scenarios."""
    assert len(TASKS) == 23
    assert {task.level for task in TASKS.values()} == set(LEVELS)
    assert {scenario for task in TASKS.values() for scenario in task.scenarios} == set(SCENARIOS)
    assert (task_id("Real Case Consulting"), task_id("3-1"), task_id("Nothing")) == ("4-3", "3-1", None)
    assert [sum(task.level == level for task in TASKS.values()) for level in LEVELS] == [1, 5, 4, 5, 2, 6]


def test_single_bad_rows_are_skipped_and_listed(tmp_path):
    """The good ones go on; each bad one is named by line and field."""
    path = lines(
        tmp_path / "s.jsonl",
        ROW,
        "{broken",
        ROW | {"id": 3, "task": "Cooking"},
        ROW | {"id": 4, "needs": ""},
        ROW,
        [1, 2],
        ROW | {"id": 5, "information": "长" * (1 << 21)},
        ROW | {"id": 6, "guidance": "奇怪提及：甲"},
    )
    suite = ucl_bench.read(path)
    assert [sample.id for sample in suite.samples] == ["3-2-002", "3-2-006"]
    found = [(problem.line, problem.field) for problem in suite.problems]
    assert found == [(2, None), (3, "task"), (4, "needs"), (5, "id"), (6, None), (7, "information"), (8, "guidance")]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b"[1]", "object of task name"),
        ("a.json", b"{", "not valid JSON"),
        ("a.jsonl", "任务".encode("gb18030"), "not valid JSON"),
        ("a.jsonl", "任务".encode("utf-16"), "not valid JSON"),
        ("a.jsonl", b"", "no usable UCL-Bench sample"),
    ],
)
def test_a_file_that_is_something_else_is_one_clear_error(tmp_path, name, data, message):
    """It names the file and what was expected."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInputError, match=message) as error:
        ucl_bench.read(tmp_path / name)
    assert name in str(error.value)


def test_a_suite_in_our_own_form_is_written_and_read_back_the_same(tmp_path):
    """Card, tasks and samples; the fingerprint follows from the content."""
    suite = ucl_bench.read(lines(tmp_path / "s.jsonl", ROW))
    write(suite, tmp_path / "suite")
    again = folder.read(tmp_path / "suite")
    assert (again.samples, again.card, again.fingerprint) == (suite.samples, suite.card, suite.fingerprint)


def test_a_csv_with_guidance_in_words_is_a_suite(tmp_path):
    """A spreadsheet is enough to begin with."""
    path = tmp_path / "mine.csv"
    path.write_text("id,task,needs,guidance,tags\na1,1-1,第一条？,必须提及：甲乙,x y\n", "utf-8")
    (sample,) = folder.read(path).samples
    assert (sample.id, sample.task, sample.tags) == ("a1", "1-1", ("x", "y"))
    assert [point.text for point in sample.guidance.points] == ["甲乙"]


GOOD = {"id": "a", "task": "1-1", "needs": "n"}


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"task": "1-1", "needs": "n"}, "id"),
        (GOOD | {"task": "9-9"}, "task"),
        (GOOD | {"language": 3}, "language"),
        (GOOD | {"long_information": "maybe"}, "long_information"),
        (
            GOOD | {"guidance": {"points": [{"id": "p", "category": "nice", "text": "x"}]}},
            "guidance.points[0].category",
        ),
        (
            GOOD | {"guidance": {"points": [{"id": "p", "category": "mandatory", "text": "x"}], "at_least": {"g": 1}}},
            "guidance",
        ),
        (GOOD | {"guidance": {"points": [{"id": "p", "category": "mandatory", "text": "x", "weight": 0}]}}, "guidance"),
        (GOOD | {"colour": "red"}, None),
    ],
)
def test_a_sample_that_does_not_fit_is_named_by_its_field(tmp_path, row, field):
    """Missing, unknown, of another type, or not fitting together."""
    suite = folder.read(lines(tmp_path / "s.jsonl", GOOD | {"id": "ok"}, row))
    assert [sample.id for sample in suite.samples] == ["ok"]
    assert [problem.field for problem in suite.problems] == [field]


def test_a_limit_takes_from_all_tasks_in_turn():
    """Twenty-two of the bundled suite are one of each task."""
    suite = load("model-jurisdiction-zh").narrowed(limit=22)
    assert len({sample.task for sample in suite.samples}) == 22


def test_an_unknown_suite_is_answered_with_the_known_ones():
    """Bundled names and readers."""
    with pytest.raises(UnknownNameError, match=r"model-jurisdiction-zh.*ucl-bench:PATH"):
        load("nothing")


@pytest.mark.parametrize("name", sorted(bundled()))
def test_bundled_suites_are_clean(name):
    """No problem while reading, no leak, no near-duplicate; every sample of a consultation has guidance."""
    suite = load(name)
    assert findings(suite) == ()
    assert suite.card.protocol == QUESTION_ANSWERING or suite.without_guidance() == ()


def test_the_bundled_suite_has_all_22_tasks_with_at_least_two_samples():
    """And rules can decide at least half of the guidance weight."""
    suite = load("model-jurisdiction-zh")
    counts = {id_: sum(sample.task == id_ for sample in suite.samples) for id_ in TASKS if id_ != "3-4"}
    assert min(counts.values()) >= 2
    points = [point for sample in suite.samples for point in sample.guidance.points]
    decidable = sum(point.weight for point in points if point.kind != "semantic")
    assert decidable / sum(point.weight for point in points) >= 0.5


def test_leaks_and_doubles_are_found(tmp_path):
    """Guidance that the user could read out, and samples that are nearly one."""
    text = "租客交还房屋以后房东应当在十日之内退还全部押金并且附上扣款的清单"
    guided = {"guidance": {"points": [{"id": "p", "category": "mandatory", "text": text}]}}
    suite = folder.read(
        lines(
            tmp_path / "s.jsonl",
            {"id": "a", "task": "1-1", "needs": f"我听说{text}，对吗？"} | guided,
            {"id": "b", "task": "1-1", "needs": f"我听说{text}，对吧？"},
        )
    )
    found = [(problem.field, problem.message) for problem in findings(suite)]
    assert ("a", "guidance point p stands word for word in information or needs") in found
    assert ("b", "nearly the same as a") in found
