"""Logs of other programs: each is told by its content, and read into one kind of row. The files here are made by hand in the
programs' own form; tests/evaluations/test_written_by_programs.py has the programs write theirs.
"""

from __future__ import annotations

import json

import pytest

from benchbar.evaluations.auditing import read
from benchbar.evaluations.reading import read_log, read_logs
from benchbar.records.errors import BadInputError
from benchbar.tables.work_products import delivered


def written(folder, name, document):
    """A file with a JSON document, or with one on each line."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = document if name.endswith("jsonl") else [document]
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines), encoding="utf-8")
    return path


def inspect_log(**changes):
    samples = [
        {
            "id": f"q{i}",
            "epoch": epoch,
            "input": f"Question {i}?",
            "target": "Article 1",
            "output": {"choices": [{"message": {"role": "assistant", "content": f"Article {i % 2}"}}]},
            "scores": {"match": {"value": "C" if i % 2 else "I"}, "rubric": {"value": {"law": 1, "form": None}}},
        }
        for i in range(4)
        for epoch in (1, 2)
    ]
    scorer = {"name": "match", "scorer": "match", "scored_samples": 4}
    metrics = {"accuracy": {"name": "accuracy", "value": 0.5}, "stderr": {"name": "stderr", "value": 0.2}}
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "law", "model": "m/1", "packages": {"inspect_ai": "0.3.285"}},
        "results": {"completed_samples": 8, "scores": [{**scorer, "metrics": metrics}]},
        "samples": samples,
        **changes,
    }


def promptfoo_results(rows=4):
    results = [
        {
            "promptIdx": 0,
            "testIdx": i,
            "vars": {"q": f"question {i}"},
            "prompt": {"raw": f"question {i}", "label": "{{q}}"},
            "provider": {"id": "openai:m1"},
            "response": {"output": "Article 1" if i % 2 else "nothing"},
            "success": bool(i % 2),
            "score": float(i % 2),
            "failureReason": 0 if i % 2 else 1,
            "namedScores": {},
            "gradingResult": {
                "componentResults": [
                    {"pass": bool(i % 2), "score": 1, "assertion": {"type": "llm-rubric", "value": "names “Article 1”"}}
                ]
            },
        }
        for i in range(rows)
    ]
    metrics = {"testPassCount": rows // 2, "testFailCount": rows - rows // 2, "namedScores": {}, "namedScoresCount": {}}
    prompt = {"raw": "{{q}}", "label": "{{q}}", "provider": "openai:m1", "metrics": metrics}
    stats = {"successes": rows // 2, "failures": rows - rows // 2, "errors": 0}
    summary = {"version": 3, "results": results, "prompts": [prompt], "stats": stats}
    return {"evalId": "eval-1", "results": summary, "metadata": {"promptfooVersion": "0.121.20"}}


def review(i, value=1.0, **more):
    score = {"value": {"acc": value}, "prediction": "Article 1", "main_score_name": "acc"}
    messages = [{"role": "user", "content": f"Question {i}?"}, {"role": "assistant", "content": "Article 1"}]
    return {
        "index": i,
        "target": "Article 1",
        "messages": messages,
        "sample_score": {"score": score, "sample_id": i, **more},
    }


def annotation(i, preference=2.0):
    return {
        "instruction": f"Question {i}",
        "output_1": "nothing",
        "generator_1": "base",
        "output_2": "结论: Article 1",
        "generator_2": "m1",
        "annotator": "weighted",
        "preference": preference,
        "dataset": "helpful_base" if i % 2 else "koala",
    }


def lab_run(folder, verdicts, *, judge="j1", name="scores.json", **stated):
    """One run of LAB with its task beside it, and the file of its scores."""
    task = {
        "title": "Review the lease",
        "instructions": "Write a memo.",
        "deliverables": ["memo.md"],
        "criteria": [
            {"id": f"C-{i}", "title": f"Names “Article {i}”", "match_criteria": f"PASS if it names Article {i}."}
            for i in range(len(verdicts))
        ],
    }
    written(folder, "task.json", task)
    written(folder, "config.json", {"model": "m1", "task": "lease"})
    (folder / "output").mkdir(exist_ok=True)
    (folder / "output" / "memo.md").write_text("Article 1 applies.", encoding="utf-8")
    results = [
        {"id": f"C-{i}", "title": f"Names “Article {i}”", "verdict": v, "reasoning": "…"}
        for i, v in enumerate(verdicts)
    ]
    passed = verdicts.count("pass")
    scores = {
        "score": float(passed == len(verdicts)),
        "all_pass": passed == len(verdicts),
        "n_criteria": len(verdicts),
        "n_passed": passed,
        "criteria_results": results,
        "judge_model": judge,
        "task": "lease",
        **stated,
    }
    return written(folder, name, scores)


def spans():
    message = [{"role": "assistant", "parts": [{"type": "text", "content": "Article 1 applies."}]}]
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.request.model", "value": {"stringValue": "m1"}},
        {
            "key": "gen_ai.input.messages",
            "value": {
                "stringValue": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Which article?"}]}])
            },
        },
        {"key": "gen_ai.output.messages", "value": {"stringValue": json.dumps(message)}},
    ]
    event = [
        {"key": "gen_ai.evaluation.name", "value": {"stringValue": "relevance"}},
        {"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": 0.8}},
    ]
    span = {
        "traceId": "t1",
        "spanId": "s1",
        "name": "chat m1",
        "startTimeUnixNano": "1",
        "attributes": attributes,
        "events": [{"name": "gen_ai.evaluation.result", "attributes": event}],
    }
    service = [{"key": "service.name", "value": {"stringValue": "helpdesk"}}]
    return {
        "resourceSpans": [{"resource": {"attributes": service}, "scopeSpans": [{"spans": [span, {"name": "GET /"}]}]}]
    }


def deepeval_run():
    cases = [
        {
            "name": f"test_{i}",
            "input": f"Question {i}?",
            "actualOutput": "Article 1",
            "expectedOutput": "Article 1",
            "success": i > 0,
            "metricsData": [
                {"name": "Faithfulness", "score": i / 4, "success": i > 0, "threshold": 0.2, "evaluationModel": "j"}
            ],
        }
        for i in range(4)
    ]
    scores = [{"metric": "Faithfulness", "scores": [0, 0.25, 0.5, 0.75], "passes": 3, "fails": 1, "errors": 0}]
    return {"testRunData": {"testCases": cases, "metricsScores": scores, "testPassed": 3, "testFailed": 1}}


def langfuse_trace():
    score = {"name": "helpful", "dataType": "NUMERIC", "value": 0.5}
    call = {"type": "GENERATION", "model": "m1"}
    return {
        "trace": {
            "id": "t1",
            "name": "advice",
            "input": {"messages": [{"role": "user", "content": "Q?"}]},
            "output": "A.",
        },
        "observations": [call],
        "scores": [score, {**score, "value": 1.0}, {"name": "tone", "dataType": "CATEGORICAL", "stringValue": "kind"}],
    }


def test_inspect(tmp_path):
    """Letters are marks, epochs are repeats, values under names of their own are scores, and none of them is a missing one."""
    log = read_log(written(tmp_path, "a.json", inspect_log()))
    assert (log.program, log.version, len(log.answers)) == ("Inspect", "0.3.285", 8)
    first = log.answers[0]
    assert (first.sample, first.model, first.task, first.question, first.answer) == (
        "q0",
        "m/1",
        "law",
        "Question 0?",
        "Article 0",
    )
    assert first.scores == {"match": 0.0, "rubric/law": 1.0, "rubric/form": None}
    assert [one.repeat for one in log.answers[:2]] == [0, 1]
    (figure,) = log.figures
    assert (figure.measure, figure.value, figure.n, figure.standard_error) == ("match", 0.5, 4, 0.2)


def test_evalscope(tmp_path):
    """Model and task come from the path; a report's subsets are published figures; an unavailable score is missing."""
    rows = [
        review(0),
        review(1, 0.0),
        {**review(2), "sample_score": {"score": {"value": {}, "status": "judge_failed"}}},
    ]
    reviews = written(tmp_path, "reviews/m1/law_main.jsonl", rows)
    report = {
        "schema_version": 2,
        "dataset_name": "law",
        "model_name": "m1",
        "metrics": [
            {
                "identity": {"name": "acc", "aggregation": "mean"},
                "categories": [{"subsets": [{"name": "main", "score": 0.5, "num": 2}]}],
            }
        ],
    }
    written(tmp_path, "reports/m1/law.json", report)
    found = read([tmp_path])
    (figure,) = found.figures
    assert figure.key[1:] == ("law_main", "m1", "", "acc")
    assert (figure.recomputed.value, figure.recomputed.n, figure.published[0].value) == (0.5, 2, 0.5)
    assert found.findings == []
    assert (
        read_log(reviews).answers[0].question == "user: Question 0?"
        or read_log(reviews).answers[0].question == "Question 0?"
    )


