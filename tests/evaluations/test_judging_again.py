"""Published, recomputed, corrected: what cannot be true is found, and a second opinion corrects the figure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_formats import annotation, inspect_log, lab_run, promptfoo_results, review, written

from benchbar.evaluations.auditing import read
from benchbar.evaluations.rejudging import Opinion, answers_of, corrected, draw, drawn_measure
from benchbar.records.errors import UserError


def found_in(path, check):
    """The findings of one check."""
    return [one for one in read([path]).findings if one.check == check]


def test_a_figure_that_its_rows_do_not_give(tmp_path):
    """The usual mistake that would give it is named: here missing values were counted as 0."""
    samples = inspect_log()["samples"]
    for one in samples[:2]:
        one["scores"] = {"match": {"value": None}}
    results = {"scores": [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": 0.5}}}]}
    log = inspect_log(samples=samples, results=results)
    (finding,) = found_in(written(tmp_path, "a.json", log), "recomputed")
    assert (finding.printed, finding.recomputed, finding.certainty) == ("0.5", "0.666667", "certain")
    assert finding.evidence == "counting missing values as 0 gives the published value"


def test_rows_written_twice(tmp_path):
    """A resumed run that appended its results has rows with one number, and counts that no longer add up."""
    document = promptfoo_results()
    document["results"]["results"] += document["results"]["results"][1:2]
    path = written(tmp_path, "results.json", document)
    (twice,) = found_in(path, "duplicate")
    assert (twice.printed, twice.recomputed) == ("5 rows", "4 rows")
    assert [(one.printed, one.recomputed) for one in found_in(path, "count") if one.column == "successes"] == [
        ("2", "3")
    ]
    (mean,) = found_in(path, "recomputed")
    assert mean.evidence == "counting each row that stands there twice once gives the published value"


def test_a_stated_count_against_its_own_verdicts(tmp_path):
    """LAB's counts and its all_pass have to follow from the verdicts in the same file."""
    found = found_in(lab_run(tmp_path, ["pass", "fail"], n_passed=2, all_pass=True), "count")
    assert {(one.column, one.printed, one.recomputed) for one in found} == {
        ("n_passed", "2", "1"),
        ("all_pass", "True", "False"),
    }


def test_a_rate_that_no_count_gives(tmp_path):
    """A report without its reviews is held against its n; AlpacaEval's rates are means of soft preferences, and are not."""
    subsets = [{"name": "main", "score": 0.53, "num": 50}]
    metrics = [{"name": "mean_acc", "categories": [{"subsets": subsets}]}]
    report = {"dataset_name": "law", "model_name": "m1", "metrics": metrics}
    (finding,) = found_in(written(tmp_path, "law.json", report), "attainable")
    assert "50 samples give only multiples of 0.02" in finding.evidence
    board = tmp_path / "leaderboard.csv"
    board.write_text(",win_rate,standard_error,n_total\nm1,53.01,7.1,50\n", encoding="utf-8")
    assert found_in(board, "attainable") == []


def test_the_drawn_sample(tmp_path):
    """Every sample of a task has the same recorded chance, all models' answers to it are drawn, and a seed draws them again."""
    rows = [review(i, float(i % 2)) for i in range(40)]
    for model in ("m1", "m2"):
        written(tmp_path, f"reviews/{model}/law.jsonl", rows)
    figures = read([tmp_path]).figures
    drawn = draw(figures, drawn_measure(figures, ""), 10, np.random.default_rng(1))
    assert {one.chance for one in drawn} == {0.25}
    assert {(one.sample, one.model) for one in drawn} == {(one.sample, m) for one in drawn for m in ("m1", "m2")}
    assert drawn == draw(figures, "acc", 10, np.random.default_rng(1))
    assert sum(one.logged for one in drawn) == 10
    assert answers_of(figures, drawn)[drawn[0].place].reference == "Article 1"


def test_correction_of_a_lenient_judge(tmp_path):
    """A log whose judge passes everything that is passed and a fifth of what is not is corrected downwards; the truth is inside."""
    generator = np.random.default_rng(3)
    truth = generator.random(600) < 0.5
    logged = truth | (generator.random(600) < 0.2)
    written(tmp_path, "reviews/m1/law.jsonl", [review(i, float(one)) for i, one in enumerate(logged)])
    figures = read([tmp_path]).figures
    drawn = draw(figures, "acc", 200, generator)
    opinions = [Opinion(drawn=one, by="people", value=float(truth[int(one.sample)])) for one in drawn]
    (found,) = corrected(figures, opinions, "acc")
    assert found.figure.recomputed.value == logged.mean() > found.corrected.high
    assert found.corrected.low < truth.mean() < found.corrected.high
    assert found.opinions == 200


