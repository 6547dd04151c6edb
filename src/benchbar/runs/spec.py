"""The spec of a run: everything that decides what a run does, frozen into the run folder."""

from __future__ import annotations

import re
from datetime import date
from math import inf
from typing import Any, Literal

import msgspec

from benchbar.clients.providers import WireProtocol
from benchbar.ledger.database import without_password
from benchbar.ledger.opening import is_address
from benchbar.records import Record, Reduction
from benchbar.records.errors import UserError
from benchbar.scoring.entailment.settings import EntailmentSettings
from benchbar.scoring.routing import Routing

HALF = 0.5
"""The outcome of a tie."""
_NAME = re.compile(r"[\w.-]{1,64}")


BATCHED_AT_ONCE = 2000
"""Samples whose calls can come into one batch; a dialogue that waits takes some 30 KB."""


class Limits(Record, frozen=True, forbid_unknown_fields=True):
    """What a run may use."""

    concurrency: int = 16
    max_cost: float | None = None
    keep_going: bool = False
    """Whether a run goes on when most of its judge's first verdicts cannot be read."""
    max_outage: float = 120.0
    """Seconds that a run waits for an endpoint that is down, before it stops."""
    batch: bool = False
    """Whether the judge's calls, and those of assistants that are asked one question, are handed in as batches: at half the price,
    answered within a day."""
    preflight: bool = True
    """Whether each endpoint is tried once before the first call is sent."""
    local_only: bool = False
    """Refuse every address that is not on this machine."""
    lease: float = 60.0
    """Seconds after which the samples of a process that is not heard of are given to others that share the run."""

    @property
    def at_once(self) -> int:
        """Samples that are worked on at the same time: those that wait for a batch ask nothing meanwhile."""
        return max(self.concurrency, BATCHED_AT_ONCE) if self.batch else self.concurrency

    def __post_init__(self) -> None:
        """Refuse a budget that nothing fits into by mistake of its sign, and times that never were.

        Raises:
            UserError: names the value.
        """
        for name, seconds in (("max_outage", self.max_outage), ("lease", self.lease)):
            if not 0 <= seconds < inf:
                raise UserError(f"limits.{name} is {seconds:g}; a number of seconds from 0 on was expected")
        if self.max_cost is not None and not 0 <= self.max_cost < inf:
            raise UserError(
                f"limits.max_cost is {self.max_cost:g}; a number from 0 on was expected, in the currency of the prices"
            )


class HealthLimits(Record, frozen=True, forbid_unknown_fields=True):
    """What a run has to reach in order to be believed."""

    aligned: float = 0.9
    """Least share of the simulated user's turns that are aligned with the person it plays: where rules or a judge surely see fewer,
    every report says so first, and no gate passes."""

    def __post_init__(self) -> None:
        """Refuse what is no share.

        Raises:
            UserError: names the value.
        """
        if not 0 <= self.aligned <= 1:
            raise UserError(f"health.aligned is {self.aligned:g}; a share from 0 to 1 was expected, 0 for no limit")


