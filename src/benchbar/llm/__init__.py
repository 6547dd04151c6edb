"""The one door to chat models: an OpenAI-compatible client behind ledger, budget and an adaptive limiter."""

from benchbar.llm.budget import Budget
from benchbar.llm.door import Door
from benchbar.llm.endpoint import Endpoint, Price
from benchbar.llm.limiter import AdaptiveLimiter
from benchbar.llm.model import ChatModel

__all__ = ["AdaptiveLimiter", "Budget", "ChatModel", "Door", "Endpoint", "Price"]
