"""Sets that ask for documents: how a ranking is read from an answer, and the figures that such sets report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from benchbar.records import ContextPassage, Sample
from benchbar.statistics.numbers import Floats, undefined
from benchbar.suites.readers.official import Answered, Estimates, Mark, averaged_values, f_measure, of_sums
from benchbar.tables.ragas import text_id

Measured = Callable[[Sequence[str], Sample], float | None]
"""From a ranking and the sample it is for to a figure from 0 to 1."""


_NAME = r"[A-Za-z]?\d[\w-]*"
_ONE_WORD = r"\S{1,200}"


def ranking_of(one: Answered, name: str = _NAME) -> list[str] | None:
    """The documents found, best first, each once: the passages' ids, else the names that the answer lists.

    Ids lose a file's ending: ``000123.txt`` and ``000123`` are one document. None where there is no answer, and where no passage
    has an id.
    """
    if one.text is None or without_ids(one):
        return None
    found: Iterable[str] = map(id_of, one.passages) if one.passages else re.findall(name, one.text)
    return list(dict.fromkeys(found_one.removesuffix(".txt") for found_one in found))


def id_of(passage: ContextPassage, form: str = _ONE_WORD) -> str:
    """A passage's id; where it was given as a mere string of the form of an id, that string."""
    words = passage.text.strip()
    return words if _unnamed(passage) and re.fullmatch(form, words) else passage.id


def without_ids(one: Answered, form: str = _ONE_WORD) -> bool:
    """Whether passages were found and all of them are texts that nobody named."""
    return bool(one.passages) and all(_unnamed(each) and id_of(each, form) == each.id for each in one.passages or ())


def _unnamed(passage: ContextPassage) -> bool:
    return passage.id == text_id(passage.text)


TEXTS = "the passages found are texts without ids; give `contexts` as ids, or as objects with `id` and `text`"


def why_foreign(found: Sequence[Iterable[str] | None], answered: Sequence[Answered], wanted: Iterable[str]) -> str:
    """Why rankings say nothing of this set: passages are texts, or no id of any ranking is ``wanted`` by any query; else empty.

    A single ranking without a known id is a bad one and counts as 0: left out, it would raise the mean. Where that holds of all
    queries together, foreign ids are what it looks like.
    """
    # Names that an answer lists were read by the set's own form.
    if not any(one.passages for one in answered):
        return ""
    if all(one is None for one in found):
        return TEXTS
    ids, known = dict.fromkeys(id_ for one in found for id_ in one or ()), dict.fromkeys(wanted)
    if not ids or not known or ids.keys() & known.keys():
        return ""
    return (
        f"none of the {len(ids)} ids found, such as {next(iter(ids))!r}, is relevant to any query, such as {next(iter(known))!r}: "
        "are they ids of this set?"
    )


def ranked(answered: Sequence[Answered], measures: dict[str, Measured], name: str = _NAME) -> Estimates:
    """The mean of each figure over the queries; one without an answer is missing, and foreign ids leave all of them undefined."""
    rankings = [ranking_of(one, name) for one in answered]
    if reason := _why_foreign(rankings, answered):
        return unmeasured(measures, reason, answered)
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


def _why_foreign(rankings: Sequence[list[str] | None], answered: Sequence[Answered]) -> str:
    return why_foreign(rankings, answered, (id_ for one in answered for id_ in one.sample.evidence))


def unmeasured(metrics: Iterable[str], reason: str, answered: Sequence[Answered]) -> Estimates:
    """Each metric without a value, for one reason."""
    return {metric: undefined(reason, method=metric, n_missing=len(answered)) for metric in metrics}


def counted(answered: Sequence[Answered], generator: np.random.Generator, name: str = _NAME) -> Estimates:
    """Precision, recall and F1 over all queries together, as sets of found documents (micro-averages)."""
    statistics = {"precision": _precision, "recall": _recall, "F1": f_measure}
    rankings = [ranking_of(one, name) for one in answered]
    if reason := _why_foreign(rankings, answered):
        return unmeasured(statistics, reason, answered)
    known = [(one, ranking) for one, ranking in zip(answered, rankings, strict=True) if ranking is not None]
    sums = np.array([_counts(ranking, one.sample) for one, ranking in known], dtype=float).reshape(-1, 3)
    return of_sums([one for one, _ in known], sums, statistics, generator, n_missing=len(answered) - len(known))


def _counts(ranking: Sequence[str], sample: Sample) -> tuple[int, int, int]:
    wanted = set(sample.evidence)
    return len(wanted & set(ranking)), len(ranking), len(wanted)


def _precision(sums: Floats) -> Floats:
    return np.asarray(np.where(sums[:, 1] > 0, sums[:, 0] / np.maximum(sums[:, 1], 1), 0.0), dtype=np.float64)


def _recall(sums: Floats) -> Floats:
    return np.asarray(sums[:, 0] / np.maximum(sums[:, 2], 1), dtype=np.float64)


def marked_ranking(one: Answered, measure: Measured, name: str = _NAME) -> Mark:
    """One figure of one ranking; no mark where the passages have no ids."""
    if without_ids(one):
        return Mark(None)
    ranking = ranking_of(one, name) or []
    return Mark(measure(ranking, one.sample), abstained=not ranking)
