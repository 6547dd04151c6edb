"""Makes the pictures of the pages from real runs, in a real Chromium: ``python scripts/make_screenshots.py [NAME…]``.

They are kept in ``docs/images``, since readers of the pages have no Chromium at hand. Fonts differ between machines, so nothing
compares them byte for byte; make them anew when the pages they show have changed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
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


def main() -> None:
    """Make those that are named, or all."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit("no Chromium on this machine: install chromium, then run this again")
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for name in sys.argv[1:] or PICTURES:
            with tempfile.TemporaryDirectory() as folder:
                (IMAGES / f"{name}.png").write_bytes(
                    shot(PICTURES[name], report(PICTURES[name], Path(folder)), browser)
                )
        browser.close()


if __name__ == "__main__":
    main()
