"""The passages of the Citation Court, read: README.md says what their fields mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PASSAGES = Path(__file__).parent / "passages"
LANGUAGES = ("zh", "ru", "en")
STANDS, INVENTED, REPEALED, ELSEWHERE = "", "invented", "repealed", "elsewhere"
_MARK = re.compile(r"\{([^{}|]*)\|([^{}|]*)\|([^{}|]*)(?:\|([^{}|]*))?(?:\|([^{}|]*))?\}")
_STATUSES = {STANDS, INVENTED, REPEALED, ELSEWHERE}
_CLAIMS = {"", "says", "contradicts", "silent"}


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation as a person annotated it."""

    span: tuple[int, int]
    law: str
    pinpoint: str
    status: str
    claim: str

    @property
    def counted(self) -> bool:
        """Whether extraction has to find it: laws as a whole and unclear ones are not counted."""
        return self.pinpoint not in {"", "-"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage without its marks, and what a person found in it."""

    key: str
    language: str
    world: str
    day: str
    text: str
    cited: tuple[Cited, ...]
    held: bool


def passages(language: str, folder: Path = PASSAGES) -> Iterator[Passage]:
    """The passages of a language in the order of the file; of none where the folder has no such file.

    Raises:
        ValueError: a line does not have the form of the README; the message names it.
    """
    file = folder / f"{language}.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            world, day, marked = line.split("\t")
            text, cited = _read(marked)
        except ValueError as error:
            raise ValueError(f"{language}.txt, line {number}: {error}") from error
        # Two lines at a time: a claim and its opposite are neighbours, and must not lie in both halves.
        held = (number - 1) // 2 % 2 == 1
        yield Passage(f"{language}-{number}", language, world, "" if day == "-" else day, text, cited, held)


def _read(marked: str) -> tuple[str, tuple[Cited, ...]]:
    text, cited, place = "", [], 0
    marked = marked.replace("\u23ce", "\n")
    for mark in _MARK.finditer(marked):
        text += marked[place : mark.start()]
        words, law, pinpoint, status, claim = (one or "" for one in mark.groups())
        if status not in _STATUSES or claim not in _CLAIMS:
            raise ValueError(f"unknown status or claim in {mark[0]!r}")
        cited.append(Cited((len(text), len(text) + len(words)), law, pinpoint, status, claim))
        text += words
        place = mark.end()
    text += marked[place:]
    if re.search(r"[{}|]", text):
        raise ValueError(f"a mark is not closed: {text!r}")
    return text.replace("\u00a6", "|"), tuple(cited)


FITS = "fits"


def authority_cases(language: str) -> Iterator[tuple[str, Passage]]:
    """What is wrong with the one citation of a text (``fits``, ``jurisdiction``, ``court``, ``field``), and the text with it."""
    lines = (PASSAGES.parent / "authority" / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        verdict, marked = line.split("\t")
        text, cited = _read(marked)
        held = (number - 1) // 2 % 2 == 1
        yield verdict, Passage(f"authority-{language}-{number}", language, "model", "2024-09-01", text, cited, held)
