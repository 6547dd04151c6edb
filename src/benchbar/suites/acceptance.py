"""A person's word on samples: what a model wrote is accepted or refused, in its suite or into another one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from pathlib import Path

from msgspec.structs import replace

from benchbar.records import UNVERIFIED, Sample, Suite, SuiteCard, Task
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.suites.load import load
from benchbar.suites.write import write


def accept(suite: Suite, ids: Collection[str], *, refused: Collection[str] = (), by: str) -> Suite:
    """The suite with these samples accepted by a person, and those refused taken out.

    Raises:
        UserError: a sample is not in the suite, is named twice over, or nothing is left.
    """
    known = {sample.id for sample in suite.samples}
    for name in (*ids, *refused):
        if name not in known:
            raise UnknownNameError("sample", name, sorted(known)[:20])
    if both := sorted(set(ids) & set(refused)):
        raise UserError(f"accepted and refused at once: {', '.join(both)}")
    samples = tuple(
        accepted(sample, by) if sample.id in ids else sample for sample in suite.samples if sample.id not in refused
    )
    if not samples:
        raise UserError("every sample was refused; a suite needs at least one")
    return Suite(card=suite.card, tasks=suite.tasks, samples=samples, folder=suite.folder, problems=suite.problems)


def accepted(sample: Sample, by: str) -> Sample:
    """The sample without the tag of what nobody has accepted, and with the name of who did."""
    if UNVERIFIED not in sample.tags:
        return sample
    tags = (*(tag for tag in sample.tags if tag != UNVERIFIED), f"accepted-by:{by}")
    return replace(sample, tags=tags)


def put_in(folder: Path, sample: Sample, task: Task, card: SuiteCard, fits: Callable[[Suite], None]) -> None:
    """Add a sample to the suite in a folder, or begin one there with this card; one that is in it already stays as it is.

    ``fits`` raises for a suite that such a sample does not belong in.
    """
    known = Suite(card=card, tasks={}, samples=())
    if folder.exists():
        known = load(str(folder))
        fits(known)
        # It is written whole: what could not be read would be gone.
        if known.problems:
            raise UserError(f"{folder} has rows that cannot be read: mend them first (benchbar suite check {folder})")
    if sample.id in {other.id for other in known.samples}:
        return
    tasks = {**known.tasks, task.id: known.tasks.get(task.id, task)}
    write(dataclasses.replace(known, tasks=tasks, samples=(*known.samples, sample)), folder)
