"""What a run was made from, kept in run.json and in a shared ledger: the same command goes on, another one is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchbar import __version__
from benchbar.artefacts.folder import read_made_from
from benchbar.artefacts.layout import RunFolder
from benchbar.assistants.person import KIND as PERSON
from benchbar.ledger import Ledger
from benchbar.ledger.database import named, run_of, without_password
from benchbar.ledger.opening import FILE, is_address, open_store
from benchbar.ledger.store import LedgerStore
from benchbar.records import Record, decode, encode
from benchbar.records.errors import ChangedRunError, UserError
from benchbar.records.files import write_atomically
from benchbar.runs.spec import Spec

META = "run"
"""Under this name the ledger in a database keeps what run.json holds, for processes with another folder."""
# None of them changes what a call is: raising a budget or a threshold must not force a new run.
_FREE = ("limits", "health", "gate", "review", "ledger", "pass_mark")
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
    law_scope: str = ""
    """What the law is said to be all of, and until when it is known; left out in runs begun before it was kept."""
    paths_in_law_identity: bool = True
    """Left out in runs begun when the fingerprint of the law held the paths of its files; they go on with theirs."""
    prompts_fingerprint: str
    assistants: dict[str, str]
    """Name to identity."""
    on: str = ""
    """The day whose law counts for samples that name none."""


def read_manifest(run: Path) -> Manifest | None:
    """What the run in this folder was made from; None where it is new."""
    return read_made_from(run, Manifest)


def freeze(run: Path, manifest: Manifest, before: Manifest | None, *, accept_changes: bool) -> None:
    """Write run.json, or make sure that the run there was made the same way ``before``.

    Raises:
        ChangedRunError: it was not; the message names what differs and the ways out.
    """
    if before is not None and not accept_changes and (changed := _changes(before, manifest)):
        raise ChangedRunError(
            f"{run} holds a run that was made differently ({'; '.join(changed)}). Use another --out for a new run, or"
            " --accept-changes to continue here: calls that have not changed are reused from the ledger"
        )
    write_manifest(run, manifest)


def write_manifest(run: Path, manifest: Manifest) -> None:
    """Write run.json."""
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    write_atomically(RunFolder(run).manifest, text + b"\n")


def _changes(before: Manifest, now: Manifest) -> list[str]:
    changed = [
        f"{label} changed"
        for label, field in (
            ("the suite", "suite_fingerprint"),
            # Which of the two it was cannot be told from the fingerprint; one begun now holds the text of the law alone.
            ("the law, or the place of its files," if now.paths_in_law_identity else "the law", "law_fingerprint"),
            ("the wording of the prompts", "prompts_fingerprint"),
        )
        if getattr(before, field) != getattr(now, field)
    ]
    if before.law_scope and before.law_scope != now.law_scope:
        changed.append(f"the law was {before.law_scope!r}, now {now.law_scope!r}")
    changed += [one.text for one in differences(plain_settings(before.spec), plain_settings(now.spec))]
    others = sorted(set(before.assistants.items()) ^ set(now.assistants.items()))
    if others and not any(item.startswith("assistants") for item in changed):
        changed.append(f"assistants are not the same ones: {', '.join(dict.fromkeys(name for name, _ in others))}")
    return changed


class Difference(NamedTuple):
    """A setting that is not the same."""

    name: str
    """Dotted, as ``assistants.base.model``."""
    before: object
    """None where it was not set."""
    now: object

    @property
    def text(self) -> str:
        """Both values in one line; of long ones, the place where they part."""
        old, new = ("not set" if value is None else repr(value) for value in (self.before, self.now))
        # Two long prompts may be the same for pages: what is shown begins shortly before they part.
        pairs = enumerate(zip(old, new, strict=False))
        same = next((at for at, (one, other) in pairs if one != other), len(min(old, new, key=len)))
        return f"{self.name} was {_shown(old, same)}, now {_shown(new, same)}"


def differences(old: Mapping[str, Any], new: Mapping[str, Any], place: str = "") -> Iterator[Difference]:
    """Each setting that is not the same, by its dotted name: of an assistant the one that changed, not all of them."""
    for name in dict.fromkeys((*old, *new)):
        before, now = old.get(name), new.get(name)
        if isinstance(before, Mapping) and isinstance(now, Mapping):
            yield from differences(before, now, f"{place}{name}.")
        elif before != now:
            yield Difference(f"{place}{name}", before, now)


def _shown(text: str, same: int) -> str:
    start = max(0, same - _BEFORE) if len(text) > _LONGEST else 0
    return f"{'…' * bool(start)}{text[start : start + _LONGEST]}{'…' * (len(text) > start + _LONGEST)}"


_LONGEST, _BEFORE = 100, 20
"""Characters of a setting in a message, and of what is the same before it differs: addresses and paths fit, prompts do not."""


def plain_settings(spec: Spec) -> dict[str, Any]:
    """The settings that decide what a run is, as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(spec)
    assistants = {name: _asked_settings(one) for name, one in plain["assistants"].items()}
    return {name: value for name, value in plain.items() if name not in _FREE} | {"assistants": assistants}


