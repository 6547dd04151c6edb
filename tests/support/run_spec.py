"""A run whose simulator, assistants and judge are all behind one chat server."""

from __future__ import annotations

from pathlib import Path

SPEC = """
suite = "{suite}"
reference = "base"
seed = 7
{extra}
[simulator]
kind = "llm"
model = "sim"
base_url = "{url}"
price = {{ input = 0, output = 0 }}

[assistants.base]
kind = "openai"
model = "weak-a"
base_url = "{url}"
params = {{ temperature = 0.2 }}
price = {{ input = 0.5, output = 1.5 }}

[assistants.candidate]
kind = "openai"
model = "strong-b"
base_url = "{url}"
price = {{ input = 0.5, output = 1.5 }}

[judge]
kind = ["pairwise", "checklist"]
model = "judge"
base_url = "{url}"
price = {{ input = 0, output = 0 }}

[limits]
concurrency = {concurrency}
{limits}
"""


def spec(
    folder: Path,
    server,
    *,
    suite: str = "model-jurisdiction-zh",
    extra: str = "limit = 22",
    concurrency: int = 16,
    limits: str = "",
) -> str:
    text = SPEC.format(url=server.base_url, suite=suite, extra=extra, concurrency=concurrency, limits=limits)
    (folder / "spec.toml").write_text(text, "utf-8")
    return "spec.toml"
