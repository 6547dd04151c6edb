"""The consultation benchmark: for each sample the dialogues, then what every scorer says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from benchbar.dialogue.loop import Protocol, hold
from benchbar.dialogue.temperaments import OFF, Assignment
from benchbar.languages.prompts import Prompts
from benchbar.ledger import SCOPE, Ledger, PlannedItem, Scope
from benchbar.records import (
    CitedIn,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    OpenClaim,
    Reduction,
    Sample,
    SampleResult,
    Score,
    Scored,
    Suite,
)
from benchbar.records.measures import MeasureDefinition
from benchbar.records.probes import ProbeOutcome
from benchbar.records.protocols import (
    Assistant,
    CitationChecker,
    Documents,
    RecordedDialogues,
    Scorer,
    ScoringInput,
    UserSimulator,
)
from benchbar.runs.asking_people import PeopleAsked
from benchbar.runs.ledgered import ledgered
from benchbar.runs.probing import probe_items, probed
from benchbar.runs.stage import Done, Stage, gathered, of_trial
from benchbar.scoring.entailment.leaving import left_open
from benchbar.scoring.entailment.settings import NAME as ENTAILMENT
from benchbar.scoring.functions import FunctionScorer
from benchbar.scoring.judges.support import NAME as SUPPORT
from benchbar.scoring.judges.support import merged

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
    tie_margin: float | None = None
    """Within which the mean of a sample's verdicts is a tie; None where the mean itself counts."""
    reduction: Reduction = "mean"
    """How what several judges say becomes one value."""
    assignment: Assignment = OFF
    """The temperament of each sample's user; empty where temperaments are off."""
    probed: frozenset[str] = frozenset()
    """The samples on which judges are themselves tested."""
    repeats: int = 1
    """How often each dialogue is held and marked."""
    people: PeopleAsked | None = None
    """Asks those assistants that are people."""

    def trials(self, name: str) -> int:
        """How many dialogues an assistant has about each sample.

        One that was recorded elsewhere cannot be held again, and a person who is asked again remembers the first answer.
        """
        once = name in self.recorded or getattr(self.assistants[name], "asked_once", False)
        return 1 if once else self.repeats

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
        for trial in range(study.repeats):
            for name in study.assistants:
                if trial < study.trials(name):
                    yield _dialogue_item(sample, name, trial, recorded=name in study.recorded)
                    yield from (one.item for stage in alone for one in stage.passes(sample, name, trial))
            candidates = [name for name in study.candidates if trial < study.trials(name)]
            yield from (
                one.item for stage in paired for name in candidates for one in stage.passes(sample, name, trial)
            )
        if sample.id in study.probed:
            yield from probe_items(study.stages, sample, study.reference)


class Planned:
    """Every item of a study, as often as they are gone through; there may be too many to hold them all."""

    def __init__(self, study: Consultation) -> None:
        """Of this study."""
        self._study = study

    def __iter__(self) -> Iterator[PlannedItem]:
        """Each item, in the order of the suite."""
        return planned(self._study)


def planned_count(study: Consultation) -> int:
    """How many items that is: every sample has as many as the first one, besides probes of the judge."""
    probes = sum(
        1
        for sample in study.suite.samples
        if sample.id in study.probed
        for _ in probe_items(study.stages, sample, study.reference)
    )
    without = replace(study, probed=frozenset())
    return sum(1 for _ in planned(without, study.suite.samples[:1])) * len(study.suite.samples) + probes


def _dialogue_item(sample: Sample, name: str, trial: int, *, recorded: bool = False) -> PlannedItem:
    return PlannedItem(
        id=f"dialogue/{sample.id}/{name}{of_trial(trial)}",
        kind="dialogue",
        sample=sample.id,
        assistant=name,
        calls=not recorded,
    )


async def consult(study: Consultation, sample: Sample, done: Done) -> SampleResult:
    """Hold the dialogues about one sample and have every scorer mark them, as often as the study repeats them.

    The values of the measures are left to whoever takes the result in: they are reckoned once, where the facts are accumulated.
    """
    if study.repeats == 1:
        return await _trial(study, sample, 0, {}, done)
    once = [name for name in study.assistants if study.trials(name) == 1]
    # Before the trials part ways: what was said once is what the candidates of all trials are compared with.
    first = await _hold(study, sample, once, 0, done)
    trials = await gathered(_trial(study, sample, trial, first, done) for trial in range(study.repeats))
    further = tuple(one.as_trial(trial) for trial, one in enumerate(trials[1:], start=1))
    return msgspec.structs.replace(trials[0], trials=further)


