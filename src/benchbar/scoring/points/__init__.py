"""Rule matchers: one for each kind of guidance point; what they cannot decide they leave."""

from benchbar.scoring.points.measured import SILENCE, Measured, Precision, is_silence, measured
from benchbar.scoring.points.rules import VERSION, Rules, mark_points
from benchbar.scoring.weighing import Weighing, weigh

__all__ = [
    "SILENCE",
    "VERSION",
    "Measured",
    "Precision",
    "Rules",
    "Weighing",
    "is_silence",
    "mark_points",
    "measured",
    "weigh",
]
