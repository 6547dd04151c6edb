"""Measures what each part of a system contributes: `benchbar.ablate`.

Every variant meets the same clauses, samples or questions; calls that two variants share are paid once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.artefacts.layout import RunFolder
from benchbar.clients.session import OnProgress, Session, blocking, open_session
from benchbar.records import QUESTION_ANSWERING, Suite, encode, fingerprint
from benchbar.records.ablation import (
    AblationResults,
    ConsultationAblation,
    ContrastTable,
    QuestionAblation,
    ReviewTiming,
    Variant,
)
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.runs.ablation_spec import (
    CONSULTATION,
    CONTRACT,
    QUESTIONS,
    AblationSpec,
    as_ablation,
    bundled,
    run_spec,
)
from benchbar.runs.assembling import assembled, chosen_suite, session_of

if TYPE_CHECKING:
    from benchbar.contracts.generation import ChatGenerator
    from benchbar.contracts.lawbook import LawBook
    from benchbar.contracts.offline import OfflineReviewer
    from benchbar.measures.facts import DialogueFacts
    from benchbar.records.contracts import ClauseReview, LabelledClause

DEFAULT_SUITE = "model-jurisdiction-zh"
DEFAULT_QUESTIONS = "model-jurisdiction-zh-questions"


@dataclass(frozen=True)
class Ablation:
    """A finished ablation."""

    folder: Path
    results: AblationResults | ConsultationAblation | QuestionAblation
    timing: dict[str, ReviewTiming] | None
    """Variant to the seconds that a review or a dialogue took; None where questions were asked."""

    @property
    def files(self) -> tuple[Path, ...]:
        """What was written, in the order in which a person would name it."""
        own = RunFolder(self.folder)
        return (own.results, own.tables, own.report) if self.timing is None else (own.results, own.timing, own.report)


async def ablate_async(
    spec: AblationSpec | Mapping[str, object] | Path | str,
    *,
    out: Path | str | None = None,
    base: Path | str | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Ablation:
    """The same as ``ablate``, for callers whose event loop runs already."""
    chosen, own = as_ablation(spec)
    root = own if base is None else Path(base)
    study = _Study(chosen, root, Path(out) if out else Path("runs") / chosen.name, on_progress, cancel)
    done = await study.done()
    _write(done)
    return done


@blocking(ablate_async)
def ablate(done: Ablation) -> Ablation:  # noqa: D417 - its arguments are those of ablate_async
    """What each varied part contributes, measured on the same clauses, samples or questions.

    The same call goes on where it was stopped: answers are taken from the ledger in the folder, and not paid again.

    Args:
        spec: a TOML file, the name of a bundled spec, a file's content as a mapping, or an ``AblationSpec``.
        out: the folder of the study; left out, ``runs/NAME``.
        base: the folder that relative paths in the spec start from; left out, that of the file, else the present one.
        on_progress: called as each review, dialogue or answer is finished.
        cancel: once set, calls in flight are finished and kept, and an ``InterruptedRunError`` is raised.

    Raises:
        UserError: the spec cannot be run; or an event loop runs here already.
        BenchbarError: a model refuses every call, or the budget is spent.

    Example:
        >>> study = {
        ...     "name": "dates",
        ...     "kind": "consultation",
        ...     "limit": 4,
        ...     "assistant": {"kind": "extractive"},
        ...     "variants": {"today": {}, "2020": {"on": "2020-12-31"}},
        ... }
        >>> done = benchbar.ablate(study)
        >>> sorted(done.results.results)
        ['2020', 'today']
        >>> done.folder.as_posix()
        'runs/dates'
    """
    return done


def _write(done: Ablation) -> None:
    folder = RunFolder(done.folder)
    written = {folder.results: encode(done.results) + b"\n"}
    if isinstance(done.results, QuestionAblation):
        from benchbar.reports.ablation import as_markdown, write_report

        written[folder.tables] = as_markdown(done.results).encode()
        written[folder.report] = write_report(done.results, {}).encode()
    else:
        from benchbar.reports.ablation import write_report

        written[folder.timing] = encode(done.timing) + b"\n"
        written[folder.report] = write_report(done.results, done.timing or {}).encode()
    for path, data in written.items():
        write_atomically(path, data)


@dataclass(frozen=True)
class _Study:
    """An ablation that is about to be made."""

    spec: AblationSpec
    base: Path
    folder: Path
    on_progress: OnProgress | None
    cancel: threading.Event | None

    async def done(self) -> Ablation:
        if self.spec.kind == CONTRACT:
            return await self._contracts()
        if self.spec.kind == CONSULTATION:
            return await self._consultations()
        if self.spec.kind == QUESTIONS:
            return await self._questions()
        raise UserError(
            f"kind = {self.spec.kind!r}; known: {CONTRACT}, {CONSULTATION}, {QUESTIONS}."
            f" Bundled specs: {', '.join(bundled())}"
        )

    async def _contracts(self) -> Ablation:
        """Every variant of the contract reviewer on the same labelled clauses."""
        from benchbar.measures.ablation import read_variants
        from benchbar.measures.contract_ablation import ablation_results, ablation_timing, review_variants

        spec = self.spec
        variants = read_variants(spec.varied())
        clauses, notes = _clauses(spec, self.base)
        parts = _Parts(spec, self.base)
        limits = spec.limits
        async with open_session(
            RunFolder(self.folder).ledger,
            max_cost=limits.max_cost,
            concurrency=limits.concurrency,
            seed=spec.seed,
            max_outage=limits.max_outage,
            cancel=self.cancel,
        ) as session:
            generator = parts.generator(session)
            reviewers = {one.name: parts.review_one(one.switches, generator) for one in variants}
            with session.counted("reviewing", len(variants) * len(clauses), self.on_progress) as done:
                reviews = await review_variants(
                    reviewers, clauses, at_once=limits.concurrency, done=lambda: done("review")
                )
        results = ablation_results(
            spec.name,
            variants,
            clauses,
            reviews,
            reviewer=generator.identity,
            seed=spec.seed,
            reference=spec.reference,
            notes=[*notes, *parts.notes],
            identity=parts.identity,
        )
        return Ablation(self.folder, results, ablation_timing(clauses, reviews))

    async def _consultations(self) -> Ablation:
        """Every variant of the spec's assistant in consultations about the same samples."""
        from benchbar.measures.ablation import read_variants
        from benchbar.measures.accumulator import FactAccumulator
        from benchbar.runs.consultation import planned_count
        from benchbar.runs.engine import Engine

        spec = self.spec
        variants = read_variants(spec.varied())
        names = {f"v{index}": variant for index, variant in enumerate(variants, start=1)}
        given = {
            "suite": spec.suite or DEFAULT_SUITE,
            "reference": next((key for key, one in names.items() if one.name == spec.reference), "v1"),
            "exchanges": spec.exchanges,
            "simulator": spec.simulator,
        }
        made = run_spec(spec, {key: variant.switches for key, variant in names.items()}, given)
        suite = chosen_suite(made, self.base)
        async with session_of(made, RunFolder(self.folder).ledger, cancel=self.cancel, waits_in=self.folder) as session:
            study = assembled(made, suite, session, self.base)
            accumulator = FactAccumulator(reference=study.reference, tasks=suite.tasks, reduction=study.reduction)
            with session.counted("consulting", planned_count(study), self.on_progress) as done:
                await Engine(study, accumulator.add, done, at_once=spec.limits.concurrency).go()
        facts = {variant.name: accumulator.dialogues[key] for key, variant in names.items()}
        timing = {name: _timing(rows) for name, rows in facts.items()}
        return Ablation(self.folder, _consultation_results(spec, variants, suite, facts), timing)

    async def _questions(self) -> Ablation:
        """Every variant of the spec's assistant on the same questions, each asked once."""
        from benchbar.measures.ablation import read_variants
        from benchbar.measures.question_ablation import question_ablation
        from benchbar.measures.question_answering import RagAccumulator
        from benchbar.runs.consultation import planned_count
        from benchbar.runs.engine import Engine

        spec = self.spec
        variants = read_variants(spec.varied())
        names = {f"v{index}": variant for index, variant in enumerate(variants, start=1)}
        given = {"suite": spec.suite or DEFAULT_QUESTIONS, "reference": next(iter(names)), "law": spec.corpus}
        made = run_spec(spec, {key: variant.switches for key, variant in names.items()}, given)
        suite = chosen_suite(made, self.base)
        if suite.card.protocol != QUESTION_ANSWERING:
            raise UserError(
                f'suite {suite.card.name!r}: expected one whose card says protocol = "{QUESTION_ANSWERING}"'
            )
        async with session_of(made, RunFolder(self.folder).ledger, cancel=self.cancel, waits_in=self.folder) as session:
            today = date.today().isoformat()  # noqa: DTZ011 - where the user is
            study = assembled(made, suite, session, self.base, today=today)
            accumulator = RagAccumulator(suite, study.documents, study.reduction)
            with session.counted("asking", planned_count(study), self.on_progress) as done:
                await Engine(study, accumulator.add, done, at_once=spec.limits.concurrency).go()
        facts = {variant.name: accumulator.facts[key] for key, variant in names.items()}
        results = question_ablation(spec.name, suite, variants, facts, seed=spec.seed, reference=spec.reference)
        return Ablation(self.folder, results, None)


