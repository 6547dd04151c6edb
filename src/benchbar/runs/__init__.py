"""Plans studies and runs them; assistants, simulators, scorers and stores come in as arguments."""
