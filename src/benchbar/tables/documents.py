"""Files as text: encodings told apart, each format unpacked within bounds, headers and page numbers left out."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.archives import archive
from benchbar.tables.docx_numbering import Numbering, W
from benchbar.tables.encodings import decode
from benchbar.tables.raised import RAISED, lowered

MAX_BYTES = 256 * 1024 * 1024
_RUNNING_SHARE, _RUNNING_PAGES, _EDGE_LINES = 0.6, 3, 3
_ARTICLE = re.compile(
    r"\s{0,8}(?:第[^条章编节]{1,10}[条章编节]|(?:Статья|Глава|Section|Article|Chapter|§)\s?[\dIVXLC])"
)
_PAGE_NUMBER = re.compile(
    r"\s*(?:[-–—·]\s*)?(?:第\s*\d{1,4}\s*页(?:\s*[/／,，]?\s*共\s*\d{1,4}\s*页)?|\d{1,4}(?:\s*/\s*\d{1,4})?|Page\s+\d{1,4}(?:\s+of\s+\d{1,4})?"
    r"|(?:Страница|стр\.)\s*\d{1,4}(?:\s+из\s+\d{1,4})?)(?:\s*[-–—·])?\s*",
    re.IGNORECASE,
)


_RTF_RAISED = re.compile(r"\\(?:super|up[1-9]\d{0,3})(?![a-z0-9]) ?")


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a file says, and what could not be read of it."""

    text: str
    form: str
    """The format it was read as: ``text``, ``DOCX``, ``PDF``, ``HTML``, ``RTF``, ``ODT``, ``EPUB``."""
    notes: tuple[str, ...] = ()
    """What a reader of the text has to know: pages without text, recognised pages."""
    running_head: str = ""
    """The first of the lines that most pages of a PDF share, which are no part of its text: often the title."""


def read_document(path: Path, *, ocr: bool = False) -> DocumentText:
    """The text of a file by its ending; files with an ending that is not known are read as text.

    Args:
        path: the file.
        ocr: have `ocrmypdf` recognise the pages of a PDF that are pictures.

    Raises:
        BadInputError: too large, damaged, protected, a scan without text, or in no known encoding.
    """
    data = read_bounded(path, MAX_BYTES)
    if path.suffix.lower() == ".pdf":
        found = _pdf(data, path, ocr=ocr)
    else:
        form, read = READERS.get(path.suffix.lower(), ("text", decode_text))
        found = DocumentText(read(data, path), form)
    if not found.text.strip():
        raise BadInputError("there is no text in it", file=path)
    return found


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
    running = _running(pages)
    lines: list[str] = []
    for page in pages:
        last = len(page) - _EDGE_LINES
        for index, line in enumerate(page):
            edge = index < _EDGE_LINES or index >= last
            if edge and not _ARTICLE.match(line) and (_PAGE_NUMBER.fullmatch(line) or _without_digits(line) in running):
                continue
            lines.append(line)
    return lines


def _running(pages: list[list[str]]) -> set[str]:
    """The lines at the edges that most pages share, without their digits."""
    edges = Counter(
        _without_digits(line)
        for page in pages
        for line in {*page[:_EDGE_LINES], *page[-_EDGE_LINES:]}
        # Without its digits every article's label is the same line, and some of them stand at the edge of most pages.
        if line.strip() and not _ARTICLE.match(line)
    )
    return {line for line, count in edges.items() if count >= max(_RUNNING_PAGES, _RUNNING_SHARE * len(pages)) and line}


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
    raised = False
    try:
        for _, element in ET.iterparse(BytesIO(xml)):  # noqa: S314 - no entities, bounded size
            if element.tag == f"{W}t":
                parts.append(RAISED * raised + (element.text or ""))
            elif element.tag in {f"{W}vertAlign", f"{W}position"}:
                raised = raised or _is_raised(element.get(f"{W}val") or "")
            # The mark of the paragraph has properties of its own, which are not those of its first run.
            elif element.tag in {f"{W}r", f"{W}pPr"}:
                raised = False
            elif element.tag in {f"{W}tab", f"{W}br", f"{W}cr"}:
                parts.append("\n" if element.tag == f"{W}br" else " ")
            elif element.tag == f"{W}p":
                label, text = numbering.label(element), lowered("".join(parts))
                lines.append(f"{label} {text.lstrip()}" if label and text.strip() else text)
                parts = []
                element.clear()
    except ET.ParseError as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=path) from error
    return lines


def _is_raised(value: str) -> bool:
    """Whether a run is set above its line: by name, or by half points."""
    return value == "superscript" or re.fullmatch(r"[1-9]\d{0,3}", value) is not None


def _html(data: bytes, path: Path) -> str:
    from benchbar.tables.markup import html_text

    return html_text(data, path)


def _odt(data: bytes, path: Path) -> str:
    from benchbar.tables.markup import odt_text

    return odt_text(data, path)


def _epub(data: bytes, path: Path) -> str:
    from benchbar.tables.markup import epub_text

    return epub_text(data, path)


def _rtf(data: bytes, path: Path) -> str:
    from striprtf.striprtf import rtf_to_text

    if not data.lstrip().startswith(b"{\\rtf"):
        raise BadInputError("not a readable RTF: it does not begin with {\\rtf", file=path)
    try:
        # RTF is ASCII: other characters are written as \'xx in the encoding that the file names, or as \uN.
        marked = _RTF_RAISED.sub(lambda match: rf"{match[0]}\u{ord(RAISED)} ?", data.decode("latin-1"))
        text = lowered(str(rtf_to_text(marked, errors="replace")))
    except (ValueError, LookupError, IndexError, TypeError) as error:
        raise BadInputError(f"not a readable RTF: {error}", file=path) from error
    if text.count("\ufffd") > max(10, len(text) // 100):
        raise BadInputError("not readable as RTF in the encoding that it names: save the file as DOCX", file=path)
    return text


READERS: dict[str, tuple[str, Callable[[bytes, Path], str]]] = {
    ".docx": ("DOCX", _docx),
    ".html": ("HTML", _html),
    ".htm": ("HTML", _html),
    ".xhtml": ("HTML", _html),
    ".rtf": ("RTF", _rtf),
    ".odt": ("ODT", _odt),
    ".epub": ("EPUB", _epub),
}
"""Formats by ending, beside PDF and plain text; libraries are imported when a file needs them."""


def _pdf(data: bytes, path: Path, *, ocr: bool) -> DocumentText:
    from benchbar.tables.pdf import SCAN, pages_of, recognised

    pages = pages_of(data, path)
    empty = sum(not page.strip() for page in pages)
    notes = []
    if empty and ocr:
        found = recognised(data, path)
        pages = found.pages
        as_what = f" as {', '.join(found.read)}" if found.read else ""
        notes.append(f"the text of {empty} of {len(pages)} pages was recognised by ocrmypdf{as_what}: check it")
        if found.unread:
            notes.append(
                f"{', '.join(found.unread)} cannot be recognised here: tesseract lacks the language, or does not tell"
            )
    elif empty == len(pages):
        raise BadInputError(SCAN, file=path)
    elif empty:
        notes.append(f"{empty} of {len(pages)} pages have no text and were not read: `--ocr` recognises them")
    lines = [text.splitlines() for text in pages]
    running = _running(lines)
    head = next((line.strip() for line in lines[0][:_EDGE_LINES] if _without_digits(line) in running), "")
    return DocumentText("\n".join(_joined(clean_pages(lines))), "PDF", tuple(notes), head)


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
