"""Sign-in through a firm's identity provider, against a real one over HTTP with each of its faults."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("authlib", reason="the extra `oidc` is not installed")

from benchbar.records.errors import BadInputError
from support.oidc_provider import CLIENT, SECRET, OidcProvider
from web.conftest import Visitor

ADDRESS = "http://localhost"
BACK = "/sign-in/provider/back"
BY_DOMAIN = 'domains = ["firm.example"]'
BY_GROUP = (
    'role_claim = "realm.groups"\n[roles]\nowner = ["partners"]\nreviewer = ["lawyers"]\nviewer = ["lawyers", "it"]'
)


@pytest.fixture
def provider() -> Iterator[OidcProvider]:
    """A provider that knows the app's address."""
    found = OidcProvider(ADDRESS + BACK)
    yield found
    found.close()


def settings(folder: Path, provider: OidcProvider, rest: str = BY_DOMAIN, **changed: str) -> Path:
    """A file of settings, with some lines changed."""
    lines = {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "address": ADDRESS,
        "client_secret_env": "FIRM_SECRET",
        "label": "Firm LLP",
    } | changed
    file = folder / "oidc.toml"
    file.write_text("".join(f'{name} = "{value}"\n' for name, value in lines.items()) + rest, "utf-8")
    return file


@pytest.fixture
def visit_with(apps, runs, tmp_path, provider, monkeypatch):
    """Makes browsers of an app with these settings."""
    monkeypatch.setenv("FIRM_SECRET", SECRET)

    def made(rest: str = BY_DOMAIN, **changed: str):
        return apps(runs, oidc=settings(tmp_path, provider, rest, **changed))

    return made


class _Stay(urllib.request.HTTPRedirectHandler):
    """Does not follow: the way back leads to the app under test, which has no socket."""

    def redirect_request(self, *_: object) -> None:
        return None


def sent_back(address: str) -> str:
    """What the provider sends a browser back to, which it asked for with this address."""
    with pytest.raises(urllib.error.HTTPError) as found:
        urllib.request.build_opener(_Stay).open(address, timeout=120)
    with found.value as answer:
        assert answer.code == 302, answer.read()
        return answer.headers["Location"]


