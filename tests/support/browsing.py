"""A real browser before a real server, for tests of pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import forked

# The shell without a window opens a page for a quarter of what the whole browser takes.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
PATIENCE = 180
"""Seconds: a busy machine takes tens of seconds for a page."""
OFF = (
    # What Playwright turns off, said again: of two such options the browser heeds the last.
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,"
    "MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,"
    "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    # A page of the address bar's own and a process in reserve for each window: half of what opening a tab costs.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
)
"""Parts of the browser that no test looks at."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--disable-features={OFF}"]


def violations(page, **options: object) -> list[dict]:
    """What axe finds wrong on a page: its violations alone, for handing over all that is right costs more than the search."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    page.evaluate(f"if (!window.axe) {{ {axe.AXE_SCRIPT} }}")
    return page.evaluate(
        "options => axe.run(options).then(found => found.violations)", {"resultTypes": ["violations"], **options}
    )


@contextmanager
def serving(runs: Path, *options: str, folder: Path | None = None, token: str = "") -> Iterator[str]:
    """The owner's link to `benchbar serve` over a folder of runs; with a token that the owner chose, it is not in the link."""
    environment = {name: value for name, value in os.environ.items() if name != "BENCHBAR_OWNER_TOKEN"}
    environment["PYTHONUNBUFFERED"] = "1"
    if token:
        environment["BENCHBAR_OWNER_TOKEN"] = token
    words = ("serve", str(runs), "--port", "0", *options)
    with forked.started(*words, stdout=subprocess.PIPE, env=environment, cwd=folder) as server:
        try:
            yield re.search(r"http://\S+", server.stdout.readline())[0]
        finally:
            server.terminate()


@contextmanager
def started() -> Iterator[object]:
    """A browser; the test is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def watched(context):
    """A new tab whose errors and dialogs are gathered in ``complaints``; every wait of it and of its neighbours is for a state, and
    ends in any case after minutes.
    """
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda one: page.complaints.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda one: page.complaints.append(str(one)))
    page.on("dialog", lambda one: (page.complaints.append(f"dialog {one.message}"), one.dismiss()))
    return page
