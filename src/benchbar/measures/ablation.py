"""Which part of a system contributes what: variants, balanced samples, paired differences, effects and interactions.

Nothing here knows what the outcomes are of: an outcome is a number for an item under a variant, or None where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

import numpy as np

from benchbar.records import Estimate
from benchbar.records.ablation import Contrast, Variant
from benchbar.records.errors import UserError
from benchbar.statistics import holm, mean, minimum_detectable_effect, sign_flip_test

Item = TypeVar("Item")
Outcomes = Mapping[str, Mapping[str, float | None]]
"""Variant name to item id to outcome."""
MAX_VARIANTS = 512


def grid(factors: Mapping[str, Sequence[Any]], fixed: Mapping[str, Any] | None = None) -> tuple[Variant, ...]:
    """Every combination of the factors' levels, named by the factors that vary.

    Raises:
        UserError: a factor has no levels or one twice, or there are more than 512 combinations.
    """
    for name, levels in factors.items():
        if not levels or len({repr(level) for level in levels}) != len(levels):
            raise UserError(f"grid: {name} = {list(levels)!r}; expected different levels, at least one")
    count = int(np.prod([len(levels) for levels in factors.values()])) if factors else 0
    if not 1 <= count <= MAX_VARIANTS:
        raise UserError(f"grid: {count} combinations; expected 1 to {MAX_VARIANTS}")
    varying = [name for name, levels in factors.items() if len(levels) > 1]
    variants = []
    for levels in product(*factors.values()):
        chosen = dict(zip(factors, levels, strict=True))
        name = ",".join(f"{factor}={_shown(chosen[factor])}" for factor in varying) or "all"
        variants.append(Variant(name=name, switches={**(fixed or {}), **chosen}))
    return tuple(variants)


def _shown(level: Any) -> str:
    return {True: "on", False: "off"}.get(level, str(level)) if isinstance(level, bool) else str(level)


def read_variants(spec: Mapping[str, Any]) -> tuple[Variant, ...]:
    """The variants of a spec: its ``[grid]``, or its ``[variants.NAME]`` tables; ``[fixed]`` holds for all.

    Raises:
        UserError: neither or both are given, or one is no table.
    """
    fixed, listed, factors = spec.get("fixed", {}), spec.get("variants"), spec.get("grid")
    if (listed is None) == (factors is None):
        raise UserError("expected either [grid] or [variants.NAME] tables in the spec, and not both")
    for name, value in (("fixed", fixed), ("variants", listed or {}), ("grid", factors or {})):
        if not isinstance(value, Mapping):
            raise UserError(f"{name}: expected a table, found {type(value).__name__}")
    if factors is not None:
        return grid({name: level if isinstance(level, list) else [level] for name, level in factors.items()}, fixed)
    if not listed:
        raise UserError("[variants] names none")
    return tuple(Variant(name=name, switches={**fixed, **switches}) for name, switches in listed.items())


def balanced_sample(
    items: Sequence[Item], size: int | None, stratum: Callable[[Item], Hashable], generator: np.random.Generator
) -> list[Item]:
    """``size`` items with as equal shares of each stratum as there are, drawn without replacement, in their given order.

    A stratum too small for its share gives all it has, and the others share the rest.

    Raises:
        UserError: fewer items than asked for.
    """
    if size is None or size == len(items):
        return list(items)
    if not 0 < size <= len(items):
        raise UserError(f"a sample of {size} from {len(items)} items cannot be drawn")
    strata: dict[Hashable, list[int]] = {}
    for index, item in enumerate(items):
        strata.setdefault(stratum(item), []).append(index)
    shares = _shares([len(members) for members in strata.values()], size, generator)
    chosen: list[int] = []
    for members, share in zip(strata.values(), shares, strict=True):
        chosen.extend(generator.permutation(members)[:share].tolist())
    return [items[index] for index in sorted(chosen)]


def _shares(sizes: Sequence[int], total: int, generator: np.random.Generator) -> list[int]:
    shares = [0] * len(sizes)
    while left := total - sum(shares):
        room = [index for index, size in enumerate(sizes) if shares[index] < size]
        # Who gets the odd item is drawn: the first stratum would else always be favoured.
        if left < len(room):
            room = generator.permutation(room)[:left].tolist()
        step = max(1, left // len(room))
        for index in room:
            shares[index] += min(step, sizes[index] - shares[index])
    return shares


def paired_differences(
    outcomes: Outcomes,
    generator: np.random.Generator,
    *,
    reference: str | None = None,
    clusters: Mapping[str, Hashable] | None = None,
) -> tuple[Contrast, ...]:
    """Each variant against the reference, or every pair where none is named; Holm over all of them."""
    names = list(outcomes)
    if reference is not None and reference not in outcomes:
        raise UserError(f"reference {reference!r} is no variant; there are {', '.join(names)}")
    # Against one reference there are fewer tests than between all pairs, so Holm's correction costs less
    # power.
    pairs = [(name, reference) for name in names if name != reference] if reference else list(combinations(names, 2))
    values = {f"{one} - {two}": _difference([(outcomes[one], outcomes[two])]) for one, two in pairs}
    return contrasts(values, generator, clusters=clusters)


def main_effects(
    variants: Sequence[Variant],
    outcomes: Outcomes,
    generator: np.random.Generator,
    *,
    clusters: Mapping[str, Hashable] | None = None,
) -> tuple[Contrast, ...]:
    """For each switch, each later level against each earlier one, averaged over all variants alike in everything else."""
    values: dict[str, Mapping[str, float | None]] = {}
    for factor, levels in _levels(variants).items():
        for low, high in combinations(levels, 2):
            pairs = [
                (outcomes[one.name], outcomes[two.name])
                for one in variants
                for two in variants
                if _alike(one, two, {factor}) and _at(one, factor) == high and _at(two, factor) == low
            ]
            if pairs:
                values[f"{factor}: {_shown(high)} - {_shown(low)}"] = _difference(pairs)
    return contrasts(values, generator, clusters=clusters)


def interactions(
    variants: Sequence[Variant],
    outcomes: Outcomes,
    generator: np.random.Generator,
    *,
    clusters: Mapping[str, Hashable] | None = None,
) -> tuple[Contrast, ...]:
    """For each two switches, how much the effect of the one changes with the other, on variants alike in the rest."""
    values: dict[str, Mapping[str, float | None]] = {}
    by_levels = _levels(variants)
    for one, two in combinations(by_levels, 2):
        for (a, b), (c, d) in product(combinations(by_levels[one], 2), combinations(by_levels[two], 2)):
            squares = _squares(variants, one, two, (a, b), (c, d))
            if squares:
                tables = [tuple(outcomes[variant.name] for variant in square) for square in squares]
                values[f"{one}: {_shown(b)} - {_shown(a)}, with {two}: {_shown(d)} - {_shown(c)}"] = _interaction(
                    tables
                )
    return contrasts(values, generator, clusters=clusters)


def contrasts(
    values: Mapping[str, Mapping[str, float | None]],
    generator: np.random.Generator,
    *,
    clusters: Mapping[str, Hashable] | None = None,
) -> tuple[Contrast, ...]:
    """Estimates and tests of named differences per item; items without a difference are missing."""
    tested = {name: _tested(rows, generator, clusters) for name, rows in values.items()}
    adjusted = holm({name: p for name, (_, p, _) in tested.items() if p is not None})
    return tuple(
        Contrast(
            name=name,
            difference=difference,
            p_value=p,
            p_holm=adjusted.get(name),
            detectable=_detectable(difference, len(values)),
            reason=reason,
        )
        for name, (difference, p, reason) in tested.items()
    )


def _tested(
    rows: Mapping[str, float | None], generator: np.random.Generator, clusters: Mapping[str, Hashable] | None
) -> tuple[Estimate, float | None, str]:
    differences = list(rows.values())
    groups = [clusters[item] for item in rows] if clusters else None
    test = sign_flip_test(differences, generator, clusters=groups)
    return mean(differences, clusters=groups), test.p_value, test.reason


def _detectable(difference: Estimate, tests: int) -> float | None:
    """From the standard error, which holds both the spread and the clustering: SD/sqrt(n) is that error."""
    if not difference.standard_error:
        return None
    return minimum_detectable_effect(1, difference.standard_error, tests=max(1, tests))


def _difference(
    pairs: Sequence[tuple[Mapping[str, float | None], Mapping[str, float | None]]],
) -> dict[str, float | None]:
    """Per item the mean of first minus second over the pairs; missing where a pair lacks either."""
    return {item: _mean([_minus(one.get(item), two.get(item)) for one, two in pairs]) for item in pairs[0][0]}


def _interaction(tables: Sequence[tuple[Mapping[str, float | None], ...]]) -> dict[str, float | None]:
    def one(item: str, square: tuple[Mapping[str, float | None], ...]) -> float | None:
        both, first, second, neither = (table.get(item) for table in square)
        return _minus(_minus(both, second), _minus(first, neither))

    return {item: _mean([one(item, square) for square in tables]) for item in tables[0][0]}


def _minus(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one - two


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _levels(variants: Sequence[Variant]) -> dict[str, list[Any]]:
    """The switches that vary, each with its levels in order of first appearance."""
    found: dict[str, list[Any]] = {}
    for variant in variants:
        for factor in variant.switches:
            found.setdefault(factor, [])
    for factor, levels in found.items():
        for variant in variants:
            if _at(variant, factor) not in levels:
                levels.append(_at(variant, factor))
    return {factor: levels for factor, levels in found.items() if len(levels) > 1}


def _at(variant: Variant, factor: str) -> Any:
    return variant.switches.get(factor, "unset")


def _alike(one: Variant, two: Variant, but: set[str]) -> bool:
    factors = (one.switches.keys() | two.switches.keys()) - but
    return all(_at(one, factor) == _at(two, factor) for factor in factors)


def _squares(
    variants: Sequence[Variant], one: str, two: str, first: tuple[Any, Any], second: tuple[Any, Any]
) -> list[tuple[Variant, Variant, Variant, Variant]]:
    """Four variants that differ in two switches alone: both high, first high, second high, neither."""
    squares = []
    for base in variants:
        if _at(base, one) != first[0] or _at(base, two) != second[0]:
            continue
        corners = [
            next(
                (v for v in variants if _at(v, one) == x and _at(v, two) == y and _alike(v, base, {one, two})),
                None,
            )
            for x, y in ((first[1], second[1]), (first[1], second[0]), (first[0], second[1]))
        ]
        both, only_first, only_second = corners
        if both and only_first and only_second:
            squares.append((both, only_first, only_second, base))
    return squares
