"""Readers for public sets, each a function from a path to a Suite, registered under ``benchbar.suites``."""