class JudgeSpec(Record, frozen=True, kw_only=True):
    """The judge model and the forms it is asked in; further fields are those of an endpoint."""

    kind: str | tuple[str, ...] = "pairwise"
    model: str
    base_url: str = ""
    rag: dict[str, Any] = {}
    """Of the kind ``rag``: ``similarity`` or ``embeddings``, ``weights`` and ``questions``."""
    repeats: int = 1
    grade_repeats: int = 3
    """Runs of the form ``grade`` for each dialogue, each a call of its own."""
    panel: tuple[dict[str, Any], ...] = ()
    """Endpoints of further judges that are asked everything this one is."""
    reduce: Reduction = "mean"
    """How what the judges of a panel say becomes one verdict, mark or grade: docs/judging.md says what each way is."""
    attempts: int = 3
    probes: bool = False
    """Whether the judge itself is tested, on 20 samples: see ``runs/probing.py``."""
    answers: Literal["auto", "text", "schema"] = "auto"
    """How the judge is made to answer in a form; see ``Endpoint``."""
    probabilities: bool = False
    """Whether the probability of each verdict is asked for and kept, where the endpoint states it."""
    soft: bool = False
    """Whether verdicts and marks count by these probabilities instead of as won, tied or lost."""
    tie_margin: float | None = None
    """A sample's outcome, the mean of all its verdicts, so near to a half is a tie, and any other a win or a loss; left out,
    the mean itself counts."""
    protocol: WireProtocol = "chat"
    """In which the judge is asked; see ``Endpoint``."""
    api_key_env: str = ""
    params: dict[str, Any] = {}
    price: dict[str, float] | None = None
    timeout: float = 120.0
    tries: int = 6
    thought_tags: tuple[str, ...] = ()
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def __post_init__(self) -> None:
        """Refuse a margin that calls everything a tie, and a way to join judges where there is one.

        Raises:
            UserError: names the value.
        """
        if self.reduce != "mean" and not self.panel:
            raise UserError(
                f'judge.reduce is "{self.reduce}" and there is one judge: name the others of its panel under judge.panel, or leave'
                " judge.reduce out"
            )
        if self.tie_margin is not None and not 0 <= self.tie_margin < HALF:
            raise UserError(f"judge.tie_margin is {self.tie_margin:g}; a number from 0 to below {HALF} was expected")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The forms, as a tuple."""
        return (self.kind,) if isinstance(self.kind, str) else self.kind

    def endpoint(self) -> dict[str, Any]:
        """The settings of the endpoint."""
        names = (
            *("model", "base_url", "protocol", "api_key_env", "params", "price", "timeout", "tries"),
            *("requests_per_minute", "tokens_per_minute", "thought_tags", "answers", "probabilities"),
        )
        return {name: getattr(self, name) for name in names}


class Spec(Record, frozen=True, kw_only=True):
    """Everything that decides what a run does."""

    suite: str
    language: str = ""
    """Of the samples, where neither the suite nor its text tells it."""
    columns: dict[str, str] = {}
    """Field of a sample to the column that holds it, where the head of a table does not say it."""
    sheet: str = ""
    """Of a workbook of questions that has several; left out, the only one that holds rows or has a column of questions."""
    assistants: dict[str, dict[str, Any]]
    reference: str = ""
    exchanges: int = 3
    repeats: int = 1
    """How often each dialogue is held and marked: the assistant's own variation is seen from 2 on."""
    pass_mark: float = 0.5
    """The point score from which on a dialogue counts as passed, where dialogues are repeated."""
    seed: int = 0
    simulator: dict[str, Any] = msgspec.field(default_factory=lambda: {"kind": "agenda"})
    judge: JudgeSpec | None = None
    entailment: EntailmentSettings | None = None
    """A model of natural language inference that is asked about claims which rules leave open, before a judge is."""
    scorers: tuple[str, ...] | dict[str, dict[str, Any]] = ()
    """Scoring rules besides the built-in scorers: names or ``module:object``, or a table that gives each its settings;
    ``repeats`` is how often one that asks a model is asked."""
    limits: Limits = Limits()
    health: HealthLimits = HealthLimits()
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

    @property
    def people(self) -> tuple[str, ...]:
        """The assistants that are people."""
        return tuple(name for name, one in self.assistants.items() if one.get("kind") == "person")

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
        counts = {"exchanges": self.exchanges, "repeats": self.repeats, "limits.concurrency": self.limits.concurrency}
        for what, value in counts.items():
            if value < 1:
                raise UserError(f"{what} is {value}; at least 1 was expected")
        _repeatable(self)
        _placed(self.ledger)
        if self.judge and self.judge.soft and not self.judge.probabilities:
            raise UserError("judge.soft counts verdicts by their probabilities: set judge.probabilities = true as well")
        if self.judge and min(self.judge.repeats, self.judge.attempts, self.judge.grade_repeats) < 1:
            raise UserError("judge repeats, grade_repeats and attempts must be at least 1")


def _repeatable(spec: Spec) -> None:
    if not 0 < spec.pass_mark <= 1:
        raise UserError(f"pass_mark is {spec.pass_mark}; a number above 0 and at most 1 was expected")
    if spec.repeats > 1 and all(one.get("kind") in {"recorded", "person"} for one in spec.assistants.values()):
        raise UserError(
            f"repeats = {spec.repeats}: all assistants are recorded or people, which cannot be asked again; leave repeats"
            " out, or name an assistant that answers"
        )


def _placed(ledger: str) -> None:
    if ledger and not is_address(ledger):
        shown = without_password(ledger)
        raise UserError(f"ledger {shown!r}: expected postgresql://USER@HOST/DATABASE, or nothing for a file")


def _day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"on is {text!r}; a day like 2024-06-01 was expected") from error
