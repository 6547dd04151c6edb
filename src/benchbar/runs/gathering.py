"""Takes in what comes of each sample while a run goes on, and keeps of it only small facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from benchbar.records import QUESTION_ANSWERING, Sample, SampleResult
from benchbar.runs.consultation import Consultation
from benchbar.suites.clusters import clusters_of

if TYPE_CHECKING:
    from benchbar.artefacts.derived import DerivedFiles
    from benchbar.measures.question_answering import RagTally
    from benchbar.measures.tally import Tally
    from benchbar.runs.first_verdicts import FirstVerdicts
    from benchbar.runs.reviewing import Doubt


class Gathering:
    """The tally, the grounds for review and the derived files of one run.

    It is made with the first result: numerical libraries take longer to load than the first answers take to come.
    """

    def __init__(self, study: Consultation, files: DerivedFiles, *, watch: FirstVerdicts | None = None) -> None:
        """For a run that writes these files; ``watch`` may stop it."""
        self._study, self._files, self._watch = study, files, watch
        self._tally: Tally | None = None
        self.rag: RagTally | None = None
        """Of a question-answering suite alone."""
        self._doubts: list[Doubt] = []
        self._clusters = clusters_of(study.suite.samples)

    @property
    def tally(self) -> Tally:
        """Facts of all samples taken in so far."""
        if self._tally is None:
            from benchbar.measures.question_answering import RagTally
            from benchbar.measures.tally import Tally

            self._tally = Tally(
                reference=self._study.reference, tasks=self._study.suite.tasks, declared=self._study.declared
            )
            if self._study.suite.card.protocol == QUESTION_ANSWERING:
                self.rag = RagTally(self._study.suite, self._study.documents)
        return self._tally

    def receive(self, sample: Sample, result: SampleResult) -> None:
        """Take in what came of one sample."""
        from benchbar.measures.values import measured
        from benchbar.runs.reviewing import doubts_of

        study = self._study
        if self._watch is not None:
            self._watch.look(result)
        facts = self.tally.add(sample, result)
        measures = measured(
            sample,
            facts,
            result,
            study.reference,
            study.rubric,
            law=study.law is not None,
            cluster=self._clusters.get(sample.id, ""),
        )
        if self.rag:
            self.rag.add(sample, result)
        self._files.add(structs.replace(result, measures=measures))
        self._doubts.extend(doubts_of(sample, result, self._study.rubric))

    def release_facts(self) -> list[Doubt]:
        """The grounds for review; nothing of what was gathered is held any longer."""
        # The facts of a large run take more room than its suite, and the page is drawn next.
        doubts, self._doubts, self._tally, self.rag = self._doubts, [], None, None
        return doubts
