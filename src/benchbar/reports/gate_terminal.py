"""A gate's decision on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records import GateDecision
from benchbar.reports.gate_output import SAID, estimate_text, threshold_text
from benchbar.reports.texts import printable

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"pass": "green", "fail": "red", "insufficient_evidence": "yellow"}
MARKS = {"pass": "✓", "fail": "✗", "insufficient_evidence": "?"}


def show_gate(gate: GateDecision, console: Console) -> None:
    """Print the decision and each check with its estimate and threshold; the reason where it did not simply pass."""
    from rich.padding import Padding
    from rich.text import Text

    head = f"Release gate: {SAID[gate.decision]}"
    console.print(Text.assemble((head, f"bold {STYLES[gate.decision]}"), f"  (policy {printable(gate.policy)})"))
    for check in gate.checks:
        line = Text.assemble(
            (f"  {MARKS[check.decision]} ", STYLES[check.decision]),
            (printable(check.name), "bold"),
            f"  {estimate_text(check)}  against {threshold_text(check)}" + ("" if check.required else "  (advisory)"),
        )
        console.print(line)
        if check.decision != "pass" or check.name.startswith("never"):
            console.print(Padding(Text(printable(check.reason), style="dim"), (0, 0, 0, 6)))
