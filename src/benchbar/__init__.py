"""Benchbar: put a legal AI before the bench, and hold it to the bar.

What the command line does, Python can do: the names below are the library, and each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchbar.clients.session import Progress
    from benchbar.records.errors import BenchbarError, InterruptedRunError, UserError
    from benchbar.runs.ablating import Ablation, ablate, ablate_async
    from benchbar.runs.run import Run, open  # noqa: A004 - `benchbar.open`
    from benchbar.runs.running import run, run_async
    from benchbar.runs.spec import Spec
    from benchbar.scoring.functions import mark, scorer

__version__ = "0.1.0"

_HOMES = {
    "benchbar.clients.session": ("Progress",),
    "benchbar.records.errors": ("BenchbarError", "InterruptedRunError", "UserError"),
    "benchbar.runs.ablating": ("Ablation", "ablate", "ablate_async"),
    "benchbar.runs.run": ("Run", "open"),
    "benchbar.runs.running": ("run", "run_async"),
    "benchbar.runs.spec": ("Spec",),
    "benchbar.scoring.functions": ("mark", "scorer"),
}
"""Module to the names that it defines: imported lazily, so that `import benchbar` loads none of them."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Ablation",
    "BenchbarError",
    "InterruptedRunError",
    "Progress",
    "Run",
    "Spec",
    "UserError",
    "__version__",
    "ablate",
    "ablate_async",
    "mark",
    "open",
    "run",
    "run_async",
    "scorer",
]


def __getattr__(name: str) -> object:
    """A name of the library, imported now."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The names of the library, whether they have been imported or not."""
    return __all__
