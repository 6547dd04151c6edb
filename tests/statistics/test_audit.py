"""The audit: what it finds in published tables, and what it leaves alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import cohen_kappa_score, f1_score, fbeta_score

from benchbar.cli.main import cli
from benchbar.records.errors import BadInputError, MissingDependencyError

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from honest_tables import metric_file, rate_table


def audit(path, *options):
    """The findings that the command prints as JSON."""
    result = CliRunner().invoke(cli, ["audit", str(path), *options, "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    return json.loads(result.stdout)


def of(document, check, table=None):
    """The findings of one check."""
    return [f for f in document["findings"] if f["check"] == check and table in (None, f["table"])]


@pytest.fixture(scope="module")
def consultation(shared):
    """The audit of a consultation benchmark's published tables, 50 samples a task as its paper says."""
    return audit(shared / "zh" / "ucl_bench" / "published_tables.json", "--n", "50", "--ties", "half")


def test_seven_wrong_averages(consultation):
    """Three that no rounding explains, with what the missing cell would have to be, and four cut off."""
    found = of(consultation, "average", "table3")
    assert {f["row"]: f["printed"] for f in found if f["certainty"] == "certain"} == {
        "OpenAI o1-mini": "68.7",
        "DISC-Law 13B": "37.4",
        "OpenAI o1-preview": "73.2",
    }
    cut = {f["row"] for f in found if "cut off" in f["evidence"]}
    assert cut == {"Qwen 72B", "Yi 34B", "Baichuan2 13B", "Internlm 20B"}
    assert "would need a mean of 41.2" in next(f["evidence"] for f in found if "o1-preview" in f["row"])
    assert of(consultation, "average", "table13") == []


def test_rates_that_fifty_samples_cannot_give(consultation):
    """179 of 308 cells of the older rows are no multiple of one point, such as 52.5."""
    cells = of(consultation, "attainable", "table3")
    row = {f["column"]: f for f in cells if f["row"] == "Qwen 7B"}
    assert {"2-1", "2-2", "3-1", "3-2"} <= set(row)
    assert "1-1" not in row
    assert "it fits n = 20" in row["2-1"]["evidence"]
    assert row["2-1"]["recomputed"] == "52.00 or 53.00"


def test_running_totals_are_told_from_rates(consultation):
    """The rows that were never reset, in either table, and none of the others."""
    assert {f["row"] for f in of(consultation, "running_total", "table3")} == {
        "Qwen-2.5 7B",
        "DeepSeek-V2-Chat",
        "GLM-4-9B-Chat",
        "InternLM-2.5 7B",
        "OpenAI o1-mini",
        "OpenAI o1-preview",
    }
    second = of(consultation, "running_total", "table13")
    assert len(second) == 4
    assert all("running totals of 20 samples a task" in f["evidence"] for f in second)
    assert {f["row"]: f["recomputed"] for f in second}["Fuzi-Mingcha 7B"] == "39.40"


def test_metrics_against_their_matrices(shared):
    """Rescaled matrices, the impossible F2, the weighted accuracy, and success above accuracy."""
    found = audit(shared / "zh" / "contract_agent" / "published_metrics.json")
    rescaled = of(found, "rescaled_matrix")
    assert {f["row"]: f["recomputed"] for f in rescaled} == {
        "mode_1": "27 3 0; 23 7 0; 7 23 0",
        "mode_2": "14 16 0; 9 21 0; 7 23 0",
        "mode_3": "19 11 0; 10 18 2; 3 18 9",
        "mode_4": "20 8 2; 9 17 4; 3 12 15",
    }
    impossible = {f["row"]: f["evidence"] for f in of(found, "impossible_f")}
    assert "0.6818" in impossible["mode_3"]
    assert "both 0.4662" in impossible["mode_2"]
    against = {(f["row"], f["column"]): f for f in of(found, "metric_against_matrix")}
    assert against["mode_1", "weighted_accuracy"]["recomputed"] == "0.8393"
    assert "symmetric score by distance of the matrix of 90" in against["mode_4", "weighted_accuracy"]["evidence"]
    assert against["mode_2", "task_success_rate"]["recomputed"] == "at most 0.3889"
    assert {f["recomputed"] for f in of(found, "denominator")} == {"90"}
    assert len(found["findings"]) == 20


