"""Whether the words a reviewer quotes stand in the clause: exact but for width and spacing, in parts, or nearly so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from benchbar.contracts.guards import (
    changed,
    cut_off,
    differences,
    negations,
    numbers,
    parties,
    touched,
    turning_words,
)
from benchbar.contracts.marks import read_mark
from benchbar.languages.text import Normalised, comparable, nfkc, sentences
from benchbar.records.contracts import ExcerptCheck, ExcerptStatus

FUZZY = 90.0
"""Least ``partial_ratio`` of the fuzzy step."""
_FUZZY_LENGTH = 12
_LONGEST_PART = 2000
_SHORTEST = 2
_LONGEST = 20_000
_MOST_PARTS = 40
_MOST_PLACES = 100
"""Places of the clause that one part is held against: a few letters may stand there thousands of times."""
_AFTER = "%％‰ \t\n。，、；：？！.,;:?!'\"“”‘’()（）《》"
_MARGIN = 4
"""Characters of the clause around the nearest words: a changed word at their edge must not stay unseen."""
_ELLIPSIS = re.compile(
    r"\s{0,3}(?:[\[［(（]\s?)?(?:…{1,4}|\.{3,8}|。{3,6}|⋯{1,2}|（略）|\(略\)|省略)(?:\s?[\]］)）])?\s{0,3}"
)
_QUOTES = "“”\"'「」『』«»‘’`*> \t"
_ABSENT = {"", "无", "暂无", "没有", "不适用", "未发现", "none", "na", "notapplicable", "нет", "отсутствует"}
"""What stands for no excerpt, as it is compared."""

Span = tuple[int, int]
Method = Literal["exact", "ellipsis", "fuzzy"]
Recall = Callable[[str, Sequence[str]], Sequence[float]]
"""Scores of sentences against an excerpt, highest best; an embedding model or a lexical measure."""


def check_excerpt(
    excerpt: str, clause: str, *, reranker: Recall | None = None, threshold: float = 0.5, recall: Recall | None = None
) -> ExcerptCheck:
    """Where the excerpt stands in the clause, or why it was refused.

    Verified is what stands there word for word after NFKC and without spaces; an ellipsis stands for words left out, in order.
    What has other punctuation, or a fuzzy ratio of at least 90, is close, with the differences; it is refused if they fall on
    a number, a negation, a duty, a party, a quantifier, a direction, a deadline, a condition or a unit, or put one word for
    another. With a ``reranker`` the document's second method follows: the three sentences that ``recall`` ranks first
    (character overlap by default), close where the reranker gives ``threshold`` or more, under the same guards.
    """
    excerpt = excerpt[:_LONGEST]
    if comparable(excerpt).text in _ABSENT:
        return ExcerptCheck(excerpt=excerpt, status=ExcerptStatus.ABSENT, reason="no words were quoted")
    text = comparable(clause)
    checks = [_check_line(line, clause, text) for line in _lines(excerpt, text)]
    failed = next((one for one in checks if one.status is ExcerptStatus.REJECTED), None)
    if failed is None:
        return _together(excerpt, checks)
    if reranker is not None and not failed.reason.startswith("changed"):
        return _two_stages(excerpt, clause, reranker, threshold, recall or _overlap)
    return ExcerptCheck(
        excerpt=excerpt, status=ExcerptStatus.REJECTED, spans=failed.spans, score=failed.score, reason=failed.reason
    )


def _lines(excerpt: str, clause: Normalised) -> list[str]:
    """The whole excerpt if it stands there as it is; else its lines, each a quotation without its list mark."""
    if _find(excerpt, clause, 0):
        return [excerpt]
    lines = [line for line in (part.strip(_QUOTES) for part in excerpt.splitlines()) if comparable(line).text]
    return [_without_mark(line, clause) for line in lines] or [excerpt]


def _without_mark(line: str, clause: Normalised) -> str:
    mark = read_mark(line)
    if mark is None or _find(line, clause, 0):
        return line
    return line[mark.end :]


def _find(part: str, clause: Normalised, after: int) -> Span | None:
    wanted = comparable(part).text
    at = clause.text.find(wanted, after) if len(wanted) >= _SHORTEST else -1
    return (at, at + len(wanted)) if at >= 0 else None


def _check_line(line: str, clause: str, text: Normalised) -> ExcerptCheck:
    parts = [part for part in _ELLIPSIS.split(line) if comparable(part).text]
    if not parts:
        return _refused("no words were quoted")
    if len(parts) > _MOST_PARTS:
        return _refused(f"{len(parts)} parts between ellipses; at most {_MOST_PARTS} can be held against a clause")
    spans: list[Span] = []
    after = 0
    scores: list[float] = []
    parted: list[tuple[str, str]] = []
    for index, part in enumerate(parts):
        edges = index == 0, index == len(parts) - 1
        found, score, reason = _check_part(part, clause, text, after, edges)
        if found is None:
            return _refused(reason, score)
        after = found[1]
        spans.append(text.original(*found))
        if score is not None:
            scores.append(score)
        parted += _parted(part, clause[slice(*spans[-1])], near=score is not None)
    method: Method = "fuzzy" if scores else "exact" if len(parts) == 1 else "ellipsis"
    return ExcerptCheck(
        excerpt=line,
        status=ExcerptStatus.CLOSE if scores or parted else ExcerptStatus.VERIFIED,
        method=method,
        spans=tuple(spans),
        score=min(scores) if scores else None,
        differences=tuple(parted),
    )


def _parted(part: str, original: str, *, near: bool) -> tuple[tuple[str, str], ...]:
    """Where a part leaves the words found for it; a part of the same letters only by its punctuation."""
    return differences(part, original) if near or _verbatim(part) != _verbatim(original) else ()


_MARKS = str.maketrans(
    {"。": ".", "、": ",", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "—": "-", "–": "-"}
)
_OUTER = re.compile(r"^[\W_]{1,40}|[\W_]{1,40}$")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")


def _verbatim(text: str) -> str:
    """The text without spaces, width, case and outer punctuation, which the spans do not hold: what two verbatim copies share."""
    plain = "".join(_THOUSANDS.sub("", nfkc(text).translate(_MARKS)).lower().split())
    return _OUTER.sub("", plain)


def _check_part(
    part: str, clause: str, text: Normalised, after: int, edges: tuple[bool, bool]
) -> tuple[Span | None, float | None, str]:
    """Span in the compared text, score of the fuzzy step if it was needed, and the reason of a refusal."""
    reason = ""
    found = _find(part, text, after)
    for _ in range(_MOST_PLACES):
        if found is None:
            break
        start, end = text.original(*found)
        reason = _changed_or_cut(part, clause, start, end, edges)
        if not reason:
            return found, None, ""
        found = _find(part, text, found[0] + 1)
    if reason:
        return None, None, f"changed: the excerpt alters or cuts off a {reason}"
    return _fuzzy(part, clause, text, after)


def _changed_or_cut(part: str, clause: str, start: int, end: int, edges: tuple[bool, bool]) -> str:
    """The signs after the last letter were not compared: the excerpt may have them (``10%``) or stop before them."""
    bare = start + len(clause[start:end].rstrip(_AFTER))
    reason = changed(part, clause[start:end]) and changed(part, clause[start:bare])
    return reason or cut_off(clause, start, end, before=edges[0], after=edges[1])


def _fuzzy(part: str, clause: str, text: Normalised, after: int) -> tuple[Span | None, float | None, str]:
    from rapidfuzz import fuzz

    wanted = comparable(part).text
    if not _FUZZY_LENGTH <= len(wanted) <= _LONGEST_PART or len(wanted) > 1.2 * len(text.text[after:]):
        return None, None, "not found in the clause"
    best = fuzz.partial_ratio_alignment(wanted, text.text[after:], score_cutoff=FUZZY)
    if best is None:
        return None, None, "not found in the clause"
    span = after + best.dest_start, after + best.dest_end
    start, end = text.original(*span)
    score = best.score / 100
    window = clause[max(0, start - _MARGIN) : end + _MARGIN]
    reason = touched(part, window) or cut_off(clause, start, end)
    if reason:
        return None, score, f"changed: the nearest words differ in a {reason}"
    return span, score, ""


def _two_stages(excerpt: str, clause: str, reranker: Recall, threshold: float, recall: Recall) -> ExcerptCheck:
    texts = [clause[start:end] for start, end in sentences(clause)]
    spans = sentences(clause)
    first = recall(excerpt, texts)
    best = sorted(range(len(texts)), key=lambda index: -first[index])[:3]
    scores = reranker(excerpt, [texts[index] for index in best])
    top = max(range(len(best)), key=lambda index: scores[index], default=None)
    if top is None or scores[top] < threshold:
        return _refused(
            "no sentence of the clause is near enough", float(scores[top]) if top is not None else None, excerpt
        )
    reason = _turned(excerpt, texts[best[top]])
    if reason:
        return _refused(f"changed: the nearest sentence differs in a {reason}", float(scores[top]), excerpt)
    return ExcerptCheck(
        excerpt=excerpt,
        status=ExcerptStatus.CLOSE,
        method="reranked",
        spans=(spans[best[top]],),
        score=float(scores[top]),
        differences=((texts[best[top]], excerpt),),
    )


def _turned(excerpt: str, sentence: str) -> str:
    """What a paraphrase turns around: a number or a party that the sentence does not have, or a negation near its words."""
    from rapidfuzz import fuzz

    if not set(numbers(excerpt)) <= set(numbers(sentence)):
        return "number"
    if not set(parties(excerpt)) <= set(parties(sentence)):
        return "party"
    if not turning_words(excerpt) <= turning_words(sentence):
        return "quantifier, direction or deadline"
    near = fuzz.partial_ratio_alignment(excerpt, sentence)
    window = sentence[near.dest_start : near.dest_end] if near else sentence
    return "negation" if sorted(negations(excerpt)) != sorted(negations(window)) else ""


def _overlap(excerpt: str, texts: Sequence[str]) -> list[float]:
    from rapidfuzz import fuzz

    return [fuzz.partial_ratio(comparable(excerpt).text, comparable(text).text) for text in texts]


def _refused(reason: str, score: float | None = None, excerpt: str = "") -> ExcerptCheck:
    return ExcerptCheck(excerpt=excerpt, status=ExcerptStatus.REJECTED, score=score, reason=reason)


def _together(excerpt: str, checks: Sequence[ExcerptCheck]) -> ExcerptCheck:
    methods = {one.method for one in checks}
    method: Method = "fuzzy" if "fuzzy" in methods else "ellipsis" if "ellipsis" in methods else "exact"
    scores = [one.score for one in checks if one.score is not None]
    close = any(one.status is ExcerptStatus.CLOSE for one in checks)
    return ExcerptCheck(
        excerpt=excerpt,
        status=ExcerptStatus.CLOSE if close else ExcerptStatus.VERIFIED,
        method=method,
        spans=tuple(span for one in checks for span in one.spans),
        score=min(scores) if scores else None,
        differences=tuple(parts for one in checks for parts in one.differences),
    )
