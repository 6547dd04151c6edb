"""Puts a run together from its spec: the only place where all rooms meet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchbar.assistants.build import build as build_assistant
from benchbar.cli.frozen import Frozen
from benchbar.cli.spec import Spec
from benchbar.cli.workshop import RunWorkshop
from benchbar.dialogue import Protocol
from benchbar.dialogue.build import build as build_simulator
from benchbar.errors import UserError
from benchbar.law.index import load_corpus
from benchbar.ledger import Ledger
from benchbar.llm import Budget, Door
from benchbar.plugins import load
from benchbar.prompts import Prompts
from benchbar.protocols import Comparer, Grader, Marker
from benchbar.records import Suite, fingerprint
from benchbar.scoring.citations import citation_check
from benchbar.scoring.judges.families import NAME as FAMILIES
from benchbar.scoring.judges.families import families, same_family
from benchbar.scoring.rubrics import Rubric, read_rubric
from benchbar.studies.consultation import Consultation
from benchbar.studies.ledgered import identity
from benchbar.suites.load import load as load_suite


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


def assembled(spec: Spec, suite: Suite, ledger: Ledger, base: Path) -> tuple[Consultation, Door]:
    """The study that the spec describes, and the door its calls go through."""
    budget = Budget(spec.limits.max_cost, spent=ledger.store.committed_cost())
    door = Door(ledger, budget=budget, concurrency=spec.limits.concurrency, seed=spec.seed)
    workshop = RunWorkshop(door, suite, base)
    prompts = Prompts(base / spec.prompts if spec.prompts else None)
    rubric = read_rubric(spec.rubric, base) if spec.rubric else None
    judges = _judges(spec, workshop, prompts, ledger, rubric)
    study = Consultation(
        suite=suite,
        assistants={name: build_assistant(name, settings, workshop) for name, settings in spec.assistants.items()},
        reference=spec.reference,
        simulator=build_simulator(spec.simulator, workshop, prompts, end_mark=suite.card.end_mark),
        ledger=ledger,
        prompts=prompts,
        protocol=Protocol(exchanges=spec.exchanges, end_mark=suite.card.end_mark),
        comparer=next((judge for judge in judges if isinstance(judge, Comparer)), None),
        marker=next((judge for judge in judges if isinstance(judge, Marker)), None),
        repeats=spec.judge.repeats if spec.judge else 1,
        graders=tuple(judge for judge in judges if isinstance(judge, Grader)),
        grade_repeats=spec.judge.grade_repeats if spec.judge else 1,
        rubric=rubric,
        citations=citation_check(load_corpus(suite.law)) if suite.law else None,
    )
    return study, door


def _judges(
    spec: Spec, workshop: RunWorkshop, prompts: Prompts, ledger: Ledger, rubric: Rubric | None
) -> list[Comparer | Marker | Grader]:
    """One judge for each form that the spec names, all asking the same model; a panel's further models grade."""
    if spec.judge is None:
        return []
    model = workshop.model(spec.judge.endpoint())
    made = []
    for kind in spec.judge.kinds:
        build = load("judges", kind)
        settings: dict[str, Any] = {"attempts": spec.judge.attempts}
        if grades := hasattr(build, "grade"):
            settings["criteria"] = rubric.criteria if rubric else None
        models = [model, *(workshop.model(endpoint) for endpoint in spec.judge.panel)] if grades else [model]
        made += [_checked(kind, build(one, prompts, ledger.nonce, **settings)) for one in models]
    return made


def _checked(kind: str, judge: object) -> Comparer | Marker | Grader:
    if not isinstance(judge, Comparer | Marker | Grader):
        raise UserError(f"what the judge kind {kind!r} builds has none of the methods compare, mark and grade")
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


def frozen_of(spec: Spec, study: Consultation, base: Path) -> Frozen:
    """What is to be remembered of how the run was made."""
    return Frozen(
        spec=spec,
        folder=str(base),
        suite_fingerprint=study.suite.fingerprint,
        law_fingerprint=_law_fingerprint(study.suite),
        prompts_fingerprint=study.prompts.fingerprint(study.suite.card.language),
        assistants={name: identity(assistant) for name, assistant in study.assistants.items()},
    )


def _law_fingerprint(suite: Suite) -> str:
    if suite.law is None:
        return ""
    files = sorted(path for path in suite.law.rglob("*") if path.is_file())
    return fingerprint([(path.relative_to(suite.law).as_posix(), path.read_bytes().hex()) for path in files])


def simulator_identity(study: Consultation) -> str:
    """How the results name the simulated user."""
    return identity(study.simulator)


def judge_identity(study: Consultation) -> tuple[str, str]:
    """How the results name the judge, and the forms that decided."""
    judges = [judge for judge in (study.comparer, study.marker, *study.graders) if judge]
    forms = ", ".join(dict.fromkeys(judge.identity.partition(":")[0] for judge in judges))
    return ", ".join(judge.identity for judge in judges), forms or "rules"
