"""Lays pages out: template, words of the person's language, who is asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import HTMLResponse

from benchbar import __version__
from benchbar.law.cited_text import passed_on
from benchbar.law.nicknames import nickname_command
from benchbar.law.shown import by_whom, how_often, named, verdicts
from benchbar.records import templates
from benchbar.reports.standing import sign, standing
from benchbar.web.area import Entry
from benchbar.web.people import Person
from benchbar.web.sessions import COOKIE, csrf_token, keep, person_asking, session_of
from benchbar.web.words import COOKIE as LANGUAGE_COOKIE
from benchbar.web.words import Words, chosen, names, words

if TYPE_CHECKING:
    from jinja2 import Environment

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""The media type of a Word document that is downloaded."""
_READING = frozenset({"GET", "HEAD"})
PLUGIN_TEMPLATES = "web_templates"
"""Folder of a plugin's package that holds the templates of its pages."""


def words_of(request: Request) -> Words:
    """The words of the language that the person, or the browser, prefers."""
    return words(chosen(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language")))


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """The page that a template makes of the values."""
    answer = HTMLResponse(rendered(request, template, **values), status_code=status)
    # Written once: a new cookie with each page would end the forms of pages that are open in other tabs.
    if COOKIE not in request.cookies:
        keep(request, answer, session_of(request))
    answer.headers["content-language"] = words_of(request).language
    # Caches between us and the browser must not give a page of one language or person to another.
    answer.headers["vary"] = "Accept-Language, Cookie"
    return answer


def rendered(request: Request, template: str, **values: Any) -> str:
    """The same as text, for parts of pages that scripts ask for."""
    person, say = person_asking(request), words_of(request)
    # Errors come from a hundred places that know no reader: here alone is known who reads them.
    if values.get("problem"):
        values["problem"] = say.error(values["problem"])
    return (
        environment()
        .get_template(template)
        .render(
            say=say,
            colon=say("shell.colon"),
            person=person,
            csrf=csrf_token(request),
            path=request.url.path,
            here=here(request),
            navigation=_navigation(request, person),
            languages=names(),
            version=__version__,
            **values,
        )
    )


@dataclass(frozen=True, slots=True)
class Navigation:
    """The links at the top of a page."""

    groups: Mapping[str, Entry]
    """Group to its first page; empty where a person has so few pages that all stand in one row."""
    group: str
    """The one that the page belongs to."""
    entries: tuple[Entry, ...]
    """The pages of that group, or all."""


ONE_ROW = 6
"""Links that stand in one row at 1280 px in every language."""


def _navigation(request: Request, person: Person | None) -> Navigation:
    entries = [one for one in request.app.state.navigation if person and person.role in one.roles]
    path = request.url.path
    if len(entries) <= ONE_ROW:
        return Navigation({}, "", tuple(entries))
    # A page that stands in no group, such as that of an error, shows the first one's.
    inside = (one.group for one in entries if path == one.path or path.startswith(f"{one.path}/"))
    group = next(inside, entries[0].group)
    groups: dict[str, Entry] = {}
    for one in entries:
        groups.setdefault(one.group, one)
    return Navigation(groups, group, tuple(one for one in entries if one.group == group))


def here(request: Request) -> str:
    """The address of the page that is asked for, within the app; of an answer to a form, that of the page with the form."""
    at = urlsplit(str(request.url))
    if request.method not in _READING:
        # Ours alone is named in full: the app's pages send no other site their address, and no other's is taken.
        came = urlsplit(request.headers.get("referer", ""))
        at = came if came.netloc == at.netloc else at
    return (at.path or "/") + (f"?{at.query}" if at.query else "")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of the app, the charts of reports and the parts of a reviewed contract."""
    from benchbar.records.plugins import known

    packages = {point.module.rpartition(".")[0] for point in known("pages").values()}
    # Ours first: no plugin can put a page of its own in the place of one of ours.
    others = [(package, PLUGIN_TEMPLATES) for package in sorted(packages)]
    made = templates.environment("benchbar.web", "benchbar.reports", "benchbar.contracts", *others)
    made.globals.update(
        standing=standing, sign=sign, verdicts=verdicts, how_often=how_often, by_whom=by_whom, named=named
    )
    made.globals.update(nickname_command=nickname_command, passed_on=passed_on)
    return made
