"""Citations: the right law, article, paragraph and item; a coarser citation earns part of the credit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchbar.law.citations import extract
from benchbar.law.mention import Mention
from benchbar.law.names import same_law
from benchbar.records import Category, GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers

WITHOUT_PARAGRAPH = 0.5
"""The right article, its paragraph or item left out (the error that UCL-Bench's third error case describes)."""
LAW_ALONE = 0.25
"""The right law, no article."""


def match_citation(point: GuidancePoint, answers: Answers) -> Verdict:
    """The mean credit over the citations that the point asks for; of alternatives the best counts."""
    ways = [wanted for text in (point.text, *point.alternatives) if (wanted := _wanted(text, answers))]
    if not ways:
        return Verdict(value=None, reason="the point names no citation that can be read")
    verdicts = [_credit(wanted, answers, whole=point.category is Category.FORBIDDEN) for wanted in ways]
    return max(verdicts, key=lambda verdict: verdict.value or 0.0)


def _wanted(text: str, answers: Answers) -> tuple[Mention, ...]:
    language = answers.all[0].language if answers.all else "zh"
    return tuple(mention for mention in extract(text, language) if mention.names or mention.case_number)


def _credit(wanted: Sequence[Mention], answers: Answers, *, whole: bool) -> Verdict:
    best = [max(_compared(one, answers, whole=whole), key=lambda found: found[0], default=None) for one in wanted]
    met = [found for found in best if found and found[0] > 0]
    value = sum(found[0] for found in met) / len(wanted)
    evidence = tuple(answer.evidence(*mention.span) for _, answer, mention in met)
    reason = "" if value == 1.0 else "cited more coarsely than asked" if met else "not cited"
    return Verdict(value=round(value, 4), evidence=evidence, reason=reason)


def _compared(wanted: Mention, answers: Answers, *, whole: bool) -> Iterator[tuple[float, Answer, Mention]]:
    for answer in answers.all:
        for mention in answer.mentions:
            credit = credit_of(wanted, mention)
            # A forbidden citation is made or not made: naming the law alone is no quarter of an offence.
            if not whole or credit == 1.0:
                yield credit, answer, mention


def credit_of(wanted: Mention, given: Mention) -> float:
    """What a citation is worth where another was asked for, from 0 to 1."""
    if wanted.case_number or given.case_number:
        return float(bool(wanted.case_number) and wanted.case_number == given.case_number)
    if not given.names or not same_law(wanted.names, given.names):
        return 0.0
    if not wanted.article:
        return 1.0
    if not given.article:
        return LAW_ALONE
    if not _same_article(wanted, given):
        return 0.0
    finer = [(wanted.paragraph, given.paragraph), (wanted.item, given.item)]
    if any(asked and said and asked != said for asked, said in finer):
        return 0.0
    return WITHOUT_PARAGRAPH if any(asked and not said for asked, said in finer) else 1.0


def _same_article(wanted: Mention, given: Mention) -> bool:
    if (wanted.article, wanted.sub) == (given.article, given.sub):
        return True
    if not given.through or not (wanted.article.isdigit() and given.article.isdigit() and given.through.isdigit()):
        return False
    return int(given.article) <= int(wanted.article) <= int(given.through)
