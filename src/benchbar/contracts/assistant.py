"""``contract-reviewer``: the reviewer as a system under test, which answers a clause with its review."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from benchbar.contracts.bundled import bundled_rules
from benchbar.contracts.form import write_form
from benchbar.contracts.generation import ChatGenerator, Generator
from benchbar.contracts.lawbook import CorpusLawBook
from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.rule_index import RuleIndex, named_reranker
from benchbar.contracts.rules import read_rules
from benchbar.contracts.switches import Switches
from benchbar.languages.prompts import Prompts
from benchbar.languages.text import detect_language
from benchbar.records import Reply, Turn
from benchbar.records.contracts import Clause, ClauseKind, ClauseReview, Finding, ReviewStatus, RiskLevel
from benchbar.records.errors import ModelError, UserError
from benchbar.records.protocols import Context

_MATERIAL = re.compile(r"<(材料|material|материалы)>\n(.*?)\n</\1>", re.DOTALL)


class ReviewError(ModelError):
    """The reviewer's model gave nothing that could be read as a review."""

    slug = "review"


class ContractReviewAssistant:
    """Takes what was handed in with the question as the clause, or else the last thing the user said."""

    def __init__(self, reviewer: ContractReviewer) -> None:
        """Answers with the reviews of ``reviewer``."""
        self._reviewer = reviewer
        self.identity = reviewer.identity

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """The review in its Markdown form; of a clause that no check examined, the statement that says so.

        Raises:
            ReviewError: no reply of the model could be read.
        """
        text = _clause_in(turns)
        clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
        review = await self._reviewer.review(clause)
        if review.level is None and review.status is not ReviewStatus.NOT_EXAMINED:
            raise ReviewError(f"{review.status}: {review.reason}")
        return Reply(
            content=_written(review, detect_language(text)),
            usage=review.usage,
            latency=review.latency,
            cost=review.cost,
            model=self.identity,
            finish="stop",
        )


def _clause_in(turns: Sequence[Turn]) -> str:
    """Material stands between tags in a system turn, as the consultation's prompt puts it there."""
    handed = [match[2].strip() for turn in turns if turn.role == "system" for match in _MATERIAL.finditer(turn.content)]
    return handed[-1] if handed else turns[-1].content


def _written(review: ClauseReview, language: str) -> str:
    if review.level is None:
        return review.replies[0]
    return write_form(_leveled(review.findings, review.level), language)


def _leveled(findings: Sequence[Finding], level: RiskLevel) -> list[Finding]:
    """The first finding carries the level of the whole, as the second look left it; none stands above it."""
    capped = [msgspec.structs.replace(one, level=min(one.level, level, key=lambda each: each.rank)) for one in findings]
    return [msgspec.structs.replace(capped[0], level=level), *capped[1:]] if capped else []


def build(
    context: Context,
    *,
    rules: str | None = None,
    corpus: str | None = None,
    generator: dict[str, Any] | None = None,
    reranker: str | None = None,
    **switches: Any,
) -> ContractReviewAssistant:
    """A reviewer from a rule file, a corpus, a chat model's settings, a cross-encoder, and the switches of the reviewer.

    Raises:
        UserError: a setting or switch is unknown or of another type.
    """
    found = read_rules(context.path(rules)) if rules else bundled_rules(context.language)
    try:
        chosen = msgspec.convert(switches, Switches)
    except msgspec.ValidationError as error:
        raise UserError(f"contract-reviewer: {error}; switches: {', '.join(Switches.__struct_fields__)}") from error
    return ContractReviewAssistant(
        ContractReviewer(
            _generator(context, generator),
            rules=RuleIndex(found, reranker=named_reranker(reranker)) if found else None,
            law=CorpusLawBook.open(context.law(corpus)) if corpus else None,
            switches=chosen,
        )
    )


def _generator(context: Context, settings: dict[str, Any] | None) -> Generator:
    if settings is None:
        return OfflineReviewer()
    plain = {name: value for name, value in settings.items() if name != "kind"}
    if settings.get("kind", "openai") != "openai":
        raise UserError('generator: kind = "openai" is the one there is; leave it out for the offline reviewer')
    return ChatGenerator(context.model(plain), Prompts(nonce=context.nonce))
