"""Tries each endpoint of a run once before the first call is sent, so that a wrong address ends it in two seconds.

The list of models is asked for: it costs nothing and changes nothing. Not every endpoint has one, so only what is certain ends
the run: nobody at the address, an unknown host, a certificate that does not hold, a key that is not accepted, or a path that
works with ``/v1`` behind it and not without. What is doubtful, a model that is not in the list or a list that is forbidden, is
settled by one question. All else is left to the first call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from benchbar.clients.endpoint import below
from benchbar.clients.http_library import aiohttp
from benchbar.clients.protocol import is_page
from benchbar.clients.providers import PROVIDERS
from benchbar.records.errors import EndpointError

if TYPE_CHECKING:
    from benchbar.clients.endpoint import Endpoint
    from benchbar.clients.targets import Confirm, Target

SECONDS = 2.0
"""For one answer; a slow endpoint is no wrong one."""
AGAIN = 0.5
"""Seconds until an address is tried again where nobody was: a server that restarts is back by then, or is not."""
NEAREST = 5
"""Models of a server that a message names, the most alike first: a gateway has hundreds."""
MOST_BYTES = 4 * 1024 * 1024
"""Of a list of models; that of the largest gateway has less than one."""
_BAD_REQUEST, _UNAUTHORISED, _FORBIDDEN, _NOT_FOUND, _OK = 400, 401, 403, 404, 200
_DOUBTFUL = frozenset({_BAD_REQUEST, _FORBIDDEN, *range(300, 400)})
"""A list that is forbidden, or redirected as to a login: questions may be answered all the same, and one tells.
Gemini says 400 where the key is wrong."""
_WHOLE_LIST = {"anthropic": "?limit=1000", "gemini": "?pageSize=1000"}
"""Both list 20 or 50 models unless asked for more."""


async def preflight(targets: Sequence[Target], session: aiohttp.ClientSession, confirm: Confirm | None = None) -> None:
    """Return when nothing speaks against asking these endpoints; without ``confirm`` what is doubtful passes.

    Raises:
        EndpointError: names role, model and address of each that cannot be asked, the cause and the cure.
    """
    found = await asyncio.gather(*(_fault(target, session, confirm) for target in targets))
    if faults := [f"{target.name}: {fault}" for target, fault in zip(targets, found, strict=True) if fault]:
        raise EndpointError("\n  ".join(faults))


async def _fault(target: Target, session: aiohttp.ClientSession, confirm: Confirm | None) -> str:
    base = target.endpoint.base_url.rstrip("/")
    if not PROVIDERS[target.endpoint.protocol].lists_models:
        return await confirm(target) if confirm else ""
    try:
        status, models = await _asked(session, base, target.endpoint)
        # Of all wrong paths this is the commonest, and the only one that can be told from an endpoint without a list. Servers
        # with a web interface answer every path with its page.
        lost = (status == _NOT_FOUND or models is None) and "/v1" not in urlsplit(base).path
        version = PROVIDERS[target.endpoint.protocol].version
        below = await _asked(session, f"{base}/{version}", target.endpoint) if lost else (0, None)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        return _unreachable(error, base)
    if below[0] == _OK and below[1] is not None:
        found = "HTTP 404" if status == _NOT_FOUND else "a web page, no API"
        return f"{found}; the path is missing: base_url = {base}/{version}"
    if status == _UNAUTHORISED:
        return _unauthorised(target.endpoint)
    # A list may leave out aliases, and be forbidden where questions are not: only an answer settles it.
    doubtful = status in _DOUBTFUL or models is None or (models and target.endpoint.model not in models)
    if not doubtful or confirm is None or not (fault := await confirm(target)):
        return ""
    return f"{fault}; the server has {_nearest(target.endpoint.model, models)}" if models else fault


def _nearest(model: str, models: Sequence[str]) -> str:
    from difflib import SequenceMatcher

    first = sorted(models, key=lambda one: -SequenceMatcher(None, model, one).ratio())[:NEAREST]
    return ", ".join(first) + (f" and {len(models) - NEAREST} more" if len(models) > NEAREST else "")


def _unreachable(error: Exception, base: str) -> str:
    """What is certainly wrong; nothing of an endpoint that is slow or has no list of models: the first call will tell."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"unknown host {urlsplit(base).hostname}; check the address, and the network"
    if isinstance(error, aiohttp.ClientSSLError):
        return f"TLS: {error.__cause__ or error}; check the certificate, or that the address is an https one"
    if not isinstance(error, aiohttp.ClientConnectorError):
        return ""
    if isinstance(error.os_error, ConnectionRefusedError):
        return "connection refused: nothing listens there; start the server, or check host and port"
    return f"cannot be reached ({error.os_error.strerror or error.os_error}); check the address, and the network"


def _unauthorised(endpoint: Endpoint) -> str:
    provider = PROVIDERS[endpoint.protocol]
    said = endpoint.headers().get(provider.key_header)
    name = endpoint.api_key_env or provider.key
    cure = f"check the key in {name}" if said else "name the variable that holds the key with api_key_env"
    return f"HTTP 401: the key is not accepted; {cure}"


async def _asked(session: aiohttp.ClientSession, base: str, endpoint: Endpoint) -> tuple[int, list[str] | None]:
    """The status of the list of models, and the names in it; None where a web page came instead."""
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    headers = endpoint.headers()
    for last in (False, True):
        try:
            url = f"{below(base, 'models')}{_WHOLE_LIST.get(endpoint.protocol, '')}"
            async with session.get(url, headers=headers, timeout=timeout, allow_redirects=False) as answer:
                body = await answer.content.read(MOST_BYTES) if answer.status == _OK else b""
                return answer.status, None if is_page(body) else _names(body)
        except aiohttp.ClientConnectorError as error:
            if last or not isinstance(error.os_error, ConnectionRefusedError):
                raise
        await asyncio.sleep(AGAIN)
    return 0, []


class _Model(msgspec.Struct):
    id: str = ""
    # Gemini's word for it, with the collection before it.
    name: str = ""


class _Models(msgspec.Struct):
    data: list[_Model] = []
    models: list[_Model] = []


def _names(body: bytes) -> list[str]:
    """The models in a list; none of a body that is no such list."""
    try:
        found = msgspec.json.decode(body, type=_Models)
        names = [one.id or one.name.removeprefix("models/") for one in (*found.data, *found.models)]
        return [one for one in names if one]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return []
