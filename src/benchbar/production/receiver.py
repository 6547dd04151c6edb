"""An OTLP/HTTP receiver: spans of a live assistant as protobuf or JSON, sampled and masked before anything is stored."""

from __future__ import annotations

import asyncio
import base64
import errno
import hmac
import re
import signal
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from benchbar.evaluations.formats.telemetry import read_spans
from benchbar.production.sampling import Sampling
from benchbar.production.store import ProductionStore
from benchbar.records.errors import MissingDependencyError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PATH = "/v1/traces"
PROTOBUF, JSON = "application/x-protobuf", "application/json"
MOST_BYTES = 16 << 20
"""Of a request, also after unpacking: exporters send 512 spans at once, and a long consultation is some 100 KB."""
WAITING = 16
"""Requests that may wait to be written; further ones are told to come again, as OTLP asks for."""
AGAIN = "5"
"""Seconds."""
_PLAIN = re.compile(r"spans (?:of [a-z_]{1,30}|without GenAI attributes|that cannot be read)")
_IDS = ("traceId", "spanId", "parentSpanId")


class Receiver:
    """Takes spans over HTTP into a store; nothing of a request is logged or quoted in an answer."""

    def __init__(self, store: ProductionStore, sampling: Sampling, token: str, *, texts: bool = True) -> None:
        """Lets in who sends ``token`` as bearer."""
        self._store, self._sampling, self._token, self._texts = store, sampling, token, texts
        # One thread: traces are written in the order in which they came, and the loop goes on answering.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="traces")
        self._waiting = 0
        self._unused: Counter[str] = Counter()

    def app(self) -> web.Application:
        """The server's application."""
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_post(PATH, self._take)
        app.on_cleanup.append(self._close)
        return app

    async def _close(self, _app: web.Application) -> None:
        await asyncio.to_thread(self._thread.shutdown)

    async def _take(self, request: web.Request) -> web.Response:
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
            return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        kind = request.content_type
        if kind not in (PROTOBUF, JSON) or request.headers.get("Content-Encoding", "identity") not in (
            "identity",
            "gzip",
        ):
            return web.Response(status=415, text=f"expected {PROTOBUF} or {JSON}, plain or gzip")
        if self._waiting >= WAITING:
            return web.Response(status=503, headers={"Retry-After": AGAIN})
        self._waiting += 1
        try:
            body = await request.read()
            await asyncio.get_running_loop().run_in_executor(self._thread, self._kept, body, request.content_type)
        except web.HTTPRequestEntityTooLarge:
            return web.Response(status=413)
        except OSError as error:
            # The disk: what was not kept is sent again.
            _log(error)
            return web.Response(status=503, headers={"Retry-After": AGAIN})
        except Exception as error:  # noqa: BLE001 - whatever a sender made of its bytes; the words of an error may quote them
            _log(error)
            return web.Response(status=400, text="no OTLP request for traces")
        finally:
            self._waiting -= 1
        return web.Response(body=b"{}" if kind == JSON else b"", content_type=kind)

    def _kept(self, body: bytes, kind: str) -> None:
        requests = _READERS[kind](body)
        log = read_spans([(1, requests)], Path("OTLP"))
        self._store.keep(log.answers, self._sampling, texts=self._texts)
        for what, count in log.ignored.items():
            self._pass_over(what, count)
        if log.problems:
            self._pass_over("spans that cannot be read", len(log.problems))

    def _pass_over(self, what: str, count: int) -> None:
        """Count spans that are no answers of a model; each reason is told when it first comes, and all of them at the end."""
        # The name of a kind comes from the request, and could be anything.
        reason = what if _PLAIN.fullmatch(what) else "spans of another kind"
        if reason not in self._unused:
            sys.stderr.write(f"benchbar: passed over: {reason}; how many is told at the end\n")
        self._unused[reason] += count

    def unused(self) -> list[str]:
        """Spans that could not be used, by reason."""
        return [f"passed over: {count} {reason}" for reason, count in self._unused.most_common()]


def _log(error: Exception) -> None:
    """Its type alone: the message of a reader may quote what it could not read."""
    sys.stderr.write(f"benchbar: a request was refused: {type(error).__name__}\n")


def _of_json(body: bytes) -> Mapping[str, Any]:
    return msgspec.json.decode(body, type=dict[str, Any])


def _of_protobuf(body: bytes) -> Mapping[str, Any]:
    """The request as OTLP/JSON has it: ids in hexadecimal, where protobuf's own JSON has Base64."""
    json_format, message = _protobuf()
    found: dict[str, Any] = json_format.MessageToDict(message.FromString(body))
    for resource in found.get("resourceSpans", ()):
        for scope in resource.get("scopeSpans", ()):
            for span in scope.get("spans", ()):
                for one in (span, *span.get("links", ())):
                    one.update({name: base64.b64decode(one[name]).hex() for name in _IDS if name in one})
    return found


def _protobuf() -> tuple[Any, Any]:
    try:
        from google.protobuf import json_format  # type: ignore[import-untyped]
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError as error:
        raise MissingDependencyError("opentelemetry-proto", "otlp", "receiving spans as protobuf") from error
    return json_format, ExportTraceServiceRequest


_READERS: dict[str, Callable[[bytes], Mapping[str, Any]]] = {JSON: _of_json, PROTOBUF: _of_protobuf}


def receive(receiver: Receiver, host: str, port: int, told: Callable[[str], None]) -> None:
    """Serve until the process is asked to end; ``told`` gets the address once it is open, and at the end what was not used."""
    _protobuf()
    asyncio.run(_serve(receiver, host, port, told))
    for line in receiver.unused():
        told(line)


async def _serve(receiver: Receiver, host: str, port: int, told: Callable[[str], None]) -> None:
    # No access log: addresses of clients are personal data, too.
    runner = web.AppRunner(receiver.app(), access_log=None)
    await runner.setup()
    stop = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, stop.set)
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as error:
            cause = (
                f"port {port} is taken: name another with --port"
                if error.errno == errno.EADDRINUSE
                else f"cannot listen at {host}, port {port}: {error.strerror}"
            )
            raise UserError(cause) from error
        at = runner.addresses[0]
        told(f"http://{host}:{at[1]}{PATH}")
        await stop.wait()
    finally:
        await runner.cleanup()
