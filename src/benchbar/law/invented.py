"""The jurisdictions that the bundled suites invented: their law must never be taken for that of a country."""

from __future__ import annotations

from benchbar.law.corpus import Corpus

INVENTED_JURISDICTIONS = frozenset({"澜海共和国", "Беловодская Федерация", "Dominion of Ardmere"})
"""As the acts of the bundled suites name them."""


def invented_jurisdiction(corpus: Corpus) -> str:
    """The invented jurisdiction whose law a corpus holds; empty where it holds none."""
    return next((one.jurisdiction for one in corpus.versions if one.jurisdiction in INVENTED_JURISDICTIONS), "")
