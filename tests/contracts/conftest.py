"""What the tests of contract review share."""

from __future__ import annotations

import pytest

from support.review_server import ReviewServer


@pytest.fixture
def review_server():
    """A chat server that reviews clauses."""
    server = ReviewServer()
    yield server
    server.close()
