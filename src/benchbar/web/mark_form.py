"""The form of a mark as somebody filled it in, kept as a draft until it is a mark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import msgspec
from fastapi import Form

from benchbar.records import COMPARED, ERRORS, LONGEST_QUOTE, POINT, SPANS, GuidancePoint, KeptMark, MarkedSpan
from benchbar.web.queue import Judgement

Shown = Sequence[Sequence[tuple[str, str]]]
"""Dialogues in the order in which they are shown: role and plain text of each turn."""
CHOICES = {"first": 1.0, "tie": 0.5, "second": 0.0}
VOTES = {"right": 1.0, "wrong": 0.0}
"""What is said of a judge's decision, or of a turn of the simulated user."""
REFERRED = {"yes": True, "no": False}
CANNOT = "cannot"
HUNDRED = 100.0
# Two dialogues with every point of the largest guidance; beyond it the form was not made by our page.
MOST_FIELDS = 400
MOST_SPANS = 30
LONGEST_SPAN = 8 * LONGEST_QUOTE
"""Characters of a passage as JSON, which may write each with six."""


class MarkForm(msgspec.Struct):
    """What stands in the fields, as text."""

    choice: str = ""
    """first, tie, second, right, wrong or cannot."""
    score: str = ""
    criteria: list[str] = []
    """Points of each criterion, in order."""
    met: list[str] = []
    """``0-3``: in the first dialogue shown, the point with number 3 is met."""
    reason: str = ""
    referred: str = ""
    """``yes`` or ``no``: whether a judge speaks of the point."""
    error: str = ""
    """The type of error of what is wrong."""
    spans: list[str] = []
    """Marked passages, each as JSON, see :class:`SentSpan`."""


class SentSpan(msgspec.Struct, forbid_unknown_fields=True):
    """A passage that was marked on the page."""

    side: int
    """0 in the dialogue shown first, 1 in the second."""
    turn: int
    kind: str
    quote: str


class IncompleteFormError(Exception):
    """The form says nothing that could be a mark; the text is a key of the words."""


def sent_form(
    choice: Annotated[str, Form(max_length=10)] = "",
    score: Annotated[str, Form(max_length=10)] = "",
    criterion: Annotated[list[str] | None, Form()] = None,
    met: Annotated[list[str] | None, Form()] = None,
    reason: Annotated[str, Form(max_length=20_000)] = "",
    referred: Annotated[str, Form(max_length=10)] = "",
    error: Annotated[str, Form(max_length=40)] = "",
    span: Annotated[list[str] | None, Form()] = None,
) -> MarkForm:
    """What was sent."""
    # Cut and not refused: a draft is saved while somebody writes, and must not fail for a field too long.
    criteria = [one[:10] for one in (criterion or [])[:MOST_FIELDS]]
    ticks = [one[:10] for one in (met or [])[:MOST_FIELDS]]
    spans = [one for one in (span or [])[:MOST_SPANS] if len(one) <= LONGEST_SPAN]
    return MarkForm(choice, score, criteria, ticks, reason, referred, error, spans)


def draft_of(one: MarkForm) -> str:
    """The form as it is kept."""
    return msgspec.json.encode(one).decode()


def of_draft(draft: str) -> MarkForm:
    """The form of a draft; an empty one where there is none that can be read."""
    try:
        # A draft of an older version is worth less than the task: the reviewer begins anew.
        return msgspec.json.decode(draft, type=MarkForm) if draft else MarkForm()
    except msgspec.MsgspecError:
        return MarkForm()


def judgement_of(
    one: MarkForm,
    *,
    measure: str,
    criteria: Mapping[str, float],
    points: Sequence[GuidancePoint],
    dialogues: Shown = (),
) -> Judgement:
    """What the form says of what was shown; ``measure`` is that of the task, ``dialogues`` what passages may be marked in.

    Raises:
        IncompleteFormError: nothing was chosen, or a number is none from 0 to its most.
    """
    if measure in ERRORS:
        return _vote(one, measure)
    return replace(_said(one, measure, criteria, points), spans=spans_of(one.spans, dialogues))


def _said(one: MarkForm, measure: str, criteria: Mapping[str, float], points: Sequence[GuidancePoint]) -> Judgement:
    """What it says of one dialogue, or of two."""
    compared = measure == COMPARED
    met = _met(one.met, points, 2 if compared else 1)
    # Before the choice is asked for: what cannot be decided needs none, but keeps its reason and ticks.
    if one.choice == CANNOT:
        return Judgement(None, one.reason, {}, met)
    if compared:
        if one.choice not in CHOICES:
            raise IncompleteFormError("review.choose")
        return Judgement(CHOICES[one.choice], one.reason, {}, met)
    given = _criteria(one.criteria, criteria)
    # Criteria add up to the grade; the field for the grade counts only where not all of them were filled in.
    score = sum(given.values()) if given else _number(one.score, HUNDRED)
    if score is None:
        raise IncompleteFormError("review.grade_first")
    return Judgement(min(score, HUNDRED) / HUNDRED, one.reason, given, met)


