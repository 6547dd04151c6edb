"""Markup from outside (XML, HTML, OpenDocument, EPUB): parsed within bounds, without entities and network, and as lines of text."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from benchbar.records.errors import BadInputError
from benchbar.tables.archives import archive
from benchbar.tables.encodings import decode
from benchbar.tables.raised import RAISED, lowered

MAX_XML = 128 * 1024 * 1024
"""Bytes of one XML file: the largest title of the United States Code has 107 MB, and a tree takes about five times as much."""
# Soft hyphens and joiners of words, which official XML is full of, break every comparison.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s{0,3}=\s{0,3}[\"']?([\w.:-]{2,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """How the elements of a kind of document become lines; names are without their namespace."""

    blocks: frozenset[str]
    """Elements that stand in lines of their own."""
    dropped: frozenset[str] = frozenset()
    """Elements that are no part of the text: notes, tables of contents, scripts."""
    label: Callable[[etree._Element], str | None] = lambda _: None
    """The number that an element shows, which begins the line of the text behind it; None for all other elements."""


def xml_root(data: bytes, path: Path) -> etree._Element:
    """The root of an XML document; comments and processing instructions are left out.

    Raises:
        BadInputError: no well-formed XML, nested deeper than 256, too large, or with entities of its own.
    """
    if len(data) > MAX_XML:
        raise BadInputError(f"{len(data)} bytes of XML; at most {MAX_XML} are read", file=path)
    # huge_tree stays off: libxml2 then bounds depth, names and the growth of entities.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadInputError(f"not readable XML: {error}", file=path) from error
    declared: Any = root.getroottree().docinfo.internalDTD  # its type stubs lack iterentities
    if declared is not None and next(declared.iterentities(), None) is not None:
        raise BadInputError("the document declares entities, which no official file does", file=path)
    return root


def name_of(element: etree._Element) -> str:
    """The element's name without its namespace."""
    return etree.QName(element).localname


def flowing_text(root: etree._Element, style: Style) -> str:
    """The text below an element: a line for each block, spaces collapsed, each number in front of its text."""
    lines: list[list[str]] = [[]]
    # A number waits for its text: the blocks between them open no line.
    waiting = False
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = name_of(element)
        if event == "start":
            number = style.label(element)
            if (name in style.blocks or number is not None) and not waiting and lines[-1]:
                lines.append([])
            if number is not None:
                lines[-1].append(number + " ")
                waiting = waiting or bool(number)
            if number is not None or name in style.dropped:
                walker.skip_subtree()
                continue
            text = element.text
        else:
            if name in style.blocks and not waiting and lines[-1]:
                lines.append([])
            text = None if element is root else element.tail
        if text:
            lines[-1].append(text)
            waiting = waiting and not text.strip()
    joined = (re.sub(r"\s+", " ", _INVISIBLE.sub("", "".join(parts))).strip() for parts in lines)
    return "\n".join(line for line in joined if line)


HTML = Style(
    blocks=frozenset(
        {
            "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "div", "dl", "dt", "fieldset",
            "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "main", "ol", "p", "pre", "section", "table", "td",
            "th", "tr", "ul",
        }
    ),
    # Navigation and forms surround the text on every official site.
    dropped=frozenset(
        {
            "aside", "button", "footer", "form", "head", "header", "iframe", "nav", "noscript", "object", "script", "select",
            "style", "svg", "template", "textarea",
        }
    ),
)  # fmt: skip
_TEXT_OF_THE_ACT = ("text_content", "legislation-content", "docText", "document-text", "viewLegContents")
"""Identifiers of the element that holds the text at official sites; pravo.gov.ru, legislation.gov.uk and others."""


def html_text(data: bytes, path: Path, *, styles: str = "") -> str:
    """The text of a page, without navigation; an index that is set above its line joins its number: 31¹ becomes 31.1.

    ``styles`` are style sheets that lie beside the page.

    Raises:
        BadInputError: nothing in it can be read, or in no encoding.
    """
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        # Without the XML declaration of XHTML: a text that is decoded already must not name an encoding.
        source = re.sub(r"^\s{0,20}<\?xml[^>]{0,200}\?>", "", _decoded(data, path))
        root = etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadInputError(f"not readable HTML: {error}", file=path) from error
    if root is None:
        raise BadInputError("there is no text in it", file=path)
    raised = _RAISED_CLASSES | raised_classes(styles + "".join(map(_words_in, root.iter("style"))))
    for element in root.iter("sup", "span", "font", "em", "i", "b"):
        if _is_raised(element, raised):
            element.text = RAISED + (element.text or "")
    return lowered(flowing_text(_main(root), HTML))


