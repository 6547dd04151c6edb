"""What is decided on results: policy, gate, evidence, regression."""
