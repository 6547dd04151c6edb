"""What an assistant said in a dialogue, in the forms that matchers look at, each made once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from benchbar.languages.quantities import numbers_of
from benchbar.languages.ranges import QuantityRange, quantity_ranges
from benchbar.languages.text import Normalised, comparable
from benchbar.law.citations import extract
from benchbar.law.mention import Mention
from benchbar.records import Dialogue, Evidence
from benchbar.scoring.points.stance import StanceReader
from benchbar.scoring.silence import SILENT, stance

MAX_SPAN = 400
"""Characters of evidence kept; the offsets say where the rest is."""


class Answer:
    """One reply of the assistant."""

    def __init__(self, turn: int, content: str, language: str) -> None:
        """The ``turn``-th turn of the dialogue."""
        self.turn, self.content, self.language = turn, content, language

    @cached_property
    def plain(self) -> Normalised:
        """Letters and digits alone, in NFKC and lower case, with the places they came from."""
        return comparable(self.content)

    @cached_property
    def quantities(self) -> tuple[QuantityRange, ...]:
        """Numbers with units."""
        return quantity_ranges(self.content)

    @cached_property
    def figures(self) -> frozenset[str]:
        """Its numbers without units, in figures or in words."""
        written = (figure.lstrip("0") for figure in re.findall(r"\d+", self.content))
        return frozenset((*written, *map(str, map(int, numbers_of(self.content)))))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Citations of law."""
        return extract(self.content, self.language)

    @cached_property
    def reader(self) -> StanceReader:
        """Who says what in it."""
        return StanceReader(self.content, self.language)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the reply of characters ``start`` to ``end`` of its plain form, without the punctuation behind them."""
        return self.plain.original(start, start)[0], self.plain.original(end - 1, end - 1)[0] + 1

    def evidence(self, start: int, end: int) -> Evidence:
        """A span of the reply, by offsets in its content."""
        return Evidence(turn=self.turn, start=start, end=end, text=self.content[start:end][:MAX_SPAN])


class Answers:
    """All replies of an assistant in one dialogue."""

    def __init__(self, dialogue: Dialogue, language: str) -> None:
        """The assistant's side of ``dialogue``."""
        self.language = language
        self.all = tuple(
            Answer(index, turn.content, language)
            for index, turn in enumerate(dialogue.turns)
            if turn.role == "assistant"
        )

        self.asked = "\n".join(turn.content for turn in dialogue.turns if turn.role == "user")

    @cached_property
    def silent(self) -> bool:
        """Whether no reply says anything but that it does not know, asks back or refuses."""
        return all(stance(answer.content, self.language) in SILENT for answer in self.all)

    def latest_first(self) -> Iterator[Answer]:
        """The replies from the last to the first: what is said last stands."""
        return reversed(self.all)
