"""What a passage is called when it is shown or cited."""

from __future__ import annotations

import re
from functools import cache

from msgspec.structs import replace

from benchbar.languages.packs import pack
from benchbar.languages.text import root_language, variant
from benchbar.law.citations import grammar
from benchbar.law.names import ABBREVIATIONS
from benchbar.records import Piece

_GENITIVES = {"Постановление": "постановления", "Распоряжение": "распоряжения", "Указ": "указа", "Приказ": "приказа"}
_POINTED = re.compile(rf"(?:{'|'.join(_GENITIVES)})\b(?=[^«]{{0,160}}№)")
"""A ruling of a plenum or a decree by its kind, with its number before its title."""
_HEAD = 500
"""Characters of an article that tell the variant of its language."""


def citation_of(piece: Piece) -> str:
    """The citation in the language of the law: 《民法典》第一百条, ст. 130 «…», or a case number.

    A decision without a number is called by its id; a law without articles by its name.
    """
    if piece.kind == "decision":
        return piece.case_number or piece.document
    if not piece.article:
        return piece.law or piece.document
    root = root_language(piece.law)
    if not pack(root).about.spaces:
        # A short name such as 民法 is the same in both scripts; the article's text tells.
        return grammar(variant(piece.law + piece.text[:_HEAD], root)).cite(piece.law, (), piece.article, piece.sub)
    number = f"{piece.article}.{piece.sub}" if piece.sub else piece.article
    # In Russian the number stands before the law's name, elsewhere behind it.
    if re.search("[а-яё]", piece.law.lower()):
        # Rulings and decrees have points, and stand in the genitive behind them.
        return f"п. {number} {_of(piece.law)}" if _POINTED.match(piece.law) else f"ст. {number} {piece.law}"
    return grammar(root).cite(piece.law, (), piece.article, piece.sub)


def short_citation(piece: Piece) -> str:
    """The citation with the abbreviation that the law is known by: ``ст. 31 ЖК РФ``; empty where it has none."""
    # The parts of the Civil Code are laws of their own with one abbreviation: (часть вторая).
    plain = piece.law.casefold().replace("ё", "е").partition(" (часть")[0].strip()
    country = " российской федерации"
    code = plain.removesuffix(country)
    if piece.article and _POINTED.match(piece.law):
        # By who issued it, day and number, without the title.
        bare = piece.law.partition(" «")[0].replace("Верховного Суда", "ВС").replace("Высшего Арбитражного Суда", "ВАС")
        return citation_of(replace(piece, law=bare)) if bare != piece.law else ""
    short = _abbreviated().get(code) if plain.endswith(country) else None
    return citation_of(replace(piece, law=short)) if short and piece.article else ""


def _of(law: str) -> str:
    kind, _, rest = law.partition(" ")
    return f"{_GENITIVES[kind]} {rest}"


@cache
def _abbreviated() -> dict[str, str]:
    """Russian codes to their abbreviations with the country, in the letters of official texts."""
    irregular = {"ГРК": "ГрК", "КОАП": "КоАП"}
    found = {}
    for short, name in ABBREVIATIONS.items():
        if short.endswith(" рф"):
            letters = short.removesuffix(" рф").upper()
            found[name] = f"{irregular.get(letters, letters)} РФ"
    return found
