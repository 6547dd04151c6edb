"""Sets that ask for documents: how a ranking is read from an answer, and the figures that such sets report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from benchbar.records import Sample
from benchbar.statistics.numbers import Floats
from benchbar.suites.readers.official import Answered, Estimates, averaged_values, f_measure, of_sums

Measured = Callable[[Sequence[str], Sample], float | None]
"""From a ranking and the sample it is for to a figure from 0 to 1."""


def ranking_of(one: Answered, name: str = r"[A-Za-z]?\d[\w-]*") -> list[str] | None:
    """The documents found, best first, each once: the passages' ids, else the names that the answer lists.

    Ids lose a file's ending: ``000123.txt`` and ``000123`` are one document. None where there is no answer.
    """
    if one.text is None:
        return None
    found: Iterable[str] = (
        (passage.id for passage in one.passages or ()) if one.passages else re.findall(name, one.text)
    )
    return list(dict.fromkeys(found_one.removesuffix(".txt") for found_one in found))


def ranked(answered: Sequence[Answered], measures: dict[str, Measured], name: str = r"[A-Za-z]?\d[\w-]*") -> Estimates:
    """The mean of each figure over the queries; one without an answer is missing."""
    rankings = [ranking_of(one, name) for one in answered]
    return {
        metric: averaged_values(
            [
                None if ranking is None else measure(ranking, one.sample)
                for ranking, one in zip(rankings, answered, strict=True)
            ],
            answered,
        )
        for metric, measure in measures.items()
    }


def counted(
    answered: Sequence[Answered], generator: np.random.Generator, name: str = r"[A-Za-z]?\d[\w-]*"
) -> Estimates:
    """Precision, recall and F1 over all queries together, as sets of found documents (micro-averages)."""
    known = [one for one in answered if one.text is not None]
    sums = np.array([_counts(ranking_of(one, name) or [], one.sample) for one in known], dtype=float).reshape(-1, 3)
    statistics = {"precision": _precision, "recall": _recall, "F1": f_measure}
    return of_sums(known, sums, statistics, generator, n_missing=len(answered) - len(known))


def _counts(ranking: Sequence[str], sample: Sample) -> tuple[int, int, int]:
    wanted = set(sample.evidence)
    return len(wanted & set(ranking)), len(ranking), len(wanted)


def _precision(sums: Floats) -> Floats:
    return np.asarray(np.where(sums[:, 1] > 0, sums[:, 0] / np.maximum(sums[:, 1], 1), 0.0), dtype=np.float64)


def _recall(sums: Floats) -> Floats:
    return np.asarray(sums[:, 0] / np.maximum(sums[:, 2], 1), dtype=np.float64)
