"""A rubric: dimensions with weights, rule items, what the judge is asked, and the bars a release has to clear."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchbar.records import DimensionBar, Record
from benchbar.records.base import converted
from benchbar.records.errors import BadInputError, UnknownNameError
from benchbar.records.toml import read_toml
from benchbar.scoring.rubrics.conditions import CONDITIONS as PLAIN
from benchbar.scoring.rubrics.conditions import Condition, parameters_of
from benchbar.scoring.rubrics.trace_conditions import CONDITIONS as OF_TRACES

CONDITIONS: dict[str, Condition] = PLAIN | OF_TRACES
RENAMED = {"citations_supported": "citations_on_topic"}
"""Former names: rubrics of stored runs have them, and go on working."""
Mode = Literal["rule_only", "rule_plus_llm", "llm_only", "composite"]
# Decimal weights miss their sum by rounding.
SLACK = 1e-6
"""Weights add up to 1 within so much."""
# Deeper than anybody reads; a circle through many files should end before Python's own limit.
DEPTH = 8
"""Rubrics that build on each other at most."""


class Criterion(Record, frozen=True):
    """One of the judge's written criteria."""

    points: float
    """Of the 100 that all criteria share."""
    text: dict[str, str]
    """Language to wording."""


class Item(Record, frozen=True):
    """A rule item: a condition with its parameters, and its weight in the dimension."""

    id: str
    weight: float
    condition: str
    parameters: dict[str, Any] = {}
    needed: bool = False
    """Whether the dimension abstains while this is open, whatever else was decided; not where it does not apply."""


class Dimension(Record, frozen=True):
    """One dimension of quality."""

    mode: Mode
    weight: float = 1.0
    """In the overall value; the weights of all dimensions that are no part of another add up to 1."""
    core: bool = False
    """A release fails where it fails."""
    at_least: float | None = None
    veto_below: float | None = None
    items: tuple[Item, ...] = ()
    judge: tuple[str, ...] = ()
    """Criteria of the judge that count for it; all of them where none are named."""
    judge_weight: float = 0.0
    """The judge's share beside the rule items (``rule_plus_llm``)."""
    parts: dict[str, float] = {}
    """Other dimensions and their weights (``composite``)."""


class Rubric(Record, frozen=True):
    """All dimensions for one kind of work."""

    name: str
    subject: Literal["dialogue", "contract", "trace"]
    dimensions: dict[str, Dimension]
    description: str = ""
    extends: str = ""
    """Name of a bundled rubric, or a file beside this one, whose dimensions and criteria are taken over first."""
    criteria: dict[str, Criterion] = {}
    minimum_decided: float = 0.5
    """Share of a dimension's weight, and of the overall weight, below which nothing is said."""

    def part_of_another(self) -> set[str]:
        """Dimensions that count only through a composite one."""
        return {part for dimension in self.dimensions.values() for part in dimension.parts}

    def bars(self) -> dict[str, DimensionBar]:
        """What each dimension asks of a release."""
        return {
            name: DimensionBar(weight=one.weight, core=one.core, at_least=one.at_least, veto_below=one.veto_below)
            for name, one in self.dimensions.items()
        }


def bundled() -> list[str]:
    """Names of the rubrics that come with the package."""
    folder = files(__package__) / "data"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def read_rubric(name: str, base: Path | None = None) -> Rubric:
    """The bundled rubric of that name, or the one in a TOML file relative to ``base``.

    Raises:
        UnknownNameError: there is neither.
        BadInputError: the file is no TOML; a field is missing, unknown or out of range; weights do not add up; a
            condition or dimension is unknown; dimensions or files build on each other in a circle.
    """
    rubric, place = _read(name, base or Path(), ())
    _check(rubric, place)
    return rubric


def _read(name: str, base: Path, seen: tuple[str, ...]) -> tuple[Rubric, str]:
    given, folder, place = _table(name, base)
    if place in seen or len(seen) > DEPTH:
        raise BadInputError(f"rubrics build on each other in a circle: {' -> '.join([*seen, place])}", file=place)
    if extended := given.get("extends"):
        below, _ = _read(str(extended), folder, (*seen, place))
        old = msgspec.to_builtins(below)
        for table in ("dimensions", "criteria"):
            given[table] = {**old[table], **given.get(table, {})}
        # Name and description are the new rubric's own.
        given = {"subject": old["subject"], "minimum_decided": old["minimum_decided"], **given}
    return converted({"name": Path(place).stem, **given}, Rubric, file=place), place


