"""Real helpers shared by tests: servers and small data, no mocks."""
