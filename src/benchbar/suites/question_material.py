"""Chooses from a corpus what a test question may be written about: an article, several, a decision with its law, an article as it was."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from benchbar.languages.overlap import jaccard, shingles
from benchbar.law.citations import extract
from benchbar.law.corpus import Corpus
from benchbar.law.history import Edition
from benchbar.records import Article, Decision, Record
from benchbar.records.errors import UserError

SIMPLE, MULTI, PRACTICE, TIME, NONE = "simple", "multi_article", "law_practice", "time_dependent", "unanswerable"
KINDS = (SIMPLE, MULTI, PRACTICE, TIME, NONE)
SHORTEST, LONGEST = 30, 4000
"""Characters of an article or decision that says enough, and not too much, for one question."""
_DECISION = 8000
_ALIKE = 0.2
"""Share of bigrams and words that two wordings of one rule have in common; below it they may be two rules."""
_LOOKED_AT = 5


class Passage(Record, frozen=True):
    """A document as the writer of questions is shown it."""

    id: str
    label: str
    text: str


class Material(Record, frozen=True):
    """What one question is to rest on, all of it."""

    kind: str
    passages: tuple[Passage, ...]
    """Empty for a question that the law at hand is not to answer."""
    beside: tuple[Passage, ...] = ()
    """Shown to the writer and no evidence: the wording of another day, or the articles next to what is not settled."""
    on: str = ""
    """The day (YYYY-MM-DD) that the question has to be about; empty where it is about the law in force."""

    @property
    def shown(self) -> tuple[Passage, ...]:
        """All that the writer sees, the evidence first."""
        return self.passages + self.beside


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
    if kind == TIME:
        found = _of_two_days(corpus, day)
    elif kind == NONE:
        found = [Material(kind=kind, passages=(), beside=tuple(one)) for one in _several(corpus, names)]
    else:
        drawn = {SIMPLE: _simple, MULTI: _several, PRACTICE: _with_practice}[kind](corpus, names)
        found = [Material(kind=kind, passages=tuple(one)) for one in drawn]
    for place in generator.permutation(len(found)):
        yield found[int(place)]


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
        if applied is not None and SHORTEST <= len(decision.text) <= _DECISION and _stands(decision, corpus):
            label = decision.case_number or decision.title or decision.id
            found.append((Passage(id=decision.id, label=label, text=decision.text), _passage(applied, names)))
    return found


def _stands(decision: Decision, corpus: Corpus) -> bool:
    treated = corpus.treatments.now(decision)
    return treated is None or not treated.ends


def _applied(corpus: Corpus, names: dict[str, str], text: str) -> Iterator[Article]:
    for mention in extract(text, known=corpus.known_names):
        if mention.article and mention.names:
            for article in corpus.find_articles(mention.names, mention.article, mention.sub):
                if article.law_id in names and not article.repealed and len(article.text) <= LONGEST:
                    yield article


def _of_two_days(corpus: Corpus, day: str) -> list[Material]:
    """Articles of an edition that has ended, with the other wording that the same number has on the day."""
    found = []
    for act in corpus.acts:
        now = next((edition for edition in act.editions if edition.stands_on(day)), None)
        if now is None:
            continue
        for before in act.editions:
            if before is not now and (within := _day_within(before, day)):
                found += [
                    Material(kind=TIME, passages=(old,), beside=(new,), on=within)
                    for old, new in _reworded(corpus, before, now)
                ]
    return found


def _reworded(corpus: Corpus, before: Edition, now: Edition) -> Iterator[tuple[Passage, Passage]]:
    """Each article of an edition whose matter the other one words otherwise, with that wording."""
    old_names, new_names = ({version.law_id: version.name for version in edition.versions} for edition in (before, now))
    new = [(one, shingles(one.text)) for one in _fit(corpus, new_names)]
    where: dict[str, list[int]] = defaultdict(list)
    for place, (_, words) in enumerate(new):
        for word in words:
            where[word].append(place)
    for article in _fit(corpus, old_names):
        words = shingles(article.text)
        # Not by number alone: after a renumbering the same number is another matter.
        shared = Counter(place for word in words for place in where.get(word, ()))
        alike = [(jaccard(words, new[place][1]), place) for place, _ in shared.most_common(_LOOKED_AT)]
        likeness, place = max(alike, default=(0.0, 0))
        if _ALIKE <= likeness < 1:
            yield _passage(article, old_names), _passage(new[place][0], new_names)


def _day_within(edition: Edition, day: str) -> str:
    """The middle of the period for which it is known that the edition was in force; empty where that is not known."""
    if not edition.in_force or not edition.in_force <= edition.until < day:
        return ""
    first, last = date.fromisoformat(edition.in_force), date.fromisoformat(edition.until)
    return (first + (last - first) / 2).isoformat()
