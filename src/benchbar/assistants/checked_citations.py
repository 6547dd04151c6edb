"""The citations of an answer held against the law, as lines for the terminal and for a document, in the answer's language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from benchbar.assistants.consultation import Consultation
from benchbar.languages.packs import labels
from benchbar.languages.reasons import reason_in
from benchbar.law.cited_text import CitedText, Judging, cited_texts, excerpt, passed_on
from benchbar.law.claims.around import claim_shown
from benchbar.law.corpus import Corpus
from benchbar.law.nicknames import nickname_command
from benchbar.law.shown import as_document, by_whom, how_often, named, verdicts
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
    return [list(_lines(one, found)) for one in _cited(found, corpus, on, judged)]


def checked_documents(
    found: Consultation, corpus: Corpus, on: str = "", *, judged: Judging | None = None
) -> list[dict[str, object]]:
    """The same for a program: each citation with its gravest verdict, day, source, what the answer says and what the law says."""
    return [
        {**as_document(one.citation), "day": one.day, "source": one.source, "says": one.claim, "law_says": one.text}
        for one in _cited(found, corpus, on, judged)
    ]


def _cited(found: Consultation, corpus: Corpus, on: str, judged: Judging | None) -> Iterator[CitedText]:
    # Words that were taken from the texts contradict none of them.
    if not found.generator.startswith("model:"):
        return
    day = on or corpus.day_of_today(datetime.now(UTC).date().isoformat())
    for text in (found.rule, found.practice, found.conclusion):
        yield from cited_texts(text, corpus, day, judged=judged)


def _lines(one: CitedText, found: Consultation) -> Iterator[str]:
    say, cited = labels(found.language, "report"), one.citation
    between = say("gate_reason.between")
    where = [say("claim.day", day=one.day), *filter(None, [passed_on(one.source)])]
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
