"""What kind of thing a question asks for, where a statute seldom states it: one's own paper, a contact, a price, a place, a forecast.

The wordings of a language (``asked/*.tsv``: kind, pattern) are told from one another and weighed with other signals (``retrieval.answerability``):
those of ``asks_beyond_law`` decide before anything is weighed.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

KINDS = ("document", "contact", "price", "place", "statistic", "advice", "forecast", "fine")
ASKED_SIGNALS = (*(f"asks_{kind}" for kind in KINDS), "asks_any")
_MOST = 3


def asked_signals(question: str, language: str) -> list[float]:
    """Whether each kind is asked for, then how many of them but fines, three at most; in the order of ``ASKED_SIGNALS``."""
    patterns = wordings(language)
    found = [float(any(one.search(question) for one in patterns.get(kind, ()))) for kind in KINDS]
    # A fine is a matter of law; the others are not.
    return [*found, float(min(sum(found[:-1]), _MOST))]


@cache
def wordings(language: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    """The patterns of each kind; none in a language without a table. Case counts only where a pattern says so."""
    file = resources.files("benchbar.retrieval") / "asked" / f"{language}.tsv"
    rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    return {kind: tuple(re.compile(text, re.IGNORECASE) for name, text in rows if name == kind) for kind in KINDS}
