"""Answer guidance as a judge is shown it."""

from __future__ import annotations

from collections.abc import Iterable

from benchbar.languages.packs import labels
from benchbar.records import Category, Guidance, GuidancePoint

_ORDER = (Category.GROUND_TRUTH, Category.MANDATORY, Category.ADVISABLE, Category.ENCOURAGED, Category.FORBIDDEN)


def listed(guidance: Guidance, language: str, *, only: Iterable[GuidancePoint] | None = None) -> str:
    """The points by category, each with its id; ``only`` some of them where a judge is asked about those alone."""
    say = labels(language, "words")
    chosen = tuple(guidance.points if only is None else only)
    if not chosen:
        return guidance.text.strip() or say("judge.no_points")
    lines: list[str] = []
    for category in _ORDER:
        label = say(f"judge.{category}")
        members = [point for point in chosen if point.category is category]
        for group in dict.fromkeys(point.group for point in members):
            suffix = f"（{say('judge.at_least', n=guidance.at_least[group])}）" if group in guidance.at_least else ""
            lines.append(f"{label}{suffix}:")
            lines.extend(_line(point, say("judge.otherwise")) for point in members if point.group == group)
    return "\n".join(lines)


def _line(point: GuidancePoint, otherwise: str) -> str:
    others = (
        # Three show what is meant; rules' lists of wordings have dozens, which would fill the prompt.
        f" ({otherwise}{' / '.join(point.alternatives[:3])})" if point.alternatives and point.kind == "semantic" else ""
    )
    return f"- {point.id}: {point.text}{others}"
