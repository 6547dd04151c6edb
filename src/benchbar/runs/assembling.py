"""Puts a run together from its spec: the only place where all rooms meet."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from benchbar.assistants.build import build as build_assistant
from benchbar.clients.session import Session, open_session
from benchbar.dialogue.asking import AskingUser
from benchbar.dialogue.build import build as build_simulator
from benchbar.dialogue.llm_user import prompt_of
from benchbar.dialogue.loop import Protocol
from benchbar.dialogue.temperaments import Temperament, assigned, temperaments_of
from benchbar.languages.packs import known, matched
from benchbar.languages.prompts import FURTHER, Prompts
from benchbar.law.bundled import law_path
from benchbar.records import CONSULTATION, QUESTION_ANSWERING, Suite
from benchbar.records.errors import UserError
from benchbar.records.plugins import load
from benchbar.records.protocols import Scorer
from benchbar.runs.consultation import Consultation
from benchbar.runs.context import RunContext
from benchbar.runs.ledgered import identity
from benchbar.runs.manifest import Manifest
from benchbar.runs.probing import probed_samples
from benchbar.runs.rag_options import rag_options
from benchbar.runs.spec import Spec
from benchbar.runs.stage import Stage
from benchbar.scoring.attacks import rules_for
from benchbar.scoring.entailment.settings import NAME as ENTAILMENT
from benchbar.scoring.functions import FunctionScorer
from benchbar.scoring.judges.families import NAME as FAMILIES
from benchbar.scoring.judges.families import families, family_of, same_family
from benchbar.scoring.judges.fidelity import NAME as FIDELITY
from benchbar.scoring.judges.support import NAME as SUPPORT
from benchbar.scoring.rubrics import Rubric, read_rubric
from benchbar.suites.language import contradictions
from benchbar.suites.load import load as load_suite

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus
    from benchbar.ledger import Ledger
    from benchbar.measures.lean import Families
    from benchbar.records.results import HealthFinding

_FORMS = ("pairwise", "checklist", "grade", "rag", FIDELITY, SUPPORT)
"""The forms of a judge in the order in which results name them."""
_BESIDE = ("rag", FIDELITY, SUPPORT)
"""Those that decide on no assistant's dialogue."""
_SOFT = ("pairwise", "checklist")
"""Those whose choices have a probability each."""


def chosen_suite(spec: Spec, base: Path) -> Suite:
    """The suite of the spec, narrowed to its tasks and limit.

    Raises:
        UserError: a task is unknown, or nothing is left.
    """
    suite = load_suite(spec.suite, base=base, language=spec.language, columns=spec.columns, sheet=spec.sheet)
    if suite.understood and spec.simulator.get("kind") != "agenda":
        # Who names a simulated user wants the questions of a plain table talked over, not asked once.
        card = msgspec.structs.replace(suite.card, protocol=CONSULTATION)
        suite = dataclasses.replace(suite, card=card)
    if unknown := [task for task in spec.tasks if task not in suite.tasks]:
        raise UserError(f"unknown task {', '.join(unknown)}; the suite has {', '.join(suite.tasks)}")
    if spec.limit is not None and spec.limit < 1:
        raise UserError(f"limit is {spec.limit}; at least 1 was expected")
    chosen = suite.narrowed(tasks=frozenset(spec.tasks) or None, limit=spec.limit)
    if not chosen.samples:
        raise UserError("no sample is left after --tasks and --limit")
    return chosen


def session_of(
    spec: Spec,
    where: Path | str | None,
    *,
    cancel: threading.Event | None = None,
    waits_in: Path | None = None,
) -> AbstractAsyncContextManager[Session]:
    """The session in which the run's calls are made, under the limits of its spec; without a place they are forgotten."""
    limits = spec.limits
    return open_session(
        where,
        max_cost=limits.max_cost,
        concurrency=limits.concurrency,
        seed=spec.seed,
        max_outage=limits.max_outage,
        cancel=cancel,
        waits_in=waits_in,
    )


