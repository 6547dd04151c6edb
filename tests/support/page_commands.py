"""The commands that pages tell users to type."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from support.pages import blocks

_SEPARATORS = {"&&", "||", "|", ";", ">", "2>"}


def commands_of(page: Path) -> Iterator[list[str]]:
    """The arguments of each call of benchbar in a page's console and shell blocks."""
    for language in ("console", "bash", "sh", "shell"):
        for block in blocks(page, language):
            for line in block.replace("\\\n", " ").splitlines():
                if language == "console" and not line.startswith("$ "):
                    continue
                yield from _calls(shlex.split(line.removeprefix("$ "), comments=True))


def _calls(words: list[str]) -> Iterator[list[str]]:
    call: list[str] | None = None
    for word in [*words, ";"]:
        if word in _SEPARATORS:
            if call is not None:
                yield call
            call = None
        elif call is not None:
            call.append(word)
        elif word == "benchbar" or word.endswith("/benchbar"):
            call = []
