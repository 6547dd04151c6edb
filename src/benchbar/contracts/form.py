"""The Markdown form of a review, written the way the parser reads it."""

from __future__ import annotations

from collections.abc import Sequence

from benchbar.records.contracts import Finding, RiskLevel

LABELS: dict[str, dict[str, str]] = {
    "zh": {"head": "风险", "risk": "风险", "level": "风险等级", "evidence": "证据摘录", "analysis": "分析", "law": "法律依据", "suggestion": "修改建议", "confidence": "置信度", "none": "无"},
    "en": {"head": "Risk", "risk": "Risk", "level": "Risk level", "evidence": "Evidence", "analysis": "Analysis", "law": "Law", "suggestion": "Suggestion", "confidence": "Confidence", "none": "none"},
    "ru": {"head": "Риск", "risk": "Риск", "level": "Уровень риска", "evidence": "Доказательство", "analysis": "Анализ", "law": "Норма права", "suggestion": "Предложение", "confidence": "Уверенность", "none": "нет"},
}  # fmt: skip
LEVEL_NAMES: dict[str, dict[RiskLevel, str]] = {
    "zh": {RiskLevel.HIGH: "高", RiskLevel.MEDIUM: "中", RiskLevel.LOW: "低"},
    "en": {RiskLevel.HIGH: "high", RiskLevel.MEDIUM: "medium", RiskLevel.LOW: "low"},
    "ru": {RiskLevel.HIGH: "высокий", RiskLevel.MEDIUM: "средний", RiskLevel.LOW: "низкий"},
}


def write_form(findings: Sequence[Finding], language: str) -> str:
    """The six parts and the confidence of each finding, one section each."""
    words = LABELS.get(language, LABELS["en"])
    levels = LEVEL_NAMES.get(language, LEVEL_NAMES["en"])
    return "\n\n".join(_section(one, words, levels) for one in findings)


def _section(finding: Finding, words: dict[str, str], levels: dict[RiskLevel, str]) -> str:
    lines = [
        f"### {words['head']}",
        f"- {words['risk']}: {finding.risk or words['none']}",
        f"- {words['level']}: {levels[finding.level]}",
        f"- {words['evidence']}: {finding.evidence or words['none']}",
        f"- {words['analysis']}: {finding.analysis or words['none']}",
        f"- {words['law']}: {finding.law or words['none']}",
        f"- {words['suggestion']}: {finding.suggestion or words['none']}",
    ]
    if finding.confidence is not None:
        lines.append(f"- {words['confidence']}: {finding.confidence:.2f}")
    return "\n".join(lines)
