"""Files of a contract review in the browser: what is taken in, under names of ours, and what is kept for an hour."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from fastapi import HTTPException, UploadFile

from benchbar.contracts.source import SUFFIXES
from benchbar.records.files import write_atomically
from benchbar.web.state import AppState
from benchbar.web.words import Words

# Contracts are kilobytes as DOCX; scanned ones in PDF grow to some megabytes.
MOST = 16 * 1024 * 1024
"""Bytes of a contract."""
MOST_PLAYBOOK = 2 * 1024 * 1024
KEPT = 3600.0
"""Seconds for which the reviewed files can be fetched."""
PLAYBOOKS = frozenset({".toml", ".docx"})
# The ending is the sender's word; the first bytes decide whether a parser is started at all.
BEGINNINGS = {".docx": b"PK\x03\x04", ".pdf": b"%PDF-"}
"""What a file of this kind begins with."""
LONGEST_NAME = 100


class UnusableFileError(Exception):
    """A file that cannot be taken; its text is for the reader, in their language."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A file as it was sent."""

    name: str
    """Its own name, as it may be shown; it never reaches the file system."""
    data: bytes

    def put(self, folder: Path, stem: str) -> Path:
        """The file in a folder, under a name of ours."""
        path = folder / f"{stem}{Path(self.name).suffix.lower()}"
        path.write_bytes(self.data)
        return path


async def taken(file: UploadFile, say: Words, *, kinds: frozenset[str] | None = None, most: int = MOST) -> Taken:
    """A file that was sent, of one of the kinds; without kinds, a contract.

    Raises:
        UnusableFileError: it is of another kind, by its name or by its first bytes.
        HTTPException: it is too large (413).
    """
    name = shown_name(file.filename or "")
    # One byte more than allowed: enough to know that it is too large, without reading the rest.
    data = await file.read(most + 1)
    if len(data) > most:
        raise HTTPException(413, say("contract.too_large", most=most // 1024 // 1024))
    ending = Path(name).suffix.lower()
    allowed = frozenset(SUFFIXES) if kinds is None else kinds
    if ending not in allowed or not data.startswith(BEGINNINGS.get(ending, b"")):
        raise UnusableFileError(say("contract.wrong_kind", name=name, kinds=", ".join(sorted(allowed))))
    return Taken(name, data)


def shown_name(name: str) -> str:
    """The last part of a file's name, as it may be shown: printable, and not too long."""
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join(character for character in last if character.isprintable()).strip()
    stem, dot, ending = clean.rpartition(".")
    return f"{stem[:LONGEST_NAME]}{dot}{ending[:10]}" if dot else clean[:LONGEST_NAME]


def keep(web: AppState, person: int, name: str, files: Path) -> str:
    """Keep a folder's files for an hour, under a name that comes back; what is older goes."""
    root = web.config.own / "contracts"
    root.mkdir(parents=True, exist_ok=True)
    # On the way in and not by a timer: nothing is kept longer because nobody asks, and no thread is needed.
    for old in root.iterdir():
        try:
            if old.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(old, ignore_errors=True)
        except OSError:
            continue
    nonce = secrets.token_hex(16)
    folder = kept_folder(web, person, nonce)
    folder.mkdir(mode=0o700)
    write_atomically(folder / "name", name.encode())
    for file in files.iterdir():
        write_atomically(folder / file.name, file.read_bytes())
    # Files written into a folder change its time; set at the end, the hour counts from when the review stood.
    os.utime(folder)
    return nonce


def kept_folder(web: AppState, person: int, nonce: str) -> Path:
    """The folder of one person's review; it need not exist.

    Raises:
        HTTPException: no review has such a name (404).
    """
    # Checked before it becomes part of a path: nothing but our own names leads to a folder.
    if not re.fullmatch(r"[0-9a-f]{32}", nonce):
        raise HTTPException(404, "there is no such review")
    # The person is part of the name: whoever learns another one's nonce still finds no folder.
    return web.config.own / "contracts" / f"{person}-{nonce}"
