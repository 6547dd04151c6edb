"""Answers from retrieved passages, measured by the definitions of RAGAS (Es et al., 2024) with a judge model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.scoring.rag.judge import RagJudge
    from benchbar.scoring.rag.similarity import Similarity, TermSimilarity

_HOMES = {
    "judge": ("RagJudge",),
    "similarity": ("Similarity", "TermSimilarity"),
}
"""Module to the names that it defines."""

__all__ = ["RagJudge", "Similarity", "TermSimilarity"]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
