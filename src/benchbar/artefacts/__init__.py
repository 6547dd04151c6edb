"""The run folder: its files, written and read."""
