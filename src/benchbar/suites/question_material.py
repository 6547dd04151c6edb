"""Chooses from a corpus what a test question may be written about: one article, several of a chapter, a decision with its law."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from benchbar.law.citations import extract
from benchbar.law.corpus import Corpus
from benchbar.records import Article, Record
from benchbar.records.errors import UserError

SIMPLE, MULTI, PRACTICE = "simple", "multi_article", "law_practice"
KINDS = (SIMPLE, MULTI, PRACTICE)
SHORTEST, LONGEST = 30, 4000
"""Characters of an article or decision that says enough, and not too much, for one question."""
_DECISION = 8000


class Passage(Record, frozen=True):
    """A document as the writer of questions is shown it."""

    id: str
    label: str
    text: str


class Material(Record, frozen=True):
    """What one question is to rest on, all of it."""

    kind: str
    passages: tuple[Passage, ...]


def choose(corpus: Corpus, kind: str, generator: np.random.Generator, *, day: str) -> Iterator[Material]:
    """Materials of a kind in random order, each once, from the law in force on a day.

    Raises:
        UserError: there is no such kind.
    """
    if kind not in KINDS:
        raise UserError(f"kind of question {kind!r}; known: {', '.join(KINDS)}")
    names = {
        version.law_id: version.name
        for act in corpus.acts
        for edition in act.editions
        if edition.stands_on(day)
        for version in edition.versions
    }
    found = {SIMPLE: _simple, MULTI: _several, PRACTICE: _with_practice}[kind](corpus, names)
    for place in generator.permutation(len(found)):
        yield Material(kind=kind, passages=tuple(found[int(place)]))


def _fit(corpus: Corpus, names: dict[str, str]) -> list[Article]:
    return [
        article
        for law_id in names
        for article in corpus.articles[corpus.rows_of(law_id).start : corpus.rows_of(law_id).stop]
        if article.number and not article.repealed and SHORTEST <= len(article.text) <= LONGEST
    ]


def _passage(article: Article, names: dict[str, str]) -> Passage:
    sub = f"-{article.sub}" if article.sub else ""
    return Passage(id=article.id, label=f"{names[article.law_id]} {article.number}{sub}", text=article.text)


def _simple(corpus: Corpus, names: dict[str, str]) -> list[Sequence[Passage]]:
    return [(_passage(article, names),) for article in _fit(corpus, names)]


def _several(corpus: Corpus, names: dict[str, str]) -> list[Sequence[Passage]]:
    """Neighbours of one chapter, which belong together in their matter."""
    chapters: dict[tuple[str, str], list[Article]] = defaultdict(list)
    for article in _fit(corpus, names):
        chapters[article.law_id, article.chapter].append(article)
    return [
        tuple(_passage(article, names) for article in members[start : start + 2])
        for members in chapters.values()
        for start in range(len(members) - 1)
    ]


def _with_practice(corpus: Corpus, names: dict[str, str]) -> list[Sequence[Passage]]:
    """Decisions with an article that they apply and that is still in force."""
    found: list[Sequence[Passage]] = []
    for decision in corpus.decisions:
        applied = next(_applied(corpus, names, decision.text), None)
        if applied is not None and SHORTEST <= len(decision.text) <= _DECISION and not decision.overruled_by:
            label = decision.case_number or decision.title or decision.id
            found.append((Passage(id=decision.id, label=label, text=decision.text), _passage(applied, names)))
    return found


def _applied(corpus: Corpus, names: dict[str, str], text: str) -> Iterator[Article]:
    for mention in extract(text, known=corpus.known_names):
        if mention.article and mention.names:
            for article in corpus.find_articles(mention.names, mention.article, mention.sub):
                if article.law_id in names and not article.repealed and len(article.text) <= LONGEST:
                    yield article
