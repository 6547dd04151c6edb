"""Each look that a gate took at a run, in the run's ledger: appended to, never overwritten."""

from __future__ import annotations

from benchbar.ledger.packing import unpack
from benchbar.ledger.schema import LOOK
from benchbar.ledger.store import LedgerStore
from benchbar.records import Record, decode, fingerprint
from benchbar.records.scoring import Decision


class Look(Record, frozen=True):
    """What a gate saw and decided at one time."""

    policy: str
    """Fingerprint of the policy."""
    assistants: tuple[str, ...]
    decision: Decision
    checks: dict[str, Decision]
    n: dict[str, int]
    """Check to the samples that were measured for it."""
    marks: int = 0
    """Human marks that it rests on, over all checks."""


def add_look(store: LedgerStore, look: Look) -> bool:
    """Keep a look; False where the last one of the same policy and assistants saw the same."""
    with store.reviewing():
        before = [one for one in read_looks(store) if (one.policy, one.assistants) == (look.policy, look.assistants)]
        if before and before[-1] == look:
            return False
        store.append_reviews(LOOK, [look])
        return True


def read_looks(store: LedgerStore) -> list[Look]:
    """Every look, in the order in which they were taken."""
    return [decode(unpack(record), Look) for _, kind, _, record, _ in store.reviews() if kind == LOOK]


def identity(store: LedgerStore) -> str:
    """What tells the run of this ledger from every other one, however it grows: how and when its first session began."""
    rows = list(store.rows("SELECT started, version FROM session ORDER BY id LIMIT 1"))
    return fingerprint([list(row) for row in rows])
