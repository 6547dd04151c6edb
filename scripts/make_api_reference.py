"""Writes docs/api.md from the docstrings of the library.

Run as ``python scripts/make_api_reference.py``; with ``--check`` nothing is written and a difference ends with exit code 1.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import benchbar

FILE = Path(__file__).resolve().parents[1] / "docs" / "api.md"
PARTS = {
    "Runs": ("run", "open", "Run", "RunSample", "Gate", "Spec", "Progress"),
    "Law, questions, contracts": (
        "check_citations",
        "ask",
        "Conversation",
        "review_contract",
        "ContractReview",
        "Endpoint",
        "Price",
    ),
    "Is the judge to be believed": ("validate", "Validations", "align", "Aligned"),
    "Ablations": ("ablate", "Ablation"),
    "Scoring rules of your own": ("scorer", "mark"),
    "Errors": ("BenchbarError", "UserError", "InterruptedRunError"),
}
"""The names by what they are for; coroutines stand with the functions that do the same."""
HEAD = """# The library

Made from the docstrings by `python scripts/make_api_reference.py`. Every example is run by a test, in a folder of its own,
without a key or a download. `import benchbar` is quick: what a name needs is loaded when it is first used.

```python
>>> import benchbar

```
"""
WIDTH = 100
_SECTION = re.compile(r"^(Args|Raises|Example):$", re.MULTILINE)
_ITEM = re.compile(r"^([\w.]+): ", re.MULTILINE)


def reference() -> str:
    """The whole page."""
    left = set(benchbar.__all__) - {"__version__"} - {name for names in PARTS.values() for name in names}
    if strange := [name for name in left if name.removesuffix("_async") not in benchbar.__all__]:
        raise SystemExit(f"in no part of the page: {', '.join(sorted(strange))}")
    parts = [f"## {title}\n\n" + "\n".join(_entry(name) for name in names) for title, names in PARTS.items()]
    return "\n".join([HEAD, *parts]).rstrip() + "\n"


def _entry(name: str) -> str:
    found = getattr(benchbar, name)
    if inspect.isclass(found):
        return "\n".join([f"### `{name}`\n", _text(found), *_members(found)])
    twin = f"\nIn an event loop: `await benchbar.{name}_async(...)`.\n" if hasattr(benchbar, f"{name}_async") else ""
    return "\n".join([f"### `{name}`\n", _signature(f"benchbar.{name}", found), _text(found) + twin])


def _signature(name: str, function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.name != "self"]
    written = [_parameter(one) for one in own]
    first = next((index for index, one in enumerate(own) if one.kind is one.KEYWORD_ONLY), None)
    if first is not None:
        written.insert(first, "*")
    text = f"{name}({', '.join(written)}) -> {signature.return_annotation}"
    if len(text) > WIDTH:
        text = f"{name}(\n" + "".join(f"    {one},\n" for one in written) + f") -> {signature.return_annotation}"
    return f"```python\n{text}\n```\n"


def _parameter(one: inspect.Parameter) -> str:
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{one.name}: {one.annotation}{default}"


def _text(found: object) -> str:
    """A docstring as Markdown: its sections become lists, its example a block of code."""
    text = (inspect.getdoc(found) or "").replace("``", "`")
    head, *rest = _SECTION.split(text)
    parts = [head.strip() + "\n"]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        inner = textwrap.dedent(body).strip()
        if title == "Example":
            parts.append(f"```python\n{inner}\n\n```\n")
        else:
            items = [" ".join(item.split()) for item in re.split(r"\n(?=\S)", inner)]
            listed = "\n".join("- " + _ITEM.sub(lambda found: f"`{found[1]}`: ", item, count=1) for item in items)
            parts.append(f"{'Raises' if title == 'Raises' else 'Arguments'}:\n\n{listed}\n")
    return "\n".join(parts)


def _members(kind: type) -> Iterator[str]:
    """Fields with the text under them, then properties and methods, in the order of the source."""
    fields = {name: text for name, text in _fields(kind) if not name.startswith("_")}
    listed = [f"- `{name}`{': ' + text if text else ''}" for name, text in fields.items()]
    for name, value in vars(kind).items():
        if isinstance(value, property | cached_property) and not name.startswith("_"):
            getter = value.fget if isinstance(value, property) else value.func
            listed.append(f"- `{name}`: {' '.join((inspect.getdoc(getter) or '').split(chr(10) * 2)[0].split())}")
    if listed:
        yield "\n".join(listed) + "\n"
    for name, value in vars(kind).items():
        if inspect.isfunction(value) and not name.startswith("_"):
            yield f"#### `{kind.__name__}.{name}`\n\n{_signature(name, value)}\n{_text(value)}"


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - the source of a class
    made = next((one.body for one in body.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), [])
    for field, text in pairwise([*body.body, ast.Pass(), *made, ast.Pass()]):
        said = text.value.value if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) else ""
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            yield field.target.id, " ".join(str(said).split()).replace("``", "`")
        elif isinstance(field, ast.Assign) and isinstance(target := field.targets[0], ast.Attribute):
            yield target.attr, " ".join(str(said).split())


def main() -> int:
    """Write, or with ``--check`` compare; returns the exit code."""
    made = reference()
    if "--check" in sys.argv[1:]:
        stale = not FILE.exists() or FILE.read_text("utf-8") != made
        print("out of date: docs/api.md" if stale else "up to date")
        return int(stale)
    FILE.write_text(made, "utf-8")
    print(f"written: {FILE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
