"""Protocols of other benchmarks replayed as they were published, with what our statistics say of the outcome."""
