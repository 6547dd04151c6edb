"""The file in which a person accepts or refuses proposed groups of open answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from benchbar.records import Record
from benchbar.records.errors import BadInputError
from benchbar.records.toml import read_toml
from benchbar.survey.questionnaire import use_cases
from benchbar.survey.records import OpenGroup, Questionnaire

_HEAD = """\
# Groups of open answers, proposed by their words or by a model. Read each, then set its decision to "accepted" or
# "refused"; only accepted groups count. You may change label, use_case (an offered use case that it is another wording
# of; empty for a new use case) and move members between groups. What you wrote here stays when the command is run again.
"""


class GroupFile(Record, frozen=True):
    """The content of the file."""

    groups: tuple[OpenGroup, ...] = ()


def read_groups(file: Path, questionnaire: Questionnaire) -> tuple[OpenGroup, ...]:
    """The groups of a file with their decisions.

    Raises:
        BadInputError: it is no such file, or a group names a scenario or use case that there is none of.
    """
    found = read_toml(file, GroupFile).groups
    cases = use_cases(questionnaire)
    known = {one.id for one in questionnaire.scenarios}
    ids: set[str] = set()
    for group in found:
        if group.scenario not in known:
            raise BadInputError(f"unknown scenario {group.scenario!r}", file=file, field=group.id)
        if group.use_case and cases.get(group.use_case, ("",))[0] != group.scenario:
            raise BadInputError(
                f"use_case {group.use_case!r} is none of the scenario {group.scenario}", file=file, field=group.id
            )
        # A group's id becomes that of a new use case, and two under one id would be added up.
        if group.id in ids or group.id in cases:
            raise BadInputError(f"the id {group.id!r} is there twice", file=file, field=group.id)
        ids.add(group.id)
    return found


def written(groups: Iterable[OpenGroup]) -> bytes:
    """The file's content, for people to edit."""
    # Written by hand, since a TOML library would drop the head and put wishes on one line, where nobody can move them.
    return (_HEAD + "".join(_block(group) for group in groups)).encode()


def _block(group: OpenGroup) -> str:
    fields = ("id", "scenario", "use_case", "label", "decision", "proposed_by")
    lines = ["", "[[groups]]", *(f"{name} = {_string(str(getattr(group, name)))}" for name in fields), "members = ["]
    lines += [f"  {{ response = {_string(one.response)}, text = {_string(one.text)} }}," for one in group.members]
    return "\n".join([*lines, "]", ""])


def _string(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, which also forbids the raw DEL."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