def _clauses(spec: AblationSpec, base: Path) -> tuple[list[LabelledClause], list[str]]:
    """The labelled clauses, and what has to be said of those that were left out."""
    import numpy as np

    from benchbar.measures.ablation import balanced_sample
    from benchbar.suites.contract_risk import bundled_clauses, read_labelled

    path = base / spec.clauses if spec.clauses else bundled_clauses()
    clauses, problems = read_labelled(path)
    notes = [f"{len(problems)} rows of {path.name} were left out, the first: {problems[0].message}"] if problems else []
    return balanced_sample(clauses, spec.sample, lambda one: one.level, np.random.default_rng(spec.seed)), notes


class _Parts:
    """Rules, law and reviewers, each made once for all variants."""

    def __init__(self, spec: AblationSpec, base: Path) -> None:
        from benchbar.contracts.bundled import bundled_rules
        from benchbar.contracts.rule_index import RuleIndex
        from benchbar.contracts.rules import read_rules

        self._spec, self._base = spec, base
        rules = read_rules(base / spec.rules) if spec.rules else bundled_rules("zh")
        self._index = RuleIndex(rules) if rules else None
        self._law = self._open_law()
        self.identity = [
            rules.fingerprint if rules else None,
            self._law.identity if self._law else None,
            spec.by_contract_type,
        ]
        self.notes = [] if self._law else ["no corpus was named: citations were not checked, law context is empty"]

    def _open_law(self) -> LawBook | None:
        if not self._spec.corpus:
            return None
        from benchbar.contracts.lawbook import CorpusLawBook

        return CorpusLawBook.open(self._base / self._spec.corpus)

    def generator(self, session: Session) -> OfflineReviewer | ChatGenerator:
        """The offline reviewer, or the spec's chat model.

        Raises:
            UserError: the settings of the model do not fit.
        """
        from benchbar.clients import Endpoint
        from benchbar.contracts.generation import ChatGenerator
        from benchbar.contracts.offline import OfflineReviewer
        from benchbar.languages.prompts import Prompts

        if self._spec.generator is None:
            self.notes.append("reviewed offline: the prompt and self-consistency switches change nothing")
            return OfflineReviewer()
        settings = dict(self._spec.generator)
        kind = settings.pop("kind", "openai")
        if kind != "openai":
            raise UserError(f'generator: unknown kind {kind!r}; known: "openai", or no table for the offline reviewer')
        try:
            endpoint = msgspec.convert(settings, Endpoint)
        except msgspec.ValidationError as error:
            raise UserError(f"generator: {error}") from error
        folder = self._base / self._spec.prompts if self._spec.prompts else None
        return ChatGenerator(session.chat(endpoint), Prompts(folder, nonce=session.ledger.nonce))

    def review_one(
        self, switches: dict[str, Any], generator: OfflineReviewer | ChatGenerator
    ) -> Callable[[LabelledClause], Coroutine[Any, Any, ClauseReview]]:
        """The coroutine function that reviews one labelled clause under these switches.

        Raises:
            UserError: there is no such switch.
        """
        from benchbar.contracts.reviewer import ContractReviewer
        from benchbar.contracts.switches import Switches
        from benchbar.records.contracts import Clause, ClauseKind

        try:
            chosen = msgspec.convert(switches, Switches)
        except msgspec.ValidationError as error:
            raise UserError(f"switches {switches}: {error}; known: {', '.join(Switches.__struct_fields__)}") from error
        reviewer = ContractReviewer(generator, rules=self._index, law=self._law, switches=chosen)
        by_type = self._spec.by_contract_type

        async def review(one: LabelledClause) -> ClauseReview:
            clause = Clause(id=one.id, kind=ClauseKind.CLAUSE, text=one.text, start=0, end=len(one.text))
            return await reviewer.review(clause, one.contract_type if by_type else None)

        return review


