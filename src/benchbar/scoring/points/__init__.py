"""Rule matchers: one for each kind of guidance point; what they cannot decide they leave."""

from benchbar.scoring.points.measured import LEAST, Measured, Precision, measured
from benchbar.scoring.points.rules import VERSION, Rules, mark_points
from benchbar.scoring.weighing import Weighing, weigh

__all__ = ["LEAST", "VERSION", "Measured", "Precision", "Rules", "Weighing", "mark_points", "measured", "weigh"]
