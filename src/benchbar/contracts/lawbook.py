"""What the reviewer wants to know of the law: the articles that rules rest on, and whether a citation holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.index import load_corpus
from benchbar.law.invented import invented_jurisdiction
from benchbar.law.topic import share_held
from benchbar.records import UNDECIDED, Article, Citation, CitationStatus
from benchbar.records.contracts import LawCheck, LawStatus

LEAST_TOPIC = 0.01
"""Share below which an article is off the point's topic. On the 133 rules of the contract agent it passes 95% of the
articles that a rule names and refuses three quarters of those swapped for another rule's."""
MOST_PASSAGES = 4

_STATUS = {
    CitationStatus.VERIFIED: LawStatus.VERIFIED,
    CitationStatus.NO_SUCH_LAW: LawStatus.NOT_FOUND,
    CitationStatus.NO_SUCH_ARTICLE: LawStatus.NOT_FOUND,
    CitationStatus.NOT_IN_FORCE: LawStatus.NOT_IN_FORCE,
} | dict.fromkeys(UNDECIDED, LawStatus.NOT_CHECKED)


class LawBook(Protocol):
    """The law as the reviewer sees it."""

    @property
    def identity(self) -> str:
        """Changes when, and only when, the law does."""
        ...

    def passages(self, citations: Sequence[str], about: str) -> tuple[str, ...]:
        """The articles cited, each as name and text, those nearest to the clause first."""
        ...

    def check(self, cited: str, point: str) -> tuple[LawCheck, ...]:
        """For each citation in ``cited``: does it exist, is it in force, does it bear the point?"""
        ...


class CorpusLawBook:
    """The law of a corpus: an index made by ``benchbar law index``, or a folder of acts."""

    def __init__(self, corpus: Corpus, *, on: str = "") -> None:
        """The law in force on a day (YYYY-MM-DD); today where none is given."""
        self._corpus, self._on = corpus, on
        self.identity = corpus.identity
        self.invented = invented_jurisdiction(corpus)
        self.ends = corpus.as_of
        """The day (YYYY-MM-DD) up to which it is known; empty where it does not say."""
        self._resolved = lru_cache(maxsize=8192)(self._resolve)

    @classmethod
    def open(cls, path: Path, *, on: str = "") -> CorpusLawBook:
        """The law of an index or folder.

        Raises:
            BadInputError: the path is neither, or the index was not finished.
        """
        return cls(load_corpus(path), on=on)

    def dated(self, day: str) -> CorpusLawBook:
        """The same law as it was on a day (YYYY-MM-DD); a law book that was opened for a day keeps its own."""
        return self if self._on or not day else CorpusLawBook(self._corpus, on=day)

    def passages(self, citations: Sequence[str], about: str) -> tuple[str, ...]:
        """At most four articles in force, as ``name number: text``, those with most of the clause's words first."""
        found: dict[str, tuple[float, str]] = {}
        for citation in (one for cited in dict.fromkeys(citations) for one in self._resolved(cited)):
            article = self._article(citation)
            if article is not None and citation.status is CitationStatus.VERIFIED and citation.article_id:
                named = not citation.law or citation.law in citation.text
                text = f"{citation.text if named else f'{citation.law} {citation.text}'}: {article.text}"
                found[citation.article_id] = share_held(about, article.text, self._corpus.idf) or 0.0, text
        ranked = sorted(found.values(), key=lambda one: -one[0])
        return tuple(text for _, text in ranked[:MOST_PASSAGES])

    def check(self, cited: str, point: str) -> tuple[LawCheck, ...]:
        """One check for each citation; text that cites nothing is not checked, and says so."""
        checks = tuple(self._checked(citation, point) for citation in self._resolved(cited))
        return checks or (
            LawCheck(citation=cited[:200], status=LawStatus.NOT_CHECKED, reason="no citation that can be looked up"),
        )

    def _resolve(self, cited: str) -> tuple[Citation, ...]:
        return check_citations(cited, self._corpus, on=self._on)

    def _article(self, citation: Citation) -> Article | None:
        return self._corpus.article(citation.article_id) if citation.article_id and citation.article else None

    def _checked(self, citation: Citation, point: str) -> LawCheck:
        status, reason = _STATUS[citation.status], citation.reason
        article = self._article(citation)
        borne = share_held(point, article.text, self._corpus.idf) if article is not None else None
        if status is LawStatus.VERIFIED and borne is not None and borne < LEAST_TOPIC:
            status, reason = LawStatus.OFF_TOPIC, "the article shares almost no telling words with the point made"
        return LawCheck(
            citation=citation.text,
            status=status,
            law=citation.law or "",
            article=citation.article or "",
            topic=borne,
            reason=reason,
        )
