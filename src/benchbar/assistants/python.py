"""``python``: a function or object named as ``module:object``."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from benchbar.records import Reply, Turn, fingerprint
from benchbar.records.errors import UserError
from benchbar.records.plugins import load


class PythonAssistant:
    """Calls a function with the turns; a plain function runs in a thread, so that it may block."""

    def __init__(self, function: Callable[..., Any], identity: str) -> None:
        """Answers with what ``function(turns)`` returns: a text or a Reply."""
        self._function, self.identity = function, identity

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """What the function says."""
        began = time.perf_counter()
        if inspect.iscoroutinefunction(self._function):
            said = await self._function(turns)
        else:
            said = await asyncio.to_thread(self._function, turns)
        if isinstance(said, Reply):
            return said if said.latency else msgspec.structs.replace(said, latency=time.perf_counter() - began)
        if not isinstance(said, str):
            raise TypeError(f"a text or a Reply was expected, {type(said).__name__} came")
        return Reply(content=said, latency=time.perf_counter() - began)


def build(*, object: str, **settings: Any) -> PythonAssistant:  # noqa: A002 - the setting's name
    """An assistant from ``module:object``: a function, an object with ``reply``, or a class made with the settings."""
    found = load("assistants", object)
    if inspect.isclass(found):
        found = found(**settings)
    elif settings:
        raise UserError(f"{object!r} is no class; it takes no settings, but {', '.join(settings)} was given")
    function = getattr(found, "reply", found)
    if not callable(function):
        raise UserError(f"{object!r} is neither a function nor an object with a method reply(turns)")
    return PythonAssistant(function, f"python:{object}:{fingerprint(settings)}")
