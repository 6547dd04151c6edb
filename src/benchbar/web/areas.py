"""All areas of the app, in the order of the navigation."""

from __future__ import annotations

from benchbar.web import access, annotate, answering, comparing, people_pages, runs, samples, surveys
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    runs.AREA,
    samples.AREA,
    comparing.AREA,
    annotate.AREA,
    surveys.AREA,
    answering.AREA,
    people_pages.AREA,
    access.AREA,
)
