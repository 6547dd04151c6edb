"""All that is wrong with a spec before anything is asked: its fields and each of its parts, which are built and not used."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from benchbar.records import Suite
from benchbar.records.errors import BenchbarError
from benchbar.records.faults import Fault
from benchbar.records.faults import Path as FieldPath
from benchbar.records.toml import read_text
from benchbar.runs.assembling import assembled, chosen_suite, session_of
from benchbar.runs.spec import Spec
from benchbar.runs.spec_places import told
from benchbar.runs.spec_reading import DEMO, faulty_spec

_STAND_IN = str(DEMO["suite"])
_NOBODY = {"kind": "closed-book"}
"""Stands in for the assistants while another part is tried: it needs neither files nor addresses."""


class CheckedSpec(NamedTuple):
    """A spec whose parts all fit."""

    spec: Spec
    suite: Suite


def check_spec(file: Path) -> CheckedSpec:
    """The spec in a file and its suite, when nothing is wrong with either; no call is made and nothing is written.

    Raises:
        BadInputError: names every fault that was found, with line and cure.
    """
    base = file.parent
    spec, faults = faulty_spec(file)
    suite: list[Suite] = []
    if spec is not None:
        # What is left of it can be tried all the same: one go should find what is wrong with each part.
        faults += _new(faults, _tried(("suite",), lambda: suite.append(chosen_suite(spec, base))))
        stand_in = (
            suite[0]
            if suite
            else chosen_suite(replace(spec, suite=_STAND_IN, tasks=(), limit=1, language="", columns={}), Path())
        )
        faults += _new(faults, asyncio.run(_part_faults(spec, stand_in, base)))
    if faults or spec is None:
        raise told(faults, file, read_text(file))
    return CheckedSpec(spec, suite[0])


def _new(known: Sequence[Fault], found: Iterable[Fault]) -> list[Fault]:
    """Those that were not told by their field already: an address that is wrong in a table of endpoints is so in each role."""
    return [one for one in found if not any(before.message in one.message for before in known)]


async def _part_faults(spec: Spec, suite: Suite, base: Path) -> list[Fault]:
    """What is wrong with each part, built alone: built together, only the first would be told."""
    alone = replace(
        spec,
        assistants={"nobody": _NOBODY},
        reference="nobody",
        simulator={"kind": "agenda"},
        judge=None,
        scorers=(),
        law="",
        rubric="",
        gate=None,
    )
    async with session_of(spec, None) as session:

        def part(one: Spec) -> Callable[[], object]:
            return lambda: assembled(one, suite, session, base)

        found: list[Fault] = []
        for name, settings in spec.assistants.items():
            found += _tried(("assistants", name), part(replace(alone, assistants={name: settings}, reference=name)))
        # The suite's own law has been read with the suite, and takes the longest of all.
        suite = dataclasses.replace(suite, folder=None)
        found += _tried(("simulator",), part(replace(alone, simulator=spec.simulator)))
        found += _tried(("rubric",), part(replace(alone, rubric=spec.rubric)))
        found += _tried(("judge",), part(replace(alone, judge=spec.judge, rubric=spec.rubric)))
        found += _tried(("scorers",), part(replace(alone, scorers=spec.scorers, rubric=spec.rubric)))
        found += _tried(("law",), part(replace(alone, law=spec.law)))
        found += _tried(("gate",), lambda: _check_gate(spec, base))
    return found


def _check_gate(spec: Spec, base: Path) -> None:
    """Refuse a policy that cannot be read; its measures may be those of scoring rules, which are looked at in the run."""
    if spec.gate is not None:
        from benchbar.decisions.policy import policy_named

        policy_named(spec.gate, base)


def _tried(path: FieldPath, build: Callable[[], object]) -> Iterator[Fault]:
    try:
        build()
    except BenchbarError as error:
        yield Fault(path, str(error))
