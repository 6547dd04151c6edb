"""Citations held against a corpus: does the law exist, the article, was it in force, is it quoted as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache

from benchbar.languages.packs import pack
from benchbar.law.authority import court_code, foreign_country, other_country, other_court, other_field
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_span, claimed
from benchbar.law.claims.checking import check_claim
from benchbar.law.corpus import Corpus, is_named
from benchbar.law.dates import checked, day_after
from benchbar.law.history import Act, Edition, find_repeal
from benchbar.law.mention import NOWHERE, Mention, Surroundings
from benchbar.law.names import law_key
from benchbar.law.own_dates import by_own_dates
from benchbar.law.pinpoints import Found, inside_of_range, paragraphs_of, pinpoint
from benchbar.law.quotes import quote_after, quote_before, quote_score
from benchbar.law.topic import LOW_TOPIC, LawTerms, TopicFeatures, body_of
from benchbar.records import INVENTED, Article, AuthorityCheck, Citation, CitationStatus, ClaimCheck, ClaimVerdict

_BOOK = re.compile(r"(.*法典)(?:总则|物权|合同|人格权|婚姻家庭|继承|侵权责任|附则)编?$")


# Below 80 the nearest name has little to do with the one that was written.
_CLOSE = 80
"""Similarity in percent from which a law is named as the nearest to one that does not exist."""
_KNOWN_YEARS = 20
"""Years before its last day for which a compilation of today's law, and the list of known repeals, know every law."""
_SHRINKING = 0.02
"""Share of its articles that a law may have lost to its next text."""
_RENUMBERED = 10
"""Numbers by which an article may be off in another text of its law."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the corpus says about one mention."""

    status: CitationStatus
    reason: str = ""
    law_id: str | None = None
    in_force: bool | None = None
    superseded_by: str | None = None
    article: Article | None = None
    document: str | None = None
    """Id of the article or decision."""
    unchecked: tuple[str, ...] = ()
    """Parts of the citation that could not be looked up."""
    country: str = ""
    """The country whose law it is, where that is none of the corpus's."""
    court: str = ""
    """The court of a decision that the corpus holds."""
    validity: tuple[str, str] = ("", "")
    """First day of the article's wording and first day of the next one; empty where not known."""


def check_citations(text: str, corpus: Corpus, *, on: str = "", language: str | None = None) -> tuple[Citation, ...]:
    """Every citation of a text, resolved: status, law in force on the day, quote against the article, topic.

    Args:
        text: an answer, a judgment, a contract.
        corpus: the law.
        on: the day of the matter (YYYY-MM-DD); today where it is left out, or the last day that the corpus knows.
        language: look for the forms of this language only.

    Raises:
        ValueError: ``on`` is no date.
    """
    day = on or corpus.day_of_today(datetime.now(UTC).date().isoformat())
    if on and checked(on) != on:
        raise ValueError(f"{on!r} is no date of the form YYYY-MM-DD")
    mentions = list(extract(text, language, known=corpus.known_names))
    return tuple(_citation(text, mentions, index, corpus, day) for index in range(len(mentions)))


def _citation(text: str, mentions: list[Mention], index: int, corpus: Corpus, day: str) -> Citation:
    mention, around = mentions[index], Surroundings.of(text, mentions[index].span)
    found = resolve(mention, corpus, on=day, around=around)
    # A list's members overlap in their spans: the next citation begins behind this one.
    later = (mentions[at].span[0] for at in range(index + 1, len(mentions)) if mentions[at].span[0] >= mention.span[1])
    limit = next(later, len(text))
    # Paragraphs and whole laws have no text of their own to be quoted here.
    quoted = (quote_after(text, mention, limit) or quote_before(text, mention)) if mention.article else None
    quote = text[quoted[0] : quoted[1]] if quoted else None
    body = body_of(found.article) if found.article else ""
    score = quote_score(quote, body) if quote and body else None
    topic, checked, claim = None, None, ""
    if found.article:
        span = claim_span(text, mentions, index)
        claim = claimed(text, span, mention)
        topic = _topic(claim, found.article, corpus)
        verbatim = sum(map(str.isalnum, quote)) if quote and score == 1 else 0
        checked = check_claim(text, span, found.article.text, mention, topic=topic, quoted=verbatim)
    return Citation(
        span=mention.span,
        text=mention.text,
        language=mention.language,
        status=found.status,
        law=mention.names or None,
        law_id=found.law_id,
        article=mention.article or None,
        sub=mention.sub or None,
        paragraph=mention.paragraph or None,
        item=mention.item or None,
        case_number=mention.case_number or None,
        reason=found.reason,
        in_force=found.in_force,
        superseded_by=found.superseded_by,
        quote=quote,
        quote_score=score,
        topic=round(topic.topic, 4) if topic else None,
        claim_check=checked,
        authority=_authority(found, mention, around, corpus, (claim, topic, checked)),
        elliptical=not mention.law and bool(mention.antecedent),
        through=mention.through or None,
        article_id=found.document,
        unchecked=found.unchecked,
        valid_from=found.validity[0] or None,
        valid_to=found.validity[1] or None,
    )


