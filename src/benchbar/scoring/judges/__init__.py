"""Judge models: two dialogues compared, guidance points marked one by one, or a dialogue graded by written criteria."""

from benchbar.scoring.judges.checklist import Checklist
from benchbar.scoring.judges.grade import Grade
from benchbar.scoring.judges.pairwise import Pairwise

__all__ = ["Checklist", "Grade", "Pairwise"]
