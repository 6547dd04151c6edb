"""The text of PDF pages, and recognition of those that are pictures by a program of its own."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from benchbar.records.errors import BadInputError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MAX_PAGES = 5000
SCAN = "no text on any page: this looks like a scan. Run text recognition first, in its language (for example `ocrmypdf -l rus in.pdf out.pdf`)"


def pdf_pages(data: bytes, file: Path | str) -> list[str]:
    """The text of each page of a PDF, empty for pages that are pictures.

    Raises:
        BadInputError: it is protected by a password, damaged or too long, or holds pictures of pages and no text.
    """
    pages = pages_of(data, file)
    if not any(text.strip() for text in pages):
        raise BadInputError(SCAN, file=file)
    return pages


# PDFium keeps global state and must not be entered by two threads, as those of the web app.
_PDFIUM = Lock()


def pages_of(data: bytes, file: Path | str) -> list[str]:
    """The text of each page; empty for all pages of a scan.

    Raises:
        BadInputError: it is protected by a password, damaged or too long.
    """
    # A twelfth of pypdf's time: a code of 2 MB of text took that 50 s.
    from pypdfium2 import PdfDocument, PdfiumError

    with _PDFIUM:
        try:
            document = PdfDocument(data)
        except PdfiumError as error:
            if "password" in str(error).lower():
                raise BadInputError("the PDF is protected by a password: save a copy without it", file=file) from error
            raise BadInputError(f"not a readable PDF: {error}", file=file) from error
        try:
            count = len(document)
            if not count:
                raise BadInputError("not a readable PDF: it has no pages", file=file)
            if count > MAX_PAGES:
                raise BadInputError(f"{count} pages; at most {MAX_PAGES} are read: split the file", file=file)
            return [_page_text(document, number, file) for number in range(count)]
        finally:
            document.close()


def _page_text(document: PdfDocument, number: int, file: Path | str) -> str:
    from pypdfium2 import PdfiumError

    try:
        page = document[number]
        try:
            text = page.get_textpage()
            # PDFium marks a hyphen at the end of a line, where the word goes on in the next one.
            return str(text.get_text_range()).replace("\ufffe", "-").replace("\r\n", "\n")
        finally:
            page.close()
    except PdfiumError as error:
        raise BadInputError(f"page {number + 1} is damaged: {error}", file=file) from error


_OCR_SECONDS = 3600


_SCRIPTS = {"eng": "English", "rus": "Russian", "chi_sim": "simplified Chinese", "chi_tra": "traditional Chinese"}
"""What tesseract calls the languages that a page may be in. Left to itself it reads English letters into every page."""


class Recognised(NamedTuple):
    """What text recognition gave."""

    pages: list[str]
    read: tuple[str, ...]
    """The languages that it can read."""
    unread: tuple[str, ...]
    """Those that it cannot: a page in one of them comes out as nonsense."""


def recognised(data: bytes, path: Path) -> Recognised:
    """The text of each page, with what `ocrmypdf` recognised on those that are pictures, in all of our languages that it has.

    Raises:
        BadInputError: the program is not installed, or fails.
    """
    program = shutil.which("ocrmypdf")
    if program is None:
        raise BadInputError(
            "text recognition needs `ocrmypdf`, which is not installed: install it with tesseract's languages (Debian: `apt install ocrmypdf"
            " tesseract-ocr-rus tesseract-ocr-chi-sim tesseract-ocr-chi-tra`), then rerun",
            file=path,
        )
    held = _languages_held()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "in.pdf", Path(folder) / "out.pdf"
        before.write_bytes(data)
        # Pages that have text keep it; nothing of the file is run, and the names are ours.
        spoken = ["--language", "+".join(held)] if held else []
        command = [program, "--skip-text", "--quiet", *spoken, str(before), str(after)]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=_OCR_SECONDS)  # noqa: S603
        except subprocess.TimeoutExpired as error:
            raise BadInputError(f"ocrmypdf took longer than {_OCR_SECONDS} s: recognise it apart", file=path) from error
        if done.returncode or not after.is_file():
            said = done.stderr.decode(errors="replace").strip()[-300:]
            raise BadInputError(f"ocrmypdf ended with {done.returncode}: {said}", file=path)
        unread = tuple(name for code, name in _SCRIPTS.items() if code not in held)
        return Recognised(pdf_pages(after.read_bytes(), path), tuple(_SCRIPTS[code] for code in held), unread)


def _languages_held() -> list[str]:
    """Of our languages those that tesseract has, in our order; none where it does not tell."""
    program = shutil.which("tesseract")
    if program is None:
        return []
    try:
        told = subprocess.run([program, "--list-langs"], capture_output=True, check=False, timeout=60)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return []
    listed = (told.stdout + told.stderr).decode(errors="replace").split()
    return [code for code in _SCRIPTS if code in listed]
