"""How much two texts have in common, measured in character bigrams and words."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from operator import add

from benchbar.languages.text import nfkc

_TOKEN = re.compile(r"[0-9]+|[A-Za-z\u00c0-\u024f\u0400-\u04ff]+|[\u3400-\u9fff]+")

_COPIED = 20_000


def shingles(text: str) -> frozenset[str]:
    """What a text is made of, for comparison: bigrams of Chinese characters, words and numbers of other scripts."""
    return shingles_of(nfkc(text))


def shingles_of(plain: str) -> frozenset[str]:
    """The shingles of a text that is in NFKC form already."""
    found: set[str] = set()
    for token in _TOKEN.findall(plain.lower()):
        if len(token) > 1 and "\u3400" <= token[0] <= "\u9fff":
            found.update(map(add, token, token[1:]))
        else:
            found.add(token)
    return frozenset(found)


def covered(part: AbstractSet[str], whole: AbstractSet[str]) -> float:
    """Share of ``part`` that occurs in ``whole``; 0 for an empty part."""
    return len(part & whole) / len(part) if part else 0.0


def similarity(first: str, second: str) -> float:
    """Jaccard similarity of two texts' shingles, from 0 to 1."""
    return jaccard(shingles(first), shingles(second))


def copied(first: str, second: str, least: float) -> bool:
    """Whether one text is the other but for a few characters: normalised Indel similarity of at least ``least``.

    Of texts longer than 20,000 characters their beginnings tell.
    """
    from rapidfuzz.distance import Indel

    # The bound alone mostly tells: two different replies seldom have the same length.
    short, long = sorted((min(len(first), _COPIED), min(len(second), _COPIED)))
    if 2 * short < least * (short + long):
        return False
    return Indel.normalized_similarity(first[:_COPIED], second[:_COPIED], score_cutoff=least) >= least


def jaccard(first: AbstractSet[str], second: AbstractSet[str]) -> float:
    """Share of what either set holds that both hold; 1 for two empty sets."""
    common = len(first & second)
    return common / (len(first) + len(second) - common) if first or second else 1.0