def _decoded(data: bytes, path: Path) -> str:
    declared = _DECLARED.search(data[:4096])
    if declared:
        try:
            return data.decode(declared[1].decode("ascii"))
        # A page saved by a browser may name the encoding of the site and be in another.
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data, path)


_RAISED_CLASSES = frozenset({"W9"})
"""pravo.gov.ru sets an index by this class of its style sheet, which a saved page may have lost."""
_RULE = re.compile(r"([^{}]{1,200})\{([^{}]{1,1000})\}")
_RAISING = re.compile(
    r"vertical-align\s*:\s*(?:super|text-top|[1-9.]+\d*(?:em|ex|pt|px|%))|(?<![-\w])top\s*:\s*-\d|text-position\s*:\s*super",
    re.IGNORECASE,
)


def raised_classes(styles: str) -> frozenset[str]:
    """The classes of a style sheet that set text above its line."""
    return frozenset(
        name
        for selectors, rules in _RULE.findall(styles)
        if _RAISING.search(rules)
        for name in re.findall(r"\.([\w-]{1,60})", selectors)
    )


def _words_in(element: etree._Element) -> str:
    return "".join(map(str, element.itertext()))


def _is_raised(element: etree._Element, classes: frozenset[str]) -> bool:
    """Whether a number is set above its line by its element, class or style."""
    if not re.fullmatch(r"\s*\d{1,3}(?:[.-]\d{1,3})*\s*", _words_in(element)):
        return False
    own = set((element.get("class") or "").split())
    return name_of(element) == "sup" or bool(own & classes) or bool(_RAISING.search(element.get("style") or ""))


def _main(root: etree._Element) -> etree._Element:
    """The element that holds the document: a known one, the only <main>, else the whole body."""
    for identifier in _TEXT_OF_THE_ACT:
        found = [one for one in root.iter() if one.get("id") == identifier]
        if len(found) == 1:
            return found[0]
    mains = root.findall(".//main")
    if len(mains) == 1:
        return mains[0]
    body = root.find(".//body")
    return root if body is None else body


_ODT = Style(
    blocks=frozenset({"p", "h", "line-break", "table-row"}),
    # What was struck out stands in tracked-changes; the numbers of lists are not written, but counted by the program.
    dropped=frozenset({"annotation", "note", "tracked-changes", "ruby-text"}),
)


def odt_text(data: bytes, path: Path) -> str:
    """The paragraphs of an OpenDocument text; deletions, notes and comments are left out.

    Raises:
        BadInputError: damaged, protected, or no OpenDocument text.
    """
    with archive(data, path, "ODT") as opened:
        content = _member(opened, "content.xml", "ODT", path)
    root = xml_root(content, path)
    # A space or a tab is an element here; to break the line for it would tear words apart.
    for element in root.iter(f"{_OFFICE}s", f"{_OFFICE}tab"):
        element.text = " "
    raised = _raised_styles(root)
    for element in root.iter(f"{_OFFICE}span"):
        if element.get(f"{_OFFICE}style-name") in raised:
            element.text = RAISED + (element.text or "")
    return lowered(flowing_text(root, _ODT))


def _raised_styles(root: etree._Element) -> set[str | None]:
    """The names of the styles of a text that set a run above its line: super 58%, or 33% 80%."""
    return {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        if any(
            re.match(r"super|[1-9]", one.get(f"{_STYLE}text-position") or "")
            for one in style.iter(f"{_STYLE}text-properties")
        )
    }


def epub_text(data: bytes, path: Path) -> str:
    """The text of a book's documents in the order of reading.

    Raises:
        BadInputError: damaged, protected, or no EPUB.
    """
    with archive(data, path, "EPUB") as opened:
        container = xml_root(_member(opened, "META-INF/container.xml", "EPUB", path), path)
        package = next((one.get("full-path") for one in container.iter("{*}rootfile")), None)
        if not package:
            raise BadInputError("not a readable EPUB: it names no package", file=path)
        root = xml_root(_member(opened, package, "EPUB", path), path)
        places = {one.get("id"): one.get("href") for one in root.iter("{*}item")}
        sheets = [name for name in opened.namelist() if name.endswith(".css")]
        styles = "\n".join(opened.read(name).decode("utf-8", "replace") for name in sheets)
        texts = []
        for reference in root.iter("{*}itemref"):
            place = places.get(reference.get("idref"))
            if place and reference.get("linear") != "no":
                name = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(place)))
                texts.append(html_text(_member(opened, name, "EPUB", path), path, styles=styles))
    return "\n".join(texts)


def _member(opened: zipfile.ZipFile, name: str, what: str, path: Path) -> bytes:
    if name not in opened.namelist():
        raise BadInputError(f"not a readable {what}: it has no part {name}", file=path)
    return opened.read(name)
