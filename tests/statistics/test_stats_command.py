"""`benchbar stats`: documents, numbers on public data, and errors."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score

from benchbar.cli.main import cli
from benchbar.records.errors import BadInputError, UnknownNameError, UserError

ESTIMATE = {"value", "low", "high", "standard_error", "n", "n_missing", "method", "confidence", "reason"}


def stats(*arguments):
    """The JSON document of a stats command."""
    result = CliRunner().invoke(cli, ["stats", *map(str, arguments), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def table(folder, rows, name="table.csv"):
    """A CSV file of rows under a header."""
    path = folder / name
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_alpacaeval_through_the_command(published):
    """Rates of all models, and length-controlled ones by the published weights within 0.2 points."""
    folder = published / "prefs" / "alpaca_eval"
    found = stats(
        "winrate", folder / "annotations_v2_even.csv", "--preference", "preference", "--scale", "1-2",
        "--by", "model",
        "--sample", "index", "--difficulty", folder / "instruction_difficulty_recovered.csv",
        "--weights", folder / "published_leaderboard_v2_even.csv",
    )  # fmt: skip
    with (folder / "published_leaderboard_v2_even.csv").open() as file:
        board = {row["model"]: row for row in csv.DictReader(file)}
    for model, row in board.items():
        group = found["groups"][model]
        assert 100 * group["win_rate"]["value"] == pytest.approx(float(row["win_rate"]), abs=1e-6)
        assert (group["wins"], group["losses"]) == (int(row["n_wins"]), int(row["n_wins_base"]))
    # The other models calibrated the weights, so that agreement there would prove nothing.
    tested = {model: row for model, row in board.items() if row["lc_calibration_role"] == "test"}
    assert tested
    for model, row in tested.items():
        controlled = 100 * found["groups"][model]["length_controlled"]["value"]
        assert controlled == pytest.approx(float(row["length_controlled_winrate"]), abs=0.2)
    assert set(found["macro"]) == {"these_tasks", "tasks_like_these"}


def test_alpacaeval_1_marks_draws_with_0(published):
    """The older scale: 1, 2, and 0 or 1.5 for a draw."""
    folder = published / "prefs" / "alpaca_eval"
    found = stats(
        "winrate",
        folder / "annotations_v1_even.csv",
        "--preference",
        "preference",
        "--scale",
        "1-2",
        "--by",
        "model",
    )
    with (folder / "published_leaderboard_v1_even.csv").open() as file:
        for row in csv.DictReader(file):
            group = found["groups"][row["model"]]
            assert 100 * group["win_rate"]["value"] == pytest.approx(float(row["win_rate"]), abs=1e-6)
            assert group["ties"] == int(row["n_draws"])


def test_length_control_estimates_difficulty_from_the_pool(published):
    """Without a file of difficulties the other models provide them; the refit comes near the published
    rates.
    """
    folder = published / "prefs" / "alpaca_eval"
    found = stats(
        "winrate", folder / "annotations_v2_even.csv", "--preference", "preference", "--scale", "1-2",
        "--by", "model",
        "--sample", "index", "--lengths", "len_baseline", "len_model", "--resamples", "100",
    )  # fmt: skip
    with (folder / "published_leaderboard_v2_even.csv").open() as file:
        gaps = [
            abs(
                100 * found["groups"][row["model"]]["length_controlled"]["value"]
                - float(row["length_controlled_winrate"])
            )
            for row in csv.DictReader(file)
        ]
    assert np.median(gaps) < 1.5
    assert set(found["groups"]["NullModel"]["length_controlled"]) >= ESTIMATE


def test_mt_bench_pairs_in_both_orders(shared):
    """Inconsistent verdicts of the first judge on the half, and how far positions decide."""
    found = stats(
        "winrate", shared / "prefs" / "mtbench_repro" / "pairwise_even.csv",
        "--preference", "winner_ab,winner_ba", "--scale", "positions", "--by", "lang,judge", "--missing", "error",
    )["groups"]  # fmt: skip
    counts = {
        name: round(g["order_inconsistency"]["value"] * g["order_inconsistency"]["n"]) for name, g in found.items()
    }
    assert counts["en / exaone/32B"] == 245
    assert counts["ko / qwen/7B"] == 265
    assert found["en / qwen/7B"]["position"]["always_first"] == 310
    assert found["en / gemma4/12B"]["order_inconsistency"]["n_missing"] == 13


def test_two_orders_in_one_row(tmp_path):
    """By language and judge: orders that disagree count as inconsistent, unreadable ones as missing."""
    path = table(
        tmp_path,
        [
            ["lang", "judge", "winner_ab", "winner_ba"],
            *[["en", "one", "A", "A"]] * 5,
            *[["en", "one", "A", "B"]] * 3,
            ["en", "one", "B", "B"],
            ["en", "one", "A", "error"],
            *[["ko", "one", "B", "A"]] * 2,
        ],
    )
    found = stats(
        "winrate", path, "--preference", "winner_ab,winner_ba", "--scale", "positions", "--by", "lang,judge",
        "--missing", "error",
    )["groups"]  # fmt: skip
    assert set(found) == {"en / one", "ko / one"}
    english = found["en / one"]
    assert english["order_inconsistency"]["value"] == pytest.approx(6 / 9)
    assert (english["order_inconsistency"]["n"], english["order_inconsistency"]["n_missing"]) == (9, 1)
    assert english["position"]["always_first"] == 5
    assert found["ko / one"]["order_inconsistency"]["value"] == 0


def test_orders_in_rows_of_their_own(tmp_path):
    """One row an order: the two are joined by sample, and a sample with one order is missing."""
    path = table(
        tmp_path,
        [
            ["id", "order", "verdict"],
            ["s1", "ab", "A"],
            ["s1", "ba", "A"],
            ["s2", "ab", "A"],
            ["s2", "ba", "B"],
            ["s3", "ab", "A"],
        ],
    )
    found = stats(
        "winrate",
        path,
        "--preference",
        "verdict",
        "--orders",
        "order",
        "--sample",
        "id",
        "--scale",
        "positions",
    )["groups"]["all"]
    assert found["win_rate"]["value"] == pytest.approx(0.75)
    assert found["win_rate"]["n_missing"] == 1
    assert found["position"]["always_first"] == 1


def test_llmbar_accuracy_and_consistency(published):
    """Accuracy in either order and agreement between orders, as counted by hand from the file."""
    path = published / "prefs" / "llmbar" / "judge_verdicts_even.csv"
    found = stats(
        "agree", path, "--raters", "winner_noswap,winner_swap", "--reference", "label", "--by",
        "subset,evaluator,strategy", "--resamples", "100",
    )["groups"]  # fmt: skip
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row["evaluator"] == "ChatGPT-0301" and row["strategy"] == "CoT"]
    rows = [row for row in rows if row["subset"] == "Natural"]
    group = found["Natural / ChatGPT-0301 / CoT"]
    for column in ("winner_noswap", "winner_swap"):
        right = np.mean([row[column] == row["label"] for row in rows])
        assert group["reference"][column]["accuracy"]["value"] == pytest.approx(right)
    same = np.mean([row["winner_noswap"] == row["winner_swap"] for row in rows])
    assert group["pairs"]["winner_noswap|winner_swap"]["agreement"]["value"] == pytest.approx(same)


def test_pandalm_kappas(published):
    """Kappas of the annotators are scikit-learn's; the judge is set beside the human ceiling."""
    path = published / "prefs" / "pandalm" / "rows_even.jsonl"
    found = stats(
        "agree", path, "--raters", "annotator1,annotator2,annotator3,pandalm7b_result", "--ties", "0",
        "--judge", "pandalm7b_result",
    )  # fmt: skip
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for one, two in (
        ("annotator1", "annotator2"),
        ("annotator2", "annotator3"),
        ("annotator1", "pandalm7b_result"),
    ):
        expected = cohen_kappa_score([r[one] for r in rows], [r[two] for r in rows])
        assert found["pairs"][f"{one}|{two}"]["cohen_kappa"]["value"] == pytest.approx(expected)
    assert found["judge"]["human_human"]["value"] > found["judge"]["judge_human"]["value"]
    overall = {
        "agreement_with_ties",
        "agreement_without_ties",
        "fleiss_kappa",
        "krippendorff_alpha",
        "gwet_ac1",
    }
    assert overall <= set(found["overall"])


