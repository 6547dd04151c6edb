"""Who gets in, as what, and what no other site can do."""

from __future__ import annotations

import html
import re

import pytest


def test_nobody_sees_a_run_before_signing_in(visit):
    """A page leads to the form, and the form back to the page."""
    stranger = visit()
    answer = stranger.get("/runs", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/sign-in?next=/runs"
    assert stranger.client.get("/runs").status_code == 401
    assert stranger.sign_in(next="/runs").headers["location"] == "/runs"
    assert stranger.get("/runs").status_code == 200
    stranger.post("/sign-out")
    assert stranger.get("/runs", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("away", ["//evil.example", "https://evil.example", "/\\evil.example", "/\n/evil.example"])
def test_signing_in_leads_nowhere_else(visit, away):
    """The address to go to afterwards is one of ours, or the first page."""
    assert visit().sign_in(next=away).headers["location"] == "/"


def test_the_owner_lets_people_in_and_leaves_them_out(visit, owner):
    """A link works until it is renewed or revoked; then sessions end at once."""
    token = owner.add("Анна 李", "viewer")
    anna = visit()
    assert anna.sign_in("Анна 李", "wrong").status_code == 403
    assert anna.sign_in("Анна 李", token).status_code == 303
    assert anna.get("/runs").status_code == 200
    assert anna.get("/people").status_code == 403
    owner.post("/people/2/link", form="/people")
    assert anna.get("/runs", follow_redirects=False).status_code == 303
    assert visit().sign_in("Анна 李", token).status_code == 403
    token = owner.post("/people/2/link", form="/people").text.split("token=")[1].split('"')[0]
    assert anna.sign_in("Анна 李", token).status_code == 303
    owner.post("/people/2/revoke", form="/people")
    assert anna.get("/runs", follow_redirects=False).status_code == 303
    assert visit().sign_in("Анна 李", token).status_code == 403


def test_a_reviewer_never_sees_runs(visit, owner):
    """Whoever marks is blind: pages with names of assistants are closed to them."""
    bo = visit()
    bo.sign_in("Bo", owner.add("Bo", "reviewer"))
    assert bo.get("/runs").status_code == 403
    assert bo.get("/log").status_code == 403


def test_the_owner_stays(owner):
    """Nobody can leave themselves out and lock the app."""
    assert owner.post("/people/1/revoke", form="/people").status_code == 400
    assert owner.get("/people").status_code == 200


@pytest.mark.parametrize("name", ["", " ", "a" * 81, "tab\there", "owner"])
def test_names_are_fit_to_be_shown(owner, name):
    """An empty, endless, unprintable or taken name is refused."""
    answer = owner.post("/people", {"name": name, "role": "viewer"}, form="/people")
    assert answer.status_code in {400, 422}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("李\u200f明", "“李[U+200F]明”：第 2 个字符是看不见的书写方向标记（U+200F），请删除"),
        ("Anna\u200b", "“Anna[U+200B]”：第 5 个字符没有宽度（U+200B），请删除"),
        ("Anna\u00a0K", "“Anna[U+00A0]K”：第 5 个字符是特殊空格（U+00A0），请改用普通空格"),
        ("tab\there", "“tab[U+0009]here”：第 4 个字符无法显示（U+0009），请删除"),
    ],
)
def test_a_character_that_nobody_sees_is_named_with_its_place(owner, name, told):
    """It was pasted along with the name: whoever reads "printable characters" looks for it in vain."""
    owner.client.cookies.set("benchbar_language", "zh", domain="localhost.local")
    answer = owner.post("/people", {"name": name, "role": "viewer"}, form="/people")
    assert answer.status_code == 400
    assert told in answer.text


def test_changes_need_the_token_of_the_session(visit, owner):
    """Without it, or with that of another browser, nothing is changed."""
    for csrf in ("", "0" * 64, visit().csrf()):
        answer = owner.post("/people", {"csrf": csrf, "name": "Eve", "role": "owner"}, form="/people")
        assert answer.status_code == 403
    assert owner.client.post("/people", data={"name": "Eve", "role": "owner"}).status_code == 403
    assert "Eve" not in owner.get("/people").text


