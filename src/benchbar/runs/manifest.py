"""run.json: what a run was made from, so that the same command goes on and another one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from benchbar import __version__
from benchbar.runs.spec import Spec
from benchbar.records.errors import ChangedRunError
from benchbar.records.files import read_bounded, write_atomically
from benchbar.records import Record, decode

_FREE = ("limits", "gate", "review", "ledger")
"""Parts of the spec that may change between two starts of one run."""


class Manifest(Record, frozen=True, kw_only=True):
    """The content of run.json."""

    schema_version: int = 1
    benchbar: str = __version__
    spec: Spec
    folder: str = ""
    """Of the spec: relative paths in it are taken from there."""
    suite_fingerprint: str
    law_fingerprint: str = ""
    prompts_fingerprint: str
    assistants: dict[str, str]
    """Name to identity."""
    on: str = ""
    """The day whose law counts for samples that name none."""


def read_manifest(run: Path) -> Manifest | None:
    """What the run in this folder was made from; None where it is new."""
    file = run / "run.json"
    return decode(read_bounded(file), Manifest, file=file) if file.exists() else None


def freeze(run: Path, manifest: Manifest, before: Manifest | None, *, accept_changes: bool) -> None:
    """Write run.json, or make sure that the run there was made the same way ``before``.

    Raises:
        ChangedRunError: it was not; the message names what differs and the ways out.
    """
    if before is not None and not accept_changes and (changed := _changes(before, manifest)):
        raise ChangedRunError(
            f"{run} holds a run that was made differently ({'; '.join(changed)}). Use another --out for a new run, or"
            " --accept-changes to go on here: calls that are still the same are taken from the ledger, the rest is asked"
        )
    write_manifest(run, manifest)


def write_manifest(run: Path, manifest: Manifest) -> None:
    """Write run.json."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    write_atomically(run / "run.json", text + b"\n")


def _changes(before: Manifest, now: Manifest) -> list[str]:
    changed = [
        f"{label} changed"
        for label, field in (
            ("the suite", "suite_fingerprint"),
            ("the law", "law_fingerprint"),
            ("the wording of the prompts", "prompts_fingerprint"),
        )
        if getattr(before, field) != getattr(now, field)
    ]
    old, new = _plain(before.spec), _plain(now.spec)
    changed += [
        f"{name} was {old.get(name)!r}, now {new.get(name)!r}"[:200] for name in new if old.get(name) != new.get(name)
    ]
    others = sorted(set(before.assistants.items()) ^ set(now.assistants.items()))
    if others and not any(item.startswith("assistants") for item in changed):
        changed.append(f"assistants are not the same ones: {', '.join(dict.fromkeys(name for name, _ in others))}")
    return changed


def _plain(spec: Spec) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(spec)
    return {name: value for name, value in plain.items() if name not in _FREE}
