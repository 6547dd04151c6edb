"""Small data sets of our own in the formats of public ones: drawn with a seed, with properties that are known.

The files lie where the public ones lie in the shared folder, so that one test reads both. What the public sets print
beside their data (leaderboards, labels) is worked out here by the published formula, never by Benchbar.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

GARBLED = 11
"""Verdicts of the judge gpt35 in PandaLM's rows that no parser could read."""
LAWBENCH_KINDS = {
    "1-1": ("工会章程第三条的内容是什么？", "答案:工会每年选举一次。"),
    "1-2": ("下列哪一项正确？A:甲 B:乙 C:丙 D:丁", "正确答案：B。"),
    "3-2": ("场景:租客提前搬走。根据哪条法律？", "根据《租房示例法》第五条，租客应当提前三十日通知。"),
    "3-6": ("甲拿走乙的书。A:盗窃 B:抢劫 C:诈骗 D:侵占", "正确答案:A。"),
    "3-8": ("房东不退押金怎么办？", "回答:可以要求退还。法律依据:《租房示例法》第七条。"),
}


def write_published(folder: Path) -> Path:
    """Writes all sets into a folder and returns it."""
    _alpaca_eval(folder / "prefs/alpaca_eval", np.random.default_rng(1))
    _llmbar(folder / "prefs/llmbar", np.random.default_rng(2))
    _pandalm(folder / "prefs/pandalm", np.random.default_rng(3))
    _questions(folder)
    _lawbench(folder / "zh/lawbench", np.random.default_rng(4))
    return folder


def _alpaca_eval(folder: Path, draw: np.random.Generator, size: int = 300) -> None:
    """Judgements by AlpacaEval 2's model: the judge's preference is logistic in length, difficulty and the model itself.

    Source of the formula: Dubois et al., Length-Controlled AlpacaEval (2024). At equal lengths the term of length is 0, so
    that the controlled rate is the mean of the rest.
    """
    difficulty = draw.normal(0, 0.6, size=size)
    base = draw.integers(300, 2500, size=size)
    second, first, boards = [], [], {"v2": [], "v1": []}
    for place, name in enumerate(["NullModel", *(f"model-{n}" for n in range(7))]):
        length, hard, own = draw.uniform(0.2, 1.2), draw.uniform(0.1, 0.5), -1.2 + 0.4 * place
        written = base + draw.normal(150 * place, 400, size=size).astype(int)
        longer = np.tanh((written - base) / (written - base).std())
        preference = 1 + _sigmoid(own + length * longer + hard * difficulty)
        second += [(name, i, base[i], written[i], preference[i]) for i in range(size)]
        wins = preference - 1
        controlled = _sigmoid(own + hard * difficulty).mean()
        boards["v2"].append(
            {
                "model": name,
                "win_rate": 100 * wins.mean(),
                "standard_error": 100 * wins.std(ddof=1) / np.sqrt(size),
                "n_wins": int((wins > 0.5).sum()),
                "n_wins_base": int((wins < 0.5).sum()),
                "length_controlled_winrate": 100 * controlled,
                "w_tanh_std_delta_len": length,
                "w_instruction_difficulty": hard,
                "w_not_gamed_baseline": own,
                "lc_calibration_role": "calibration" if place % 3 == 2 else "test",
            }
        )
        # The first edition marks a draw with 0 or 1.5, and a win with 2.
        marks = draw.choice([1.0, 2.0, 0.0, 1.5], p=[0.4, 0.45, 0.1, 0.05], size=size)
        first += [(name, i, base[i], written[i], marks[i]) for i in range(size)]
        draws = int(((marks == 0) | (marks == 1.5)).sum())
        boards["v1"].append(
            {"model": name, "win_rate": 100 * ((marks == 2).sum() + draws / 2) / size, "n_draws": draws}
        )
    head = ("model", "index", "len_baseline", "len_model", "preference")
    _csv(folder / "annotations_v2_even.csv", [dict(zip(head, row, strict=True)) for row in second])
    _csv(folder / "annotations_v1_even.csv", [dict(zip(head, row, strict=True)) for row in first])
    for version, rows in boards.items():
        _csv(folder / f"published_leaderboard_{version}_even.csv", rows)
    _csv(
        folder / "instruction_difficulty_recovered.csv",
        [{"index": i, "difficulty": value} for i, value in enumerate(difficulty)],
    )


