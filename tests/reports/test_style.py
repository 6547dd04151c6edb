"""Text in the report can be read: WCAG AA contrast of every pair of colours that meet, in light and dark."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = (files("benchbar.reports") / "templates" / "report.css").read_text("utf-8")
VARIABLE = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6})")
TEXT = 4.5
GRAPHICS = 3.0


def _themes() -> dict[str, dict[str, str]]:
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
    base = dict(VARIABLE.findall(light))
    return {"light": base, "dark": base | dict(VARIABLE.findall(dark))}


def _luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT_ON = {
    "ink": ("paper", "panel", "better", "worse", "tied", "undefined", "mark-good", "mark-part", "mark-bad"),
    "muted": ("paper", "panel"),
    "link": ("paper", "panel"),
    "bad": ("paper", "panel"),
    "good": ("paper", "panel"),
    "warn": ("paper", "panel"),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_the_contrast_of_wcag_aa(theme):
    """4.5 to 1 for text on each ground that it stands on."""
    colors = _themes()[theme]
    for text, grounds in TEXT_ON.items():
        for ground in grounds:
            assert _contrast(colors[text], colors[ground]) >= TEXT, (text, ground)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_have_the_contrast_of_graphics(theme):
    """3 to 1 for bars, points and the standing of a candidate against their ground."""
    colors = _themes()[theme]
    for name in ("better-strong", "worse-strong", "tied-strong", *(f"series-{number}" for number in range(1, 9))):
        assert _contrast(colors[name], colors["panel"]) >= GRAPHICS, name
