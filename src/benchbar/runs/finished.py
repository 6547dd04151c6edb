"""Tells of a finished run that nothing has changed since, so that nothing need be derived again.

What a run is derived from is known: its spec, suite, law and prompts, the rules in the code, the records in the ledger, the
gate's policy. A stamp over all of it is kept with the digests of the files that came of it. Whoever changes one of them, be it
by hand, gets everything derived anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import benchbar
from benchbar.artefacts.layout import RunFolder
from benchbar.ledger.schema import UNANSWERED
from benchbar.records import Record, decode, encode, fingerprint
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.runs.manifest import Manifest

if TYPE_CHECKING:
    from benchbar.ledger import Ledger
    from benchbar.runs.consultation import Consultation

_POSITION = (
    "SELECT coalesce(max(intent), 0) FROM result",
    "SELECT coalesce(max(id), 0) FROM intent",
    # Looks of the gate are kept among the reviews; nothing is derived from them.
    "SELECT coalesce(max(id), 0) FROM review WHERE kind <> 'look'",
)
_UNANSWERED = f"SELECT count(*) FROM (SELECT 1 FROM result WHERE {UNANSWERED} LIMIT 1) AS one"  # noqa: S608 - a constant


class Finished(Record, frozen=True):
    """The content of finished.json."""

    stamp: str
    """Fingerprint of all that the run was derived from."""
    files: dict[str, str]
    """Name to BLAKE2b digest of each file that came of it."""


def stamp_of(manifest: Manifest, study: Consultation, ledger: Ledger, base: Path) -> str:
    """The fingerprint of all that a run is derived from; empty where that cannot be told from here.

    It cannot where others share the ledger, where calls failed and are asked again, where the run stops early, and where
    files or code that are not ours have a part in it.
    """
    spec = manifest.spec
    if spec.ledger or spec.stop_early or study.recorded or not _ours(study) or _number(ledger, _UNANSWERED):
        return ""
    policy = None
    if spec.gate is not None:
        # Loads numerical libraries, for which the first call need not wait.
        from benchbar.decisions.policy import policy_named

        policy = policy_named(spec.gate, base)
        if policy.not_worse and policy.not_worse.run:
            return ""
    position = [_number(ledger, query) for query in _POSITION]
    # Left out where no sample was asked anew, so that the stamps of older runs hold.
    again = [ledger.anew] if ledger.anew else []
    return fingerprint([manifest, study.rubric, policy, code(), position, *again])


def _ours(study: Consultation) -> bool:
    parts = (study.simulator, *(stage.scorer for stage in study.stages))
    # Of the object, not of its type: a scoring rule says which module its function is from.
    return all(part.__module__.partition(".")[0] == benchbar.__name__ for part in parts)


def _number(ledger: Ledger, query: str) -> int:
    return int(next(ledger.store.rows(query))[0])


@cache
def code() -> str:
    """A fingerprint of the program: the size and time of each of its files."""
    return fingerprint([benchbar.__version__, sorted(_states(str(Path(benchbar.__file__).parent)))])


def _states(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as found:
        for one in found:
            # What is made of our files as they are used, compiled modules and what is kept beside them, is none of them.
            if one.name == "__pycache__":
                continue
            if one.is_dir():
                yield from _states(one.path)
            else:
                status = one.stat()
                yield one.path, status.st_size, status.st_mtime_ns


def unchanged(folder: Path, stamp: str) -> bool:
    """Whether the run in a folder was finished with this stamp, and its files are as they were then."""
    file = RunFolder(folder).finished
    if not stamp or not file.is_file():
        return False
    try:
        before = decode(read_bounded(file), Finished, file=file)
    except BadInputError:
        return False
    return before.stamp == stamp and before.files == _digests(folder)


def note(folder: Path, stamp: str) -> None:
    """Write down that the run in a folder is finished, if it can be told whether it changes."""
    file = RunFolder(folder).finished
    file.unlink(missing_ok=True)
    if stamp:
        write_atomically(file, encode(Finished(stamp=stamp, files=_digests(folder))) + b"\n")


def _digests(folder: Path) -> dict[str, str]:
    return {path.name: _digest(path) for path in _derived(folder)}


def _derived(folder: Path) -> Iterator[Path]:
    """The files of a run; whatever else people put beside them is theirs."""
    names = RunFolder(folder).written
    return (path for path in sorted(folder.iterdir()) if path.name in names)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
