"""``person``: lawyers who answer in the browser, blind and timed, so that a report shows people beside models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from benchbar.records import Reply, Turn
from benchbar.records.errors import UserError
from benchbar.records.protocols import Context

KIND = "person"
"""Of such assistants in a spec."""
HOUR = 3600.0
"""Seconds."""


class PersonAssistant:
    """Waits for what one of several people answers; their pay by the hour is the cost of an answer."""

    ledgered = True
    """What people answered is in the ledger."""
    asked_once = True
    """Whoever is asked the same again remembers what they said: a repeat shows nothing."""

    def __init__(self, context: Context, people: tuple[str, ...], *, group: str, hourly_rate: float | None) -> None:
        """``group`` is the name under which answers are kept, so that people may join and leave."""
        self._context, self._people, self._rate = context, people, hourly_rate
        self.identity = f"person:{group}"

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """What one of them answered, with the seconds of their work as latency.

        Raises:
            WaitingForPeopleError: nobody has answered yet.
            ModelError: whoever took the question declined.
        """
        reply = await self._context.asked_people(turns, identity=self.identity, people=self._people)
        # Here and not in the ledger: a rate that is corrected later asks nobody anew, and people's pay is not what
        # `limits.max_cost` is a limit of.
        return reply if self._rate is None else replace(reply, cost=reply.latency / HOUR * self._rate)


def people_of(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in the settings of such an assistant, each once."""
    named = settings.get("people", ())
    return tuple(dict.fromkeys([named] if isinstance(named, str) else named))


def build(
    context: Context, *, people: Sequence[str] | str, group: str = "", hourly_rate: float | None = None
) -> PersonAssistant:
    """People by the names under which they sign in; ``hourly_rate`` is in the currency of the prices, and None is no cost."""
    names = people_of({"people": people})
    if not names or not all(isinstance(name, str) and name.strip() for name in names):
        raise UserError('people: the names under which they sign in were expected, such as people = ["anna"]')
    if hourly_rate is not None and not 0 <= hourly_rate < float("inf"):
        raise UserError(
            f"hourly_rate is {hourly_rate:g}; a number from 0 on was expected, in the currency of the prices"
        )
    return PersonAssistant(context, names, group=group or ",".join(sorted(names)), hourly_rate=hourly_rate)
