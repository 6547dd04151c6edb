"""The append-only record of paid calls and human marks: the only state a run has."""

from benchbar.ledger.check import check
from benchbar.ledger.ledger import SCOPE, Ledger, Scope
from benchbar.ledger.records import CallRequest, CallResult, CallStatus, LedgerReport, Outcome, PlannedItem

__all__ = [
    "SCOPE",
    "CallRequest",
    "CallResult",
    "CallStatus",
    "Ledger",
    "LedgerReport",
    "Outcome",
    "PlannedItem",
    "Scope",
    "check",
]
