"""Printed metrics against the confusion matrix that they stand beside."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchbar.audit.attainable import attainable
from benchbar.audit.printed import Certainty, Check, Finding, MetricRecord, Printed, PrintedTable
from benchbar.statistics.classification import f_score, precision, recall
from benchbar.statistics.kappas import kappa_of_tables, similarity
from benchbar.statistics.numbers import Floats
from benchbar.statistics.ordinal import ASYMMETRIC, grave_first

FEWEST_MATCHES = 3
"""Metrics that a smaller matrix must explain before it is named."""
OF_ALL = re.compile(r"accuracy$|^acc$|success|parse_rate|parse rate", re.IGNORECASE)
"""Rates whose denominator is the number of items by their definition."""


class _Definition(NamedTuple):
    """A way to compute a metric from a matrix."""

    name: str
    compute: Callable[[Floats], float | None]


def check_record(record: MetricRecord) -> tuple[list[Finding], int]:
    """What in the record does not fit its matrix, and the number of metrics checked.

    Where several metrics miss the printed matrix and all equal those of a smaller one, of which the printed
    is a multiple, the matrix is reported as rescaled and those metrics are not reported again.
    """
    matrix = np.array(record.matrix, dtype=np.float64)
    known = {name: definitions(name, record.labels) for name in record.metrics}
    known = {name: ways for name, ways in known.items() if ways}
    missed = [name for name in known if _match(record.metrics[name], known[name], matrix) is None]
    smaller = _smaller(record, known, missed, matrix) if len(missed) >= FEWEST_MATCHES else None
    found = []
    if smaller is not None:
        explained = [name for name in missed if _plainly(record.metrics[name], known[name], smaller)]
        found.append(_rescaled(record, matrix, smaller, explained))
        missed = [name for name in missed if name not in explained]
    found.extend(
        _impossible(record, name, matrix) or _mismatch(record, name, known[name], matrix, smaller) for name in missed
    )
    rates = [name for name in record.metrics if OF_ALL.search(name) and "weighted" not in name.lower()]
    found += _denominators(record, rates, smaller)
    found += _success_above_accuracy(record)
    return found, len(known) + len(rates)


def definitions(name: str, labels: tuple[str, ...]) -> list[_Definition]:
    """The ways in which a metric of that name is computed, the documented one first; none where it is
    unknown.
    """
    plain = re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()
    size = len(labels)
    if re.fullmatch(r"acc|accuracy", plain):
        return [_Definition("accuracy", lambda m: float(np.trace(m) / m.sum()))]
    if "weighted acc" in plain or "asymmetric" in plain:
        return _weighted(labels)
    if "kappa" in plain or plain in ("qwk", "lwk"):
        weights = (
            "quadratic"
            if "quad" in plain or plain == "qwk"
            else "linear"
            if "lin" in plain or plain == "lwk"
            else "none"
        )
        return [_Definition(f"{weights} kappa", _kappa(1 - similarity(size, weights)))]  # type: ignore[arg-type]
    for word, values in (("precision", precision), ("recall", recall), ("f1", f_score)):
        if plain in (f"macro {word}", f"{word} macro"):
            return [_Definition(f"macro {word}", _mean_of(values))]
    return _of_class(plain, labels)


def _kappa(distance: Floats) -> Callable[[Floats], float | None]:
    def compute(matrix: Floats) -> float | None:
        value = float(kappa_of_tables(matrix[None], distance)[0])
        return value if np.isfinite(value) else None

    return compute


def _mean_of(values: Callable[[Floats], Floats]) -> Callable[[Floats], float | None]:
    return lambda matrix: float(np.nan_to_num(values(_padded(matrix)))[0].mean())


def _padded(matrix: Floats) -> Floats:
    """With an empty column for what could not be read, as the measures expect."""
    return np.column_stack([matrix, np.zeros(len(matrix))])[None]


def _weighted(labels: tuple[str, ...]) -> list[_Definition]:
    """Asymmetric first, then the symmetric score by distance, whichever end is the grave one."""
    size = len(labels)
    found = []
    if size == len(ASYMMETRIC):
        table = np.array(ASYMMETRIC)
        table = table[::-1, ::-1] if grave_first(labels) else table
        found.append(_Definition("the asymmetric score", lambda m: float((m * table).sum() / m.sum())))
    found.append(
        _Definition(
            "the symmetric score by distance",
            lambda m: float((m * similarity(size, "linear")).sum() / m.sum()),
        )
    )
    return found


def _of_class(plain: str, labels: tuple[str, ...]) -> list[_Definition]:
    """F-beta, precision or recall of a label that the name holds."""
    places = [i for i, label in enumerate(labels) if label.lower() in plain.split()]
    score = re.search(r"\bf ?([0-9])\b", plain)
    if len(places) != 1 or "macro" in plain:
        return []
    place = places[0]
    if score:
        beta = float(score.group(1))
        return [_Definition(f"F{beta:g} of {labels[place]}", _one(lambda m: f_score(m, beta), place))]
    for word, values in (("precision", precision), ("recall", recall)):
        if word in plain:
            return [_Definition(f"{word} of {labels[place]}", _one(values, place))]
    return []


def _one(values: Callable[[Floats], Floats], place: int) -> Callable[[Floats], float | None]:
    def compute(matrix: Floats) -> float | None:
        value = float(values(_padded(matrix))[0, place])
        return value if np.isfinite(value) else 0.0

    return compute


def _match(printed: Printed, ways: list[_Definition], matrix: Floats) -> _Definition | None:
    """The first definition that prints so, as a share or in percent, with a digit cut off or rounded."""
    for way in ways:
        value = way.compute(matrix)
        if value is None:
            return way
        if any(abs(printed.value - scale * value) <= 2 * printed.half for scale in (1.0, 100.0)):
            return way
    return None


def _plainly(printed: Printed, ways: list[_Definition], matrix: Floats) -> bool:
    """Whether the documented definition explains the number."""
    return _match(printed, ways[:1], matrix) is not None


def _smaller(
    record: MetricRecord, known: dict[str, list[_Definition]], missed: list[str], matrix: Floats
) -> Floats | None:
    """The smaller matrix of which the printed is a rounded multiple and that explains most of the missed
    metrics.
    """
    total = matrix.sum()
    best: tuple[int, Floats] | None = None
    for size in range(len(matrix), int(total)):
        small = np.floor(matrix * size / total + 0.5)
        if small.sum() != size or not (np.floor(small * total / size + 0.5) == matrix).all():
            continue
        count = sum(_plainly(record.metrics[name], known[name], small) for name in missed)
        if count >= FEWEST_MATCHES and (best is None or count > best[0]):
            best = (count, small)
    return None if best is None else best[1]


def _rescaled(record: MetricRecord, matrix: Floats, smaller: Floats, explained: list[str]) -> Finding:
    size, total = int(smaller.sum()), int(matrix.sum())
    return _finding(
        record,
        "rescaled_matrix",
        "confusion matrix",
        _written(matrix),
        _written(smaller),
        (
            f"every cell is {total}/{size} times that of a matrix of {size} items, rounded; "
            f"{', '.join(explained)} equal the values of {size} items and not of the printed {total}"
        ),
    )


def _written(matrix: Floats) -> str:
    return "; ".join(" ".join(str(int(cell)) for cell in row) for row in matrix)


def _impossible(record: MetricRecord, name: str, matrix: Floats) -> Finding | None:
    """An F-score above what the matrix's recall allows at any precision, or unlike equal precision and
    recall.
    """
    plain = re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()
    score = re.search(r"\bf ?([0-9])\b", plain)
    places = [i for i, label in enumerate(record.labels) if label.lower() in plain.split()]
    if score is None or len(places) != 1:
        return None
    beta, place, printed = float(score.group(1)), places[0], record.metrics[name]
    found, right = float(recall(_padded(matrix))[0, place]), float(precision(_padded(matrix))[0, place])
    if not (np.isfinite(found) and np.isfinite(right)):
        return None
    value = printed.value / (100 if printed.value > 1 else 1)
    most = (1 + beta**2) * found / (beta**2 + found) if found else 0.0
    true = float(f_score(_padded(matrix), beta)[0, place])
    if value > most + 2 * printed.half:
        text = f"at recall {found:.4f} the largest F{beta:g}, with precision 1, is {most:.4f}"
    # Equal but for rounding.
    elif abs(found - right) < 1e-9 and abs(value - found) > 2 * printed.half:
        text = f"precision and recall are both {found:.4f}, so every F-score is {found:.4f}"
    else:
        return None
    return _finding(record, "impossible_f", name, str(printed), f"{true:.{printed.decimals}f}", text)


def _finding(
    record: MetricRecord,
    check: Check,
    column: str,
    printed: str,
    recomputed: str,
    evidence: str,
    *,
    certainty: Certainty = "certain",
) -> Finding:
    """Of one record, which stands in no table."""
    return Finding(
        check=check,
        table="",
        row=record.name,
        column=column,
        printed=printed,
        recomputed=recomputed,
        evidence=evidence,
        certainty=certainty,
    )


def _mismatch(
    record: MetricRecord, name: str, ways: list[_Definition], matrix: Floats, smaller: Floats | None
) -> Finding:
    printed = record.metrics[name]
    values = [(way.name, way.compute(matrix)) for way in ways]
    text = "; ".join(f"{way} of the printed matrix is {value:.4f}" for way, value in values if value is not None)
    other = None if smaller is None else _match(printed, ways, smaller)
    if other is not None and smaller is not None:
        text += f"; the number is {other.name} of the matrix of {int(smaller.sum())} items"
    elif smaller is not None:
        text += f"; of the matrix of {int(smaller.sum())} items it is {ways[0].compute(smaller):.4f}"
    value = values[0][1]
    return _finding(
        record,
        "metric_against_matrix",
        name,
        str(printed),
        "" if value is None else f"{value:.{printed.decimals}f}",
        text,
    )


def _denominators(record: MetricRecord, rates: list[str], smaller: Floats | None) -> list[Finding]:
    """Rates of all items that are no count of the stated number."""
    if record.total is None:
        return []
    off = [
        name
        for name in rates
        if not attainable(record.metrics[name], record.total, ties_half=False, percent=record.metrics[name].value > 1)
    ]
    if not off:
        return []
    size = None if smaller is None else int(smaller.sum())
    sizes = [size] if size is not None else range(5, record.total)
    fitting = [
        n
        for n in sizes
        if all(attainable(record.metrics[x], n, ties_half=False, percent=record.metrics[x].value > 1) for x in off)
    ]
    named = ", ".join(f"{name} {record.metrics[name]}" for name in off)
    text = f"no count of {record.total} items gives {named}"
    text += f"; counts of {fitting[0]} do" if fitting else ""
    return [
        _finding(record, "denominator", ", ".join(off), str(record.total), str(fitting[0]) if fitting else "", text)
    ]


def _success_above_accuracy(record: MetricRecord) -> list[Finding]:
    """Full success asks for the right label among other things, so it cannot be commoner than the right
    label.
    """
    found = []
    accuracy = next((record.metrics[name] for name in record.metrics if re.fullmatch(r"(?i)acc(uracy)?", name)), None)
    for name, printed in record.metrics.items():
        if accuracy is None or not re.search(r"(?i)success", name):
            continue
        if printed.value > accuracy.value + printed.half + accuracy.half:
            found.append(
                _finding(
                    record,
                    "metric_against_matrix",
                    name,
                    str(printed),
                    f"at most {accuracy}",
                    f"success asks for the right label, and only {accuracy} of the labels are right",
                    certainty="likely",
                )
            )
    return found


def check_f_bounds(table: PrintedTable) -> tuple[list[Finding], int]:
    """F1 beside precision and recall: it never exceeds their mean, for one class or as a macro average."""
    found, checked = [], 0
    for prefix, places in _triples(table.columns).items():
        for row, cells in zip(table.rows, table.cells, strict=True):
            right, missed, score = (cells[place] for place in places)
            if right is None or missed is None or score is None:
                continue
            checked += 1
            most = (right.value + missed.value) / 2
            if score.value > most + score.half + (right.half + missed.half) / 2:
                found.append(
                    Finding(
                        check="impossible_f",
                        table=table.name,
                        row=row,
                        column=table.columns[places[2]],
                        printed=str(score),
                        recomputed=f"at most {most:.{score.decimals}f}",
                        evidence=f"{prefix}precision {right}, recall {missed}: F1 cannot exceed their mean",
                        certainty="certain",
                    )
                )
    return found, checked


def _triples(columns: tuple[str, ...]) -> dict[str, tuple[int, int, int]]:
    """Columns of precision, recall and F1 that share the rest of their name."""
    words = {
        "precision": re.compile(r"(?i)\b(precision|prec|p)\b"),
        "recall": re.compile(r"(?i)\b(recall|rec|r)\b"),
        "f1": re.compile(r"(?i)\b(f-?1(?:-?score)?)\b"),
    }
    found: dict[str, dict[str, int]] = {}
    for place, name in enumerate(columns):
        for word, pattern in words.items():
            text = name.replace("_", " ")
            if pattern.search(text):
                found.setdefault(pattern.sub("", text).strip().lower(), {})[word] = place
    return {
        f"{rest} " if rest else "": (places["precision"], places["recall"], places["f1"])
        for rest, places in found.items()
        if len(places) == len(words)
    }
