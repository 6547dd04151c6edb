"""From the form of chat completions, in which specs and prompts are written, to that of other protocols."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.records import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchbar.records import ToolCall


def renamed(params: Iterable[tuple[str, Any]], names: Mapping[str, str], *, stops: str = "") -> dict[str, Any]:
    """Parameters under the names that a protocol has for them, so that roles can share a table of them.

    Args:
        params: names and values; of two under one name the later holds.
        names: that of chat completions to the protocol's; others stay.
        stops: the protocol's name for stop sequences, where it takes a list alone.
    """
    found = {names.get(name, name): value for name, value in params}
    if isinstance(stop := found.get(stops), str):
        found[stops] = [stop]
    return found


def system_apart(messages: Sequence[Turn]) -> tuple[list[str], list[Turn]]:
    """The texts of system turns, and all other turns, for protocols with a field of its own for the former.

    They require a turn besides: what has system turns alone is said by the user.
    """
    system = [turn.content for turn in messages if turn.role == "system"]
    said = [turn for turn in messages if turn.role != "system"]
    if said or not system:
        return system, said
    return [], [Turn(role="user", content="\n\n".join(system))]


def arguments_of(call: ToolCall) -> Any:
    """The arguments as an object, for protocols that take no text; empty where the model wrote no object."""
    try:
        found = msgspec.json.decode(call.arguments)
    except msgspec.DecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def grouped(messages: Sequence[Turn]) -> Iterator[list[Turn]]:
    """Each turn by itself, but what several tools answered together: protocols want it as one turn of the user."""
    for tool, turns in groupby(messages, key=lambda turn: turn.role == "tool"):
        if tool:
            yield list(turns)
        else:
            yield from ([turn] for turn in turns)