@pytest.mark.parametrize(
    "headers",
    [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
    ids=["origin", "fetch metadata", "no origin"],
)
def test_other_sites_change_nothing(owner, headers):
    """A form of another site is refused whatever it sends along."""
    fields = {"csrf": owner.csrf("/people"), "name": "Eve", "role": "owner"}
    assert owner.client.post("/people", data=fields, headers=headers).status_code == 400


def test_another_name_for_this_address_shows_nothing(owner):
    """A site whose name is made to point here gets no page (DNS rebinding)."""
    assert owner.client.get("/sign-in", headers={"host": "evil.example:80"}).status_code == 400
    assert owner.client.get("/sign-in", headers={"host": "127.0.0.1:8765"}).status_code == 200


def test_cookies_are_of_no_use_to_scripts_and_other_sites(visit):
    """HttpOnly, SameSite; a forged or altered one is nobody's."""
    stranger = visit()
    cookie = stranger.sign_in().headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    kept = stranger.client.cookies["benchbar_session"]
    for altered in (kept[:-1], "x" + kept, "", "null"):
        other = visit()
        other.client.cookies.set("benchbar_session", altered)
        assert other.get("/runs", follow_redirects=False).status_code == 303


def test_guessing_tokens_is_slow(visit):
    """After ten failures an address has to wait, even with the right token."""
    stranger = visit()
    found = [stranger.sign_in(token=f"guess {number}").status_code for number in range(11)]
    assert found == [403] * 10 + [429]
    answer = stranger.sign_in()
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 301


def test_every_answer_carries_its_headers(owner):
    """No inline script or style runs, nothing is framed, sniffed or stored; files and failures included."""
    for path in ("/people", "/sign-in", "/static/app.js", "/nowhere", "/openapi.json"):
        headers = owner.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_large_bodies_are_refused(owner):
    """A request of two megabytes is not read to its end."""
    answer = owner.post("/people", {"name": "a" * 2_000_000, "role": "viewer"}, form="/people")
    assert answer.status_code == 413


def test_what_was_done_is_written_down(visit, owner):
    """The log names person, action and subject, and holds no token."""
    token = owner.add("<script>alert(1)</script>", "viewer")
    visit().sign_in("Mallory", "guess")
    shown = owner.get("/log").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    assert "<script>alert" not in shown
    assert "was not let in" in shown
    assert token not in shown


def test_the_browser_chooses_the_language_until_the_person_does(visit):
    """Accept-Language decides by weight; the switch is remembered."""
    stranger = visit()
    page = stranger.get("/sign-in", headers={"accept-language": "fr, ru;q=0.4, zh-CN;q=0.9"})
    assert '<html lang="zh">' in page.text
    assert "登录" in page.text
    answer = stranger.post("/language", {"language": "ru", "next": "/sign-in"})
    assert '<html lang="ru">' in answer.text
    assert '<html lang="en">' in visit().get("/sign-in", headers={"accept-language": "fr"}).text


@pytest.mark.parametrize(
    ("form", "address", "back"),
    [
        ("/runs/plain/samples?task=1-1", "/runs/plain/queue?task=1-1", "/runs/plain/samples?task=1-1"),
        ("", "/runs/plain/queue?task=1-1", "/runs/plain"),
        ("/runs/plain/queue", "/runs/plain/queue", "/runs/plain"),
        ("/contracts", "/contracts/example", "/contracts"),
        ("", "/contracts/example", "/contracts"),
        ("/queues/plain", "/queues/plain/invite", "/queues/plain"),
        ("", "/queues/plain/invite", "/queues/plain"),
        ("/ask", "/ask", "/ask"),
    ],
)
def test_the_language_is_switched_on_the_answer_to_a_form(reading, form, address, back):
    """It leads to the page that holds the form, or to the nearest one above, and never to an address for forms alone."""
    owner = reading()
    owner.sign_in()
    sent = {"accept": "text/html"} | ({"referer": f"http://localhost{form}"} if form else {})
    answer = owner.client.post(address, data={"csrf": owner.csrf("/runs")}, headers=sent)
    here = html.unescape(re.search(r'name="next" value="([^"]*)"', answer.text)[1])
    chosen = owner.post("/language", {"language": "ru", "next": here}, form="/runs", follow_redirects=False)
    assert chosen.headers["location"] == back
    assert owner.get(back).status_code == 200


def test_another_sites_address_is_no_way_back(owner):
    """Of a referrer that is not ours nothing is taken."""
    sent = {"accept": "text/html", "referer": "http://elsewhere.example/runs"}
    page = owner.client.post("/people", data={"csrf": owner.csrf("/people"), "role": "viewer"}, headers=sent).text
    assert 'name="next" value="/people"' in page


def test_wrong_tries_for_one_name_lock_out_nobody_else(visit, owner):
    """Behind a proxy all have one address: ten wrong tries of one name end at that name, however it is spelt."""
    token = owner.add("Anna", "reviewer")
    for number in range(10):
        assert visit().sign_in("Anna", f"guess {number}").status_code == 403
    assert visit().sign_in("ANNA ", token).status_code == 429
    assert visit().sign_in().status_code == 303


def test_an_address_that_tries_name_after_name_has_to_wait(visit):
    """Each try costs a scrypt: a hundred of them in five minutes are enough for everybody behind one address."""
    stranger = visit()
    found = [stranger.sign_in(f"name {number}", "guess").status_code for number in range(101)]
    assert found == [403] * 100 + [429]


def test_a_link_turns_nobody_into_somebody_else_unasked(visit, owner):
    """Who is signed in stays so until they say that they mean to leave."""
    token = owner.add("David", "reviewer")
    answer = owner.sign_in("David", token)
    assert answer.status_code == 409
    assert "owner" in answer.text
    assert owner.get("/people").status_code == 200
    assert 'name="instead"' in owner.get("/sign-in").text
    assert owner.sign_in("David", token, instead="owner").status_code == 303
    assert owner.get("/people").status_code == 403


def test_a_copied_cookie_ends_with_the_session(visit, owner):
    """Signing out ends the session on the server, and no other one of the same person."""
    kept = owner.client.cookies["benchbar_session"]
    elsewhere = visit()
    elsewhere.sign_in()
    owner.post("/sign-out")
    thief = visit()
    thief.client.cookies.set("benchbar_session", kept)
    assert thief.get("/runs", follow_redirects=False).status_code == 303
    assert elsewhere.get("/runs").status_code == 200


@pytest.mark.parametrize("name", ["Owner", "оwner", "ＯＷＮＥＲ", "0wner", "ówner", "οwner"])
def test_a_name_that_looks_like_another_is_refused(owner, name):
    """Letters of other alphabets, other widths, accents and capitals make no new name of one that is there."""
    answer = owner.post("/people", {"name": name, "role": "viewer"}, form="/people")
    assert answer.status_code == 400
    assert "owner" in answer.text


def test_the_list_of_addresses_is_for_the_owner(visit, owner):
    """A stranger and a viewer learn nothing of the app's inside."""
    viewer = visit()
    viewer.sign_in("Vera", owner.add("Vera", "viewer"))
    assert visit().client.get("/openapi.json").status_code == 401
    assert viewer.client.get("/openapi.json").status_code == 403
    assert "/people" in owner.client.get("/openapi.json").json()["paths"]


def test_nobody_else_on_the_machine_reads_the_database(owner, runs):
    """It holds what cookies are signed with."""
    kept = runs / ".benchbar" / "web.sqlite"
    assert kept.stat().st_mode & 0o077 == 0
