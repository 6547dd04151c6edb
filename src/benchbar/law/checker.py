"""Holds citations against one corpus: what a study is handed."""

from __future__ import annotations

from benchbar.law.corpus import Corpus
from benchbar.law.resolve import check_citations
from benchbar.records import Citation


class CorpusChecker:
    """Fits ``benchbar.records.protocols.CitationChecker``."""

    def __init__(self, corpus: Corpus, *, today: str) -> None:
        """Checks against ``corpus``; ``today`` is the day for matters without a date."""
        self._corpus, self.today, self.identity = corpus, today, corpus.identity

    def check(self, text: str, *, on: str | None, language: str) -> tuple[Citation, ...]:
        """Every citation of the text, with its status on the day."""
        return check_citations(text, self._corpus, on=on or self.today, language=language)
