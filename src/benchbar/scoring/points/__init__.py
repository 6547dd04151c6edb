"""Rule matchers: one for each kind of guidance point; what they cannot decide they leave."""

from benchbar.scoring.points.mark import VERSION, mark_points
from benchbar.scoring.weighing import Weighing, weigh

__all__ = ["VERSION", "Weighing", "mark_points", "weigh"]
