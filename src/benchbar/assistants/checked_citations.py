"""The citations of an answer held against the law, as lines for the terminal and for a document, in the answer's language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from benchbar.assistants.consultation import Consultation
from benchbar.languages.packs import labels
from benchbar.languages.reasons import reason_in
from benchbar.law.cited_text import CitedText, Judging, cited_texts, excerpt
from benchbar.law.claims.around import claim_shown
from benchbar.law.corpus import Corpus
from benchbar.law.nicknames import nickname_command
from benchbar.law.shown import by_whom, how_often, named, verdicts
from benchbar.records.law import RULES

_EXCERPT = 400
"""Characters of an article that are shown beside a claim; the whole stands among the sources."""


def checked_citations(
    found: Consultation, corpus: Corpus, on: str = "", *, judged: Judging | None = None
) -> list[list[str]]:
    """The lines of each citation in a model's answer; none of an extractive one, which quotes its sources word for word.

    The first line has the citation, its verdicts with the gravest first, the day and the source; the others how often such verdicts were
    right, why, how a nickname is said, what the answer says and what the law says.
    """
    if not found.generator.startswith("model:"):
        return []
    day = on or corpus.day_of_today(datetime.now(UTC).date().isoformat())
    parts = (found.rule, found.practice, found.conclusion)
    texts = (one for text in parts for one in cited_texts(text, corpus, day, judged=judged))
    return [list(_lines(one, found)) for one in texts]


def _lines(one: CitedText, found: Consultation) -> Iterator[str]:
    say, cited = labels(found.language, "report"), one.citation
    between = say("gate_reason.between")
    where = [say("claim.day", day=one.day), *([one.source] if one.source else [])]
    verdict = between.join(verdicts(cited, say, invented=bool(found.invented)))
    yield f"{named(cited)} — {verdict} ({between.join(where)})"
    yield from how_often(cited, say)
    if cited.reason:
        yield reason_in(cited.reason, found.language)
    if one.later:
        yield say("sample.superseded", name=one.later)
    if command := nickname_command(cited):
        yield say("cited.nickname", command=command)
    for check in cited.checks:
        why = say(f"conflict.{check.conflict}") if check.conflict else reason_in(check.reason, found.language)
        told = say(f"claim.{check.verdict.value}")
        # A quotation needs no verdict beside it.
        if check.conflict or check.by != RULES:
            told = say("gate_reason.condition", check=told, why=why) if why else told
            yield f"{told} ({by_whom(check, cited.language, say)})"
    if cited.authority:
        yield reason_in(cited.authority.reason, found.language)
    if one.text:
        if claim := claim_shown(one.claim):
            yield say("claim.text", text=excerpt(claim, _EXCERPT, say))
        yield say("claim.article", text=excerpt(one.text, _EXCERPT, say))
