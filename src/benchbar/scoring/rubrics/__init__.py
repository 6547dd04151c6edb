"""Rubrics as files: dimensions that rules decide, that a judge decides, or that both do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.scoring.rubrics.dimension_scores import GRADE, apply, not_asked, overall
    from benchbar.scoring.rubrics.rubric import CONDITIONS, Rubric, bundled, read_rubric
    from benchbar.scoring.rubrics.subject import Subject
    from benchbar.scoring.rubrics.trace import Trace, read_trace

_HOMES = {
    "dimension_scores": ("GRADE", "apply", "not_asked", "overall"),
    "rubric": ("CONDITIONS", "Rubric", "bundled", "read_rubric"),
    "subject": ("Subject",),
    "trace": ("Trace", "read_trace"),
}
"""Module to the names that it defines."""

__all__ = [
    "CONDITIONS",
    "GRADE",
    "Rubric",
    "Subject",
    "Trace",
    "apply",
    "bundled",
    "not_asked",
    "overall",
    "read_rubric",
    "read_trace",
]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
