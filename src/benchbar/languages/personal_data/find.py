"""Finds personal data in a text of any of the three languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchbar.languages.personal_data.addresses import find_addresses
from benchbar.languages.personal_data.kinds import PersonalDatum, PersonalKind
from benchbar.languages.personal_data.names_en import find_names_en
from benchbar.languages.personal_data.names_ru import find_names_ru
from benchbar.languages.personal_data.names_zh import LONGEST, find_names_zh
from benchbar.languages.personal_data.numbers import find_numbers
from benchbar.languages.text import Span, normalise


def find_personal_data(text: str, *, known: Iterable[str] = ()) -> tuple[PersonalDatum, ...]:
    """The personal data in a text, in order and without overlap; ``known`` names are found wherever they stand.

    Found by form, check digit and the words around: a search by rules misses what no rule describes, and may take an
    organisation for a person. Width and invisible characters do not matter. Time grows linearly with the text.
    """
    plain = normalise(text)
    taken = bytearray(len(plain.text))
    found: list[PersonalDatum] = []
    for (start, end), kind in _every(plain.text, known):
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            left, right = plain.original(start, end)
            found.append(PersonalDatum(left, right, kind, text[left:right]))
    return tuple(sorted(found, key=lambda one: one.start))


def _every(text: str, known: Iterable[str]) -> Iterator[tuple[Span, PersonalKind]]:
    """The surest first: what overlaps them later gives way."""
    yield from find_numbers(text)
    for span in sorted(find_addresses(text), key=_longest):
        yield span, PersonalKind.ADDRESS
    names = {*find_names_zh(text), *find_names_ru(text), *find_names_en(text), *_standing(text, known)}
    for span in sorted(names, key=_longest):
        yield span, PersonalKind.NAME


def _longest(span: Span) -> tuple[int, int]:
    return span[0] - span[1], span[0]


def _standing(text: str, known: Iterable[str]) -> Iterator[Span]:
    """Where Chinese names stand that other texts gave away."""
    names = {name for name in known if len(name) <= LONGEST and "\u4e00" <= name[:1] <= "\u9fff"}
    if not names:
        return
    for start in range(len(text)):
        for length in range(LONGEST, 1, -1):
            if text[start : start + length] in names:
                yield start, start + length
                break
