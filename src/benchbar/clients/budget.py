"""A hard limit on what a run may cost: money is reserved before a call is sent."""

from __future__ import annotations

import asyncio
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
        self._settled, self._waiting = asyncio.Event(), False

    def share(self, allot: Callable[[float, float], float]) -> None:
        """Spend only what ``allot``, given the limit and the least that is needed, hands out of a budget of several processes."""
        self._allot, self._allotted, self.spent = allot, 0.0, 0.0

    async def reserve(self, most: float) -> float:
        """Set aside the most that a call may cost, once there is room for it.

        What calls in flight have set aside is mostly more than they cost: while any is out, the rest of the budget is waited
        for. A run with a budget of .02 once stopped at .0103, because sixteen calls were out.

        Raises:
            BudgetExhaustedError: it might go over the limit, whatever comes of the calls in flight.
        """
        while not self._fits(most):
            if not self.reserved or (self._allot is None and self.spent + most > self._may_spend):
                raise self._exhausted(most)
            self._waiting = True
            await self._settled.wait()
        self.reserved += most
        return most

    def renew(self, most: float) -> None:
        """Book what is set aside for a call as spent, and keep the same set aside for its next try.

        The try cannot wait for room: others may wait for it.

        Raises:
            BudgetExhaustedError: the next try might go over the limit.
        """
        self.spent += most
        if not self._fits(0.0):
            raise self._exhausted(most)

    def found(self, reserved: float) -> None:
        """Take back what was booked for a call of an earlier start whose outcome was unknown, as it will be known now."""
        # Shared budgets count what each process itself did.
        if self._allot is None:
            self.spent -= reserved

    def _fits(self, most: float) -> bool:
        if self.limit is None:
            return True
        lacking = self.spent + self.reserved + most - self._may_spend
        if lacking > 0 and self._allot:
            # Asked for only when what was allotted runs short: it is a lock in the database.
            self._allotted += self._allot(self.limit, lacking)
        return self.spent + self.reserved + most <= self._may_spend

    def _exhausted(self, most: float) -> BudgetExhaustedError:
        return BudgetExhaustedError(
            f"the next call may cost {most:.6g}; of the budget of {self.limit:g}, {self.spent:.6g} is spent and"
            f" {self.reserved:.6g} reserved for calls in flight{' here' if self._allot else ''};"
            " go on under a higher budget (--max-cost)"
        )

    @property
    def _may_spend(self) -> float:
        return self._allotted if self._allot else self.limit or 0.0

    def settle(self, reserved: float, cost: float | None) -> None:
        """Book what a call did cost in place of what was reserved; where that is unknown, the reserved sum."""
        self.reserved -= reserved
        # An unknown cost is booked at the most it can be: a hard limit must hold even where an endpoint
        # states nothing.
        self.spent += reserved if cost is None else cost
        if self._waiting:
            self._waiting = False
            self._settled.set()
            self._settled = asyncio.Event()
