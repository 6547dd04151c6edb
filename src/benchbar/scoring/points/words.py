"""Terms, charges and quotations: wording that is there, there but denied, or not there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from benchbar.languages.quantities import numbers_of
from benchbar.languages.text import comparable
from benchbar.records import GuidancePoint
from benchbar.scoring.functions import Verdict
from benchbar.scoring.points.answers import Answer, Answers

_DENIED = re.compile(
    r"(?:不(?:构成|属于|成立|是|应|得|能|会|需要|适用|符合|存在|享有|具有|具备|必|用|按|以|定|另定|另以|再定|宜|可)?|未(?:构成|能|必)?|没有?|无(?:须|需|权)?|并?非|而非|否认|排除|谈不上)$"
)
_DENIED_LATIN = re.compile(
    r"(?:\bnot|\bno|\bnever|\bwithout|\bне|\bнет|\bбез)\s{1,2}(?:\w{1,12}\s){0,2}$", re.IGNORECASE
)
_LOOK_BACK = 16
_CHARGE_NAME = re.compile(r"[\u3400-\u9fff]{2,14}(?<![犯认数有无悔定此本该])罪(?!名|犯|行|责|状|恶|人|刑)")
_DENIED_CHARGE = re.compile(r"(?:不(?:是|属于|构成|成立|按|以|定|另定|另以|再定|应定|能定|宜定)|而非|并非)(?!罪)")
TOO_MANY_CHARGES = 4
MAX_QUOTED = 200_000
EXACT, CLOSE = 97.0, 60.0


def match_term(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where one of the wordings stands un-denied; left to a judge where other wordings are possible."""
    denied = False
    for answer in answers.latest_first():
        for wording in (point.text, *point.alternatives):
            for start, end in _places(wording, answer):
                if not _is_denied(answer, start, wording):
                    return Verdict(value=1.0, evidence=(answer.evidence(start, end),))
                denied = True
    if not point.exhaustive:
        return Verdict(value=None, reason="the wording is denied where it stands" if denied else "other wordings count")
    return Verdict(value=0.0, reason="denied where it stands" if denied else "none of the wordings is there")


def match_charge(point: GuidancePoint, answers: Answers) -> Verdict:
    """Met where the charge is affirmed; left where the assistant names so many that it commits to none."""
    affirmed = _affirmed_charges(answers)
    found = match_term(point, answers)
    if found.value and len(affirmed) > TOO_MANY_CHARGES:
        return Verdict(value=None, evidence=found.evidence, reason=f"{len(affirmed)} charges are named")
    return found


def _affirmed_charges(answers: Answers) -> set[str]:
    """Names of charges that stand un-denied; what runs into a name from the left does not make it another one."""
    named = {
        match[0]
        for answer in answers.all
        for match in _CHARGE_NAME.finditer(answer.content)
        if not _is_denied(answer, match.start(), match[0]) and not _DENIED_CHARGE.search(match[0])
    }
    return {name for name in named if not any(name != other and name.endswith(other) for other in named)}


def match_quote(point: GuidancePoint, answers: Answers) -> Verdict:
    """The similarity (0 to 1) of the most similar passage; at most half where a number was changed."""
    wanted = comparable(point.text).text
    if not wanted:
        return Verdict(value=None, reason="nothing to compare")
    best, verdict = -1.0, Verdict(value=0.0, reason="the passage is not there")
    for answer in answers.latest_first():
        found = fuzz.partial_ratio_alignment(wanted, answer.plain.text[:MAX_QUOTED], score_cutoff=CLOSE)
        if found is None or found.score <= best or len(answer.plain.text) < len(wanted) / 2:
            continue
        best = found.score
        start, end = _original(answer, found.dest_start, found.dest_end)
        verdict = Verdict(
            value=_quote_value(point.text, answer.content[start:end], best), evidence=(answer.evidence(start, end),)
        )
    return verdict


def _quote_value(wanted: str, passage: str, score: float) -> float:
    value = 1.0 if score >= EXACT else score / 100
    changed = sorted(numbers_of(wanted)) != sorted(numbers_of(passage))
    return round(min(value, 0.5) if changed else value, 4)


def _places(wording: str, answer: Answer) -> Iterator[tuple[int, int]]:
    """Where a wording stands in a reply, in offsets of the reply; width, case, spaces and punctuation do not matter."""
    wanted, text = comparable(wording).text, answer.plain.text
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield _original(answer, at, at + len(wanted))
        at = text.find(wanted, at + 1)


def _original(answer: Answer, start: int, end: int) -> tuple[int, int]:
    """Offsets in the reply of a span of its plain form."""
    starts = answer.plain.starts
    if starts is None:
        return start, end
    last = starts[end - 1] if end else 0
    return (starts[start] if start < len(starts) else last), last + 1


def _is_denied(answer: Answer, start: int, wording: str) -> bool:
    """Whether a negation stands right before; a wording that begins with one itself says what it means."""
    before = answer.content[max(0, start - _LOOK_BACK) : start].rstrip('“"「《（( ')
    if wording[:1] in "不未无非没":
        return bool(re.search(r"(?:并非|不是|谈不上)$", before))
    return bool(_DENIED.search(before) or _DENIED_LATIN.search(answer.content[max(0, start - 40) : start]))
