"""Any XML of law: its format told by the root element."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lxml import etree

from benchbar.law.legal_texts import LegalTexts
from benchbar.law.official import akoma_ntoso, clml, formex, uslm
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded
from benchbar.tables.markup import MAX_XML, name_of, xml_root

READERS: tuple[tuple[frozenset[str], Callable[[etree._Element, Path], LegalTexts]], ...] = (
    (clml.ROOTS, clml.read),
    (akoma_ntoso.ROOTS, akoma_ntoso.read),
    (formex.ROOTS, formex.read),
    (uslm.ROOTS, uslm.read),
)


def read_official(path: Path) -> LegalTexts:
    """The act or the decision that a file of official XML holds.

    Raises:
        BadInputError: no XML, of no known format, bibliographic data alone, or without a name.
    """
    root = xml_root(read_bounded(path, MAX_XML), path)
    name = name_of(root)
    for roots, read in READERS:
        if name in roots:
            return read(root, path)
    raise BadInputError(
        f"XML with the root <{name[:60]}> is not read; known: CLML (legislation.gov.uk), Akoma Ntoso, USLM, Formex",
        file=path,
    )
