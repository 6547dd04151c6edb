"""One sample about a deposit, and dialogues about it: what tests of judges are shown."""

from __future__ import annotations

from benchbar.records import Category, Dialogue, DialogueEnd, Guidance, GuidancePoint, Sample, Task, Turn

TASK = Task(id="t", name="T", level="apply", scenarios=(), background="背景")
POINTS = tuple(
    GuidancePoint(id=f"p{n}", category=Category.MANDATORY, text=text) for n, text in enumerate(("退押金", "付利息"), 1)
)
SAMPLE = Sample(id="s", task="t", needs="押金怎么办", guidance=Guidance(points=POINTS))


def dialogue(name: str, reply: str) -> Dialogue:
    """An assistant of this name that was asked once and answered this."""
    turns = (Turn(role="user", content="押金怎么办"), Turn(role="assistant", content=reply))
    return Dialogue(sample="s", assistant=name, turns=turns, ended=DialogueEnd.SATISFIED)
