"""Numbers as a language writes them.

One rule: what is written for readers of a language has the numbers of that language, in sentences and in tables, on pages and
in summaries. Files for programs (JSON, CSV, LaTeX, JUnit, badges) and the terminal, which speaks English, keep points: a
comma would make two numbers of one.
"""

from __future__ import annotations

import re

from benchbar.languages.packs import pack


def local_numbers(text: str, language: str) -> str:
    """The numbers of a text as the language writes them: with a comma in one, there is a semicolon between two."""
    mark = pack(language).about.decimal
    if mark == ".":
        return text
    # The comma that separated two numbers would be a decimal one now: it becomes a semicolon first.
    return re.sub(r"(?<=\d)\.(?=\d)", mark, re.sub(r"(?<=\d), (?=[\d-])", "; ", text))
