"""Who is asking: a signed cookie, roles, and the token without which nothing is changed."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request, Response

from benchbar.web.people import Person, Role, person_of, see
from benchbar.web.state import app_state
from benchbar.web.words import COOKIE as LANGUAGE
from benchbar.web.words import chosen

COOKIE = "benchbar_session"
# The same two weeks for which a reviewer's link is announced.
LASTS = 14 * 24 * 3600
"""Seconds until one has to sign in again."""
# A signed cookie cannot be taken back; its nonce is remembered for as long as the cookie would be believed.
SCHEMA = ("CREATE TABLE ended_session (nonce TEXT PRIMARY KEY, at {float} NOT NULL)",)
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
FIELD, HEADER = "csrf", "x-csrf-token"


class NotSignedInError(Exception):
    """Nobody is signed in: the app leads to where one can."""


@dataclass(frozen=True, slots=True)
class Session:
    """What the cookie says."""

    nonce: str
    """Of this browser; the token of its forms is made from it."""
    person: int | None = None
    stamp: str = ""
    until: float | None = None
    """When it ends by itself, in seconds since 1970; None where nothing but the cookie's age ends it."""


def session_of(request: Request) -> Session:
    """The browser's session; a new one where it has none, or one that we did not sign."""
    found: Session | None = getattr(request.state, "session", None)
    if found is None:
        found = _read(request) or nobody()
        request.state.session = found
    return found


def _read(request: Request) -> Session | None:
    from itsdangerous import BadSignature

    try:
        loaded = _signer(request).loads(request.cookies.get(COOKIE, ""), max_age=LASTS)
        found = Session(*loaded)
        return found if found.until is None or time.time() < found.until else None
    except (BadSignature, TypeError):
        return None


def _signer(request: Request) -> Any:
    from itsdangerous import URLSafeTimedSerializer

    return URLSafeTimedSerializer(app_state(request).secret, salt="session")


def keep(request: Request, response: Response, session: Session) -> None:
    """Give the browser its session."""
    request.state.session = session
    response.set_cookie(
        COOKIE,
        _signer(request).dumps((session.nonce, session.person, session.stamp, session.until)),
        max_age=LASTS,
        httponly=True,
        secure=request.url.scheme == "https",
        # Lax: a link to a sample that a colleague sent opens; nothing is changed by a GET.
        samesite="lax",
    )


def end(request: Request) -> None:
    """End the browser's session on the server: whoever copied its cookie is out as well."""
    used_first(request, session_of(request).nonce)


def used_first(request: Request, nonce: str) -> bool:
    """Whether a nonce was good until now; it is of no use any more."""
    now = time.time()
    with app_state(request).database.transaction() as rows:
        rows.run("DELETE FROM ended_session WHERE at < ?", now - LASTS)
        added = rows.run(
            "INSERT INTO ended_session (nonce, at) VALUES (?, ?) ON CONFLICT (nonce) DO NOTHING", nonce, now
        )
    return added > 0


def begun(person: Person, seconds: float | None = None) -> Session:
    """A session of somebody who has just signed in; its nonce is new, so that no earlier one can be fixed on them."""
    until = None if seconds is None else time.time() + seconds
    return Session(secrets.token_urlsafe(16), person.id, person.stamp, until)


def nobody() -> Session:
    """A session of nobody."""
    return Session(secrets.token_urlsafe(16))


def person_asking(request: Request) -> Person | None:
    """Who is signed in, asked of the database each time: whoever is revoked is out at once."""
    if not hasattr(request.state, "person"):
        session = session_of(request)
        request.state.person = None if session.person is None else _person_in(request, session, session.person)
    person: Person | None = request.state.person
    return person


def _person_in(request: Request, session: Session, id_: int) -> Person | None:
    # One transaction: every page asks this, and in SQLite each one waits for the lock of writers.
    with app_state(request).database.transaction() as now:
        ended = now.rows("SELECT at FROM ended_session WHERE nonce = ?", session.nonce)
        found = None if ended else person_of(now, id_)
        # The stamp changes with the token: a stolen cookie ends when the owner renews the link.
        if found is None or not hmac.compare_digest(found.stamp, session.stamp):
            return None
        see(now, found, chosen(request.cookies.get(LANGUAGE), request.headers.get("accept-language")))
    return found


def allowed(*roles: Role) -> Callable[[Request], Person]:
    """What a page depends on that only these roles may see: gives the person who asks."""

    def check(request: Request) -> Person:
        person = person_asking(request)
        if person is None:
            raise NotSignedInError
        if person.role not in roles:
            raise HTTPException(403, "this page is not for your role")
        return person

    return check


Owner = Annotated[Person, Depends(allowed(Role.OWNER))]
Reader = Annotated[Person, Depends(allowed(Role.OWNER, Role.VIEWER))]
"""Somebody who may see runs."""
Rater = Annotated[Person, Depends(allowed(Role.OWNER, Role.REVIEWER))]
"""Somebody who may mark."""
Anybody = Annotated[Person, Depends(allowed(*Role))]


def csrf_token(request: Request) -> str:
    """What a form has to send back, or a script in the header ``X-CSRF-Token``."""
    nonce = session_of(request).nonce
    # Made from the session's nonce: no table of tokens, and a token of another session is worth nothing.
    return hmac.new(app_state(request).secret, b"csrf\x00" + nonce.encode(), hashlib.sha256).hexdigest()


async def check_csrf(request: Request) -> None:
    """Refuse whatever changes something and does not come from one of our own pages."""
    if request.method in SAFE:
        return
    given = request.headers.get(HEADER)
    # Only forms are read here: a JSON body has the header, and the request's stream can be read once.
    if given is None and request.headers.get("content-type", "").startswith(("application/x-www-form", "multipart/")):
        given = (await request.form()).get(FIELD)  # type: ignore[assignment]
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), csrf_token(request).encode()):
        raise HTTPException(403, "this form is from another session; load the page again and repeat")
