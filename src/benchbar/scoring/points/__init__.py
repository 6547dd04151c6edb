"""Rule matchers: one for each kind of guidance point; what they cannot decide they leave."""

from benchbar.scoring.points.measured import Measured, Precision, is_unsaid, measured, row_of
from benchbar.scoring.points.rules import VERSION, Rules, mark_points
from benchbar.scoring.weighing import Weighing, weigh

__all__ = [
    "VERSION",
    "Measured",
    "Precision",
    "Rules",
    "Weighing",
    "is_unsaid",
    "mark_points",
    "measured",
    "row_of",
    "weigh",
]
