"""The documentation's site is whole, needs no other host, and can be searched from a folder."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.browsing import started
from support.pages import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import make_site

LANGUAGES = {
    "index.html": "en",
    "README.zh-CN.html": "zh",
    "README.ru.html": "ru",
    "docs/gate.html": "en",
    "docs/zh/tutorial.html": "zh",
    "docs/ru/tutorial.html": "ru",
}
pytest.importorskip("zensical", reason="`make docs` installs what builds the site")


@dataclass
class Page(HTMLParser):
    """What a page links to and loads, and the places in it that can be linked to."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    language: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "html":
            self.language = given["lang"]
        self.anchors.update(filter(None, (given.get("id"), given.get("name"))))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif target := given.get("src") or (given.get("href") if tag == "link" else None):
            self.loaded.append(target)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The folder of the site as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(ROOT / "scripts" / "make_site.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "html").resolve()


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    """Every page of the site by its file; the one for addresses that do not exist is made for a server's root."""
    read: dict[Path, Page] = {}
    for file in site.rglob("*.html"):
        if file.name != "404.html":
            read[file] = Page()
            read[file].feed(file.read_text("utf-8"))
    return read


def test_every_link_and_anchor_is_there(site, pages):
    """Also links to files that are no pages, and those that the theme makes."""
    assert len(pages) > 100
    dead = set()
    for file, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            found = target.is_file() and target.is_relative_to(site)
            if not found or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
            ):
                dead.add(f"{file.relative_to(site)}: {link}")
    assert not dead


def test_nothing_is_loaded_from_another_host(pages):
    """No font, script, style or picture: the site works where there is no network."""
    assert [one for page in pages.values() for one in page.loaded if urlsplit(one).netloc] == []


def test_every_page_is_in_the_navigation_or_in_a_list_of_its_own(site, pages):
    """Errors are listed in the page on troubleshooting, descriptions of data beside it in pages on their figures."""
    index = site / "index.html"
    reached = {(index.parent / unquote(urlsplit(link).path)).resolve() for link in pages[index].links}
    left = {str(file.relative_to(site)) for file in pages if file not in reached}
    assert {name for name in left if not name.startswith(("docs/errors/", "examples/", "benchmarks/"))} == set()


def test_a_page_says_its_own_language(site, pages):
    """Screen readers and fonts follow it."""
    assert {name: pages[site / name].language for name in LANGUAGES} == LANGUAGES


def test_a_link_to_nowhere_ends_the_build(tmp_path):
    """A page, or a heading in it, that is not there."""
    make_site.gather(tmp_path / "site")
    (tmp_path / "site" / "pages" / "docs" / "gate.md").write_text("# Gate\n\n[x](run.md#no-such-heading)\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--strict",
        "--config-file",
        str(tmp_path / "site" / "mkdocs.yml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0


@pytest.mark.parametrize("words", ["评测集格式", "undecided"])
def test_the_search_works_from_a_folder(site, words):
    """Chinese is searched by words though nothing stands between them."""
    with started() as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        page.goto((site / "docs" / "gate.html").as_uri())
        page.get_by_role("button", name="Search").first.click()
        page.keyboard.type(words)
        found = page.get_by_text(re.compile(r"^\d+ results?$"))
        found.wait_for()
        assert int(found.inner_text().split()[0]) > 0
        assert [url for url in asked if url.startswith("http")] == []
