"""Finding the passages of law and practice that bear on a question."""