def test_relabelled_and_unreadable_verdicts(published):
    """Words are mapped to labels, and garbage counts as missing only where it is said to be."""
    path = published / "prefs" / "pandalm" / "rows_even.jsonl"
    options = (
        "agree",
        path,
        "--raters",
        "annotator1,gpt35_result",
        "--labels",
        "0,1,2",
        "--relabel",
        "Tie=0",
    )
    with pytest.raises(BadInputError, match="'garbage' in row"):
        stats(*options)
    assert stats(*options, "--missing", "garbage")["overall"]["agreement_with_ties"]["n_missing"] == 11


def test_rank_of_mt_bench_models(shared):
    """A fit that converged, with rank intervals and a matrix of win probabilities."""
    path = shared / "prefs" / "mtbench_repro" / "pairwise_even.csv"
    found = stats(
        "rank", path, "--left", "model_a", "--right", "model_b", "--winner", "winner", "--missing", "error",
        "--tie-words", "inconsistent", "--cluster", "question_id", "--ties", "davidson",
    )  # fmt: skip
    assert found["converged"]
    assert found["ranking"][0]["name"] == "EXAONE-3.5-7.8B-Instruct"
    assert (found["ranking"][0]["rank_low"], found["ranking"][0]["rank_high"]) == (1, 1)
    assert set(found["ranking"][0]["strength"]) >= ESTIMATE


