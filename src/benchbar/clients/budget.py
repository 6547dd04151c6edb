"""A hard limit on what a run may cost: money is reserved before a call is sent."""

from __future__ import annotations

from collections.abc import Callable

from benchbar.records.errors import BudgetExhaustedError


class Budget:
    """What may be spent, what was, and what calls in flight may still cost."""

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        """At most ``limit`` in all, of which ``spent`` is gone already; None for no limit."""
        self.limit = limit
        self.spent = spent
        self.reserved = 0.0
        self._allot: Callable[[float, float], float] | None = None
        self._allotted = 0.0

    def share(self, allot: Callable[[float, float], float]) -> None:
        """Spend only what ``allot``, given the limit and the least that is needed, hands out of a budget of several processes."""
        self._allot, self._allotted, self.spent = allot, 0.0, 0.0

    def reserve(self, most: float) -> float:
        """Set aside the most that a call may cost.

        Raises:
            BudgetExhaustedError: it might go over the limit.
        """
        if self.limit is not None and (lacking := self.spent + self.reserved + most - self._may_spend) > 0:
            # Asked for only when what was allotted runs short: it is a lock in the database.
            self._allotted += self._allot(self.limit, lacking) if self._allot else 0.0
            if self.spent + self.reserved + most > self._may_spend:
                raise BudgetExhaustedError(
                    f"the next call may cost {most:.6g}; of the budget of {self.limit:g}, {self.spent:.6g} is spent and"
                    f" {self.reserved:.6g} reserved for calls in flight{' here' if self._allot else ''};"
                    " rerun the command with a higher --max-cost to resume"
                )
        self.reserved += most
        return most

    @property
    def _may_spend(self) -> float:
        return self._allotted if self._allot else self.limit or 0.0

    def settle(self, reserved: float, cost: float | None) -> None:
        """Book what a call did cost in place of what was reserved; where that is unknown, the reserved sum."""
        self.reserved -= reserved
        # An unknown cost is booked at the most it can be: a hard limit must hold even where an endpoint
        # states nothing.
        self.spent += reserved if cost is None else cost
