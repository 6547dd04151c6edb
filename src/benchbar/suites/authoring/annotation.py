"""Guidance by several annotators: sheets to fill in, what they agree on, and what somebody has to decide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from benchbar.languages.packs import labels
from benchbar.records import Category, Guidance, Problem, Sample, Suite, decode_lines, encode, fingerprint
from benchbar.records.annotations import Annotation
from benchbar.records.errors import UserError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.suites.authoring.layout import EXAMPLE
from benchbar.suites.guidance_text import read_guidance
from benchbar.tables.labels import one_of
from benchbar.tables.reading import read_table

ADJUDICATED = "adjudicated"
"""Name of the file with what was decided where annotators differ."""
# It becomes a file's name: no separator, and no dot at the beginning.
_NAME = re.compile(r"[\w@+-][\w.@+-]{0,63}")
_ODD = re.compile(r"[^\w@+-]")
LOCK = ".lock"
COLUMNS = ["sample", "task", "information", "needs", "guidance", "comment", "content"]


@dataclass
class Read:
    """What a filled-in sheet held."""

    annotations: list[Annotation] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def checked_name(name: str) -> str:
    """The annotator's name, which becomes a file's.

    Raises:
        UserError: it cannot be one.
    """
    # An annotator of that name would overwrite the decisions.
    if not _NAME.fullmatch(name) or name == ADJUDICATED:
        raise UserError(f"--by {name!r}: letters, digits and . @ + - _ were expected, and not {ADJUDICATED!r}")
    return name


def name_of(person: str) -> str:
    """A name for the file of a person who may be called anything; different people get different ones."""
    if _NAME.fullmatch(person) and person != ADJUDICATED:
        return person
    # The digest keeps people apart whose names differ only in what a file's name cannot hold.
    return f"{_ODD.sub('_', person)[:40].lstrip('.')}-{fingerprint(person)[:8]}"


def content_of(sample: Sample) -> str:
    """Changes when what the annotator was shown does."""
    # Not the guidance, which is what annotators write.
    return fingerprint([sample.task, sample.information, sample.needs])[:12]


def guidance_as_text(guidance: Guidance, language: str) -> str:
    """The guidance as labelled text that reads back as the same points; the text it was read from, where there is one."""
    # The author's own words, which numbering anew would change and make look like a disagreement.
    if guidance.text:
        return guidance.text
    lines, say = [], labels(language, "words")
    for category in Category:
        texts = [point.text for point in guidance.points if point.category is category]
        if texts:
            lines.append(
                f"{say(f'annotation.{category}')}: "
                + " ".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
            )
    return "\n".join(lines)


def sheet_rows(suite: Suite, own: Mapping[str, Annotation]) -> list[dict[str, str]]:
    """A row for each sample, with what this annotator wrote already."""
    # The example of a new suite is there to be deleted, not annotated.
    asked = [sample for sample in suite.samples if EXAMPLE not in sample.tags]
    return [_row(sample) | _written(own.get(sample.id), sample) for sample in asked]


def _row(sample: Sample) -> dict[str, str]:
    shown = {"sample": sample.id, "task": sample.task, "information": sample.information, "needs": sample.needs}
    return shown | {"guidance": "", "comment": "", "content": content_of(sample)}


def _written(annotation: Annotation | None, sample: Sample) -> dict[str, str]:
    if annotation is None:
        return {}
    return {"guidance": guidance_as_text(annotation.guidance, sample.language), "comment": annotation.comment}


def dispute_rows(
    suite: Suite,
    annotations: Mapping[str, Mapping[str, Annotation]],
    disputed: Iterable[str],
    decided: Mapping[str, Annotation],
) -> list[dict[str, str]]:
    """A row for each disputed sample with the versions of all annotators, and a cell for the decision."""
    samples = {sample.id: sample for sample in suite.samples}
    rows = []
    for id_ in disputed:
        versions = {
            f"by {name}": guidance_as_text(own[id_].guidance, samples[id_].language)
            for name, own in annotations.items()
            if id_ in own
        }
        rows.append(_row(samples[id_]) | versions | _written(decided.get(id_), samples[id_]))
    return rows


def read_filled(suite: Suite, path: Path, *, by: str, encoding: str | None = None) -> Read:
    """The annotations in a filled-in sheet; rows that cannot be used become problems by row and column."""
    sheet, found = read_table(path, encoding=encoding, begins=one_of(COLUMNS)), Read()
    rows = sheet.rows
    samples = {sample.id: sample for sample in suite.samples}
    for missing in [name for name in ("sample", "guidance") if name not in sheet.columns]:
        sheet.problem(
            f"there is no such column; the sheet has: {', '.join(sheet.columns) or 'none'}", line=1, field=missing
        )
    seen: set[str] = set()
    for line, row in rows:
        cells = {name: str(value or "").strip() for name, value in row.items()}
        sample = samples.get(cells.get("sample", ""))
        fault = _fault(cells, sample, seen)
        if fault is not None:
            sheet.problem(fault[1], line=line, field=fault[0])
        elif sample is not None:
            seen.add(sample.id)
            # Not yet written, which is no annotation that there is nothing to say.
            if not cells.get("guidance"):
                found.empty.append(sample.id)
                continue
            reading = read_guidance(cells["guidance"])
            for unknown in reading.problems(sample.id):
                sheet.problem(unknown, line=line, field="guidance")
            found.annotations.append(
                Annotation(
                    sample=sample.id,
                    annotator=by,
                    guidance=reading.guidance,
                    content=content_of(sample),
                    comment=cells.get("comment", ""),
                )
            )
    found.problems = sheet.problems
    return found


def _fault(cells: Mapping[str, str], sample: Sample | None, seen: set[str]) -> tuple[str, str] | None:
    """Column and message of what keeps a row out."""
    if sample is None:
        return "sample", f"no sample {cells.get('sample', '')!r} in the suite; the row is skipped"
    if sample.id in seen:
        return "sample", f"a second row for {sample.id}; the first one is kept"
    if cells.get("content") and cells["content"] != content_of(sample):
        # Guidance for a question that reads otherwise now would stand under the new one.
        return "content", f"{sample.id} was changed after this sheet was written; write a new sheet for it"
    return None


def store(folder: Path, name: str, annotations: Iterable[Annotation]) -> int:
    """Keep the annotations in the suite under a name, in the place of older ones of the same samples; how many there are now."""
    from filelock import FileLock

    (folder / "annotations").mkdir(exist_ok=True)
    # Read, merged and written by one at a time: two annotators on a shared folder would lose each other's rows.
    with FileLock(folder / "annotations" / LOCK):
        kept = load(folder, name) | {one.sample: one for one in annotations}
        write_atomically(_file(folder, name), b"".join(encode(one) + b"\n" for one in kept.values()))
    return len(kept)


def load(folder: Path, name: str) -> dict[str, Annotation]:
    """What was kept under a name, by sample."""
    path = _file(folder, name)
    if not path.exists():
        return {}
    return {one.sample: one for one in decode_lines(read_bounded(path).splitlines(), Annotation, file=path)}


def load_all(suite: Suite) -> dict[str, dict[str, Annotation]]:
    """Annotator to sample to annotation, without adjudications and without what was written for a sample since changed."""
    folder = (suite.folder or Path()) / "annotations"
    names = sorted(path.stem for path in folder.glob("*.jsonl") if path.stem != ADJUDICATED)
    return {name: current(suite, load(folder.parent, name)) for name in names}


def current(suite: Suite, own: Mapping[str, Annotation]) -> dict[str, Annotation]:
    """The annotations whose samples are still what the annotator saw."""
    content = {sample.id: content_of(sample) for sample in suite.samples}
    return {id_: one for id_, one in own.items() if content.get(id_) == one.content}


def _file(folder: Path, name: str) -> Path:
    return folder / "annotations" / f"{name}.jsonl"


def with_guidance(samples: Iterable[Sample], settled: Mapping[str, Guidance]) -> tuple[Sample, ...]:
    """The samples, those that are settled with their guidance."""
    return tuple(
        msgspec.structs.replace(sample, guidance=settled[sample.id]) if sample.id in settled else sample
        for sample in samples
    )
