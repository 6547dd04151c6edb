"""Signing in through a firm's provider: there, back, and who the person is here."""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from benchbar.records.errors import UserError
from benchbar.web import audit
from benchbar.web.access import HOME, inside, sign_in_form, too_often
from benchbar.web.area import Area
from benchbar.web.database import Transaction, one
from benchbar.web.oidc import BACK, MAIL, OidcError, OidcSettings, admitted
from benchbar.web.oidc_provider import Provider, Secrets
from benchbar.web.pages import words_of
from benchbar.web.people import Person, Role, insert_person, new_token, person_of
from benchbar.web.sessions import begun, keep, person_asking, session_of, used_first
from benchbar.web.state import AppState, app_state

router = APIRouter(tags=["access"], default_response_class=HTMLResponse)
SCHEMA = (
    # By the provider's own number of a person: names and mail addresses are given to others in the course of years.
    """CREATE TABLE identity (
  issuer TEXT NOT NULL, subject TEXT NOT NULL, person INTEGER NOT NULL UNIQUE, PRIMARY KEY (issuer, subject))""",
)
LASTS = 600
"""Seconds within which somebody has to come back from the provider."""
# A code or state of a provider has some hundred characters; an address of more is nobody's.
LONGEST = 4000
# The way back stands inside of the state, which the provider sends along in an address.
LONGEST_NEXT = 500


@router.get("/sign-in/provider", responses={303: {}, 404: {}, 429: {}, 502: {}})
def go(request: Request, next: Annotated[str, Query(max_length=2000)] = HOME) -> Response:  # noqa: A002
    """Send the browser to the provider."""
    provider, session = _provider(request), session_of(request)
    if seconds := _wait(request):
        return too_often(request, seconds, next=next)
    back_to = inside(next) if len(next) <= LONGEST_NEXT else HOME
    # Tied to this browser's session: a code that somebody else fetched for themselves cannot be slipped in here.
    state = _signer(request).dumps((session.nonce, secrets.token_urlsafe(16), back_to))
    try:
        answer: Response = RedirectResponse(provider.authorization_url(_secrets(request, state)), 303)
    except OidcError as error:
        return _refused(request, error, next)
    if session.person is None:
        keep(request, answer, session)
    return answer


@router.get(BACK, responses={303: {}, 403: {}, 404: {}, 409: {}, 429: {}, 502: {}})
def back(
    request: Request,
    state: Annotated[str, Query(max_length=LONGEST)] = "",
    code: Annotated[str, Query(max_length=LONGEST)] = "",
    error: Annotated[str, Query(max_length=LONGEST)] = "",
    iss: Annotated[str, Query(max_length=LONGEST)] = "",
) -> Response:
    """Let in whom the provider vouches for."""
    provider, next_ = _provider(request), HOME
    settings = provider.settings
    if seconds := _wait(request):
        return too_often(request, seconds, next=next_)
    try:
        next_ = _asked(request, state, settings)
        _check_answer(settings, error, iss)
        claims = provider.claims(code, _secrets(request, state))
        person = _let_in(request, settings, claims)
    except OidcError as problem:
        return _refused(request, problem, next_)
    now_in = person_asking(request)
    if now_in is not None and now_in.id != person.id:
        told = words_of(request)("oidc.somebody_else", name=now_in.name, found=person.name)
        return sign_in_form(request, status=409, next=next_, problem=told)
    with app_state(request).database.transaction() as now:
        audit.note(now, person.name, "sign_in", _address(request), issuer=settings.issuer)
    answer = RedirectResponse(next_, 303)
    keep(request, answer, begun(person, settings.hours * 3600))
    return answer


def _provider(request: Request) -> Provider:
    found: Provider | None = request.app.state.oidc_provider
    if found is None:
        raise HTTPException(404, "no identity provider is set up here; see `benchbar serve --help`, --oidc")
    return found


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _wait(request: Request) -> int:
    # By address alone: who comes is only known afterwards, and each failure has cost the provider a request.
    return app_state(request).sign_ins.of_address.wait(_address(request))


def _signer(request: Request) -> Any:
    from itsdangerous import URLSafeTimedSerializer

    return URLSafeTimedSerializer(app_state(request).secret, salt="oidc")


