"""A question put to the consultant, and what comes back; who answers is an argument of the app."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from benchbar.records import Citation

# General questions and trial preparation: the two forms of answer that the consultant's prompts know.
FORMS = ("general", "trial")
LONGEST = 4000
"""Characters of a question."""
TextListener = Callable[[str], None]
"""Is given the answer's text as it comes; an empty text means that it begins anew."""


@dataclass(frozen=True, slots=True)
class Source:
    """An article or decision that was found for a question."""

    number: int
    citation: str
    text: str
    whole: str
    """The article or decision itself; empty where it is no longer than the passage."""
    kind: str
    """``law`` or ``practice``."""
    used: bool
    """Whether the answer rests on it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer, with the citations in it held against the law."""

    name: str
    """rule, practice or conclusion."""
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """An answer with what it rests on, or why there is none."""

    question: str
    language: str
    form: str
    parts: tuple[Part, ...]
    sources: tuple[Source, ...]
    outside: tuple[str, ...]
    """Citations that none of the sources bears out."""
    abstained: str = ""
    unsupported: tuple[str, ...] = ()
    """Sentences of a model's answer that the passages do not support."""
    covers: str = ""
    """Where there is no answer, the first laws that the corpus holds."""
    nearest: tuple[tuple[str, str], ...] = ()
    """Where there is no answer, citation and text of the passages that come closest."""
    invented: str = ""
    """The jurisdiction of the law, where it is invented; empty where it is a country's."""


class Consultant(Protocol):
    """Answers questions from a corpus; may be called from several threads."""

    @property
    def name(self) -> str:
        """Which corpus, and who writes."""
        ...

    def __call__(
        self, question: str, form: str, told: TextListener | None = None, labels: Collection[str] = ()
    ) -> Advice:
        """The answer to one question, from the documents that somebody with these access labels may see.

        Raises:
            BenchbarError: there is none; the message says why.
        """
        ...
