"""What is kept of another program's evaluation: answers with their scores, and the figures it published."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchbar.records import Problem, Record

PAIRWISE = "win_rate"
"""The measure of logs that compare two answers: 1 where the model's is preferred, a half for a tie."""


class LoggedAnswer(Record, frozen=True, kw_only=True):
    """One answer (of one model, to one question, in one repeat) and what was said of it."""

    sample: str
    """The question, or what stands for it; repeats of one question share it."""
    model: str
    task: str = ""
    judge: str = ""
    """Who scored it, where the log names one for the row."""
    repeat: int = 0
    identity: str = ""
    """What the program tells its rows apart by: two rows with the same one are one row written twice."""
    cluster: str = ""
    """What samples share that makes their scores alike; empty where that is the sample itself."""
    question: str = ""
    answer: str = ""
    reference: str = ""
    """The right answer, as the log has it."""
    opponent: str = ""
    """The answer that this one was compared with; empty in logs that compare nothing."""
    output: str = ""
    """Folder of the work product, where the answer is files."""
    deliverables: tuple[str, ...] = ()
    """Names of those files that the criterion is about; empty where it is about all of them."""
    fields: dict[str, str] = {}
    """Further texts that the log keeps with the answer, by the names that its author gave them."""
    scores: dict[str, float | None] = {}
    """Measure to value; None where the program gave none."""
    missing: dict[str, str] = {}
    """Measure to why there is no value."""
    at: float | None = None
    """When the answer was given, in seconds since 1970; None where the log does not say it."""
    error: str = ""
    """The type of the error that the call ended in, where the log says that it failed."""
    criteria: dict[str, str] = {}
    """Measure to the words by which it was judged, where the log has them."""
    line: int | None = None

    @property
    def group(self) -> str:
        """What its scores are clustered by."""
        return self.cluster or self.sample


class PublishedFigure(Record, frozen=True, kw_only=True):
    """A figure that the program printed or stored."""

    measure: str
    model: str = ""
    task: str = ""
    judge: str = ""
    value: float
    """On the scale of the rows' own values."""
    printed: str = ""
    """As it stood in the file."""
    tolerance: float = 1e-9
    """How far a right figure may lie from the exact one: half a unit of the last digit where it was rounded."""
    n: int | None = None
    standard_error: float | None = None
    statistic: str = "mean"
    """``mean``, or the name of another statistic, which is shown and not recomputed."""
    place: str = ""
    """File and field."""


class Miscount(NamedTuple):
    """A count that a file states, beside what its own rows give."""

    place: str
    what: str
    stated: str
    counted: str


@dataclass
class EvaluationLog:
    """What one file or folder holds."""

    path: Path
    program: str
    form: str
    """What the file is to its program, such as ``reviews`` or ``leaderboard``."""
    version: str = ""
    answers: list[LoggedAnswer] = field(default_factory=list)
    figures: list[PublishedFigure] = field(default_factory=list)
    miscounts: list[Miscount] = field(default_factory=list)
    judges: tuple[str, ...] = ()
    ignored: dict[str, int] = field(default_factory=dict)
    """What was seen and not used, with how often."""
    problems: list[Problem] = field(default_factory=list)

    def ignore(self, what: str) -> None:
        """Count something that is not used."""
        self.ignored[what] = self.ignored.get(what, 0) + 1

    def problem(self, message: str, *, line: int | None = None, field: str | None = None) -> None:
        """Note what is wrong with a row."""
        self.problems.append(Problem(file=str(self.path), line=line, field=field, message=message))

    def understood(self) -> str:
        """Format, version and numbers in one line, for people."""
        models = sorted(({one.model for one in self.answers} | {one.model for one in self.figures}) - {""})
        measures = sorted({name for one in self.answers for name in one.scores})
        samples = len({(one.task, one.sample) for one in self.answers})
        parts = [
            f"{self.program} {self.form}" + (f" (version {self.version})" if self.version else ""),
            f"{len(self.answers)} rows, {samples} samples" if self.answers else "",
            f"models {_named(models)}" if models else "",
            f"scores {_named(measures)}" if measures else "",
            f"{len(self.figures)} published figures" if self.figures else "",
            f"judged by {_named(self.judges)}" if self.judges else "",
        ]
        return "; ".join(part for part in parts if part)


SHOWN = 6


def _named(names: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
