"""One piece of work by an agent: what was said, which tools were asked, and the files that it left."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET

from benchbar.clients.results import failed, reply_of
from benchbar.ledger import SCOPE, Begin, CallRequest, CallResult, CallStatus
from benchbar.records import ProductFile, Record, Reply, Turn, Usage, decode, encode, fingerprint
from benchbar.records.errors import EmptyContentError, ModelError, UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.tables.work_products import files_below, joined, readable_texts

if TYPE_CHECKING:
    from benchbar.assistants.agents.sandbox import LeftFile
    from benchbar.ledger import Ledger

MOST_INPUT = 256 << 20
"""Bytes of all documents of one piece of work."""
NOTHING = Usage(input_tokens=0, output_tokens=0)
"""Of what asks no model: known, and none."""


class KeptFile(Record, frozen=True):
    """A file of a work product, whole: the ledger keeps it, so that what is derived from it never depends on a disk."""

    name: str
    sha256: str
    data: bytes

    @classmethod
    def of(cls, file: LeftFile) -> KeptFile:
        """The file as it was left."""
        return cls(name=file.name, sha256=hashlib.sha256(file.data).hexdigest(), data=file.data)


EXITED = "exit code"
"""How the end of a program begins that broke down."""


class Answered(Record, frozen=True):
    """What one turn took: of the model, or of a tool."""

    turn: int
    seconds: float
    usage: Usage = Usage()
    cost: float | None = None
    model: str = ""


class Work(Record, frozen=True):
    """A finished piece of work."""

    ended: str
    """``done``, or the limit that ended it: ``steps``, ``seconds``, ``cost``; of a program also ``exit code N``."""
    turns: tuple[Turn, ...]
    """All that was said, with the calls of tools and their answers."""
    answered: tuple[Answered, ...] = ()
    files: tuple[KeptFile, ...] = ()
    left_out: tuple[str, ...] = ()
    """Files that do not count, with the reason."""
    calls: tuple[str, ...] = ()
    """Keys of the calls that it rests on."""

    @property
    def errored(self) -> bool:
        """Whether it broke down: what stands in its folder is no finished work, and says nothing of how good that would be."""
        return self.ended.startswith(EXITED)

    @property
    def seen(self) -> bool:
        """Whether its steps are known: what a program of the image or a remote agent does is not."""
        return any(one.model for one in self.answered)

    @property
    def said(self) -> str:
        """What the agent said last."""
        return next((turn.content for turn in reversed(self.turns) if turn.role == "assistant"), "")

    @property
    def cost(self) -> float | None:
        """Of all its calls; None as soon as one of them has no price."""
        costs = [one.cost for one in self.answered if one.model]
        known = [one for one in costs if one is not None]
        return sum(known) if known and len(known) == len(costs) else None

    @property
    def usage(self) -> Usage:
        """Of all its calls; None as soon as one of them did not say."""
        read = [one.usage.input_tokens for one in self.answered]
        written = [one.usage.output_tokens for one in self.answered]
        return Usage(input_tokens=_total(read), output_tokens=_total(written))

    @property
    def seconds(self) -> float:
        """What models and tools took together."""
        return sum(one.seconds for one in self.answered)

    def texts(self) -> dict[str, str]:
        """Name to text of every file that can be read."""
        return readable_texts({file.name: file.data for file in self.files})


def _total(values: Sequence[int | None]) -> int | None:
    known = [one for one in values if one is not None]
    return sum(known) if len(known) == len(values) else None


class Worker:
    """An assistant that is given a folder of documents and leaves files; each piece of work is in the ledger, and done once."""

    ledgered = True
    """Nothing more of it needs to be recorded."""

    def __init__(self, ledger: Ledger, folder: Path | None, *, out: Path | None, identity: str) -> None:
        """``{sample}`` in the paths is the id of the sample."""
        self._ledger, self._folder, self._out = ledger, folder, out
        self.identity = identity

    async def reply(self, turns: Sequence[Turn]) -> Reply:
        """What the agent said, and after it the text of its files, each under its name.

        Raises:
            ModelError: there is neither.
        """
        work = await self.work(turns)
        if self._out is not None:
            keep(work, _of_sample(self._out))
        product = joined(work.texts())
        content = "\n\n".join(part for part in (work.said.strip(), product) if part)
        if not content:
            raise EmptyContentError(f"the agent said nothing and left no file that can be read (ended: {work.ended})")
        files = tuple(ProductFile(name=one.name, sha256=one.sha256, size=len(one.data)) for one in work.files)
        return Reply(
            content=content,
            usage=work.usage,
            cost=work.cost,
            latency=work.seconds,
            finish="stop" if work.ended == "done" else work.ended,
            product=files or UNSET,
        )

    async def work(self, turns: Sequence[Turn]) -> Work:
        """The piece of work, from the ledger if it was done before.

        Raises:
            ModelError: it could not be done.
            UserError: the folder of its documents is not there.
        """
        folder = None if self._folder is None else _of_sample(self._folder)
        params = {"documents": documents_digest(folder)} if folder else {}
        request = CallRequest.of(self.identity, turns, role="work", params=params)
        result = await self._ledger.once(request, lambda begin: self._produce(turns, folder, begin))
        found = decode(reply_of(result).content, Work)
        if (scope := SCOPE.get()) is not None:
            # The calls within belong to whoever asked for the work, whether it was done now or before.
            scope.keys += [bytes.fromhex(key) for key in found.calls]
        return found

    async def _produce(self, turns: Sequence[Turn], folder: Path | None, begin: Begin) -> CallResult:
        scope = SCOPE.get()
        before = len(scope.keys) if scope else 0
        try:
            found = await self.done(turns, folder, begin)
        except ModelError as error:
            return failed(error)
        keys = tuple(key.hex() for key in scope.keys[before:]) if scope else ()
        content = encode(Work(**{name: getattr(found, name) for name in found.__struct_fields__} | {"calls": keys}))
        return CallResult(status=CallStatus.OK, reply=Reply(content=content.decode(), usage=NOTHING))

    async def done(self, turns: Sequence[Turn], folder: Path | None, begin: Begin) -> Work:
        """The piece of work, done now.

        Raises:
            ModelError: it could not be done.
        """
        raise NotImplementedError


def _of_sample(path: Path) -> Path:
    scope = SCOPE.get()
    sample = scope.sample if scope else ""
    if "{sample}" not in str(path):
        return path
    # An id of a sample comes from a file of others.
    if not sample or Path(sample).is_absolute() or ".." in Path(sample).parts:
        raise UserError(f"the sample {sample!r} cannot be part of the path {path}")
    return Path(str(path).replace("{sample}", sample))


def documents_of(folder: Path) -> dict[str, bytes]:
    """Name to bytes of the documents in a folder; links and hidden files are left out.

    Raises:
        UserError: there is no such folder, or it holds too much.
    """
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; the setting `folder` names that of the documents")
    found: dict[str, bytes] = {}
    room = MOST_INPUT
    for path in files_below(folder):
        data = read_bounded(path, room)
        room -= len(data)
        found[str(path.relative_to(folder))] = data
    return found


def documents_digest(folder: Path) -> str:
    """Changes when a document does."""
    return fingerprint({name: hashlib.sha256(data).hexdigest() for name, data in documents_of(folder).items()})


def keep(work: Work, folder: Path) -> None:
    """Write the files of a work product below a folder, in place of those of before that have the same names."""
    for file in work.files:
        write_atomically(folder / file.name, file.data)


def asked(turns: Sequence[Turn]) -> str:
    """What the user wants, of all turns."""
    return "\n\n".join(turn.content for turn in turns if turn.role == "user")


def settings_digest(**settings: object) -> str:
    """What makes an agent another one."""
    return fingerprint(sorted((name, repr(value)) for name, value in settings.items()))