def test_criteria_of_one_task_are_no_independent_marks(tmp_path):
    """Where samples share a task, the corrected interval is that of clusters, and wider."""
    for task in range(12):
        lab_run(tmp_path / f"run{task}", ["pass" if task % 2 else "fail"] * 10, task=f"t{task}")
    figures = read([tmp_path]).figures
    drawn = draw(figures, "criterion", 60, np.random.default_rng(1))
    opinions = [Opinion(drawn=one, by="people", value=one.logged) for one in drawn]
    (found,) = [one for one in corrected(figures, opinions, "criterion") if one.figure.key.judge == "j1"]
    assert "cluster-robust" in found.corrected.method
    assert found.corrected.high - found.corrected.low > 0.2


def test_which_score_is_judged_has_to_be_plain(tmp_path):
    """With several scores and no criteria nobody guesses which one is meant."""
    figures = read([written(tmp_path, "a.json", inspect_log())]).figures
    with pytest.raises(UserError, match="one of match, rubric/law, rubric/form"):
        drawn_measure(figures, "")
    with pytest.raises(UserError, match="no row has it"):
        drawn_measure(figures, "mtach")


def test_a_second_judge_end_to_end(benchbar, tmp_path, chat_server):
    """Promptfoo's results are judged again by its own rubric: three figures on the terminal, in HTML, Markdown and JSON."""
    document = promptfoo_results(40)
    for row in document["results"]["results"][:10]:
        row["success"], row["gradingResult"]["componentResults"][0]["pass"] = True, True
    written(tmp_path, "results.json", document)
    judge = f"judge-plain@{chat_server.base_url}"
    again = ("judge", "results.json", "--out", "judged", "--judge", judge, "--size", "30", "--quiet")
    done = benchbar(*again)
    assert done.code == 0, done.err
    assert "read     results.json: promptfoo results (version 0.121.20); 40 rows, 40 samples" in done.out
    assert "prediction-powered" in done.out
    found = json.loads((tmp_path / "judged" / "judged.json").read_text("utf-8"))
    (figure,) = [one for one in found["figures"] if one["measure"] == "llm-rubric"]
    assert figure["recomputed"]["value"] == 0.625
    assert figure["corrected"]["value"] == pytest.approx(0.5, abs=0.1)
    assert figure["opinions"] == 30
    sent = chat_server.stats()["requests"]
    assert benchbar(*again).code == 0
    assert chat_server.stats()["requests"] == sent
    assert "Judged again" in (tmp_path / "judged" / "report.html").read_text("utf-8")
    assert "| llm-rubric" in (tmp_path / "judged" / "report.md").read_text("utf-8")


def test_a_judge_that_nobody_could_read_is_said_before_the_figures(benchbar, tmp_path, chat_server):
    """No second opinion came of it: the terminal and both reports say in how many answers, and how the first begins."""
    written(tmp_path, "results.json", promptfoo_results(12))
    judge = f"judge-mute@{chat_server.base_url}"
    done = benchbar("judge", "results.json", "--out", "judged", "--judge", judge, "--size", "12", "--quiet")
    assert done.code == 0, done.err
    told = "the judge's answer could not be read in 12 of 12; the first begins"
    assert 0 < done.out.find(told) < done.out.index("recomputed")
    assert "could not be read in 12 of 12" in (tmp_path / "judged" / "report.md").read_text("utf-8")


def test_preferences_are_asked_in_both_orders(benchbar, tmp_path, chat_server):
    """AlpacaEval's annotations go to a pairwise judge, each pair in both orders; a judge that names a place corrects to a half."""
    written(tmp_path, "annotations.json", [annotation(i, 2.0 if i % 4 else 1.0) for i in range(20)])
    for judge, value in (("judge-plain", 1.0), ("judge-first", 0.5)):
        out = f"judged-{judge}"
        done = benchbar(
            *(
                "judge",
                "annotations.json",
                "--out",
                out,
                "--judge",
                f"{judge}@{chat_server.base_url}",
                "--size",
                "12",
                "--json",
            )
        )
        assert done.code == 0, done.err
        (figure,) = json.loads(done.out)["figures"]
        assert figure["corrected"]["value"] == value


