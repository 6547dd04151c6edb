"""A hard limit on what a run may cost: money is reserved before a call is sent."""

from __future__ import annotations

from benchbar.errors import BudgetExhaustedError


class Budget:
    """What may be spent, what was, and what calls in flight may still cost."""

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        """At most ``limit`` in all, of which ``spent`` is gone already; None for no limit."""
        self.limit = limit
        self.spent = spent
        self.reserved = 0.0

    def reserve(self, most: float) -> float:
        """Set aside the most that a call may cost.

        Raises:
            BudgetExhaustedError: it might go over the limit.
        """
        if self.limit is not None and self.spent + self.reserved + most > self.limit:
            raise BudgetExhaustedError(
                f"the next call may cost {most:.6g}; of the budget of {self.limit:g}, {self.spent:.6g} is spent and"
                f" {self.reserved:.6g} reserved for calls in flight;"
                " run the same command with a higher --max-cost to go on"
            )
        self.reserved += most
        return most

    def settle(self, reserved: float, cost: float | None) -> None:
        """Book what a call did cost in place of what was reserved; where that is unknown, the reserved sum."""
        self.reserved -= reserved
        self.spent += reserved if cost is None else cost
