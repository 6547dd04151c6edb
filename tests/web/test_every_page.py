"""Pictures of every page: none is forgotten, since their addresses come from the routes of the app."""

from __future__ import annotations

import re

from support.every_page import FIELDS, NO_PAGES, STATES, Bench, routes


def test_every_page_of_the_app_has_an_address_that_can_be_filled():
    """A page with a field in its address that nothing fills would be in no picture: say in `Bench` what stands for it."""
    fields = {field for route in routes() for field in re.findall(r"\{(\w+)", route)}
    assert fields <= FIELDS
    pages = list(Bench("", values=dict.fromkeys((*FIELDS, "compared"), "x")).pages())
    assert {name for name, _, _ in pages} >= {*routes(), *STATES}
    assert not [path for _, _, path in pages if "{" in path]


def test_what_is_left_out_is_an_address_of_the_app():
    """A reason for a page that is gone would hide the next one of this address."""
    assert not set(NO_PAGES) & set(routes())
    assert len(routes()) > 30