def assembled(
    spec: Spec, suite: Suite, session: Session, base: Path, *, today: str = "", paths_in_law_identity: bool = False
) -> Consultation:
    """The study that the spec describes, with its calls made in the session.

    ``today`` where a run goes on from another day, ``paths_in_law_identity`` where one goes on that was begun so.
    """
    ledger = session.ledger
    context = RunContext(session.client, suite, base, paths_in_law_identity=paths_in_law_identity)
    prompts = Prompts(base / spec.prompts if spec.prompts else None, nonce=ledger.nonce)
    rubric = read_rubric(spec.rubric, base) if spec.rubric else None
    asked_once = suite.card.protocol == QUESTION_ANSWERING
    temperaments = _temperaments(spec, asked_once=asked_once)
    assignment = assigned(suite.samples, temperaments, seed=spec.seed)
    return Consultation(
        suite=suite,
        assistants={name: build_assistant(name, settings, context) for name, settings in spec.assistants.items()},
        reference=spec.reference,
        simulator=AskingUser()
        if asked_once
        else build_simulator(spec.simulator, context, prompts, end_mark=suite.card.end_mark, assignment=assignment),
        ledger=ledger,
        people=context.people,
        prompts=prompts,
        protocol=Protocol(exchanges=1 if asked_once else spec.exchanges, end_mark=suite.card.end_mark),
        stages=(
            Stage(load("scorers", "rules")()),
            *_inferred(spec, base, context),
            *_judged(spec, context, prompts, rubric, asked_once=asked_once),
            *_rules_of_ones_own(spec, context, suite, rubric),
        ),
        **_law(spec, suite, context, today=today, asked_once=asked_once),
        rubric=rubric,
        tie_margin=spec.judge.tie_margin if spec.judge else None,
        reduction=spec.judge.reduce if spec.judge else "mean",
        assignment=assignment,
        repeats=spec.repeats,
        probed=probed_samples(suite) if spec.judge and spec.judge.probes else frozenset(),
    )


def _inferred(spec: Spec, base: Path, context: RunContext) -> Iterator[Stage]:
    if spec.entailment:
        # Here: with it comes what reads claims, which is late enough when the first is read.
        from benchbar.scoring.entailment.checking import Entailment

        yield Stage(Entailment(spec.entailment, base, context))


def faults_of_gate(spec: Spec, base: Path, study: Consultation) -> Iterator[UserError]:
    """What does not fit between the spec's release policy and the study: found at the end, it would have cost the whole run."""
    if spec.gate is None:
        return
    from benchbar.decisions.fitting import gate_faults
    from benchbar.decisions.policy import baseline_of, policy_named

    policy = policy_named(spec.gate, base)
    yield from gate_faults(
        policy,
        assistants=spec.assistants,
        reference=spec.reference,
        tasks=list(dict.fromkeys(sample.task for sample in study.suite.samples)),
        declared=study.declared,
        dimensions=study.rubric.dimensions if study.rubric else (),
        trials=spec.repeats,
        baseline=baseline_of(policy, base),
    )


def _temperaments(spec: Spec, *, asked_once: bool) -> tuple[Temperament, ...]:
    """The temperaments of the spec's simulated users; none where the spec names none.

    Raises:
        UserError: one is unknown, or the suite's questions are asked once and nobody is simulated.
    """
    found = temperaments_of(spec.simulator.get("temperaments", ()))
    if found and asked_once:
        raise UserError("simulator temperaments: the suite's questions are asked as they are; there is no user to vary")
    return found


def chosen_corpus(spec: Spec, suite: Suite, base: Path, *, paths_in_identity: bool = False) -> Corpus | None:
    """The law that the spec names, else the suite's own; a run without either checks no citations."""
    folder = law_path(spec.law, base) if spec.law else suite.law
    if folder is None:
        return None
    from benchbar.law.index import load_corpus
    from benchbar.law.nicknames import read_nicknames

    return load_corpus(folder, paths_in_identity=paths_in_identity).with_nicknames(read_nicknames(suite.folder))


def _law(spec: Spec, suite: Suite, context: RunContext, *, today: str, asked_once: bool) -> dict[str, Any]:
    """What citations and passages are held against, where there is law."""
    corpus = chosen_corpus(spec, suite, context.path(""), paths_in_identity=context.paths_in_law_identity)
    if corpus is None:
        return {}
    from benchbar.law.checker import CorpusChecker
    from benchbar.law.evidence import CorpusDocuments

    return {
        "law": CorpusChecker(corpus, today=spec.on or today or date.today().isoformat()),  # noqa: DTZ011
        "documents": CorpusDocuments(corpus) if asked_once else None,
    }


_PLANNED = ("checklist", "rag", "grade", FIDELITY, SUPPORT, "comparison")
"""The order of a dialogue's items in the plan; kinds of one's own come last."""