_Held = dict[str, tuple[Dialogue, Scope]]
"""Assistant to its dialogue about a sample, and to the scope of the calls that it took."""


async def _hold(study: Consultation, sample: Sample, names: Sequence[str], trial: int, done: Done) -> _Held:
    # One scope for each dialogue: what scorers say of it is packed against its last call.
    scopes = [Scope(sample.id, trial=trial) for _ in names]
    held = await gathered(
        _dialogue(study, sample, name, scope, done) for name, scope in zip(names, scopes, strict=True)
    )
    return {name: (dialogue, scope) for name, dialogue, scope in zip(names, held, scopes, strict=True)}


async def _trial(study: Consultation, sample: Sample, trial: int, once: _Held, done: Done) -> SampleResult:
    """What came of one trial; ``once`` are the dialogues that are not held again."""
    names = [name for name in study.assistants if name not in once]
    every = once | await _hold(study, sample, names, trial, done)
    scopes = {name: scope for name, (_, scope) in every.items()}
    own = {name: every[name][0] for name in study.assistants if trial < study.trials(name)}
    held = list(own.values())
    dialogues = {name: dialogue for name, (dialogue, _) in every.items()}
    cited = {name: tuple(_cited(study, sample, dialogue)) for name, dialogue in own.items()}
    found = await gathered(
        [
            *(_alone(study, sample, dialogue, cited[name], scopes[name], done) for name, dialogue in own.items()),
            *(
                _paired(study, stage, sample, (dialogues[name], dialogues[study.reference]), scopes, done)
                for stage in study.stages
                if stage.scorer.compares
                for name in study.candidates
                if name in own
            ),
        ]
    )
    result = SampleResult.of(sample, (one for scored in found for one in scored))
    # The judge's own test needs no second trial: the same pairs would be asked about again.
    probes = () if trial else await _probed(study, sample, dialogues[study.reference], scopes[study.reference], done)
    citations = merged((one for name in own for one in cited[name]), result.citations)
    return msgspec.structs.replace(
        result,
        dialogues=tuple(held),
        citations=citations,
        probes=probes,
        dimensions=tuple(
            one for dialogue in held for one in _dimensions(study, sample, dialogue, result.scores, citations)
        ),
    )


async def _probed(
    study: Consultation, sample: Sample, dialogue: Dialogue, scope: Scope, done: Done
) -> tuple[ProbeOutcome, ...]:
    if sample.id not in study.probed:
        return ()
    return await probed(study.stages, study.suite.tasks[sample.task], sample, dialogue, study.ledger, scope, done)


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
    item = _dialogue_item(sample, name, scope.trial)
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


async def _alone(
    study: Consultation, sample: Sample, dialogue: Dialogue, cited: Sequence[CitedIn], scope: Scope, done: Done
) -> list[Scored]:
    """What scorers say of one dialogue by itself: first those that cost nothing, then those that may ask a model."""
    given = ScoringInput(
        study.suite.tasks[sample.task], sample, dialogue, claims=tuple(_open_claims(study, dialogue, cited))
    )
    stages = [stage for stage in study.stages if not stage.scorer.compares]
    free = [one for stage in stages if not stage.planned for one in await stage.scorer.score(given)]
    # A checklist asks only about the points that rules left open.
    given = replace(
        given,
        scores=tuple(one for one in free if isinstance(one, Score)),
        # And a judge of claims only about those of which a model of inference has no verdict.
        claims=left_open(given.claims, (one for one in free if isinstance(one, CitedIn))),
    )
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


def _open_claims(study: Consultation, dialogue: Dialogue, cited: Sequence[CitedIn]) -> Iterator[OpenClaim]:
    """What rules leave open of the citations of a dialogue, where a judge is asked about it."""
    if study.law is None or not {SUPPORT, ENTAILMENT} & study.scorers.keys():
        return
    for one in cited:
        claim = study.law.open_claim(dialogue.turns[one.turn].content, one)
        if claim is not None:
            yield claim


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
        reduction=study.reduction,
    )
    return apply(study.rubric, subject, sample=sample.id, assistant=name)
