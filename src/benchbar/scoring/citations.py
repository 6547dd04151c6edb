"""What the citations of a dialogue, held against the law, say about it."""

from __future__ import annotations

from collections.abc import Iterable

from benchbar.records import INVENTED, UNDECIDED, Citation, CitationStatus, ClaimVerdict

_HALF = 0.5


def validity(citations: Iterable[Citation]) -> float | None:
    """The share of citations that stand on the day of the matter, among those that the corpus can judge, or None."""
    judged = [one.status for one in citations if one.status not in UNDECIDED]
    return sum(status is CitationStatus.VERIFIED for status in judged) / len(judged) if judged else None


def invented(citations: Iterable[Citation]) -> bool:
    """Whether a law or an article is cited that is proven not to exist; what is open counts for nothing."""
    return any(one.status in INVENTED for one in citations)


def contradicted(citations: Iterable[Citation]) -> bool:
    """Whether an article is cited for what it is shown to contradict; what is open counts for nothing."""
    return any(one.contradicted for one in citations)


def judged_contradiction(citations: Iterable[Citation]) -> float | None:
    """1 where most of what judges say of some claim is that the cited article contradicts it, else 0.

    None where no judge was asked or all abstained, and where a verdict is missing that might have made it 1.
    """
    judged = ([check for check in one.judged if not check.abstained] for one in citations)
    asked = [checks for checks in judged if checks]
    told = [sum(check.verdict is ClaimVerdict.CONTRADICTS for check in checks) / len(checks) for checks in asked]
    missing = [sum(check.failed for check in checks) / len(checks) for checks in asked]
    if any(share > _HALF for share in told):
        return 1.0
    might = any(share + lost > _HALF for share, lost in zip(told, missing, strict=True))
    return 0.0 if asked and not might else None


def misplaced(citations: Iterable[Citation]) -> bool:
    """Whether real law or a real decision is cited that is no authority here: of another country, court or field."""
    return any(one.authority is not None for one in citations)


def open_citations(citations: Iterable[Citation]) -> int:
    """How many citations the law at hand could not decide on: each may or may not be invented."""
    return sum(one.status in UNDECIDED for one in citations)
