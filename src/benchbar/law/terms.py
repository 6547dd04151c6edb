"""Texts as sets of hashed terms: Chinese bigrams, and the first letters of words in other scripts."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchbar.languages.text import nfkc

# 2**18 buckets: a megabyte of counts, and collisions between two terms of one article are rare.
BUCKETS = 1 << 18
_FIRST_CJK, _LAST_CJK = 0x3400, 0x9FFF
_WORD = re.compile(r"[a-zа-яё0-9]{2,}")
# Six letters leave most Russian and English endings out, without a stemmer for each language.
_STEM = 6
"""Letters of a word that count, so that most endings do not."""


def terms(text: str) -> NDArray[np.uint32]:
    """The distinct terms of a text, as sorted bucket numbers below ``BUCKETS``."""
    plain = nfkc(text).lower()
    # As numbers: bigrams of a text are then two shifted arrays, without a loop over characters.
    codes = np.frombuffer(plain.encode("utf-32-le"), dtype=np.uint32)
    chinese = (codes >= _FIRST_CJK) & (codes <= _LAST_CJK)
    pairs = chinese[:-1] & chinese[1:]
    # Two odd multipliers spread the pairs over the buckets (multiplicative hashing).
    mixed = (codes[:-1][pairs] * np.uint32(2654435761)) ^ (codes[1:][pairs] * np.uint32(2246822519))
    found = np.unique(mixed >> np.uint32(32 - 18))
    words = {zlib.crc32(word[:_STEM].encode()) % BUCKETS for word in _WORD.findall(plain)}
    return np.union1d(found, np.fromiter(words, dtype=np.uint32)).astype(np.uint32) if words else found


def document_frequencies(texts: Iterable[str]) -> NDArray[np.uint32]:
    """For each bucket, how many of the texts hold a term of it; shape ``(BUCKETS,)``."""
    counts = np.zeros(BUCKETS, dtype=np.uint32)
    for text in texts:
        counts[terms(text)] += 1
    return counts


def inverse_document_frequencies(counts: NDArray[Any], documents: int) -> NDArray[np.float32]:
    # The half keeps the weight finite for terms that no article holds.
    """ln((N + 1) / (df + 0.5)) for each bucket: what a term weighs."""
    return np.log((documents + 1) / (counts.astype(np.float64) + 0.5)).astype(np.float32)
