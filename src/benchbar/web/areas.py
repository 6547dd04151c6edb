"""All areas of the app, in the order of the navigation."""

from __future__ import annotations

from benchbar.web import (
    access,
    annotate,
    answering,
    ask_pages,
    comparing,
    contract_pages,
    owner_review,
    people_pages,
    review_pages,
    runs,
    samples,
    surveys,
)
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    runs.AREA,
    samples.AREA,
    comparing.AREA,
    review_pages.AREA,
    owner_review.AREA,
    ask_pages.AREA,
    contract_pages.AREA,
    annotate.AREA,
    surveys.AREA,
    answering.AREA,
    people_pages.AREA,
    access.AREA,
)
