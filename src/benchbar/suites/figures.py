"""Figures of a suite: what rules can decide, how it is spread over tasks and people, how long it takes to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import exp, log
from statistics import median, quantiles
from typing import Any

from benchbar.languages.packs import pack
from benchbar.records import PointKind, Sample, Suite

SOURCE = "source:"
_WORD = re.compile(r"\w+")
_CHARACTER = re.compile(r"[\u3400-\u9fff]|[A-Za-z\u0400-\u04ff0-9]+")


def figures(suite: Suite) -> dict[str, Any]:
    """Counts and shares of the suite; what has no sample or no point has None, never 0."""
    points = [point for sample in suite.samples for point in sample.guidance.points]
    ruled = [point for point in points if point.kind is not PointKind.SEMANTIC]
    weight = sum(point.weight for point in points)
    return {
        "samples": len(suite.samples),
        "points": len(points),
        "points_per_sample": len(points) / len(suite.samples) if suite.samples else None,
        "rules_decide": {
            "points": len(ruled) / len(points) if points else None,
            "weight": sum(point.weight for point in ruled) / weight if weight else None,
        },
        "balance": _balance(suite),
        "reading": _reading(suite.samples),
    }


def _balance(suite: Suite) -> dict[str, Any]:
    tasks = Counter(sample.task for sample in suite.samples)
    levels = Counter(suite.tasks[sample.task].level for sample in suite.samples)
    scenarios = Counter(name for sample in suite.samples for name in suite.tasks[sample.task].scenarios)
    return {
        "tasks": dict(sorted(tasks.items())),
        "empty_tasks": [id_ for id_ in suite.tasks if id_ not in tasks],
        "levels": dict(levels),
        "scenarios": dict(scenarios),
        "languages": dict(Counter(sample.language for sample in suite.samples)),
        "sources": dict(Counter(source_of(sample) for sample in suite.samples)),
        "effective_tasks": _effective(tasks.values()),
    }


def source_of(sample: Sample) -> str:
    """The source that a sample's tags name; empty where none does."""
    return next((tag.removeprefix(SOURCE) for tag in sample.tags if tag.startswith(SOURCE)), "")


def _effective(counts: Iterable[int]) -> float | None:
    """The exponential of the entropy: how many tasks of equal size would be as varied (Hill number of order 1)."""
    sizes = list(counts)
    total = sum(sizes)
    return exp(-sum(size / total * log(size / total) for size in sizes)) if total else None


def _reading(samples: Iterable[Sample]) -> dict[str, Any]:
    """Characters of information and needs, and minutes that a person needs for them."""
    lengths = sorted((len(sample.information) + len(sample.needs), sample.id) for sample in samples)
    minutes = [reading_minutes(sample) for sample in samples]
    if not lengths:
        return {"median": None, "longest": None, "minutes": None}
    sizes = [length for length, _ in lengths]
    return {
        "median": median(sizes),
        "ninth_decile": quantiles(sizes, n=10, method="inclusive")[-1] if len(sizes) > 1 else None,
        "longest": {"sample": lengths[-1][1], "characters": lengths[-1][0]},
        "minutes": round(sum(minutes), 1),
    }


def reading_minutes(sample: Sample) -> float:
    """How long information and needs take to read."""
    text = sample.information + " " + sample.needs
    about = pack(sample.language).about
    return len((_WORD if about.spaces else _CHARACTER).findall(text)) / about.reading_speed
