"""A question put to the consultant, and what comes back; who answers is an argument of the app."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from benchbar.law.cited_text import CitedText

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
    treated: str = ""
    """What became of a decision, as a later one's file says; empty for law, and where none speaks of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer, with the citations in it held against the law."""

    name: str
    """rule, practice or conclusion."""
    text: str
    citations: tuple[CitedText, ...]


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
    unmeasured: str = ""
    """That nobody has measured how often the first article is a right one in law like this."""
    quoted: bool = False
    """Whether its words are taken from the texts, so that a source that is cited again says nothing new."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question of a conversation and its answer."""

    asked: str
    understood: str
    """The question that was answered; another one than was asked where that leans on what was said before."""
    advice: Advice


@dataclass(frozen=True, slots=True)
class Exchanges:
    """A conversation so far."""

    exchanges: tuple[Exchange, ...]
    """Oldest first."""
    kept: str
    """What the consultant needs to go on, in its own form."""


class Consultant(Protocol):
    """Answers questions from a corpus; may be called from several threads."""

    @property
    def name(self) -> str:
        """Which corpus; empty for the bundled law."""
        ...

    @property
    def writer(self) -> str:
        """The model that writes the answers; empty where they are extracted from the texts."""
        ...

    def invented(self, question: str) -> str:
        """The jurisdiction of the law that a question in this language is answered from, where it is invented; else empty."""
        ...

    def __call__(
        self, question: str, form: str, told: TextListener | None = None, labels: Collection[str] = ()
    ) -> Advice:
        """The answer to one question, from the documents that somebody with these access labels may see.

        Raises:
            BenchbarError: there is none; the message says why.
        """
        ...

    def go_on(
        self,
        question: str,
        form: str,
        told: TextListener | None = None,
        labels: Collection[str] = (),
        *,
        kept: str = "",
        facts: Sequence[str] = (),
    ) -> Exchanges:
        """The conversation with one more question answered.

        Args:
            question: may lean on what was said before.
            form: of the answer.
            told: as in a call.
            labels: as in a call.
            kept: of the conversation so far; empty where it begins.
            facts: what is known of the matter.

        Raises:
            BenchbarError: there is no answer; the message says why.
        """
        ...

    def document(self, kept: str) -> bytes:
        """The answers of a conversation as DOCX, each source as a footnote."""
        ...
