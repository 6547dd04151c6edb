"""Reads public sets that hold questions with recorded answers and verdicts, but no guidance: the questions.

Their verdicts are read by `benchbar stats` as they are, see docs/public-sets.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchbar.records import QUESTION_ANSWERING, Sample, Suite, SuiteCard, Task
from benchbar.suites.readers.rows import identity, read_suite, text

TASK = "question"
TASKS = {TASK: Task(id=TASK, name="Question", level="apply", scenarios=("general_public",))}


def _card(name: str, description: str, source: str, licence: str, language: str) -> SuiteCard:
    return SuiteCard(
        name=name,
        description=description,
        source=f"https://github.com/{source}",
        licence=licence,
        language=language,
        protocol=QUESTION_ANSWERING,
    )


def read_hanfei(path: Path) -> Suite:
    """HanFei's legal questions; lawyers' scores of six models stand in the file beside them."""
    card = _card("hanfei", "Legal questions of nine fields, scored by lawyers.", "siat-nlp/HanFei", "Apache-2.0", "zh")
    return read_suite(path, card, TASKS, lambda row: _sample(row, "id", "domain", "zh"))


def read_llmbar(path: Path) -> Suite:
    """LLMBar's instructions; two outputs and the better one stand in the file beside them."""
    card = _card("llmbar", "Instructions with one better of two outputs.", "princeton-nlp/LLMBar", "MIT", "en")
    return read_suite(path, card, TASKS, lambda row: _sample(row, "idx", "subset", "en", prefix=True))


def read_pandalm(path: Path) -> Suite:
    """PandaLM's instructions; two responses and three annotators stand in the file beside them."""
    card = _card("pandalm", "Instructions with three annotators' choices.", "WeOpenML/PandaLM", "Apache-2.0", "en")
    return read_suite(path, card, TASKS, lambda row: _sample(row, "idx", "motivation_app", "en"))


def read_alpaca_eval(path: Path) -> Suite:
    """AlpacaEval's instructions."""
    card = _card("alpaca-eval", "805 instructions.", "tatsu-lab/alpaca_eval", "CC BY-NC 4.0", "en")
    return read_suite(path, card, TASKS, lambda row: _sample(row, "index", "dataset", "en"))


def _sample(row: Mapping[str, Any], key: str, tag: str, language: str, *, prefix: bool = False) -> Sample:
    name = identity(row, key, "id", "idx", "index")
    question = text(row, "question", "instruction", "input")
    rest = str(row.get("input") or "") if "instruction" in row else ""
    label = str(row.get(tag) or "")
    return Sample(
        id=f"{label}-{name}" if prefix and label else name,
        task=TASK,
        information=rest,
        needs=question,
        long_information=bool(rest),
        language=language,
        tags=(f"{tag}:{label}",) if label else (),
    )
