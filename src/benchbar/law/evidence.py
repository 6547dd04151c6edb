"""The documents that a name may mean, and their text: what retrieved passages are held against."""

from __future__ import annotations

from functools import lru_cache

from benchbar.law.citations import extract
from benchbar.law.corpus import Corpus


class CorpusDocuments:
    """Fits ``benchbar.records.protocols.Documents``."""

    def __init__(self, corpus: Corpus) -> None:
        """Of one corpus."""
        self._corpus = corpus
        # Retrieved passages name the same articles again and again.
        self.named = lru_cache(maxsize=1 << 14)(self._named)

    def _named(self, name: str) -> frozenset[str]:
        """Ids of the article (in every edition) or decision that an id, a citation or a case number means."""
        if self._corpus.article(name) is not None:
            return frozenset({name})
        decision = self._corpus.decision(name)
        if decision is not None:
            return frozenset({decision.id})
        found: set[str] = set()
        for mention in extract(name, known=self._corpus.known_names):
            if mention.case_number and (decided := self._corpus.decision(mention.case_number)):
                found.add(decided.id)
            elif mention.article and mention.names:
                # Every edition counts: a passage may be of the text in force at another time.
                found |= {one.id for one in self._corpus.find_articles(mention.names, mention.article, mention.sub)}
        return frozenset(found)

    def text(self, document: str) -> str | None:
        """The words of an article or decision; None where the corpus has none of that id."""
        article = self._corpus.article(document)
        if article is not None:
            return article.text
        decision = self._corpus.decision(document)
        return decision.text if decision else None

    def store(self, document: str) -> str:
        """``law`` for an article, ``practice`` for a decision; empty where the corpus has none of that id."""
        if self._corpus.article(document) is not None:
            return "law"
        return "practice" if self._corpus.decision(document) else ""