def test_rank_of_a_tournament(tmp_path):
    """Three assistants, each better than the next in eight of ten games: ranks are certain, what is unreadable is left out."""
    games = [
        [question, left, right, left if question % 10 < 8 else right]
        for left, right in (("a", "b"), ("b", "c"), ("a", "c"))
        for question in range(100)
    ]
    games += [[0, "a", "b", "inconsistent"], [1, "a", "b", "error"]]
    path = table(tmp_path, [["question_id", "model_a", "model_b", "winner"], *games])
    found = stats(
        "rank", path, "--left", "model_a", "--right", "model_b", "--winner", "winner", "--missing", "error",
        "--tie-words", "inconsistent", "--cluster", "question_id", "--ties", "davidson",
    )  # fmt: skip
    assert found["converged"]
    assert [(one["name"], one["rank_low"], one["rank_high"]) for one in found["ranking"]] == [
        ("a", 1, 1), ("b", 2, 2), ("c", 3, 3),
    ]  # fmt: skip
    assert set(found["ranking"][0]["strength"]) >= ESTIMATE


def test_correct_reads_empty_cells_as_unmarked(tmp_path):
    """The three estimates with lambda and effective labels, and a warning of few labels."""
    draw = np.random.default_rng(3)
    truth = (draw.random(400) < 0.6).astype(int)
    judge = np.where(draw.random(400) < 0.9, truth, 1 - truth)
    rows = [[judge[i], truth[i] if i < 60 else ""] for i in range(400)]
    path = table(tmp_path, [["judge", "human"], *rows])
    found = stats("correct", path, "--judge", "judge", "--human", "human")
    assert {"judge_only", "human_only", "corrected", "lambda", "effective_labels", "rogan_gladen"} <= set(found)
    assert found["human_only"]["n"] == 60
    assert found["effective_labels"] > 60
    assert "60 human marks" in found["warnings"][0]


def test_words_among_numbers_are_no_labels_of_an_ordinal_scale(tmp_path):
    """A word that nobody gave a place on the scale is refused; a dash and н/д hold nothing."""
    rows = [["a", "b"], ["1", "1"], ["2", "2"], ["5", "4"], ["3", "3"]]
    plain = stats("agree", table(tmp_path, rows), "--raters", "a,b", "--scale", "ordinal")
    gaps = stats("agree", table(tmp_path, [*rows, ["—", "2"], ["4", "н/д"]]), "--raters", "a,b", "--scale", "ordinal")
    assert gaps["labels"] == plain["labels"] == ["1", "2", "3", "4", "5"]
    agreed = [found["overall"]["krippendorff_alpha"] for found in (plain, gaps)]
    assert [(one["n"], one["n_missing"]) for one in agreed] == [(4, 0), (4, 2)]
    for odd, cure in ((["5", "skip"], "--missing 'skip'"), (["low", "high"], "--labels")):
        path = table(tmp_path, [*rows, odd] if odd[0] == "5" else [rows[0], ["low", "low"], odd])
        with pytest.raises(UserError, match=cure):
            stats("agree", path, "--raters", "a,b", "--scale", "ordinal")


