"""Attacks on access, each of which has to be stopped, and hostile texts that have to stay texts; both are counted."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from benchbar.web.navigation import AREAS
from benchbar.web.run_queues import queue_id
from web.conftest import Apps, Visitor

ROUTES = sorted(
    {(method, route.path) for area in AREAS for route in area.router.routes for method in route.methods - {"HEAD"}}
)
"""Method and path of every page, those of plugins as well: a page that is added is attacked without a line here."""
OPEN = {"/", "/sign-in", "/sign-out", "/language", "/sign-in/provider", "/sign-in/provider/back", "/answer/{token}"}
"""What strangers may ask for: the ways in, and the link of a survey, whose token is all the access there is."""
OWNERS = ("/new", "/queues", "/people", "/log", "/surveys", "/production", "/written", "/openapi.json")
CONTROL = re.compile(r"/runs/\{name\}/(stop|go-on|again|delete|spec\.toml)")
FORBIDDEN = {
    "reviewer": [one for one in ROUTES if one[1].startswith((*OWNERS, "/runs", "/compare")) or CONTROL.match(one[1])],
    "viewer": [one for one in ROUTES if one[1].startswith((*OWNERS, "/review")) or CONTROL.match(one[1])],
}
OF_A_RUN = [one for one in ROUTES if one[1].startswith(("/runs/{name}", "/review/{queue}", "/questions/{queue}"))]
CHANGING = [one for one in ROUTES if one[0] != "GET"]
CLOSED = [one for one in ROUTES if one[1] not in OPEN]
NAMED = [one for one in ROUTES if one[0] == "GET" and "{" in one[1]]
"""Pages with something in their address that could lead out of a folder."""
LEADING_OUT = {
    "up": "..%2f..%2f..%2fetc%2fpasswd",
    "up twice encoded": "%252e%252e%252fetc%252fpasswd",
    "backslash": "..%5c..%5cetc%5cpasswd",
    "absolute": "%2fetc%2fpasswd",
    "NUL": "a%00.json",
    "own folder": ".benchbar",
    "long": "a" * 3000,
}
ATTACKS = {
    "a stranger asks": [("", *one) for one in CLOSED],
    "a form without the token of the session": [("", *one) for one in CHANGING],
    "a form with the token of another session": [("", *one) for one in CHANGING],
    "a role asks for what is another's": [(role, *one) for role, rows in FORBIDDEN.items() for one in rows],
    "a member of another matter asks": [(role, *one) for role in ("reviewer", "viewer") for one in OF_A_RUN],
    "an address leads out of its folder": [(kind, *one) for kind in LEADING_OUT for one in NAMED],
}


def rows(kind: str) -> list[object]:
    return [pytest.param(*row, id=" ".join(filter(None, row))) for row in ATTACKS[kind]]


@pytest.fixture(scope="module")
def place(reviewed_runs, tmp_path_factory) -> Iterator[dict]:
    """Two matters; an owner, and a reviewer and a viewer who belong to the first."""
    runs = tmp_path_factory.mktemp("attacked") / "runs"
    for name in ("mine", "others"):
        shutil.copytree(reviewed_runs / "run-of-extractive", runs / name)
    apps = Apps()
    visit = apps(runs)
    owner, reviewer, viewer, stranger = (visit() for _ in range(4))
    owner.sign_in()
    for visitor, name, role in ((reviewer, "Ann", "reviewer"), (viewer, "Vera", "viewer")):
        visitor.sign_in(name, owner.add(name, role, every=False))
        owner.post(f"{owner.path_of(name)}/runs", {"run": "mine"}, form="/people")
    tokens = {who: visitor.csrf() for who, visitor in (("owner", owner), ("reviewer", reviewer), ("viewer", viewer))}
    yield {
        "owner": owner,
        "reviewer": reviewer,
        "viewer": viewer,
        "stranger": stranger,
        "tokens": tokens | {"stranger": stranger.csrf()},
        "queue": queue_id(owner.client.app.state.web, "others"),
    }
    apps.close()


def filled(place: dict, path: str) -> str:
    """The address in the matter that the people do not belong to."""
    known = {"{name}": "others", "{run}": "others", "{queue}": place["queue"], "{number}": "1", "{form}": "csv"}
    for field, value in known.items():
        path = path.replace(field, value)
    return re.sub(r"\{[^}]+\}", "0" * 22, path)


def sent(place: dict, who: str, method: str, path: str, token: str | None = None):
    """The answer to somebody who sends every field that a form of the app has."""
    visitor: Visitor = place[who]
    headers = {} if token is None else {"x-csrf-token": token}
    fields = dict.fromkeys(
        ("score", "reason", "confirmed", "names", "statement", "draft", "answer", "name", "visit", "seconds"), "1"
    )
    options = {} if method == "GET" else {"data": fields | {"verdict": "release", "role": "owner", "fingerprint": "f"}}
    return visitor.client.request(method, path, headers=headers, follow_redirects=False, **options)


@pytest.mark.parametrize(("_", "method", "path"), rows("a stranger asks"))
def test_a_stranger_gets_nothing(place, _, method, path):
    """Every page but the ways in: whoever is not signed in reads nothing and changes nothing."""
    answer = sent(place, "stranger", method, filled(place, path), place["tokens"]["stranger"])
    assert answer.status_code == 401, answer.text[:300]


@pytest.mark.parametrize(("_", "method", "path"), rows("a form without the token of the session"))
def test_a_form_without_the_token_changes_nothing(place, _, method, path):
    """Whatever else it holds, and though the owner's browser sends it."""
    assert sent(place, "owner", method, filled(place, path)).status_code == 403


