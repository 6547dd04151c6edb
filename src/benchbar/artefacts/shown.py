"""Which samples the report of a run shows, and their texts, which a large run keeps beside its derived files.

Of a run of usual size all are shown, and the suite is at hand or not. Of a large one the few on which assistants differ most are
shown: they are kept with the run, so that a report need not read a suite of a hundred thousand for them.
"""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import msgspec

from benchbar.artefacts.folder import OfSample, read_records
from benchbar.artefacts.layout import RunFolder
from benchbar.records import Record, RunResults, Sample, Suite, SuiteCard, Task, encode
from benchbar.records.files import write_atomically

SHOWN = 2000
"""Samples whose dialogues a report can show at most."""


class _Head(Record, frozen=True, kw_only=True):
    """What there is of a suite besides its samples."""

    suite_fingerprint: str
    """Of the whole suite."""
    card: SuiteCard
    tasks: dict[str, Task]


class _Line(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the file: the head on the first, a sample on each of the others."""

    head: _Head | None = None
    sample: Sample | None = None


class _Values(msgspec.Struct):
    """The two measures by which samples are chosen."""

    point_score: float | None = None
    win_rate: float | None = None


class _SampleValues(OfSample):
    """What samples are chosen by."""

    values: _Values


def most_apart(run: Path, count: int = SHOWN) -> frozenset[str] | None:
    """The samples on which assistants differ most, as a page measures it; None where there are not that many."""
    folder = RunFolder(run)
    if not folder.has("measures"):
        return None
    extremes: dict[str, tuple[float, float, float]] = {}
    for one in read_records(folder.derived("measures"), _SampleValues):
        low, high, apart = extremes.get(one.sample, (2.0, -1.0, 0.0))
        point_score, won = one.values.point_score, one.values.win_rate
        if point_score is not None:
            low, high = min(low, point_score), max(high, point_score)
        extremes[one.sample] = (low, high, apart if won is None else max(apart, abs(won - 0.5) * 2))
    if len(extremes) <= count:
        return None
    spread = {sample: max(high - low, 0.0) + apart for sample, (low, high, apart) in extremes.items()}
    return frozenset(sorted(spread, key=lambda sample: -spread[sample])[:count])


def narrowed(suite: Suite, samples: frozenset[str] | None) -> Suite:
    """The suite with these samples alone; all of it for None."""
    if samples is None:
        return suite
    return replace(suite, samples=tuple(one for one in suite.samples if one.id in samples))


def keep(run: Path, suite: Suite | None, fingerprint: str) -> None:
    """Put the samples that a large run shows into its folder; without them, take away those of an earlier run."""
    file = RunFolder(run).shown
    if suite is None:
        file.unlink(missing_ok=True)
        return
    tasks = {id_: suite.tasks[id_] for id_ in dict.fromkeys(one.task for one in suite.samples)}
    head = _Head(suite_fingerprint=fingerprint, card=suite.card, tasks=tasks)
    lines = (_Line(head=head), *(_Line(sample=one) for one in suite.samples))
    write_atomically(file, gzip.compress(b"".join(encode(one) + b"\n" for one in lines), 5, mtime=0))


def kept(run: Path, results: RunResults, samples: frozenset[str] | None) -> Suite | None:
    """What the run keeps of its suite, if it keeps all these samples; None where they must be read from the suite.

    Raises:
        BadInputError: the file is damaged.
    """
    if samples is None or not RunFolder(run).shown.is_file():
        return None
    lines = list(read_records(RunFolder(run).shown_plain, _Line))
    head = next((line.head for line in lines if line.head), None)
    found = tuple(line.sample for line in lines if line.sample)
    if head is None or head.suite_fingerprint != results.suite_fingerprint or {one.id for one in found} != samples:
        return None
    return Suite(card=head.card, tasks=head.tasks, samples=found)
