"""Says what a run found: terminal, HTML, Markdown, CSV, LaTeX, JSON."""
