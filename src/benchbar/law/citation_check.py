"""Every citation of a text, held against a corpus: status, quotation, topic, what the article says, authority."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache

import msgspec

from benchbar.law.authority import other_country, other_court, other_field
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_span, claimed
from benchbar.law.claims.checking import check_claim
from benchbar.law.corpus import Corpus
from benchbar.law.dates import checked
from benchbar.law.denied import NONE_SAID, denied_in, is_denied
from benchbar.law.finding import Finding
from benchbar.law.mention import Mention, Surroundings
from benchbar.law.quotes import quote_after, quote_before, quote_score
from benchbar.law.resolve import resolve
from benchbar.law.topic import LOW_TOPIC, LawTerms, TopicFeatures, body_of
from benchbar.records import INVENTED, Article, AuthorityCheck, Citation, CitationStatus, ClaimCheck, ClaimVerdict


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
    found = tuple(_citation(text, mentions, index, corpus, day) for index in range(len(mentions)))
    if not any(one.status in INVENTED for one in found):
        return found
    denied = denied_in(text, mentions)
    return tuple(
        _as_denied(one) if one.status in INVENTED and is_denied(mention, denied, one.status) else one
        for one, mention in zip(found, mentions, strict=True)
    )


def _as_denied(one: Citation) -> Citation:
    """A citation of what the text itself says does not exist: an answer that corrects an invention makes none."""
    if one.status is CitationStatus.NO_SUCH_LAW and not one.case_number:
        reason = f"no law of this name is known: {NONE_SAID}"
        return msgspec.structs.replace(one, status=CitationStatus.NOT_RECOGNISED, reason=reason, unknown_name=None)
    return msgspec.structs.replace(one, status=CitationStatus.CANNOT_TELL, reason=f"{one.reason}, but {NONE_SAID}")


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
        treatment=found.treatment,
        elliptical=not mention.law and bool(mention.antecedent),
        through=mention.through or None,
        article_id=found.document,
        unchecked=found.unchecked,
        valid_from=found.validity[0] or None,
        valid_to=found.validity[1] or None,
        unknown_name=found.unknown_name,
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


def summary(citations: Iterable[Citation]) -> dict[str, int]:
    """How many citations have each status, every status named."""
    counts = dict.fromkeys((status.value for status in CitationStatus), 0)
    for citation in citations:
        counts[citation.status.value] += 1
    return counts