def set_out(visitor: Visitor, next_: str = "/") -> str:
    """The provider's address that the button leads to."""
    visitor.get("/sign-in")
    answer = visitor.get("/sign-in/provider", params={"next": next_}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def sign_in(visitor: Visitor, next_: str = "/"):
    """The app's answer to a browser that comes back from the provider."""
    return visitor.get(sent_back(set_out(visitor, next_)), follow_redirects=False)


def test_somebody_of_the_firm_signs_in_and_out(visit_with, provider):
    """There and back with a code, PKCE, state and nonce; the session ends on the server when they sign out."""
    anna = visit_with(role="viewer")()
    assert "Sign in with Firm LLP" in anna.get("/sign-in").text
    asked = parse_qs(urlsplit(set_out(anna)).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= set(asked)
    assert asked["scope"] == ["openid email profile"]
    answer = sign_in(anna, "/runs?search=a")
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?search=a")
    assert "anna@firm.example" in anna.get("/runs").text
    kept = anna.client.cookies["benchbar_session"]
    anna.post("/sign-out")
    thief = Visitor(anna.client)
    thief.client.cookies.set("benchbar_session", kept)
    assert thief.get("/runs", follow_redirects=False).status_code == 303


def test_who_comes_first_sees_no_run_and_the_owner_reads_who_came(visit_with, provider):
    """Nobody belongs to a run by default; the log says who was added, by which provider."""
    visit = visit_with()
    anna, owner = visit(), visit()
    sign_in(anna)
    owner.sign_in()
    assert "anna@firm.example" in owner.get("/people").text
    shown = owner.get("/log").text
    assert "added a person" in shown
    assert provider.issuer in shown
    assert anna.get("/runs").status_code == 403


FAULTS = {
    "wrong signature": (403, "not signed by"),
    "alg none": (403, "not signed by"),
    "no signature": (403, "not signed by"),
    "public key as a secret": (403, "not signed by"),
    "unknown key": (403, "not signed by"),
    "critical header": (403, "not signed by"),
    "wrong audience": (403, "made out for another program"),
    "audience of another, authorized us": (403, "made out for another program"),
    "authorized another": (403, "made out for another program"),
    "issuer of another": (403, "“iss”"),
    "expired": (403, "clocks"),
    "of tomorrow": (403, "“iat”"),
    "no expiry": (403, "“exp”"),
    "nonce replayed": (403, "another attempt"),
    "no nonce": (403, "another attempt"),
    "access token of another": (403, "“at_hash”"),
    "no subject": (403, "“sub”"),
    "subject a list": (403, "“sub”"),
    "empty subject": (403, "“sub”"),
    "state forged": (403, "did not begin in this browser"),
    "code of another provider": (502, "https://evil.example"),
    "denied": (403, "access_denied"),
    "redirect refused": (403, ADDRESS + BACK),
    "no JSON": (502, "expected of a provider"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_answer_of_the_provider_lets_nobody_in(visit_with, provider, fault):
    """The page says what is wrong and who mends it; nobody is added, and the log keeps the cause."""
    visit = visit_with()
    anna, owner = visit(), visit()
    provider.fault = fault
    answer = sign_in(anna)
    status, said = FAULTS[fault]
    assert answer.status_code == status, answer.text
    assert said in answer.text
    assert "<b>no</b>" not in answer.text
    assert SECRET not in answer.text
    assert anna.get("/runs", follow_redirects=False).status_code == 303
    owner.sign_in()
    assert "anna@firm.example" not in owner.get("/people").text
    assert said in owner.get("/log").text


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("down", "cannot be reached"),
        ("discovery of another", "https://evil.example"),
        ("plain token endpoint", "token_endpoint"),
        ("endless", "more than 1000000 bytes"),
    ],
)
def test_a_provider_that_is_not_what_it_has_to_be_is_told_before_anybody_goes_there(visit_with, provider, fault, said):
    """Down, of another name, with an address that anybody on the line can read, or without an end."""
    anna = visit_with()()
    provider.fault = fault
    answer = anna.get("/sign-in/provider", follow_redirects=False)
    assert answer.status_code == 502
    assert said in answer.text
    asked = len(provider.requests)
    assert anna.get("/sign-in/provider", follow_redirects=False).status_code == 502
    assert len(provider.requests) == asked


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"email": "eve@evil.example"}, "eve@evil.example"),
        ({"email": "eve@evil-firm.example"}, "eve@evil-firm.example"),
        ({"email": "eve@sub.firm.example"}, "eve@sub.firm.example"),
        ({"email": "eve@evil.example@firm.example"}, "no mail address"),
        ({"email": "eve"}, "no mail address"),
        ({"email": None}, "no mail address"),
        ({"email": ["anna@firm.example"]}, "no mail address"),
        ({"email_verified": False}, "not verified"),
        ({"email_verified": None}, "not verified"),
        ({"email_verified": "no"}, "not verified"),
        ({"email_verified": ["true"]}, "not verified"),
        ({"email": "an\nna@firm.example"}, "no name"),
        ({"email": "a" * 80 + "@firm.example"}, "no name"),
    ],
)
def test_only_a_verified_address_of_the_firm_comes_in(visit_with, provider, changed, said):
    """Another domain, an ending that looks alike, two signs @, an unverified or missing address."""
    provider.person |= changed
    anna = visit_with()()
    answer = sign_in(anna)
    assert answer.status_code == 403
    assert said in answer.text
    assert anna.get("/review", follow_redirects=False).status_code == 303


@pytest.mark.parametrize(
    ("groups", "opened", "closed"),
    [
        (["partners", "lawyers"], "/people", ""),
        (["lawyers", "it"], "/review", "/runs"),
        ("it", "/runs", "/review"),
    ],
)
def test_groups_have_roles(visit_with, provider, groups, opened, closed):
    """Of two roles the higher one of owners, and the blind one of reviewers."""
    provider.person |= {"realm": {"groups": groups}}
    anna = visit_with(BY_GROUP)()
    assert sign_in(anna).status_code == 303
    assert anna.get(opened).status_code == 200
    if closed:
        assert anna.get(closed).status_code == 403


def test_who_leaves_the_group_is_no_owner_at_the_next_sign_in(visit_with, provider):
    """The provider's word of today counts, in every browser; without a group nobody comes in."""
    provider.person |= {"realm": {"groups": ["partners"]}}
    visit = visit_with(BY_GROUP)
    one, other = visit(), visit()
    sign_in(one)
    assert one.get("/people").status_code == 200
    provider.person |= {"realm": {"groups": ["lawyers"]}}
    sign_in(other)
    assert one.get("/people").status_code == 403
    provider.person |= {"realm": {"groups": [["partners"], {"partners": 1}, None]}}
    answer = sign_in(visit())
    assert answer.status_code == 403
    assert "realm.groups" in answer.text


