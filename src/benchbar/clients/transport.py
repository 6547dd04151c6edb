"""One request over HTTP and its answer; imported when the first request is sent, since what is answered from a ledger needs none."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from yarl import URL

from benchbar.clients.http_library import aiohttp
from benchbar.clients.pinning import pinned
from benchbar.clients.protocol import OK
from benchbar.records.errors import ConnectionFailedError, ModelTimeoutError, TruncatedJsonError

# Far above any chat completion; without a bound a hostile or broken endpoint could fill the memory.
MAX_BODY = 16 * 1024 * 1024
_WHOLE = 5
"""How many times its limit an answer may take that somebody reads as it is written; the limit is then of each silence."""


class Response(NamedTuple):
    """What came back, whatever its status."""

    status: int
    body: bytes
    headers: Mapping[str, str]


def opened() -> aiohttp.ClientSession:
    """A session for all requests of a run."""
    # limit=0: aiohttp's own limit lets finished tasks overtake waiting ones; ours is first come, first served.
    hosts = pinned()
    resolver = None if hosts is None else _Pinned(hosts)
    connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, resolver=resolver)
    # No cookies: a session that a server remembers would make one answer depend on those before it.
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


class _Pinned(aiohttp.abc.AbstractResolver):
    """Answers with the addresses that a host had when it was looked at, and knows no other host."""

    def __init__(self, hosts: Mapping[str, tuple[str, ...]]) -> None:
        self._hosts = hosts

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[aiohttp.abc.ResolveResult]:
        return [
            aiohttp.abc.ResolveResult(
                hostname=host, host=one, port=port, family=of_kind, proto=0, flags=socket.AI_NUMERICHOST
            )
            for one in self._hosts.get(host, ())
            for of_kind in (socket.AF_INET6 if ":" in one else socket.AF_INET,)
            if family in (socket.AF_UNSPEC, of_kind)
        ]

    async def close(self) -> None:
        """Nothing is open."""


async def sent(
    session: aiohttp.ClientSession,
    url: str,
    body: bytes | None,
    headers: Mapping[str, str],
    seconds: float,
    *,
    on_part: Callable[[bytes], None] | None = None,
    answered: bool = False,
    method: str = "POST",
    most: int = MAX_BODY,
) -> Response:
    """The answer to one request, of at most so many bytes; ``answered`` says that this address has answered before.

    Raises:
        ModelTimeoutError: no complete answer came in time.
        TruncatedJsonError: the answer broke off, or is too long.
        ConnectionFailedError: there was no answer; fatal where this address never gave one.
    """
    try:
        # No redirects: the key must not travel to another address.
        limit = _timeout(seconds, told=on_part is not None)
        response = await session.request(
            method, _parsed(url), data=body, headers=headers, timeout=limit, allow_redirects=False
        )
        try:
            # The body of an error is no part of an answer: nobody should see it on the screen as one.
            wanted = on_part if response.status == OK else None
            return Response(response.status, await _whole(response, wanted, most), response.headers)
        finally:
            response.release()
    except TimeoutError as error:
        raise ModelTimeoutError(f"no complete answer within {seconds:g} s from {url}") from error
    except aiohttp.ClientPayloadError as error:
        raise TruncatedJsonError(_broken(str(error))) from error
    except (aiohttp.ClientError, OSError) as error:
        # An address that never answered at all is not there: better to stop than to try every call in vain.
        hint = "" if answered else "; is the address right, and is the server running?"
        nobody = isinstance(error, aiohttp.ClientConnectorError)
        message = f"{url}: {error or type(error).__name__}{hint}"
        raise ConnectionFailedError(message, fatal=not answered, unreachable=nobody) from error


@lru_cache(maxsize=64)
def _parsed(url: str) -> URL:
    found, hosts = URL(url), pinned()
    # A host that is an address itself is resolved by nobody, and would pass by the resolver.
    if hosts is not None and found.host not in hosts:
        raise ConnectionFailedError(f"{found.host} is not among the hosts that this run may ask", fatal=True)
    return found


@lru_cache(maxsize=64)
def _broken(said: str) -> str:
    # What the library says of a connection that was closed is its own jargon, in English.
    closed = "payload is not completed" in said
    return "the answer broke off before its end was stated" if closed else f"the answer broke off: {said}"


def _timeout(seconds: float, *, told: bool) -> aiohttp.ClientTimeout:
    # Somebody reads along: a slow model may take its time as long as it goes on writing, though not for ever.
    if told:
        return aiohttp.ClientTimeout(total=_WHOLE * seconds, sock_read=seconds, sock_connect=seconds)
    return aiohttp.ClientTimeout(total=seconds)


async def _whole(response: aiohttp.ClientResponse, on_part: Callable[[bytes], None] | None, most: int) -> bytes:
    """A body read to its end, but not beyond the limit."""
    # The usual case, in one read. A compressed body states its packed length and so says nothing of what
    # it unpacks to.
    if on_part is None and (response.content_length or most) < most and "Content-Encoding" not in response.headers:
        return await response.read()
    parts: list[bytes] = []
    left = most
    async for part in response.content.iter_any():
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise TruncatedJsonError(f"the answer is longer than {most} bytes")
        if on_part is not None:
            on_part(part)
    return b"".join(parts)
