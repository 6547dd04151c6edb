"""What holds for every answer: host, origin, headers."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from benchbar.languages.errors import error_in
from benchbar.web.words import COOKIE, chosen

# Everything of ours is a file of ours: dialogues of hostile assistants stand on these pages, and nothing
# inline can run.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Older browsers do not know frame-ancestors.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Refuses hosts that are not ours and changes that other sites ask for; puts the headers on every answer."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        """Around ``app``, which answers to these ``hosts``."""
        self._app, self._hosts = app, frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                # Pages hold clients' questions; a shared computer's cache must not. Answers with a header of their own keep it.
                headers.setdefault("cache-control", "no-store")
            await send(message)

        problem = self._problem(Headers(scope=scope), scope["method"])
        app = _refusal(scope, problem, 400) if problem else self._app
        await app(scope, receive, answer)

    def _problem(self, headers: Headers, method: str) -> str:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            # A name that was made to point here could let another site read what is shown.
            return "this host name is not one that the app answers to; see `benchbar serve --help`, --allow-host"
        origin = headers.get("origin")
        # A form sent from the app itself carries the app's own origin.
        foreign = origin is not None and urlsplit(origin).netloc != host
        # same-site counts as foreign: another port or subdomain on the same machine is not ours.
        if method not in SAFE and (foreign or headers.get("sec-fetch-site") in {"cross-site", "same-site"}):
            return "another site asked for this"
        return ""


class TooLarge:
    """Says in the reader's language that a body is too large: the framework, which stands outside of everything, says it in English."""

    def __init__(self, app: ASGIApp) -> None:
        """Around ``app`` with all that stands around it."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        replaced = False

        async def answer(message: Message) -> None:
            nonlocal replaced
            # Ours have a policy of content; what has none came past the guard.
            if message.get("status") == 413 and "content-security-policy" not in MutableHeaders(scope=message):
                replaced = True
                told = _refusal(scope, "Content Too Large", 413)
                told.headers.update(HEADERS)
                await told(scope, receive, send)
            elif not replaced:
                await send(message)

        await self._app(scope, receive, answer)


def _refusal(scope: Scope, problem: str, status: int) -> PlainTextResponse:
    """What is told before there is a session, in the language that the browser asks for."""
    request = Request(scope)
    language = chosen(request.cookies.get(COOKIE), request.headers.get("accept-language"))
    return PlainTextResponse(error_in(problem, language) or problem, status)


def _name(host: str) -> str:
    """The host without its port."""
    name, colon, port = host.rpartition(":")
    # A colon without a number after it belongs to an IPv6 address.
    return (name if colon and port.isdecimal() else host).lower()
