"""The citations of an answer held against the law, as lines for the terminal and for a document, in the answer's language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from benchbar.assistants.consultation import Consultation
from benchbar.languages.packs import labels
from benchbar.languages.reasons import reason_in
from benchbar.law.cited_text import CitedText, Judging, cited_texts
from benchbar.law.claims.around import claim_shown
from benchbar.law.claims.measured import decided
from benchbar.law.corpus import Corpus
from benchbar.records.law import RULES

_EXCERPT = 400
"""Characters of an article that are shown beside a claim; the whole stands among the sources."""


def checked_citations(
    found: Consultation, corpus: Corpus, on: str = "", *, judged: Judging | None = None
) -> list[list[str]]:
    """The lines of each citation in a model's answer; none of an extractive one, which quotes its sources word for word.

    The first line has the citation, its status, the day and the source; the others why, what the answer says and what the law says.
    """
    if not found.generator.startswith("model:"):
        return []
    day = on or corpus.day_of_today(datetime.now(UTC).date().isoformat())
    parts = (found.rule, found.practice, found.conclusion)
    texts = (one for text in parts for one in cited_texts(text, corpus, day, judged=judged))
    return [list(_lines(one, found.language)) for one in texts]


def _lines(one: CitedText, language: str) -> Iterator[str]:
    say, cited = labels(language, "report"), one.citation
    where = [say("claim.day", day=one.day), *([one.source] if one.source else [])]
    yield f"{' '.join(cited.text.split())} — {say(f'citation.{cited.status.value}')} ({'; '.join(where)})"
    if cited.reason:
        yield reason_in(cited.reason, language)
    for check in cited.checks:
        by, figures = decided(check, cited.language)
        why = say(f"conflict.{check.conflict}") if check.conflict else reason_in(check.reason, language)
        told = (say(f"claim.{check.verdict.value}"), why)
        # A quotation needs no verdict beside it.
        if check.conflict or check.by != RULES:
            yield f"{': '.join(filter(None, told))} ({say(by, **figures)})"
    if cited.authority:
        yield f"{say(f'authority.{cited.authority.verdict.value}')}: {reason_in(cited.authority.reason, language)}"
    if one.text:
        if claim := claim_shown(one.claim):
            yield say("claim.text", text=_short(claim))
        yield say("claim.article", text=_short(one.text))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1].rstrip('0123456789')}…"
