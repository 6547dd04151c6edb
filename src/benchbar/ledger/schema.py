"""The tables of a ledger, in a file and in a database, and their versions."""

from __future__ import annotations

import hmac
import math
from collections.abc import Container, Iterable
from typing import Any

from msgspec import UNSET

from benchbar.ledger.calls import CallResult
from benchbar.ledger.packing import AnswerPacking, Meta
from benchbar.records import decode, fingerprint
from benchbar.records.errors import LedgerError

SCHEMA_VERSION = 5
HISTORY = {
    1: "meta, session, plan, call, intent, result, outcome",
    2: "review",
    3: "records compressed against a common frame, requests against the calls they grew from",
    4: "compressed with Zstandard, answers against the first ones of their ledger",
    5: "no secret in meta: nonces are hashes of what they mark, and the blind order has a secret outside the ledger",
}
READABLE = (4, 5)
"""Versions that are read, and gone on with, as they are: the tables of both are the same."""

UNANSWERED = (
    "result.status = 'failed' AND NOT EXISTS"
    " (SELECT 1 FROM result AS later WHERE later.key = result.key AND later.status <> 'failed')"
)
"""Which results are errors that no other try of the call made good: the next start asks these calls again."""

LOOK = "look"
"""The kind under which the looks of a gate stand among the reviews: they share their numbers, seals and check."""

QUESTION, ANSWER, WITHDRAWN = "question", "answer", "withdrawn"
"""The kinds under which stand what people who answer as an assistant are asked, what they answer, and what is asked no more."""

ASSIGNED = "assigned"
"""The kind under which stands that a task was given to one person by name, or taken back."""

LOST = "lost "
"""Under this name, and the number of a start, stands what its requests may have cost whose answers never came whole."""

WATCHED, CACHED = "watched", "cached"
"""Under the first name stands how many of the first starts looked for tokens that a provider had in its cache; under the second,
whether an answer stated some. Where all starts looked and none did, nobody need read every answer for them. Both are there or none."""

SESSION_BITS = 32
"""A ledger in a database, which several sessions may fill at once, numbers the intents of each after the session's number
and so many bits; copied into a file they keep their numbers."""

