"""Agents: assistants that get a folder of documents and tools, and leave files."""
