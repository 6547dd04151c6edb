"""Who may use the app, as what, and with which token; tokens are kept as salted digests alone."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from benchbar.records.errors import UserError
from benchbar.web.database import Database, Row, Transaction, one
from benchbar.web.visible import refuse_hidden

SCHEMA = (
    """CREATE TABLE person (
  id {serial}, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, salt {bytes} NOT NULL, digest {bytes} NOT NULL,
  stamp TEXT NOT NULL, created {float} NOT NULL, revoked {float})""",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value {bytes} NOT NULL)",
    # People who were there before runs had members go on seeing every run; new ones see none until they are let in.
    "ALTER TABLE person ADD COLUMN every_run INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE person ADD COLUMN seen {float}",
    "ALTER TABLE person ADD COLUMN language TEXT",
)
OWNER = "owner"
"""Name of the person who started the app."""
# The same bound as the form's field.
LONGEST_NAME = 80
# 192 bits: nobody guesses it, so that no rule for good passwords is needed.
TOKEN_BYTES = 24


class Role(StrEnum):
    """What somebody may do."""

    OWNER = "owner"
    """Everything."""
    REVIEWER = "reviewer"
    """Mark what the queue gives; never sees runs, for whoever marks is blind."""
    VIEWER = "viewer"
    """See runs and samples, and change nothing."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in."""

    id: int
    name: str
    role: Role
    stamp: str
    """Changes when the person's token does: sessions of the old one end."""
    created: float
    """Seconds since 1970."""
    revoked: float | None
    every_run: bool = False
    """Whether the person belongs to every run; an owner does in any case."""
    seen: float | None = None
    """When they last asked for a page, to the minute; None where they never did."""
    language: str = ""
    """The language in which they then read it."""


# Letters of Cyrillic and Greek that look like one of Latin, from Unicode's confusables: those with which a name can be
# imitated letter by letter. Reviewers are known to each other by name alone, and marks are kept under it.
_LATIN = str.maketrans(
    {
        **dict(zip("авекмнорстухіјѕԁԛԝ", "abekmhopctyxijsdqw", strict=True)),
        **dict(zip("αβεικνορτυχ", "abeikvoptux", strict=True)),
        **dict(zip("01|", "oll", strict=True)),
    }
)


def skeleton(name: str) -> str:
    """What is left of a name when letters that look alike are one: names with the same skeleton are confused."""
    plain = unicodedata.normalize("NFKD", name.strip()).casefold()
    seen = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(seen.translate(_LATIN).split())


FIELDS = "id, name, role, stamp, created, revoked, every_run, seen, language"
_COLUMNS = FIELDS.count(",") + 1


def _person(row: Row) -> Person:
    return Person(int(row[0]), row[1], Role(row[2]), row[3], row[4], row[5], bool(row[6]), row[7], row[8] or "")


def everybody(database: Database) -> list[Person]:
    """All people, in the order in which they were added."""
    with database.transaction() as now:
        return [_person(row) for row in now.rows(f"SELECT {FIELDS} FROM person ORDER BY id")]  # noqa: S608 - a constant


def raters(now: Transaction, run: str) -> list[Person]:
    """Those who may mark in a run: its owners, and reviewers who were let into it, in the order in which they were added."""
    found = now.rows(
        f"SELECT {FIELDS} FROM person WHERE revoked IS NULL AND (role = ? OR role = ? AND (every_run = 1 OR id IN"  # noqa: S608 - a constant
        " (SELECT person FROM member WHERE run = ?))) ORDER BY id",
        *(Role.OWNER.value, Role.REVIEWER.value, run),
    )
    return [_person(row) for row in found]


def person_of(now: Transaction, id_: int) -> Person | None:
    """The person with this id, unless revoked."""
    row = one(now.rows(f"SELECT {FIELDS} FROM person WHERE id = ? AND revoked IS NULL", id_))  # noqa: S608
    return _person(row) if row else None


def add_person(database: Database, name: str, role: Role, token: str = "") -> str:
    """Let somebody in; returns the token, which is shown once and kept nowhere.

    Raises:
        UserError: the name is empty, too long, holds what cannot be printed, or is taken.
    """
    token = token or new_token()
    with database.transaction() as now:
        insert_person(now, name, role, token)
    return token