@pytest.mark.parametrize("name", ["owner", "Owner", "оwner", "０wner", " owner", "Anna\u202e"])
def test_a_name_of_somebody_else_is_refused(visit_with, provider, name):
    """A name that the person may choose never leads to somebody who is here, nor to one who looks like them."""
    provider.person |= {"name": name, "realm": {"groups": ["partners"]}}
    anna = visit_with(BY_GROUP, person_claim="name")()
    answer = sign_in(anna)
    assert answer.status_code == 403
    assert anna.get("/people", follow_redirects=False).status_code == 303


def test_an_invited_address_is_the_person_of_that_address(visit_with, provider):
    """Whom the owner added under their mail address keeps role and runs; a second identity with the address does not."""
    visit = visit_with()
    owner = visit()
    owner.sign_in()
    owner.add("anna@firm.example", "viewer")
    anna, later = visit(), visit()
    sign_in(anna)
    assert anna.get("/runs").status_code == 200
    provider.person |= {"sub": "u-2"}
    answer = sign_in(later)
    assert answer.status_code == 403
    assert "is here already" in answer.text


def test_whom_the_owner_lets_in_no_more_does_not_come_in_by_the_provider(visit_with, provider):
    """Sessions end at once, and the provider's word does not bring them back."""
    visit = visit_with()
    owner, anna = visit(), visit()
    owner.sign_in()
    sign_in(anna)
    owner.post(f"{owner.path_of('anna@firm.example')}/revoke", form="/people")
    assert anna.get("/review", follow_redirects=False).status_code == 303
    answer = sign_in(anna)
    assert answer.status_code == 403
    assert "has ended the access" in answer.text


def test_a_code_is_of_use_once_and_in_one_browser(visit_with, provider):
    """A link with somebody else's code signs nobody in, nor does the own one a second time, nor after the state's time."""
    visit = visit_with()
    anna, eve = visit(), visit()
    for_eve = sent_back(set_out(eve))
    anna.get("/sign-in")
    assert anna.get(for_eve, follow_redirects=False).status_code == 403
    mine = sent_back(set_out(anna))
    assert anna.get(mine, follow_redirects=False).status_code == 303
    asked = len(provider.used_codes)
    assert anna.get(mine, follow_redirects=False).status_code == 403
    for query in ("", "?code=a", "?state=", "?state=a.b.c&code=d", "?error=access_denied"):
        assert eve.get(BACK + query, follow_redirects=False).status_code == 403
    assert len(provider.used_codes) == asked == 1


def test_a_sign_in_that_took_too_long_begins_anew(visit_with, provider, monkeypatch):
    """The state is good for ten minutes."""
    import time

    anna = visit_with()()
    late = sent_back(set_out(anna))
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 601)
    assert anna.get(late, follow_redirects=False).status_code == 403


def test_the_session_ends_after_the_hours_that_were_set(visit_with, provider, monkeypatch):
    """Who left the firm is out by then; links of the owner last as before."""
    import time

    visit = visit_with()
    anna, owner = visit(), visit()
    sign_in(anna)
    owner.sign_in()
    assert anna.get("/review").status_code == 200
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 12 * 3600 + 1)
    assert anna.get("/review", follow_redirects=False).status_code == 303
    assert owner.get("/runs").status_code == 200


def test_nobody_is_switched_to_another_person_without_a_word(visit_with, provider):
    """Who is signed in as the owner stays it, and is told to sign out first."""
    owner = visit_with()()
    owner.sign_in()
    answer = sign_in(owner)
    assert answer.status_code == 409
    assert "owner" in answer.text
    assert owner.get("/people").status_code == 200


