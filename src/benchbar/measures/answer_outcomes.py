"""What became of one answer: right, or which kind of error; told without a model where that can be told.

An error of a consultant that answers from passages lies in one of several places, and each is mended elsewhere: the search did not
find the article, the writer did not use what was found, the answer says what the article does not, the article is no longer law, or
the answer should have been silence, or silence an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from benchbar.measures.passages import retrieved_evidence
from benchbar.records import (
    UNANSWERABLE,
    CitationStatus,
    CitedIn,
    ClaimVerdict,
    Dialogue,
    Sample,
)
from benchbar.records.protocols import Documents
from benchbar.scoring.silence import SILENT, Stance, stance_of

_HALF = 0.5
"""Of the judge's answer correctness: below it more of the answer is wrong or wanting than right."""


class Outcome(StrEnum):
    """What became of an answer; each answer has at most one."""

    RIGHT = "right"
    """It rests on evidence: cites it, is not contradicted by it, and no judge found more wrong than right."""
    NOT_RETRIEVED = "not_retrieved"
    """None of the evidence is among its passages, and none is cited."""
    IGNORED = "ignored"
    """Evidence is among its passages, and the answer does not rest on it, or a judge found more wrong than right."""
    CONTRADICTED = "contradicted"
    """An article that it cites contradicts what it says."""
    OUTDATED = "outdated"
    """It cites an article that was not in force on the day of the matter."""
    RIGHTLY_SILENT = "rightly_silent"
    WRONGLY_SILENT = "wrongly_silent"
    WRONGLY_ANSWERED = "wrongly_answered"
    """The question has no answer in the law at hand, and one was given."""


OUTCOMES = tuple(f"outcome_{one}" for one in Outcome)
"""Names of their measures: the share of answers that each became."""


def outcome_measures(
    sample: Sample,
    dialogue: Dialogue,
    cited: Sequence[CitedIn],
    documents: Documents | None,
    judged: Mapping[str, float | None],
) -> dict[str, float | None]:
    """1 for the outcome of one answer and 0 for each other; None for all where it cannot be told.

    Nothing for an answerable question that names no evidence: it is not known what an answer to it should rest on.
    """
    if not sample.evidence and UNANSWERABLE not in sample.tags:
        return {}
    found = outcome(sample, dialogue, cited, documents, judged)
    return {f"outcome_{one}": None if found is None else float(one is found) for one in Outcome}


def outcome(
    sample: Sample,
    dialogue: Dialogue,
    cited: Sequence[CitedIn],
    documents: Documents | None,
    judged: Mapping[str, float | None],
) -> Outcome | None:
    """What became of one answer; None for a failed dialogue, where it is open whether it is silent, or what it read is not known.

    Args:
        sample: the question, with its evidence or the tag ``unanswerable``.
        dialogue: with the passages that the answer rests on.
        cited: the citations of this dialogue, held against the law.
        documents: the law that evidence is looked up in.
        judged: a judge's values of this answer, by measure; empty without one.
    """
    stance = stance_of(dialogue, sample.language)
    if stance is None or stance is Stance.OPEN:
        return None
    if UNANSWERABLE in sample.tags:
        return Outcome.RIGHTLY_SILENT if stance in SILENT else Outcome.WRONGLY_ANSWERED
    if stance in SILENT:
        return Outcome.WRONGLY_SILENT
    citations = [one.citation for one in cited]
    # What is said against an article's own words is graver than which article was found: it comes first.
    if any(one.claim_check and one.claim_check.verdict is ClaimVerdict.CONTRADICTS for one in citations):
        return Outcome.CONTRADICTED
    if any(one.status is CitationStatus.NOT_IN_FORCE for one in citations):
        return Outcome.OUTDATED
    rests = bool(retrieved_evidence(sample, [one.article_id for one in citations if one.article_id], documents))
    correctness = judged.get("answer_correctness")
    if rests:
        return Outcome.IGNORED if correctness is not None and correctness < _HALF else Outcome.RIGHT
    if dialogue.contexts is None:
        return None
    read = retrieved_evidence(sample, [one.id for one in dialogue.contexts], documents)
    return Outcome.IGNORED if read else Outcome.NOT_RETRIEVED
