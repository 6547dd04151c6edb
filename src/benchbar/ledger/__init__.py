"""The append-only record of paid calls and human marks: the only state a run has."""

from benchbar.ledger.calls import (
    SCOPE,
    CallRequest,
    CallResult,
    CallStatus,
    LedgerReport,
    Outcome,
    PlannedItem,
    Scope,
)
from benchbar.ledger.ledger import Begin, Ledger

__all__ = [
    "SCOPE",
    "Begin",
    "CallRequest",
    "CallResult",
    "CallStatus",
    "Ledger",
    "LedgerReport",
    "Outcome",
    "PlannedItem",
    "Scope",
]
