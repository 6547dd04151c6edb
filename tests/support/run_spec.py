"""Specs of runs whose simulator, assistants and judge are all behind one chat server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PRICED = "price = {{ input = {}, output = {} }}"
SIMULATOR = 'kind = "llm"\nmodel = "sim"'
JUDGE = 'kind = ["pairwise", "checklist"]\nmodel = "judge"'
LAWYER = 'kind = "person"\npeople = ["anna"]'
WEAK_AND_STRONG = {"weak": "weak-1", "strong": "strong-2"}


def spec_text(
    url: str,
    top: str,
    assistants: Mapping[str, str],
    *,
    suite: str = "model-jurisdiction-zh",
    simulator: str = SIMULATOR,
    judge: str = JUDGE,
    rest: str = "",
) -> str:
    """A spec: ``top`` are its settings outside of tables, ``rest`` further tables; the first assistant is the reference.

    An assistant is the name of a model, or the lines of its table. Tables that name a model are given the server's address; no
    lines make no table.
    """
    tables = {f"assistants.{name}": lines if "=" in lines else model(lines) for name, lines in assistants.items()}
    written = "".join(
        f"[{name}]\n{lines}\n" + (f'base_url = "{url}"\n' if "model = " in lines else "")
        for name, lines in {"simulator": simulator, **tables, "judge": judge}.items()
        if lines
    )
    return f'suite = "{suite}"\nreference = "{next(iter(assistants))}"\n{top}\n{written}{rest}\n'


def model(name: str, *, price: tuple[float, float] | None = None, more: str = "") -> str:
    """The table of an assistant that is a model; prices are of a million tokens, in and out."""
    lines = ['kind = "openai"', f'model = "{name}"', *([PRICED.format(*price)] if price else []), more]
    return "\n".join(filter(None, lines))


def trials(
    server, *, repeats: int = 1, judge: str = "judge-wavers", judged: int = 1, **more: object
) -> dict[str, object]:
    """A spec for `benchbar.run`: an assistant that varies beside one that does not, both before a judge that is asked ``judged`` times."""
    at = {"base_url": server.base_url, "price": {"input": 1, "output": 2}}
    return {
        "suite": "model-jurisdiction-zh",
        "limit": 6,
        "reference": "steady",
        "repeats": repeats,
        "assistants": {
            "steady": {"kind": "openai", "model": "strong", **at},
            "varies": {"kind": "openai", "model": "varies", **at},
        },
        "judge": {"kind": ["pairwise", "checklist"], "model": judge, "answers": "text", "repeats": judged, **at},
        **more,
    }


def spec(
    folder: Path,
    server,
    *,
    suite: str = "model-jurisdiction-zh",
    extra: str = "limit = 22",
    concurrency: int = 16,
    limits: str = "",
) -> str:
    """The name of a file in ``folder``: two models with prices, compared and marked by a judge."""
    free = PRICED.format(0, 0)
    text = spec_text(
        server.base_url,
        f"seed = 7\n{extra}",
        {
            "base": model("weak-a", price=(0.5, 1.5), more="params = { temperature = 0.2 }"),
            "candidate": model("strong-b", price=(0.5, 1.5)),
        },
        suite=suite,
        simulator=f"{SIMULATOR}\n{free}",
        judge=f"{JUDGE}\n{free}",
        rest=f"[limits]\nconcurrency = {concurrency}\n{limits}",
    )
    (folder / "spec.toml").write_text(text, "utf-8")
    return "spec.toml"