@pytest.fixture(scope="module")
def own_table(tmp_path_factory):
    """The audit of a table of our own: 22 tasks of 50 samples, honest rows, and rows with one fault each."""
    draw = np.random.default_rng(5)

    def counted(share):
        return (100 * draw.binomial(50, share, size=22) / 50).tolist()

    def averaged(cells, more=0.0):
        return [*cells, round(float(np.mean(cells)) + more, 1)]

    rows = {f"honest {share}": averaged(counted(share)) for share in (0.6, 0.45, 0.7)}
    rows["wrong average"] = averaged(counted(0.5), more=6)
    cells = [60.0, 50.0] * 10 + [56.0, 60.0]
    rows["cut off"] = [*cells, 55.2]  # of 55.27
    cells = [40.0, 50.0] * 11
    rows["cell missing"] = [*cells[:-1], None, 45.0]
    rows["half a sample"] = averaged([40.0, 50.0, 60.0, 52.5, *counted(0.4)[4:]])
    # Points of 20 samples a task, ties as a half, that were never set back to zero.
    points = np.random.default_rng(2).integers(0, 41, size=22) / 2
    rows["never reset"] = averaged(np.round(100 * np.cumsum(points) / (20 * np.arange(1, 23)), 2).tolist())
    path = tmp_path_factory.mktemp("audit") / "own.json"
    path.write_text(json.dumps({"tasks": [f"t{n}" for n in range(1, 23)], "rates": rows}))
    return audit(path, "--n", "50", "--ties", "half")


def test_a_wrong_average_is_told_from_one_that_was_cut_off(own_table):
    """No rounding explains six points more; cut digits are named; an empty cell would have to be what the average needs."""
    found = {f["row"]: f for f in of(own_table, "average")}
    assert set(found) == {"wrong average", "cut off", "cell missing"}
    assert "cut off, not rounded" in found["cut off"]["evidence"]
    assert "cut off" not in found["wrong average"]["evidence"]
    # 21 cells with 11 times 40 and 10 times 50 give 44.76; 45.0 needs 22 * 45 - 940 = 50.
    assert "1 cells are empty and would need a mean of 50.0" in found["cell missing"]["evidence"]


def test_half_a_sample_cannot_be_counted(own_table):
    """Of 50 samples with ties as a half every rate is a multiple of one point: 52.5 lies between two, and would fit 20."""
    (cell,) = [f for f in of(own_table, "attainable") if f["row"] == "half a sample"]
    assert (cell["column"], cell["printed"], cell["recomputed"]) == ("t4", "52.50", "52.000 or 53.000")
    assert "50 samples give only multiples of 1; it fits n = 20, 40" in cell["evidence"]
    assert {f["row"] for f in of(own_table, "attainable")} == {"half a sample", "never reset"}


def test_a_total_that_was_never_reset_is_found(own_table):
    """The row that runs as a mean does, with the number of samples, and none of the others."""
    (row,) = of(own_table, "running_total")
    assert row["row"] == "never reset"
    assert "running totals of 20 samples a task" in row["evidence"]