def _asked_settings(assistant: dict[str, Any]) -> dict[str, Any]:
    """Of people without their rate, which asks nobody anew, and without who belongs to a named group: some join, some leave."""
    if assistant.get("kind") != PERSON:
        return assistant
    free = {"hourly_rate", *(["people"] if assistant.get("group") else [])}
    return {name: value for name, value in assistant.items() if name not in free}


def placed(spec: Spec, folder: Path) -> Spec:
    """The spec with the full address of its ledger: as given, else as the run in the folder was begun."""
    before = read_manifest(folder)
    address = spec.ledger or (before.spec.ledger if before else "")
    return msgspec.structs.replace(spec, ledger=named(address, folder.resolve().name) if address else "")


def where(spec: Spec, folder: Path) -> Path | str:
    """Where the ledger of a run is."""
    return spec.ledger or folder / FILE


def made_before(ledger: Ledger, folder: Path, spec: Spec) -> Manifest | None:
    """How the run was made by those who worked on it before, here or elsewhere; None where it is new.

    Raises:
        UserError: the folder has a ledger of its own, and that in the database is empty.
    """
    kept = ledger.store.meta(META) if spec.ledger else None
    if spec.ledger and kept is None and (folder / FILE).is_file():
        shown = without_password(spec.ledger)
        raise UserError(
            f"{folder} has a ledger of its own, and {shown} has none; move it with `benchbar ledger copy {folder} '{shown}'`,"
            " or use another --out"
        )
    return decode(kept, Manifest) if kept else read_manifest(folder)


def writable(manifest: Manifest) -> Manifest:
    """What may be written down: the address of the ledger without its password."""
    address = without_password(manifest.spec.ledger)
    return msgspec.structs.replace(manifest, spec=msgspec.structs.replace(manifest.spec, ledger=address))


def keep(store: LedgerStore, manifest: Manifest) -> None:
    """Write down in the database how the run is made."""
    store.set_meta(META, encode(manifest))


def target_of(target: str, source: str) -> Path | str:
    """Where a copy of a run's ledger is to be: a run in a database, named as the source if it has no name, or a file."""
    if is_address(target):
        return named(target, run_of(source) if is_address(source) else Path(source).resolve().name)
    path = Path(target)
    return path if path.suffix == ".sqlite" else path / FILE


def carry_over(source: str, target: Path | str) -> None:
    """Let the copy of a ledger know how its run was made: by run.json in a folder, by the ledger itself in a database."""
    store = open_store(target, writable=False) if isinstance(target, Path) else None
    if isinstance(target, Path) and store is not None:
        kept = store.meta(META)
        store.close()
        if kept and target.name == FILE:
            manifest = decode(kept, Manifest)
            spec = msgspec.structs.replace(manifest.spec, ledger="")
            write_manifest(target.parent, msgspec.structs.replace(manifest, spec=spec))
        return
    made = None if is_address(source) else read_manifest(Path(source))
    if made is not None and isinstance(target, str):
        ledger = Ledger(target)
        try:
            spec = msgspec.structs.replace(made.spec, ledger=target)
            keep(ledger.store, writable(msgspec.structs.replace(made, spec=spec)))
        finally:
            ledger.close()


def stamp(manifest: Manifest) -> bytes:
    """The same for those who may work on one run together."""
    spec = msgspec.structs.replace(manifest.spec, limits=type(manifest.spec.limits)(), gate=None)
    return encode(msgspec.structs.replace(manifest, spec=spec, folder=""))
