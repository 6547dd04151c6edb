"""What the citations of a dialogue, held against the law, say about it."""

from __future__ import annotations

from collections.abc import Iterable

from benchbar.records import Citation, CitationStatus

INVENTED = frozenset({CitationStatus.NO_SUCH_LAW, CitationStatus.NO_SUCH_ARTICLE})
UNKNOWN = frozenset({CitationStatus.OUTSIDE_CORPUS, CitationStatus.AMBIGUOUS})
"""The corpus cannot say: neither for nor against the assistant."""


def validity(citations: Iterable[Citation]) -> float | None:
    """The share of citations that stand on the day of the matter, among those that the corpus can judge, or None."""
    judged = [one.status for one in citations if one.status not in UNKNOWN]
    return sum(status is CitationStatus.VERIFIED for status in judged) / len(judged) if judged else None


def invented(citations: Iterable[Citation]) -> bool:
    """Whether a law or an article is cited that does not exist."""
    return any(one.status in INVENTED for one in citations)
