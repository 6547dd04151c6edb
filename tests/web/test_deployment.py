"""The page of deployment: its unit, its container, its proxies and its backup do what it says."""

from __future__ import annotations

import http.client
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from benchbar.cli.serve import command as serve
from support.browsing import serving
from support.pages import ROOT, blocks
from web.conftest import OWNER_TOKEN

PAGE = ROOT / "docs" / "deployment.md"
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text("utf-8")


def shown(language: str, name: str) -> str:
    """The file that the page shows under this name."""
    return next(one for one in blocks(PAGE, language) if one.startswith(f"# {name}"))


def unit(place: Path) -> Path:
    """The unit, with a program that is here in the place of the one that is installed there."""
    text = shown("ini", "/etc/systemd/system/benchbar.service")
    file = place / "benchbar.service"
    file.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE), "utf-8")
    return file


def said_by(name: str, *arguments: str) -> str:
    """What a program prints that has to end well; where it is not installed, the test is skipped."""
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{name} is not on this machine")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_systemd_takes_the_unit(tmp_path):
    """Every line is known to systemd, in its section and with a value that it takes."""
    found = said_by("systemd-analyze", "verify", "--man=no", str(unit(tmp_path)))
    assert "Unknown" not in found
    assert "ignoring" not in found.lower()


def test_the_unit_leaves_little_open(tmp_path):
    """By systemd's own reckoning, from 0 (nothing) to 10: at most 2.0, where an unhardened service has 9.6."""
    found = said_by("systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20", str(unit(tmp_path)))
    assert "Overall exposure level" in found


def calls() -> dict[str, list[str]]:
    """Arguments of `benchbar` where the page and its files start it."""
    start = re.search(
        r"^ExecStart=\S+/benchbar (.*)$", shown("ini", "/etc/systemd/system/benchbar.service"), re.MULTILINE
    )
    run = next(one for block in blocks(PAGE, "console") for one in block.split("$ ") if one.startswith("docker run"))
    words = shlex.split(run.replace("\\\n", " "))
    default = re.search(r"^CMD (\[.*\])$", CONTAINER, re.MULTILINE)
    return {
        "unit": shlex.split(start[1]),
        "docker run": words[words.index("benchbar:local") + 1 :],
        "container": re.findall(r'"([^"]*)"', default[1]),
    }


@pytest.mark.parametrize("where", ["unit", "docker run", "container"])
def test_the_program_takes_the_arguments(where):
    """Each option is one of `benchbar serve`, with a value of its kind."""
    name, *arguments = calls()[where]
    assert name == "serve"
    assert serve.make_context("serve", arguments).params["runs"] == Path("runs")


def test_the_image_holds_what_the_package_is_made_from_and_nothing_else():
    """No history, no runs, no tests; whoever runs in it is not root and may be told so by number."""
    sources = [one.split()[:-1] for one in re.findall(r"^COPY (?!--from)(.*)$", CONTAINER, re.MULTILINE)]
    copied = {name for line in sources for name in line}
    package = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    build = package["tool"]["hatch"]["build"]["targets"]["wheel"]
    wanted = [
        *build["packages"],
        *build["force-include"],
        package["project"]["readme"],
        "requirements",
        "pyproject.toml",
    ]
    for name in wanted:
        assert any(name == one or name.startswith(f"{one}/") for one in copied), name
    assert all((ROOT / name).exists() for name in copied)
    assert "." not in copied
    stage = CONTAINER.rsplit("FROM ", 1)[1]
    assert re.search(r"^USER 10001:10001$", stage, re.MULTILINE)
    assert "BENCHBAR_OWNER_TOKEN=" not in CONTAINER


def test_proxies_set_the_headers_and_hand_on_none():
    """A browser that claims another address is not believed by way of the proxy."""
    nginx = shown("nginx", "/etc/nginx/conf.d/benchbar.conf")
    given = dict(re.findall(r"proxy_set_header (\S+) (\S+);", nginx))
    assert given == {"Host": "$host", "X-Forwarded-For": "$remote_addr", "X-Forwarded-Proto": "$scheme"}
    # Caddy sets both by itself, and trusts nobody's unless told to.
    assert "trusted_proxies" not in shown("caddyfile", "/etc/caddy/Caddyfile")


