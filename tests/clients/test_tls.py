"""Https: an endpoint is believed by the system's certificates, which are read when the first connection is secured."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler

import pytest

from support.threaded_server import Quiet, ThreadedServer

CODE = """
import asyncio, ssl, sys
from benchbar.clients import transport
from aiohttp import connector

async def main():
    untouched = not ssl.SSLContext.cert_store_stats(connector._SSL_CONTEXT_VERIFIED)["x509"]
    session = transport.opened()
    try:
        answer = await transport.sent(session, sys.argv[1], b"{}", {}, 10)
        print(untouched, answer.status, answer.body.decode())
    except Exception as error:
        print(untouched, type(error).__name__, error)
    finally:
        await session.close()

asyncio.run(main())
"""


class _Answers(Quiet, BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"secure")


@pytest.fixture
def secured(tmp_path):
    """A server that speaks TLS with a certificate that it signed itself; its address and the certificate."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    tool = shutil.which("openssl") or pytest.skip("no openssl here to make a certificate with")
    subprocess.run([tool, "req", *kind, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with closing(ThreadedServer(_Answers, context)) as server:
        yield f"https://127.0.0.1:{server.port}/v1", certificate


def asked(url: str, **environment: str) -> str:
    run = [sys.executable, "-c", CODE, url]
    return subprocess.run(run, env=os.environ | environment, capture_output=True, text=True, check=True).stdout


def test_a_certificate_that_the_system_does_not_know_is_refused_and_one_that_it_knows_is_not(secured):
    """None is read before; whoever put off reading them has not put off asking for them."""
    url, certificate = secured
    refused = asked(url)
    assert refused.startswith("True ConnectionFailedError")
    assert "CERTIFICATE_VERIFY_FAILED" in refused
    assert asked(url, SSL_CERT_FILE=str(certificate)) == "True 200 secure\n"
