"""What was gathered, made into the results of a run: its numbers, what people should look at, and the gate's decision."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchbar.artefacts.derived import note_unreadable, write_timing
from benchbar.artefacts.folder import read_measures
from benchbar.records import GateDecision, GateReason, HumanMarks, RunResults
from benchbar.runs.spec import Spec

if TYPE_CHECKING:
    from benchbar.runs.consultation import Consultation
    from benchbar.runs.gathering import Gathering


@dataclasses.dataclass(frozen=True)
class Deriving:
    """Results of one study, or of a part of it, in the folder of its run."""

    spec: Spec
    base: Path
    folder: Path
    study: Consultation

    def of(self, gathered: Gathering) -> RunResults:
        """The results, with what people should look at and the gate's decision."""
        from benchbar.assistants.person import PersonAssistant
        from benchbar.ledger.reviews import Reviews
        from benchbar.ledger.spent import spending_of
        from benchbar.measures.results import results
        from benchbar.measures.timing import timing
        from benchbar.runs.assembling import families_of, judge_identity, simulator_identity, warn_of_family
        from benchbar.runs.trial import judge_findings
        from benchbar.scoring.people import renew_marks

        study, folder = self.study, self.folder
        judge, decided_by = judge_identity(study)
        write_timing(folder, timing(gathered.accumulator))
        found = results(
            study.suite,
            gathered.accumulator,
            simulator=simulator_identity(study),
            judge=judge,
            decided_by=decided_by,
            law=study.law,
            spending=spending_of(study.ledger.store),
            rubric=study.rubric,
            assignment=study.assignment,
            families=families_of(self.spec, study, self.base),
            aligned=self.spec.health.aligned,
        )
        if gathered.rag is not None:
            of_answers = study.scorers.get("rag")
            found = gathered.rag.extended(
                found,
                judge=of_answers.identity if of_answers else "",
                compared_by=getattr(of_answers, "compared_by", ""),
            )
        unreadable = {
            (judge, of.first): of.failed for judge, of in gathered.accumulator.health.judges.items() if of.failed
        }
        note_unreadable(folder, unreadable)
        family = warn_of_family(self.spec, self.base)
        trials = judge_findings(study.ledger.store, self.spec)
        found = msgspec.structs.replace(found, health=(*found.health, *trials, *family))
        found = msgspec.structs.replace(found, repeats=gathered.repeated(study.ledger.store))
        if people := tuple(name for name, one in study.assistants.items() if isinstance(one, PersonAssistant)):
            found = msgspec.structs.replace(found, people=people)
        reasons = self._planned_review(gathered)
        marks = renew_marks(folder, study.ledger.store, Reviews())
        return self._gated(msgspec.structs.replace(found, review=reasons), marks)

    def _planned_review(self, gathered: Gathering) -> dict[str, int]:
        """Draw what people should mark; returns how many dialogues each reason chose."""
        from benchbar.ledger.blinding import task_names
        from benchbar.ledger.reviews import add_plan
        from benchbar.runs.reviewing import draw, reasons_counted

        study, spec = self.study, self.spec
        # The facts of a large run take more room than its suite: they make way for what is drawn and told of it.
        plan = draw(
            gathered.release_facts(),
            spec.review,
            seed=spec.seed,
            name=task_names(study.ledger.store),
            stamp=study.suite.fingerprint,
            reference=study.reference,
        )
        add_plan(study.ledger.store, plan)
        return dict(reasons_counted(plan))

    def _gated(self, found: RunResults, marks: dict[str, HumanMarks]) -> RunResults:
        """The results with the decision of the spec's gate, where it has one."""
        spec, base = self.spec, self.base
        if spec.gate is None:
            return found
        from benchbar.decisions.evidence import gate_of
        from benchbar.decisions.policy import baseline_of, beside, policy_named
        from benchbar.runs.gating import looked

        policy = policy_named(spec.gate, base)
        baseline = baseline_of(policy, base)

        def decide(level: float | None, because: tuple[GateReason, ...]) -> GateDecision:
            measures = read_measures(self.folder)
            return gate_of(found, measures, policy, baseline=baseline, marks=marks, level=level, because=because)

        decision = looked(self.folder, found, policy, beside(spec.gate, base), decide, store=self.study.ledger.store)
        return msgspec.structs.replace(found, gate=decision)
