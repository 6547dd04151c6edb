"""Whether a change makes a clause worse: both versions are reviewed alike, and the two reviews compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from benchbar.contracts.clauses import clauses as split_clauses
from benchbar.contracts.consistency import clause_findings
from benchbar.contracts.paragraphs import ContractSource
from benchbar.contracts.redlines.changes import ClauseChange, Verdict
from benchbar.contracts.reviewer import ContractReviewer, with_findings
from benchbar.records.contracts import ClauseReview, ReviewStatus, RiskLevel


async def judged(
    changes: Sequence[ClauseChange],
    before: ContractSource,
    reviews: Mapping[str, ClauseReview],
    reviewer: ContractReviewer,
    *,
    contract_type: str | None,
    language: str,
    by_rule: bool,
    concurrency: int = 8,
) -> tuple[ClauseChange, ...]:
    """The changes with their verdicts; ``reviews`` are those of the later version, the earlier one is reviewed here.

    With ``by_rule`` findings are told apart by name, too. A model names the same risk differently each time, so that of its
    reviews only the levels are compared.
    """
    wanted = {one.was for one in changes if one.was and one.kind != "moved"}
    old = [clause for clause in split_clauses(before) if clause.id in wanted]
    found = await reviewer.review_all(old, contract_type, language=language, concurrency=concurrency)
    # What a clause contradicts in itself belongs to both versions: a change is to blame for what only the later one has.
    earlier = {
        review.clause: with_findings(review, tuple(clause_findings(clause, language)))
        for clause, review in zip(old, found, strict=True)
    }
    return tuple(_judged(one, earlier.get(one.was), reviews.get(one.clause), by_rule=by_rule) for one in changes)


def _judged(change: ClauseChange, was: ClauseReview | None, now: ClauseReview | None, *, by_rule: bool) -> ClauseChange:
    if change.kind == "moved":
        return change
    unread = {ReviewStatus.UNPARSED, ReviewStatus.FAILED}
    if any(review is not None and review.status in unread for review in (was, now)):
        return msgspec.structs.replace(change, verdict="unread")
    before, after = _risks(was), _risks(now)
    new, gone = (tuple(sorted(one)) for one in (after - before, before - after))
    rise = _rank(now) - _rank(was)
    return msgspec.structs.replace(
        change,
        level_before=was.level if was else None,
        level_after=now.level if now else None,
        new=new if by_rule else (),
        gone=gone if by_rule else (),
        verdict=_verdict(change, rise, named=(bool(new), bool(gone)) if by_rule else (False, False)),
    )


def _verdict(change: ClauseChange, rise: int, named: tuple[bool, bool]) -> Verdict:
    if rise > 0 or named == (True, False):
        return "worse"
    # A clause that is gone takes its protection with it, which no review of what is left can see.
    if change.kind != "removed" and (rise < 0 or named == (False, True)):
        return "better"
    return "turned" if change.turned or any(named) or change.kind in ("added", "removed") else "wording"


def _risks(review: ClauseReview | None) -> set[str]:
    found = review.findings if review else ()
    return {one.risk for one in found if one.level is not RiskLevel.LOW and one.kind in ("risk", "inconsistency")}


def _rank(review: ClauseReview | None) -> int:
    """What was not examined is not above "no risk found": that a check had nothing to say makes no clause better or worse."""
    return review.level.rank if review is not None and review.level is not None else 0
