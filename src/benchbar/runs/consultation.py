"""The consultation benchmark: for each sample the dialogues, then what every scorer says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from benchbar.dialogue import Protocol, hold
from benchbar.dialogue.temperaments import OFF, Assignment
from benchbar.languages.prompts import Prompts
from benchbar.ledger import SCOPE, Ledger, PlannedItem, Scope
from benchbar.records import (
    CitedIn,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    Sample,
    SampleResult,
    Score,
    Scored,
    Suite,
)
from benchbar.records.measures import MeasureDefinition
from benchbar.records.protocols import (
    Assistant,
    CitationChecker,
    Documents,
    RecordedDialogues,
    Scorer,
    ScoringInput,
    UserSimulator,
)
from benchbar.runs.ledgered import ledgered
from benchbar.runs.stage import Done, Stage, gathered
from benchbar.scoring.functions import FunctionScorer

if TYPE_CHECKING:
    from benchbar.scoring.rubrics import Rubric


@dataclass(frozen=True)
class Consultation:
    """All inputs of a run, already resolved: who consults whom about what, and who scores it."""

    suite: Suite
    assistants: dict[str, Assistant | RecordedDialogues]
    reference: str
    simulator: UserSimulator
    ledger: Ledger
    prompts: Prompts
    stages: tuple[Stage, ...]
    """Every scorer, in the order in which its items are planned."""
    protocol: Protocol = field(default_factory=Protocol)
    law: CitationChecker | None = None
    """What citations are held against; None where the run has no law."""
    documents: Documents | None = None
    """What retrieved passages are held against; None where the run has no law."""
    rubric: Rubric | None = None
    assignment: Assignment = OFF
    """The temperament of each sample's user; empty where temperaments are off."""

    @cached_property
    def recorded(self) -> dict[str, RecordedDialogues]:
        """The assistants that are dialogues held elsewhere."""
        return {name: one for name, one in self.assistants.items() if isinstance(one, RecordedDialogues)}

    @cached_property
    def asked(self) -> dict[str, Assistant]:
        """The assistants that are asked, as the ledger knows them."""
        return {
            name: ledgered(one, self.ledger)
            for name, one in self.assistants.items()
            if not isinstance(one, RecordedDialogues)
        }

    @property
    def candidates(self) -> tuple[str, ...]:
        """All assistants but the reference."""
        return tuple(name for name in self.assistants if name != self.reference)

    @cached_property
    def declared(self) -> dict[str, MeasureDefinition]:
        """The measures that scoring rules declare, by name."""
        scorers = [stage.scorer for stage in self.stages]
        return {one.name: one.measure for one in scorers if isinstance(one, FunctionScorer)}

    @cached_property
    def scorers(self) -> dict[str, Scorer]:
        """The scorers by name; of a panel the first."""
        return {stage.scorer.name: stage.scorer for stage in reversed(self.stages)}


def planned(study: Consultation, samples: Sequence[Sample] | None = None) -> Iterator[PlannedItem]:
    """Every dialogue and every pass of a scorer that the study has to bring about, about these samples or all."""
    stages = [stage for stage in study.stages if stage.planned]
    alone = [stage for stage in stages if not stage.scorer.compares]
    paired = [stage for stage in stages if stage.scorer.compares]
    for sample in study.suite.samples if samples is None else samples:
        for name in study.assistants:
            yield _dialogue_item(sample, name, recorded=name in study.recorded)
            yield from (one.item for stage in alone for one in stage.passes(sample, name))
        yield from (one.item for stage in paired for name in study.candidates for one in stage.passes(sample, name))


class Planned:
    """Every item of a study, as often as they are gone through; there may be too many to hold them all."""

    def __init__(self, study: Consultation) -> None:
        """Of this study."""
        self._study = study

    def __iter__(self) -> Iterator[PlannedItem]:
        """Each item, in the order of the suite."""
        return planned(self._study)


def planned_count(study: Consultation) -> int:
    """How many items that is: every sample has as many as the first one."""
    return sum(1 for _ in planned(study, study.suite.samples[:1])) * len(study.suite.samples)


def _dialogue_item(sample: Sample, name: str, *, recorded: bool = False) -> PlannedItem:
    return PlannedItem(
        id=f"dialogue/{sample.id}/{name}", kind="dialogue", sample=sample.id, assistant=name, calls=not recorded
    )


