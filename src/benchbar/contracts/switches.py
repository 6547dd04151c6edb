"""The parts of the reviewer that can be switched."""

from __future__ import annotations

from typing import Literal

from benchbar.contracts.generation import PromptMode
from benchbar.records import Record
from benchbar.records.errors import UserError


class Switches(Record, frozen=True):
    """The parts of the reviewer, each of which an ablation may switch."""

    prompt: PromptMode = "guided"
    rules: Literal["off", "keyword", "hybrid"] = "hybrid"
    law_context: bool = True
    evidence_guard: bool = True
    reflection: Literal["off", "always", "band"] = "band"
    self_consistency: int = 1
    top_k: int = 3
    skip_reflection_at: float = 0.7
    """``band``: a verdict of this confidence or more gets no second look."""

    def __post_init__(self) -> None:
        """Refuse numbers that mean nothing.

        Raises:
            UserError: a number is out of range.
        """
        if not 1 <= self.self_consistency <= 99:
            raise UserError(f"self_consistency is {self.self_consistency}; expected 1 to 99 replies")
        if not 1 <= self.top_k <= 50 or not 0 <= self.skip_reflection_at <= 1:
            raise UserError("expected top_k from 1 to 50 and skip_reflection_at from 0 to 1")
