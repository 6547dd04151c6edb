"""aiohttp, without the certificates of the system until a connection is to be secured.

At its import aiohttp reads them twice, which takes as long as a hundred calls; a run against models on this machine, or in its network,
needs none. The contexts are those that aiohttp makes, with the same settings: only when their certificates are read is another moment.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _ReadsLater(ssl.SSLContext):
    """A context that reads the system's certificates before it is used for the first time."""

    def _read(self) -> ssl.SSLContext:
        # From now on a context like any other: what was put off is done once.
        self.__class__ = ssl.SSLContext  # type: ignore[assignment]
        self.set_default_verify_paths()
        return self

    def wrap_bio(self, *given: Any, **named: Any) -> ssl.SSLObject:
        return self._read().wrap_bio(*given, **named)

    def wrap_socket(self, *given: Any, **named: Any) -> ssl.SSLSocket:
        return self._read().wrap_socket(*given, **named)

    def get_ca_certs(self, *given: Any, **named: Any) -> Any:
        return self._read().get_ca_certs(*given, **named)

    def cert_store_stats(self) -> dict[str, int]:
        return self._read().cert_store_stats()


def _put_off(context: ssl.SSLContext) -> None:
    context.__class__ = _ReadsLater


@contextmanager
def _certificates_put_off() -> Iterator[None]:
    """A block in which contexts are made without the system's certificates, and read them when they are used."""
    # In the class of Python's own, above that of C, so that taking it away again uncovers what was there.
    ssl.SSLContext.set_default_verify_paths = _put_off  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del ssl.SSLContext.set_default_verify_paths


with _certificates_put_off():
    import aiohttp

__all__ = ["aiohttp"]
