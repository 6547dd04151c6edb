"""The spec of a run: read from TOML, overridden by flags, checked, and frozen into the run folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchbar.assistants.build import parse_assistant
from benchbar.ledger.database import without_password
from benchbar.ledger.opening import is_address
from benchbar.records import Record
from benchbar.records.base import converted
from benchbar.records.errors import UserError
from benchbar.records.toml import read_toml
from benchbar.scoring.routing import Routing

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

_NAME = re.compile(r"[\w.-]{1,64}")


class Limits(Record, frozen=True, forbid_unknown_fields=True):
    """What a run may use."""

    concurrency: int = 16
    max_cost: float | None = None
    keep_going: bool = False
    """Whether a run goes on when most of its judge's first verdicts cannot be read."""
    max_outage: float = 120.0
    """Seconds that a run waits for an endpoint that is down, before it stops."""
    preflight: bool = True
    """Whether each endpoint is tried once before the first call is sent."""
    local_only: bool = False
    """Refuse every address that is not on this machine."""
    lease: float = 60.0
    """Seconds after which the samples of a process that is not heard of are given to others that share the run."""


class JudgeSpec(Record, frozen=True, kw_only=True):
    """The judge model and the forms it is asked in; further fields are those of an endpoint."""

    kind: str | tuple[str, ...] = "pairwise"
    model: str
    base_url: str = ""
    rag: dict[str, Any] = {}
    """Of the kind ``rag``: ``similarity``, ``weights`` and ``questions``."""
    repeats: int = 1
    grade_repeats: int = 3
    """Runs of the form ``grade`` for each dialogue, each a call of its own."""
    panel: tuple[dict[str, Any], ...] = ()
    """Endpoints of further judges that are asked everything this one is; their verdicts and marks are averaged."""
    attempts: int = 3
    answers: Literal["auto", "text", "schema"] = "auto"
    """How the judge is made to answer in a form; see ``Endpoint``."""
    probabilities: bool = False
    """Whether the probability of each verdict is asked for and kept, where the endpoint states it."""
    soft: bool = False
    """Whether verdicts and marks count by these probabilities instead of as won, tied or lost."""
    api_key_env: str = ""
    params: dict[str, Any] = {}
    price: dict[str, float] | None = None
    timeout: float = 120.0
    tries: int = 6
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The forms, as a tuple."""
        return (self.kind,) if isinstance(self.kind, str) else self.kind

    def endpoint(self) -> dict[str, Any]:
        """The settings of the endpoint."""
        names = (
            *("model", "base_url", "api_key_env", "params", "price", "timeout", "tries"),
            *("requests_per_minute", "tokens_per_minute", "answers", "probabilities"),
        )
        return {name: getattr(self, name) for name in names}


class Spec(Record, frozen=True, kw_only=True):
    """Everything that decides what a run does."""

    suite: str
    language: str = ""
    """Of the samples, where neither the suite nor its text tells it."""
    columns: dict[str, str] = {}
    """Field of a sample to the column that holds it, where the head of a table does not say it."""
    assistants: dict[str, dict[str, Any]]
    reference: str = ""
    exchanges: int = 3
    seed: int = 0
    simulator: dict[str, Any] = msgspec.field(default_factory=lambda: {"kind": "agenda"})
    judge: JudgeSpec | None = None
    scorers: tuple[str, ...] | dict[str, dict[str, Any]] = ()
    """Scoring rules besides the built-in scorers: names or ``module:object``, or a table that gives each its settings;
    ``repeats`` is how often one that asks a model is asked."""
    limits: Limits = Limits()
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    law: str = ""
    """An index or folder of law that citations are held against; left out, the law that the suite brings."""
    on: str = ""
    """The day (YYYY-MM-DD) whose law counts for samples that name none; left out, the day the run was begun."""
    stop_early: bool = False
    """Look after each quarter of the samples and stop when every candidate is told apart from the reference."""
    prompts: str = ""
    """A folder whose files take the place of the package's prompts."""
    ledger: str = ""
    """``postgresql://USER@HOST/DATABASE?run=NAME`` where several processes or reviewers share the run; left out, a file in
    its folder. A password in it is never written down."""
    review: Routing = Routing()
    """When people have to look, and how many of them."""
    rubric: str = "consultation"
    """Dimensions of quality: a bundled rubric or a TOML file; empty for none."""
    gate: str | dict[str, Any] | None = None
    """The release policy to decide by at the end: a TOML file, a table, or ``release`` for the built-in one."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run.

        Raises:
            UserError: names what is wrong, and what would be right.
        """
        for name in self.assistants:
            if not _NAME.fullmatch(name):
                raise UserError(f"assistant name {name!r}: letters, digits, dot, dash and underscore only, at most 64")
        if not self.assistants:
            raise UserError(
                "no assistant is named; expected for instance --assistant base=openai:MODEL@URL, or a table of questions with a"
                " column answer:NAME"
            )
        if self.reference and self.reference not in self.assistants:
            raise UserError(f"reference {self.reference!r} is not in the run; assistants: {', '.join(self.assistants)}")
        if self.on:
            _day(self.on)
        for what, value in (("exchanges", self.exchanges), ("limits.concurrency", self.limits.concurrency)):
            if value < 1:
                raise UserError(f"{what} is {value}; at least 1 was expected")
        _placed(self.ledger, stop_early=self.stop_early)
        if self.judge and self.judge.soft and not self.judge.probabilities:
            raise UserError("judge.soft counts verdicts by their probabilities: set judge.probabilities = true as well")
        if self.judge and min(self.judge.repeats, self.judge.attempts, self.judge.grade_repeats) < 1:
            raise UserError("judge repeats, grade_repeats and attempts must be at least 1")


