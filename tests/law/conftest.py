"""A small jurisdiction of our own, in memory and as an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchbar.law.corpus import Corpus

MODEL = Path(__file__).parent / "model"


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The folder of acts and decisions."""
    return MODEL


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """The small jurisdiction in memory."""
    return Corpus.from_folder(MODEL)
