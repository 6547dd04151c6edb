"""Makes pictures in a real Chromium: ``python scripts/make_screenshots.py [NAME…]`` those of the README, from real runs.

They are kept in ``docs/images``, since readers of the pages have no Chromium at hand. Fonts differ between machines, so nothing
compares them byte for byte; make them anew when the pages they show have changed.

``python scripts/make_screenshots.py --pages FOLDER`` makes one of every page of the web app instead, in three languages, on a desktop
and on a phone, to be looked at by people; what a program can see is printed: pages that scroll sideways, errors of scripts, boxes
without content.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.every_page import Bench, bench  # noqa: E402 - the path to it is set above

IMAGES = ROOT / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DEMO = ("run", "--quiet", "--out", "run")
VENDOR = ("start", "vendor.xlsx", "--out", "run", "--judge", "judge-model", "--base-url", "URL")
"""The tutorial's command; the judge is the fixed one of the tests, so that the figures are those of the page."""


@dataclass(frozen=True)
class Picture:
    """The top of a run's report."""

    command: tuple[str, ...] = DEMO
    """What makes the run."""
    language: str = "en"
    """Of the page's words."""
    height: int = 640
    """Pixels."""
    width: int = 1000


PICTURES = {
    "report-en": Picture(),
    "report-zh": Picture(language="zh"),
    "report-ru": Picture(language="ru"),
    "vendor-report": Picture(VENDOR, height=330),
}


@contextmanager
def judge() -> Iterator[str]:
    """The address of a judge that marks by fixed rules."""
    script = ROOT / "tests" / "support" / "chat_server.py"
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as server:
        yield f"http://127.0.0.1:{server.stdout.readline().strip() if server.stdout else 0}/v1"
        server.terminate()


def report(picture: Picture, folder: Path) -> Path:
    """The page, made by commands as a user types them."""
    shutil.copy(ROOT / "examples" / "vendor.xlsx", folder)
    with judge() as address:
        made = [address if word == "URL" else word for word in picture.command]
        for words in (made, ("report", "run", "--language", picture.language)):
            # 3 and 4 are decisions, not failures.
            done = subprocess.run(
                [sys.executable, "-m", "benchbar", *words], cwd=folder, stdout=subprocess.DEVNULL, check=False
            )
            if done.returncode not in {0, 3, 4}:
                sys.exit(f"benchbar {' '.join(words)}: exit code {done.returncode}")
    return folder / "run" / "report.html"


def shot(picture: Picture, page: Path, browser: Browser) -> bytes:
    """The picture as PNG."""
    tab = browser.new_page(viewport={"width": picture.width, "height": picture.height})
    tab.goto(page.as_uri())
    return tab.screenshot()


LANGUAGES = {"zh": "zh-CN", "ru": "ru-RU", "en": "en-US"}
SIZES = {1280: 800, 360: 740}
"""Width to height of a laptop's and of a phone's window, in pixels."""
LONGEST = 2600
"""Pixels of a page that are shown: enough to see how it is made, and little enough to be looked at beside others."""
ANSWERED = {
    "ask answered": ("/ask", "form.example button", ".answer"),
    "contract reviewed": ("/contracts", "form.example button", ".clause"),
    "answers picked": ("/runs/lease/samples", "button[name=every]", ".told"),
}
"""Pages that follow a form: where it stands, what is clicked, and what then appears."""
FAULTS = """() => {
  const said = [];
  const over = document.documentElement.scrollWidth - innerWidth;
  const inside = (one) => one.closest(".scroll, .columns, pre, .kinds, .switch, .skip");
  if (over > 0) {
    const wide = [...document.querySelectorAll("main *, header *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !inside(one));
    said.push(`sideways by ${over}: ${wide.slice(0, 3).map((one) => one.tagName + "." + one.className).join(", ")}`);
  }
  for (const one of document.querySelectorAll("main :is(figure, .card, section, table, ul, ol, dl)")) {
    if (!one.textContent.trim() && !one.querySelector("input, textarea, select, img, svg") && one.offsetHeight) said.push(`empty ${one.tagName}.${one.className}`);
  }
  return said;
}"""


def every_page(folder: Path) -> None:
    """A picture of every page in every language and size, and a line for each fault that shows without looking."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, bench(Path(place)) as found, opened() as browser:
        for language, locale in LANGUAGES.items():
            for width, height in SIZES.items():
                tabs = {}
                for who in ("", "owner", "anna"):
                    window = {"width": width, "height": height}
                    tabs[who] = browser.new_context(viewport=window, locale=locale, base_url=found.base).new_page()
                    if who:
                        tabs[who].goto(found.people[who])
                        tabs[who].wait_for_url(lambda url: "/sign-in" not in url)
                for name, image in shots(found, tabs):
                    file = f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-') or 'first'}-{language}-{width}.png"
                    (folder / file).write_bytes(image)
                for tab in tabs.values():
                    tab.context.close()


def shots(found: Bench, tabs: dict[str, Page]) -> Iterator[tuple[str, bytes]]:
    """Name of each page and its picture."""
    said: list[str] = []
    for tab in tabs.values():
        tab.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        tab.on("pageerror", lambda one: said.append(str(one)))
    for name, who, path in found.pages():
        tab = tabs[who]
        tab.goto(path)
        yield name, looked_at(name, tab, said)
    for name, (path, button, then) in ANSWERED.items():
        tab = tabs["owner"]
        tab.goto(path)
        tab.locator(button).first.click()
        tab.locator(then).first.wait_for()
        yield name, looked_at(name, tab, said)


def looked_at(name: str, tab: Page, said: list[str]) -> bytes:
    """The picture of a tab; faults are printed."""
    size = tab.viewport_size or {"width": 0, "height": 0}
    for fault in (*tab.evaluate(FAULTS), *said):
        print(f"{name}, {size['width']} px, {tab.evaluate('document.documentElement.lang')}: {fault}")
    said.clear()
    tall = min(LONGEST, tab.evaluate("document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": size["width"], "height": max(tall, size["height"])}
    return tab.screenshot(full_page=True, clip=clip)


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("no Chromium on this machine: install chromium, then run this again")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def main() -> None:
    """Make those that are named, or all; or those of every page of the app."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}; all unless told otherwise")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="every page of the web app, into this folder")
    chosen = parser.parse_args()
    if chosen.pages:
        every_page(chosen.pages)
        return
    IMAGES.mkdir(exist_ok=True)
    with opened() as browser:
        for name in chosen.names or PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                (IMAGES / f"{name}.png").write_bytes(
                    shot(PICTURES[name], report(PICTURES[name], Path(folder)), browser)
                )


if __name__ == "__main__":
    main()
