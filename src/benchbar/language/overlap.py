"""How much two texts have in common, measured in character bigrams and words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set as AbstractSet

_TOKEN = re.compile(r"[0-9]+|[A-Za-z\u00c0-\u024f\u0400-\u04ff]+|[\u3400-\u9fff]+")


def shingles(text: str) -> frozenset[str]:
    """What a text is made of, for comparison: bigrams of Chinese characters, words and numbers of other scripts."""
    found: set[str] = set()
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if "\u3400" <= token[0] <= "\u9fff":
            found.update(token[i : i + 2] for i in range(len(token) - 1) or range(1))
        else:
            found.add(token)
    return frozenset(found)


def covered(part: AbstractSet[str], whole: AbstractSet[str]) -> float:
    """Share of ``part`` that occurs in ``whole``; 0 for an empty part."""
    return len(part & whole) / len(part) if part else 0.0


def similarity(first: str, second: str) -> float:
    """Jaccard similarity of two texts' shingles, from 0 to 1."""
    a, b = shingles(first), shingles(second)
    return len(a & b) / len(a | b) if a or b else 1.0
