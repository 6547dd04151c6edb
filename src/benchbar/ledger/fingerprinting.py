"""One fingerprint for all that a ledger holds, by which a signature says what it was given for."""

from __future__ import annotations

import hashlib

import msgspec

from benchbar.ledger.packing import unpack
from benchbar.ledger.schema import ASSIGNED, LOOK
from benchbar.ledger.store import LedgerStore
from benchbar.records import PICKED, decode

_SEALS = (
    "SELECT seal FROM plan ORDER BY item",
    "SELECT seal FROM result ORDER BY intent",
    "SELECT seal FROM outcome ORDER BY item",
)


def ledger_fingerprint(store: LedgerStore) -> str:
    """32 hexadecimal digits over every answer, mark and outcome; another answer, or one mark more, gives others.

    That somebody is asked to mark an answer picked by hand changes nothing until it is marked.

    It is made of the rows' seals, whose truth `benchbar ledger check` proves; 100,000 calls take about a tenth of a second.
    """
    digest = hashlib.blake2b(digest_size=16)
    for query in _SEALS:
        for (one,) in store.rows(query):
            digest.update(bytes(one))
        # Between the tables, so that a row cannot change sides unseen.
        digest.update(b"|")
    # That a gate was looked at, or that somebody was asked by name, changes nothing of what was decided on.
    query = "SELECT kind, record, seal FROM review WHERE kind <> ? AND kind <> ? ORDER BY id"
    for kind, record, seal in store.rows(query, (LOOK, ASSIGNED)):
        if kind != "plan" or not _picked(bytes(record)):
            digest.update(bytes(seal))
    digest.update(b"|")
    return digest.hexdigest()


class _Task(msgspec.Struct):
    reasons: tuple[str, ...]


class _Plan(msgspec.Struct):
    # No more than this: the frame of a large run would take longer to read than all seals.
    tasks: tuple[_Task, ...]


def _picked(record: bytes) -> bool:
    """Whether this plan only asks about answers that somebody picked by hand, which no estimate rests on."""
    tasks = decode(unpack(record), _Plan).tasks
    # A plan without tasks was drawn: its frame counts, and signatures over it were given before answers could be picked.
    return bool(tasks) and all(PICKED in one.reasons for one in tasks)
