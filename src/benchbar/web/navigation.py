"""All areas of the app, in the order of the navigation; those of plugins stand before people and access."""

from __future__ import annotations

from typing import cast

from benchbar.records.plugins import known
from benchbar.web import (
    access,
    annotate,
    ask_pages,
    comparing,
    contract_pages,
    decision_page,
    deleting,
    giving,
    more_marks,
    new_run,
    notes,
    oidc_sign_in,
    owner_review,
    passages_page,
    people_pages,
    picking,
    practice_keys,
    practice_pages,
    question_pages,
    review_pages,
    reviewer_page,
    run_control,
    runs,
    samples,
    written_pages,
)
from benchbar.web.area import Area

AREAS: tuple[Area, ...] = (
    # Before the pages of runs: /runs/NAME/spec.toml and such are no samples.
    run_control.AREA,
    more_marks.AREA,
    decision_page.AREA,
    deleting.AREA,
    runs.AREA,
    notes.AREA,
    new_run.AREA,
    samples.AREA,
    picking.AREA,
    giving.AREA,
    comparing.AREA,
    practice_pages.AREA,
    review_pages.AREA,
    question_pages.AREA,
    owner_review.AREA,
    practice_keys.AREA,
    passages_page.AREA,
    ask_pages.AREA,
    contract_pages.AREA,
    annotate.AREA,
    written_pages.AREA,
    # Before people and access, whose entries end the navigation; after ours, so that no plugin is the first
    # page.
    *(cast("Area", point.load()) for point in known("pages").values()),
    people_pages.AREA,
    reviewer_page.AREA,
    access.AREA,
    oidc_sign_in.AREA,
)