def _timing(rows: Sequence[DialogueFacts]) -> ReviewTiming:
    from benchbar.measures.review_metrics import quantile
    from benchbar.statistics import mean

    seconds = [one.latency for one in rows if not one.failed]
    return ReviewTiming(
        mean=mean(seconds, low=0, unit="dialogue"), p50=quantile(seconds, 0.5), p95=quantile(seconds, 0.95)
    )


def _notes(spec: AblationSpec) -> Iterator[str]:
    """What a reader has to know: who decided, and that users differed."""
    if spec.judge is None:
        yield "no judge was named: rules alone decided the guidance points"
    if names := (spec.simulator or {}).get("temperaments"):
        yield f"simulated users of the temperaments {', '.join(names)}, the same for every variant"


def _consultation_results(
    spec: AblationSpec, variants: tuple[Variant, ...], suite: Suite, facts: Mapping[str, Sequence[DialogueFacts]]
) -> ConsultationAblation:
    import numpy as np

    from benchbar.measures.ablation import interactions, main_effects, paired_differences
    from benchbar.measures.contract_ablation import MOST_PAIRS
    from benchbar.measures.registry import CONSULTATION, Known
    from benchbar.measures.results import estimates
    from benchbar.statistics import mean

    shown = [one for one in CONSULTATION if one.summary]
    outcomes = {name: {one.sample: one.weighing.value for one in rows} for name, rows in facts.items()}
    rng = np.random.default_rng(spec.seed)
    # Every pair of many variants would be a table that nobody reads, at a level that nothing reaches.
    compare = spec.reference is not None or len(variants) <= MOST_PAIRS
    table = ContrastTable(
        outcome="point_score",
        pairs=paired_differences(outcomes, rng, reference=spec.reference) if compare else (),
        main_effects=main_effects(variants, outcomes, rng),
        interactions=interactions(variants, outcomes, rng),
    )
    return ConsultationAblation(
        name=spec.name,
        suite=suite.card.name,
        samples=len(suite.samples),
        seed=spec.seed,
        reference=spec.reference,
        variants=variants,
        results={
            name: estimates(Known(name, rows, [None] * len(rows), is_reference=False), shown)
            | {"cost": mean([one.cost for one in rows], low=0)}
            for name, rows in facts.items()
        },
        contrasts=(table,),
        fingerprint=fingerprint([suite.fingerprint, variants, spec.assistant]),
        notes=tuple(_notes(spec)),
    )
