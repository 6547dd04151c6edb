"""What is printed on a terminal: text that cannot speak to it, tables, one width."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey and XML cannot hold."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def printable_lines(text: str) -> str:
    """The same, with its line ends kept."""
    return "\n".join(printable(line) for line in text.splitlines())
