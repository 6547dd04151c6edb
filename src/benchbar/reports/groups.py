"""The groups by which a report shows its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from benchbar.records import Category, Cell, RunResults
from benchbar.reports.catalogue import Labels

GROUPINGS = ("task", "level", "scenario")


def labelled(results: RunResults, say: Labels, kind: str) -> dict[str, str]:
    """The groups of a kind (task, level or scenario) with what to call them, in the order of the report."""
    if kind == "task":
        return {id_: f"{id_} {label}" for id_, label in results.tasks.items()}
    return {id_: say.name(kind, id_) for id_ in (results.levels if kind == "level" else results.scenarios)}


def cells(results: RunResults, name: str, kind: str) -> Mapping[str, Cell]:
    """An assistant's cells by group of a kind."""
    one = results.assistants[name]
    return {"task": one.by_task, "level": one.by_level, "scenario": one.by_scenario}[kind]


def categories(results: RunResults) -> list[str]:
    """The guidance categories that occur, the weightiest first."""
    found = {name for one in results.assistants.values() for name in one.coverage}
    return [str(name) for name in Category if name in found]
