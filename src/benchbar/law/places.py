"""Where a citation can begin, by its first letter: tables of forms as alternatives."""

from __future__ import annotations

from collections.abc import Mapping


def by_letter(forms: Mapping[str, str]) -> dict[str, str]:
    """All that may stand behind each letter, as one row of alternatives.

    Args:
        forms: what stands behind the first letter of a citation, by the letters that begin such forms; a letter may stand in several keys.
    """
    found = dict[str, list[str]]()
    for letters, behind in forms.items():
        for letter in letters:
            found.setdefault(letter, []).append(behind)
    return {letter: "|".join(behind) for letter, behind in found.items()}
