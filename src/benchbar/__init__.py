"""Benchbar: put a legal AI before the bench, and hold it to the bar.

What the command line does, Python can do: the names below are the library, and each is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.assistants.asking import ask, ask_async
    from benchbar.assistants.conversation import Conversation
    from benchbar.clients.endpoint import Endpoint, Price
    from benchbar.clients.session import Progress
    from benchbar.contracts.reviewing import ContractReview, review_contract, review_contract_async
    from benchbar.law.checker import check_citations
    from benchbar.records.errors import BenchbarError, InterruptedRunError, UserError
    from benchbar.runs.ablating import Ablation, ablate, ablate_async
    from benchbar.runs.aligning import Aligned, align, align_async
    from benchbar.runs.run import Gate, Run, RunSample, open  # noqa: A004 - `benchbar.open`
    from benchbar.runs.running import run, run_async
    from benchbar.runs.spec import Spec
    from benchbar.runs.validating import Validations, validate
    from benchbar.scoring.functions import mark, scorer

__version__ = "0.1.0"

_HOMES = {
    "benchbar.assistants.asking": ("ask", "ask_async"),
    "benchbar.assistants.conversation": ("Conversation",),
    "benchbar.clients.endpoint": ("Endpoint", "Price"),
    "benchbar.clients.session": ("Progress",),
    "benchbar.contracts.reviewing": ("ContractReview", "review_contract", "review_contract_async"),
    "benchbar.law.checker": ("check_citations",),
    "benchbar.records.errors": ("BenchbarError", "InterruptedRunError", "UserError"),
    "benchbar.runs.ablating": ("Ablation", "ablate", "ablate_async"),
    "benchbar.runs.aligning": ("Aligned", "align", "align_async"),
    "benchbar.runs.run": ("Gate", "Run", "RunSample", "open"),
    "benchbar.runs.running": ("run", "run_async"),
    "benchbar.runs.spec": ("Spec",),
    "benchbar.runs.validating": ("Validations", "validate"),
    "benchbar.scoring.functions": ("mark", "scorer"),
}
"""Module to the names that it defines: imported lazily, so that `import benchbar` loads none of them."""

__all__ = [
    "Ablation",
    "Aligned",
    "BenchbarError",
    "ContractReview",
    "Conversation",
    "Endpoint",
    "Gate",
    "InterruptedRunError",
    "Price",
    "Progress",
    "Run",
    "RunSample",
    "Spec",
    "UserError",
    "Validations",
    "__version__",
    "ablate",
    "ablate_async",
    "align",
    "align_async",
    "ask",
    "ask_async",
    "check_citations",
    "mark",
    "open",
    "review_contract",
    "review_contract_async",
    "run",
    "run_async",
    "scorer",
    "validate",
]


if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, _HOMES)


def __dir__() -> list[str]:
    """The names of the library, whether they have been imported or not."""
    return __all__
