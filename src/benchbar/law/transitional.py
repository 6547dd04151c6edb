"""Two days, of the facts and of the procedure: which of them counts for a law, by transitional rules kept as data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from benchbar.law.corpus import Corpus
from benchbar.law.names import law_key
from benchbar.records import Citation, CitationStatus, Record


class TransitionalRule(Record, frozen=True):
    """Which day's text of a law counts."""

    law: str
    """What identifies the law (``LawKey.core``)."""
    jurisdiction: str
    rule: Literal["facts", "procedure", "milder"]
    """The text of the day of the facts; of the day of the procedural step; of the facts unless the later one is milder."""
    source: str
    """Where it is written."""
    confirmed: bool = True
    """Whether the words of the source were read in a published text, and not only its number known."""


_PROCEDURE = re.compile(r"诉讼(?:法|特别程序法)|процессуальн|\bProcedure\b|\bCPR\b|судопроизводств", re.IGNORECASE)
"""Names of laws of procedure beyond those of the list: their own text of the day of the step counts in every system known here."""


@cache
def rules() -> dict[str, TransitionalRule]:
    """The rules of ``data/transitional.jsonl`` by the law that they are about."""
    data = resources.files("benchbar.law").joinpath("data", "transitional.jsonl").read_bytes()
    found = (msgspec.json.decode(line, type=TransitionalRule) for line in data.splitlines())
    # Said wherever the source is: a lawyer should look before relying on it.
    shown = (
        one if one.confirmed else msgspec.structs.replace(one, source=f"{one.source}, not confirmed") for one in found
    )
    return {one.law: one for one in shown}


def rule_of(citation: Citation, corpus: Corpus) -> TransitionalRule | None:
    """The rule for the law that a citation names; None where none is known, and the day of the facts counts."""
    version = corpus.by_id.get(citation.law_id or "")
    name = version.name if version else citation.law or ""
    rule = rules().get(law_key(name).core)
    # Another country's law of the same name has rules of its own.
    if rule is not None and version is not None and version.jurisdiction in {"", rule.jurisdiction}:
        return rule
    if _PROCEDURE.search(name):
        return TransitionalRule(law="", jurisdiction="", rule="procedure", source="a law of procedure")
    return None


def of_two_days(
    by_facts: Sequence[Citation], by_procedure: Sequence[Citation], corpus: Corpus, *, procedure: str
) -> tuple[Citation, ...]:
    """The citations of a text, each as the law of the day has it that counts for it.

    Args:
        by_facts: all citations, judged on the day of the facts.
        by_procedure: the same, judged on the day of the procedural step.
        corpus: the law that both were held against.
        procedure: that day.
    """
    return tuple(
        _chosen(facts, step, rule_of(facts, corpus), procedure)
        for facts, step in zip(by_facts, by_procedure, strict=True)
    )


def _chosen(facts: Citation, step: Citation, rule: TransitionalRule | None, procedure: str) -> Citation:
    if rule is None or rule.rule == "facts":
        later = facts.status is CitationStatus.NOT_IN_FORCE and step.status is CitationStatus.VERIFIED
        if rule is None or not later:
            return facts
        reason = f"{facts.reason}; in force on {procedure}, which counts only where a rule says so ({rule.source})"
        return msgspec.structs.replace(facts, reason=reason)
    if rule.rule == "procedure":
        reason = "; ".join(
            filter(None, (step.reason, f"judged on {procedure}, the day of the procedure ({rule.source})"))
        )
        return msgspec.structs.replace(step, reason=reason)
    if step.status is CitationStatus.VERIFIED and facts.status is CitationStatus.NOT_IN_FORCE:
        # Which of two texts is milder is no question of days.
        reason = (
            f"in force on {procedure} and not on the day of the facts: it counts where it is milder ({rule.source})"
        )
        return msgspec.structs.replace(step, status=CitationStatus.CANNOT_TELL, reason=reason, in_force=None)
    if facts.status is CitationStatus.VERIFIED and facts.article_id != step.article_id:
        reason = f"another text was in force on {procedure}: it counts where it is milder ({rule.source})"
        return msgspec.structs.replace(facts, reason="; ".join(filter(None, (facts.reason, reason))))
    return facts
