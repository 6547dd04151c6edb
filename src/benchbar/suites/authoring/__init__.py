"""From an empty folder to a suite: layout, samples from documents, guidance by several annotators."""