def _vote(one: MarkForm, measure: str) -> Judgement:
    """Right or wrong with the type of error, and of a judge whether it speaks of the point at all."""
    referred = REFERRED.get(one.referred) if measure == POINT else None
    if one.choice == CANNOT:
        return Judgement(None, one.reason, referred=referred)
    if measure == POINT and referred is None:
        raise IncompleteFormError("review.referred_first")
    if one.choice not in VOTES:
        raise IncompleteFormError(f"review.{measure}_first")
    # A type that was chosen before the answer became "right" is no error of anything.
    error = one.error if one.choice == "wrong" else ""
    if one.choice == "wrong" and error not in ERRORS[measure]:
        raise IncompleteFormError("review.error_first")
    return Judgement(VOTES[one.choice], one.reason, referred=referred, error=error)


def _criteria(texts: Sequence[str], criteria: Mapping[str, float]) -> dict[str, float]:
    """Points by criterion; nothing where one of them was left empty."""
    # Half the criteria are no grade: their sum would count what was not judged as nought.
    if len(texts) != len(criteria) or not all(text.strip() for text in texts):
        return {}
    found = {name: _number(text, most) for text, (name, most) in zip(texts, criteria.items(), strict=True)}
    return {name: number for name, number in found.items() if number is not None}


def _number(text: str, most: float) -> float | None:
    # Chinese and English write 7.5, Russian 7,5.
    text = text.strip().replace(",", ".")
    if not text:
        return None
    # Written out, because float() also takes "nan", "inf" and "1e3".
    if not re.fullmatch(r"\d{1,3}(\.\d{0,4})?", text) or float(text) > most:
        raise IncompleteFormError("review.out_of_range")
    return float(text)


def _met(texts: Sequence[str], points: Sequence[GuidancePoint], dialogues: int) -> tuple[tuple[str, ...], ...]:
    found: list[list[str]] = [[] for _ in range(dialogues)]
    for text in texts:
        place = re.fullmatch(r"([01])-(\d{1,4})", text)
        # A tick beyond dialogues or points comes from a form of another task, or of none.
        if place and int(place[1]) < dialogues and int(place[2]) < len(points):
            found[int(place[1])].append(points[int(place[2])].id)
    return tuple(tuple(one) for one in found)


def spans_of(texts: Sequence[str], dialogues: Shown) -> tuple[tuple[MarkedSpan, ...], ...]:
    """The marked passages of each dialogue in the order shown; what stands in no answer that was shown is left out."""
    found: list[list[MarkedSpan]] = [[] for _ in dialogues]
    for text in texts:
        try:
            sent = msgspec.json.decode(text, type=SentSpan)
        except msgspec.MsgspecError:
            continue
        quote = " ".join(sent.quote.split())
        if sent.kind in SPANS and 0 < len(quote) <= LONGEST_QUOTE and _stands(quote, sent, dialogues):
            found[sent.side].append(MarkedSpan(kind=sent.kind, turn=sent.turn, quote=quote))  # type: ignore[arg-type]
    return tuple(tuple(dict.fromkeys(one)) for one in found)


def _stands(quote: str, sent: SentSpan, dialogues: Shown) -> bool:
    if not 0 <= sent.side < len(dialogues) or not 0 <= sent.turn < len(dialogues[sent.side]):
        return False
    role, text = dialogues[sent.side][sent.turn]
    # A browser puts blanks and lines between cells and paragraphs where the text has none.
    return role == "assistant" and "".join(quote.split()) in "".join(text.split())


def _sent(spans: Sequence[MarkedSpan], *, swapped: bool) -> list[str]:
    """Marked passages as the page sends them."""
    return [
        msgspec.json.encode(SentSpan(int(one.against != swapped), one.turn, one.kind, one.quote)).decode()
        for one in spans
    ]


def of_mark(
    kept: KeptMark, value: float | None, points: Sequence[GuidancePoint], *, measure: str, swapped: bool
) -> MarkForm:
    """The form of a mark that was made before; ``value`` is that of the dialogue shown first."""
    mark, compared = kept.mark, measure == COMPARED
    if measure in ERRORS:
        choice = next((name for name, vote in VOTES.items() if vote == value), CANNOT)
        referred = next((name for name, said in REFERRED.items() if said == mark.referred), "")
        return MarkForm(choice, reason=mark.reason, referred=referred, error=mark.error)
    order = {point.id: number for number, point in enumerate(points)}
    # Ticks are kept by assistant; the form is in the order shown, which the coin may have turned round.
    sides = (mark.met_against, mark.met) if swapped else (mark.met, mark.met_against)
    met = [f"{side}-{order[id_]}" for side, ids in enumerate(sides) for id_ in ids if id_ in order]
    choice = CANNOT if value is None else ""
    if compared and value is not None:
        choice = next(name for name, outcome in CHOICES.items() if outcome == value)
    score = "" if compared or value is None else f"{value * HUNDRED:g}"
    criteria = [f"{one:g}" for one in mark.criteria.values()]
    return MarkForm(choice, score, criteria, met, mark.reason, spans=_sent(mark.spans, swapped=swapped))
