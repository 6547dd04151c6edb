"""What the planned items of each kind cost: comparisons, checklists, grades, dialogues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from benchbar.ledger.calls import Outcome, PlannedItem
from benchbar.ledger.packing import unpack
from benchbar.ledger.store import LedgerStore
from benchbar.records import Record, decode


class KindSpending(Record, frozen=True):
    """The consumption of all items of one kind that needed a call."""

    items: int
    calls: int
    cost: float | None
    """In the currency of the prices; None where a call has no price."""
    tokens: int | None
    """Read and written; None where an endpoint did not say."""


def spent_by_kind(store: LedgerStore) -> dict[str, KindSpending]:
    """Kind of item to what its items consumed; a call that two kinds rest on counts for both."""
    kinds = dict(_kinds(store))
    keys: dict[str, set[bytes]] = defaultdict(set)
    items: dict[str, int] = defaultdict(int)
    for item, data in store.rows("SELECT item, record FROM outcome"):
        calls = decode(unpack(data), Outcome).calls
        if calls and item in kinds:
            keys[kinds[item]].update(bytes.fromhex(key) for key in calls)
            items[kinds[item]] += 1
    answered = {
        bytes(key): (cost, None if read is None or written is None else read + written)
        for key, cost, read, written in store.rows(
            "SELECT key, cost, input_tokens, output_tokens FROM result WHERE status = 'ok'"
        )
    }
    found = {}
    for kind, own in keys.items():
        paid = [answered[key] for key in own if key in answered]
        costs, tokens = [cost for cost, _ in paid], [count for _, count in paid]
        found[kind] = KindSpending(
            items=items[kind],
            calls=len(paid),
            cost=None if None in costs else sum(cost for cost in costs if cost is not None),
            tokens=None if None in tokens else sum(count for count in tokens if count is not None),
        )
    return found


def _kinds(store: LedgerStore) -> Iterator[tuple[str, str]]:
    for item, data in store.rows("SELECT item, record FROM plan"):
        yield item, decode(unpack(data), PlannedItem).kind
