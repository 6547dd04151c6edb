"""What the Russian grammar reads with: how far it has come, and which laws, rulings and lists were named."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from benchbar.law.mention import Mention
from benchbar.law.names_ru import LAW_ANYWHERE

REACH = 600
"""Characters in which a bare article goes back to a law."""


@dataclass(slots=True)
class Scan:
    """How far the text was read, and the law named last."""

    text: str
    position: int = 0
    current: str = ""
    named_at: int = -REACH
    ahead: int = -REACH
    """Where a law ends that was named without an article."""
    last: Mention | None = None
    chain: list[int] = field(default_factory=list)
    """Places of the mentions whose law may still be named further on in their list."""
    chain_end: int = 0
    rulings: list[tuple[str, str]] = field(default_factory=list)
    """Rulings and decrees that the text has named, each with its words, for ``пункт 5 Постановления № 7``."""
    closed: set[int] = field(default_factory=set)
    """Where articles begin that no law further on may take."""
    laws: list[tuple[int, str]] = field(default_factory=list)
    """Laws that are named without an article, and where."""

    last_of_kind: dict[bool, str] = field(default_factory=dict)
    """The code named last, by True, and the law that is none, by False."""

    def name_law(self, name: str, end: int) -> None:
        """Go on behind a law, which bare articles from there on are of."""
        self.current, self.named_at, self.position = name, end, end
        self.last_of_kind[is_code(name)] = name

    def meant(self, back: str) -> str:
        """The law that ``статья 5 Закона`` or ``Кодекса`` goes back to: a statute is no code."""
        return self.last_of_kind.get("кодекс" in back.lower(), "")


# A text names few laws, and each of them for every article.
@lru_cache(maxsize=256)
def is_code(name: str) -> bool:
    """Whether a name is that of a code, which ``Кодекса`` may go back to."""
    return LAW_ANYWHERE.match(name) is not None
