"""The folder of production: traces by week, appended to, with personal data masked before anything is written."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchbar.evaluations.records import LoggedAnswer
from benchbar.languages.personal_data import Masker
from benchbar.production.records import KeptTrace, SeenTraces, Verdict
from benchbar.production.sampling import Sampling
from benchbar.records import encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.records.files import append_lines, sync_folder, whole_lines, write_atomically
from benchbar.suites.decision_log import DecisionLog

TRACES, SECRET, SAMPLING = "traces", ".secret", "sampling.json"
UNDATED = "undated"
LONGEST = 100_000
"""Characters of a question or an answer that are kept."""
_NAME = re.compile(r"[^\w.:/@ -]")
_LINE = msgspec.json.Decoder(KeptTrace | SeenTraces)


class Delivery(NamedTuple):
    """How many traces came at once."""

    came: int
    """Distinct ones."""
    new: int
    """Those that had not come before."""
    kept: int


class ProductionStore:
    """Traces that were kept. One process writes to it at a time."""

    def __init__(self, folder: Path) -> None:
        """In ``folder``, which is made when something is kept."""
        self.folder = folder
        self._known: set[str] | None = None
        self._key: bytes | None = None

    def keep(self, answers: Iterable[LoggedAnswer], sampling: Sampling, *, texts: bool = True) -> Delivery:
        """Sample and mask these answers and write what is kept.

        Each trace is drawn once, when it first comes. Everything until the masked record is in memory alone. What is returned
        from is on disk.

        Raises:
            UserError: the folder was sampled otherwise before.
        """
        # The key first: it makes the folder readable by its owner alone.
        key = self._secret()
        self.hold_to(sampling)
        known = self._ids()
        came = {self._hidden(key, one.identity or f"{one.sample} {one.line}"): one for one in answers}
        kept: list[KeptTrace] = []
        passed: list[str] = []
        for id_, one in came.items():
            if id_ in known:
                continue
            name, chance = one.cluster or one.sample or one.identity, sampling.chance(one)
            # By its own name, which stays in memory: another folder keeps the same conversations by the same seed.
            if sampling.keeps(name, chance):
                kept.append(_masked(one, Masker(key.hex()), id_, self._hidden(key, name), chance, texts=texts))
            else:
                passed.append(id_)
        new = [*(one.id for one in kept), *passed]
        if new:
            self._append([*kept, SeenTraces(at=time.time(), seen=len(new), passed=tuple(passed))])
        # Not before: what a full disk refused is sent again, and must not count as known.
        known.update(new)
        return Delivery(len(came), len(new), len(kept))

    def hold_to(self, sampling: Sampling) -> None:
        """Keep the settings of the first delivery, and refuse others.

        Traces that were passed over would have a second draw by another rate or seed, while the chance that is kept with each
        is that of one draw: every estimate would be wrong, and nothing would show it.

        Raises:
            UserError: they are others than those of the folder.
        """
        before = self.sampling()
        if before is None:
            write_atomically(self.folder / SAMPLING, encode(sampling))
        elif before != sampling:
            raise UserError(
                f"{self.folder} is sampled with {before.options()}, not with {sampling.options()}: give the same options,"
                " or another folder"
            )

    def sampling(self) -> Sampling | None:
        """The settings of the first delivery; None before it."""
        file = self.folder / SAMPLING
        if not file.exists():
            return None
        try:
            return msgspec.json.decode(file.read_bytes(), type=Sampling)
        except msgspec.MsgspecError as error:
            raise BadInputError(str(error), file=file) from error

    def traces(self) -> list[KeptTrace]:
        """All kept traces, in the order of their time."""
        # By id: a delivery that a full disk cut off between two weeks was sent and written again.
        found = {one.id: one for one in self._lines() if isinstance(one, KeptTrace)}
        return sorted(found.values(), key=lambda one: (one.at or 0.0, one.id))

    def seen(self) -> int:
        """How many distinct traces came, kept or not."""
        return sum(one.seen for one in self._lines() if isinstance(one, SeenTraces))

    @property
    def decisions(self) -> DecisionLog[Verdict]:
        """What people decided of proposals."""
        return DecisionLog(self.folder, Verdict)

    def verdicts(self) -> list[Verdict]:
        """What people decided, in the order in which they did."""
        return self.decisions.all()

    def _append(self, records: list[KeptTrace | SeenTraces]) -> None:
        by_week: dict[str, bytes] = {}
        for one in records:
            week = UNDATED if one.at is None else week_of(one.at)
            by_week[week] = by_week.get(week, b"") + encode(one) + b"\n"
        for week, lines in by_week.items():
            append_lines(self.folder / TRACES / f"{week}.jsonl", lines)

    def _lines(self) -> Iterator[KeptTrace | SeenTraces]:
        for file in sorted((self.folder / TRACES).glob("*.jsonl")):
            for number, line in enumerate(whole_lines(file), start=1):
                try:
                    yield _LINE.decode(line)
                except msgspec.MsgspecError as error:
                    raise BadInputError(str(error), file=file, line=number) from error

    def _ids(self) -> set[str]:
        if self._known is None:
            self._known = set()
            for one in self._lines():
                self._known.update([one.id] if isinstance(one, KeptTrace) else one.passed)
        return self._known

    def _secret(self) -> bytes:
        """What pseudonyms and hashes are made with: without it nobody can test whom they stand for."""
        if self._key is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = self.folder / SECRET
            try:
                handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                self._key = file.read_bytes()
            else:
                self._key = secrets.token_bytes(32)
                with os.fdopen(handle, "wb") as made:
                    made.write(self._key)
                    made.flush()
                    os.fsync(made.fileno())
                sync_folder(self.folder)
            if len(self._key) != 32:
                raise UserError(f"{file}: expected 32 bytes; restore it from a copy, or begin a new folder")
        return self._key

    @staticmethod
    def _hidden(key: bytes, name: str) -> str:
        # Names of conversations are often numbers of customers or addresses of mail.
        return hmac.new(key, name.encode(), hashlib.sha256).hexdigest()[:20]


def week_of(at: float) -> str:
    """The ISO week of a moment in UTC, such as ``2026-W07``."""
    year, week, _ = datetime.fromtimestamp(at, UTC).isocalendar()
    return f"{year}-W{week:02}"


def _masked(one: LoggedAnswer, masker: Masker, id_: str, conversation: str, chance: float, *, texts: bool) -> KeptTrace:
    # Together: a name that the question gives away is masked in the answer. Names of service, model and scores are set by
    # programs, yet nothing forbids a program to put a person into them.
    names = list(one.scores)
    question, answer, service, model, *shown = masker.mask_all(
        [
            one.question[:LONGEST],
            one.answer[:LONGEST],
            *(_NAME.sub("", name)[:80] for name in (one.task, one.model, *names)),
        ]
    )
    return KeptTrace(
        id=id_,
        conversation=conversation,
        at=one.at,
        chance=chance,
        service=service,
        model=model,
        question=question if texts else "",
        answer=answer if texts else "",
        scores={name: value for name, own in zip(shown, names, strict=True) if (value := one.scores[own]) is not None},
        error=one.error,
        answered=bool(one.answer.strip()),
    )
