"""The web app: runs, samples side by side, and what people do with them, in a browser."""
