"""A folder of the shape of UCL-Bench's clone: data, results and verdicts as its scripts write them, with texts of our own."""

from __future__ import annotations

import json
from pathlib import Path

LABELS = '"工程款数额认定"，"借贷合意/书面协议or电子协议/本金（金额）"，"责任承担"'
JUDGE = (
    "\n扮演一个公正的评委。\n信息为：\n{information}\n用户的需求是：\n{needs}\n\n[AI助手1对话开始]\n{dialogue1}\n[AI助手1对话结束]\n\n"
    "[AI助手2对话开始]\n{dialogue2}\n[AI助手2对话结束]\n\n评估参考为：\n{evaluation_hints}\n\n输出“[[1]]”、“[[2]]”或“[[3]]”。\n"
)


def sample(task: str, number: int, needs: str, information: str, model_prompt: str, hints: str) -> dict[str, str]:
    """One item of upstream's data."""
    return {
        "id": str(number),
        "task_name": task,
        "information": information,
        "needs": needs,
        "role_prompt": f"\n你在进行角色扮演。\n案情为：\n{information}\n\n你的需求是：\n{needs}\n\n满足后回复“咨询结束”。\n请开始您的咨询：\n",
        "model_prompt": model_prompt,
        "evaluation_prompt": JUDGE,
        "evaluation_hints": hints,
    }


def data(count: int = 4) -> dict[str, list[dict[str, str]]]:
    """Two tasks: one with a closed list of labels in its instructions, one without information in them."""
    focus = "Dispute Focus Identification"
    consulting = "Real Case Consulting"
    return {
        focus: [
            sample(
                focus,
                number,
                f"给出第{number}号案件的争议焦点",
                f"第{number}号案件：甲向乙借款，双方有电子协议。",
                f"\n你是一名法律专家。\n案件信息为：\n第{number}号案件：甲向乙借款，双方有电子协议。\n\n争议焦点为：{LABELS}。\n选择一个。\n",
                "答案参考：争议焦点是：借贷合意/书面协议or电子协议/本金（金额）\n",
            )
            for number in range(1, count + 1)
        ],
        consulting: [
            sample(
                consulting,
                number,
                f"第{number}位用户：试用期被辞退，能要求赔偿吗？",
                "",
                "\n你是一个法律专家，正在提供咨询服务。\n",
                "必须提及：劳动合同\n",
            )
            for number in range(count)
        ],
    }


def clone(folder: Path, count: int = 4) -> Path:
    """The folder with the whole data, a small sample of it, results, verdicts, prompts and things that are none of these."""
    items = data(count)
    files = {
        "dataset/legal_data_sample.json": items,
        "dataset/mini_sample.json": {name: rows[:1] for name, rows in items.items()},
        "dataset/data_processing/legal_prompt.json": {name: {"role prompt": "…"} for name in items},
        "config/configuration.json": {"gpt_key": ""},
        "results/chatgpt_result.json": {
            name: [
                row
                | {
                    "dialogue": f"用户：{row['needs']}\nAI助手：请说明。\n用户：：好的\nAI助手：用户：您好，劳动合同。\n",
                    "model": "gpt-3.5",
                }
                for row in rows
            ]
            for name, rows in items.items()
        },
        "results/score.json": {
            name: [
                row | {"evaluation_score": score}
                for row, score in zip(rows, ([10, 0], [0, 10], [5, 5], [-1, -1]), strict=False)
            ]
            for name, rows in items.items()
        },
    }
    for name, document in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(document, ensure_ascii=False, indent=4), "utf-8")
    (folder / "config" / "broken.json").write_text("{", "utf-8")
    return folder
