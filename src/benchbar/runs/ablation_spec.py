"""The spec of an ablation: a TOML file or a bundled name, overridden by flags."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import Record
from benchbar.records.base import converted
from benchbar.records.errors import UnknownNameError, UserError
from benchbar.records.toml import read_toml
from benchbar.runs.spec import Limits, Spec
from benchbar.runs.spec_reading import settings_with

CONTRACT, CONSULTATION, QUESTIONS = "contract-risk", "consultation", "question-answering"


class AblationSpec(Record, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is varied, on what, and by whom it is reviewed."""

    name: str = "ablation"
    kind: str = CONTRACT
    clauses: str | None = None
    """Labelled clauses (JSONL or JSON); left out, those of the bundled model jurisdiction."""
    rules: str | None = None
    corpus: str | None = None
    by_contract_type: bool = False
    """Retrieve rules for each clause's own type of contract only."""
    sample: int | None = None
    """So many clauses, in equal shares of the levels; left out, all."""
    seed: int = 0
    reference: str | None = None
    generator: dict[str, Any] | None = None
    """``kind = "openai"`` with model, base_url and an endpoint's settings; left out, the offline reviewer."""
    prompts: str | None = None
    fixed: dict[str, Any] = {}
    grid: dict[str, Any] | None = None
    variants: dict[str, dict[str, Any]] | None = None
    limits: Limits = Limits()
    suite: str | None = None
    """``consultation``: the suite whose samples are consulted about."""
    assistant: dict[str, Any] | None = None
    """``consultation``: kind and settings of the assistant whose settings are varied."""
    simulator: dict[str, Any] | None = None
    judge: dict[str, Any] | None = None
    limit: int | None = None
    exchanges: int | None = None

    def varied(self) -> dict[str, Any]:
        """The part that ``read_variants`` reads."""
        parts = {"fixed": self.fixed, "grid": self.grid, "variants": self.variants}
        return {name: value for name, value in parts.items() if value is not None}


def bundled() -> list[str]:
    """Names of the specs that come with the package."""
    return sorted(one.name.removesuffix(".toml") for one in _folder().iterdir() if one.name.endswith(".toml"))


def read_ablation(
    name: str, overrides: dict[str, Any], settings: Mapping[str, Any] | None = None
) -> tuple[AblationSpec, Path]:
    """The spec of a file or bundled name, and the folder its paths are taken from.

    Raises:
        UnknownNameError: there is no such file, and no bundled spec of that name.
        BadInputError: it is no TOML, or a field is unknown or of another type.
    """
    path = Path(name)
    if path.is_file():
        document, base = read_toml(path, dict[str, Any]), path.parent
    elif name in bundled():
        document, base = read_toml(_folder().joinpath(f"{name}.toml"), dict[str, Any]), Path()
    else:
        raise UnknownNameError("ablation spec", name, bundled())
    given = {key: value for key, value in overrides.items() if value is not None}
    for key in ("clauses", "rules", "corpus"):
        if key in given:
            given[key] = str(Path(given[key]).resolve())
    return converted(settings_with(document | given, settings or {}), AblationSpec, file=name), base


def as_ablation(given: AblationSpec | Mapping[str, object] | Path | str) -> tuple[AblationSpec, Path]:
    """The spec that a file, a bundled name or a file's content describes, and the folder that its paths start from.

    Raises:
        UnknownNameError: there is no such file, and no bundled spec of that name.
        BadInputError: it is no TOML, or a field is unknown or of another type.
    """
    if isinstance(given, AblationSpec):
        return given, Path()
    if isinstance(given, str | Path):
        return read_ablation(str(given), {})
    return converted(given, AblationSpec), Path()


def run_spec(spec: AblationSpec, assistants: Mapping[str, Mapping[str, Any]], given: Mapping[str, Any]) -> Spec:
    """The run in which the variants of the spec's assistant, named by key with their switches, meet the same samples.

    Raises:
        UserError: the spec names no assistant, or a setting does not fit.
    """
    if spec.assistant is None:
        raise UserError(f'{spec.kind}: expected an [assistant] table, for instance kind = "law-practice"')
    shared = {
        "seed": spec.seed,
        "limits": spec.limits,
        "limit": spec.limit,
        "judge": spec.judge,
        "prompts": spec.prompts,
    }
    made = {key: settings_with(spec.assistant, switches) for key, switches in assistants.items()}
    kept = {name: value for name, value in {**shared, "assistants": made, **given}.items() if value is not None}
    try:
        return msgspec.convert(msgspec.to_builtins(kept), Spec)
    except msgspec.ValidationError as error:
        if isinstance(error.__cause__, UserError):
            raise error.__cause__ from None
        raise UserError(f"{spec.kind}: {error}") from error


def _folder() -> Traversable:
    return files("benchbar.runs") / "specs"
