"""All areas of the app, in the order of the navigation."""

from __future__ import annotations

from benchbar.web import access, owner_review, people_pages, review_pages, runs
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    runs.AREA,
    review_pages.AREA,
    owner_review.AREA,
    people_pages.AREA,
    access.AREA,
)