def test_metrics_that_their_matrix_cannot_give(tmp_path):
    """A matrix of 90 stretched to 399, an F2 beyond its recall's bound, and more successes than right labels."""
    counted = [[21, 7, 2], [8, 16, 6], [4, 12, 14]]
    stretched = [[round(cell * 133 / 30) for cell in row] for row in counted]
    truth = np.repeat([0, 1, 2], 30)
    said = np.concatenate([np.repeat([0, 1, 2], row) for row in counted])
    values = {
        "accuracy": (truth == said).mean(),
        "macro_f1": f1_score(truth, said, average="macro"),
        "kappa_quadratic": cohen_kappa_score(truth, said, weights="quadratic"),
        "high_risk_f2": fbeta_score(truth == 0, said == 0, beta=2),
    }
    classes = zip(("High", "Medium", "Low"), f1_score(truth, said, average=None), strict=True)
    honest = {"total": 90, "conf_matrix": counted, "class_f1": {name: round(float(x), 4) for name, x in classes}}
    honest |= {name: round(float(x), 4) for name, x in values.items()}
    metrics = {
        "honest": honest,
        # 47 and 89 of 90, which no count of 399 gives either.
        "stretched": honest
        | {"total": 399, "conf_matrix": stretched, "task_success_rate": 0.5222, "parse_rate": 0.9889},
        "beyond the bound": honest | {"high_risk_f2": 0.95},
        "more than right": honest | {"task_success_rate": 0.8556},
    }
    path = tmp_path / "metrics.json"
    path.write_text(json.dumps({name: {"metrics": one} for name, one in metrics.items()}))
    found = audit(path)
    assert {f["row"]: f["recomputed"] for f in of(found, "rescaled_matrix")} == {"stretched": "21 7 2; 8 16 6; 4 12 14"}
    assert {f["row"]: f["recomputed"] for f in of(found, "denominator")} == {"stretched": "90"}
    against = {(f["row"], f["column"]): f["recomputed"] for f in of(found, "metric_against_matrix")}
    assert against["more than right", "task_success_rate"] == "at most 0.5667"
    (bound,) = of(found, "impossible_f")
    # Of 30 high ones 21 were found: with precision 1 the F2 is 5 * 0.7 / (4 + 0.7).
    assert (bound["row"], f"{5 * 0.7 / 4.7:.4f}" in bound["evidence"]) == ("beyond the bound", True)
    assert "honest" not in {f["row"] for f in found["findings"]}


@pytest.mark.slow
def test_honest_tables_raise_nothing(tmp_path):
    """Of 200 tables that were counted, divided and rounded, at most two are suspected."""
    generator = np.random.default_rng(7)
    alarmed = 0
    for place in range(200):
        ending, text, n, ties = (
            (".json", metric_file(generator), None, False) if place % 5 == 0 else rate_table(generator)
        )
        path = tmp_path / f"table{ending}"
        path.write_text(text)
        options = ["--n", str(n), "--ties", "half" if ties else "none"] if n else []
        alarmed += bool(audit(path, *options)["findings"])
    assert alarmed <= 2


ROWS = [
    ["model", "a", "b", "c", "AVG"],
    ["one", "40.0", "52.5", "61.0", "51.2"],
    ["two", "10.0", "20.0", "30.0", "25.0"],
]


def as_csv(rows):
    """Cells between commas."""
    return "\n".join(",".join(row) for row in rows)


def as_markdown(rows):
    """A pipe table with emphasis and percent signs."""
    body = [f"| **{row[0]}** | " + " | ".join(f"{cell}%" for cell in row[1:]) + " |" for row in rows[1:]]
    return "Text before.\n\n| " + " | ".join(rows[0]) + " |\n|---|:--|--:|---|---|\n" + "\n".join(body) + "\n\nAfter.\n"


def as_latex(rows):
    """A tabular with rules, bold face and comments."""
    body = " \\\\\n\\midrule\n".join(" & ".join([row[0], *(rf"\textbf{{{x}}}" for x in row[1:])]) for row in rows[1:])
    return (
        "\\begin{table}\\begin{tabular}{lcccc}\\toprule\n% a comment\n"
        + " & ".join(rows[0])
        + " \\\\ \\hline\n"
        + body
        + " \\\\\n\\bottomrule\\end{tabular}\\end{table}"
    )


def as_json(rows):
    """A list of objects."""
    return json.dumps([dict(zip(rows[0], [row[0], *map(float, row[1:])], strict=True)) for row in rows[1:]])


@pytest.mark.parametrize(
    ("ending", "write"), [(".csv", as_csv), (".md", as_markdown), (".tex", as_latex), (".json", as_json)]
)
def test_every_format_is_read_alike(tmp_path, ending, write):
    """The same wrong average is found in CSV, Markdown, LaTeX and JSON."""
    path = tmp_path / f"results{ending}"
    path.write_text(write(ROWS))
    found = audit(path)["findings"]
    assert [(f["check"], f["row"], f["column"], f["printed"]) for f in found] == [("average", "two", "AVG", "25.0")]
    assert found[0]["certainty"] == "certain"


