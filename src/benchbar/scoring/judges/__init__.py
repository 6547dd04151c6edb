"""Judge models: dialogues compared, points marked, grades by criteria, the simulated user checked, claims held against articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.scoring.judges.checklist import Checklist
    from benchbar.scoring.judges.fidelity import Fidelity
    from benchbar.scoring.judges.grade import Grade
    from benchbar.scoring.judges.pairwise import Pairwise
    from benchbar.scoring.judges.support import Support

_HOMES = {
    "checklist": ("Checklist",),
    "fidelity": ("Fidelity",),
    "grade": ("Grade",),
    "pairwise": ("Pairwise",),
    "support": ("Support",),
}
"""Module to the names that it defines."""

__all__ = ["Checklist", "Fidelity", "Grade", "Pairwise", "Support"]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
