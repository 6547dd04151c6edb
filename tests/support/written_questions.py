"""A folder with questions that a model wrote and nobody has decided about."""

from __future__ import annotations

from pathlib import Path

from benchbar.records import QUESTION_ANSWERING, UNANSWERABLE, UNVERIFIED, Sample, Suite, SuiteCard
from benchbar.suites.question_making import TASKS
from benchbar.suites.question_material import Material, Passage
from benchbar.suites.write import write
from benchbar.suites.written_questions import MATERIALS, encode_materials
from support.hostile import HOSTILE

THEN = Passage(id="lease-2012#5", label="Lease Act 5", text="A landlord returns the deposit within thirty days.")
NOW = Passage(id="lease-2020#8", label="Lease Act 8", text="A landlord returns the deposit within fourteen days.")
EVIL = Passage(id="evil#1", label=HOSTILE, text=HOSTILE)
ROWS = (
    ("simple", "How long may my landlord keep the deposit?", NOW.text, (NOW,), (), ""),
    (
        "time_dependent",
        "I left on 2015-05-01. When is the deposit due?",
        "Within thirty days.",
        (THEN,),
        (NOW,),
        "2015-05-01",
    ),
    ("unanswerable", f"What deposit is usual here? {HOSTILE}", HOSTILE, (), (EVIL,), ""),
)


def written_questions(folder: Path) -> None:
    """Three questions, one of another day, one that nothing answers and whose texts are hostile."""
    samples, materials = [], {}
    for task, question, answer, evidence, beside, on in ROWS:
        tags = (UNVERIFIED, UNANSWERABLE) if task == "unanswerable" else (UNVERIFIED,)
        samples.append(
            Sample(
                id=f"{task}-1",
                task=task,
                needs=question,
                reference=answer,
                language="en",
                on=on or "2024-06-01",
                tags=tags,
                evidence=tuple(one.id for one in evidence),
            )
        )
        materials[f"{task}-1"] = Material(kind=task, passages=evidence, beside=beside, on=on)
    tasks = {one: TASKS[one] for one, *_ in ROWS}
    card = SuiteCard(name="mine", language="en", protocol=QUESTION_ANSWERING)
    write(Suite(card=card, tasks=tasks, samples=tuple(samples)), folder)
    (folder / MATERIALS).write_bytes(encode_materials(materials))
