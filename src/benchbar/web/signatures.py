"""Who signed the decision on a run, and whether they signed what it is now."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchbar.ledger.fingerprinting import ledger_fingerprint
from benchbar.reports.decision import Signature
from benchbar.web import audit
from benchbar.web.folders import from_ledger
from benchbar.web.state import AppState
from benchbar.web.words import Words

SIGNED = "decision_signed"
"""The action under which signatures stand in the audit log, which is their only home: nothing in it is ever changed."""
SHOWN = 40


class _Given(msgspec.Struct):
    """What the log holds of a signature."""

    verdict: str
    statement: str
    fingerprint: str
    gate: str = ""


def fingerprint_of(run: Path) -> str:
    """The fingerprint of a run's ledger at this moment."""
    # Not a second old: a signature is under the marks as they are.
    return from_ledger(run, "fingerprint", ledger_fingerprint)


def signatures_of(web: AppState, run: Path, say: Words, most: int = SHOWN) -> list[Signature]:
    """The latest signatures under the decision on a run, the newest first."""
    with web.database.transaction() as now:
        entries = audit.about(now, run.name, most, action=SIGNED)
    # The ledger is read for runs that somebody signed alone: a list of runs asks this of each.
    present = fingerprint_of(run) if entries else ""
    return [_signature(one, present, say) for one in entries]


def _signature(entry: audit.Entry, present: str, say: Words) -> Signature:
    given = msgspec.json.decode(entry.detail, type=_Given)
    return Signature(
        name=entry.person,
        at=say.date(entry.at),
        verdict=given.verdict,
        statement=given.statement,
        fingerprint=given.fingerprint,
        current=given.fingerprint == present,
        gate=given.gate,
    )