def compared_by(program, folder):
    """A log of one program in which every answer stands beside the one it was compared with, and the name of its score."""
    if program == "promptfoo":
        document = promptfoo_results(12)
        for row in document["results"]["results"]:
            row["vars"]["other"] = "请补充更多情况。"
            row["response"]["output"] = "结论：应当退还。"
        return written(folder, "results.json", document), "score"
    if program == "Inspect":
        samples = inspect_log()["samples"]
        for one in samples:
            one["output"] = {"choices": [{"message": {"content": "结论：应当退还。"}}]}
            one["scores"] = {"win_rate": {"value": 0.5, "metadata": {"other": "请补充更多情况。"}}}
        return written(folder, "a.json", inspect_log(samples=samples, results={})), "win_rate"
    if program == "EvalScope":
        rows = [review(i, 0.5) for i in range(12)]
        for row in rows:
            score = row["sample_score"]["score"]
            score |= {"prediction": "结论：应当退还。", "metadata": {"other": "请补充更多情况。"}}
        return written(folder, "reviews/m1/law.jsonl", rows), "acc"
    if program == "DeepEval":
        case = {
            "input": "Q?",
            "actualOutput": "结论：应当退还。",
            "success": True,
            "metadata": {"other": "请补充更多情况。"},
        }
        cases = [case | {"input": f"Q {i}?", "metricsData": [{"name": "w", "score": 0.5}]} for i in range(12)]
        return written(folder, "test_run_1.json", {"testCases": cases}), "w"
    lines = [f"Q {i}?,结论：应当退还。,请补充更多情况。,0.5" for i in range(12)]
    (folder / "ragas.csv").write_text("\n".join(["user_input,response,other,w", *lines]), "utf-8")
    return folder / "ragas.csv", "w"


@pytest.mark.parametrize("program", ["promptfoo", "Inspect", "EvalScope", "DeepEval", "Ragas"])
def test_the_field_of_the_other_answer_is_named(benchbar, tmp_path, chat_server, program):
    """A comparison that somebody made in any program is judged again as one, in both orders, once its field is named."""
    path, measure = compared_by(program, tmp_path)
    judge = ("--judge", f"judge-plain@{chat_server.base_url}", "--measure", measure, "--out", "judged", "--json")
    done = benchbar("judge", str(path), "--opponent", "other", *judge)
    assert done.code == 0, done.err
    (figure,) = [one for one in json.loads(done.out)["figures"] if one["corrected"]]
    # The judge prefers the answer that concludes, wherever it stands; the log said that none is better, or both are right.
    assert figure["corrected"]["value"] == 1.0
    # Each twice, and once before to see whether it takes a schema.
    assert chat_server.stats()["requests"]["judge-plain"] == 2 * figure["opinions"] + 1
    refused = benchbar("judge", str(path), "--opponent", "rival")
    assert refused.code == 2
    assert "--opponent rival: no row keeps a text under this name; texts that rows keep:" in refused.err
    assert "other" in refused.err


def test_people_mark_a_blind_table(benchbar, tmp_path):
    """The table for people names neither model nor score; what they mark corrects the figure, and a wrong word is told by line."""
    written(tmp_path, "reviews/secret-model/law.jsonl", [review(i, 1.0) for i in range(20)])
    assert benchbar("judge", "reviews", "--out", "judged", "--size", "8", "--people", "queue.csv").code == 0
    table = (tmp_path / "queue.csv").read_text("utf-8-sig")
    assert "secret-model" not in table
    lines = table.splitlines()
    marked = [lines[0], *(line[: -len(",,")] + (",yes," if i % 2 else ",no,") for i, line in enumerate(lines[1:]))]
    (tmp_path / "queue.csv").write_text("\n".join(marked), encoding="utf-8")
    done = benchbar("judge", "reviews", "--out", "judged", "--size", "8", "--marks", "queue.csv", "--json")
    assert done.code == 0, done.err
    (figure,) = json.loads(done.out)["figures"]
    assert (figure["recomputed"]["value"], figure["corrected"]["value"]) == (1.0, 0.5)
    (tmp_path / "queue.csv").write_text(table.splitlines()[0] + "\n1,q,c,r,a,,maybe,\n", encoding="utf-8")
    refused = benchbar("judge", "reviews", "--out", "judged", "--size", "8", "--marks", "queue.csv")
    assert refused.code == 2
    assert "queue.csv:2: field `mark`" in refused.err
    assert "'maybe'" in refused.err


def test_nothing_to_judge_by_is_said(benchbar, tmp_path, chat_server):
    """Answers without a criterion and without a right answer are not judged by guesswork."""
    rows = [{**review(i), "target": None} for i in range(4)]
    written(tmp_path, "reviews/m1/law.jsonl", rows)
    done = benchbar("judge", "reviews", "--out", "judged", "--judge", f"judge-plain@{chat_server.base_url}")
    assert done.code == 2
    assert "--criterion" in done.err
