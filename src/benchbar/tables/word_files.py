"""Word files from outside, opened within bounds."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import Any

from benchbar.records.errors import BadInputError

MAX_UNPACKED = 512 * 1024 * 1024
_OLE = b"\xd0\xcf\x11\xe0"


def open_docx(data: bytes, name: str) -> Any:
    """The document that python-docx reads from the bytes.

    Raises:
        BadInputError: a password protects it, it is no DOCX, or it unpacks to more than 512 MiB.
    """
    if data.startswith(_OLE):
        raise BadInputError(
            "this is an encrypted DOCX or an old .doc: save a copy as .docx without a password", file=name
        )
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise BadInputError("not a DOCX file: it cannot be unpacked", file=name) from error
    if unpacked > MAX_UNPACKED:
        raise BadInputError(f"unpacks to {unpacked} bytes; at most {MAX_UNPACKED} are read", file=name)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError  # type: ignore[import-untyped]

    try:
        return docx.Document(BytesIO(data))
    except (OpcError, LxmlError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise BadInputError(f"not a readable DOCX: {error}", file=name) from error
