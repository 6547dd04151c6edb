"""What became of commands and options that were changed; docs/migration.md says the same, and a test holds both equal."""

from __future__ import annotations

from collections.abc import Sequence

# Kept as long as scripts may have them: an unknown option alone would send people to the changelog.
COMMANDS = {"stats worth": "was renamed: use benchbar stats efficiency"}
"""Former command, without the program's name, with what became of it."""

_LAW = {"--corpus": "was renamed: use --law INDEX"}
_NO_CHANCE = "is not needed: nothing is drawn by chance here"
OPTIONS: dict[str, dict[str, str]] = {
    "run": {
        "--exchanges": "was moved into the spec: use --set exchanges=N",
        "--prompts": "was moved into the spec: use --set prompts=FOLDER",
        "--stop-early": "was moved into the spec: use --set stop_early=true",
    },
    "ablate": {
        "--sample": "was moved into the spec: use --set sample=N",
        "--reference": "was moved into the spec: use --set reference=VARIANT",
        **_LAW,
    },
    "review-contract": {
        "--prompt": "was moved: use --set prompt=MODE",
        "--rule-retrieval": "was moved: use --set rules=MODE",
        "--reflection": "was moved: use --set reflection=WHEN",
        "--evidence-guard": "was moved: use --set evidence_guard=true",
        "--no-evidence-guard": "was moved: use --set evidence_guard=false",
        "--self-consistency": "was moved: use --set self_consistency=K",
        "--reranker": "was moved: use --set reranker=NAME",
        "--temperature": "was moved: use --set temperature=T",
        **_LAW,
    },
    "stability": {"--limit": "was renamed: use --apart SHARE"},
    "suite check": {"--mask": "was renamed: use --masked FOLDER"},
    **dict.fromkeys(
        (
            "ask",
            "serve",
            "law cite",
            "law evaluate",
            "law search",
            "law show",
            "law train-encoder",
            "suite make-questions",
        ),
        _LAW,
    ),
    **{f"stats {name}": {"--seed": _NO_CHANCE} for name in ("correct", "points", "judges", "correlate", "rank")},
}
"""Command to its former options, each with what became of it."""


def new_command(path: str) -> str | None:
    """What became of a former command."""
    return COMMANDS.get(path)


def new_option(path: Sequence[str], option: str) -> str | None:
    """What became of a former option of a command."""
    return OPTIONS.get(" ".join(path), {}).get(option)