def test_ordinal_from_rows_and_from_a_matrix_agree(tmp_path):
    """The same items, once as rows and once as counts with the labels the other way round."""
    pairs = [("high", "high")] * 3 + [("high", "low")] + [("low", "low")] * 4 + [("medium", "high")] * 2
    rows = stats(
        "ordinal",
        table(tmp_path, [["t", "p"], *pairs]),
        "--truth",
        "t",
        "--predicted",
        "p",
        "--labels",
        "low,medium,high",
    )
    matrix = tmp_path / "matrix.json"
    matrix.write_text(json.dumps({"labels": ["high", "medium", "low"], "matrix": [[3, 0, 1], [2, 0, 0], [0, 0, 4]]}))
    counts = stats("ordinal", "--confusion", matrix, "--labels", "low,medium,high")
    names = {
        "accuracy", "weighted_accuracy", "linear_kappa", "quadratic_kappa", "high_f2", "macro_precision",
        "macro_recall", "macro_f1", "per_class", "confusion", "baselines",
    }  # fmt: skip
    assert names <= set(rows)
    assert rows["confusion"] == counts["confusion"] == [[4, 0, 0, 0], [0, 0, 2, 0], [1, 0, 3, 0]]
    assert rows["weighted_accuracy"]["value"] == counts["weighted_accuracy"]["value"] == pytest.approx(0.86)
    assert set(rows["per_class"]["high"]) == {"precision", "recall", "f1"}


def test_power_without_a_file(tmp_path):
    """The reference values of a gate, and repeats from a file of repeated marks."""
    found = stats("power", "--n", "50", "--tests", "22", "--effect", "0.05")
    assert found["minimum_detectable_effect"] == pytest.approx(0.246, abs=5e-4)
    assert found["looks"][-1]["boundary"] == pytest.approx(2.024, abs=2e-3)
    draw = np.random.default_rng(1)
    rows = [[f"s{i}", level + noise] for i, level in enumerate(draw.normal(size=300)) for noise in draw.normal(0, 2, 3)]
    path = table(tmp_path, [["id", "mark"], *rows])
    assert stats("power", path, "--sample", "id", "--mark", "mark", "--sample-cost", "4")["best_repeats"] in (
        3,
        4,
        5,
    )


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1.7", r"table.csv:3: field `y`: 1.7 does not fit"),
        ("inf", "expected a finite number"),
        ("win", "'win'"),
    ],
)
def test_a_bad_cell_is_named_by_file_line_and_column(tmp_path, cell, message):
    """Mixed scales, non-finite values and words are errors, never averaged in."""
    path = table(tmp_path, [["y"], ["0.5"], [cell]])
    with pytest.raises(BadInputError, match=message):
        stats("winrate", path, "--preference", "y")


def test_empty_cells_are_missing_and_counted(tmp_path):
    """Nothing measured is undefined with a reason, group by group."""
    path = table(tmp_path, [["task", "y"], ["a", "1"], ["a", "NA"], ["b", ""]])
    found = stats("winrate", path, "--preference", "y", "--by", "task")
    assert found["groups"]["a"]["win_rate"]["n_missing"] == 1
    assert found["groups"]["a"]["length_controlled"]["reason"] == "no lengths were given"
    assert found["groups"]["a"]["order_inconsistency"]["reason"] == "one order only"
    assert found["groups"]["b"]["win_rate"]["value"] is None
    assert "nothing measured in b" in found["macro"]["these_tasks"]["reason"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("winrate", "{t}", "--preference", "z"), UnknownNameError, "known: x, y"),
        (("winrate", "{t}"), UserError, "one column expected"),
        (("winrate", "{t}", "--preference", "y", "--orders", "x"), UserError, "needs --sample"),
        (("agree", "{t}", "--raters", "x"), UserError, "at least two"),
        (("agree", "{t}", "--raters", "x,y", "--ties", "tie"), UserError, "no such label"),
        (("agree", "{t}", "--raters", "x,y", "--reference", "q"), UnknownNameError, "known: x, y"),
        (("ordinal", "{t}", "--truth", "x"), UserError, "--labels"),
        (("power", "--difference", "x"), UserError, "needs FILE"),
        (("correct", "none.csv", "--judge", "a", "--human", "b"), BadInputError, "cannot be read"),
        (
            ("rank", "{t}", "--left", "x", "--right", "y", "--winner", "x"),
            BadInputError,
            "compared with itself",
        ),
    ],
)
def test_wrong_usage_says_what_to_do(tmp_path, arguments, error, message):
    """What was found, what was expected."""
    path = table(tmp_path, [["x", "y"], ["1", "1"], ["0", "1"]])
    with pytest.raises(error, match=message):
        stats(*[str(a).format(t=path) for a in arguments])


