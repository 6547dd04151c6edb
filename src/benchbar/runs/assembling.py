"""Puts a run together from its spec: the only place where all rooms meet."""

from __future__ import annotations

import threading
from contextlib import AbstractAsyncContextManager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.assistants.build import build as build_assistant
from benchbar.clients.session import Session, open_session
from benchbar.dialogue import Protocol
from benchbar.dialogue.asking import AskingUser
from benchbar.dialogue.build import build as build_simulator
from benchbar.dialogue.llm_user import prompt_of
from benchbar.dialogue.temperaments import Temperament, assigned, temperaments_of
from benchbar.languages.prompts import Prompts
from benchbar.ledger import Ledger
from benchbar.records import QUESTION_ANSWERING, Suite
from benchbar.records.errors import UserError
from benchbar.records.plugins import load
from benchbar.records.protocols import AnswerJudge, Comparer, Grader, Marker
from benchbar.runs.consultation import Consultation
from benchbar.runs.context import RunContext
from benchbar.runs.ledgered import identity
from benchbar.runs.manifest import Manifest
from benchbar.runs.rag_options import rag_options
from benchbar.runs.spec import Spec
from benchbar.scoring.judges.families import NAME as FAMILIES
from benchbar.scoring.judges.families import families, same_family
from benchbar.scoring.rubrics import Rubric, read_rubric
from benchbar.suites.load import load as load_suite

if TYPE_CHECKING:
    from benchbar.law.corpus import Corpus

Judge = Comparer | Marker | Grader | AnswerJudge


def chosen_suite(spec: Spec, base: Path) -> Suite:
    """The suite of the spec, narrowed to its tasks and limit.

    Raises:
        UserError: a task is unknown, or nothing is left.
    """
    suite = load_suite(spec.suite, base=base)
    if unknown := [task for task in spec.tasks if task not in suite.tasks]:
        raise UserError(f"unknown task {', '.join(unknown)}; the suite has {', '.join(suite.tasks)}")
    if spec.limit is not None and spec.limit < 1:
        raise UserError(f"--limit {spec.limit}: at least 1 was expected")
    chosen = suite.narrowed(tasks=frozenset(spec.tasks) or None, limit=spec.limit)
    if not chosen.samples:
        raise UserError("no sample is left after --tasks and --limit")
    return chosen


def session_of(
    spec: Spec, where: Path | str, *, cancel: threading.Event | None = None
) -> AbstractAsyncContextManager[Session]:
    """The session in which the run's calls are made, under the limits of its spec."""
    limits = spec.limits
    return open_session(
        where,
        max_cost=limits.max_cost,
        concurrency=limits.concurrency,
        seed=spec.seed,
        max_outage=limits.max_outage,
        cancel=cancel,
    )


def assembled(spec: Spec, suite: Suite, session: Session, base: Path, *, today: str = "") -> Consultation:
    """The study that the spec describes, with its calls made in the session; ``today`` where a run goes on from another day."""
    ledger = session.ledger
    context = RunContext(session.client, suite, base)
    prompts = Prompts(base / spec.prompts if spec.prompts else None)
    rubric = read_rubric(spec.rubric, base) if spec.rubric else None
    judges = _judges(spec, context, prompts, ledger, rubric)
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
        prompts=prompts,
        protocol=Protocol(exchanges=1 if asked_once else spec.exchanges, end_mark=suite.card.end_mark),
        comparer=next((judge for judge in judges if isinstance(judge, Comparer)), None),
        marker=next((judge for judge in judges if isinstance(judge, Marker)), None),
        repeats=spec.judge.repeats if spec.judge else 1,
        answer_judge=_answer_judge(judges, asked_once=asked_once),
        **_law(spec, suite, base, today=today, asked_once=asked_once),
        graders=tuple(judge for judge in judges if isinstance(judge, Grader)),
        grade_repeats=spec.judge.grade_repeats if spec.judge else 1,
        rubric=rubric,
        assignment=assignment,
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


