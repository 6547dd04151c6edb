"""Which program wrote a file is told by what stands in it, not by its name; folders are gone through."""

from __future__ import annotations

import os
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchbar.evaluations.formats import (
    alpaca_eval,
    deepeval,
    evalscope,
    inspect_logs,
    lab,
    langfuse,
    promptfoo,
    ragas_results,
    telemetry,
)
from benchbar.evaluations.records import EvaluationLog
from benchbar.records.errors import BadInputError
from benchbar.tables.json_rows import read_json
from benchbar.tables.reading import read_table
from benchbar.tables.spans import holds_spans
from benchbar.tables.table import Table

ENDINGS = (".eval", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
MOST_FILES = 20_000
"""In a folder: LAB has 2,010 tasks, with one to three files of scores each."""
MAX_FIELD = 1 << 24
"""Characters of a field: an agent's messages of one sample stand in one line."""
_BESIDE = {"task.json", "config.json", "metrics.json", "task_config.yaml", "progress.json"}
"""What lies in the folders of known programs and is no log."""
_LEFT_OUT = {"documents", "output", "predictions", "configs", "node_modules", "__pycache__"}
_KNOWN = (
    "Inspect .eval, EvalScope reviews and reports, promptfoo results, DeepEval test runs, Ragas results, AlpacaEval"
    " annotations and leaderboards, Harvey LAB scores, OpenTelemetry GenAI spans, Langfuse exports"
)


class UnknownLogError(BadInputError):
    """A file of no known program."""


def read_logs(paths: Sequence[Path]) -> tuple[list[EvaluationLog], Counter[str]]:
    """The logs of these files and folders, and the files in folders that are of no known program, by ending.

    Raises:
        BadInputError: a named file cannot be read or is of no known program, or a folder holds no log at all.
    """
    logs: list[EvaluationLog] = []
    unknown: Counter[str] = Counter()
    for path in paths:
        if not path.is_dir():
            logs.append(read_log(path))
            continue
        before = len(logs)
        for file in _files(path):
            try:
                logs.append(read_log(file))
            except UnknownLogError:
                unknown[file.suffix.lower()] += 1
        if len(logs) == before:
            raise UnknownLogError(f"no log of a known program in this folder; known: {_KNOWN}", file=path)
    langfuse.join_scores(logs)
    return _numbered(logs), unknown


def _files(folder: Path) -> Iterator[Path]:
    """Files with a known ending, in order; links are not followed, so that nothing outside of the folder is read."""
    count = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in _LEFT_OUT and (one[0] != "." or one == ".deepeval"))
        # Two judges' file holds what the files of each hold.
        dual = "scores_dual.json" in names
        for name in sorted(names):
            path = Path(here, name)
            if path.suffix.lower() not in ENDINGS or name in _BESIDE or path.is_symlink():
                continue
            if dual and name.startswith("scores") and name != "scores_dual.json":
                continue
            count += 1
            if count > MOST_FILES:
                raise BadInputError(f"more than {MOST_FILES} files; name a folder within it", file=folder)
            yield path


def _numbered(logs: list[EvaluationLog]) -> list[EvaluationLog]:
    """Answers of one model to one question, in one log or in several, numbered as repeats; a row written twice is not one."""
    taken: dict[tuple[str, ...], dict[tuple[str, str], int]] = {}
    for log in logs:
        for place, one in enumerate(log.answers):
            repeats = taken.setdefault((log.program, one.task, one.sample, one.model, one.judge), {})
            repeat = repeats.setdefault((str(log.path), one.identity), len(repeats))
            if repeat != one.repeat:
                log.answers[place] = replace(one, repeat=repeat)
    return logs


