"""Guidance as one annotator wrote it, before it is settled."""

from __future__ import annotations

from benchbar.records.base import Record
from benchbar.records.suites import Guidance


class Annotation(Record, frozen=True, kw_only=True):
    """What one annotator, or the one who adjudicates, wrote for one sample."""

    sample: str
    annotator: str
    guidance: Guidance
    content: str
    """Fingerprint of task, information and needs as the annotator saw them."""
    comment: str = ""