def chosen_corpus(spec: Spec, suite: Suite, base: Path) -> Corpus | None:
    """The law that the spec names, else the suite's own; a run without either checks no citations."""
    folder = base / spec.law if spec.law else suite.law
    if folder is None:
        return None
    from benchbar.law.index import load_corpus

    return load_corpus(folder)


def _law(spec: Spec, suite: Suite, base: Path, *, today: str, asked_once: bool) -> dict[str, Any]:
    """What citations and passages are held against, where there is law."""
    corpus = chosen_corpus(spec, suite, base)
    if corpus is None:
        return {}
    from benchbar.law.checker import CorpusChecker
    from benchbar.law.evidence import CorpusDocuments

    return {
        "law": CorpusChecker(corpus, today=spec.on or today or date.today().isoformat()),  # noqa: DTZ011
        "documents": CorpusDocuments(corpus) if asked_once else None,
    }


def _answer_judge(judges: list[Judge], *, asked_once: bool) -> AnswerJudge | None:
    """The judge that measures answers.

    Raises:
        UserError: the suite's questions are talked over, not asked once.
    """
    found = next((judge for judge in judges if isinstance(judge, AnswerJudge)), None)
    if found and not asked_once:
        raise UserError(
            'judge kind "rag": it measures single answers; expected a suite with protocol = "question_answering"'
        )
    return found


def _judges(spec: Spec, context: RunContext, prompts: Prompts, ledger: Ledger, rubric: Rubric | None) -> list[Judge]:
    """One judge for each form that the spec names, all asking the same model; a panel's further models grade."""
    if spec.judge is None:
        return []
    model = context.model(spec.judge.endpoint())
    made = []
    for kind in spec.judge.kinds:
        build = load("judges", kind)
        settings: dict[str, Any] = {"attempts": spec.judge.attempts}
        settings |= rag_options(spec.judge.rag) if kind == "rag" else {}
        if grades := hasattr(build, "grade"):
            settings["criteria"] = rubric.criteria if rubric else None
        models = [model, *(context.model(endpoint) for endpoint in spec.judge.panel)] if grades else [model]
        made += [_checked(kind, build(one, prompts, ledger.nonce, **settings)) for one in models]
    return made


def _checked(kind: str, judge: object) -> Judge:
    if not isinstance(judge, Judge):
        raise UserError(f"what the judge kind {kind!r} builds has none of the methods compare, mark, grade and assess")
    return judge


def warn_of_family(spec: Spec, base: Path) -> list[str]:
    """What to tell where a judge grades a model of its own family."""
    if spec.judge is None:
        return []
    models = {
        name: str(settings.get("model") or settings.get("generator", {}).get("model", ""))
        for name, settings in spec.assistants.items()
    }
    judges = [spec.judge.model, *(str(one.get("model", "")) for one in spec.judge.panel)]
    table = families(base / spec.prompts / FAMILIES if spec.prompts else None)
    return [
        f"{name} and a judge are both of the family {family}: judges favour their own; name a judge of another family,"
        " or let people mark a sample"
        for name, family in same_family(judges, models, table).items()
    ]


def manifest_of(spec: Spec, study: Consultation, base: Path) -> Manifest:
    """What is to be remembered of how the run was made."""
    return Manifest(
        spec=spec,
        folder=str(base),
        suite_fingerprint=study.suite.fingerprint,
        law_fingerprint=study.law.identity if study.law else "",
        on=study.law.today if study.law else "",
        prompts_fingerprint=study.prompts.fingerprint(
            study.suite.card.language, also=[prompt_of(one) for one in study.assignment.temperaments]
        ),
        assistants={name: identity(assistant) for name, assistant in study.assistants.items()},
    )


def simulator_identity(study: Consultation) -> str:
    """How the results name the simulated user."""
    return identity(study.simulator)


def judge_identity(study: Consultation) -> tuple[str, str]:
    """How the results name the judge, and the forms that decided."""
    deciding = [judge for judge in (study.comparer, study.marker, *study.graders) if judge]
    forms = ", ".join(dict.fromkeys(judge.identity.partition(":")[0] for judge in deciding))
    judges = [*deciding, *([study.answer_judge] if study.answer_judge else [])]
    return ", ".join(judge.identity for judge in judges), forms or "rules"
