"""Public sets become suites, and LawBench's answers are marked as LawBench marks them."""

from __future__ import annotations

import csv
import json

import pytest

from benchbar.records import Category, PointKind
from benchbar.records.errors import BadInputError
from benchbar.suites.load import load
from benchbar.suites.readers import lawbench, lexrubric, questions


def lines(path, *rows):
    """A JSONL file."""
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def test_lexrubric_keeps_points_and_turns_negative_ones_into_forbidden(shared):
    """98 questions, 975 criteria, 67 of them forbidden, each with its points as weight."""
    path = shared / "zh" / "lexrubric" / "exam_even_group.jsonl"
    suite = lexrubric.read(path)
    points = [point for sample in suite.samples for point in sample.guidance.points]
    assert (len(suite.samples), len(points), suite.problems) == (98, 975, ())
    assert sum(point.category is Category.FORBIDDEN for point in points) == 67
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [point.weight for point in points] == [abs(r["point"]) for row in rows for r in row["rubrics"]]
    assert suite.samples[0].guidance.text == rows[0]["answer"]


def test_lexrubric_weighs_by_points_and_forbids_what_costs_some(tmp_path):
    """A criterion's points are its weight; points below zero are what an answer must not say."""
    row = {
        "id": 7,
        "question": "押金怎么退？",
        "answer": "可以要求退还。",
        "rubrics": [
            {"criterion": "指出应当退还", "point": 6, "dimension": "结论"},
            {"criterion": "说明期限", "point": 1.5, "dimension": "依据"},
            {"criterion": "建议自行扣留房屋", "point": -3, "dimension": "结论"},
        ],
    }
    (sample,) = lexrubric.read(lines(tmp_path / "l.jsonl", row)).samples
    assert sample.guidance.text == "可以要求退还。"
    assert [(one.text, one.weight, one.category is Category.FORBIDDEN) for one in sample.guidance.points] == [
        ("指出应当退还", 6, False),
        ("说明期限", 1.5, False),
        ("建议自行扣留房屋", 3, True),
    ]


def test_lexrubric_names_criteria_without_points(tmp_path):
    """A criterion without worth keeps its sample out, and the problem says where."""
    good = {"ID": 1, "question": "q", "rubrics": [{"criterion": "c", "points": 2}]}
    bad = {"ID": 2, "question": "q", "rubrics": [{"criterion": "c"}]}
    suite = lexrubric.read(lines(tmp_path / "l.jsonl", good, bad, {"ID": 3, "question": "q"}, good))
    assert [sample.id for sample in suite.samples] == ["exam-001"]
    assert [(p.line, p.field) for p in suite.problems] == [(2, "rubrics"), (3, "rubrics"), (4, "id")]


def test_lawbench_tasks_are_read_with_their_kinds(published):
    """Every row of five tasks is a sample; choices are letters, recitations quotes, and bases of law citations."""
    path = published / "zh" / "lawbench" / "tasks_even.jsonl"
    suite = load(f"lawbench:{path}")
    assert len(suite.samples) == len(path.read_text("utf-8").splitlines())
    assert set(suite.tasks) == {"1-1", "1-2", "3-2", "3-6", "3-8"}
    kinds = {task: {s.guidance.points[0].kind for s in suite.samples if s.task == task} for task in suite.tasks}
    assert kinds["1-2"] == kinds["3-6"] == {PointKind.CHOICE}
    assert kinds["1-1"] == {PointKind.QUOTE}
    cited = [s for s in suite.samples if s.task == "3-2" and len(s.guidance.points) > 1]
    assert len(cited) > 0.8 * sum(s.task == "3-2" for s in suite.samples)
    assert all(sample.guidance.points[1].kind is PointKind.CITATION for sample in cited)


def test_lawbench_accuracies_are_near_the_published(published):
    """On the half, GPT-4's and ChatLaw's accuracies lie within sampling error of those over all 500."""
    folder = published / "zh" / "lawbench"
    rows = [json.loads(line) for line in (folder / "predictions_even.jsonl").read_text("utf-8").splitlines()]
    with (folder / "published_zero_shot_results.csv").open() as file:
        board = {(row["model_name"], row["task"]): row for row in csv.DictReader(file)}
    for model in ("GPT4", "chatlaw-13b-hf"):
        for task in ("1-2", "3-6"):
            chosen = [row for row in rows if (row["model"], row["task"]) == (model, task)]
            marks = [lawbench.mark(task, row["prediction"], row["reference"]) for row in chosen]
            score = sum(found.score for found in marks) / len(marks)
            assert score == pytest.approx(float(board[model, task]["score"]), abs=0.07)
            abstained = sum(found.abstained for found in marks)
            assert abstained <= round(500 * float(board[model, task]["abstention_rate"]))


@pytest.mark.parametrize(
    ("prediction", "score", "abstained"),
    [
        ("[正确答案]B<eoa>", 1.0, False),
        ("A,B,C,D", 0.0, False),
        ("不知道", 0.0, True),
        ("应当选B，因为B正确", 1.0, False),
    ],
)
def test_lawbench_choices(prediction, score, abstained):
    """Only the single right letter scores; naming none is an abstention."""
    assert lawbench.mark("1-2", prediction, "正确答案：B。") == (score, abstained)


def test_lawbench_texts_score_by_common_subsequence():
    """The same text scores 1, an empty one 0."""
    assert lawbench.mark("1-1", "合同自成立时生效", "合同自成立时生效").score == 1.0
    assert lawbench.mark("3-8", "", "合同").score == 0.0
    assert lawbench.mark("3-2", "合同生效", "合同成立").score == 0.5


def test_lawbench_file_named_by_its_task(tmp_path):
    """Upstream's lists have no task and no index: the file's name and the place in it serve."""
    path = tmp_path / "1-2.json"
    path.write_text(json.dumps([{"instruction": "i", "question": "q", "answer": "正确答案：C。"}]), "utf-8")
    suite = lawbench.read(path)
    assert suite.samples[0].id == "1-2-000"
    assert suite.samples[0].guidance.points[0].text == "C"
    with pytest.raises(BadInputError, match="none of 1-1"):
        lawbench.read(lines(tmp_path / "9-9.jsonl", {"question": "q", "answer": "a"}))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("hanfei", "zh/human_scores_hanfei/rows_even.jsonl"),
        ("llmbar", "prefs/llmbar/pairs_even.jsonl"),
        ("pandalm", "prefs/pandalm/rows_even.jsonl"),
        ("alpaca-eval", "prefs/alpaca_eval/instructions.jsonl"),
    ],
)
def test_question_sets_are_read_without_loss(published, name, file):
    """Each public set of questions is a suite of as many samples as the file has rows, with nothing left out."""
    suite = load(f"{name}:{published / file}")
    rows = (published / file).read_text("utf-8").splitlines()
    assert (len(suite.samples), suite.problems) == (len(rows), ())
    assert suite.card.name == name
    assert all(sample.needs for sample in suite.samples)


def test_questions_without_text_are_named(tmp_path):
    """A row without a question is a problem with its line; a file of none is an error."""
    suite = questions.read_hanfei(lines(tmp_path / "h.jsonl", {"id": 1, "question": "q"}, {"id": 2, "question": ""}))
    assert [(p.line, p.field) for p in suite.problems] == [(2, "question")]
    with pytest.raises(BadInputError, match="no usable sample of hanfei"):
        questions.read_hanfei(lines(tmp_path / "none.jsonl", {"id": 2}))
