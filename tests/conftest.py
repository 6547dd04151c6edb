"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data beside the repository; the test is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder ../shared/data is not here")
    return SHARED.resolve()
