"""Judge models: two dialogues compared, points marked one by one, a dialogue graded by criteria, the simulated user checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.scoring.judges.checklist import Checklist
    from benchbar.scoring.judges.fidelity import Fidelity
    from benchbar.scoring.judges.grade import Grade
    from benchbar.scoring.judges.pairwise import Pairwise

_HOMES = {
    "checklist": ("Checklist",),
    "fidelity": ("Fidelity",),
    "grade": ("Grade",),
    "pairwise": ("Pairwise",),
}
"""Module to the names that it defines."""

__all__ = ["Checklist", "Fidelity", "Grade", "Pairwise"]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
