"""The one way to chat models: an OpenAI-compatible client behind ledger, budget and an adaptive limiter."""

from benchbar.clients.budget import Budget
from benchbar.clients.client import Client
from benchbar.clients.endpoint import Endpoint, Price
from benchbar.clients.limiter import AdaptiveLimiter
from benchbar.clients.model import ChatModel

__all__ = ["AdaptiveLimiter", "Budget", "ChatModel", "Client", "Endpoint", "Price"]
