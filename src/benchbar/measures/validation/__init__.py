"""Is the judge, and is the simulated user, to be believed: read from the records of a run, with nothing prepared by hand."""
