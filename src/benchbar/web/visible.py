"""Characters of a name that nobody sees: pasted along from messengers and documents, and refused by their place and kind."""

from __future__ import annotations

import unicodedata

from benchbar.records.errors import UserError

_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NO_WIDTH = frozenset("\u00ad\u034f\u180e\u200b\u200c\u200d\u2060\ufeff")


def refuse_hidden(text: str) -> None:
    """Refuse a name that holds a character which cannot be seen.

    Raises:
        UserError: names the first such character by its place, kind and code, and shows the name with the code in its place.
    """
    found = next(((place, one) for place, one in enumerate(text, start=1) if not one.isprintable()), None)
    if found is None:
        return
    place, one = found
    code = f"U+{ord(one):04X}"
    shown = "".join(each if each.isprintable() else f"[U+{ord(each):04X}]" for each in text)[:200]
    if one in _DIRECTIONS:
        raise UserError(f"“{shown}”: character {place} is a mark of the direction of writing, {code}; delete it")
    if one in _NO_WIDTH:
        raise UserError(f"“{shown}”: character {place} is a character without width, {code}; delete it")
    if unicodedata.category(one).startswith("Z"):
        raise UserError(f"“{shown}”: character {place} is an unusual space, {code}; type an ordinary one")
    raise UserError(f"“{shown}”: character {place} cannot be printed, {code}; delete it")