def _authority(
    found: Finding,
    mention: Mention,
    around: Surroundings,
    corpus: Corpus,
    claimed: tuple[str, TopicFeatures | None, ClaimCheck | None],
) -> AuthorityCheck | None:
    """Why a law or decision that exists is no authority here; None where nothing shows it."""
    if found.country:
        return other_country(found.country, mention, around)
    if mention.case_number:
        return other_court(mention, around, found.court)
    claim, topic, checked = claimed
    # An article that speaks of the matter is in its field, whatever its law is called.
    silent = checked is not None and checked.verdict is ClaimVerdict.SILENT
    if not found.article or not (silent or (topic and topic.topic < LOW_TOPIC)):
        return None
    version = corpus.by_id.get(found.article.law_id)
    return other_field(version.name if version else mention.names, mention.language, claim)


def _topic(claim: str, article: Article, corpus: Corpus) -> TopicFeatures | None:
    row = corpus.row(article.law_id, article.number, article.sub)
    if row is None or not article.text:
        return None
    return _features(corpus.terms_of(article.law_id), claim, row - corpus.rows_of(article.law_id).start)


# A sentence comes again in the next turn, and from the assistant beside it.
@lru_cache(maxsize=1024)
def _features(law: LawTerms, claim: str, place: int) -> TopicFeatures | None:
    return law.features(claim, place)


def resolve(mention: Mention, corpus: Corpus, *, on: str, around: Surroundings = NOWHERE) -> Finding:
    """What the corpus says about a mention on a day (YYYY-MM-DD), given what the text around it speaks of."""
    found = _resolve(mention, corpus, on, around)
    if corpus.as_of and on > corpus.as_of and found.status in _MAY_CHANGE:
        reason = f"the corpus ends on {corpus.as_of}: what it holds may have changed since"
        return replace(found, status=CitationStatus.AFTER_SNAPSHOT, reason=reason, in_force=None)
    return found


_MAY_CHANGE = INVENTED | {CitationStatus.VERIFIED}
"""What a later law can make untrue: a law out of force stays so."""


