"""Answer guidance as a judge is shown it."""

from __future__ import annotations

from collections.abc import Iterable

from benchbar.records import Category, Guidance, GuidancePoint

_LABELS = {
    "zh": (
        "答案参考",
        "必须提及",
        "应该提及",
        "鼓励提及",
        "禁止提及",
        "以下各点中至少提及{n}点",
        "（没有给出要点，请按用户的需求判断）",
        "也可表述为：",
    ),
    "en": (
        "Ground truth",
        "Must mention",
        "Should mention",
        "Had better mention",
        "Must not say",
        "At least {n} of these",
        "(no points are given; judge by what the user needs)",
        "or in other words: ",
    ),
    "ru": (
        "Правильный ответ",
        "Обязательно упомянуть",
        "Следует упомянуть",
        "Желательно упомянуть",
        "Нельзя говорить",
        "Не менее {n} из этих пунктов",
        "(пункты не заданы; судите по тому, что нужно пользователю)",
        "или иначе: ",
    ),
}
_ORDER = (Category.GROUND_TRUTH, Category.MANDATORY, Category.ADVISABLE, Category.ENCOURAGED, Category.FORBIDDEN)


def listed(guidance: Guidance, language: str, *, only: Iterable[GuidancePoint] | None = None) -> str:
    """The points by category, each with its id; ``only`` some of them where a judge is asked about those alone."""
    labels = _LABELS.get(language, _LABELS["en"])
    chosen = tuple(guidance.points if only is None else only)
    if not chosen:
        return guidance.text.strip() or labels[6]
    lines: list[str] = []
    for category, label in zip(_ORDER, labels, strict=False):
        members = [point for point in chosen if point.category is category]
        for group in dict.fromkeys(point.group for point in members):
            suffix = f"（{labels[5].format(n=guidance.at_least[group])}）" if group in guidance.at_least else ""
            lines.append(f"{label}{suffix}:")
            lines.extend(_line(point, labels[7]) for point in members if point.group == group)
    return "\n".join(lines)


def _line(point: GuidancePoint, otherwise: str) -> str:
    others = (
        f" ({otherwise}{' / '.join(point.alternatives[:3])})" if point.alternatives and point.kind == "semantic" else ""
    )
    return f"- {point.id}: {point.text}{others}"
