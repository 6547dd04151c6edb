"""What the reviewer wants to know of the law: the articles that rules rest on, and whether a citation holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from benchbar.records.contracts import LawCheck


class LawBook(Protocol):
    """The law as the reviewer sees it."""

    def passages(self, citations: Sequence[str], about: str) -> tuple[str, ...]:
        """The articles cited, each as name and text, those nearest to the clause first."""
        ...

    def check(self, cited: str, point: str) -> tuple[LawCheck, ...]:
        """For each citation in ``cited``: does it exist, is it in force, does it bear the point?"""
        ...
