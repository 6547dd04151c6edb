"""What calls consumed: of each role, and of the planned items of each kind (comparisons, checklists, grades, dialogues)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from benchbar.ledger.calls import CallResult, Outcome, PlannedItem
from benchbar.ledger.packing import unpack
from benchbar.ledger.schema import states_no_cache
from benchbar.ledger.store import LedgerStore
from benchbar.records import Record, Spending, decode


class KindSpending(Record, frozen=True):
    """The consumption of all items of one kind that needed a call."""

    items: int
    calls: int
    cost: float | None
    """In the currency of the prices; None where a call has no price."""
    tokens: int | None
    """Read and written; None where an endpoint did not say."""


def spending_of(store: LedgerStore) -> dict[str, Spending]:
    """Role to what its answered calls consumed, with the tokens that providers had in their caches where they say so."""
    spent = store.spending()
    if states_no_cache(store):
        return spent
    cached: dict[str, int] = defaultdict(int)
    for role, payload in store.rows(
        "SELECT role, payload FROM result JOIN call USING (key) WHERE status = 'ok' AND input_tokens IS NOT NULL"
    ):
        text = store.packing.unpack(bytes(payload))
        # Most endpoints say nothing of it: looking for the name takes a tenth of the time that decoding every answer would.
        # Within a text of JSON the quotation marks would be escaped, so that nothing that was said can pass for the field.
        reply = decode(text, CallResult).reply if b'"cached_tokens":' in text else None
        if reply is not None and reply.cached_tokens is not UNSET:
            cached[role] += reply.cached_tokens
    return {role: replace(one, cached_tokens=cached[role]) if role in cached else one for role, one in spent.items()}


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
