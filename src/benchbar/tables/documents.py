"""Files as text: encodings told apart, DOCX and PDF unpacked within bounds, headers and page numbers left out."""

from __future__ import annotations

import logging
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.archives import archive
from benchbar.tables.docx_numbering import Numbering, W
from benchbar.tables.encodings import decode

if TYPE_CHECKING:
    from pypdf import PdfReader

MAX_BYTES = 256 * 1024 * 1024
MAX_PAGES = 5000
_RUNNING_SHARE, _RUNNING_PAGES, _EDGE_LINES = 0.6, 3, 3
_PAGE_NUMBER = re.compile(
    r"\s*(?:[-–—·]\s*)?(?:第\s*\d{1,4}\s*页(?:\s*[/／,，]?\s*共\s*\d{1,4}\s*页)?|\d{1,4}(?:\s*/\s*\d{1,4})?|Page\s+\d{1,4}(?:\s+of\s+\d{1,4})?"
    r"|(?:Страница|стр\.)\s*\d{1,4}(?:\s+из\s+\d{1,4})?)(?:\s*[-–—·])?\s*",
    re.IGNORECASE,
)


def read_document(path: Path) -> str:
    """The text of a file by its ending: DOCX, PDF, and everything else as text.

    Raises:
        BadInputError: too large, damaged, protected, a scan without text, or in no known encoding.
    """
    data = read_bounded(path, MAX_BYTES)
    readers: dict[str, Callable[[bytes, Path], str]] = {".docx": _docx, ".pdf": _pdf}
    text = readers.get(path.suffix.lower(), decode_text)(data, path)
    if not text.strip():
        raise BadInputError("there is no text in it", file=path)
    return text


def decode_text(data: bytes, path: Path) -> str:
    """The text of bytes in any usual encoding, without page numbers and running heads.

    Raises:
        BadInputError: they are no text in one encoding.
    """
    text = decode(data, path)
    pages = [page.splitlines() for page in text.split("\f")]
    return "\n".join(clean_pages(pages)) if len(pages) > 1 else text


def clean_pages(pages: list[list[str]]) -> list[str]:
    """The lines of all pages without page numbers, and without heads and feet that most pages share."""
    edges = Counter(
        _without_digits(line) for page in pages for line in {*page[:_EDGE_LINES], *page[-_EDGE_LINES:]} if line.strip()
    )
    running = {
        line for line, count in edges.items() if count >= max(_RUNNING_PAGES, _RUNNING_SHARE * len(pages)) and line
    }
    lines: list[str] = []
    for page in pages:
        last = len(page) - _EDGE_LINES
        for index, line in enumerate(page):
            edge = index < _EDGE_LINES or index >= last
            if edge and (_PAGE_NUMBER.fullmatch(line) or _without_digits(line) in running):
                continue
            lines.append(line)
    return lines


def _without_digits(line: str) -> str:
    return re.sub(r"\d+", "", line).strip()


def _docx(data: bytes, path: Path) -> str:
    """The paragraphs of the document's body, with the numbers that Word counts; headers, comments and deletions are left out."""
    with archive(data, path, "DOCX") as opened:
        names = set(opened.namelist())
        body, lists, styles = (
            _part(opened, name, path) if f"word/{name}.xml" in names else None
            for name in ("document", "numbering", "styles")
        )
    if body is None:
        raise BadInputError("not a readable DOCX: it has no part word/document.xml", file=path)
    roots = (None if part is None else _root(part, path) for part in (lists, styles))
    return "\n".join(_paragraphs(body, Numbering(*roots), path))


def _part(opened: zipfile.ZipFile, name: str, path: Path) -> bytes:
    xml = opened.read(f"word/{name}.xml")
    if b"<!DOCTYPE" in xml[:4096] or b"<!ENTITY" in xml:
        raise BadInputError("the document declares entities, which Word never does", file=path)
    return xml


def _root(xml: bytes, path: Path) -> ET.Element:
    try:
        return ET.fromstring(xml)  # noqa: S314 - no entities, bounded size
    except ET.ParseError as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=path) from error


def _paragraphs(xml: bytes, numbering: Numbering, path: Path) -> list[str]:
    lines: list[str] = []
    parts: list[str] = []
    try:
        for _, element in ET.iterparse(BytesIO(xml)):  # noqa: S314 - no entities, bounded size
            if element.tag == f"{W}t":
                parts.append(element.text or "")
            elif element.tag in {f"{W}tab", f"{W}br", f"{W}cr"}:
                parts.append("\n" if element.tag == f"{W}br" else " ")
            elif element.tag == f"{W}p":
                label, text = numbering.label(element), "".join(parts)
                lines.append(f"{label} {text.lstrip()}" if label and text.strip() else text)
                parts = []
                element.clear()
    except ET.ParseError as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=path) from error
    return lines


def _pdf(data: bytes, path: Path) -> str:
    return "\n".join(_joined(clean_pages([text.splitlines() for text in pdf_pages(data, path)])))


def pdf_pages(data: bytes, file: Path | str) -> list[str]:
    """The text of each page of a PDF, empty for pages that are pictures.

    Raises:
        BadInputError: it is protected by a password, damaged or too long, or holds pictures of pages and no text.
    """
    reader = _open_pdf(data, file)
    count = len(reader.pages)
    if count > MAX_PAGES:
        raise BadInputError(f"{count} pages; at most {MAX_PAGES} are read: split the file", file=file)
    pages = [_page_text(reader, number, file) for number in range(count)]
    if not any(text.strip() for text in pages):
        raise BadInputError(
            "no text on any page: this looks like a scan. Run text recognition first (for example `ocrmypdf in.pdf out.pdf`)",
            file=file,
        )
    return pages


def _open_pdf(data: bytes, file: Path | str) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf reports every oddity of a damaged file; the outcome is reported here once.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadInputError("the PDF is protected by a password: save a copy without it", file=file)
        len(reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError, OSError) as error:
        raise BadInputError(f"not a readable PDF: {error}", file=file) from error
    except ImportError as error:  # pypdf wants `cryptography` for AES
        raise BadInputError("the PDF is encrypted: save a copy without protection", file=file) from error
    return reader


def _page_text(reader: PdfReader, number: int, file: Path | str) -> str:
    try:
        return str(reader.pages[number].extract_text() or "")
    except Exception as error:  # a damaged page raises whatever its bytes happen to hit
        raise BadInputError(f"page {number + 1} is damaged: {error}", file=file) from error


def _joined(lines: list[str]) -> list[str]:
    """Lines as wide as the page go on in the next one, unless that begins an article, an item or a heading."""
    if not lines:
        return []
    widths = sorted(len(line) for line in lines if line.strip())
    full = 0.85 * (widths[int(0.9 * (len(widths) - 1))] if widths else 0)
    paragraphs: list[str] = []
    open_line = False
    for line in lines:
        text = line.strip()
        starts = re.match(
            r"(?:第[^条章编节]{1,10}[条章编节]|[（(][^）)]{1,4}[)）]|\d{1,3}[.)、]|Статья|Глава|Section|Article)", text
        )
        if open_line and text and not starts:
            space = " " if paragraphs[-1][-1:].isascii() or re.match("[а-яё]", text[:1], re.IGNORECASE) else ""
            paragraphs[-1] += space + text
        elif text:
            paragraphs.append(text)
        open_line = bool(text) and len(text) >= full and not text.endswith(("。", "；", "：", ".", ";", ":"))
    return paragraphs