def test_promptfoo(tmp_path):
    """Passes, scores and every assertion are measures; an assertion by a model keeps the words it was judged by."""
    found = read([written(tmp_path, "results.json", promptfoo_results())])
    row = found.logs[0].answers[1]
    assert row.scores == {"pass": 1.0, "score": 1.0, "llm-rubric": 1.0}
    assert row.criteria == {"llm-rubric": "names “Article 1”"}
    assert {one.key.measure: one.recomputed.value for one in found.figures} == {
        "pass": 0.5,
        "score": 0.5,
        "llm-rubric": 0.5,
    }
    assert found.findings == []


def test_alpaca_eval(tmp_path):
    """A preference of 2 is a win, 1 a loss, 1.5 and 0 a tie, and one between them counts as it stands."""
    preferences = [2.0, 1.0, 1.5, 0, 1.25, None]
    annotations = written(tmp_path, "annotations.json", [annotation(i, one) for i, one in enumerate(preferences)])
    board = tmp_path / "leaderboard.csv"
    board.write_text(
        ",win_rate,standard_error,n_total,length_controlled_winrate\nm1,45.0,20.0,5,40.1\n", encoding="utf-8"
    )
    found = read([annotations, board])
    (figure,) = [one for one in found.figures if one.rows]
    assert [one.scores["win_rate"] for one in figure.rows] == [1, 0, 0.5, 0.5, 0.25, None]
    assert (figure.recomputed.value, figure.recomputed.n_missing) == (pytest.approx(0.45), 1)
    assert [(one.value, one.statistic) for one in figure.published] == [
        (0.45, "mean"),
        (0.401, "length_controlled_winrate"),
    ]
    assert found.findings == []


