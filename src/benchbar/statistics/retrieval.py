"""Measures of a ranking against what should have been found.

Each takes one query and gives a number from 0 to 1, or None where nothing is relevant and the measure is undefined.
Definitions as in trec_eval (Manning, Raghavan and Schütze, 2008, chapter 8); nDCG with linear gain and a logarithm to
base 2 (Järvelin and Kekäläinen, 2002).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2

from benchbar.records import Estimate
from benchbar.statistics.means import mean

Span = tuple[str, int, int]
"""Document, first character, and the character after the last."""
Merged = dict[str, list[tuple[int, int]]]
"""Spans by document, in order, none touching another."""


def recall_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float | None:
    """Share of the relevant documents among the first k."""
    wanted = set(relevant)
    return len(wanted & set(_first(ranking, k))) / len(wanted) if wanted else None


def precision_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float | None:
    """Share of relevant documents among the first k places; places left empty count as wrong."""
    wanted = set(relevant)
    return len(wanted & set(_first(ranking, k))) / k if wanted and k > 0 else None


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str], k: int | None = None) -> float | None:
    """1 divided by the rank of the first relevant document; 0 if none is among the first k (or at all)."""
    wanted = set(relevant)
    if not wanted:
        return None
    return next((1 / rank for rank, document in enumerate(_first(ranking, k), start=1) if document in wanted), 0.0)


def average_precision(ranking: Sequence[str], relevant: Collection[str], k: int | None = None) -> float | None:
    """Precision at the rank of each relevant document, averaged over all relevant ones; one not found adds 0."""
    wanted = set(relevant)
    if not wanted:
        return None
    found, total = 0, 0.0
    for rank, document in enumerate(_first(ranking, k), start=1):
        if document in wanted:
            found += 1
            total += found / rank
    return total / len(wanted)


def normalised_discounted_gain(ranking: Sequence[str], gains: Mapping[str, float], k: int) -> float | None:
    """nDCG@k: the sum of gain / log2(rank + 1) over the first k, divided by the greatest there could be.

    Gains not above 0 count as not relevant.
    """
    best = sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:k]
    if not best:
        return None
    reached = _discounted(max(gains.get(document, 0.0), 0.0) for document in _first(ranking, k))
    return reached / _discounted(best)


def span_precision(retrieved: Iterable[Span], relevant: Iterable[Span]) -> float | None:
    """Share of the retrieved characters that are relevant, each counted once; 0 where nothing was retrieved."""
    found, wanted = _merged(retrieved), _merged(relevant)
    if not wanted:
        return None
    return _common(found, wanted) / max(_characters(found), 1)


def span_recall(retrieved: Iterable[Span], relevant: Iterable[Span]) -> float | None:
    """Share of the relevant characters that were retrieved, each counted once."""
    found, wanted = _merged(retrieved), _merged(relevant)
    return _common(found, wanted) / _characters(wanted) if wanted else None


def averaged(values: Iterable[float | None], *, confidence: float = 0.95) -> Estimate:
    """The mean over queries with its t interval, cut at 0 and 1; queries where a measure is undefined count as missing."""
    return mean(list(values), confidence=confidence, unit="query", low=0.0, high=1.0)


def _first(ranking: Sequence[str], k: int | None) -> list[str]:
    """The first k documents, each counted at its best place."""
    # Several passages of one document take one place: else a document that was cut into many would count
    # many times.
    unique = list(dict.fromkeys(ranking))
    return unique if k is None else unique[:k]


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _merged(spans: Iterable[Span]) -> Merged:
    """Spans by document, those that touch or overlap made one, in order."""
    merged: Merged = {}
    for document, start, end in sorted(span for span in spans if span[2] > span[1]):
        found = merged.setdefault(document, [])
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return merged


def _characters(spans: Merged) -> int:
    return sum(end - start for found in spans.values() for start, end in found)


def _common(one: Merged, other: Merged) -> int:
    return sum(_overlap(spans, other.get(document, [])) for document, spans in one.items())


def _overlap(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> int:
    """Characters in both of two lists of ordered, disjoint spans."""
    total = i = j = 0
    while i < len(one) and j < len(other):
        total += max(0, min(one[i][1], other[j][1]) - max(one[i][0], other[j][0]))
        if one[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return total
