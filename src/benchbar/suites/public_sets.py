"""Public sets by name: what is known of each, and the user's own copy as a suite. None of their text is part of the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from benchbar.records import Record, Suite, SuiteCard
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.toml import read_toml
from benchbar.statistics.power import minimum_detectable_effect

if TYPE_CHECKING:
    import numpy as np

    from benchbar.suites.readers.official import Answered, Estimates, Mark

_CARDS = Path(__file__).with_name("public_sets.toml")


class PublicSet(Record, frozen=True):
    """The card of a set."""

    title: str
    source: str
    licence: str
    copy: str
    """Which file or folder to name."""
    fetch: str
    """How to get it oneself."""
    layout: str
    """Where the layout was read, or that no real file was met."""
    samples: dict[str, int]
    metric: str
    ties: str
    judge: str
    contamination: str
    bears: str
    """What its numbers can bear, and what they cannot."""
    clusters: str
    spread: float = 0.58
    """Standard deviation of the difference of two systems' marks of one sample; 0.58 is that of right and wrong where a third
    of the answers differ."""
    limits: str = ""
    """What of the set is not read or not computed."""
    elsewhere: str = ""
    """The command that reads the set's runs where its tasks are no questions: agents with files and tools."""


class SetReader(Protocol):
    """What the file of a set holds."""

    CARD: SuiteCard
    """Of the suites that it makes; by its source a suite is known to be of the set."""

    def read(self, path: Path) -> Suite:
        """The user's copy as a suite."""
        ...

    def marked(self, one: Answered) -> Mark:
        """The set's own mark of one answer."""
        ...

    def official(self, answered: Sequence[Answered], generator: np.random.Generator) -> Estimates:
        """The set's own figures of all answers to one task."""
        ...


@cache
def public_sets() -> dict[str, PublicSet]:
    """Each set's card by its name, in the order of the page."""
    return read_toml(_CARDS, dict[str, PublicSet])


def public_set(name: str) -> PublicSet:
    """The card of one set.

    Raises:
        UnknownNameError: there is none of this name; the message lists those there are.
    """
    if name not in public_sets():
        raise UnknownNameError("public set", name, list(public_sets()))
    return public_sets()[name]


def reader_of(name: str) -> SetReader:
    """The file that reads and marks a set.

    Raises:
        UnknownNameError: there is no set of this name.
        UserError: its runs are read by another command.
    """
    if elsewhere := public_set(name).elsewhere:
        raise UserError(
            f"{name} asks agents with files and tools, and is no suite of questions; its runs are read by `{elsewhere}`"
        )
    return cast("SetReader", import_module(f"benchbar.suites.readers.{name.replace('-', '_')}"))


def detectable(n: int, spread: float) -> float:
    """The smallest difference of two systems that n samples show with power 80% at the level 5%, samples being independent."""
    return minimum_detectable_effect(n, spread)


def lines(name: str) -> Iterator[str]:
    """The card for people, a line a matter."""
    card = public_set(name)
    yield f"{name}: {card.title}"
    for head, told in (
        ("source", card.source),
        ("licence", card.licence),
        ("get it", card.fetch),
        ("name", card.copy),
        ("layout", card.layout),
        ("metric", card.metric),
        ("judge", card.judge),
        ("ties", card.ties),
        ("clusters", card.clusters),
        ("contamination", card.contamination),
        ("bears", card.bears),
        ("limits", card.limits),
    ):
        if told:
            yield f"{head}: {told}"
    for part, n in card.samples.items():
        points = 100 * detectable(n, card.spread)
        yield f"n: {n} ({part}): a difference of {points:.1f} points between two systems is seen four times in five"