def _placed(ledger: str, *, stop_early: bool) -> None:
    if ledger and not is_address(ledger):
        shown = without_password(ledger)
        raise UserError(f"ledger {shown!r}: expected postgresql://USER@HOST/DATABASE, or nothing for a file")
    if ledger and stop_early:
        raise UserError("stop_early looks at the results of one process; leave it out with a ledger in PostgreSQL")


def _day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"on is {text!r}; a day like 2024-06-01 was expected") from error


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
    return _completed(None, _with_answers(dict(given), Path())), Path()


def read_spec(
    file: Path | None, flags: dict[str, Any], assistants: tuple[str, ...], settings: Mapping[str, Any] | None = None
) -> Spec:
    """The spec in a file, or the demonstration where there is none, with flags and then ``settings`` laid over it.

    Raises:
        UserError: a flag does not fit, or two assistants have one name.
        BadInputError: the file is no TOML, or a field is missing, unknown or of another type.
    """
    base = file.parent if file else Path()
    given = dict(read_toml(file, dict[str, Any])) if file else {}
    named = _named(assistants)
    if not (file or named or _is_table(base / str(flags.get("suite") or ""))):
        given = dict(DEMO)
    given |= {key: flags.pop(key) for key in ("suite", "language", "columns") if flags.get(key)}
    if named:
        given["assistants"] = {**given.get("assistants", {}), **named}
    for role, usual in (("judge", {"kind": ["pairwise", "checklist"]}), ("simulator", {"kind": "llm"})):
        if text := flags.pop(role, None):
            given[role] = {**usual, **given.get(role, {}), **_endpoint(text, f"--{role}")}
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
    return _completed(file, _with_answers(settings_with(given, settings or {}), base))


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


def _completed(file: Path | None, given: dict[str, Any]) -> Spec:
    """The spec, with the bundled suite and the first assistant as reference where it names none."""
    given.setdefault("suite", DEMO["suite"])
    given.setdefault("reference", next(iter(given.get("assistants", {"": 0})), ""))
    return converted(given, Spec, file=file)


def _endpoint(text: str, option: str) -> dict[str, Any]:
    """The endpoint in ``MODEL@URL``, ``openai:MODEL@URL`` or either with further ``,key=value``."""
    written = text if text.startswith("openai:") else f"openai:{text}"
    settings = parse_assistant(f"{option}={written}")[1]
    return {name: value for name, value in settings.items() if name != "kind"}


def _with_answers(given: dict[str, Any], base: Path) -> dict[str, Any]:
    """The spec with the answers in the columns of its table of questions as recorded assistants.

    Raises:
        BadInputError, UserError: the table cannot be read, or what a column holds cannot be told.
    """
    suite, columns, asked = str(given.get("suite", "")), given.get("columns", {}), given.get("assistants", {})
    # What is of another type is refused where the whole spec is checked.
    if not (isinstance(columns, dict) and isinstance(asked, dict) and _is_table(base / suite)):
        return given
    from benchbar.suites.columns import answer_columns, own_form
    from benchbar.tables.reading import read_table

    # Of a large suite in our own form one row is enough to see that it is one.
    first = next(iter(read_table(base / suite)), (0, {}))[1]
    found = {} if own_form(first) else answer_columns(read_table(base / suite), columns)
    mapping = {"columns": dict(columns)} if columns else {}
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