def _judged(
    spec: Spec, context: RunContext, prompts: Prompts, rubric: Rubric | None, *, asked_once: bool
) -> list[Stage]:
    """A stage for each form that the spec names and each judge of the panel.

    Raises:
        UserError: a kind is no scorer, or measures single answers and the suite's questions are talked over.
    """
    if spec.judge is None:
        return []
    follows_up = judges_follow_up(context.ledger)
    endpoints = [spec.judge.endpoint(), *spec.judge.panel]
    if not follows_up:
        endpoints = [{**one, "answers": "text"} for one in endpoints]
    model, *panel = (context.model(one) for one in endpoints)
    stages = []
    for kind in dict.fromkeys(spec.judge.kinds):
        build = load("scorers", kind)
        if isinstance(build, FunctionScorer):
            raise UserError(f'judge kind {kind!r} is a scoring rule: name it in scorers = ["{kind}"]')
        settings: dict[str, Any] = {"attempts": spec.judge.attempts}
        settings |= {"follows_up": follows_up} if kind in _FORMS else {}
        settings |= {"soft": True} if spec.judge.soft and kind in _SOFT else {}
        settings |= rag_options(spec.judge.rag, context.embedding) if kind == "rag" else {}
        if grade := kind == "grade":
            settings["criteria"] = rubric.criteria if rubric else None
        repeats = spec.judge.grade_repeats if grade else spec.judge.repeats
        # Before, a panel did nothing but grade; a run that was begun so goes on so.
        judges = [model, *panel] if grade or follows_up else [model]
        for place, one in enumerate(judges):
            scorer = _checked(kind, build(one, prompts, **settings), asked_once=asked_once)
            stages.append(Stage(scorer, repeats, place if grade or len(judges) > 1 else None))
    return sorted(stages, key=lambda stage: (*_PLANNED, stage.scorer.name).index(stage.scorer.name))


_JUDGING = "judging"
"""What the ledger calls the way in which judges are asked: 2 since an unreadable answer is followed up."""


def judges_follow_up(ledger: Ledger) -> bool:
    """Whether judges are asked as they are today. Where they were asked before there was another way, it is kept.

    Their answers lie in the ledger under the requests of that time: asked in today's way, they would all be paid for again.
    """
    if ledger.store.meta(_JUDGING) is not None:
        return True
    if any(ledger.store.rows("SELECT 1 FROM call WHERE role = 'judge' LIMIT 1")):
        return False
    ledger.store.offer_meta(_JUDGING, b"2")
    return True


def _rules_of_ones_own(spec: Spec, context: RunContext, suite: Suite, rubric: Rubric | None) -> list[Stage]:
    """A stage for each scoring rule that the spec names.

    Raises:
        UserError: a name is unknown or is no scoring rule, a setting does not fit, or its measure has a name that is taken.
    """
    chosen = spec.scorers if isinstance(spec.scorers, dict) else {name: {} for name in spec.scorers}
    # A suite of attacks says by its tasks how it is marked; naming the rules there is allowed, and changes nothing.
    bundled = rules_for(suite)
    stages: list[Stage] = []
    for name, given in {**{key: {} for key in bundled}, **chosen}.items():
        found = bundled.get(name) or load("scorers", name)
        if not isinstance(found, FunctionScorer):
            raise UserError(
                f"scorer {name!r} is no scoring rule; expected a function under @benchbar.scorer, and a form of judge"
                " in [judge] kind"
            )
        settings = dict(given)
        repeats = settings.pop("repeats", 1)
        scorer = found.bound(context, settings)
        if not isinstance(repeats, int) or repeats < 1:
            raise UserError(f"scorer {name!r}: repeats is {repeats!r}; a whole number from 1 was expected")
        if repeats > 1 and not scorer.repeatable:
            # Else every repetition would be the same call, read from the ledger again.
            raise UserError(f"scorer {name!r}: with repeats the function needs a parameter `repeat` for its calls")
        stages.append(Stage(scorer, repeats))
    _distinct([stage.scorer.name for stage in stages], suite, rubric)
    return stages


def _distinct(names: list[str], suite: Suite, rubric: Rubric | None) -> None:
    """Refuse names that already mean something: their values would overwrite each other.

    Raises:
        UserError: says which, and what it is already.
    """
    if not names:
        return
    from benchbar.measures.registry import BY_NAME

    points = {point.id for sample in suite.samples for point in sample.guidance.points}
    taken = {
        "another scoring rule": {name for name in names if names.count(name) > 1},
        "a built-in scorer": {"dialogue", "rules", "comparison", ENTAILMENT, *_FORMS},
        "a dimension of the rubric": {*rubric.dimensions} if rubric else set(),
        "a measure of Benchbar": set(BY_NAME),
        "a guidance point of the suite": points,
    }
    for what, others in taken.items():
        if clash := sorted(others.intersection(names)):
            raise UserError(f"scorer name {clash[0]!r} is already {what}; give the rule another name")


