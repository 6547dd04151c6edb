"""What the tests of surveys share."""

from __future__ import annotations

import pytest

from support.in_process import runner


@pytest.fixture
def benchbar(tmp_path, monkeypatch):
    """Runs the command line in a folder of its own, in this process."""
    return runner(tmp_path, monkeypatch)
