"""Terms and amounts in the guidance of the bundled jurisdictions that follow from a formula of their acts.

``computations.jsonl`` in a suite's folder names, for each, the sample, the formula, its inputs, the unit and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor
from pathlib import Path

import msgspec

from benchbar.records import Suite

FILE = "computations.jsonl"
_SLACK = 1e-6
"""What rounding of floats may cost."""


class Computation(msgspec.Struct, forbid_unknown_fields=True):
    """One computed result."""

    sample: str
    formula: str
    inputs: dict[str, object]
    unit: str
    result: float


def property_crime(
    crime: str, amount: float, percent: list[int], *, lowered: float = 1, below_minimum: bool = False
) -> float:
    """Months of imprisonment by articles 1, 2, 7 to 12 of the interpretation on property crime."""
    large, huge, step = (3000 * lowered, 60_000, 3000) if crime == "theft" else (4000 * lowered, 80_000, 4000)
    grave = amount >= huge
    base = 26 + 2 * floor((amount - huge) / 15_000) if grave else 4 + floor((amount - large) / step)
    months = floor(round(base * (100 + max(sum(percent), -60)) / 100, 6))
    return max(months, 24) if grave and not below_minimum else months


def drunk_driving(alcohol: float, circumstances: int) -> float:
    """Months by articles 5 and 6 of the interpretation on traffic crime; alcohol in mg per 100 ml."""
    return min(2 + max(0, floor((alcohol - 110) / 30)) + circumstances, 8)


def severance(years: int, months: int, wage: float, multiple: float) -> float:
    """Compensation by articles 30 and 31 of the act on labour contracts."""
    # Article 30: six months count as a year, fewer as half of one, and 15 years are the most.
    return min(years + (1 if months >= 6 else 0.5 if months else 0), 15) * wage * multiple


def stepped_term(start: float, amount: float, above: float, step: float, months: float, shares: list[float]) -> float:
    """Months from a start, so many more for each full step of the amount above a bound, changed by shares of the sum.

    Sections 2 to 11 of Ardmere's Sentencing Act 2023; articles 3, 5 and 26 to 31 of Belovodye's criminal code.
    """
    term = start + months * floor((amount - above) / step)
    return floor(round(term * (1 + sum(shares)), 4))


def sum_of_products(terms: list[list[float]]) -> float:
    """Several amounts, each times its rates, added up."""
    return sum(product(factors) for factors in terms)


def product(factors: list[float]) -> float:
    """Amount times rate."""
    result = 1.0
    for factor in factors:
        result *= factor
    return result


FORMULAS: dict[str, Callable[..., float]] = {
    "property_crime": property_crime,
    "drunk_driving": drunk_driving,
    "severance": severance,
    "stepped_term": stepped_term,
    "sum_of_products": sum_of_products,
    "product": product,
    "traffic_death": lambda start, percent: floor(round(start * (100 + sum(percent)) / 100, 6)),
    "shared_after_limit": lambda loss, limit, share: (loss - limit) * share,
    "overtime": lambda wage, multiple, hours: wage / 174 * multiple * hours,
    "unwritten_contract": lambda months_worked, wage: min(months_worked - 1, 9) * wage * 0.5,
    "late_fine": lambda fine, days_late: min(fine * 0.02 * days_late, fine),
    "late_deposit": lambda deposit, days_after_end: min(deposit * 0.001 * (days_after_end - 14), deposit),
    "difference": lambda **of: of["from"] - of["less"],
}


def amounts(folder: Path, suite: Suite) -> Iterator[tuple[str, str]]:
    """Sample and message for each result that differs from its formula, or that no guidance point holds."""
    path = folder / FILE
    by_id = {sample.id: sample for sample in suite.samples}
    for line in path.read_bytes().splitlines() if path.exists() else []:
        row = msgspec.json.decode(line, type=Computation)
        if row.formula not in FORMULAS or row.sample not in by_id:
            yield row.sample, f"{FILE} names the formula {row.formula!r} or a sample that is not there"
            continue
        computed = FORMULAS[row.formula](**row.inputs)
        if abs(computed - row.result) > _SLACK:
            yield row.sample, f"{row.formula}: computed {computed}, written {row.result}"
        held = [point for point in by_id[row.sample].guidance.points if point.unit == row.unit]
        if not any(point.low is not None and point.low <= row.result <= (point.high or 0) for point in held):
            yield row.sample, f"{row.formula}: no guidance point holds {row.result} {row.unit}"
