"""Reads what the first visitor would have to wait for, before anybody comes."""

from __future__ import annotations

import logging

from benchbar.artefacts.layout import RunFolder
from benchbar.records.errors import BenchbarError
from benchbar.web import studies
from benchbar.web.config import Config
from benchbar.web.folders import law_of, names_in, results_of, suite_of
from benchbar.web.pages import environment
from benchbar.web.sample_index import index_file, index_of
from benchbar.web.word_index import make, searchable

LATEST = 20
"""Runs that are read in advance; older ones are when somebody opens them."""


def warm(config: Config) -> None:
    """Make the indexes of the latest runs, read their suites and law, and compile the templates."""
    for template in environment().list_templates():
        environment().get_template(template)
    # Older runs are read when somebody opens them; twenty take the time that a start may take.
    for name in names_in(config.runs)[:LATEST]:
        run = config.runs / name
        try:
            if RunFolder(run).results.is_file() and not studies.is_study(run):
                index_of(run, config.own, results_of(run))
                if searchable(run):
                    make(index_file(run, config.own), run)
                suite_of(config, run)
                law_of(config, run)
        except (BenchbarError, OSError) as error:
            # Whoever opens the run is told; the others are not kept from theirs.
            logging.getLogger(__name__).info("%s: %s", name, error)
