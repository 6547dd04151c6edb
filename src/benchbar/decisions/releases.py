"""How many wrong passes all runs under one policy may bring together, and what has been spent of that.

Each run that is held against a policy is a test of "it is good enough", and tests add up: twelve bad releases, each with a
chance of 2.5% to pass, pass one with a chance of 26%. The record gives test t the level

    budget (passes so far + 1)/(t (t + 1))

and the gate passes where its evidence against the threshold reaches 1/level. The evidence is a bet that is not expected to gain
(an e-value), so at most the share ``budget`` of all passes is wrong in expectation, whatever the runs have in common: the same
suite, the same judge. Passes earn budget back, failures do not. Looking again at the same run, with more samples or marks, is the
same test and costs nothing, since its bet goes on.

Source: Xu and Ramdas, Online multiple testing with e-values (e-LOND), AISTATS 2024; with weights 1/(t (t + 1)), which add up to 1.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchbar.decisions.policy import Policy
from benchbar.records import GateDecision, GateReason, Record, decode, encode, fingerprint
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded, sync_folder
from benchbar.records.scoring import Decision

MAX_BYTES = 64 * 1024 * 1024


class Entry(Record, frozen=True):
    """One line of the record: one look at one test."""

    test: int
    """Number of the test, from 1; further looks at the same run under the same policy have the same."""
    run: str
    """What tells the run from others."""
    policy: str
    """Fingerprint of the policy: a changed policy is another test of the same run."""
    assistants: tuple[str, ...]
    level: float
    """The chance of a wrong pass that was given to the test at its first look."""
    decision: Decision
    n: int
    """Most samples of a check."""
    at: str
    """When, in UTC."""
    previous: str = ""
    """Digest of the line before: a line that was changed or taken out breaks the chain."""


@dataclass(frozen=True)
class Standing:
    """Where a run stands in the record."""

    test: int
    level: float
    passes: int
    """Tests that had passed before this one was begun."""


def standing(
    entries: tuple[Entry, ...], run: str, policy: Policy, assistants: tuple[str, ...], budget: float
) -> Standing:
    """The test that a look at this run belongs to, with its level: the old one's, or that of a new test."""
    key = (run, identity_of(policy), assistants)
    passed: set[int] = set()
    for entry in entries:
        if (entry.run, entry.policy, entry.assistants) == key:
            return Standing(entry.test, entry.level, len(passed))
        if entry.decision == "pass":
            passed.add(entry.test)
    test = max((entry.test for entry in entries), default=0) + 1
    return Standing(test, budget * (len(passed) + 1) / (test * (test + 1)), len(passed))


def identity_of(policy: Policy) -> str:
    """A fingerprint of what a policy asks; its name and its record may change."""
    return fingerprint([policy.confidence, policy.minimum_n, policy.minimum_marks, *_asked(policy)])


def _asked(policy: Policy) -> list[object]:
    tables: list[object] = [policy.at_least, policy.at_most, policy.never, policy.evidence, policy.not_worse]
    return [*tables, policy.advisory, policy.where_measured, policy.rubric, policy.missing, policy.judge]


def _read(file: Path) -> tuple[tuple[Entry, ...], int, str]:
    """The entries, how many bytes they take, and the digest of the last line.

    What follows the last whole line is none: a crash cut it short before its decision was told.
    """
    data = read_bounded(file, MAX_BYTES)
    whole = data.rfind(b"\n") + 1
    entries, previous = [], ""
    for number, line in enumerate(data[:whole].splitlines(), start=1):
        entry = decode(line, Entry, file=file, line=number)
        if entry.previous != previous:
            raise BadInputError(
                "the line before was changed or taken out; restore the record from version control",
                file=file,
                line=number,
            )
        entries.append(entry)
        previous = _digest(line)
    return tuple(entries), whole, previous


def _digest(line: bytes) -> str:
    return hashlib.blake2b(line, digest_size=16).hexdigest()


def within_budget(
    policy: Policy,
    base: Path,
    run: str,
    assistants: tuple[str, ...],
    decide: Callable[[float | None, tuple[GateReason, ...]], GateDecision],
    *,
    keep: bool = True,
) -> GateDecision:
    """The decision at the level that the record of the policy still allows, and kept in it if ``keep``.

    ``base`` is the folder that the record is in. A policy without a record decides at its own confidence.

    Raises:
        BadInputError: the record is damaged.
    """
    if policy.releases is None:
        return decide(None, ())
    file = base / policy.releases.record
    with recorded(file) as record:
        place = standing(record.entries, run, policy, assistants, policy.releases.budget)
        told: dict[str, str | float | dict[str, int]] = {
            "number": place.test,
            "passes": place.passes,
            "level": place.level,
            "budget": policy.releases.budget,
        }
        found = decide(place.level, (GateReason(key="release", values=told),))
        if keep:
            record.append(run, policy, place, found)
    return found


@contextmanager
def recorded(file: Path) -> Iterator[Recorder]:
    """The record for this process alone: two runs that are decided at once must not take the same number.

    Raises:
        BadInputError: the record is damaged.
    """
    import filelock

    with filelock.FileLock(file.with_name(f".{file.name}.lock")):
        yield Recorder(file)


class Recorder:
    """Reads the record and appends to it."""

    def __init__(self, file: Path) -> None:
        """Of a file, which need not be there yet."""
        self._file = file
        self.entries, self._whole, self._last = _read(file) if file.is_file() else ((), 0, "")

    def append(self, run: str, policy: Policy, place: Standing, decision: GateDecision) -> None:
        """Keep a look, unless the last one at this test decided the same on as many samples."""
        n = max((check.estimate.n for check in decision.checks), default=0)
        before = [one for one in self.entries if one.test == place.test]
        if before and (before[-1].decision, before[-1].n) == (decision.decision, n):
            return
        entry = Entry(
            test=place.test,
            run=run,
            policy=identity_of(policy),
            assistants=decision.assistants,
            level=place.level,
            decision=decision.decision,
            n=n,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            previous=self._last,
        )
        line = encode(entry)
        self._write(line + b"\n")
        self.entries, self._last = (*self.entries, entry), _digest(line)

    def _write(self, line: bytes) -> None:
        new = not self._file.is_file()
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            # What a crash tore is no entry, and nothing may be appended to half a line.
            os.ftruncate(handle, self._whole)
            os.lseek(handle, self._whole, os.SEEK_SET)
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
        self._whole += len(line)
        if new:
            sync_folder(self._file.parent)
