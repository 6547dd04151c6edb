"""What the rules make of replies to one guidance point."""

from __future__ import annotations

from benchbar.records import Category, Dialogue, DialogueEnd, Guidance, GuidancePoint, PointKind, Sample, Turn
from benchbar.scoring.points import mark_points


def value(kind: str, text: str, *replies: str, language: str = "zh", **fields) -> float | None:
    """What the rules make of the replies, the measured table aside: it is the wording that is examined here."""
    point = GuidancePoint(
        **{"id": "p1", "category": Category.MANDATORY, "kind": PointKind(kind), "text": text} | fields
    )
    sample = Sample(id="s", task="t", needs="?", guidance=Guidance(points=(point,)), language=language)
    turns = [
        turn for reply in replies for turn in (Turn(role="user", content="?"), Turn(role="assistant", content=reply))
    ]
    talk = Dialogue(sample="s", assistant="a", turns=tuple(turns), ended=DialogueEnd.SATISFIED)
    return mark_points(sample, talk, every_kind=True)[0].value
