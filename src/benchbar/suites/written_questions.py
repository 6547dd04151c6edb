"""Questions that a model wrote and a person decides about: accepted ones, as written or mended, enter a suite; the others never do.

The folder that they were written into stays as it was, so that nothing is lost; what was decided is appended beside them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from benchbar.records import QUESTION_ANSWERING, UNANSWERABLE, UNVERIFIED, Record, Sample, Suite, SuiteCard
from benchbar.records.errors import BadInputError, UnknownNameError, UserError
from benchbar.records.files import read_bounded
from benchbar.suites.acceptance import accepted, put_in
from benchbar.suites.decision_log import DecisionLog
from benchbar.suites.folder import read
from benchbar.suites.question_material import Material
from benchbar.suites.question_rules import Written, fault

MATERIALS = "materials.json"
"""File beside the questions: what each of them was written about."""
_TAG = re.compile(r"[^\w.@+-]+")


class QuestionDecision(Record, frozen=True, kw_only=True):
    """What a person decided of a question that a model wrote."""

    question: str
    """Id of its sample."""
    decided: Literal["accepted", "rejected"]
    by: str
    at: float
    """Seconds since 1970."""
    suite: str = ""
    """Name of the folder that it was accepted into."""
    changed: bool = False
    """Whether its words are not those that the model wrote."""
    reason: str = ""


class WrittenQuestion(NamedTuple):
    """A question that nobody has decided about."""

    sample: Sample
    material: Material | None
    """What it was written about; None where that was not kept."""


class WrittenQuestions:
    """The questions in a folder of `benchbar suite make-questions`."""

    def __init__(self, folder: Path, suite: Suite | None = None) -> None:
        """In ``folder``; ``suite`` where it is read already."""
        self.folder = folder
        self.suite = read(folder) if suite is None else suite
        self.log = DecisionLog(folder, QuestionDecision)

    def open(self) -> list[WrittenQuestion]:
        """Those that wait for a decision, in their order."""
        decided = {one.question for one in self.log.all()}
        materials = _materials(self.folder)
        return [
            WrittenQuestion(sample, materials.get(sample.id))
            for sample in self.suite.samples
            if UNVERIFIED in sample.tags and sample.id not in decided
        ]

    def one(self, id_: str) -> WrittenQuestion:
        """The one that waits under this id.

        Raises:
            UserError: there is none, or somebody has decided about it.
        """
        waiting = self.open()
        found = next((one for one in waiting if one.sample.id == id_), None)
        if found is not None:
            return found
        for before in self.log.all():
            if before.question == id_:
                raise UserError(f"question {id_} was {before.decided} by {before.by}")
        raise UnknownNameError("question", id_, [one.sample.id for one in waiting][:20])

    def accept(self, id_: str, into: Path, *, by: str, question: str = "", answer: str = "") -> Sample:
        """Put a question into another suite, which is made where there is none, and write down who did it.

        ``question`` and ``answer`` take the place of what the model wrote.

        Raises:
            UserError: there is no such question, or the suite is none, this very folder, or of another form.
        """
        with self.log.deciding():
            found = self.one(id_)
            if into.resolve() == self.folder.resolve():
                raise UserError(f"{into} holds what a model wrote: name another folder for what is accepted")
            worded = reworded(found.sample, question, answer)
            sample = accepted(worded, _TAG.sub("_", by))
            put_in(into, sample, self.suite.tasks[sample.task], self._card(into), lambda known: _fits(known, into))
            changed = worded != found.sample
            # After the suite: a crash in between leaves a question that is accepted again, and not one that is named and missing.
            self._keep(id_, "accepted", by, suite=into.name, changed=changed)
            return sample

    def reject(self, id_: str, *, by: str, reason: str = "") -> None:
        """Have a question wait no more, and write down who said so.

        Raises:
            UserError: there is no such question, or somebody has decided about it.
        """
        with self.log.deciding():
            self.one(id_)
            self._keep(id_, "rejected", by, reason=reason)

    def _keep(
        self,
        id_: str,
        decided: Literal["accepted", "rejected"],
        by: str,
        *,
        suite: str = "",
        changed: bool = False,
        reason: str = "",
    ) -> None:
        self.log.keep(
            QuestionDecision(
                question=id_, decided=decided, by=by, at=time.time(), suite=suite, changed=changed, reason=reason
            )
        )

    def _card(self, into: Path) -> SuiteCard:
        return replace(
            self.suite.card,
            name=into.name,
            description="Questions written by a model and accepted, one by one, by people.",
        )


def reworded(sample: Sample, question: str, answer: str) -> Sample:
    """The sample with another question and answer, where these say anything."""
    return replace(sample, needs=question.strip() or sample.needs, reference=answer.strip() or sample.reference)


def broken_rule(found: WrittenQuestion, sample: Sample) -> str:
    """The rule of making questions that the sample's words break; empty where they break none, or none can be told."""
    if found.material is None:
        return ""
    evidence = tuple(range(1, len(found.material.passages) + 1))
    return (
        fault(
            Written(usable=True, question=sample.needs, answer=sample.reference, evidence=evidence), found.material, ()
        )
        or ""
    )


def encode_materials(materials: Mapping[str, Material]) -> bytes:
    """The content of ``MATERIALS``."""
    return msgspec.json.format(msgspec.json.encode(materials), indent=1)


def _materials(folder: Path) -> dict[str, Material]:
    file = folder / MATERIALS
    # Written without it by earlier versions: the ids in the sample are then all there is.
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_bounded(file), type=dict[str, Material])
    except msgspec.MsgspecError as error:
        raise BadInputError(str(error), file=file) from error


def _fits(known: Suite, folder: Path) -> None:
    if known.card.protocol != QUESTION_ANSWERING:
        raise UserError(f"{folder} is a suite of consultations ({known.card.protocol}): name a new folder")
    if other := sum(not one.reference and UNANSWERABLE not in one.tags for one in known.samples):
        raise UserError(
            f"{folder} has {other} of {len(known.samples)} samples without a reference answer, marked by another measure:"
            " name a new folder"
        )
    if waiting := sum(UNVERIFIED in one.tags for one in known.samples):
        raise UserError(
            f"{folder} has {waiting} of {len(known.samples)} questions that nobody has accepted: name another folder"
        )
