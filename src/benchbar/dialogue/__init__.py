"""Simulated users, and the loop in which they talk with an assistant."""

from benchbar.dialogue.agenda import AgendaUser
from benchbar.dialogue.llm_user import ModelUser
from benchbar.dialogue.loop import Protocol, hold, total_usage

__all__ = ["AgendaUser", "ModelUser", "Protocol", "hold", "total_usage"]
