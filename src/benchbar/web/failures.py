"""What a person is told when a page cannot be shown."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as AnyHTTPException

from benchbar.languages.errors import error_in
from benchbar.records.errors import BeingIndexedError, BenchbarError, UserError
from benchbar.web.pages import here, page, words_of
from benchbar.web.sessions import NotSignedInError
from benchbar.web.words import Words


def told(request: Request, status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """A page for a browser, JSON for whoever does not ask for one."""
    # htmx puts the answer into a part of the page, where a whole page does not belong.
    if "text/html" in request.headers.get("accept", "") and "hx-request" not in request.headers:
        answer: Response = page(request, "failure.html.j2", status=status, code=status, problem=message)
    else:
        answer = JSONResponse({"detail": error_in(message, words_of(request).language) or message}, status)
    answer.headers.update(headers or {})
    return answer


def _not_signed_in(request: Request, _: Exception) -> Response:
    # Only what was read can be asked for again after signing in; a form's fields would be lost without a
    # word.
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(f"/sign-in?next={quote(here(request), safe='/')}", 303)
    return told(request, 401, "sign in first")


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, AnyHTTPException)  # noqa: S101 - registered for it
    # What the framework says of an address that leads nowhere is no sentence in any language.
    detail = words_of(request)("failure.not_found") if error.detail == "Not Found" else str(error.detail)
    return told(request, error.status_code, detail, dict(error.headers or {}))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    if any(one["loc"][:2] in {("query", "column"), ("query", "sort")} for one in error.errors()):
        return told(request, 422, _columns(words_of(request)))
    # `loc` begins with where the field stood (body, query), which means nothing to the user.
    say = words_of(request)
    faults = (f"field `{'.'.join(map(str, one['loc'][1:]))}`: {one['msg']}" for one in error.errors())
    return told(request, 422, "; ".join(str(say.error(one)) for one in faults))


def _columns(say: Words) -> str:
    """Which columns an address may name: the pattern that it failed is no answer to a reader."""
    from benchbar.web.samples import COLUMNS

    return say("column.wrong", columns=say.listed(f"{one} ({say(f'column.{one}')})" for one in COLUMNS))


def _ours(request: Request, error: Exception) -> Response:
    # What the user can mend is a 400; everything else of ours is a fault of the run's files or of the app.
    return told(request, 400 if isinstance(error, UserError) else 500, str(error))


def _not_yet(request: Request, error: Exception) -> Response:
    return told(request, 503, str(error), {"retry-after": "30"})


HANDLERS: dict[int | type[Exception], Any] = {
    # The most specific handler is chosen, so their order does not matter.
    NotSignedInError: _not_signed_in,
    AnyHTTPException: _http,
    HTTPException: _http,
    RequestValidationError: _invalid,
    BeingIndexedError: _not_yet,
    BenchbarError: _ours,
}
