"""What an assistant cited in a dialogue, held against the law."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchbar.law.corpus import Corpus
from benchbar.law.resolve import check_citations
from benchbar.records import Citation, CitationStatus, Dialogue, Sample

CitationCheck = Callable[[Sample, Dialogue], tuple[Citation, ...]]

INVENTED = frozenset({CitationStatus.NO_SUCH_LAW, CitationStatus.NO_SUCH_ARTICLE})
UNKNOWN = frozenset({CitationStatus.OUTSIDE_CORPUS, CitationStatus.AMBIGUOUS})
"""The corpus cannot say: neither for nor against the assistant."""


def citation_check(corpus: Corpus) -> CitationCheck:
    """A function from a dialogue to the citations in its replies, each resolved in ``corpus`` on the sample's day."""

    def cited(sample: Sample, dialogue: Dialogue) -> tuple[Citation, ...]:
        replies = (turn.content for turn in dialogue.turns if turn.role == "assistant")
        return tuple(one for reply in replies for one in check_citations(reply, corpus, on=sample.on or ""))

    return cited


def validity(sample: Sample, citations: Iterable[Citation]) -> float | None:
    """The share of citations that stand, among those that the corpus can judge; None where there is none.

    A law that is no longer in force counts against the assistant only where the sample says on which day it matters.
    """
    judged = [one.status for one in citations if one.status not in UNKNOWN]
    bad = INVENTED | ({CitationStatus.NOT_IN_FORCE} if sample.on else set())
    return sum(status not in bad for status in judged) / len(judged) if judged else None


def invented(citations: Iterable[Citation]) -> bool:
    """Whether a law or an article is cited that does not exist."""
    return any(one.status in INVENTED for one in citations)
