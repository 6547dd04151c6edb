"""Benchbar: put a legal AI before the bench, and hold it to the bar."""

__version__ = "0.1.0"
