"""A suite in the forms of other tools: Hugging Face datasets, Inspect, promptfoo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from benchbar.records import Category, Guidance, PointKind, Sample, Suite
from benchbar.suites.card_forms import markdown

Files = dict[str, bytes]


def huggingface(suite: Suite, card: Mapping[str, Any]) -> Files:
    """A repository that `datasets.load_dataset` reads: the card with its metadata, and one JSONL file of a test split."""
    head = {
        "language": [suite.card.language],
        "license": "other",
        "license_name": suite.card.licence or "unknown",
        "pretty_name": suite.card.name,
        "tags": ["legal", "benchmark"],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": "data/test.jsonl"}]}],
    }
    # JSON is YAML too, and quotes what a name may hold.
    front = "".join(f"{name}: {msgspec.json.encode(value).decode()}\n" for name, value in head.items())
    readme = f"---\n{front}---\n\n{markdown(card)}"
    return {"README.md": readme.encode(), "data/test.jsonl": _lines(_row(suite, sample) for sample in suite.samples)}


def inspect(suite: Suite, card: Mapping[str, Any]) -> Files:
    """A dataset for `inspect_ai.dataset.json_dataset`: input, target and metadata of each sample."""
    rows = (
        {
            "id": sample.id,
            "input": _question(sample),
            "target": sample.reference or [point.text for point in sample.guidance.points if _due(point.category)],
            "metadata": _row(suite, sample) | {"suite": card["name"], "fingerprint": card["fingerprint"]},
        }
        for sample in suite.samples
    )
    return {"samples.jsonl": _lines(rows), "README.md": markdown(card).encode()}


def promptfoo(suite: Suite, card: Mapping[str, Any]) -> Files:
    """A configuration with one test a sample: terms are looked for, what no rule decides goes to promptfoo's model grader."""
    tests = [
        {
            "description": f"{sample.id} {suite.tasks[sample.task].name}",
            "vars": {"information": _inert(sample.information), "needs": _inert(sample.needs)},
            "assert": _assertions(sample.guidance),
            "metadata": {"sample": sample.id, "task": sample.task, "level": suite.tasks[sample.task].level},
        }
        for sample in suite.samples
    ]
    config = {
        "description": f"{card['name']} {card['version']}",
        "prompts": ["{{information}}\n\n{{needs}}"],
        "providers": ["echo"],
        "tests": "file://tests.json",
    }
    return {
        "promptfooconfig.json": msgspec.json.format(msgspec.json.encode(config), indent=2) + b"\n",
        "tests.json": msgspec.json.format(msgspec.json.encode(tests), indent=2) + b"\n",
        "README.md": markdown(card).encode(),
    }


FORMATS: dict[str, Callable[[Suite, Mapping[str, Any]], Files]] = {
    "huggingface": huggingface,
    "inspect": inspect,
    "promptfoo": promptfoo,
}


def _lines(rows: Any) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def _row(suite: Suite, sample: Sample) -> dict[str, Any]:
    """A flat row with the same fields, of the same types, in every sample: what columns of a table need."""
    task = suite.tasks[sample.task]
    return {
        "id": sample.id,
        "task": sample.task,
        "task_name": task.name,
        "level": task.level,
        "scenarios": list(task.scenarios),
        "information": sample.information,
        "needs": sample.needs,
        "language": sample.language,
        "on": sample.on or "",
        "reference": sample.reference,
        "evidence": list(sample.evidence),
        "tags": list(sample.tags),
        "guidance": [msgspec.to_builtins(point) for point in sample.guidance.points],
        "guidance_at_least": [{"group": name, "count": count} for name, count in sample.guidance.at_least.items()],
    }


def _question(sample: Sample) -> str:
    return f"{sample.information}\n\n{sample.needs}".strip()


def _due(category: Category) -> bool:
    return category in {Category.GROUND_TRUTH, Category.MANDATORY}


def _assertions(guidance: Guidance) -> list[dict[str, Any]]:
    found = []
    for point in guidance.points:
        forbidden = point.category is Category.FORBIDDEN
        common = {"weight": point.weight, "metric": str(point.category)}
        if point.kind in {PointKind.TERM, PointKind.CHARGE} and (point.exhaustive or forbidden):
            wordings = [_inert(wording) for wording in (point.text, *point.alternatives)]
            found.append({"type": "not-icontains-any" if forbidden else "icontains-any", "value": wordings} | common)
        else:
            asked = "The answer must not say this" if forbidden else "The answer says this"
            found.append({"type": "llm-rubric", "value": f"{asked}: {_inert(point.text)}"} | common)
    return found


def _inert(text: str) -> str:
    """Text that promptfoo takes as it is: no template in it is filled, no file that it names is read."""
    if "{{" in text or "{%" in text or "{#" in text:
        text = "{% raw %}" + text.replace("endraw", "end raw") + "{% endraw %}"
    return f" {text}" if text.startswith(("file://", "http://", "https://", "python:", "package:")) else text
