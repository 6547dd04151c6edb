"""What the app is made from; whatever belongs to another room comes in as a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchbar.contracts.report import ContractReport
from benchbar.records import Article, Citation, Decision, RunResults, Suite
from benchbar.runs.allowed import AllowedModel
from benchbar.web.advice import Consultant
from benchbar.web.oidc import OidcSettings

SuiteOf = Callable[[Path, RunResults], tuple[Suite | None, str]]
"""Run folder and its results to the suite it was made from; else None and why it is not at hand."""


class Lawbook(Protocol):
    """The law that a run's citations were held against."""

    invented: str
    """Its jurisdiction, where that is invented; empty where the law is a country's."""

    def text_of(self, id_: str) -> Article | Decision | None:
        """The article or decision of an id."""
        ...

    def source_of(self, found: Article | Decision) -> str:
        """The address of a text at an official site, else the file that it was read from; empty where neither is known."""
        ...

    def later_of(self, citation: Citation) -> str:
        """What took the place of a law not in force, by its name; empty where nothing is known to have."""
        ...

    def cited(self, text: str, *, language: str, on: str) -> Iterable[Citation]:
        """The citations in a text, held against the law of a day (YYYY-MM-DD; empty for today)."""
        ...


LawOf = Callable[[Path], Lawbook | None]
"""Run folder to the law that its citations were held against; None where it had none, or it is not at hand."""
CriteriaOf = Callable[[Path], Mapping[str, float]]
"""Run folder to the criteria of its rubric and the points of each; empty where it has none."""


@dataclass(frozen=True, slots=True)
class ContractAsked:
    """A contract to be reviewed, and how; empty texts leave it to the contract."""

    contract: Path
    name: str
    """What its owner calls the file."""
    earlier: Path | None = None
    """An earlier version, whose changes are judged."""
    playbook: Path | None = None
    side: str = ""
    contract_type: str = ""
    on: str = ""
    """The day whose law counts, YYYY-MM-DD."""
    language: str = ""
    demo: bool = False
    """With the invented rules of the package, in the place of the app's own rules and law."""
    without_law: bool = False
    """Leaves the app's law out."""


ContractReader = Callable[[ContractAsked, Path], ContractReport]
"""A contract to its review, whose files (`benchbar.contracts.taking_away`) are written into the folder."""

OWN = ".benchbar"
"""The folder of the app's own files, in the folder of runs."""
# Marks and points are kilobytes; a megabyte stops a form that is meant to fill the memory.
MAX_BODY = 1_000_000
"""Bytes of a request, unless a page that takes files says otherwise."""


@dataclass(frozen=True)
class Config:
    """Settings of one app."""

    runs: Path
    """The folder whose folders are runs."""
    owner_token: str
    """What the owner signs in with."""
    database: str = ""
    """A PostgreSQL address; empty for a SQLite file in the folder of runs."""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    # Without this list a name that an attacker controls could be pointed here (DNS rebinding) and read the
    # pages.
    """Names that the app answers to, without port: another name is another site that points here."""
    mask: bool = False
    """Hide personal data in what is shown and exported."""
    suites: Path | None = None
    """The folder whose folders are suites that people write guidance for; None where there is none."""
    production: Path | None = None
    """The folder of a live assistant's traces, whose failures are proposed as samples; None where there is none."""
    suite_of: SuiteOf | None = None
    law_of: LawOf | None = None
    law: str = ""
    """The law that runs made here hold citations against, a path or a bundled name; empty where none was named."""
    criteria_of: CriteriaOf | None = None
    allowed: Mapping[str, AllowedModel] = field(default_factory=dict)
    """The models that owners may choose for runs that they start here; nobody names an address in a browser."""
    oidc: OidcSettings | None = None
    """The identity provider through which a firm's people sign in; None where the owner's links are the only way."""
    oidc_secret: str = field(default="", repr=False)
    """What the provider knows this client by; from the server's environment, and never shown."""
    consultant: Consultant | None = None
    """Answers questions; without one there is no page for them."""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The access labels of each person by name: documents of the law with another one answer nothing that they ask."""
    contract_reviewer: ContractReader | None = None
    """Reviews contracts; without one there is no page for them."""
    contract_law: str = ""
    """What the law is called that contracts are checked against; empty where there is none."""

    @property
    def own(self) -> Path:
        """The folder of the app's own files."""
        return self.runs / OWN
