"""Reads public sets that ask for clauses: CUAD (which words of a contract settle a matter) and ACORD (which clauses fit a draft).

The files are the user's own copies: neither set is part of the package.
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchbar.records import Record
from benchbar.records.errors import BadInputError
from benchbar.suites.readers.cuad import contracts
from benchbar.tables.encodings import read_text

_PARAGRAPH = re.compile(r"[^\n]*\S[^\n]*")
_LEAST = 20
"""Letters of a paragraph that can be an answer: page numbers and headings are none."""


class ClauseQuery(Record, frozen=True):
    """One question, the passages that may answer it, and how well each does."""

    id: str
    text: str
    group: str
    """The contract, or the set: what questions were drawn with."""
    passages: tuple[tuple[str, str], ...]
    """Id and text of each candidate, in the order of the document."""
    gains: Mapping[str, float]
    """Id to grade; a passage that is not listed, or has no grade above 0, does not answer. Empty where nothing does."""


def read_clause_queries(path: Path) -> tuple[ClauseQuery, ...]:
    """The questions of a copy of CUAD (``CUAD_v1.json``, or ``master_clauses.csv`` beside ``full_contract_txt``) or ACORD (a folder).

    Raises:
        BadInputError: it is neither, or a file of it is missing or damaged.
    """
    if path.is_dir():
        return tuple(_acord(path))
    found = tuple(_cuad_csv(path) if path.suffix.lower() == ".csv" else _cuad_json(path))
    if not found:
        raise BadInputError("no question in it; expected the columns or fields of CUAD", file=path)
    return found


def _cuad_json(path: Path) -> Iterator[ClauseQuery]:
    for contract in contracts(path):
        # One text is asked for 41 categories, and is divided once.
        passages = {context: _passages(context) for context in {one.context for one in contract.asked}}
        for one in contract.asked:
            # CUAD's question is a form around the name of a category and its description; both are what is looked for.
            wanted = f"{one.category}. {one.details}".strip() if one.category else one.question
            spans = [(start, len(text)) for start, text in one.spans]
            if any(start < 0 for start, _ in spans):
                raise BadInputError(f"{one.id}: an answer lacks `answer_start`, its place in the contract", file=path)
            yield _query(contract.title, one.id, wanted, passages[one.context], spans)


def _cuad_csv(path: Path) -> Iterator[ClauseQuery]:
    """The master table: a column of quotations for each category, a row for each contract, whose text lies beside it."""
    texts = path.parent / "full_contract_txt"
    reader = csv.DictReader(io.StringIO(read_text(path)))
    names = [name for name in reader.fieldnames or [] if name != "Filename" and not name.rstrip().endswith("Answer")]
    if "Filename" not in (reader.fieldnames or []):
        raise BadInputError("missing; expected the columns of CUAD's master_clauses.csv", file=path, field="Filename")
    for row in reader:
        # A name in a table of strangers leads nowhere but to the folder beside it.
        file = texts / f"{Path(row['Filename'].replace(chr(92), '/')).stem}.txt"
        if not file.is_file():
            raise BadInputError(f"no text of {row['Filename']!r} in {texts.name}/", file=path)
        contract = read_text(file)
        passages = _passages(contract)
        for name in names:
            spans = [(contract.find(one), len(one)) for one in _listed(row[name])]
            yield _query(file.stem, f"{file.stem}__{name}", name, passages, [span for span in spans if span[0] >= 0])


def _listed(cell: str | None) -> list[str]:
    """CUAD writes quotations as a Python list, which is read as a literal and never run."""
    try:
        found = ast.literal_eval(cell or "[]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [cell] if cell else []
    return [str(one) for one in found] if isinstance(found, list) else [str(found)]


def _passages(text: str) -> list[tuple[int, int, str]]:
    lines = [(match.start(), match.end(), match[0].strip()) for match in _PARAGRAPH.finditer(text)]
    return [one for one in lines if sum(map(str.isalpha, one[2])) >= _LEAST]


def _query(
    group: str,
    name: str,
    text: str,
    passages: Sequence[tuple[int, int, str]],
    spans: Sequence[tuple[int, int]],
) -> ClauseQuery:
    gains = {
        f"p{place}": 1.0
        for place, (low, high, _) in enumerate(passages)
        if any(low < start + length and start < high for start, length in spans)
    }
    listed = tuple((f"p{place}", words) for place, (_, _, words) in enumerate(passages))
    return ClauseQuery(id=name, text=text, group=group, passages=listed, gains=gains)


def _acord(folder: Path) -> Iterator[ClauseQuery]:
    """The form of BEIR: ``corpus.jsonl``, ``queries.jsonl``, and stars from 0 to 4 in ``qrels/test.tsv``."""
    corpus = tuple((str(row["_id"]), str(row["text"])) for row in _lines(folder / "corpus.jsonl"))
    gains: defaultdict[str, dict[str, float]] = defaultdict(dict)
    file = folder / "qrels" / "test.tsv"
    reader = csv.DictReader(io.StringIO(_present(file)), delimiter="\t")
    try:
        for row in reader:
            gains[row["query-id"]][row["corpus-id"]] = float(row["score"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInputError("expected the columns query-id, corpus-id and score", file=file) from error
    for asked in _lines(folder / "queries.jsonl"):
        name = str(asked["_id"])
        if name in gains:
            yield ClauseQuery(id=name, text=str(asked["text"]), group=name, passages=corpus, gains=gains[name])


def _lines(file: Path) -> Iterator[Mapping[str, Any]]:
    import msgspec

    for number, line in enumerate(_present(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise BadInputError(f"no JSON: {error}", file=file, line=number) from error
        if not isinstance(row, dict) or not {"_id", "text"} <= set(row):
            raise BadInputError("expected an object with _id and text", file=file, line=number)
        yield row


def _present(file: Path) -> str:
    if not file.is_file():
        raise BadInputError(
            "missing; expected corpus.jsonl, queries.jsonl and qrels/test.tsv, as ACORD has them", file=file
        )
    return read_text(file)