def _table(name: str, base: Path) -> tuple[dict[str, Any], Path, str]:
    path = base / name
    if name.endswith(".toml"):
        return read_toml(path, dict[str, Any]), path.parent, str(path)
    if name in bundled():
        own = files(__package__) / "data" / f"{name}.toml"
        return read_toml(own, dict[str, Any]), Path(), own.name
    raise UnknownNameError("rubric", name, [*bundled(), "or a file FILE.toml"])


def _check(rubric: Rubric, place: str) -> None:
    """Refuse what cannot be scored."""
    if not rubric.dimensions:
        raise BadInputError("a rubric needs at least one dimension", file=place, field="dimensions")
    for name, dimension in rubric.dimensions.items():
        _check_dimension(rubric, dimension, place, f"dimensions.{name}")
        _check_circle(rubric, name, place, ())
    inside = rubric.part_of_another()
    _adds_up([one.weight for name, one in rubric.dimensions.items() if name not in inside], place, "dimensions")
    if rubric.criteria:
        _adds_up([one.points / 100 for one in rubric.criteria.values()], place, "criteria", unit=100)
    if not 0 <= rubric.minimum_decided <= 1:
        raise BadInputError(f"{rubric.minimum_decided}; expected a share", file=place, field="minimum_decided")


def _check_dimension(rubric: Rubric, dimension: Dimension, place: str, field: str) -> None:
    for bar in (dimension.at_least, dimension.veto_below):
        if bar is not None and not 0 <= bar <= 1:
            raise BadInputError(f"threshold {bar}; expected a number from 0 to 1", file=place, field=field)
    if unknown := [one for one in dimension.judge if one not in rubric.criteria]:
        known = ", ".join(rubric.criteria) or "none"
        raise BadInputError(
            f"unknown criterion {', '.join(unknown)}; known: {known}", file=place, field=f"{field}.judge"
        )
    fits = {
        "rule_only": dimension.items and not dimension.judge_weight and not dimension.parts,
        "rule_plus_llm": dimension.items and not dimension.parts,
        "llm_only": not dimension.items and not dimension.parts,
        "composite": dimension.parts and not dimension.items,
    }
    if not fits[dimension.mode]:
        needs = {
            "rule_only": "rule items alone",
            "rule_plus_llm": "rule items, and may have judge_weight",
            "llm_only": "no rule items",
            "composite": "parts and no rule items",
        }
        raise BadInputError(f"mode {dimension.mode} has {needs[dimension.mode]}", file=place, field=field)
    if dimension.mode.startswith("rule"):
        _adds_up([dimension.judge_weight, *(item.weight for item in dimension.items)], place, f"{field}.items")
    if dimension.mode == "composite":
        _adds_up(list(dimension.parts.values()), place, f"{field}.parts")
    for item in dimension.items:
        _check_item(item, place, f"{field}.items.{item.id}")


def condition_of(item: Item) -> Condition:
    """The condition that a rule item names, by its name of today or a former one."""
    return CONDITIONS[RENAMED.get(item.condition, item.condition)]


def _check_item(item: Item, place: str, field: str) -> None:
    if RENAMED.get(item.condition, item.condition) not in CONDITIONS:
        known = ", ".join(sorted(CONDITIONS))
        raise BadInputError(f"unknown condition {item.condition!r}; known: {known}", file=place, field=field)
    try:
        parameters_of(condition_of(item), item.parameters)
    except msgspec.ValidationError as error:
        raise BadInputError(f"condition {item.condition}: {error}", file=place, field=field) from error


def _check_circle(rubric: Rubric, name: str, place: str, above: tuple[str, ...]) -> None:
    if name in above:
        raise BadInputError(f"dimensions in a circle: {' -> '.join([*above, name])}", file=place, field="dimensions")
    for part in rubric.dimensions[name].parts:
        if part not in rubric.dimensions:
            known = ", ".join(rubric.dimensions)
            raise BadInputError(f"unknown dimension {part!r}; known: {known}", file=place, field=f"dimensions.{name}")
        _check_circle(rubric, part, place, (*above, name))


def _adds_up(weights: list[float], place: str, field: str, *, unit: int = 1) -> None:
    if any(weight < 0 for weight in weights):
        raise BadInputError("a weight is below 0", file=place, field=field)
    if abs(sum(weights) - 1) > SLACK:
        raise BadInputError(f"weights add up to {sum(weights) * unit:g}; expected {unit}", file=place, field=field)