async def consult(study: Consultation, sample: Sample, done: Done) -> SampleResult:
    """Hold the dialogues about one sample and have every scorer mark them.

    The values of the measures are left to whoever takes the result in: they are reckoned once, with the tally.
    """
    # One for each dialogue: what scorers say of it is packed against its last call.
    scopes = {name: Scope(sample.id) for name in study.assistants}
    held = await gathered(_dialogue(study, sample, name, scopes[name], done) for name in study.assistants)
    dialogues = {dialogue.assistant: dialogue for dialogue in held}
    found = await gathered(
        [
            *(_alone(study, sample, dialogue, scopes[name], done) for name, dialogue in dialogues.items()),
            *(
                _paired(study, stage, sample, (dialogues[name], dialogues[study.reference]), scopes, done)
                for stage in study.stages
                if stage.scorer.compares
                for name in study.candidates
            ),
        ]
    )
    result = SampleResult.of(sample, (one for scored in found for one in scored))
    cited = tuple(one for dialogue in held for one in _cited(study, sample, dialogue))
    return msgspec.structs.replace(
        result,
        dialogues=tuple(held),
        citations=cited,
        dimensions=tuple(
            one for dialogue in held for one in _dimensions(study, sample, dialogue, result.scores, cited)
        ),
    )


async def _dialogue(study: Consultation, sample: Sample, name: str, scope: Scope, done: Done) -> Dialogue:
    SCOPE.set(scope)
    if name in study.recorded:
        dialogue = _recorded(study.recorded[name], sample, name)
    else:
        dialogue = await hold(
            study.suite.tasks[sample.task],
            sample,
            name,
            study.asked[name],
            study.simulator,
            protocol=study.protocol,
            prompts=study.prompts,
            temperament=study.assignment(sample),
        )
    item = _dialogue_item(sample, name)
    await study.ledger.settle(item, scope, dialogue, failed=dialogue.ended is DialogueEnd.ERROR)
    done("dialogue")
    return dialogue


def _recorded(assistant: RecordedDialogues, sample: Sample, name: str) -> Dialogue:
    found = assistant.dialogue(sample)
    if found is None:
        return Dialogue(
            sample=sample.id,
            assistant=name,
            turns=(),
            ended=DialogueEnd.ERROR,
            # A missing recording is a failed dialogue and not a left-out one: the sample stays in every
            # count.
            error="assistant: missing: no answer recorded",
        )
    return msgspec.structs.replace(found, assistant=name)


async def _alone(study: Consultation, sample: Sample, dialogue: Dialogue, scope: Scope, done: Done) -> list[Scored]:
    """What scorers say of one dialogue by itself: first those that cost nothing, then those that may ask a model."""
    given = ScoringInput(study.suite.tasks[sample.task], sample, dialogue)
    stages = [stage for stage in study.stages if not stage.scorer.compares]
    free = [one for stage in stages if not stage.planned for one in await stage.scorer.score(given)]
    # A checklist asks only about the points that rules left open.
    given = replace(given, scores=tuple(one for one in free if isinstance(one, Score)))
    paid = await gathered(stage.run(given, study.ledger, (scope,), done) for stage in stages if stage.planned)
    return [*free, *(one for scored in paid for one in scored)]


async def _paired(
    study: Consultation,
    stage: Stage,
    sample: Sample,
    pair: tuple[Dialogue, Dialogue],
    scopes: dict[str, Scope],
    done: Done,
) -> list[Scored]:
    """What a scorer says of a candidate's dialogue beside the reference's."""
    given = ScoringInput(study.suite.tasks[sample.task], sample, pair[0], reference=pair[1])
    return await stage.run(given, study.ledger, [scopes[one.assistant] for one in pair], done)


def _cited(study: Consultation, sample: Sample, dialogue: Dialogue) -> Iterator[CitedIn]:
    """The citations of every reply, held against the law on the day of the matter."""
    if study.law is None:
        return
    for index, turn in enumerate(dialogue.turns):
        if turn.role == "assistant":
            for citation in study.law.check(turn.content, on=sample.on, language=sample.language):
                day = sample.on or study.law.today
                yield CitedIn(sample=sample.id, assistant=dialogue.assistant, turn=index, on=day, citation=citation)


def _dimensions(
    study: Consultation, sample: Sample, dialogue: Dialogue, scores: Sequence[Score], cited: Sequence[CitedIn]
) -> tuple[DimensionScore, ...]:
    """The rubric's dimensions of one dialogue; none of a dialogue that failed."""
    if study.rubric is None or dialogue.ended is DialogueEnd.ERROR:
        return ()
    from benchbar.scoring.rubrics import Subject, apply

    name = dialogue.assistant
    subject = Subject(
        sample=sample,
        dialogue=dialogue,
        scores=tuple(score for score in scores if score.assistant == name),
        citations=tuple(one.citation for one in cited if one.assistant == name) if study.law else None,
    )
    return apply(study.rubric, subject, sample=sample.id, assistant=name)
