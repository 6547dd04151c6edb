"""The secret of the blind order: it names the tasks of reviewers and says whose dialogue they see first.

It is kept beside the ledger, never in it, so that a ledger can be published: whoever reads one learns whose dialogues were
compared and how they were marked, and not what a reviewer saw first or which name a task of a later drawing will have. A
ledger in a file has it in a file of its own that only its owner may read; one in a database has it in a table of its own.
Ledgers of schema 4 have it in ``meta``, and keep it: tasks that were handed out must stay what they were.
"""

from __future__ import annotations

import hmac
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.ledger.schema import ANSWER, LOOK, QUESTION, WITHDRAWN
from benchbar.records.errors import LedgerError
from benchbar.records.files import sync_folder

if TYPE_CHECKING:
    from benchbar.ledger.store import LedgerStore

BYTES = 32


def secret_of(store: LedgerStore) -> bytes | None:
    """The secret of a run's blind order; None where nothing was drawn yet, or it was left behind."""
    return store.meta("secret") or store.blinding()


def made_secret(store: LedgerStore) -> bytes | None:
    """The same, made where nothing was drawn yet; None where it was left behind.

    It is never made anew for tasks that were handed out: marks of forms that are still to come back would then be taken for
    the other side's, and nothing would tell.
    """
    found = secret_of(store)
    # A gate may have looked, and people may have been asked to answer, before anybody was asked to mark.
    if found is None and all(kind in (LOOK, QUESTION, ANSWER, WITHDRAWN) for _, kind, *_ in store.reviews()):
        found = store.offer_blinding(secrets.token_bytes(BYTES))
    return found


def missing(store: LedgerStore) -> LedgerError:
    """What to tell where the secret was left behind."""
    place = secret_file(path) if isinstance(path := getattr(store, "path", None), Path) else "the table blinding"
    return LedgerError(
        f"{place}: the secret of the blind order is missing, so nobody can tell which of two dialogues reviewers saw first."
        " Copy it from where the run was made; if it is lost, and no form that was handed out is still to come back, put"
        f" {BYTES} random bytes in its place"
    )


def task_names(store: LedgerStore) -> Callable[..., str]:
    """Names of tasks by their content, which say nothing of it to those who mark; the same again for the same content."""
    # Without the secret nothing new can be kept (``add_plan`` says so), yet what was kept can be derived anew: the plan
    # of a published ledger is known by its fingerprint, in which names have no part.
    secret = made_secret(store) or secrets.token_bytes(BYTES)
    return lambda *content: hmac.digest(secret, "\x00".join(content).encode(), "sha256").hex()


def coin(secret: bytes, task: str) -> bool:
    """Whether the reference's dialogue is shown first."""
    return bool(hmac.digest(secret, f"side\x00{task}".encode(), "sha256")[0] % 2)


def secret_file(ledger: Path) -> Path:
    """Where the secret of a ledger in a file is."""
    return ledger.with_suffix(".secret")


def read_secret(path: Path) -> bytes | None:
    """The secret in a file; None where there is none.

    Raises:
        LedgerError: it cannot be read, or is none.
    """
    try:
        with path.open("rb") as file:
            found = file.read(BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LedgerError(f"{path}: cannot be read: {error.strerror}; its owner alone may") from error
    if len(found) != BYTES:
        raise LedgerError(f"{path}: expected {BYTES} bytes, the secret of the blind order; restore it from a copy")
    return found


def write_secret(path: Path, secret: bytes) -> bytes:
    """Keep a secret in a file that its owner alone may read, from its first byte on; returns it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # made with mode 600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return secret
