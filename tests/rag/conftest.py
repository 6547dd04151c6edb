"""A small suite of questions over the bundled law."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchbar.suites.load import load

QUESTIONS = [
    {
        "id": "minor",
        "needs": "试用期最长可以约定多久？",
        "reference": "试用期最长不得超过六个月。",
        "evidence": ["civil-2020#10"],
    },
    {"id": "named", "needs": "承租人可以提前解除合同吗？", "evidence": ["《民事基本法》第十条", "civil-2020#9"]},
    {"id": "open", "needs": "专利侵权赔偿怎么算？", "tags": ["unanswerable"]},
]


@pytest.fixture(scope="session")
def law() -> Path:
    """The acts and decisions of the model jurisdiction."""
    return load("model-jurisdiction-zh").law


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A suite folder whose card says that questions are asked once."""
    folder = tmp_path / "asked"
    folder.mkdir()
    (folder / "card.toml").write_text('name = "asked"\nlanguage = "zh"\nprotocol = "question_answering"\n', "utf-8")
    task = {"id": "q", "name": "Question", "level": "apply", "scenarios": ["general_public"]}
    (folder / "tasks.jsonl").write_text(json.dumps(task), "utf-8")
    rows = [{"task": "q", **row} for row in QUESTIONS]
    (folder / "samples.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return folder