def test_signing_in_gives_a_new_session(visit_with, provider):
    """A cookie that somebody planted before is not the one that is signed in afterwards."""
    anna = visit_with()()
    address = set_out(anna)
    planted = anna.client.cookies["benchbar_session"]
    anna.get(sent_back(address), follow_redirects=False)
    thief = Visitor(anna.client)
    thief.client.cookies.clear()
    thief.client.cookies.set("benchbar_session", planted)
    assert thief.get("/review", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("away", ["//evil.example", "https://evil.example", "/\\evil.example", "/" + "a" * 600])
def test_coming_back_leads_nowhere_else(visit_with, provider, away):
    """The page to go on with is one of ours, or the first one."""
    assert sign_in(visit_with()(), away).headers["location"] == "/"


def test_small_tokens_are_completed_by_userinfo_of_the_same_person(visit_with, provider):
    """Several providers tell the mail address there alone; an answer about another person is refused."""
    provider.small_tokens = True
    visit = visit_with()
    assert sign_in(visit()).status_code == 303
    provider.fault = "userinfo of another"
    answer = sign_in(visit())
    assert answer.status_code == 403
    assert "“sub”" in answer.text


def test_new_keys_of_the_provider_are_read_when_a_token_names_one(visit_with, provider):
    """Nobody has to restart the app when the provider changes its keys."""
    visit = visit_with()
    assert sign_in(visit()).status_code == 303
    provider.new_key()
    assert sign_in(visit()).status_code == 303
    assert provider.requests.count("/firm/jwks") == 2


def test_a_wrong_secret_is_the_administrators_matter(visit_with, provider, monkeypatch):
    """The page names the variable of the server's environment, and not what it holds."""
    visit = visit_with()
    monkeypatch.setenv("FIRM_SECRET", "another secret")
    anna = visit_with()()
    answer = sign_in(anna)
    assert answer.status_code == 502
    assert "FIRM_SECRET" in answer.text
    assert "another secret" not in answer.text
    assert sign_in(visit()).status_code == 303


def test_a_hundred_failures_of_an_address_have_to_wait(visit_with, provider):
    """Forged ways back cost the provider nothing, and us soon nothing either."""
    eve = visit_with()()
    found = {eve.get(f"{BACK}?state=forged-{number}").status_code for number in range(100)}
    assert found == {403}
    for path in (BACK, "/sign-in/provider"):
        answer = eve.get(path, follow_redirects=False)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0


def test_without_settings_there_is_no_such_way_in(visit):
    """Neither button nor address."""
    stranger = visit()
    assert "/sign-in/provider" not in stranger.get("/sign-in").text
    for path in ("/sign-in/provider", BACK):
        assert stranger.get(path).status_code == 404


@pytest.mark.parametrize(
    ("rest", "changed", "said"),
    [
        ("", {}, "everybody who has an account with the provider would come in"),
        (BY_DOMAIN, {"issuer": "http://login.firm.example"}, "expected https://"),
        (BY_DOMAIN, {"address": "http://bench.firm.example"}, "expected https://"),
        (BY_DOMAIN, {"address": "https://[bench"}, "expected https://"),
        (BY_DOMAIN, {"role": "owner"}, "owners are named by [roles]"),
        (BY_DOMAIN, {"client_secret": "s"}, "client_secret"),
        (BY_DOMAIN, {"client_secret_env": "NOT_SET"}, "the environment has no NOT_SET"),
        ('role_claim = "groups"', {}, "need each other"),
        ('domains = ["@firm.example"]', {}, "expected a domain"),
        ('domains = ["firm.example."]', {}, "expected a domain"),
    ],
)
def test_settings_that_would_let_in_too_many_are_refused_at_the_start(
    apps, runs, tmp_path, provider, monkeypatch, rest, changed, said
):
    """With file and field, before the app listens."""
    monkeypatch.setenv("FIRM_SECRET", SECRET)
    with pytest.raises(BadInputError) as error:
        apps(runs, oidc=settings(tmp_path, provider, rest, **changed))
    assert said in str(error.value)
    assert "oidc.toml: " in str(error.value)
    assert SECRET not in str(error.value)


def test_serve_says_which_address_the_provider_has_to_know(tmp_path, provider, monkeypatch):
    """It is registered letter by letter; and until somebody signs in, the library is not imported."""
    monkeypatch.setenv("FIRM_SECRET", SECRET)
    file = settings(tmp_path, provider, address="https://bench.firm.example/")
    (tmp_path / "runs").mkdir()
    code = (
        "import sys, threading\n"
        "import uvicorn\n"
        "uvicorn.Server.run = lambda *_, **__: print('authlib' in sys.modules)\n"
        "from benchbar.cli.main import main\n"
        f"sys.argv = ['benchbar', 'serve', 'runs', '--port', '0', '--oidc', {str(file)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "https://bench.firm.example/sign-in/provider/back" in done.stdout
    assert "False" in done.stdout.splitlines()
