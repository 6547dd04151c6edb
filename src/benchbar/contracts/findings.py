"""What becomes of a finding once it is written: its rule is named, its excerpt held against the clause, its law looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from benchbar.contracts.evidence import Recall, check_excerpt
from benchbar.contracts.injection import Injection
from benchbar.contracts.lawbook import LawBook
from benchbar.contracts.rules import RiskRule
from benchbar.languages.packs import labels
from benchbar.records.contracts import Clause, ExcerptStatus, Finding, RiskLevel


class FindingChecker:
    """Holds findings against the clause that they are about and against the law."""

    def __init__(self, law: LawBook | None, reranker: Recall | None = None) -> None:
        """Without ``law`` no citation is looked up; a model that was named to rank rules also reads excerpts."""
        self._law, self._reranker = law, reranker

    def checked(self, findings: Sequence[Finding], text: str, rules: Sequence[RiskRule]) -> list[Finding]:
        """The findings with their rules named, of those that were shown, and their evidence and law checked."""
        return [self._checked(one, text, rules) for one in findings]

    def _checked(self, finding: Finding, text: str, rules: Sequence[RiskRule]) -> Finding:
        # Against the clause as it stands: what was set apart as an order to the reviewer is evidence, too.
        excerpt = check_excerpt(finding.evidence, text, reranker=self._reranker)
        laws = self._law.check(finding.law, f"{finding.risk} {finding.analysis}") if self._law and finding.law else ()
        return msgspec.structs.replace(finding, rule=_rule_named(finding.risk, rules), excerpt=excerpt, laws=laws)


def _rule_named(risk: str, rules: Sequence[RiskRule]) -> str:
    """The rule whose id the risk mentions, else the one whose whole name it holds; the longest, as one may hold another."""
    mentioned = [rule.id for rule in rules if rule.id in risk]
    named = [rule.id for rule in sorted(rules, key=lambda one: -len(one.name)) if rule.name in risk]
    return next(iter(sorted(mentioned, key=len, reverse=True) or named), "")


def invented(finding: Finding) -> bool:
    """Whether the finding quotes words that the clause does not have."""
    return finding.excerpt is not None and finding.excerpt.status is ExcerptStatus.REJECTED


def without_invented(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those with invented words without them: the point may hold all the same, its proof does not."""
    return [msgspec.structs.replace(one, evidence="") if invented(one) else one for one in findings]


def findings_without_model(
    clause: Clause, text: str, injections: Sequence[Injection], language: str
) -> Iterator[Finding]:
    """What can be told of a clause by looking: orders to its reviewer, and references to what the contract does not have."""
    words = labels(language, "contract").section("review")
    for injection in injections:
        yield Finding(
            risk=words["injection"],
            level=RiskLevel.MEDIUM,
            evidence=injection.text,
            analysis=words["set_apart"],
            kind="prompt_injection",
            excerpt=check_excerpt(injection.text, text),
        )
    for reference in clause.references:
        if reference.target is None:
            yield Finding(
                risk=words["broken"].format(reference.text),
                level=RiskLevel.LOW,
                evidence=reference.text,
                kind="broken_reference",
                excerpt=check_excerpt(reference.text, text),
            )
