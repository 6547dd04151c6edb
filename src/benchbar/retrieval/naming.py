"""What a passage is called when it is shown or cited."""

from __future__ import annotations

import re

from benchbar.languages.numerals import to_chinese
from benchbar.records import Piece


def citation_of(piece: Piece) -> str:
    """The citation in the language of the law: 《民法典》第一百条, ст. 130 «…», or a case number.

    A decision without a number is called by its id; a law without articles by its name.
    """
    if piece.kind == "decision":
        return piece.case_number or piece.document
    if not piece.article:
        return piece.law or piece.document
    if re.search("[\u3400-\u9fff]", piece.law):
        sub = f"之{_chinese(piece.sub)}" if piece.sub else ""
        return f"《{piece.law}》第{_chinese(piece.article)}条{sub}"
    number = f"{piece.article}.{piece.sub}" if piece.sub else piece.article
    if re.search("[а-яё]", piece.law.lower()):
        return f"ст. {number} {piece.law}"
    return f"{piece.law}, art. {number}"


def _chinese(number: str) -> str:
    return to_chinese(int(number)) if number.isdecimal() and len(number) < 6 else number  # noqa: PLR2004 - no law has more
