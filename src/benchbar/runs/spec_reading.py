"""From a TOML file, flags or a mapping to the spec of a run, or to all that is wrong with it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchbar.assistants.build import PROTOCOLS, parse_assistant, setting_faults
from benchbar.clients.endpoint import Endpoint
from benchbar.records.base import converted
from benchbar.records.errors import BenchbarError, UserError
from benchbar.records.faults import Fault, causes, faults_of
from benchbar.records.faults import Path as FaultPath
from benchbar.records.placed_faults import narrowed, told
from benchbar.records.plugins import load
from benchbar.records.toml import read_text, toml_of
from benchbar.runs.spec import Spec
from benchbar.runs.spec_file import written_out

if TYPE_CHECKING:
    from benchbar.tables.table import Table

DEMO = {
    "suite": "model-jurisdiction-zh",
    "reference": "closed-book",
    "assistants": {
        "extractive": {"kind": "extractive"},
        "extractive-2020": {"kind": "extractive", "on": "2020-12-31"},
        "closed-book": {"kind": "closed-book"},
    },
    "gate": "release",
}
"""What `benchbar run` runs when nothing is said: no key, no download; one of the three reads the law of some years ago."""


ROLES: dict[str, dict[str, Any]] = {"judge": {"kind": ["pairwise", "checklist"]}, "simulator": {"kind": "llm"}}
"""Roles that one option names, with what they are unless a file says otherwise."""


def as_spec(given: Spec | Mapping[str, object] | Path | str | None) -> tuple[Spec, Path]:
    """The spec that a TOML file, its content or nothing at all describes, and the folder that its paths start from.

    Raises:
        BadInputError: the file is no TOML, or a field is missing, unknown or of another type.
        UserError: the spec cannot be run.
    """
    if isinstance(given, Spec):
        return given, Path()
    if given is None or isinstance(given, str | Path):
        file = None if given is None else Path(given)
        return read_spec(file, {}, ()), file.parent if file else Path()
    return _completed(dict(given), Path()), Path()


def read_spec(
    file: Path | None, flags: dict[str, Any], assistants: tuple[str, ...], settings: Mapping[str, Any] | None = None
) -> Spec:
    """The spec in a file, or the demonstration where there is none, with flags and then ``settings`` laid over it.

    Raises:
        UserError: a flag does not fit, or two assistants have one name.
        BadInputError: the file is no TOML, or a field is missing, unknown or of another type.
    """
    given = given_spec(file, flags, assistants, settings)
    return _completed(given, file.parent if file else Path(), file=file)


def given_spec(
    file: Path | None, flags: dict[str, Any], assistants: tuple[str, ...], settings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The fields that a file and the command line give a spec, as they are written; arguments and errors of :func:`read_spec`."""
    flags = dict(flags)
    base = file.parent if file else Path()
    given = dict(toml_of(read_text(file), dict[str, Any], file=file)) if file else {}
    named = _named(assistants)
    if not (file or named or _is_table(base / str(flags.get("suite") or ""))):
        given = dict(DEMO)
    # Empty where nobody said it on the command line; then what the file says holds.
    named_there = {key: flags.pop(key, None) for key in ("suite", "language", "columns", "sheet")}
    given |= {key: value for key, value in named_there.items() if value}
    if named:
        given["assistants"] = {**given.get("assistants", {}), **named}
    for role, usual in ROLES.items():
        if asked := flags.pop(role, None):
            given[role] = {**usual, **given.get(role, {}), **named_endpoint(asked, f"--{role}")}
    limits = {
        key: flags.pop(key)
        for key in ("concurrency", "max_cost", "keep_going", "preflight", "local_only")
        if flags.get(key) is not None
    }
    if scorers := flags.pop("scorers", ()):
        before = given.get("scorers", ())
        named = before if isinstance(before, dict) else {name: {} for name in before}
        given["scorers"] = {name: {} for name in scorers} | named
    given |= {key: value for key, value in flags.items() if value not in (None, ())}
    if limits:
        given["limits"] = {**given.get("limits", {}), **limits}
    return settings_with(given, settings or {})


