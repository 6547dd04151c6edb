"""Does the article say that: a claim held against the article that it cites."""
