"""What the runs of a judge amount to, and what has to go to people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean, median, stdev
from typing import Literal

from benchbar.records import Layer, Record, Score
from benchbar.scoring.rubrics.dimension_scores import GRADE
from benchbar.scoring.rubrics.rubric import Criterion

SPREAD = 20.0
"""Points between the highest and the lowest run, above which a person looks."""
HUNDRED = 100.0
# Sums of criteria differ in the last digit; 20 points apart are not more than 20.
CLOSE = 1e-9


class Routing(Record, frozen=True):
    """When people have to look."""

    spread: float = SPREAD
    """More points than this between a judge's highest and lowest run."""
    deviations: float | None = None
    """Instead: a standard deviation of the runs above so many times the judge's own typical one."""
    conflict: float = 0.4
    """Rules and judge further apart than this on one dimension."""
    conflict_share: float = 0.05
    """Most of a run's dialogues, as a share, that people see for a conflict alone; of more, so many are drawn by their gaps."""
    budget: int | None = None
    """Most marks that a run may ask for, on average over draws; left out, there is no bound."""
    high_risk: tuple[str, ...] = ()
    """Tasks or tags that always go to people."""
    new: tuple[str, ...] = ()
    """Tasks or tags of what is new."""
    disputed: tuple[str, ...] = ()
    """Samples that were disputed before."""
    audit: float = 0.05
    """Share of all other dialogues that people look at by chance."""
    floor: float = 0.2
    """Part of the audit that is drawn uniformly; the rest in proportion to how doubtful a dialogue is."""
    annotators: int = 1
    """People for each task."""
    double: float = 0.2
    """Share of the tasks that one person more marks."""
    agree: float = 0.15
    """Marks further apart than this need a third person."""
    protocol: Literal["grade", "compare"] = "grade"
    """Whether people grade each dialogue, or hold each candidate's against the reference's: better, tie or worse."""

    def __post_init__(self) -> None:
        """Refuse shares that are none."""
        for name in ("conflict", "conflict_share", "audit", "floor", "double", "agree"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} {getattr(self, name)}; expected a share from 0 to 1")
        if self.budget is not None and self.budget < 1:
            raise ValueError(f"budget {self.budget}; expected at least 1 mark")
        if self.annotators < 1 or not 0 <= self.spread <= HUNDRED:
            raise ValueError("annotators must be at least 1, spread from 0 to 100")


class Runs(Record, frozen=True):
    """All runs of one judge, or of a panel, on one dialogue, in points of 100."""

    grades: tuple[float, ...]
    unread: int = 0
    """Runs without a grade that could be read, however often they were asked again."""

    @property
    def median(self) -> float | None:
        """For display and routing."""
        return median(self.grades) if self.grades else None

    @property
    def mean(self) -> float | None:
        """For aggregates: the median of three has 74% of the mean's efficiency."""
        return fmean(self.grades) if self.grades else None

    @property
    def spread(self) -> float | None:
        """Highest less lowest."""
        return max(self.grades) - min(self.grades) if self.grades else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the runs."""
        return stdev(self.grades) if len(self.grades) > 1 else None


def runs_of(scores: Iterable[Score], criteria: Mapping[str, Criterion]) -> dict[tuple[str, str], Runs]:
    """Sample and assistant to the runs of all judges, each the sum of its criteria's points."""
    found: dict[tuple[str, str], dict[tuple[str, int], list[Score]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        if score.layer is Layer.LLM and score.dimension.startswith(GRADE):
            # By judge and repeat: one judge of a panel that sees it otherwise is a spread of runs as well.
            found[score.sample, score.assistant][score.scorer, score.repeat].append(score)
    return {key: _runs([by_run[run] for run in sorted(by_run)], criteria) for key, by_run in found.items()}


def _runs(runs: list[list[Score]], criteria: Mapping[str, Criterion]) -> Runs:
    grades = [grade for run in runs if (grade := _grade(run, criteria)) is not None]
    return Runs(grades=tuple(grades), unread=len(runs) - len(grades))


def _grade(run: list[Score], criteria: Mapping[str, Criterion]) -> float | None:
    points = {score.dimension.removeprefix(GRADE): score.value for score in run}
    values = [points.get(name) for name in criteria]
    # A criterion without points is not zero points; the run counts as unread.
    if any(value is None for value in values):
        return None
    whole = sum(one.points for one in criteria.values())
    gained = sum(one.points * (points[name] or 0.0) for name, one in criteria.items())
    return HUNDRED * gained / whole


def disagrees(runs: Runs, routing: Routing, typical: float | None = None) -> bool:
    """Whether a judge's runs are too far apart to be believed, or were not all read.

    ``typical`` is the judge's own standard deviation over all dialogues, for the rule by deviations.
    """
    # What a judge could not say three times is what a person should look at.
    if runs.unread or not runs.grades:
        return True
    if routing.deviations is not None and typical is not None and runs.deviation is not None:
        return runs.deviation > routing.deviations * typical + CLOSE
    return (runs.spread or 0.0) > routing.spread + CLOSE


def typical_deviation(runs: Iterable[Runs]) -> float | None:
    """The judge's own noise: the root of the pooled variance of its runs."""
    known = [one for one in runs if one.deviation is not None]
    degrees = sum(len(one.grades) - 1 for one in known)
    if not degrees:
        return None
    # Variances are pooled, weighed by degrees of freedom: a mean of deviations of two or three runs is biased
    # downwards.
    total = sum((len(one.grades) - 1) * (one.deviation or 0.0) ** 2 for one in known)
    return float((total / degrees) ** 0.5)
