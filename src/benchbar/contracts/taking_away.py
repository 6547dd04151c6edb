"""Every file that a review can be taken away as, written into one folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchbar.records.errors import BenchbarError

if TYPE_CHECKING:
    from benchbar.contracts.reviewing import ContractReview

COMMENTED = "reviewed.docx"
"""The contract with a comment at the words of each finding."""
PROPOSED = "proposals.docx"
"""The same, with the proposals as tracked changes."""
COMPARED = "changes.docx"
"""An earlier version with all changes to this one tracked."""
PAGE = "review.html"
DOCUMENT = "review.json"


def write_all(review: ContractReview, folder: Path, *, two_files: bool) -> ContractReview:
    """The review, written in every form that it has: proposals where there are some, changes where two files were compared.

    A document that cannot be written with tracked changes is left out, and a warning of the review that comes back says why.
    """
    review.save(folder / COMMENTED)
    if any(not one.refused for one in review.report.proposals):
        review = _tried(review, folder / PROPOSED)
    if two_files and review.compared:
        review = _tried(review, folder / COMPARED)
    review.save(folder / PAGE)
    review.save(folder / DOCUMENT)
    return review


def _tried(review: ContractReview, path: Path) -> ContractReview:
    import dataclasses

    try:
        if path.name == COMPARED:
            review.save_comparison(path)
        else:
            review.save(path, tracked=True)
    except BenchbarError as error:
        # The findings are right all the same, and whoever waits for them should have them.
        noted = (*review.report.warnings, f"{path.name} was not written: {error}")
        return dataclasses.replace(review, report=msgspec.structs.replace(review.report, warnings=noted))
    return review
