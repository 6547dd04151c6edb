"""`benchbar production`: a live assistant's traces, sampled and masked, watched by week, and turned into samples."""

from __future__ import annotations

import click

from benchbar.cli.command import LazyGroup

STEPS = {
    "receive": "Receive spans over OTLP/HTTP, sampled and masked.",
    "read": "Take traces from files of OpenTelemetry or Langfuse.",
    "drift": "Show each measure by week, and which weeks differ.",
    "proposals": "List failures that might become samples.",
    "accept": "Put a proposed trace into a suite.",
    "reject": "Have a trace proposed no more.",
}


@click.group(
    cls=LazyGroup,
    sections={"Steps": STEPS},
    where="benchbar.production.steps:{name}_",
    part="Decide",
)
def command() -> None:
    """Watch a live assistant: sampled traces without personal data, drift by week, failures for the suite.

    benchbar production read production spans.json --rate 0.1
    benchbar production drift production --out drift.html
    benchbar production proposals production
    """
