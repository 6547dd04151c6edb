"""The Markdown form of a review, written the way the parser reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchbar.languages.packs import labels
from benchbar.records.contracts import Finding


def form_words(language: str) -> Mapping[str, str]:
    """What the parts of a finding are called in a language."""
    return labels(language, "contract").section("form")


def level_names(language: str) -> Mapping[str, str]:
    """What the levels of risk are called in a language."""
    return labels(language, "contract").section("level")


def write_form(findings: Sequence[Finding], language: str) -> str:
    """The six parts and the confidence of each finding, one section each."""
    words, levels = form_words(language), level_names(language)
    return "\n\n".join(_section(one, words, levels) for one in findings)


def _section(finding: Finding, words: Mapping[str, str], levels: Mapping[str, str]) -> str:
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
