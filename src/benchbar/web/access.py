"""Signing in and out, and the choice of language."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Match

from benchbar.web import audit
from benchbar.web.area import Area
from benchbar.web.pages import page, words_of
from benchbar.web.people import signed_in
from benchbar.web.sessions import SCHEMA, begun, end, keep, nobody, person_asking
from benchbar.web.state import app_state
from benchbar.web.words import COOKIE, names

router = APIRouter(tags=["access"], default_response_class=HTMLResponse)
HOME = "/"
LONGEST = 300
# A language is a taste, not a right: it outlives the session's two weeks.
YEAR = 365 * 24 * 3600


def inside(path: str) -> str:
    """The path if it leads to a page of ours, else the first page: no link leads away through us."""
    # A backslash counts as well: browsers read `/\host` as `//host`, which is another site. What cannot be
    # printed could break the Location header.
    plain = path.isprintable() and "\\" not in path
    return path if plain and path.startswith("/") and not path.startswith("//") else HOME


@router.get("/sign-in")
def sign_in_page(request: Request, next: str = HOME) -> Response:  # noqa: A002 - as it is in the address
    # The part behind `#` is never sent, so a link's token reaches neither access logs nor a proxy.
    """The form; a link of the owner fills it in by the part behind ``#``, which no server or log ever sees."""
    return sign_in_form(request, next=next)


def sign_in_form(request: Request, *, next: str, status: int = 200, problem: str = "", name: str = "") -> HTMLResponse:  # noqa: A002
    """The ways in, and why somebody was not let in by the last one."""
    oidc, going_on = app_state(request).config.oidc, inside(next)
    return page(request, "sign_in.html.j2", status=status, next=going_on, problem=problem, name=name, oidc=oidc)


def too_often(request: Request, seconds: int, *, next: str, name: str = "") -> HTMLResponse:  # noqa: A002
    """The same after too many attempts, with how long to wait."""
    told = words_of(request)("access.too_often", seconds=seconds)
    answer = sign_in_form(request, status=429, next=next, problem=told, name=name)
    answer.headers["retry-after"] = str(seconds)
    return answer


@router.post("/sign-in", responses={303: {}, 403: {}, 409: {}, 429: {}})
def sign_in(
    request: Request,
    name: Annotated[str, Form(max_length=LONGEST)],
    token: Annotated[str, Form(max_length=LONGEST)],
    next: Annotated[str, Form(max_length=2000)] = HOME,  # noqa: A002
    instead: Annotated[str, Form(max_length=LONGEST)] = "",
) -> Response:
    """Let somebody in who has a token; whoever is signed in as somebody else has to say that they mean it."""
    web, address = app_state(request), request.client.host if request.client else ""
    now_in = person_asking(request)
    # A link that a colleague sent would else turn the owner into a reviewer, in all tabs and without a word.
    if now_in is not None and now_in.name != name.strip() and instead != now_in.name:
        told = words_of(request)("access.someone", name=now_in.name)
        return sign_in_form(request, status=409, next=next, problem=told, name=name)
    # Asked before the token is checked: an attempt in the waiting time learns nothing and costs no scrypt.
    if seconds := web.sign_ins.wait(address, name):
        return too_often(request, seconds, next=next, name=name)
    person = signed_in(web.database, name, token)
    with web.database.transaction() as now:
        # Refused ones are written down too: the log is where an owner sees that somebody is trying names.
        audit.note(now, name.strip()[:80], "sign_in" if person else "sign_in_refused", address)
    if person is None:
        web.sign_ins.failed(address, name)
        told = words_of(request)("access.refused")
        return sign_in_form(request, status=403, next=next, problem=told, name=name)
    web.sign_ins.succeeded(address, name)
    answer = RedirectResponse(inside(next), 303)
    keep(request, answer, begun(person))
    return answer


@router.post("/sign-out", responses={303: {}})
def sign_out(request: Request) -> Response:
    """End the session, in this browser and for every copy of its cookie."""
    end(request)
    answer = RedirectResponse("/sign-in", 303)
    keep(request, answer, nobody())
    return answer


@router.post("/language", responses={303: {}})
def choose_language(
    request: Request,
    language: Annotated[str, Form(max_length=35)],
    next: Annotated[str, Form(max_length=2000)] = HOME,  # noqa: A002
) -> Response:
    """Remember the language that somebody chose, and lead back to where they were."""
    answer = RedirectResponse(_readable(request, inside(next)), 303)
    # An unknown tag would stand in the cookie for a year and be looked up with every page.
    if language in names():
        answer.set_cookie(COOKIE, language, max_age=YEAR, samesite="lax", httponly=True)
    return answer


def _readable(request: Request, address: str) -> str:
    """The address, or the nearest one above it that can be opened: some take forms alone, and would answer with a 405."""
    path, _, _ = address.partition("?")
    if _opens(request, path):
        return address
    while path := path.rpartition("/")[0]:
        if _opens(request, path):
            return path
    return HOME


def _opens(request: Request, path: str) -> bool:
    asked = dict(request.scope, method="GET", path=unquote(path), raw_path=path.encode())
    return any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)


@router.get("/", responses={303: {}})
def home(request: Request) -> Response:
    """The first page that the person's role may see."""
    person = person_asking(request)
    if person is None:
        return RedirectResponse("/sign-in", 303)
    # A reviewer has no list of runs, so there is no one first page for everybody.
    first = next((entry.path for entry in request.app.state.navigation if person.role in entry.roles), "/sign-in")
    return RedirectResponse(first, 303)


AREA = Area("access", router, schema=SCHEMA)
