"""Reads a contract file of any format that is known: by its suffix, with its size bounded."""

from __future__ import annotations

from pathlib import Path

from benchbar.contracts.paragraphs import ContractSource, Format
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded

MAX_BYTES = 64 * 1024 * 1024

SUFFIXES: dict[str, Format] = {
    ".docx": "docx",
    ".pdf": "pdf",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
}


def read_contract(path: Path) -> ContractSource:
    """The text of a DOCX, PDF, Markdown or plain text file.

    Raises:
        BadInputError: another format, an encrypted, damaged or scanned file, or one that is too large.
    """
    form = SUFFIXES.get(path.suffix.lower())
    if form is None:
        raise BadInputError(
            f"files ending in {path.suffix or 'nothing'!r} are not read; expected one of "
            f"{', '.join(SUFFIXES)} (save .doc, .rtf and .odt as .docx first)",
            file=path,
        )
    data = read_bounded(path, MAX_BYTES)
    if not data:
        raise BadInputError("the file is empty", file=path)
    if form == "docx":
        from benchbar.contracts.docx_source import read_docx

        return read_docx(data, path.name)
    if form == "pdf":
        from benchbar.contracts.pdf_source import read_pdf

        return read_pdf(data, path.name)
    from benchbar.contracts.text_source import read_text

    return read_text(data, path.name, form)
