"""Result tables as an honest author makes them: counted, divided, rounded."""

from __future__ import annotations

import json

import numpy as np
from sklearn.metrics import cohen_kappa_score, f1_score, fbeta_score, precision_score, recall_score


def rates(generator: np.random.Generator) -> tuple[list[str], list[str], np.ndarray, int, bool]:
    """Columns, rows, shares of samples, the number of samples, and whether ties count half."""
    n = int(generator.choice([10, 17, 20, 37, 50, 64, 100, 133, 250, 399, 500, 1000]))
    wide, tall = int(generator.integers(3, 26)), int(generator.integers(2, 21))
    ties = bool(generator.integers(0, 2))
    spread, common = generator.choice([0.02, 0.1, 0.2]), generator.choice([0.0, 0.05, 0.2])
    level = generator.normal(0.55, 0.1, size=(tall, 1)) + generator.normal(0, common, size=(1, wide))
    chance = np.clip(level + generator.normal(0, spread, size=(tall, wide)), 0.02, 0.98)
    if generator.random() < 0.15:
        chance = np.sort(chance, axis=1)
    tied = generator.binomial(n, 0.2, size=chance.shape) if ties else np.zeros(chance.shape, dtype=int)
    wins = generator.binomial(n - tied, chance)
    columns = [f"{word} {i}" for i, word in zip(range(wide), np.tile(generator.permutation(WORDS), 9), strict=False)]
    return columns, [f"model {i}" for i in range(tall)], (wins + tied / 2) / n, n, ties


WORDS = ["Recitation", "Summary", "Charges", "Consultation", "Drafting", "Retrieval", "Analysis", "Scoring"]


def rate_table(generator: np.random.Generator) -> tuple[str, str, int, bool]:
    """File ending, text, n and ties of a table of rates with an average, in one of four formats."""
    columns, rows, shares, n, ties = rates(generator)
    percent, decimals = bool(generator.integers(0, 2)), int(generator.integers(1, 3))
    scale = 100 if percent else 1
    decimals += 0 if percent else 2
    cells = np.round(shares * scale, decimals)
    average = (cells if generator.random() < 0.3 else shares * scale).mean(axis=1)
    if generator.random() < 0.8:
        columns = [*columns, str(generator.choice(["AVG", "Average", "Mean", "Overall"]))]
        cells = np.column_stack([cells, np.round(average, decimals)])
    written = [[f"{x:.{decimals}f}" for x in row] for row in cells]
    ending = str(generator.choice([".csv", ".md", ".tex", ".json"]))
    return ending, FORMATS[ending](columns, rows, written), n, ties


def _csv(columns, rows, cells):
    lines = [["model", *columns], *([row, *line] for row, line in zip(rows, cells, strict=True))]
    return "\n".join(",".join(line) for line in lines) + "\n"


def _markdown(columns, rows, cells):
    lines = [["model", *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *line] for row, line in zip(rows, cells, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _latex(columns, rows, cells):
    lines = [["Model", *columns], *([row, *line] for row, line in zip(rows, cells, strict=True))]
    body = " \\\\\n".join(" & ".join(line) for line in lines)
    head = f"\\begin{{tabular}}{{l{'r' * len(columns)}}}\n\\toprule\n"
    return f"{head}{body} \\\\\n\\bottomrule\n\\end{{tabular}}\n"


def _json(columns, rows, cells):
    numbers = {row: [float(x) for x in line] for row, line in zip(rows, cells, strict=True)}
    return json.dumps({"tasks": columns, "results": numbers})


FORMATS = {".csv": _csv, ".md": _markdown, ".tex": _latex, ".json": _json}


def metric_file(generator: np.random.Generator) -> str:
    """A JSON of metrics that follow from their confusion matrix, as scikit-learn computes them."""
    n = int(generator.choice([60, 90, 150, 399, 1000]))
    decimals = int(generator.integers(3, 5))
    return json.dumps({f"run {i}": {"metrics": _metrics(generator, n, decimals)} for i in range(3)})


def _metrics(generator, n, decimals):
    labels = ["High", "Medium", "Low"]
    truth = generator.integers(0, 3, size=n)
    said = np.where(generator.random(n) < generator.uniform(0.3, 0.9), truth, generator.integers(0, 3, size=n))
    matrix = [[int(((truth == a) & (said == b)).sum()) for b in range(3)] for a in range(3)]
    score = np.array([[1, 0.4, 0], [0.8, 1, 0.4], [0.5, 0.8, 1]])
    right = float((truth == said).mean())
    f1 = f1_score(truth, said, average=None, labels=range(3), zero_division=0)
    values = {
        "accuracy": right,
        "weighted_accuracy": float((np.array(matrix) * score).sum() / n),
        "kappa_quadratic": cohen_kappa_score(truth, said, labels=range(3), weights="quadratic"),
        "kappa_linear": cohen_kappa_score(truth, said, labels=range(3), weights="linear"),
        "macro_precision": precision_score(truth, said, average="macro", labels=range(3), zero_division=0),
        "macro_recall": recall_score(truth, said, average="macro", labels=range(3), zero_division=0),
        "macro_f1": float(f1.mean()),
        "high_risk_f2": fbeta_score(truth, said, beta=2, average=None, labels=[0], zero_division=0)[0],
        "task_success_rate": int(right * n * generator.uniform(0.3, 1)) / n,
        "parse_rate": 1.0,
        "avg_latency_sec": generator.uniform(1, 3),
    }
    rounded = {name: round(float(x), decimals) for name, x in values.items()}
    classes = {label: round(float(x), decimals) for label, x in zip(labels, f1, strict=True)}
    return {"total": n, **rounded, "class_f1": classes, "conf_matrix": matrix}
