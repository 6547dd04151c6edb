"""All areas of the app, in the order of the navigation."""

from __future__ import annotations

from benchbar.web import access, comparing, people_pages, runs, samples
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    runs.AREA,
    samples.AREA,
    comparing.AREA,
    people_pages.AREA,
    access.AREA,
)
