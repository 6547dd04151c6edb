"""Verdicts as other people write them, read as the candidate's outcome from 0 to 1."""

from __future__ import annotations

from collections.abc import Collection

from benchbar.records.errors import BadInputError
from benchbar.tables.columns import Columns, numbers, words

SCALES = ("0-1", "1-2", "win-tie-loss", "positions")
# C is how MT-Bench and its kin write a tie; "both" and "neither" part no side from the other.
TIE_WORDS = frozenset({"tie", "draw", "equal", "same", "both", "c", "neither"})
WORDS = {
    "win-tie-loss": (
        {"win", "won", "w", "candidate", "better", "1"},
        {"loss", "lose", "lost", "l", "reference", "worse", "-1"},
    ),
    "positions": ({"a", "first", "left", "1", "[[a]]"}, {"b", "second", "right", "2", "[[b]]"}),
}
# In words of win, tie and loss 0 lies between 1 and -1; in the scale 0-1 it is a loss, which is why scales are named
# and not guessed.
ZERO_IS_TIE = "0"


def outcomes(table: Columns, column: str, scale: str, missing: Collection[str]) -> list[float | None]:
    """A column of verdicts as outcomes; for ``positions`` 1 is whoever was shown first.

    Raises:
        BadInputError: names file, line and column of a verdict that does not fit the scale.
    """
    if scale in WORDS:
        return _worded(table, column, scale, missing)
    values = numbers(table, column, missing)
    read = _alpaca if scale == "1-2" else _share
    found = []
    for value, line in zip(values, table.lines, strict=True):
        outcome = None if value is None else read(value)
        if value is not None and outcome is None:
            message = f"{value:g} does not fit the scale {scale}; see --scale in --help"
            raise BadInputError(message, file=table.path, line=line, field=column)
        found.append(outcome)
    return found


def _share(value: float) -> float | None:
    return value if 0 <= value <= 1 else None


def _alpaca(value: float) -> float | None:
    """1 to 2 as 0 to 1; 0 is AlpacaEval's older mark of a draw."""
    if value == 0:
        return 0.5
    # The scale's ends.
    return value - 1 if 1 <= value <= 2 else None


def _worded(table: Columns, column: str, scale: str, missing: Collection[str]) -> list[float | None]:
    wins, losses = WORDS[scale]
    ties = TIE_WORDS | {ZERO_IS_TIE, "0.5"}
    found: list[float | None] = []
    for word, line in zip(words(table, column, missing), table.lines, strict=True):
        lowered = None if word is None else word.lower()
        if lowered is None:
            found.append(None)
        # Before wins and losses, which hold 1 and -1 but no 0.
        elif lowered in ties:
            found.append(0.5)
        elif lowered in wins or lowered in losses:
            found.append(1.0 if lowered in wins else 0.0)
        else:
            known = ", ".join(sorted(wins | losses | ties))
            message = f"{word!r}; expected one of {known} (or --missing {word})"
            raise BadInputError(message, file=table.path, line=line, field=column)
    return found