FILE = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE session (id INTEGER PRIMARY KEY, started REAL NOT NULL, version TEXT NOT NULL, seal BLOB NOT NULL);
CREATE TABLE plan (item TEXT PRIMARY KEY, record BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE call (
  key BLOB PRIMARY KEY, role TEXT NOT NULL, sample TEXT NOT NULL, request BLOB NOT NULL);
CREATE TABLE intent (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL, session INTEGER NOT NULL, at REAL NOT NULL, reserved REAL,
  seal BLOB NOT NULL);
CREATE TABLE result (
  intent INTEGER PRIMARY KEY, key BLOB NOT NULL, status TEXT NOT NULL, error TEXT NOT NULL, input_tokens INTEGER,
  output_tokens INTEGER, cost REAL, at REAL NOT NULL, payload BLOB NOT NULL, seal BLOB NOT NULL);
CREATE INDEX result_key ON result (key);
CREATE TABLE outcome (item TEXT PRIMARY KEY, record BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE review (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, at REAL NOT NULL, record BLOB NOT NULL, seal BLOB NOT NULL);
"""
"""The tables of a file."""

TABLES = {
    "meta": "schema version, the number of sessions, how many of them looked for cached tokens and whether any were stated, the number and seal of planned items, and twice the frame of the"
    " answers; up to schema 4 the run's secret",
    "session": "each start of a run on this ledger",
    "plan": "items the run has to bring about",
    "call": "requests, under the key made of their content",
    "intent": "a request was about to be sent; an intent without result is a call whose outcome is unknown",
    "result": "the answer to the request of one intent, or the error it ended in",
    "review": "what people are asked to mark or answer, what was given to whom by name, each mark and answer, and each look of a gate; the seal of a row holds that of the row before",
    "outcome": "what became of a planned item and which calls it rests on; derived, rewritten when derived anew",
}


DATABASE = """
CREATE TABLE meta (name text PRIMARY KEY, value bytea NOT NULL, seal bytea NOT NULL);
CREATE TABLE session (id bigint PRIMARY KEY, started float8 NOT NULL, version text NOT NULL, seal bytea NOT NULL);
CREATE TABLE plan (item text PRIMARY KEY, record bytea NOT NULL, seal bytea NOT NULL);
CREATE TABLE call (key bytea PRIMARY KEY, role text NOT NULL, sample text NOT NULL, request bytea NOT NULL);
CREATE INDEX call_sample ON call (sample);
CREATE TABLE intent (
  id bigint PRIMARY KEY, key bytea NOT NULL, session bigint NOT NULL, at float8 NOT NULL, reserved float8,
  seal bytea NOT NULL);
CREATE TABLE result (
  intent bigint PRIMARY KEY, key bytea NOT NULL, status text NOT NULL, error text NOT NULL, input_tokens bigint,
  output_tokens bigint, cost float8, at float8 NOT NULL, payload bytea NOT NULL, seal bytea NOT NULL);
CREATE INDEX result_key ON result (key);
CREATE UNIQUE INDEX result_once ON result (key) WHERE status <> 'failed';
CREATE TABLE review (
  id bigint PRIMARY KEY, kind text NOT NULL, at float8 NOT NULL, record bytea NOT NULL, seal bytea NOT NULL);
CREATE TABLE outcome (item text PRIMARY KEY, record bytea NOT NULL, seal bytea NOT NULL);
CREATE TABLE blinding (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), secret bytea NOT NULL);
CREATE TABLE worker (
  session bigint PRIMARY KEY, until timestamptz NOT NULL, lost boolean NOT NULL DEFAULT false,
  allotted float8 NOT NULL DEFAULT 0);
CREATE TABLE claim (
  position bigint PRIMARY KEY, sample text NOT NULL UNIQUE, session bigint, done boolean NOT NULL DEFAULT false, record bytea);
CREATE INDEX claim_open ON claim (position) WHERE session IS NULL AND NOT done;
CREATE FUNCTION held(one bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM worker WHERE session = one AND NOT lost FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'lease lost' USING ERRCODE = 'BB001'; END IF;
END $$;
"""
"""What the file has; ``worker`` and ``claim``, by which processes divide a run; and ``blinding``, which is no part of the
ledger and holds what a file keeps beside it (see ``blinding.py``)."""


def watch(store: Meta, session: int) -> None:
    """State that this start looks at every answer that it writes; for the transaction in which a start is written down."""
    if session == 1:
        store.set_meta(CACHED, b"0")
    if session == 1 or store.meta(WATCHED) == str(session - 1).encode():
        store.set_meta(WATCHED, str(session).encode())


def states_no_cache(store: Meta) -> bool:
    """Whether it is known that no answer states tokens that a provider had in its cache."""
    return store.meta(CACHED) == b"0" and store.meta(WATCHED) == store.meta("sessions")


def check_version(found: bytes | None, where: object) -> None:
    """Let a ledger pass whose schema is known.

    Raises:
        LedgerError: it is older or newer; the message says what to do.
    """
    stated = (found or b"none").decode(errors="replace")
    if stated in {str(version) for version in READABLE}:
        return
    older = stated.isdecimal() and int(stated) < min(READABLE)
    cure = (
        "read it with the version of benchbar that wrote it, or run the spec again with another --out"
        if older
        else "upgrade benchbar"
        if stated.isdecimal()
        else "restore it from a copy"
    )
    raise LedgerError(
        f"{where}: ledger schema {stated}; this version of benchbar reads {READABLE[0]} and {READABLE[1]}: {cure}"
    )


def lost(rows: Iterable[tuple[str, bytes]], but: Container[int] = ()) -> float:
    """What requests without a whole answer may have cost, of all starts ``but`` these; ``rows`` are those of ``meta``."""
    return math.fsum(
        decode(bytes(value), float)
        for name, value in rows
        if name.startswith(LOST) and int(name.removeprefix(LOST)) not in but
    )


def former_nonce(secret: bytes, form: str, *shown: str) -> str:
    """The nonce of a ledger of schema 4: a call that was answered there must be found again under the same request.

    Judges were given a keyed hash; assistants of the house cut a plain one short, and a contract's clause was all that
    was hashed even where a draft stood beside it.
    """
    if form == "assistant clause":
        return fingerprint([shown[0], "clause"])[:8]
    if form == "assistant consultation":
        return fingerprint([*shown])[:12]
    content = shown[:1] if form == "clause" else (form, *shown)
    return hmac.digest(secret, "\x00".join(content).encode(), "sha256").hex()[:16]


def result_row(intent: int, key: bytes, result: CallResult, at: float, packing: AnswerPacking) -> tuple[Any, ...]:
    """The columns of a result, but for the seal."""
    reply = result.reply
    usage = reply.usage if reply else None
    if reply is not None and reply.cached_tokens is not UNSET:
        packing.note(CACHED, b"1")
    return (
        intent,
        key,
        str(result.status),
        result.error,
        usage.input_tokens if usage else None,
        usage.output_tokens if usage else None,
        reply.cost if reply else None,
        at,
        packing.pack(result),
    )