NAMES = ["winrate", "agree", "rank", "correct", "ordinal", "power", "points", "judges", "correlate"]


@pytest.mark.parametrize("name", NAMES)
def test_help_teaches_with_an_example(name):
    """Every command shows how it is called."""
    result = CliRunner().invoke(cli, ["stats", name, "--help"])
    assert f"benchbar stats {name}" in result.output


def test_tables_for_people(tmp_path):
    """Without --json the commands print tables with intervals and n."""
    path = table(tmp_path, [["id", "a", "b", "y"], *[[i, i % 2, (i // 2) % 2, i % 3 / 2] for i in range(24)]])
    games = [["l", "r", "w"], ["p", "q", "p"], ["q", "p", "q"], ["p", "q", "tie"]]
    pairs = table(tmp_path, games, "pairs.csv")
    run = CliRunner().invoke
    for arguments in (
        ["winrate", path, "--preference", "y", "--by", "a"],
        ["agree", path, "--raters", "a,b", "--reference", "a"],
        ["rank", pairs, "--left", "l", "--right", "r", "--winner", "w", "--matrix"],
        ["correct", path, "--judge", "y", "--human", "y"],
        ["ordinal", path, "--truth", "a", "--predicted", "b", "--labels", "0,1"],
        ["power", "--n", "50", "--effect", "0.1"],
    ):  # fmt: skip
        result = run(cli, ["stats", *map(str, arguments)], catch_exceptions=False)
        assert result.exit_code == 0
        assert "n=" in result.output or "n = 50" in result.output


def test_json_lines_and_nested_fields(tmp_path):
    """Fields of nested objects are columns by their dotted names, and absent ones are missing."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"vs": {"A": 1}}\n\n{"vs": {"A": 0.5}}\n{"vs": {}}\n')
    found = stats("winrate", path, "--preference", "vs.A")["groups"]["all"]["win_rate"]
    assert (found["value"], found["n"], found["n_missing"]) == (0.75, 2, 1)


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (".tsv", "y\tg\n1\ta\n0.5\ta\n"),
        (".json", '[{"y": 1, "g": "a"}, {"y": 0.5}]'),
        (".jsonl", '{"y": 1}\n{"y": 0.5}\n'),
        (".csv", "\ufeffy,g\n1,a\n0.5,b\n"),
    ],
)
def test_every_table_format(tmp_path, ending, text):
    """TSV, a JSON list, JSONL, and CSV with a byte order mark hold the same outcomes."""
    path = tmp_path / f"table{ending}"
    path.write_text(text, "utf-8")
    assert stats("winrate", path, "--preference", "y")["groups"]["all"]["win_rate"]["value"] == 0.75


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y\n", "no rows"),
        ("y,y\n1,2\n", "two columns have this name"),
        ("y,z\n1\n", "table.csv:2: 1 cells; the head has 2"),
        ('y\n"1\n', "never closed"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    """What is wrong with a CSV file is said with its line."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(BadInputError, match=message):
        stats("winrate", path, "--preference", "y")


def test_a_matrix_file_that_begins_with_the_gravest(tmp_path):
    """Without --labels the order is told by name: the published matrix of the third mode gives F2 .624 of high."""
    path = tmp_path / "matrix.json"
    matrix = [[84, 49, 0], [44, 80, 9], [13, 80, 40]]
    path.write_text(json.dumps({"labels": ["High", "Medium", "Low"], "matrix": matrix}))
    found = stats("ordinal", "--confusion", path)
    assert found["labels"] == ["Low", "Medium", "High"]
    assert found["high_f2"]["value"] == pytest.approx(0.6241, abs=5e-5)
    assert found["weighted_accuracy"]["value"] == pytest.approx(0.8343, abs=5e-5)


def test_points_that_people_checked(tmp_path):
    """Shares by category and overall, clustered by dialogue, with the types of error."""
    rows = [["mandatory", 1, 1, "", "d1"], ["mandatory", 1, 0, "partly met", "d2"], ["advisable", 0, 0, "missed", "d2"]]
    path = table(tmp_path, [["category", "referred", "right", "error", "dialogue"], *rows])
    options = ("--category", "category", "--referred", "referred", "--right", "right")
    found = stats("points", path, *options, "--error", "error", "--dialogue", "dialogue")
    assert found["categories"]["mandatory"]["right"]["value"] == 0.5
    assert found["overall"]["errors"]["missed"]["value"] == 0.5
    assert found["overall"]["referred"]["unit"] == "cluster"
    with pytest.raises(BadInputError, match="2; expected 0 or 1"):
        stats("points", table(tmp_path, [["category", "referred", "right"], ["m", 2, 1]]), *options)


def test_two_judges_of_one_benchmark(tmp_path):
    """Judges that differ by task and model: the differences are told, and models rank alike where the order is the same."""
    rates = {("x", "t1"): (90, 80), ("x", "t2"): (70, 66), ("y", "t1"): (50, 60), ("y", "t2"): (40, 44)}
    rates |= {("z", "t1"): (30, 10), ("z", "t2"): (20, 25), ("w", "t1"): (9, 5), ("w", "t2"): (8, 8)}
    rows = [
        [judge, task, model, rate]
        for (model, task), both in rates.items()
        for judge, rate in zip(("one", "two"), both, strict=True)
    ]
    path = table(tmp_path, [["judge", "task", "model", "rate"], *rows])
    found = stats("judges", path, "--judge", "judge", "--task", "task", "--candidate", "model", "--rate", "rate")
    pair = found["pairs"]["one|two"]
    assert (pair["rank_correlation"]["n"], pair["rank_correlation"]["value"]) == (4, pytest.approx(1.0))
    assert pair["by_task"] == {
        "t1": pytest.approx({"x": 10, "y": -10, "z": 20, "w": 4}),
        "t2": pytest.approx({"x": 4, "y": -4, "z": -5, "w": 0}),
    }


def test_judges_and_correlations(shared, tmp_path):
    """Two judges of one benchmark rank its models alike; nine models give a wide interval."""
    tables = json.loads((shared / "zh" / "ucl_bench" / "published_tables.json").read_text())
    rows = [
        [judge, task, name, rate]
        for judge, key, names in (
            ("one", "table3", ["GPT-4", "Qwen 72B", "DISC-Law 13B", "Fuzi-Mingcha 7B"]),
            ("two", "table13", ["GPT-4", "Qwen-72B", "DISc-Law13B", "Fuzi-Mingcha 7B"]),
        )
        for name, key_name in zip(["g", "q", "d", "f"], names, strict=True)
        for task, rate in zip(tables["tasks"], tables[key][key_name], strict=False)
    ]
    path = table(tmp_path, [["judge", "task", "model", "rate"], *rows])
    found = stats("judges", path, "--judge", "judge", "--task", "task", "--candidate", "model", "--rate", "rate")
    pair = found["pairs"]["one|two"]
    assert pair["rank_correlation"]["n"] == 4
    assert pair["by_task"]["1-1"]["g"] == pytest.approx(62.5 - 66.67)
    pairs = table(tmp_path, [["a", "b"], *[[i, i * i % 7] for i in range(9)]], "pairs.csv")
    values = stats("correlate", pairs, "--first", "a", "--second", "b")
    assert values["pearson"]["high"] - values["pearson"]["low"] > 1
    with pytest.raises(BadInputError, match="a second rate"):
        stats("judges", path, "--judge", "judge", "--task", "judge", "--candidate", "model", "--rate", "rate")
