"""Rubrics as files: dimensions that rules decide, that a judge decides, or that both do."""

from benchbar.scoring.rubrics.apply import GRADE, apply, overall
from benchbar.scoring.rubrics.rubric import CONDITIONS, Rubric, bundled, read_rubric
from benchbar.scoring.rubrics.subject import Subject
from benchbar.scoring.rubrics.trace import Trace, read_trace

__all__ = [
    "CONDITIONS",
    "GRADE",
    "Rubric",
    "Subject",
    "Trace",
    "apply",
    "bundled",
    "overall",
    "read_rubric",
    "read_trace",
]
