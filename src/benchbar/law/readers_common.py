"""What the readers of law share."""

from __future__ import annotations

import re
from pathlib import Path

from benchbar.languages.text import nfkc
from benchbar.law.citations import extract

MAX_BAD_LINES = 100
# Soft hyphens, zero-width characters and marks of order come with copies from web pages and break every
# comparison.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def text_of(value: object) -> str:
    """The value as text: lines stripped, empty lines and invisible characters left out."""
    lines = (line.strip() for line in _INVISIBLE.sub("", str(value)).splitlines())
    return "\n".join(line for line in lines if line)


def normal_case_number(written: str) -> str:
    """A case number in the form that extraction gives it; as written where it has none of the known forms."""
    if not written.strip():
        return ""
    found = [one.case_number for one in extract(written) if one.case_number]
    if found:
        return found[0]
    plain = nfkc(written).strip()
    return (
        # In Chinese numbers brackets are full-width, as extraction writes them.
        re.sub(r"\s+", " ", plain).replace("(", "（").replace(")", "）")
        if re.search("[\u4e00-\u9fff]", plain)
        else plain
    )


def decision_id(case_number: str, fallback: str, path: Path) -> str:
    """The case number, or a name made of file and row for a case that was published without one."""
    return case_number or f"{path.parent.name}/{fallback}"