def read_log(path: Path) -> EvaluationLog:
    """What one file holds.

    Raises:
        BadInputError: it cannot be read.
        UnknownLogError: no known program writes such a file.
        MissingDependencyError: it is an archive of Inspect, and Inspect is not installed.
    """
    ending = path.suffix.lower()
    if not path.is_file():
        raise BadInputError("there is no such file", file=path)
    if zipfile.is_zipfile(path) and ending != ".parquet":
        return _archive(path)
    if ending in {".csv", ".tsv", ".parquet"}:
        return _of_table(read_table(path, unnamed=True, max_field=MAX_FIELD))
    if ending in {".jsonl", ".ndjson"}:
        return _of_lines(path)
    if ending != ".json":
        raise UnknownLogError(f"ending {ending or 'none'}; expected one of {', '.join(ENDINGS)}", file=path)
    return _of_json(read_json(path), path)


def _archive(path: Path) -> EvaluationLog:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise BadInputError(f"not a readable archive: {error}", file=path) from error
    if not names & {"header.json", "_journal/start.json"}:
        raise UnknownLogError(
            "an archive, but no log of Inspect: neither header.json nor _journal/ is in it", file=path
        )
    return inspect_logs.read_archive(path)


def _of_json(given: Any, path: Path) -> EvaluationLog:
    for recognised, read in _DOCUMENTS:
        if recognised(given):
            return read(given, path)
    if isinstance(given, list) and given and isinstance(given[0], dict):
        # As rows of a table once more, so that each has its line.
        return _of_rows(read_table(path, max_field=MAX_FIELD), given[0])
    keys = ", ".join(sorted(map(str, given))[:8]) if isinstance(given, dict) else type(given).__name__
    raise UnknownLogError(f"no log of a known program (it holds: {keys}); known: {_KNOWN}", file=path)


_DOCUMENTS: tuple[tuple[Callable[[Any], bool], Callable[[Any, Path], EvaluationLog]], ...] = (
    (inspect_logs.is_json_log, inspect_logs.read_document),
    (promptfoo.is_results, promptfoo.read_results),
    (lab.is_dual, lab.read_dual),
    (lab.is_scores, lab.read_scores),
    (deepeval.is_test_run, deepeval.read_test_run),
    (evalscope.is_report, evalscope.read_report),
    (langfuse.is_trace, lambda given, path: langfuse.read_traces([(1, given)], path, "trace")),
    (holds_spans, lambda given, path: telemetry.read_spans([(1, given)], path)),
)
"""By what a document is told, and its reader."""


def _of_lines(path: Path) -> EvaluationLog:
    table = read_table(path, max_field=MAX_FIELD)
    first = next(iter(table), None)
    if first is None:
        raise UnknownLogError("no line of it is a JSON object", file=path)
    return _of_rows(read_table(path, max_field=MAX_FIELD), first[1])


def _of_rows(table: Table, first: dict[str, Any]) -> EvaluationLog:
    """Rows of JSON, by what the first one holds."""
    path = table.path
    if evalscope.is_review(first):
        found = evalscope.read_reviews(table, path)
    elif promptfoo.is_row(first):
        found = promptfoo.read_rows(table, path)
    elif alpaca_eval.is_annotation(first):
        found = alpaca_eval.read_annotations(table, path)
    elif langfuse.is_trace(first):
        found = langfuse.read_traces(table, path, "traces")
    elif langfuse.is_sent_score(first):
        found = langfuse.read_sent_scores(table, path)
    elif holds_spans(first):
        found = telemetry.read_spans(table, path)
    else:
        return _of_table(table, tuple(first))
    found.problems += table.problems
    return found


def _of_table(table: Table, columns: Sequence[str] = ()) -> EvaluationLog:
    """A table, by its columns."""
    names = columns or table.columns
    if alpaca_eval.is_leaderboard(names):
        return alpaca_eval.read_leaderboard(table)
    if langfuse.is_scores(names):
        return langfuse.read_scores(table, table.path)
    if langfuse.is_export(names):
        return langfuse.read_traces(table, table.path, "exported traces")
    if ragas_results.is_result(names):
        return ragas_results.read_results(table)
    message = f"no log of a known program (its columns: {', '.join(names[:8])}); known: {_KNOWN}"
    raise UnknownLogError(message, file=table.path)
