"""The endpoints of a run, by what each is asked for; apart from how they are tried, which needs an HTTP client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint

TRIAL = "trial"
"""What the ledger calls questions that only try an endpoint."""


class Target(NamedTuple):
    """An endpoint and what it is asked for in the run."""

    roles: tuple[str, ...]
    """As the user calls them: ``assistant new``, ``judge``."""
    endpoint: Endpoint

    @property
    def name(self) -> str:
        """Roles, model and address, for messages."""
        return f"{', '.join(self.roles)}: {self.endpoint.model} at {self.endpoint.base_url}"


Confirm = Callable[[Target], Awaitable[str]]
"""Asks an endpoint one question: why it cannot be asked, or nothing where it answers."""
