"""What the official metrics of public sets have in common: an answer's mark, and marks as an estimate with an interval.

Each reader of a set with a metric of its own has ``marked`` (of one answer) and ``official`` (of all answers to one task).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from benchbar.records import ContextPassage, Estimate, Sample
from benchbar.statistics import mean, share
from benchbar.suites.clusters import clusters_of

if TYPE_CHECKING:
    import numpy as np

    from benchbar.statistics.numbers import Floats, Integers
    from benchbar.statistics.resampling import Statistic


class Mark(NamedTuple):
    """A set's own mark of one answer."""

    score: float | None
    """From 0 to 1; None where the set leaves the sample out, or marks it by a judge or by hand."""
    abstained: bool = False
    """Nothing that could be marked was said; sets count it as wrong, and LawBench reports its share."""


class Answered(NamedTuple):
    """One sample and what was said of it."""

    sample: Sample
    text: str | None
    """The last reply; None where there is none, which is missing and never wrong."""
    passages: tuple[ContextPassage, ...] | None = None
    """What was found, best first, where the assistant says so."""


Marker = Callable[[Answered], Mark]
Estimates = dict[str, Estimate]
"""Name of a metric to its estimate."""


def averaged(answered: Sequence[Answered], marker: Marker, name: str, *, abstentions: bool = False) -> Estimates:
    """The mean of the marks, clustered where samples share a document; with ``abstentions`` also how many said nothing."""
    marks = [None if one.text is None else marker(one) for one in answered]
    found = {name: averaged_values([mark and mark.score for mark in marks], answered)}
    if abstentions:
        flags = [None if mark is None else mark.abstained for mark in marks]
        found["abstentions"] = share(flags, clusters=clusters(answered))
    return found


def averaged_values(values: Sequence[float | None], answered: Sequence[Answered]) -> Estimate:
    """The mean of one value a sample; rights and wrongs get Wilson's interval, which fits small and extreme shares."""
    together = clusters(answered)
    if all(value in {None, 0.0, 1.0} for value in values):
        return share(values, clusters=together)
    return mean(values, clusters=together, low=0.0, high=1.0)


def clusters(answered: Sequence[Answered]) -> list[str] | None:
    """What each sample shares with others; one that stands alone is a cluster of its own. None where all do."""
    shared = clusters_of(one.sample for one in answered)
    return [shared.get(one.sample.id, f"\n{one.sample.id}") for one in answered] if shared else None


def codes(answered: Sequence[Answered]) -> Integers | None:
    """The same as numbers, for the bootstrap."""
    from benchbar.statistics.numbers import cluster_codes

    names = clusters(answered)
    return None if names is None else cluster_codes(names)


def of_sums(
    answered: Sequence[Answered],
    contributions: Floats,
    statistics: Mapping[str, Statistic],
    generator: np.random.Generator,
    *,
    n_missing: int = 0,
) -> Estimates:
    """Metrics of a whole set, functions of what its samples add up to, each with the interval of the cluster bootstrap."""
    from benchbar.statistics.resampling import bootstrapped

    return {
        name: bootstrapped(contributions, statistic, generator, method=name, codes=codes(answered), n_missing=n_missing)
        for name, statistic in statistics.items()
    }


def f_measure(sums: Floats, beta: float = 1.0) -> Floats:
    """F of rows of (right, given, wanted); 0 where nothing is right, NaN where nothing is given and nothing wanted."""
    import numpy as np

    right, given, wanted = sums[:, 0], sums[:, 1], sums[:, 2]
    below = beta**2 * wanted + given
    found = np.where(below > 0, (1 + beta**2) * right / np.where(below > 0, below, 1), np.nan)
    return np.asarray(found, dtype=np.float64)


def f_of_sets(said: Iterable[str], wanted: Iterable[str], beta: float = 1.0) -> float:
    """F of two sets of labels; 0 where they share none."""
    given, right = set(said), set(wanted)
    common = len(given & right)
    return (1 + beta**2) * common / (beta**2 * len(right) + len(given)) if common else 0.0
