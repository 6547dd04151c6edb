"""Does the article say that? One claim in a text, held against the part of the article that it cites."""

from __future__ import annotations

from functools import lru_cache

from benchbar.languages.text import Span, words_around
from benchbar.law.claims.comparing import compare
from benchbar.law.claims.deciding import UNIVERSAL, Decision, decide
from benchbar.law.claims.passage import cited_part
from benchbar.law.claims.reading import Reading
from benchbar.law.mention import Mention
from benchbar.law.topic import TopicFeatures
from benchbar.records import Citation, ClaimCheck, ClaimVerdict

VERSION = "9"
"""Of the rules; ``measured.json`` says which one was measured."""
_SHORTEST = 4
"""Telling terms below which a text says too little to be held against an article; half of it where it names a number."""
_VERBATIM = 0.9
"""Share of the claim that a word-for-word quotation has to be, for nothing else to be looked at."""
_REASONS = {
    "number": "another number",
    "polarity": "one says yes where the other says no",
    "negation": "one denies what the other does not",
    "opposite": "one says the opposite of the other",
    "exception": "the claim denies an exception that the article makes",
    "subject": "the claim says it of somebody else",
    "violated": "the text tells of a breach: what was done is not what the article says",
    "hedged": "the text asks, reports or supposes",
}


def check_claim(
    text: str,
    span: Span,
    article: str,
    mention: Mention,
    *,
    topic: TopicFeatures | None = None,
    quoted: int = 0,
) -> ClaimCheck | None:
    """Whether an article says what a text says on its authority; None where that is too little to tell.

    Args:
        text: the whole text; spans of the result are offsets in it, and in ``article``.
        span: the claim, as ``benchbar.law.claims.around.claim_span`` finds it.
        article: the text of the cited article.
        mention: the citation: its paragraph and item say which part of the article counts.
        topic: how far the claim is about the article, where its law is at hand.
        quoted: characters of the claim that are quoted from the article word for word.
    """
    claim = masked(text, span, mention)
    letters = sum(map(str.isalnum, claim))
    # Most citations of an assistant that quotes are of this kind: nothing has to be read.
    if quoted and quoted >= _VERBATIM * letters:
        return ClaimCheck(
            verdict=ClaimVerdict.SUPPORTS,
            probability=0.99,
            reason="quoted word for word",
            claim_span=span,
            said=span,
        )
    found = _decided(claim, cited_part(article, mention), mention.language, topic) if article.strip() else None
    return _marked(found, text, span, article) if found else None


def masked(text: str, span: Span, mention: Mention | Citation) -> str:
    """The claim with the citation in it blanked, so that offsets hold: 第十九条 is no number of the claim."""
    start, end = span
    low, high = max(start, mention.span[0]), min(end, mention.span[1])
    return text[start:end] if low >= high else text[start:low] + " " * (high - low) + text[high:end]


# Assistants repeat themselves from turn to turn, and each other.
@lru_cache(maxsize=4096)
def _decided(claim: str, article: str, language: str, topic: TopicFeatures | None) -> Decision | None:
    reading = Reading(claim, language)
    if len(reading.terms) < (_SHORTEST if not reading.numbers else _SHORTEST // 2):
        return None
    return decide(
        compare(reading, _article(article, language)), topic, language, reserved=reservation(reading, article)
    )


def reservation(claim: Reading, article: str) -> str:
    """Why a claim is not one about the law alone: ``violated``, ``hedged``, ``universal``, or empty where it is."""
    for name, words in (("violated", claim.words.violated), ("hedged", claim.words.hedged)):
        # What the article says itself is no breach and no report: 违法行为, notification of a breach.
        if any(found[0] not in article.lower() for found in words.finditer(claim.plain)):
            return name
    return UNIVERSAL if claim.words.universal.search(claim.plain) else ""


@lru_cache(maxsize=512)
def _article(text: str, language: str) -> Reading:
    return Reading(text, language)


def _marked(found: Decision, text: str, span: Span, article: str) -> ClaimCheck:
    conflict = found.conflict
    place = (span[0] + conflict.claim[0], span[0] + conflict.claim[1]) if conflict else span
    reason = _REASONS[conflict.kind] if conflict else ""
    if found.reason in _REASONS:
        reason = f"{reason}, but {_REASONS[found.reason]}"
    elif found.reason:
        reason = f"{reason}, but such findings are not shown to be right often enough"
    return ClaimCheck(
        verdict=found.verdict,
        probability=found.probability,
        conflict=conflict.kind if conflict else "",
        reason=reason,
        claim_span=place,
        said=span,
        article_span=conflict.article if conflict else None,
        claim_context=words_around(text, place) if conflict else None,
        article_context=words_around(article, conflict.article) if conflict else None,
    )
