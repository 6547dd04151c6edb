"""What is reported: from marks to values, from values to estimates."""
