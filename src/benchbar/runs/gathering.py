"""Takes in what comes of each sample while a run goes on, and keeps of it only small facts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from benchbar.records import QUESTION_ANSWERING, Measures, Sample, SampleResult
from benchbar.runs.consultation import Consultation
from benchbar.suites.clusters import clusters_of

if TYPE_CHECKING:
    from benchbar.artefacts.derived import DerivedFiles
    from benchbar.ledger.store import LedgerStore
    from benchbar.measures.accumulator import FactAccumulator
    from benchbar.measures.facts import DialogueFacts
    from benchbar.measures.question_answering import RagAccumulator
    from benchbar.measures.repeats import RepeatAccumulator
    from benchbar.records.repeats import RepeatResults
    from benchbar.runs.first_verdicts import FirstVerdicts
    from benchbar.runs.reviewing import Doubt


class Gathering:
    """The facts, the grounds for review and the derived files of one run.

    It is made with the first result: numerical libraries take longer to load than the first answers take to come.
    """

    def __init__(
        self, study: Consultation, files: DerivedFiles, *, pass_mark: float, watch: FirstVerdicts | None = None
    ) -> None:
        """For a run that writes these files, whose repeated dialogues pass at ``pass_mark``; ``watch`` may stop it."""
        self._study, self._files, self._watch = study, files, watch
        self._accumulator: FactAccumulator | None = None
        self.rag: RagAccumulator | None = None
        """Of a question-answering suite alone."""
        self.repeats: RepeatAccumulator | None = None
        """Of a run whose dialogues are repeated alone."""
        self._pass_mark = pass_mark
        self._doubts: list[Doubt] = []
        self._clusters = clusters_of(study.suite.samples)

    @property
    def accumulator(self) -> FactAccumulator:
        """Facts of all samples taken in so far."""
        if self._accumulator is None:
            from benchbar.measures.accumulator import FactAccumulator

            self._accumulator = FactAccumulator(
                reference=self._study.reference, tasks=self._study.suite.tasks, declared=self._study.declared
            )
            self._accumulator.tie_margin = self._study.tie_margin
            self._accumulator.reduction = self._study.reduction
            self._accumulator.fidelity.recorded = frozenset(self._study.recorded)
            if self._study.suite.card.protocol == QUESTION_ANSWERING:
                from benchbar.measures.question_answering import RagAccumulator

                self.rag = RagAccumulator(self._study.suite, self._study.documents, self._study.reduction)
            if self._study.repeats > 1:
                from benchbar.measures.repeats import RepeatAccumulator

                self.repeats = RepeatAccumulator(self._pass_mark)
        return self._accumulator

    def receive(self, sample: Sample, result: SampleResult) -> None:
        """Take in what came of one sample."""
        from benchbar.measures.values import measured, merged_trials
        from benchbar.runs.reviewing import doubts_of

        study = self._study
        by_assistant: dict[str, list[Measures]] = defaultdict(list)
        recorded: dict[str, DialogueFacts] = {}
        for trial in result.each():
            if self._watch is not None:
                self._watch.look(trial)
            own = self.accumulator.add(sample, trial)
            # What was recorded elsewhere has one dialogue, which every trial of the others is compared with.
            recorded = recorded or {name: one for name, one in own.dialogues.items() if study.trials(name) == 1}
            for one in measured(
                sample,
                replace(own, dialogues=recorded | own.dialogues),
                trial,
                study.reference,
                study.rubric,
                law=study.law is not None,
                cluster=self._clusters.get(sample.id, ""),
            ):
                if one.assistant in own.dialogues:
                    by_assistant[one.assistant].append(one)
        outcomes = self.rag.add(sample, result) if self.rag else {}
        # In the order of the spec's assistants, which is that of the first trial's dialogues.
        measures = tuple(merged_trials(by_assistant[one.assistant]) for one in result.dialogues)
        # Beside the other values of each answer, so that tables and comparisons find answers by the error they made.
        measures = tuple(structs.replace(one, values=one.values | outcomes.get(one.assistant, {})) for one in measures)
        self._files.add(structs.replace(result, measures=measures))
        if self.repeats:
            self.repeats.add(sample, result, measures)
        # People are shown the first trial: it is as good as any other, and one mark tells of one dialogue.
        self._doubts.extend(doubts_of(sample, result, self._study.rubric))

    def repeated(self, store: LedgerStore) -> RepeatResults | None:
        """What the trials show, and people's marks with them; None where each dialogue was held once."""
        if self.repeats is None:
            return None
        from benchbar.ledger.reviews import read_reviews
        from benchbar.measures.layers import people
        from benchbar.measures.repeats import rater_part

        return self.repeats.results(self._study.repeats, self._clusters, rater_part(people(read_reviews(store))))

    def release_facts(self) -> list[Doubt]:
        """The grounds for review; nothing of what was gathered is held any longer."""
        # The facts of a large run take more room than its suite, and the page is drawn next.
        doubts, self._doubts, self._accumulator, self.rag, self.repeats = self._doubts, [], None, None, None
        return doubts
