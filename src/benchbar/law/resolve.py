"""Citations held against a corpus: does the law exist, the article, was it in force, is it quoted as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from rapidfuzz import fuzz, process

from benchbar.languages.packs import pack
from benchbar.law.alignment import body_of
from benchbar.law.citations import extract, grammar
from benchbar.law.corpus import Corpus
from benchbar.law.dates import checked
from benchbar.law.history import Act, Edition, find_repeal
from benchbar.law.mention import Mention
from benchbar.law.names import law_key
from benchbar.law.names_zh import is_foreign
from benchbar.law.quotes import quote_after, quote_before, quote_score
from benchbar.law.support import claim_around
from benchbar.records import Article, Citation, CitationStatus

_BOOK = re.compile(r"(.*法典)(?:总则|物权|合同|人格权|婚姻家庭|继承|侵权责任|附则)编?$")


# Below 80 the nearest name has little to do with the one that was written.
_CLOSE = 80
"""Similarity in percent from which a law is named as the nearest to one that does not exist."""
# 合同法 ends 劳动合同法, which is another law; six characters are seldom shared by accident.
_TELLING = 6
"""Characters from which a name that ends a longer one tells which law is meant: 居民委员会组织法, not 合同法."""


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


def check_citations(text: str, corpus: Corpus, *, on: str = "", language: str | None = None) -> tuple[Citation, ...]:
    """Every citation of a text, resolved: status, law in force on the day, quote against the article, support.

    Args:
        text: an answer, a judgment, a contract.
        corpus: the law.
        on: the day of the matter (YYYY-MM-DD); today where it is left out.
        language: look for the forms of this language only.

    Raises:
        ValueError: ``on`` is no date.
    """
    day = on or datetime.now(UTC).date().isoformat()
    if on and checked(on) != on:
        raise ValueError(f"{on!r} is no date of the form YYYY-MM-DD")
    mentions = list(extract(text, language, known=corpus.known_names))
    return tuple(_citation(text, mentions, index, corpus, day) for index in range(len(mentions)))


def _citation(text: str, mentions: list[Mention], index: int, corpus: Corpus, day: str) -> Citation:
    mention = mentions[index]
    found = resolve(mention, corpus, on=day)
    # A list's members overlap in their spans: the next citation begins behind this one.
    later = (mentions[at].span[0] for at in range(index + 1, len(mentions)) if mentions[at].span[0] >= mention.span[1])
    limit = next(later, len(text))
    # Paragraphs and whole laws have no text of their own to be quoted here.
    quoted = (quote_after(text, mention, limit) or quote_before(text, mention)) if mention.article else None
    quote = text[quoted[0] : quoted[1]] if quoted else None
    body = body_of(found.article) if found.article else ""
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
        quote_score=quote_score(quote, body) if quote and body else None,
        support=_support(claim_around(text, mentions, index), found.article, corpus) if found.article else None,
        elliptical=not mention.law and bool(mention.antecedent),
        through=mention.through or None,
        article_id=found.document,
    )


def _support(claim: str, article: Article, corpus: Corpus) -> float | None:
    row = corpus.row(article.law_id, article.number, article.sub)
    if row is None or not article.text:
        return None
    return corpus.terms_of(article.law_id).support(claim, row - corpus.rows_of(article.law_id).start)


def resolve(mention: Mention, corpus: Corpus, *, on: str) -> Finding:
    """What the corpus says about a mention on a day (YYYY-MM-DD)."""
    if mention.case_number:
        return _decision(mention, corpus, on)
    if not mention.names:
        return Finding(CitationStatus.AMBIGUOUS, "the text does not say of which law")
    acts = _acts(mention, corpus)
    if not acts:
        return _unknown(mention, corpus, on)
    findings = [_in_act(act, mention, corpus, on) for act in acts]
    # One act in which the article stands decides between acts of one name.
    best = [one for one in findings if one.status is CitationStatus.VERIFIED] or findings
    if len({one.law_id for one in best}) > 1:
        names = "; ".join(sorted({act.name for act in acts}))
        return Finding(CitationStatus.AMBIGUOUS, f"several laws go by that name: {names}")
    return best[0]


def _acts(mention: Mention, corpus: Corpus) -> tuple[Act, ...]:
    acts = corpus.acts_named(mention.names)
    if len(acts) > 1 and mention.year:
        # A year in the name tells acts of one name apart; elsewhere it is the edition's.
        acts = tuple(act for act in acts if mention.year in act.name) or acts
    book = _BOOK.match(mention.names)
    return acts or (corpus.acts_named(book[1]) if book else ())


def _decision(mention: Mention, corpus: Corpus, on: str) -> Finding:
    decision = corpus.decision(mention.case_number)
    if decision is None:
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
        )
    return Finding(CitationStatus.VERIFIED, in_force=True, document=decision.id)


def _unknown(mention: Mention, corpus: Corpus, on: str) -> Finding:
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
        return _not_among(mention, corpus)
    return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus does not hold this law, nor all laws of its kind")


def _not_among(mention: Mention, corpus: Corpus) -> Finding:
    """No law of a claimed kind has the name; a longer name that ends with it may be what was meant."""
    core, names = law_key(mention.names).core, corpus.names_by_core
    longer = [name for key, name in names.items() if key.endswith(core) and key != core]
    # It may be short for the only law that ends so: an accusation of invention would be too much.
    if len(longer) == 1 and len(core) >= _TELLING:
        return Finding(CitationStatus.AMBIGUOUS, f"no law has this name; it may be short for {longer[0]}")
    close = process.extractOne(core, names.keys(), scorer=fuzz.ratio, score_cutoff=_CLOSE)
    hint = f"; the nearest is {names[close[0]]}" if close else ""
    return Finding(CitationStatus.NO_SUCH_LAW, f"the corpus holds all laws of this kind, and none of this name{hint}")


def _held_name(name: str, corpus: Corpus) -> str:
    """The name under which the corpus holds the law, where it does."""
    acts = corpus.acts_named(name)
    return acts[0].name if acts else name


def _claimed(mention: Mention, corpus: Corpus) -> bool:
    # Foreign and historical laws are outside whatever the corpus claims.
    if pack(mention.language).root not in corpus.languages or is_foreign(mention.names):
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
    if mention.year and not _of_year(act, mention.year) and act.latest.in_force:
        reason = f"the corpus has no text of this law of {mention.year}"
        return Finding(CitationStatus.OUTSIDE_CORPUS, reason, law_id=act.latest.law_id)
    meant = _edition(act, mention, on)
    if not mention.article:
        return _whole_law(act, meant, on)
    article = _article(meant, mention, corpus) if meant else None
    if meant and article:
        return _found(meant, article, mention, on)
    # Asked of a day before the first edition, the earliest text is the nearest; else the latest.
    too_early = bool(act.editions[0].in_force) and on < act.editions[0].in_force
    for edition in act.editions if too_early else reversed(act.editions):
        other = _article(edition, mention, corpus)
        if other:
            return _elsewhere(act, edition, meant, other, on)
    edition = meant or act.latest
    law_id = edition.law_id
    # A selection of articles cannot say that one does not exist.
    if not edition.complete:
        return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus holds only some articles of this law", law_id=law_id)
    if not any(len(corpus.rows_of(version.law_id)) for version in edition.versions):
        return Finding(CitationStatus.OUTSIDE_CORPUS, "the corpus has no text of this law", law_id=law_id)
    in_force = edition.holds_on(on)
    return Finding(CitationStatus.NO_SUCH_ARTICLE, "the law has no such article", law_id=law_id, in_force=in_force)


def _of_year(act: Act, year: str) -> Edition | None:
    """The edition adopted or in force since that year."""
    for edition in act.editions:
        if year in {day[:4] for one in edition.versions for day in (one.adopted, one.in_force)}:
            return edition
    return None


def _edition(act: Act, mention: Mention, on: str) -> Edition | None:
    if mention.year and (named := _of_year(act, mention.year)):
        return named
    holding = [one for one in act.editions if one.holds_on(on)]
    if holding:
        # The last one: of two that hold on a day, the later one replaced the earlier.
        return holding[-1]
    unsure = [one for one in act.editions if one.holds_on(on) is None]
    return unsure[-1] if unsure else None


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
    if in_force is False or (meant.expired and in_force is None):
        return _not_in_force(act, meant, on)
    return Finding(CitationStatus.VERIFIED, law_id=meant.law_id, in_force=in_force)


def _not_in_force(act: Act, edition: Edition, on: str, article: Article | None = None) -> Finding:
    reason = f"in force from {edition.in_force}" if edition.in_force and on < edition.in_force else "no longer in force"
    if edition.until and on > edition.until:
        reason = f"in force until {edition.until}"
    older = edition is act.editions[0] and act.since < min(one.adopted or one.in_force for one in edition.versions)
    # The act is older than the text at hand: on that day another text was in force, which the corpus does not
    # hold.
    if older and act.since <= on < edition.in_force:
        return Finding(
            CitationStatus.OUTSIDE_CORPUS,
            f"the corpus has no text of this law from before {edition.in_force}",
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


def _found(edition: Edition, article: Article, mention: Mention, on: str) -> Finding:
    in_force = edition.holds_on(on)
    fields = {"law_id": article.law_id, "article": article, "document": article.id}
    if article.repealed:
        return Finding(CitationStatus.NOT_IN_FORCE, "the article was repealed", in_force=False, **fields)  # type: ignore[arg-type]
    # The source calls it expired and gives no day.
    if in_force is False or (in_force is None and edition.expired):
        reason = f"in force until {edition.until}" if edition.until else "no longer in force"
        return Finding(
            CitationStatus.NOT_IN_FORCE,
            reason,
            in_force=in_force,
            superseded_by=edition.superseded_by or None,
            **fields,  # type: ignore[arg-type]
        )
    missing = _missing_paragraph(article, mention)
    status = CitationStatus.NO_SUCH_ARTICLE if missing else CitationStatus.VERIFIED
    return Finding(status, missing, in_force=in_force, **fields)  # type: ignore[arg-type]


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


# （一） and 1. begin items: they are lines, but no paragraphs.
_ITEM_LINE = re.compile(r"^[（(][一二三四五六七八九十百]{1,4}[)）]|^[（(]\d{1,2}[)）]|^\d{1,2}[.．、]")


def _missing_paragraph(article: Article, mention: Mention) -> str:
    """Why the paragraph or item cannot be; empty where it can, or where the text does not show paragraphs."""
    lines, paragraphs_are = article.text.splitlines(), grammar(mention.language).PARAGRAPHS
    if paragraphs_are == "lines" and mention.paragraph.isdecimal():
        paragraphs = sum(not _ITEM_LINE.match(line) for line in lines)
        if int(mention.paragraph) > paragraphs > 0:
            return f"the article has {paragraphs} paragraph{'s' if paragraphs > 1 else ''}"
    if paragraphs_are == "numbers" and re.fullmatch(r"\d+(?:\.\d+)*", mention.paragraph):
        numbers = {found[1] for line in lines if (found := re.match(r"(\d+(?:\.\d+)*)\.?\s", line))}
        # An article that shows no numbers may still have parts: nothing is said.
        if numbers and mention.paragraph not in numbers:
            return f"the article has no part {mention.paragraph}"
    return ""


def summary(citations: Iterable[Citation]) -> dict[str, int]:
    """How many citations have each status, every status named."""
    counts = dict.fromkeys((status.value for status in CitationStatus), 0)
    for citation in citations:
        counts[citation.status.value] += 1
    return counts
