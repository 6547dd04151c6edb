"""All that is wrong with a spec before anything is asked: its fields and each of its parts, which are built and not used.

`benchbar check` finds it so, and so does `benchbar run` once it has met a fault: nobody mends a spec in four rounds.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from benchbar.records import Suite
from benchbar.records.errors import BenchbarError, EndpointError, UserError
from benchbar.records.faults import Fault
from benchbar.records.faults import Path as FieldPath
from benchbar.records.placed_faults import narrowed, told
from benchbar.records.toml import read_text
from benchbar.runs.assembling import assembled, chosen_suite, faults_of_gate, session_of
from benchbar.runs.consultation import Consultation
from benchbar.runs.receivers import sent_to
from benchbar.runs.spec import Spec
from benchbar.runs.spec_reading import DEMO, faulty_spec, given_spec

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
    given = given_spec(file, {}, ())
    spec, suite, faults = _faults(given, file.parent)
    if faults or spec is None or suite is None:
        raise told(faults, file, read_text(file))
    return CheckedSpec(spec, suite)


def every_fault(met: UserError, given: Mapping[str, Any], file: Path) -> UserError:
    """The fault that a run of the spec in a file has met, with its place and all others; itself where it is none of the spec's.

    ``given`` is what file and command line gave the spec together.
    """
    # Nobody there, or no such key: the spec itself is as it should be.
    if isinstance(met, EndpointError):
        return met
    faults = _faults(given, file.parent)[-1]
    if not any(str(met) in one.message or one.message in str(met) for one in faults):
        return met
    return told(faults, file, read_text(file))


def _faults(given: Mapping[str, Any], base: Path) -> tuple[Spec | None, Suite | None, list[Fault]]:
    """What can be made of the spec, its suite, and all that is wrong with them, each once."""
    spec, of_fields = faulty_spec(given, base)
    faults: list[Fault] = []
    suite: list[Suite] = []
    if spec is not None:
        # What is left of it can be tried all the same: one go should find what is wrong with each part.
        faults += _tried(("suite",), lambda: suite.append(chosen_suite(spec, base)))
        stand_in = (
            suite[0]
            if suite
            else chosen_suite(
                replace(spec, suite=_STAND_IN, tasks=(), limit=1, language="", columns={}, sheet=""), Path()
            )
        )
        faults += asyncio.run(_part_faults(spec, stand_in, base))
    found = [narrowed(one, given) for one in of_fields]
    for one in faults:
        # Told where it was found first: an address that is wrong in a table of endpoints is so in each role.
        if not any(before.message in one.message for before in found):
            found.append(narrowed(one, given, beside=True))
    return spec, next(iter(suite), None), found


async def _part_faults(spec: Spec, suite: Suite, base: Path) -> list[Fault]:
    """What is wrong with each part, built alone: built together, only the first would be told."""
    alone = replace(
        spec,
        assistants={"nobody": _NOBODY},
        # Of recordings alone repeats are refused, and each part is built alone here.
        repeats=1,
        reference="nobody",
        simulator={"kind": "agenda"},
        judge=None,
        scorers=(),
        law="",
        prompts="",
        rubric="",
        gate=None,
    )
    async with session_of(spec, None) as session:

        def study(**own: Any) -> Consultation:
            return assembled(replace(alone, **own), suite, session, base)

        found: list[Fault] = []
        for name, settings in spec.assistants.items():
            found += _tried(("assistants", name), lambda: study(assistants={name: settings}, reference=name))  # noqa: B023
        # The suite's own law has been read with the suite, and takes the longest of all.
        suite = dataclasses.replace(suite, folder=None)
        judged = {"judge": spec.judge, "rubric": spec.rubric, "prompts": spec.prompts}
        found += _tried(("prompts",), lambda: study(prompts=spec.prompts))
        found += _tried(("simulator",), lambda: study(simulator=spec.simulator, prompts=spec.prompts))
        found += _tried(("rubric",), lambda: study(rubric=spec.rubric))
        found += _tried(("judge",), lambda: study(**judged))
        found += _tried(("scorers",), lambda: study(scorers=spec.scorers, rubric=spec.rubric))
        found += _tried(("law",), lambda: study(law=spec.law))
        # After the roles, whose own faults it would tell once more.
        found += _tried(("limits", "local_only"), lambda: sent_to(spec))
        if spec.gate is not None:
            # What the run measures; with rules that cannot be built, what every run does.
            whole = [*_tried(("gate",), lambda: study(**judged, scorers=spec.scorers))]
            found += _gate_faults(spec, base, study() if whole else study(**judged, scorers=spec.scorers))
    return found


def _gate_faults(spec: Spec, base: Path, study: Consultation) -> Iterator[Fault]:
    try:
        for error in faults_of_gate(spec, base, study):
            yield Fault(("gate",), str(error))
    except BenchbarError as error:
        yield Fault(("gate",), str(error))


def _tried(path: FieldPath, build: Callable[[], object]) -> Iterator[Fault]:
    try:
        build()
    except BenchbarError as error:
        yield Fault(path, str(error))