@pytest.mark.parametrize(("_", "method", "path"), rows("a form with the token of another session"))
def test_a_form_with_the_token_of_another_session_changes_nothing(place, _, method, path):
    """A token that an attacker was given for their own session is of no use in another's."""
    token = place["tokens"]["reviewer"]
    assert sent(place, "owner", method, filled(place, path), token).status_code == 403


@pytest.mark.parametrize(("role", "method", "path"), rows("a role asks for what is another's"))
def test_a_role_stays_within_its_pages(place, role, method, path):
    """Reviewers see no runs; neither they nor viewers see people, queues of all, or what starts and deletes."""
    answer = sent(place, role, method, filled(place, path), place["tokens"][role])
    assert answer.status_code in {403, 404}, answer.text[:300]


@pytest.mark.parametrize(("role", "method", "path"), rows("a member of another matter asks"))
def test_a_member_of_another_matter_learns_nothing_of_this_one(place, role, method, path):
    """Its pages, files, exports, queues and forms are closed, or as unknown as an address that was made up."""
    answer = sent(place, role, method, filled(place, path), place["tokens"][role])
    # 422 is a form that lacks a field: refused before anything was looked at, and alike for every address.
    assert answer.status_code in {403, 404, 422}, answer.text[:300]
    assert "extractive" not in answer.text


@pytest.mark.parametrize(("kind", "method", "path"), rows("an address leads out of its folder"))
def test_no_address_leads_out_of_its_folder(place, kind, method, path):
    """Whatever stands in the place of a name, the owner is shown no file and no failure of the program."""
    address = re.sub(r"\{[^}]+\}", LEADING_OUT[kind], path)
    answer = sent(place, "owner", method, address)
    assert answer.status_code in {303, 400, 403, 404, 422}, answer.text[:300]
    assert "root:" not in answer.text


HOSTILE = [
    shape.format(code=code)
    for code in ("harmed()", "harmed`1`", "location='//harmed'", "&#104;armed()")
    for shape in (
        "<script>{code}</script>",
        '"><script>{code}</script>',
        "'><img src=x onerror={code}>",
        "<svg/onload={code}>",
        '" autofocus onfocus="{code}',
        "' onmouseover='{code}",
        "<a href=javascript:{code}>a</a>",
        "<iframe srcdoc='<script>{code}</script>'>",
        "</title><script>{code}</script>",
        "</textarea><script>{code}</script>",
        "<style>@import'{code}'</style>",
        "<!--><script>{code}</script>-->",
        "{{{{ {code} }}}}",
        "{{% set harmed = {code} %}}",
        "<math><mi xlink:href=javascript:{code}>",
        "\\u003cscript>{code}",
    )
]
"""Titles of a matter that try to become more than text: elements, attributes, the end of what they stand in, templates."""


class Structure(HTMLParser):
    """What of a page is no text: names of elements and attributes, addresses, scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.texts: list[str] = []
        """All that is text: what stands between elements, and values of attributes that do nothing."""
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag
        self.found.append(tag)
        for name, value in attrs:
            active = name.startswith(("on", "hx-")) or name in {
                "href",
                "src",
                "srcdoc",
                "action",
                "style",
                "xlink:href",
            }
            self.found.append(name)
            (self.found if active else self.texts).append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        (self.found if self._open in {"script", "style"} else self.texts).append(data)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_title_stays_a_title(place, text):
    """It stands on the pages of owner and reviewer as it was typed, and nothing of it is more than text."""
    owner: Visitor = place["owner"]
    fields = {"csrf": place["tokens"]["owner"], "title": text, "due": "2030-01-01"}
    assert owner.client.post("/queues/mine/matter", data=fields, follow_redirects=False).status_code == 303
    reviewer = owner.path_of("Ann")
    for visitor, path in ((owner, "/queues/mine"), (owner, reviewer), (place["reviewer"], "/review")):
        structure = Structure(visitor.get(path).text)
        assert not [one for one in structure.found if "harmed" in one or "&#104;armed" in one]
        # A reviewer of one queue is led to its task, where no title stands.
        assert visitor is not owner or any(text in one for one in structure.texts)


@pytest.mark.parametrize("kind", ATTACKS, ids=lambda kind: f"{len(ATTACKS[kind])} times {kind}")
def test_there_are_attacks_of_each_kind(kind):
    """At least twenty, each another one."""
    assert len(set(ATTACKS[kind])) == len(ATTACKS[kind]) >= 20


def test_the_attacks_are_many():
    """At least 120 attacks on access, and 60 hostile texts; their names say how many there are of each kind."""
    assert sum(map(len, ATTACKS.values())) >= 120
    assert len(set(HOSTILE)) >= 60