def _checked(kind: str, judge: object, *, asked_once: bool) -> Scorer:
    if not isinstance(judge, Scorer):
        raise UserError(
            f"what the judge kind {kind!r} builds is no scorer: expected name, identity, compares, asks, score"
        )
    if judge.name == "rag" and not asked_once:
        raise UserError(
            'judge kind "rag": it measures single answers; expected a suite with protocol = "question_answering"'
        )
    if judge.name == FIDELITY and asked_once:
        raise UserError(
            f'judge kind "{FIDELITY}": the suite\'s questions are asked as they are; there is no simulated user to check'
        )
    return judge


def families_of(spec: Spec, study: Consultation, base: Path) -> Families:
    """The model families of the assistants and of the judges that compare, by the table that the warning below rests on."""
    from benchbar.measures.lean import Families

    table = _families(spec, base)
    judges = [stage.scorer.identity for stage in study.stages if stage.scorer.compares]
    return Families(
        {name: family for name, model in models_of(spec).items() if (family := family_of(model, table))},
        {judge: family for judge in judges if (family := family_of(judge.partition(":")[2], table))},
    )


def _families(spec: Spec, base: Path) -> dict[str, str]:
    return families(base / spec.prompts / FAMILIES if spec.prompts else None)


def warn_of_family(spec: Spec, base: Path) -> list[HealthFinding]:
    """What to tell where a judge grades a model of its own family."""
    if spec.judge is None:
        return []
    models = models_of(spec)
    judges = [spec.judge.model, *(str(one.get("model", "")) for one in spec.judge.panel)]
    table = _families(spec, base)
    if not (same := same_family(judges, models, table)):
        return []
    # Loads numerical libraries, for which the first call need not wait.
    from benchbar.measures.health import finding

    return [finding("family", name, {"family": family}) for name, family in same.items()]


def models_of(spec: Spec) -> dict[str, str]:
    """Assistant to the model behind it, as the spec names it; empty for one without."""
    return {
        name: str(settings.get("model") or settings.get("generator", {}).get("model", ""))
        for name, settings in spec.assistants.items()
    }


def warn_of_language(suite: Suite) -> list[str]:
    """What to tell where a language has no pack, or is stated and the text is in another one."""
    named = dict.fromkeys((suite.card.language, *(sample.language for sample in suite.samples)))
    return contradictions(suite.samples) + [
        f"language {language!r} has no pack: prompts and words are in English; known languages: {', '.join(known())}"
        for language in named
        if matched(language) is None
    ]


def manifest_of(spec: Spec, study: Consultation, base: Path, *, paths_in_law_identity: bool = False) -> Manifest:
    """What is to be remembered of how the run was made."""
    return Manifest(
        spec=spec,
        # Whole: a report that is made from elsewhere would take the suite of that place for this one.
        folder=str(base.resolve()),
        suite_fingerprint=study.suite.fingerprint,
        law_fingerprint=study.law.identity if study.law else "",
        law_scope=study.law.scope if study.law else "",
        paths_in_law_identity=paths_in_law_identity,
        on=study.law.today if study.law else "",
        prompts_fingerprint=study.prompts.fingerprint(
            study.suite.card.language,
            also=[*(prompt_of(one) for one in study.assignment.temperaments), *(study.scorers.keys() & FURTHER)],
        ),
        assistants={name: identity(assistant) for name, assistant in study.assistants.items()},
    )


def simulator_identity(study: Consultation) -> str:
    """How the results name the simulated user."""
    return identity(study.simulator)


def judge_identity(study: Consultation) -> tuple[str, str]:
    """How the results name the judge, and the forms that decided."""
    # One assistant alone is compared with nobody, so no pair was decided.
    alone = len(study.assistants) < 2
    found = [one.scorer.identity for one in study.stages if one.planned and not (alone and one.scorer.compares)]
    found.sort(key=lambda one: (*_FORMS, _form(one)).index(_form(one)))
    forms = ", ".join(dict.fromkeys(form for one in found if (form := _form(one)) not in _BESIDE))
    return ", ".join(found), forms or "rules"


def _form(identity: str) -> str:
    return identity.partition(":")[0]