def test_lab(tmp_path):
    """Criteria are samples of their own, clustered by task; a run passes where all of them do."""
    found = read([lab_run(tmp_path, ["pass", "fail", "pass"])])
    figures = {one.key.measure: one.recomputed for one in found.figures}
    assert figures["criterion"].value == pytest.approx(2 / 3)
    assert figures["criterion"].reason == "one cluster: no interval can be given"
    assert figures["all_pass"].value == 0
    row = found.logs[0].answers[0]
    assert (row.group, row.criteria["criterion"]) == ("lease", "Names “Article 0”\nPASS if it names Article 0.")
    assert found.findings == []


def test_lab_with_two_judges(tmp_path):
    """Two judges' scores are joined both ways: averaged a criterion may be half passed, strictly it is passed by both or not."""
    one = json.loads(lab_run(tmp_path, ["pass", "pass"]).read_text("utf-8"))
    two = json.loads(lab_run(tmp_path, ["pass", "fail"], judge="j2").read_text("utf-8"))
    (tmp_path / "scores.json").unlink()
    written(tmp_path, "scores_dual.json", {"all_pass": False, "per_judge": {"j1": one, "j2": two}})
    found = read([tmp_path])
    values = {(one.key.judge, one.key.measure): one.recomputed.value for one in found.figures}
    assert values["averaged", "criterion"] == 0.75
    assert values["strict", "criterion"] == 0.5
    assert values["averaged", "all_pass"] == 0.5
    assert values["strict", "all_pass"] == 0