def test_nginx_takes_its_file(tmp_path):
    """With a certificate made for the test."""
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=bench.example.org", "-days", "1"]
    said_by("openssl", *made, "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "crt"))
    text = shown("nginx", "/etc/nginx/conf.d/benchbar.conf")
    text = re.sub(r"/etc/ssl/private/\S+(?=;)", str(tmp_path / "key"), text)
    text = re.sub(r"/etc/ssl/bench\S+(?=;)", str(tmp_path / "crt"), text)
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n", "utf-8")
    assert "test is successful" in said_by("nginx", "-t", "-c", str(whole))


def test_caddy_takes_its_file(tmp_path):
    """As it stands on the page."""
    (tmp_path / "Caddyfile").write_text(shown("caddyfile", "/etc/caddy/Caddyfile"), "utf-8")
    found = said_by("caddy", "validate", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile"))
    assert "Valid configuration" in found


class Line:
    """A browser, or a proxy, at an address of its own."""

    def __init__(self, link: str, source: str) -> None:
        self._port, self._source = int(re.search(r":(\d+)/", link)[1]), source

    def asked(self, method: str, path: str, headers: dict[str, str], body: str = "") -> tuple[int, str, str]:
        """Status, cookie and text of an answer."""
        # One connection for each request: the server closes those that are idle for seconds.
        made = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120, source_address=(self._source, 0))
        with closing(made) as connection:
            connection.request(method, path, body or None, {"host": "127.0.0.1", **headers})
            answer = connection.getresponse()
            return answer.status, answer.getheader("set-cookie", ""), answer.read().decode()

    def signed_in(self, forwarded: dict[str, str], name: str = "owner", token: str = OWNER_TOKEN) -> tuple[int, str]:
        """Status and cookie after an attempt to sign in."""
        _, cookie, text = self.asked("GET", "/sign-in", {"accept": "text/html", **forwarded})
        csrf = re.search(r'name="csrf" value="(\w+)"', text)[1]
        headers = {"content-type": "application/x-www-form-urlencoded", "cookie": cookie.partition(";")[0]}
        body = urlencode({"csrf": csrf, "name": name, "token": token})
        status, given, _ = self.asked("POST", "/sign-in", {**headers, **forwarded}, body)
        return status, given


def test_forwarding_headers_count_from_the_named_proxy_alone(tmp_path):
    """From it the browser's address and TLS; from anybody else, and through it from a browser, nothing."""
    (tmp_path / "runs").mkdir()
    with serving(tmp_path / "runs", "--proxy", "127.0.0.2", token=OWNER_TOKEN) as link:
        proxy, stranger = Line(link, "127.0.0.2"), Line(link, "127.0.0.1")
        tls = {"x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https"}
        status, cookie = proxy.signed_in(tls)
        assert status == 303
        assert "; secure" in cookie.lower()
        assert "; secure" not in stranger.signed_in(tls)[1].lower()
        # Ten guesses, each from another address that the browser made up, are ten from one address.
        found = [
            stranger.signed_in({"x-forwarded-for": f"203.0.113.{number}"}, token="guess")[0] for number in range(11)
        ]
        assert found == [403] * 10 + [429]
        # What a browser puts before the address that an appending proxy adds is not believed either.
        chained = [
            proxy.signed_in({"x-forwarded-for": f"203.0.113.{number}, 198.51.100.9"}, token="guess")[0]
            for number in range(11)
        ]
        assert chained == [403] * 10 + [429]
        assert proxy.signed_in({"x-forwarded-for": "198.51.100.8"})[0] == 303
        _, _, log = proxy.asked("GET", "/log", {"cookie": cookie.partition(";")[0], "accept": "text/html"})
    assert "198.51.100.7" in log
    assert "203.0.113." not in log


def test_a_restored_backup_is_the_app_of_before(apps, runs, tmp_path):
    """People, roles, log and sessions of the moment at which the folder was copied."""
    owner = apps(runs)()
    owner.sign_in()
    token = owner.add("Ann", "reviewer")
    kept = owner.client.cookies["benchbar_session"]
    apps.close()
    apps.apps.clear()
    with tarfile.open(tmp_path / "backup.tar.gz", "w:gz") as archive:
        archive.add(runs, arcname="runs")
    shutil.rmtree(runs)
    with tarfile.open(tmp_path / "backup.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    visit = apps(runs)
    ann, later = visit(), visit()
    assert ann.sign_in("Ann", token).status_code == 303
    later.client.cookies.set("benchbar_session", kept)
    assert "added a person" in later.get("/log").text
