"""Files as text: encodings told apart, DOCX and PDF unpacked within bounds, headers and page numbers left out."""

from __future__ import annotations

import codecs
import logging
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.docx_numbering import Numbering, W

MAX_BYTES = 256 * 1024 * 1024
MAX_UNPACKED = 256 * 1024 * 1024
MAX_PAGES = 5000
_RUNNING_SHARE, _RUNNING_PAGES, _EDGE_LINES = 0.6, 3, 3
_PAGE_NUMBER = re.compile(
    r"\s*(?:[-–—·]\s*)?(?:第\s*\d{1,4}\s*页(?:\s*[/／,，]?\s*共\s*\d{1,4}\s*页)?|\d{1,4}(?:\s*/\s*\d{1,4})?|Page\s+\d{1,4}(?:\s+of\s+\d{1,4})?"
    r"|(?:Страница|стр\.)\s*\d{1,4}(?:\s+из\s+\d{1,4})?)(?:\s*[-–—·])?\s*",
    re.IGNORECASE,
)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


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
    """The text of bytes in UTF-8, UTF-16, GB 18030 or Windows-1251, without page numbers and running heads."""
    text = _decode(data, path)
    pages = [page.splitlines() for page in text.split("\f")]
    return "\n".join(clean_pages(pages)) if len(pages) > 1 else text


def _decode(data: bytes, path: Path) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding, path)
    if b"\0" in data[:4000]:
        return _wide(data, path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _legacy(data, path, error)


_COMMON = re.compile(r"[\t\n\r -~«»\u0400-\u04ff\u2010-\u2026\u2116\u3000-\u303f\u4e00-\u9fa5\uff00-\uffef]")


def _wide(data: bytes, path: Path) -> str:
    """UTF-16 without a mark, in the byte order that gives common characters; random bytes give a third of them."""
    for encoding in ("utf-16-le", "utf-16-be"):
        sample = data[:8000].decode(encoding, errors="replace")
        if len(_COMMON.findall(sample)) > 0.9 * len(sample):
            return _strictly(data, encoding, path)
    raise BadInputError("this is a binary file, not text", file=path)


def _strictly(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInputError(f"not readable as {encoding}: {error.reason} at byte {error.start}", file=path) from error


def _legacy(data: bytes, path: Path, error: UnicodeDecodeError) -> str:
    """Neither encoding announces itself: Russian is told by its words, Chinese by its common characters."""
    russian = data.decode("cp1251", errors="replace")
    words = re.findall(r"\b[А-ЯЁа-яё][а-яё]{2,}\b", russian[:20_000])
    if sum(map(len, words)) > len(russian[:20_000].strip()) / 2:
        return russian
    try:
        chinese = data.decode("gb18030")
    except UnicodeDecodeError:
        chinese = ""
    wide = [char for char in chinese[:20_000] if ord(char) > 127]  # noqa: PLR2004 - ASCII ends there
    common = sum("\u4e00" <= char <= "\u9fa5" or char in "，。；：、（）《》“”　！？" for char in wide)
    if wide and common > len(wide) / 2:
        return chinese
    share = error.start / max(1, len(data))
    raise BadInputError(
        f"not UTF-8 (byte {error.start}, {share:.0%} in), and neither GB 18030 nor Windows-1251 gives text: "
        "the encodings may be mixed; save it as UTF-8",
        file=path,
    )


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
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise BadInputError("this is an old .doc or a protected DOCX: save a copy as .docx without password", file=path)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            body = _part(archive, "document", path)
            names = set(archive.namelist())
            lists, styles = (
                _root(_part(archive, name, path), path) if f"word/{name}.xml" in names else None
                for name in ("numbering", "styles")
            )
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error) as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=path) from error
    return "\n".join(_paragraphs(body, Numbering(lists, styles), path))


def _part(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    entry = archive.getinfo(f"word/{name}.xml")
    if entry.file_size > MAX_UNPACKED:
        raise BadInputError(f"unpacks to {entry.file_size} bytes; at most {MAX_UNPACKED} are read", file=path)
    with archive.open(entry) as file:
        xml = file.read(MAX_UNPACKED + 1)
    if len(xml) > MAX_UNPACKED:
        raise BadInputError(f"unpacks to more than {MAX_UNPACKED} bytes", file=path)
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
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf reports every oddity of a damaged file; the outcome is reported here once.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadInputError("a password protects it", file=path)
        if len(reader.pages) > MAX_PAGES:
            raise BadInputError(f"{len(reader.pages)} pages; at most {MAX_PAGES} are read", file=path)
        pages = [(page.extract_text() or "").splitlines() for page in reader.pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError, OSError) as error:
        raise BadInputError(f"not a readable PDF: {error}", file=path) from error
    if not any(line.strip() for page in pages for line in page):
        raise BadInputError(f"a scan: none of its {len(pages)} pages holds text; run text recognition first", file=path)
    return "\n".join(_joined(clean_pages(pages)))


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
