"""Personal data hidden in everything that is said about one sample, the same name by the same pseudonym throughout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from benchbar.languages.personal_data import Masker

T = TypeVar("T")
TEXTS = frozenset(
    {
        *("content", "closing", "detail", "text", "reason", "rationale", "quote", "information", "needs", "background"),
        *("alternatives", "error"),
    }
)
"""Fields of records that hold what people or models wrote."""


def masked(value: T, masker: Masker) -> T:
    # All texts of the page at once: the same person then has the same pseudonym in every dialogue.
    """The records with their personal data masked; every text keeps its length, so that spans still fit."""
    # The masker takes each text once; a dialogue and its marks repeat the same quotes.
    texts = list(dict.fromkeys(_texts(value, wanted=False)))
    found = dict(zip(texts, masker.mask_all(texts), strict=True)) if texts else {}
    changed: T = _changed(value, lambda text: found.get(text, text), wanted=False)
    return changed


def _texts(value: Any, *, wanted: bool) -> Iterator[str]:
    if isinstance(value, str):
        if wanted and value:
            yield str(value)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name), wanted=name in TEXTS)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one, wanted=wanted)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one, wanted=wanted)


def _changed(value: Any, change: Callable[[str], str], *, wanted: bool) -> Any:
    if isinstance(value, str):
        return change(value) if wanted else value
    if isinstance(value, msgspec.Struct):
        fields = {
            name: new
            for name in value.__struct_fields__
            # Copied only where something changed: most records of a page hold no personal data.
            if (new := _changed(old := getattr(value, name), change, wanted=name in TEXTS)) is not old
        }
        return msgspec.structs.replace(value, **fields) if fields else value
    if isinstance(value, dict):
        return {name: _changed(one, change, wanted=wanted) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_changed(one, change, wanted=wanted) for one in value)
    return value
