"""All areas of the app, in the order of the navigation."""

from __future__ import annotations

from benchbar.web import access, answering, people_pages, runs, surveys
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    runs.AREA,
    surveys.AREA,
    answering.AREA,
    people_pages.AREA,
    access.AREA,
)
