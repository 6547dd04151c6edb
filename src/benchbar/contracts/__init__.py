"""Contracts: documents to clauses, risk rules, and the reviewer whose parts can be switched off one by one."""
