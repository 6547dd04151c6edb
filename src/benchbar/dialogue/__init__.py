"""Simulated users, and the loop in which they talk with an assistant."""
