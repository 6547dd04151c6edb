"""A server of the standard library at a free port, in a thread of its own."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLL = 0.02
"""Seconds between two looks whether it is to end: with the library's half a second, closing takes longer than most tests."""


class Quiet:
    """Of a handler: no line on stderr for each request."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class ThreadedServer:
    """Listens from the moment it is made until it is closed; with a context, over TLS."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], context: ssl.SSLContext | None = None) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(POLL,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