def test_the_files_of_each_judge_beside_the_joined_one_are_counted_once(tmp_path):
    """LAB leaves both: each judge's file under the judge's name, and the one that joins them."""
    one = json.loads(lab_run(tmp_path, ["pass", "pass"], name="scores_j1.json").read_text("utf-8"))
    two = json.loads(lab_run(tmp_path, ["pass", "fail"], judge="j2", name="scores_j2.json").read_text("utf-8"))
    written(tmp_path, "scores_dual.json", {"all_pass": False, "per_judge": {"j1": one, "j2": two}})
    found = read([tmp_path])
    counts = {one.key.judge: one.recomputed.n for one in found.figures if one.key.measure == "criterion"}
    assert set(counts.values()) == {2}, counts
    assert sum(len(log.answers) for log in found.logs) == 6


def test_what_a_joined_file_states_as_means_is_held_against_its_judges(tmp_path):
    """LAB averages the share of criteria and the passes over its judges."""
    one = json.loads(lab_run(tmp_path, ["pass", "pass"]).read_text("utf-8"))
    two = json.loads(lab_run(tmp_path, ["pass", "fail"], judge="j2").read_text("utf-8"))
    (tmp_path / "scores.json").unlink()
    stated = {"all_pass": False, "dual_criterion_pass": 0.75, "dual_all_pass_rate": 1.0}
    written(tmp_path, "scores_dual.json", {**stated, "per_judge": {"j1": one, "j2": two}})
    (finding,) = read([tmp_path]).findings
    assert (finding.column, finding.printed, finding.recomputed) == ("mean over the judges", "1", "0.5")


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        ((), {"memo.md", "annex.md", "model.xlsx"}),
        (("memo.md",), {"memo.md"}),
        (("valuation.xlsx",), {"model.xlsx"}),
        (("letter.md",), {"memo.md", "annex.md", "model.xlsx"}),
        (("memo.md", "deck.pptx"), {"memo.md", "deck.pptx"}),
    ],
)
def test_a_judge_sees_the_files_that_a_criterion_is_about(wanted, seen):
    """By name, else the only one of that kind; where that is in doubt all of them, and what was not delivered is said."""
    texts = {"memo.md": "a", "annex.md": "b", "model.xlsx": "c"}
    assert delivered(texts, wanted).keys() == seen


def test_opentelemetry(tmp_path):
    """A span that asked a model is an answer, an evaluation event on it a score; other spans are counted and left."""
    log = read_log(written(tmp_path, "traces.jsonl", [spans(), spans()]))
    row = log.answers[0]
    assert (row.model, row.task, row.question, row.answer) == ("m1", "helpdesk", "Which article?", "Article 1 applies.")
    assert row.scores == {"relevance": 0.8}
    assert log.ignored == {"spans without GenAI attributes": 2}


def test_deepeval(tmp_path):
    """Each metric has its score and whether it passed; the run's own counts are published figures."""
    found = read([written(tmp_path, ".latest_test_run.json", deepeval_run())])
    values = {one.key.measure: (one.recomputed.value, [p.value for p in one.published]) for one in found.figures}
    assert values["Faithfulness"] == (0.375, [])
    assert values["Faithfulness passed"] == (0.75, [0.75])
    assert values["passed"] == (0.75, [0.75])
    assert found.logs[0].judges == ("j",)


def test_ragas(tmp_path):
    """Columns of numbers are metrics; NaN, which Ragas writes where its judge failed, is missing and not 0."""
    path = tmp_path / "ragas.csv"
    path.write_text(
        "user_input,response,reference,faithfulness,note\nQ?,A.,R.,0.5,x\nQ2?,A.,R.,nan,y\n", encoding="utf-8"
    )
    (figure,) = read([path]).figures
    assert (figure.key.measure, figure.recomputed.value, figure.recomputed.n_missing) == ("faithfulness", 0.5, 1)


def test_langfuse(tmp_path):
    """Scores of one name are averaged, words are left out, the model is that of the generations."""
    log = read_log(written(tmp_path, "trace-t1.json", langfuse_trace()))
    (row,) = log.answers
    assert (row.scores, row.model, row.question, row.answer) == ({"helpful": 0.75}, "m1", "Q?", "A.")
    assert log.ignored == {"scores that are categorical": 1}
    scores = [
        {"id": f"s{i}", "trace_id": "t1", "name": "helpful", "data_type": "NUMERIC", "value": i / 2} for i in range(3)
    ]
    assert [one.scores for one in read_log(written(tmp_path, "scores.jsonl", scores)).answers][2] == {"helpful": 1.0}


