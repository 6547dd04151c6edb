"""Statutes and court decisions as a corpus; citations found, resolved and checked against it."""
