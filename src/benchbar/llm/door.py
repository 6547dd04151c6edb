"""What all calls of a run share: the ledger, the budget, one HTTP session, a limiter for each address."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import lru_cache

import aiohttp
from yarl import URL

from benchbar.errors import (
    ConnectionFailedError,
    ModelTimeoutError,
    RateLimitError,
    TruncatedJsonError,
)
from benchbar.ledger import Ledger
from benchbar.llm.budget import Budget
from benchbar.llm.limiter import AdaptiveLimiter
from benchbar.llm.protocol import error_of

MAX_BODY = 16 * 1024 * 1024
OK = 200


class Door:
    """The way out to endpoints."""

    def __init__(self, ledger: Ledger, *, budget: Budget | None = None, concurrency: int = 16, seed: int = 0) -> None:
        """At most ``concurrency`` requests in flight at one address; ``seed`` spreads the waits between tries."""
        self.ledger = ledger
        self.budget = budget or Budget(None)
        self.chance = random.Random(seed)  # noqa: S311 - jitter, no secret
        self._concurrency = concurrency
        self._session: aiohttp.ClientSession | None = None
        self._limiters: dict[str, AdaptiveLimiter] = {}
        self._answered: set[str] = set()

    async def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        *,
        tell: Callable[[bytes], None] | None = None,
    ) -> bytes:
        """The body of a 200 answer to one request; ``tell`` is given its parts as they come.

        Raises:
            ModelError: there is none; the subclass says why.
        """
        limiter = self._limiters.get(url)
        if limiter is None:
            limiter = self._limiters[url] = AdaptiveLimiter(self._concurrency)
        await limiter.enter()
        try:
            status, answer, retry_after = await self._exchange(url, body, headers, seconds, tell)
            if status != OK:
                raise error_of(status, answer, retry_after)
        except RateLimitError as error:
            limiter.complained(error.retry_after or 0.0)
            raise
        except ModelTimeoutError:
            limiter.complained()
            raise
        finally:
            limiter.leave()
        limiter.succeeded()
        self._answered.add(url)
        return answer

    async def _exchange(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        seconds: float,
        tell: Callable[[bytes], None] | None,
    ) -> tuple[int, bytes, str | None]:
        try:
            # No redirects: the key must not travel to another address.
            async with self._opened().post(
                _parsed(url), data=body, headers=headers, timeout=_timeout(seconds), allow_redirects=False
            ) as response:
                told = tell if response.status == OK else None
                return response.status, await _whole(response, told), response.headers.get("Retry-After")
        except TimeoutError as error:
            raise ModelTimeoutError(f"no whole answer within {seconds:g} s from {url}") from error
        except aiohttp.ClientPayloadError as error:
            raise TruncatedJsonError(f"the answer broke off: {error}") from error
        except (aiohttp.ClientError, OSError) as error:
            # An address that never answered at all is not there: better to stop than to try every call in vain.
            never = url not in self._answered
            hint = "; is the address right, and is the server running?" if never else ""
            raise ConnectionFailedError(f"{url}: {error or type(error).__name__}{hint}", fatal=never) from error

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            # limit=0: aiohttp's own limit lets finished tasks overtake waiting ones; ours is first come, first served.
            connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self._session

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


@lru_cache(maxsize=64)
def _parsed(url: str) -> URL:
    return URL(url)


@lru_cache(maxsize=64)
def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=seconds)


async def _whole(response: aiohttp.ClientResponse, tell: Callable[[bytes], None] | None = None) -> bytes:
    """A body read to its end, but not beyond the limit."""
    if tell is None and (response.content_length or MAX_BODY) < MAX_BODY and "Content-Encoding" not in response.headers:
        return await response.read()
    parts: list[bytes] = []
    left = MAX_BODY
    async for part in response.content.iter_any():
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise TruncatedJsonError(f"the answer is longer than {MAX_BODY} bytes")
        if tell is not None:
            tell(part)
    return b"".join(parts)
