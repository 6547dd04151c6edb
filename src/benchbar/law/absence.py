"""Whether a law or an article that a corpus does not have is proven not to exist: the only place that accuses."""

from __future__ import annotations

import re

from benchbar.languages.packs import pack
from benchbar.law.authority import court_code, foreign_country, not_tied
from benchbar.law.corpus import Corpus, is_named
from benchbar.law.finding import Finding
from benchbar.law.history import Act, Edition, find_repeal
from benchbar.law.mention import Mention, Surroundings
from benchbar.law.names import law_key
from benchbar.law.pinpoints import paragraphs_of, pinpoint
from benchbar.law.scripts import in_root_script
from benchbar.records import Article, CitationStatus, NameDoubt, UnknownName

# Below 80 the nearest name has little to do with the one that was written.
_CLOSE = 80
"""Similarity in percent from which a law is named as the nearest to one that does not exist."""

_KNOWN_YEARS = 20
"""Years before its last day for which a compilation of today's law, and the list of known repeals, know every law."""

_SHRINKING = 0.02
"""Share of its articles that a law may have lost to its next text."""

_RENUMBERED = 10
"""Numbers by which an article may be off in another text of its law."""


def unknown_law(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    """A law that the corpus does not hold: known to be repealed, claimed not to exist, or beyond the corpus."""
    repeal = find_repeal(mention.names)
    jurisdictions = {version.jurisdiction for version in corpus.versions}
    # A repeal of another country's act of the same name says nothing here.
    if repeal and on > repeal.until and repeal.jurisdiction in jurisdictions:
        return Finding(
            CitationStatus.NOT_IN_FORCE,
            f"repealed: in force until {repeal.until}",
            in_force=False,
            superseded_by=_held_name(repeal.by, corpus),
        )
    elsewhere = repeal is None or repeal.jurisdiction not in jurisdictions
    if elsewhere and _claimed(mention, corpus):
        return _not_among(mention, corpus, on, around)
    return Finding(
        CitationStatus.OUTSIDE_CORPUS,
        "the corpus does not hold this law, nor all laws of its kind",
        unknown_name=UnknownName(doubt=NameDoubt.NOT_HELD),
    )


def _held_name(name: str, corpus: Corpus) -> str:
    """The name under which the corpus holds the law, where it does."""
    acts = corpus.acts_named(name)
    return acts[0].name if acts else name


def _claimed(mention: Mention, corpus: Corpus) -> bool:
    # A law of the same language may be another country's: its script tells the mainland's from Taiwan's.
    if pack(mention.language).tag not in corpus.variants:
        return False
    # A name in the other script is not said to exist nowhere.
    if pack(mention.language).root == "zh" and in_root_script(mention.names) != mention.names:
        return False
    return "*" in corpus.claims or _level(mention.names) in corpus.claims


def _level(name: str) -> str:
    """The level that a law's name shows: laws of the legislature end in 法 or 法典, and are Acts with a year."""
    if re.search(r"\b(?:Act|Ordinance),?\s(?:1[89]|20)\d\d(?:\s\([A-Z][\w\s]{1,24}\))?$", name):
        return "law"
    if law_key(name).kind == "interpretation":
        return "interpretation"
    # 办法 ends in 法 but is a rule of ministries.
    return "law" if re.search(r"(?:(?<!办)法|法典)(?:[（(].*[)）])?$", name) else ""


def _not_among(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    """No law of a claimed kind has the name: invented where nothing else explains it, else not recognised."""
    # Most texts name held laws alone, and its expressions take as long to compile as a text takes to check.
    from benchbar.law.recognition import doubt

    doubted = doubt(mention, around, corpus.names)
    why, unknown = (doubted.why, doubted.name) if doubted else ("", None)
    if mention.bare:
        why = why or "the text names no law beside the article"
    if not why and mention.language == "en":
        why = not_tied(mention, around, corpus.jurisdictions)
    if not why and corpus.as_of and int(on[:4]) < int(corpus.as_of[:4]) - _KNOWN_YEARS:
        why = f"the law of {on[:4]} is not all known"
    if why:
        return Finding(CitationStatus.NOT_RECOGNISED, f"no law of this name is known: {why}", unknown_name=unknown)
    near = corpus.names.nearest(mention.names, _CLOSE)
    hint = f"; the nearest is {near}" if near else ""
    return Finding(
        CitationStatus.NO_SUCH_LAW,
        f"the corpus holds all laws of this kind, and none of this name{hint}",
        unknown_name=UnknownName(doubt=NameDoubt.NONE_OF_IT),
    )


def unknown_decision(mention: Mention, corpus: Corpus, around: Surroundings) -> Finding:
    """A decision that the corpus does not hold: another country's or court's, claimed not to exist, or beyond the corpus."""
    if country := foreign_country(mention, around, corpus.jurisdictions, held=False):
        reason = f"a court of {country}: the corpus holds none of its decisions"
        return Finding(CitationStatus.OUTSIDE_CORPUS, reason, country=country)
    code = court_code(mention.case_number)
    if code and code not in corpus.court_codes:
        return Finding(CitationStatus.OUTSIDE_CORPUS, f"the corpus holds no decision of a court called {code}")
    # (1999) 78 P & CR 45 is a page of a report: a corpus knows a decision by its court's number, and may hold it under that.
    if not code and mention.language == "en":
        return Finding(
            CitationStatus.OUTSIDE_CORPUS, "a law report is cited: the corpus knows decisions by their numbers"
        )
    # Only a corpus that claims all decisions of this language can say that one does not exist.
    if corpus.claims & {"decision", "*"} and pack(mention.language).root in corpus.languages:
        return Finding(CitationStatus.NO_SUCH_LAW, "no decision of that number")
    return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus does not hold all decisions")


def missing_article(
    act: Act, edition: Edition, article: Article | None, mention: Mention, corpus: Corpus, on: str
) -> Finding:
    """No edition has the article, or the part of it: invented where that is proven, else nothing can be told."""
    law_id = article.law_id if article else edition.law_id
    # A selection of articles cannot say that one does not exist.
    if not edition.complete:
        return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus holds only some articles of this law", law_id=law_id)
    if not any(len(corpus.rows_of(version.law_id)) for version in edition.versions):
        return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus has no text of this law", law_id=law_id)
    reason = pinpoint(article, mention).reason if article else "the law has no such article"
    why = _unproven(act, article, mention, corpus)
    status = CitationStatus.CANNOT_TELL if why else CitationStatus.NO_SUCH_ARTICLE
    return Finding(
        status,
        f"{reason}, but {why}" if why else reason,
        law_id=law_id,
        in_force=edition.holds_on(on),
        article=article,
        document=article.id if article else None,
    )


def _unproven(act: Act, article: Article | None, mention: Mention, corpus: Corpus) -> str:
    """Why a missing article or paragraph may exist all the same; empty where it cannot."""
    if mention.bare:
        return "the text names no law beside it, and may mean another one"
    if not is_named(act, law_key(corpus.meant(mention.names))):
        return f"it is not certain that {act.name} is meant"
    # Only of levels that it holds all of does a corpus know every amendment: an interpretation of 2011 that it holds
    # may have been amended in 2020.
    whole = not act.other_texts and bool(corpus.claims & {"*", act.latest.versions[0].level})
    if article is None:
        return _unproven_number(act, mention, corpus, whole=whole)
    if whole:
        return ""
    # Articles are renumbered: what stood here in another text stands near by in this one.
    most = max((_paragraphs_near(article, edition, corpus) for edition in act.editions), default=0)
    beyond = mention.paragraph.isdecimal() and int(mention.paragraph) > most
    return "" if beyond else "the corpus may not hold every text of this law"


def _unproven_number(act: Act, mention: Mention, corpus: Corpus, *, whole: bool) -> str:
    numbers = {
        int(number)
        for edition in act.editions
        for version in edition.versions
        for number, _ in corpus.rows_by_number(version.law_id)
        if number.isdecimal()
    }
    last, wanted = max(numbers, default=0), int(mention.article) if mention.article.isdecimal() else 0
    # Another text may have had a few more: 保险法 lost two of 187 articles in 2014.
    if wanted > last + (0 if whole else max(2, last * _SHRINKING)):
        return ""
    if wanted in numbers and mention.sub and whole:
        return ""
    return "another text of the law may have it" if wanted in numbers or wanted > last else "the text at hand has a gap"


def _paragraphs_near(article: Article, edition: Edition, corpus: Corpus) -> int:
    number = int(article.number) if article.number.isdecimal() else 0
    found = 0
    for version in edition.versions:
        rows = corpus.rows_by_number(version.law_id)
        near = (rows.get((str(one), "")) for one in range(number - _RENUMBERED, number + _RENUMBERED + 1))
        found = max([found, *(len(paragraphs_of(corpus.articles[row].text)) for row in near if row is not None)])
    return found
