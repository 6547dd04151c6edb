"""Lays out a new suite: card, sources, tasks, and one sample that shows the form."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchbar.languages.packs import pack_of
from benchbar.records import Sample, Suite, SuiteCard, encode
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.suites.guidance_text import read_guidance
from benchbar.suites.taxonomy import TASKS, task_id, tasks_in
from benchbar.suites.write import write

EXAMPLE = "example"
"""Tag of the sample that shows the form; it goes when the first real sample comes."""
SOURCES = """\
# Where the samples come from. A sample names its source by a tag such as source:own, or by a column `source`
# that `benchbar suite add` reads. The shares of the card are counted from the samples.
[[source]]
name = "own"
title = "Written by the authors"
licence = "CC-BY-4.0"
url = ""

# What a reader of results should know.
[card]
authors = []
limits = []
"""


def lay_out(folder: Path, *, language: str, jurisdiction: str, tasks: Iterable[str]) -> Suite:
    """A new suite in ``folder`` with the named tasks (all of UCL-Bench's where none is named) and one example.

    Raises:
        UserError: the folder is not empty, the language or a task is unknown.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder} is not empty; name a new folder")
    say = pack_of(language).labels("words")
    ids = [_known(name) for name in tasks] or list(TASKS)
    card = SuiteCard(
        name=folder.name, language=language, jurisdiction=jurisdiction, end_mark=say("suite.end_mark"), version="1"
    )
    example = Sample(
        id="example-1",
        task=ids[0],
        information=say("suite.information"),
        needs=say("suite.needs"),
        guidance=read_guidance(say("suite.guidance")).guidance,
        language=language,
        tags=(EXAMPLE, "source:own"),
    )
    tasks_there = tasks_in(language)
    suite = Suite(card=card, tasks={id_: tasks_there[id_] for id_ in ids}, samples=(example,), folder=folder)
    write(suite, folder)
    write_atomically(folder / "tasks.jsonl", b"".join(encode(task) + b"\n" for task in suite.tasks.values()))
    write_atomically(folder / "sources.toml", SOURCES.encode())
    return suite


def _known(name: str) -> str:
    found = task_id(name)
    if found is None:
        raise UserError(f"unknown task {name!r}; known: {', '.join(TASKS)}. Others of your own go into tasks.jsonl")
    return found


def write_samples(folder: Path, samples: Iterable[Sample]) -> None:
    """Put the samples into the folder's ``samples.jsonl``, whole or not at all.

    Raises:
        UserError: the suite keeps its samples as CSV.
    """
    if (folder / "samples.csv").exists() and not (folder / "samples.jsonl").exists():
        raise UserError(
            f"{folder} holds samples.csv; `benchbar suite import benchbar {folder} --out NEW` writes it as JSONL"
        )
    write_atomically(folder / "samples.jsonl", b"".join(encode(sample) + b"\n" for sample in samples))