def insert_person(now: Transaction, name: str, role: Role, token: str) -> int:
    """Let somebody in, together with what else the transaction does; returns their id.

    Raises:
        UserError: as :func:`add_person`.
    """
    name = name.strip()
    refuse_hidden(name)
    if not name or len(name) > LONGEST_NAME:
        raise UserError(f"a name has 1 to {LONGEST_NAME} printable characters")
    # A salt for each token: two people with the same token, or a table of digests made in advance, give
    # nothing away.
    salt = secrets.token_bytes(16)
    for (known,) in now.rows("SELECT name FROM person"):
        if known == name:
            raise UserError(f"{name} is here already; make a new link for the same person instead")
        if skeleton(known) == skeleton(name):
            raise UserError(f"{name} looks like {known}, who is here already; choose a name that nobody confuses")
    now.run(
        "INSERT INTO person (name, role, salt, digest, stamp, created, every_run) VALUES (?, ?, ?, ?, ?, ?, 0)",
        *(name, role.value, salt, digest(token, salt), secrets.token_hex(8), time.time()),
    )
    return int(now.rows("SELECT id FROM person WHERE name = ?", name)[0][0])


def renew_token(database: Database, id_: int) -> str:
    """A new token for somebody, who may come back with it; the old one and its sessions end."""
    token, salt = new_token(), secrets.token_bytes(16)
    with database.transaction() as now:
        now.run(
            # The new stamp ends all sessions of the old token.
            "UPDATE person SET salt = ?, digest = ?, stamp = ?, revoked = NULL WHERE id = ?",
            *(salt, digest(token, salt), secrets.token_hex(8), id_),
        )
    return token


SEEN_EVERY = 60.0
"""Seconds within which a further page is not written down: every page would else be a write."""


def see(now: Transaction, person: Person, language: str) -> None:
    """Write down that somebody is here, and in which language they read."""
    at = time.time()
    if person.seen is None or at > person.seen + SEEN_EVERY:
        now.run("UPDATE person SET seen = ?, language = ? WHERE id = ?", at, language, person.id)


def revoke(database: Database, id_: int) -> None:
    """Let somebody in no more; what they did stays."""
    with database.transaction() as now:
        now.run("UPDATE person SET revoked = ? WHERE id = ?", time.time(), id_)


def let_owner_in(database: Database, token: str) -> None:
    """Make sure that the owner can sign in with this token; sessions of before go on."""
    salt = secrets.token_bytes(16)
    with database.transaction() as now:
        changed = now.run(
            # The stamp stays: a restart of the app must not sign the owner out.
            "UPDATE person SET salt = ?, digest = ?, role = ?, revoked = NULL WHERE name = ?",
            *(salt, digest(token, salt), Role.OWNER.value, OWNER),
        )
    if not changed:
        add_person(database, OWNER, Role.OWNER, token)


def signed_in(database: Database, name: str, token: str) -> Person | None:
    """The person of this name, if the token is theirs."""
    with database.transaction() as now:
        row = one(now.rows(f"SELECT {FIELDS}, salt, digest FROM person WHERE name = ?", name.strip()))  # noqa: S608
    # The digest is computed for unknown names as well, so that the time tells nobody who is known.
    salt, kept = (bytes(row[_COLUMNS]), bytes(row[_COLUMNS + 1])) if row else (bytes(16), b"")
    fits = hmac.compare_digest(digest(token, salt), kept)
    return _person(row[:_COLUMNS]) if row and fits and row[5] is None else None


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str, salt: bytes) -> bytes:
    """What is kept of a token."""
    # Cheap for a digest of passwords, and enough here: a token is random, so there is no dictionary to try.
    return hashlib.scrypt(token.encode(), salt=salt, n=2**13, r=8, p=1)


def app_secret(now: Transaction) -> bytes:
    """What cookies are signed with; made once."""
    now.run(
        # Two workers may start at once: the first one's secret is kept, and both read it below.
        "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        *("secret", secrets.token_bytes(32)),
    )
    return bytes(now.rows("SELECT value FROM setting WHERE name = ?", "secret")[0][0])