def _sigmoid(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))


def _llmbar(folder: Path, draw: np.random.Generator, size: int = 120) -> None:
    """A judge right in 8 of 10 cases in either order, and one that nearly always names the first."""
    rows = []
    for name, right in (("GPT-4", 0.8), ("ChatGPT-0301", 0.6)):
        for i in range(size):
            label = int(draw.integers(1, 3))
            said = [label if draw.random() < right else 3 - label for _ in range(2)]
            own = {"subset": "Natural", "evaluator": name, "strategy": "CoT", "idx": i}
            rows.append(own | {"winner_noswap": said[0], "winner_swap": said[1], "label": label})
    _csv(folder / "judge_verdicts_even.csv", rows)


def _pandalm(folder: Path, draw: np.random.Generator, size: int = 200) -> None:
    """Three people who agree in 8 of 10 cases, a judge that follows them in 6, and one that is unreadable eleven times."""
    rows = []
    for i in range(size):
        truth = int(draw.integers(0, 3))

        def said(right: float, truth: int = truth) -> int:
            return truth if draw.random() < right else int(draw.integers(0, 3))

        judged = "garbage" if i < GARBLED else {0: "Tie"}.get(found := said(0.5), str(found))
        people = {f"annotator{n}": said(0.8) for n in (1, 2, 3)}
        own = {"idx": i, "motivation_app": "Letters", "instruction": f"Shorten letter {i}.", "input": "Dear tenant, …"}
        rows.append(own | people | {"gpt35_result": judged, "pandalm7b_result": said(0.4)})
    _jsonl(folder / "rows_even.jsonl", rows)


def _questions(folder: Path) -> None:
    """A dozen questions of each set that has questions alone."""
    twelve = range(12)
    domains = ("city", "labour", "family")
    hanfei = [{"id": i, "domain": domains[i % 3], "question": f"第{i}个问题：押金怎么退？"} for i in twelve]
    _jsonl(folder / "zh/human_scores_hanfei/rows_even.jsonl", hanfei)
    # One number in two subsets is two questions.
    pairs = [{"subset": ("Natural", "Neighbor")[i % 2], "idx": i // 2, "input": f"Question {i}?"} for i in twelve]
    _jsonl(folder / "prefs/llmbar/pairs_even.jsonl", pairs)
    alpaca = [{"index": i, "dataset": "letters", "instruction": f"Write letter {i}."} for i in twelve]
    _jsonl(folder / "prefs/alpaca_eval/instructions.jsonl", alpaca)


def _lawbench(folder: Path, draw: np.random.Generator, size: int = 60) -> None:
    """Questions of the five tasks, and answers of two models to the choices, right as often as the board says."""
    tasks = [
        {"task": task, "idx": i, "instruction": "回答：", "question": f"{question}（{i}）", "answer": answer}
        for task, (question, answer) in LAWBENCH_KINDS.items()
        for i in range(size)
    ]
    _jsonl(folder / "tasks_even.jsonl", tasks)
    predictions, board = [], []
    for model, right in (("GPT4", 0.7), ("chatlaw-13b-hf", 0.3)):
        for task in ("1-2", "3-6"):
            reference = LAWBENCH_KINDS[task][1]
            letter = reference[-2]
            wrong = next(other for other in "ABCD" if other != letter)
            hits = draw.random(size) < right
            silent = ~hits & (draw.random(size) < 0.2)
            for i in range(size):
                said = f"[正确答案]{letter if hits[i] else wrong}<eoa>" if not silent[i] else "无法判断"
                predictions.append({"model": model, "task": task, "idx": i, "prediction": said, "reference": reference})
            rates = {"score": hits.mean(), "abstention_rate": silent.mean()}
            board.append({"task": task, "model_name": model, **rates})
    _jsonl(folder / "predictions_even.jsonl", predictions)
    _csv(folder / "published_zero_shot_results.csv", board)


def _csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def _jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
