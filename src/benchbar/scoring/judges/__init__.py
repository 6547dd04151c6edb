"""Judge models: two dialogues compared, or guidance points marked one by one."""

from benchbar.scoring.judges.checklist import Checklist
from benchbar.scoring.judges.pairwise import Pairwise

__all__ = ["Checklist", "Pairwise"]
