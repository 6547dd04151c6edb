"""Marks what was said: by rules, by a judge model, by people."""
