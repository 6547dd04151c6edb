"""What a browser makes of the report; needs Chromium on the machine."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from support.page import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
    "--virtual-time-budget=8000",
    "--dump-dom",
]


@pytest.fixture(scope="module")
def opened(rules_run, tmp_path_factory):
    """The page after its scripts ran, and what the browser complained of."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    profile = tmp_path_factory.mktemp("profile")
    address = (rules_run.folder / "report.html").as_uri()
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", address],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def test_the_charts_are_drawn_under_the_policy(opened):
    """Each chart is there as SVG, and no script, style or request was refused."""
    dom, complaints = opened
    page = Page(dom)
    for place in page.all("div", class_="chart"):
        assert [one for one in page.all("svg") if place in one.parents], place.attributes["data-chart"]
    assert complaints == []


def test_hostile_replies_do_not_run(opened):
    """No element came of the markup in them."""
    page = Page(opened[0])
    assert not page.all("img")
    assert len(page.all("script")) == 3


def test_the_filters_are_offered_where_scripts_run(opened):
    """They count the samples from the start."""
    page = Page(opened[0])
    assert "hidden" not in page.by_id("filters").attributes
    assert "22 / 22" in page.by_id("shown").text