def _resolve(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    if mention.case_number:
        return _decision(mention, corpus, on, around)
    if not mention.names:
        return Finding(CitationStatus.AMBIGUOUS, "the text does not say of which law")
    acts = _acts(mention, corpus)
    if country := foreign_country(mention, around, corpus.jurisdictions, held=bool(acts)):
        return Finding(CitationStatus.OUTSIDE_CORPUS, f"law of {country}: the corpus holds none of it", country=country)
    if not acts:
        return _unknown(mention, corpus, on, around)
    findings = [_in_act(act, mention, corpus, on) for act in acts]
    # One act in which the article stands decides between acts of one name.
    best = [one for one in findings if one.status is CitationStatus.VERIFIED] or findings
    if mention.document_number:
        best = [_numbered(one, mention, acts) for one in best]
    if len({one.law_id for one in best}) > 1:
        names = "; ".join(sorted({act.name for act in acts}))
        return Finding(CitationStatus.AMBIGUOUS, f"several laws go by that name: {names}")
    return best[0]


def _numbered(found: Finding, mention: Mention, acts: tuple[Act, ...]) -> Finding:
    """The finding with the number of the document, whose year alone can be held against the texts at hand."""
    found = replace(found, unchecked=(*found.unchecked, "document_number"))
    year = re.search(r"(?:19|20)\d\d", mention.document_number)
    versions = [version for act in acts for edition in act.editions for version in edition.versions]
    years = {int(day[:4]) for one in versions for day in (one.adopted, one.in_force, one.since) if day}
    # Adopted in December and numbered in January: a year more or less proves nothing.
    if found.status is not CitationStatus.VERIFIED or not year or not years:
        return found
    if any(abs(int(year[0]) - one) <= 1 for one in years):
        return found
    known = ", ".join(map(str, sorted(years)))
    reason = f"the number beside the title is of {year[0]}; the texts at hand are of {known}"
    return replace(found, status=CitationStatus.CANNOT_TELL, reason=reason)


def _acts(mention: Mention, corpus: Corpus) -> tuple[Act, ...]:
    acts = corpus.acts_named(mention.names)
    if len(acts) > 1 and mention.year:
        # A year in the name tells acts of one name apart; elsewhere it is the edition's.
        acts = tuple(act for act in acts if mention.year in act.name) or acts
    book = _BOOK.match(mention.names)
    return acts or (corpus.acts_named(book[1]) if book else ())


def _decision(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    decision = corpus.decision(mention.case_number)
    if decision is None:
        if country := foreign_country(mention, around, corpus.jurisdictions, held=False):
            reason = f"a court of {country}: the corpus holds none of its decisions"
            return Finding(CitationStatus.OUTSIDE_CORPUS, reason, country=country)
        code = court_code(mention.case_number)
        if code and code not in corpus.court_codes:
            return Finding(CitationStatus.OUTSIDE_CORPUS, f"the corpus holds no decision of a court called {code}")
        # Only a corpus that claims all decisions of this language can say that one does not exist.
        if corpus.claims & {"decision", "*"} and pack(mention.language).root in corpus.languages:
            return Finding(CitationStatus.NO_SUCH_LAW, "no decision of that number")
        return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus does not hold all decisions")
    later = corpus.decision(decision.overruled_by) if decision.overruled_by else None
    # Before the day of the later decision the earlier one still stood.
    if decision.overruled_by and not (later and on < later.date):
        reason = f"set aside by {decision.overruled_by}"
        return Finding(
            CitationStatus.NOT_IN_FORCE,
            reason,
            in_force=False,
            superseded_by=decision.overruled_by,
            document=decision.id,
            court=decision.court,
        )
    return Finding(CitationStatus.VERIFIED, in_force=True, document=decision.id, court=decision.court)


def _unknown(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
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
    return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus does not hold this law, nor all laws of its kind")


def _not_among(mention: Mention, corpus: Corpus, on: str, around: Surroundings) -> Finding:
    """No law of a claimed kind has the name: invented where nothing else explains it, else not recognised."""
    # Most texts name held laws alone, and its expressions take as long to compile as a text takes to check.
    from benchbar.law.recognition import doubt

    why = doubt(mention, around, corpus.names)
    if mention.bare:
        why = why or "the text names no law beside the article"
    if not why and corpus.as_of and int(on[:4]) < int(corpus.as_of[:4]) - _KNOWN_YEARS:
        why = f"the law of {on[:4]} is not all known"
    if why:
        return Finding(CitationStatus.NOT_RECOGNISED, f"no law of this name is known: {why}")
    near = corpus.names.nearest(mention.names, _CLOSE)
    hint = f"; the nearest is {near}" if near else ""
    return Finding(CitationStatus.NO_SUCH_LAW, f"the corpus holds all laws of this kind, and none of this name{hint}")


def _held_name(name: str, corpus: Corpus) -> str:
    """The name under which the corpus holds the law, where it does."""
    acts = corpus.acts_named(name)
    return acts[0].name if acts else name


def _claimed(mention: Mention, corpus: Corpus) -> bool:
    # A law of the same language may be another country's: its script tells the mainland's from Taiwan's.
    if pack(mention.language).tag not in corpus.variants:
        return False
    return "*" in corpus.claims or _level(mention.names) in corpus.claims


def _level(name: str) -> str:
    """The level that a law's name shows: laws of the legislature end in 法 or 法典."""
    if law_key(name).kind == "interpretation":
        return "interpretation"
    # 办法 ends in 法 but is a rule of ministries.
    return "law" if re.search(r"(?:(?<!办)法|法典)(?:[（(].*[)）])?$", name) else ""


def _in_act(act: Act, mention: Mention, corpus: Corpus, on: str) -> Finding:
    """The citation within one act: in the edition meant (by year, else by day), else in another."""
    # The text names an edition that the corpus has not: to judge it by another one would be a guess.
    if mention.year and not _of_year(act, mention.year) and act.latest.begins:
        reason = f"the corpus has no text of this law of {mention.year}"
        return Finding(CitationStatus.OUTSIDE_CORPUS, reason, law_id=act.latest.law_id)
    if own := _by_own_dates(act, mention, corpus, on):
        return own
    possible = _possible(act, mention, on)
    findings = [_in_edition(edition, act, mention, corpus, on) for edition in possible]
    if not findings:
        return _in_edition(None, act, mention, corpus, on)
    # Where the day does not tell two editions apart, what both say alike is certain.
    texts = {re.sub(r"\W", "", one.article.text) if one.article else "" for one in findings}
    certain = possible[-1].holds_on(on) is not None or (len(possible) > 1 and len(texts) == 1)
    last = findings[-1]
    if (certain and len({one.status for one in findings}) == 1) or last.status not in _MAY_CHANGE:
        return last if len(findings) == 1 else replace(last, in_force=True if last.in_force is None else last.in_force)
    unsure = next(one for one in reversed(possible) if one.holds_on(on) is None)
    return replace(last, status=CitationStatus.CANNOT_TELL, reason=_unsure(unsure, on), in_force=None)


def _by_own_dates(act: Act, mention: Mention, corpus: Corpus, on: str) -> Finding | None:
    """The citation by the days of the article itself, where its file states them; None where the editions decide."""
    if not mention.article or mention.year:
        return None
    texts = [(one, article) for one in act.editions if (article := _article(one, mention, corpus))]
    own = by_own_dates(texts, on, act.since)
    if own is None:
        return None
    if own.status is CitationStatus.VERIFIED:
        # Parts are looked for in the text of that day alone; where it shows none, the editions are asked.
        if pinpoint(own.article, mention).found is Found.MISSING:
            return None
        article, stated = own.article, own.article.stated
        validity = (stated.in_force, day_after(stated.until) if stated.until else "")
        found = Finding(
            CitationStatus.VERIFIED,
            law_id=article.law_id,
            in_force=True,
            article=article,
            document=article.id,
            validity=validity,
        )
        return _in_parts(found, own.edition, article, mention, corpus)
    in_force = False if own.status is CitationStatus.NOT_IN_FORCE else None
    return Finding(own.status, own.reason, own.article.law_id, in_force, article=own.article, document=own.article.id)


def _unsure(edition: Edition, on: str) -> str:
    if (
        not edition.in_force
        and edition.adopted
        and not (edition.replacement_adopted and on >= edition.replacement_adopted)
    ):
        return f"adopted on {edition.adopted}; since when it is in force is not known"
    if edition.replacement_adopted:
        return f"its successor was adopted on {edition.replacement_adopted}; since when that is in force is not known"
    return "no longer in force; since when is not known"


def _in_edition(meant: Edition | None, act: Act, mention: Mention, corpus: Corpus, on: str) -> Finding:
    if not mention.article:
        return _whole_law(act, meant, on)
    article = _article(meant, mention, corpus) if meant else None
    if meant and article and pinpoint(article, mention).found is not Found.MISSING:
        found = _found(meant, article, mention, corpus, on)
        return replace(found, validity=_validity(act, meant, article, corpus))
    # Asked of a day before the first edition, the earliest text is the nearest; else the latest.
    too_early = on < act.editions[0].begins
    for edition in act.editions if too_early else reversed(act.editions):
        other = _article(edition, mention, corpus)
        if other and edition is not meant and pinpoint(other, mention).found is not Found.MISSING:
            return _elsewhere(act, edition, meant, other, on)
    if meant is None and article is None and (stale := _article(act.latest, mention, corpus)):
        return _not_in_force(act, act.latest, on, stale)
    return _missing(act, meant or act.latest, article, mention, corpus, on)


def _validity(act: Act, meant: Edition, article: Article, corpus: Corpus) -> tuple[str, str]:
    """[from, to) of the article's wording, through the editions next to each other that have it word for word."""
    words = re.sub(r"\W", "", article.text)
    same = []
    for edition in act.editions:
        rows = (corpus.row(version.law_id, article.number, article.sub) for version in edition.versions)
        same.append(any(row is not None and re.sub(r"\W", "", corpus.articles[row].text) == words for row in rows))
    first = last = act.editions.index(meant)
    while first and same[first - 1]:
        first -= 1
    while last + 1 < len(same) and same[last + 1]:
        last += 1
    # The wording may be older than the first text at hand.
    begins = act.editions[first].in_force if first or not act.other_texts else ""
    until = act.editions[last].until
    return begins, day_after(until) if until else ""


def _missing(act: Act, edition: Edition, article: Article | None, mention: Mention, corpus: Corpus, on: str) -> Finding:
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


def _of_year(act: Act, year: str) -> Edition | None:
    """The edition adopted or in force since that year."""
    for edition in act.editions:
        if year in {day[:4] for one in edition.versions for day in (one.adopted, one.in_force)}:
            return edition
    return None


def _possible(act: Act, mention: Mention, on: str) -> list[Edition]:
    """The editions that the citation may mean: the one named, else those that were, or may have been, in force."""
    if mention.year and (named := _of_year(act, mention.year)):
        return [named]
    holding = [one for one in act.editions if one.holds_on(on)]
    unsure = [one for one in act.editions if one.holds_on(on) is None]
    # Of two that hold on a day, the later one replaced the earlier.
    found = holding[-1:] + [one for one in unsure if not holding or one.begins > holding[-1].begins]
    return sorted(found, key=act.editions.index)


def _article(edition: Edition, mention: Mention, corpus: Corpus) -> Article | None:
    for version in edition.versions:
        row = corpus.row(version.law_id, mention.article, mention.sub)
        if row is not None:
            return corpus.articles[row]
    return None


def _whole_law(act: Act, meant: Edition | None, on: str) -> Finding:
    if meant is None:
        return _not_in_force(act, act.latest if act.latest.until else act.editions[0], on)
    in_force = meant.holds_on(on)
    # An older edition may or may not stand on the day: the act does either way, where a later one took its place.
    if in_force is False or (in_force is None and meant.expired and meant is act.latest):
        return _not_in_force(act, meant, on)
    return Finding(CitationStatus.VERIFIED, law_id=meant.law_id, in_force=in_force)


def _not_in_force(act: Act, edition: Edition, on: str, article: Article | None = None) -> Finding:
    reason = f"in force from {edition.in_force}" if edition.in_force and on < edition.in_force else "no longer in force"
    if not edition.in_force and on < edition.adopted:
        reason = f"adopted only on {edition.adopted}"
    if edition.until and on > edition.until:
        reason = f"in force until {edition.until}"
    older = edition is act.editions[0] and act.since < min(one.adopted or one.in_force for one in edition.versions)
    # The act is older than the text at hand: on that day another text was in force, which the corpus does not
    # hold.
    if older and act.since <= on < edition.begins:
        return Finding(
            CitationStatus.OUTSIDE_CORPUS,
            f"the corpus has no text of this law from before {edition.begins}",
            law_id=edition.law_id,
        )
    return Finding(
        CitationStatus.NOT_IN_FORCE,
        reason,
        law_id=edition.law_id,
        in_force=False,
        superseded_by=edition.superseded_by or None,
        article=article,
        document=article.id if article else None,
    )


def _found(edition: Edition, article: Article, mention: Mention, corpus: Corpus, on: str) -> Finding:
    in_force = edition.holds_on(on)
    found = Finding(
        CitationStatus.VERIFIED, law_id=article.law_id, in_force=in_force, article=article, document=article.id
    )
    if article.repealed:
        return replace(found, status=CitationStatus.NOT_IN_FORCE, reason="the article was repealed", in_force=False)
    # The source calls it expired and gives no day.
    undated = in_force is None and edition.expired and not edition.replacement_adopted
    if in_force is False or (undated and not (corpus.as_of and on < corpus.as_of)):
        return replace(
            found,
            status=CitationStatus.NOT_IN_FORCE,
            reason=f"in force until {edition.until}" if edition.until else "no longer in force",
            superseded_by=edition.superseded_by or None,
        )
    return _in_parts(found, edition, article, mention, corpus)


def _in_parts(found: Finding, edition: Edition, article: Article, mention: Mention, corpus: Corpus) -> Finding:
    """The finding where the parts and the range that were cited are there; else what could not be checked."""
    unchecked = pinpoint(article, mention)
    if unchecked.found is Found.UNKNOWN:
        reason = f"the article is there; {unchecked.reason}"
        return replace(found, status=CitationStatus.CANNOT_TELL, reason=reason, unchecked=(unchecked.part,))
    numbers = [
        int(number) for one in edition.versions for number, _ in corpus.rows_by_number(one.law_id) if number.isdecimal()
    ]
    if mention.through and (gap := inside_of_range(mention, numbers)):
        return replace(found, status=CitationStatus.CANNOT_TELL, reason=gap, unchecked=("range",))
    return found


def _elsewhere(act: Act, edition: Edition, meant: Edition | None, article: Article, on: str) -> Finding:
    """The number stands only in an edition that is not the one meant."""
    finding = _not_in_force(act, edition, on, article)
    if meant is None or finding.status is CitationStatus.OUTSIDE_CORPUS:
        return finding
    reason = f"this number stands only in the text that was {finding.reason}"
    return Finding(
        CitationStatus.NOT_IN_FORCE,
        reason,
        law_id=edition.law_id,
        in_force=False,
        superseded_by=meant.law_id,
        article=article,
        document=article.id,
    )


def summary(citations: Iterable[Citation]) -> dict[str, int]:
    """How many citations have each status, every status named."""
    counts = dict.fromkeys((status.value for status in CitationStatus), 0)
    for citation in citations:
        counts[citation.status.value] += 1
    return counts
