"""Any file of law: its reader by ending and content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchbar.law.acts import read_act_or_decision
from benchbar.law.corrections import CORRECTIONS, Correction, corrected
from benchbar.law.layouts import read_rows
from benchbar.law.legal_texts import LegalTexts, Skipped
from benchbar.law.nicknames import NICKNAMES
from benchbar.records.errors import BadInputError
from benchbar.tables.documents import READERS, read_document

DOCUMENTS = frozenset({".md", ".markdown", ".txt", ".text", ".pdf", *READERS})
XML = frozenset({".xml", ".akn"})
ROWS = frozenset({".jsonl", ".ndjson"})
# They describe the law beside them and would be read as law.
SIDECARS = frozenset({"index.json", "README.md", "MANIFEST.csv", NICKNAMES, CORRECTIONS})
"""Files beside the law that describe it."""


def files_under(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file that the paths name or hold, sorted, hidden ones left out.

    Raises:
        BadInputError: a path does not exist.
    """
    for path in paths:
        if not path.exists():
            raise BadInputError("there is no such file or folder", file=path)
        if path.is_file():
            yield path
            continue
        # Sorted, so that the first of two copies is the same one on every machine.
        for one in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in one.relative_to(path).parts)
            if one.is_file() and not hidden and one.name not in SIDECARS:
                yield one


def read_file(path: Path, correction: Correction | None = None, *, ocr: bool = False) -> LegalTexts:
    """What a file holds; a file that cannot be read is named with the reason, and never raises.

    Args:
        path: the file.
        correction: what the user says of it.
        ocr: have the pages of a PDF recognised that are pictures.
    """
    correction = correction or Correction()
    if correction.skip:
        return LegalTexts(skipped=[Skipped(file=str(path), reason=f"{CORRECTIONS} says so")])
    # One file that cannot be read must not end the reading of ten thousand: it is named in the report.
    try:
        return corrected(_read(path, correction, ocr=ocr), correction)
    except BadInputError as error:
        reason = f"field `{error.field}`: {error.message}" if error.field else error.message
        return LegalTexts(skipped=[Skipped(file=str(path), reason=reason)])


def _read(path: Path, correction: Correction, *, ocr: bool) -> LegalTexts:
    suffix = path.suffix.lower()
    if suffix in ROWS:
        return read_rows(path)
    if suffix in XML:
        from benchbar.law.official.reading import read_official

        return read_official(path)
    if suffix in DOCUMENTS:
        return read_act_or_decision(path, read_document(path, ocr=ocr), correction)
    known = ", ".join(sorted(DOCUMENTS | ROWS | XML))
    raise BadInputError(f"files ending in {suffix or 'nothing'} are not read; known: {known}")
