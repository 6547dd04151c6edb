"""A gate's decision with its traces: a look in the ledger of the run, and an entry in the release record of the policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from benchbar.artefacts.folder import read_made_from, read_measures
from benchbar.artefacts.layout import RunFolder
from benchbar.decisions.evidence import chosen, gate_of
from benchbar.decisions.policy import Policy, beside, policy_named, read_policy
from benchbar.decisions.releases import identity_of, within_budget
from benchbar.ledger.looks import Look, add_look, identity
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.store import LedgerStore
from benchbar.records import GateDecision, GateReason, HumanMarks, Measures, RunResults, fingerprint
from benchbar.records.errors import BenchbarError
from benchbar.records.files import read_bounded
from benchbar.scoring.people import current_marks

Deciding = Callable[[float | None, tuple[GateReason, ...]], GateDecision]
"""The decision at a level that a release record allows, with what has to be said of it."""


class _Spec(msgspec.Struct):
    gate: str | dict[str, Any] | None = None


class _Run(msgspec.Struct):
    spec: _Spec = msgspec.field(default_factory=_Spec)
    folder: str = ""


def own_policy(run: Path) -> tuple[Policy, Path, Path]:
    """The policy that the run was made with, the folder that its paths start from, and that of its release record."""
    stated = read_made_from(run, _Run)
    if stated is None or stated.spec.gate is None:
        base = Path(stated.folder) if stated else run
        return read_policy(), base, base
    base = Path(stated.folder)
    return policy_named(stated.spec.gate, base), base, beside(stated.spec.gate, base)


def with_marks(
    run: Path, results: RunResults, measures: Iterable[Measures], marks: Mapping[str, HumanMarks]
) -> GateDecision:
    """The decision under the run's own policy, or the built-in one, with people's marks of now; no trace of it is kept.

    Raises:
        UserError: the run has not finished, or its baseline is not there.
        BadInputError: one of its files, or the policy, is damaged or missing.
    """
    policy, base, folder = own_policy(run)
    # The baseline's path is relative to where the run was started from, not to this folder.
    rule = policy.not_worse
    baseline = base / rule.run if rule and rule.run else None

    def decide(level: float | None, because: tuple[GateReason, ...]) -> GateDecision:
        return gate_of(results, measures, policy, baseline=baseline, marks=marks, level=level, because=because)

    return looked(run, results, policy, folder, decide, keep=False)


def as_marked(run: Path, results: RunResults) -> RunResults:
    """The results of a run; where people have marked since, with the gate as it stands with their marks.

    Raises:
        LedgerError: the ledger lies in a database that does not answer.
        UserError, BadInputError: as :func:`with_marks`.
    """
    # A run without a gate asked for none; without marks the gate of the results still stands.
    marks = current_marks(run) if results.gate is not None else {}
    if not any(one.values or one.compared for one in marks.values()):
        return results
    return msgspec.structs.replace(results, gate=with_marks(run, results, list(read_measures(run)), marks))


def looked(
    folder: Path,
    results: RunResults,
    policy: Policy,
    base: Path,
    decide: Deciding,
    *,
    assistants: tuple[str, ...] = (),
    store: LedgerStore | None = None,
    keep: bool = True,
) -> GateDecision:
    """The decision on a run within the budget of its policy; the look is kept in the ledger where that can be written.

    ``store`` is the run's ledger where it is open already. Without ``keep`` nothing is written: a page that is opened is
    no decision.

    Raises:
        BadInputError: the release record is damaged.
    """
    names = assistants or chosen(results, policy)
    found = within_budget(policy, base, _identity(folder, store), names, decide, keep=keep)
    if not keep:
        return found
    look = _look(policy, found)
    if store is not None:
        add_look(store, look)
        return found
    try:
        # For reading first: opened for writing, a ledger that is not there would be made.
        open_store(ledger_of(folder), writable=False, session=False).close()
        kept = open_store(ledger_of(folder), session=False)
    except BenchbarError:
        return found
    try:
        add_look(kept, look)
    except BenchbarError:
        # A folder that may only be read, or a run that goes on: the sequence holds without its trace.
        return found
    finally:
        kept.close()
    return found


def _look(policy: Policy, found: GateDecision) -> Look:
    counted = [one.values["marks"] for check in found.checks for one in check.reasons if one.key == "marks"]
    return Look(
        policy=identity_of(policy),
        assistants=found.assistants,
        decision=found.decision,
        checks={check.name: check.decision for check in found.checks},
        n={check.name: check.estimate.n for check in found.checks},
        marks=sum(int(count) for count in counted if isinstance(count, int | float)),
    )


def _identity(folder: Path, store: LedgerStore | None) -> str:
    if store is not None:
        return identity(store)
    try:
        kept = open_store(ledger_of(folder), writable=False, session=False)
    except BenchbarError:
        # A run whose ledger was left behind cannot grow: its results tell it from others.
        return fingerprint(read_bounded(RunFolder(folder).results).hex())
    try:
        return identity(kept)
    finally:
        kept.close()
