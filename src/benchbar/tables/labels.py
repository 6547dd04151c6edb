"""Which labels begin a field of a row, in a document whose paragraphs are the rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Collection

Begins = Callable[[str, str], bool | None]
"""Whether a label begins a field of its own, given the label of the field below which it stands (empty at the first); None
where only its coming again and again shows that."""


def no_label(_name: str, _current: str) -> bool:
    """Of a document without tables nothing is read."""
    return False


def one_of(labels: Collection[str]) -> Begins:
    """These labels alone, whatever their case."""
    known = {label.lower() for label in labels}
    return lambda name, _current: name.lower() in known