def settings_with(settings: Mapping[str, Any], switches: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with the switches laid over them; ``retrieval.mmr`` sets a field of the table ``retrieval``.

    Raises:
        UserError: a field is set within something that is no table.
    """
    made = dict(settings)
    for name, value in switches.items():
        outer, _, inner = name.partition(".")
        table = made.get(outer) or {}
        if inner and not isinstance(table, Mapping):
            raise UserError(f"{name}: {outer} is {table!r}, which has no fields to set")
        made[outer] = settings_with(table, {inner: value}) if inner else value
    return made


def faulty_spec(given: Mapping[str, Any], base: Path) -> tuple[Spec | None, list[Fault]]:
    """What can still be made of a spec without the fields that are wrong, and what is wrong with them.

    Each part with a fault is left out as a whole: half of it would be told as a second fault. None where no spec is left.
    """
    given, faults = written_out(given)
    given.setdefault("suite", DEMO["suite"])
    faults += spec_faults(given)
    for fault in faults:
        _leave_out(given, fault.path)
    given = _without(given, "")
    # The table of questions is a part, and is told as one.
    with suppress(BenchbarError):
        given = _with_answers(given, base)
    if faults and not given["assistants"]:
        given["assistants"] = _NOBODY
        given.pop("reference", None)
    spec, unfitting = _fitting(given)
    return spec, [*faults, *unfitting]


def _leave_out(given: dict[str, Any], path: FaultPath) -> None:
    assistants = given.get("assistants")
    if path[:1] == ("assistants",) and len(path) > 1 and isinstance(assistants, dict):
        # Its name stays: without it the reference would be said to be unknown, and repeats to be of recordings alone.
        assistants[path[1]] = _STAND_IN
    elif path:
        given.pop(str(path[0]), None)


def _fitting(given: dict[str, Any]) -> tuple[Spec | None, list[Fault]]:
    """The spec of fields that are right one by one, without those that do not fit the others."""
    faults: list[Fault] = []
    while (message := _unfitting(given)) is not None:
        # The record tells one thing at a time; the field is the one without which it says something else.
        # Assistants come last: messages about others list them.
        names = sorted(given, key="assistants".__eq__)
        culprit = next((name for name in names if _unfitting(_without(given, name)) != message), None)
        faults.append(Fault((culprit or "assistants",), message))
        if culprit is None:
            return None, faults
        given = _without(given, culprit)
    return _spec_of(given), faults


def _unfitting(given: dict[str, Any]) -> str | None:
    try:
        _spec_of(given)
    except BenchbarError as error:
        return str(error)
    return None


def _spec_of(given: dict[str, Any]) -> Spec:
    return converted({"reference": next(iter(given["assistants"]), ""), **given}, Spec)


def _without(given: dict[str, Any], name: str) -> dict[str, Any]:
    kept = {one: value for one, value in given.items() if one != name}
    return {"suite": DEMO["suite"], "assistants": _NOBODY if name else {}, **kept}


_STAND_IN = {"kind": "closed-book"}
"""In the place of an assistant with a fault; it needs nothing and asks nobody."""
_NOBODY = {"nobody": _STAND_IN}
"""In the place of a table of assistants that cannot be read at all."""


def _completed(given: dict[str, Any], base: Path, *, file: Path | None = None) -> Spec:
    """The spec, with the bundled suite and the first assistant as reference where it names none.

    Raises:
        BadInputError: names every fault of the fields, not the first alone.
    """
    made, faults = written_out(given)
    made.setdefault("suite", DEMO["suite"])
    faults += spec_faults(made)
    if faults:
        raise told([narrowed(one, given) for one in faults], file, read_text(file) if file else "")
    made = _with_answers(made, base)
    made.setdefault("reference", next(iter(made["assistants"]), ""))
    return converted(made, Spec, file=file)


def spec_faults(given: Mapping[str, Any]) -> list[Fault]:
    """What is wrong with the fields of a spec, one by one; whether they fit together is left for later."""
    return causes(_field_faults(given))


def _field_faults(given: Mapping[str, Any]) -> Iterator[Fault]:
    # A table of questions may bring its assistants; that there are none is told once it has been read.
    whole = {"assistants": {}, **given}
    yield from faults_of(whole, Spec, whole=False)
    assistants = given.get("assistants")
    for name, settings in assistants.items() if isinstance(assistants, Mapping) else ():
        if isinstance(settings, Mapping):
            yield from setting_faults("assistants", settings, ("assistants", name))
    if isinstance(simulator := given.get("simulator"), Mapping):
        yield from setting_faults("simulators", {"kind": "agenda", **simulator}, ("simulator",))
    if isinstance(gate := given.get("gate"), Mapping):
        from benchbar.decisions.policy import policy_faults

        yield from policy_faults({"name": "run", **gate}, ("gate",))
    judge = given.get("judge")
    yield from _form_faults(judge)
    panel = judge.get("panel", ()) if isinstance(judge, Mapping) else ()
    for place, one in enumerate(panel if isinstance(panel, list | tuple) else ()):
        yield from faults_of(one, Endpoint, ("judge", "panel", place), whole=False)


def _form_faults(judge: Any) -> Iterator[Fault]:
    """Forms of the judge that nobody registered."""
    kinds = judge.get("kind", ()) if isinstance(judge, Mapping) else ()
    for kind in [kinds] if isinstance(kinds, str) else kinds:
        try:
            load("scorers", str(kind))
        except UserError as error:
            yield Fault(("judge", "kind"), str(error))


def named_endpoint(text: str, option: str) -> dict[str, Any]:
    """The endpoint in ``MODEL@URL``, ``openai:MODEL@URL``, ``anthropic:MODEL`` or any with further ``,key=value``."""
    # Names of models hold colons too, as in qwen3:8b.
    written = text if text.partition(":")[0] in ("openai", *PROTOCOLS) else f"openai:{text}"
    settings = parse_assistant(f"{option}={written}")[1]
    return {name: value for name, value in settings.items() if name != "kind"}


def _with_answers(given: dict[str, Any], base: Path) -> dict[str, Any]:
    """The spec with the answers in the columns of its table of questions as recorded assistants.

    Raises:
        BadInputError, UserError: the table cannot be read, or what a column holds cannot be told.
    """
    suite, columns, asked = str(given["suite"]), given.get("columns", {}), given.setdefault("assistants", {})
    sheet = str(given.get("sheet", ""))
    if not _is_table(base / suite):
        return given
    from benchbar.suites.column_heads import own_form
    from benchbar.suites.columns import Columns, answer_columns
    from benchbar.suites.question_table import question_table

    def table() -> Table:
        return question_table(base / suite, sheet=sheet, labels=columns.values())

    # Of a large suite in our own form one row is enough to see that it is one.
    first = next(iter(table()), (0, {}))[1]
    told = Columns(fields={}) if own_form(first) else answer_columns(table(), columns)
    if told.doubtful and not told.answers and not asked:
        head = told.doubtful[0]
        raise UserError(
            f"{suite}: nobody's answers are known; columns that may hold answers: {', '.join(told.doubtful)}. Call them `answer:NAME`,"
            f" or say which with --map {shlex.quote(f'answer:NAME={head}')}; or name an assistant that is asked"
        )
    found = told.answers
    read_with: dict[str, Any] = {"columns": dict(columns), "sheet": sheet}
    mapping = {name: value for name, value in read_with.items() if value}
    # Those that are asked stand first: the first one is the reference where none is named.
    answered = {name: {"kind": "recorded", "file": suite, "column": head} | mapping for name, head in found.items()}
    return given | {"assistants": {**asked, **{name: one for name, one in answered.items() if name not in asked}}}


def _is_table(path: Path) -> bool:
    from benchbar.tables.reading import ENDINGS

    return path.is_file() and path.suffix.lower() in ENDINGS


def _named(texts: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, settings = parse_assistant(text)
        if name in named:
            raise UserError(f"two assistants are called {name!r}; give each a name of its own")
        named[name] = settings
    return named
