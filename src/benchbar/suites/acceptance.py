"""A person's word on questions that a model wrote: accepted ones lose their tag, refused ones leave the suite."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from benchbar.records import UNVERIFIED, Sample, Suite
from benchbar.records.errors import UnknownNameError, UserError


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
        _accepted(sample, by) if sample.id in ids else sample for sample in suite.samples if sample.id not in refused
    )
    if not samples:
        raise UserError("every sample was refused; a suite needs at least one")
    return Suite(card=suite.card, tasks=suite.tasks, samples=samples, folder=suite.folder, problems=suite.problems)


def _accepted(sample: Sample, by: str) -> Sample:
    if UNVERIFIED not in sample.tags:
        return sample
    tags = (*(tag for tag in sample.tags if tag != UNVERIFIED), f"accepted-by:{by}")
    return replace(sample, tags=tags)
