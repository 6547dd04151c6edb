"""Answers from retrieved passages, measured by the definitions of RAGAS (Es et al., 2024) with a judge model."""

from benchbar.scoring.rag.judge import RagJudge
from benchbar.scoring.rag.similarity import Similarity, TermSimilarity

__all__ = ["RagJudge", "Similarity", "TermSimilarity"]
