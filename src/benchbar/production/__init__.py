"""Traces of a live assistant: sampled, masked, watched week by week, and turned into samples by people."""
