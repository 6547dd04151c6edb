"""How many stored answers rules mark in a second of one core: `python benchmarks/rules_speed.py`.

The answers are the labelled ones of `benchmarks/marks/tune`, in three languages, four in ten of them written to mislead a rule: they are read
from a file as a run keeps them, marked by all rules, and the marks are written. No model is asked, no ledger is read. Processor time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Dialogue, DialogueEnd, Guidance, GuidancePoint, Sample, Turn, encode
from benchbar.scoring.points import mark_points

LABELLED = Path(__file__).parent / "marks" / "tune"


class Line(msgspec.Struct):
    """A guidance point with its answers."""

    language: str
    question: str
    point: dict[str, Any]
    answers: list[dict[str, Any]]


def stored() -> Iterator[tuple[Sample, bytes]]:
    """Each answer as a run keeps it, with the sample that it is marked by."""
    for file in sorted(LABELLED.rglob("*.jsonl")):
        for place, text in enumerate(file.read_bytes().splitlines()):
            line = msgspec.json.decode(text, type=Line)
            point = msgspec.convert({"id": "p1", **line.point}, GuidancePoint)
            sample = Sample(
                id=f"{file.stem}-{place}",
                task="marks",
                needs=line.question,
                language=line.language,
                guidance=Guidance(points=(point,)),
            )
            for answer in line.answers:
                turns = [
                    turn
                    for reply in answer["turns"]
                    for turn in (Turn(role="user", content=sample.needs), Turn(role="assistant", content=reply))
                ]
                held = Dialogue(sample=sample.id, assistant="labelled", turns=tuple(turns), ended=DialogueEnd.SATISFIED)
                yield sample, encode(held)


def main() -> None:
    answers = list(stored())
    decoder = msgspec.json.Decoder(Dialogue)
    # Once before: what rules compile at their first use is part of a start, not of an answer.
    for sample, held in answers[::20]:
        mark_points(sample, decoder.decode(held))
    began = time.process_time()
    size = sum(len(encode(mark)) for sample, held in answers for mark in mark_points(sample, decoder.decode(held)))
    seconds = time.process_time() - began
    print(f"{len(answers)} answers, {size / 1e6:.1f} MB of marks: {len(answers) / seconds:.0f} answers/s")


if __name__ == "__main__":
    main()
