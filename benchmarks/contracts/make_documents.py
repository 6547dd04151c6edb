"""Writes three of the labelled contracts as Word documents with heading styles; ``--check`` tells whether they are up to date."""

from __future__ import annotations

import re
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import docx

HERE = Path(__file__).resolve().parent
HEADINGS = {
    "zh-lease": re.compile(r"第[一二三四五六七八九十]+条 "),
    "ru-employment": re.compile(r"\d{1,2}\. [А-ЯЁ, ]+$"),
    "en-services": re.compile(r"\d{1,2}\. [A-Z, ]+$"),
}
STAMP = (2024, 1, 1, 0, 0, 0)
"""A fixed time in the archive: the same contract gives the same file."""


def word(text: str, heading: re.Pattern[str]) -> bytes:
    """The contract as a DOCX: its first line is the title, and each other line a paragraph or a heading."""
    document = docx.Document()
    title, *lines = [line for line in text.splitlines() if line]
    document.add_heading(title, level=0)
    for line in lines:
        if heading.match(line):
            document.add_heading(line, level=1)
        else:
            document.add_paragraph(line)
    packed = BytesIO()
    document.save(packed)
    return restamped(packed.getvalue())


def restamped(packed: bytes) -> bytes:
    """The same archive with fixed times, which Word's format would otherwise take from the clock."""
    result = BytesIO()
    with zipfile.ZipFile(BytesIO(packed)) as source, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, STAMP), source.read(name), zipfile.ZIP_DEFLATED)
    return result.getvalue()


def paragraphs(packed: bytes) -> list[tuple[str, str]]:
    """Style and text of each paragraph: what is compared, since compression differs from machine to machine."""
    return [(p.style.name if p.style else "", p.text) for p in docx.Document(BytesIO(packed)).paragraphs]


def main() -> int:
    """Writes the documents, or compares them; 1 if one differs."""
    stale = 0
    for name, heading in HEADINGS.items():
        path = HERE / f"{name}.docx"
        packed = word((HERE / f"{name}.txt").read_text("utf-8"), heading)
        if "--check" not in sys.argv:
            path.write_bytes(packed)
        elif not path.is_file() or paragraphs(path.read_bytes()) != paragraphs(packed):
            print(f"{path.name} is out of date: run benchmarks/contracts/make_documents.py")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