@pytest.mark.parametrize(
    ("document", "field", "expected"),
    [
        ([{**annotation(0), "preference": "two"}], "preference", "expected a finite number, found a text ('two')"),
        ([{**annotation(0), "preference": 7}], "preference", "expected 0, or 1 to 2, found 7"),
    ],
)
def test_a_wrong_field_is_told_with_its_place(tmp_path, document, field, expected):
    """File, line, field, what was expected and what was found; the row stays, with a missing value."""
    log = read_log(written(tmp_path, "annotations.json", document))
    (problem,) = log.problems
    assert (problem.line, problem.field, problem.message) == (1, field, expected)
    assert log.answers[0].scores == {"win_rate": None}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", '{"shop": 1}', "it holds: shop"),
        ("a.json", "[" * 100_000, "nested too deep"),
        ("a.json", "{", "not valid JSON"),
        ("a.csv", "a,b\n1,2\n", "its columns: a, b"),
        ("a.jsonl", "\n", "no line of it"),
        ("a.eval", "no archive", "ending .eval"),
        ("a.pkl", "cos\nsystem\n", "ending .pkl"),
    ],
)
def test_what_no_known_program_wrote_is_refused(tmp_path, name, text, expected):
    """A file that is not understood ends in a message that says what it holds, and nothing of it is run or used."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=expected):
        read_log(path)


def test_an_archive_of_something_else_is_no_log(tmp_path):
    """An archive is a log of Inspect by its members and not by its ending."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("../../evil.json", "{}")
    with pytest.raises(BadInputError, match=r"neither header\.json nor"):
        read_log(tmp_path / "a.eval")


def test_a_folder_keeps_to_itself(tmp_path):
    """Links out of a folder are not followed, files of no known program are counted, and a folder without logs is an error."""
    outside = written(tmp_path, "outside/annotations.json", [annotation(0)])
    inside = tmp_path / "inside"
    written(inside, "annotations.json", [annotation(1)])
    written(inside, "other.json", {"a": 1})
    (inside / "linked.json").symlink_to(outside)
    logs, unknown = read_logs([inside])
    assert [one.path.name for one in logs] == ["annotations.json"]
    assert unknown == {".json": 1}
    (inside / "annotations.json").unlink()
    with pytest.raises(BadInputError, match="no log of a known program in this folder"):
        read_logs([inside])


def test_the_same_question_in_two_logs_is_a_repeat(tmp_path):
    """Two runs of one evaluation are repeats: their samples are clusters, and the interval knows it."""
    for run in ("a", "b"):
        written(tmp_path, f"{run}/reviews/m1/law_main.jsonl", [review(i, float(i % 2)) for i in range(6)])
    (figure,) = read([tmp_path]).figures
    assert figure.recomputed.n == 12
    assert {one.repeat for one in figure.rows} == {0, 1}
    assert "clustered (6 clusters)" in figure.recomputed.method


def test_scores_that_langfuse_sends_find_their_spans(tmp_path):
    """The SDK sends spans and scores apart: a score is the call's, else that of every call of its trace; without one it stands alone."""
    call = {"langfuse.observation.type": "generation", "langfuse.observation.output": "Article 1"}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in call.items()]
    spans = [{"traceId": "aa", "spanId": f"b{i}", "attributes": attributes} for i in range(2)]
    written(tmp_path, "spans.jsonl", [{"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}])
    of_call = {"id": "1", "traceId": "aa", "observationId": "b1", "name": "right", "value": 1.0}
    of_trace = {"id": "2", "traceId": "aa", "name": "helpful", "value": 0.5}
    nobody = {"id": "3", "traceId": "cc", "name": "helpful", "value": 0.25}
    written(tmp_path, "scores.jsonl", [of_call, of_trace, nobody])
    found = {(one.key.program, one.key.measure): one.recomputed for one in read([tmp_path]).figures}
    assert {key: (one.value, one.n) for key, one in found.items()} == {
        ("OpenTelemetry", "right"): (1.0, 1),
        ("OpenTelemetry", "helpful"): (0.5, 2),
        ("Langfuse", "helpful"): (0.25, 1),
    }
