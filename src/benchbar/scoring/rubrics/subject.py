"""What a rubric is applied to, and what a rule item answers."""

from __future__ import annotations

from dataclasses import dataclass

from benchbar.records import Citation, Dialogue, Reduction, Sample, Score
from benchbar.records.contracts import ClauseReview
from benchbar.scoring.rubrics.trace import Trace


@dataclass(frozen=True)
class Subject:
    """One dialogue, contract review or agent trace, with what is known about it; None where there is none."""

    sample: Sample | None = None
    dialogue: Dialogue | None = None
    scores: tuple[Score, ...] = ()
    """Marks of guidance points, and the judge's grades."""
    citations: tuple[Citation, ...] | None = None
    """None where no law is at hand."""
    reviews: tuple[ClauseReview, ...] | None = None
    trace: Trace | None = None
    reduction: Reduction = "mean"
    """How the marks and grades of several judges become one."""

    @property
    def output(self) -> str:
        """All that the assistant said, or the agent's final output."""
        if self.trace is not None:
            return self.trace.output
        turns = self.dialogue.turns if self.dialogue else ()
        return "\n".join(turn.content for turn in turns if turn.role == "assistant")
