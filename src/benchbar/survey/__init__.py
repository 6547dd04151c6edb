"""From what users want to a suite: questionnaires, their responses, and tasks rated by the same users."""
