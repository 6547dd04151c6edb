"""Claims held against articles by a model of natural language inference, at an endpoint or in a local folder."""
