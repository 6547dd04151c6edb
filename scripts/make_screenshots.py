"""Makes the pictures of the pages from real runs, in a real Chromium: ``python scripts/make_screenshots.py [NAME…]``.

They are kept in ``docs/images``, since readers of the pages have no Chromium at hand. Fonts differ between machines, so nothing
compares them byte for byte; make them anew when the pages they show have changed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from shutil import which

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Picture:
    """The top of a run's report."""

    language: str
    """Of the page's words; the run is the one that needs no model."""
    height: int = 640
    """Pixels."""
    width: int = 1000


PICTURES = {
    "report-en": Picture("en"),
    "report-zh": Picture("zh"),
}


def made(picture: Picture, folder: Path, browser: str) -> bytes:
    """The picture as PNG."""
    for words in (("run", "--out", "run", "--quiet"), ("report", "run", "--language", picture.language)):
        subprocess.run([sys.executable, "-m", "benchbar", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    shot = folder / "shot.png"
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=5000")
    page = (folder / "run" / "report.html").as_uri()
    window = f"--window-size={picture.width},{picture.height}"
    subprocess.run([browser, *flags, window, f"--screenshot={shot}", page], check=True, capture_output=True)
    return shot.read_bytes()


def main() -> None:
    """Make those that are named, or all."""
    browser = next(filter(None, map(which, BROWSERS)), None)
    if browser is None:
        sys.exit("no Chromium on this machine: install chromium, then run this again")
    IMAGES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            (IMAGES / f"{name}.png").write_bytes(made(PICTURES[name], Path(folder), browser))


if __name__ == "__main__":
    main()