def test_parquet_is_read_with_its_extra(tmp_path):
    """The same table as Parquet."""
    arrow = pytest.importorskip("pyarrow", reason="the parquet extra is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {name: [row[i] if i == 0 else float(row[i]) for row in ROWS[1:]] for i, name in enumerate(ROWS[0])}
    parquet.write_table(arrow.table(columns), tmp_path / "results.parquet")
    assert len(audit(tmp_path / "results.parquet")["findings"]) == 1


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    """The missing library is named with the extra that brings it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingDependencyError, match=r"benchbar\[parquet\]"):
        audit(tmp_path / "t.parquet")


def test_weighted_summary_row_is_no_fault(tmp_path):
    """A summary weighted by the printed counts is right; one that neither mean gives is not."""
    path = tmp_path / "points.csv"
    path.write_text(
        "type,N,referred,correct\nA,372,99.2,85.9\nB,510,98.0,86.6\nC,1404,94.7,74.4\nD,1173,95.4,84.9\n"
        "Summary,3459,95.9,83.9\n"
    )
    found = of(audit(path, "--columns", "none"), "average")
    assert [(f["row"], f["column"]) for f in found] == [("Summary", "correct")]


def test_overall_with_weights_of_its_own_is_left_alone(tmp_path):
    """An overall column that is a weighted mean in every row accuses nobody."""
    path = tmp_path / "leaderboard.csv"
    path.write_text("m,Consultation,Exam,Overall\na,72.84,81.59,75.21\nb,73.17,80.35,75.12\nc,71.88,80.99,74.35\n")
    assert audit(path)["findings"] == []


def test_columns_that_are_no_part_of_the_average(tmp_path):
    """A model's size among the rates, and two blocks with an average each, accuse nobody; a wrong cell is found."""
    path = tmp_path / "sizes.csv"
    path.write_text(
        "m,params,a,b,AVG\nx,7,50.0,60.0,55.0\ny,13,40.0,70.0,55.0\nz,70,80.0,90.0,85.0\nw,1,10.0,20.0,25.0\n"
    )
    assert [f["row"] for f in audit(path)["findings"]] == ["w"]
    path.write_text(
        "m,params,a,b,AVG\nx,7,50.0,60.0,55.0\ny,13,40.0,70.0,55.0\nz,70,80.0,90.0,85.0\nw,1,10.0,20.0,18.0\n"
    )
    assert [f["row"] for f in audit(path)["findings"]] == ["w"]
    path.write_text("m,a,b,Avg.,c,d,Average\nx,1.0,2.0,1.5,5.0,7.0,6.0\ny,2.0,4.0,3.0,1.0,3.0,2.0\n")
    assert audit(path)["findings"] == []


def test_counts_in_the_table_serve_as_n(tmp_path):
    """Without --n a column of counts says how many samples stand behind each rate."""
    path = tmp_path / "rates.csv"
    path.write_text("task,n,win rate\na,20,52.5\nb,20,47.0\n")
    assert of(audit(path, "--ties", "half"), "attainable")[0]["row"] == "b"


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        (
            "model,n,accuracy,wins,ties,losses,avg",
            ("A,50,72.0,30,10,10,72.0", "B,50,60.0,19,13,18,60.0", "C,50,62.0,31,0,19,62.0"),
        ),
        ("model,samples,met,partly,unmet", ("A,50,30,9,11", "B,49,19,13,17")),
        ("model,n,wins", ("A,50,31", "B,50,19")),
    ],
)
def test_columns_of_counts_are_no_rates(tmp_path, head, rows):
    """Wins, ties and losses that make up the samples of their row are neither impossible rates nor parts of an average."""
    path = tmp_path / "outcomes.csv"
    path.write_text("\n".join([head, *rows]))
    assert audit(path)["findings"] == []


