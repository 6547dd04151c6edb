"""What counts as personal data, and where a piece of it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PersonalKind(StrEnum):
    """What a piece of personal data is."""

    NAME = "name"
    ID = "id"
    PHONE = "phone"
    PLATE = "plate"
    ACCOUNT = "account"
    EMAIL = "email"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class PersonalDatum:
    """A piece of personal data in a text, with its characters from ``start`` to before ``end``."""

    start: int
    end: int
    kind: PersonalKind
    text: str
