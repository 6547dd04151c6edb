"""Whether a proposal takes away what its finding accuses: the clause is reviewed again as it would stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from benchbar.contracts.consistency import clause_findings
from benchbar.contracts.redlines.proposals import Proposal
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.records.contracts import Clause, ClauseReview, Finding, RiskLevel


async def reread(
    found: Sequence[Proposal],
    clauses: Sequence[Clause],
    reviews: Mapping[str, ClauseReview],
    reviewer: ContractReviewer,
    *,
    contract_type: str | None,
    language: str,
) -> tuple[Proposal, ...]:
    """The proposals, refused as ``stands`` where the same reviewer still names the same risk above low, and as ``contradicts`` where the clause
    would then contradict itself.

    For reviewers without a model, who say the same of the same words. What a rule or playbook wants written, its owner chose for it.
    """
    by_id = {clause.id: clause for clause in clauses}
    wanted = [one for one in found if not one.refused and _is_general(_finding(one, reviews))]
    mended = [_mended(by_id[one.clause], one) for one in wanted]
    again = await reviewer.review_all(mended, contract_type, language=language)
    standing = {
        (one.clause, one.finding)
        for one, review in zip(wanted, again, strict=True)
        if any(new.risk == _finding(one, reviews).risk and new.level is not RiskLevel.LOW for new in review.findings)
    }
    return tuple(
        msgspec.structs.replace(one, refused="stands")
        if (one.clause, one.finding) in standing
        else msgspec.structs.replace(one, refused="contradicts")
        if not one.refused and _contradicts(by_id[one.clause], one, language)
        else one
        for one in found
    )


def _contradicts(clause: Clause, one: Proposal, language: str) -> bool:
    """Whether the clause would say two things that do not agree: twenty years, and the dates of twenty-five."""
    before, after = (
        {finding.risk for finding in clause_findings(each, language)} for each in (clause, _mended(clause, one))
    )
    return not after <= before


def _is_general(finding: Finding) -> bool:
    return finding.kind == "risk" and not finding.rule


def _finding(one: Proposal, reviews: Mapping[str, ClauseReview]) -> Finding:
    return reviews[one.clause].findings[one.finding]


def _mended(clause: Clause, one: Proposal) -> Clause:
    start, end = one.start - clause.start, one.end - clause.start
    return msgspec.structs.replace(clause, text=clause.text[:start] + one.after + clause.text[end:])
