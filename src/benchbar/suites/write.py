"""Writes a suite in Benchbar's own form."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec
import tomli_w

from benchbar.records import Suite, SuiteCard, encode
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically

ANSWERS = "answers"
"""Folder of the dialogues that came with a suite: a file for each assistant, for ``recorded``."""


def write(suite: Suite, folder: Path, *, beside: Collection[str] = ()) -> None:
    """Put card, tasks and samples into ``folder``, which must be new or a suite's, but for files named ``beside``.

    Raises:
        UserError: there is something else in it.
    """
    others = [one for one in folder.iterdir() if one.name not in beside] if folder.exists() else []
    if others and not (folder / "card.toml").exists():
        raise UserError(f"{folder} is not empty and holds no suite; name a new folder")
    used = {sample.task for sample in suite.samples}
    write_atomically(folder / "samples.jsonl", b"".join(encode(sample) + b"\n" for sample in suite.samples))
    tasks = [task for id_, task in suite.tasks.items() if id_ in used]
    write_atomically(folder / "tasks.jsonl", b"".join(encode(task) + b"\n" for task in tasks))
    for name, rows in suite.answers.items():
        write_atomically(folder / ANSWERS / f"{name}.jsonl", b"".join(encode(row) + b"\n" for row in rows))
    write_atomically(folder / "card.toml", _toml(suite.card).encode())


def _toml(card: SuiteCard) -> str:
    return tomli_w.dumps(msgspec.to_builtins(card))