def _secrets(request: Request, state: str) -> Secrets:
    """Nonce and verifier made from the state: nothing has to be kept for each click of a stranger."""

    def made(what: bytes) -> str:
        digest = hmac.digest(app_state(request).secret, b"oidc\x00" + what + b"\x00" + state.encode(), "sha256")
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    return Secrets(state, made(b"nonce"), made(b"verifier"))


def _asked(request: Request, state: str, settings: OidcSettings) -> str:
    """Where the person wanted to go who set out from this browser with this state, and comes back for the first time.

    Raises:
        OidcError: nobody did, or too long ago.
    """
    from itsdangerous import BadSignature

    refused = OidcError("state", address=settings.address)
    try:
        nonce, number, next_ = _signer(request).loads(state, max_age=LASTS)
    except BadSignature as error:
        raise refused from error
    if not hmac.compare_digest(nonce, session_of(request).nonce) or not used_first(request, number):
        raise refused
    return inside(next_)


def _check_answer(settings: OidcSettings, error: str, issuer: str) -> None:
    if error:
        raise OidcError("refused", issuer=settings.issuer, code=error)
    # RFC 9207: a code of another provider must not be handed to this one.
    if issuer and issuer != settings.issuer:
        raise OidcError("other_issuer", issuer=settings.issuer, found=issuer)


def _let_in(request: Request, settings: OidcSettings, claims: Any) -> Person:
    """The person of an identity, who is added where they are new.

    Raises:
        OidcError: they may not come in, were let in no more, or their name is another's.
    """
    web = app_state(request)
    name, role = admitted(settings, claims)
    with web.database.transaction() as now:
        known = one(
            now.rows("SELECT person FROM identity WHERE issuer = ? AND subject = ?", settings.issuer, claims["sub"])
        )
        number = int(known[0]) if known else _tied(now, settings, claims["sub"], name, role)
        person = person_of(now, number)
        if person is None:
            raise OidcError("revoked", name=name)
        # Asked of the provider each time: who left a group of owners there is no owner here.
        if settings.roles and person.role is not role:
            now.run("UPDATE person SET role = ? WHERE id = ?", role.value, number)
            audit.note(now, person.name, "role_changed", person.name, role=role.value, issuer=settings.issuer)
            person = person_of(now, number) or person
    return person


def _tied(now: Transaction, settings: OidcSettings, subject: str, name: str, role: Role) -> int:
    """The id of a new identity's person."""
    invited = one(now.rows("SELECT id FROM person WHERE name = ?", name))
    tied = invited and now.rows("SELECT person FROM identity WHERE person = ?", invited[0])
    # Whom the owner added under their mail address is the one who has that address, which is verified here. Any other
    # claim may be chosen by the person: it never leads to somebody who is here already.
    if invited and not tied and settings.person_claim == MAIL:
        number, action = int(invited[0]), "identity_tied"
    else:
        try:
            number, action = insert_person(now, name, role, new_token()), "person_added"
        except UserError as error:
            raise OidcError("name_taken", name=name, cause=str(error)) from error
    now.run("INSERT INTO identity (issuer, subject, person) VALUES (?, ?, ?)", settings.issuer, subject, number)
    audit.note(now, name, action, name, role=role.value, issuer=settings.issuer)
    return number


PROVIDER_FAULTS = frozenset({"unreachable", "no_provider", "other_issuer", "client"})
"""What neither the person nor the request has done wrong: 502, as of any gateway."""


def _refused(request: Request, error: OidcError, next_: str) -> Response:
    web, address = app_state(request), _address(request)
    with web.database.transaction() as now:
        name = error.fields.get("name", "")
        audit.note(now, name, "sign_in_refused", address, cause=error.key, said=error.fields)
    web.sign_ins.of_address.failed(address)
    told = words_of(request)(f"oidc.{error.key}", **error.fields)
    return sign_in_form(request, status=502 if error.key in PROVIDER_FAULTS else 403, next=next_, problem=told)


def _opened(app: FastAPI) -> None:
    web: AppState = app.state.web
    app.state.oidc_provider = Provider(web.config.oidc, web.config.oidc_secret) if web.config.oidc else None


AREA = Area("oidc", router, schema=SCHEMA, opened=_opened)