@pytest.mark.parametrize(
    ("head", "rows", "options"),
    [
        (
            "model,n,answered,accuracy (of answered),coverage",
            ("A,50,47,63.8,94.0", "B,50,40,62.5,80.0"),
            (),
        ),
        ("model,n,unanswered,accuracy", ("A,50,3,63.8", "B,50,10,62.5"), ()),
        (
            "model,n,win rate,win %,tie %,loss %",
            ("B,50,45.0,38.0,14.0,48.0", "C,50,51.0,44.0,14.0,42.0"),
            (),
        ),
        ("model,accuracy,low,high,GPT-4评分", ("A,64.0,50.1,75.9,7.83", "B,62.0,48.2,74.1,7.41"), ("--n", "50")),
    ],
    ids=["of those answered", "without those unanswered", "ties as half", "bounds and grades"],
)
def test_what_the_table_itself_explains_is_not_accused(tmp_path, head, rows, options):
    """Rates of a part that another column counts, wins with half of the ties, ends of intervals, and grades."""
    path = tmp_path / "explained.csv"
    path.write_text("\n".join([head, *rows]), "utf-8")
    assert audit(path, *options)["findings"] == []


def test_a_part_explains_a_column_only_where_it_explains_all_of_it(tmp_path):
    """One row that neither all samples nor those answered can give leaves its column accused."""
    path = tmp_path / "explained.csv"
    path.write_text("model,n,answered,accuracy\nA,50,47,64.8\nB,50,40,62.5\n")
    assert [found["row"] for found in audit(path)["findings"]] == ["A", "B"]


@pytest.mark.parametrize(
    "head",
    ["Модель,Всего вопросов,Доля верных", "模型,题数,正确率", "model,questions,accuracy", "model,# samples,accuracy"],
)
def test_counts_and_rates_are_known_by_name_in_three_languages(tmp_path, head):
    """Sixty questions cannot give 68.5 percent, whatever the columns are called."""
    path = tmp_path / "heads.csv"
    path.write_text(f"{head}\nA,60,60\nB,60,68.5\n", "utf-8")
    assert [found["row"] for found in of(audit(path), "attainable")] == ["B"]


def test_a_column_of_wins_above_the_samples_holds_rates(tmp_path):
    """61 of 50 samples is no count; as a percentage it cannot be either."""
    path = tmp_path / "outcomes.csv"
    path.write_text("model,n,wins\nA,50,61\nB,50,60\n")
    assert [(found["check"], found["row"]) for found in audit(path)["findings"]] == [("attainable", "A")]


def test_f1_above_the_mean_of_precision_and_recall(tmp_path):
    """No class and no macro average can have it."""
    path = tmp_path / "f.csv"
    path.write_text("model,Precision,Recall,F1\na,0.50,0.40,0.44\nb,0.50,0.40,0.48\n")
    assert [f["row"] for f in of(audit(path), "impossible_f")] == ["b"]


def test_confusion_file_is_held_against_a_row(tmp_path):
    """A CSV of metrics and a matrix in a file of its own."""
    (tmp_path / "m.csv").write_text("model,accuracy,macro_f1\none,0.90,0.79\n")
    (tmp_path / "c.json").write_text(json.dumps({"labels": ["no", "yes"], "matrix": [[8, 2], [2, 8]]}))
    found = audit(tmp_path / "m.csv", "--confusion", str(tmp_path / "c.json"))["findings"]
    assert {f["column"]: f["recomputed"] for f in found} == {"accuracy": "0.80"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "model,score\none\n", "1 cells; the head has 2"),
        ("a.csv", "", "no table of numbers"),
        ("a.json", "{", "not valid JSON"),
        ("a.json", '{"a": "b"}', "no table of numbers"),
        ("a.md", "no table here", "no table of numbers"),
        ("a.odt", "x", "expected one of"),
    ],
)
def test_unreadable_tables_are_named(tmp_path, name, text, message):
    """Each fault says file and what was expected."""
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInputError, match=message):
        audit(tmp_path / name)


def test_deeply_nested_json_does_not_break_the_reader(tmp_path):
    """A hostile file ends in an error and not in a crash."""
    (tmp_path / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(BadInputError):
        audit(tmp_path / "deep.json")
