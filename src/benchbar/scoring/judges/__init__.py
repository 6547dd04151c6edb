"""Judge models: two dialogues compared, points marked one by one, a dialogue graded by criteria, the simulated user checked."""

from benchbar.scoring.judges.checklist import Checklist
from benchbar.scoring.judges.fidelity import Fidelity
from benchbar.scoring.judges.grade import Grade
from benchbar.scoring.judges.pairwise import Pairwise

__all__ = ["Checklist", "Fidelity", "Grade", "Pairwise"]
