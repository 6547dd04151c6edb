"""Release gates as tests: the fixture ``assert_gate``, and one test for each check or each sample of a finished run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from benchbar.records import GateDecision


class AssertGate(Protocol):
    """What the fixture gives."""

    def __call__(
        self,
        run: str | Path,
        policy: str | Path | None = None,
        baseline: str | Path | None = None,
        *,
        insufficient: str = "fail",
    ) -> GateDecision:
        """The decision on a run; the test fails where it is not passed."""
        ...


@pytest.fixture
def assert_gate() -> AssertGate:
    """A function that fails the test unless the gate of a run passes.

    ``insufficient`` says what insufficient evidence does to the test: ``fail``, ``skip`` or ``pass``.
    """
    return _assert_gate


def _assert_gate(
    run: str | Path,
    policy: str | Path | None = None,
    baseline: str | Path | None = None,
    *,
    insufficient: str = "fail",
) -> GateDecision:
    if insufficient not in {"fail", "skip", "pass"}:
        raise ValueError(f"insufficient={insufficient!r}; expected 'fail', 'skip' or 'pass'")
    gate = _decided(Path(run), policy, baseline)
    if gate.decision == "fail" or (gate.decision != "pass" and insufficient == "fail"):
        pytest.fail(_told(gate), pytrace=False)
    if gate.decision != "pass" and insufficient == "skip":
        pytest.skip(_told(gate))
    return gate


def _decided(run: Path, policy: str | Path | None, baseline: str | Path | None) -> GateDecision:
    from benchbar.runs.run import Run

    return Run(run).gate(policy or "release", baseline=baseline).record


def _told(gate: GateDecision) -> str:
    lines = [f"{check.name}: {check.decision}: {check.reason}" for check in gate.checks if check.decision != "pass"]
    return "\n".join([f"release gate: {gate.decision}", *lines])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options that turn a run into tests."""
    group = parser.getgroup("benchbar", "release gates of benchbar")
    group.addoption("--benchbar-run", metavar="RUN", help="folder of a finished run to make tests of")
    group.addoption("--benchbar-policy", metavar="FILE", help="policy of the gate [the built-in one]")
    group.addoption("--benchbar-baseline", metavar="RUN", help="run that it must not be worse than")
    group.addoption(
        "--benchbar-each",
        choices=("check", "sample"),
        default="check",
        help="one test for each check of the gate (on intervals), or for each sample (on its own values)",
    )


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests of the run that ``--benchbar-run`` names."""
    run = config.getoption("benchbar_run")
    if run:
        items.extend(_items(session, config, Path(run)))


def _items(session: pytest.Session, config: pytest.Config, run: Path) -> Iterator[pytest.Item]:
    policy, baseline = config.getoption("benchbar_policy"), config.getoption("benchbar_baseline")
    if config.getoption("benchbar_each") == "sample":
        yield from _sample_items(session, run, policy)
        return
    for check in _decided(run, policy, baseline).checks:
        broken = "" if check.decision == "pass" or not check.required else f"{check.decision}: {check.reason}"
        yield GateItem.from_parent(session, name=f"gate[{check.name}]", verdict=lambda broken=broken: broken)


def _sample_items(session: pytest.Session, run: Path, policy: str | None) -> Iterator[pytest.Item]:
    from benchbar.artefacts.folder import read_measures, read_results
    from benchbar.decisions.evidence import chosen
    from benchbar.decisions.policy import read_policy
    from benchbar.decisions.samples import broken_by

    conditions = read_policy(Path(policy) if policy else None)
    names = chosen(read_results(run), conditions)
    for one in read_measures(run):
        if one.assistant in names:
            broken = "; ".join(broken_by(conditions, one))
            name = f"gate[{one.assistant}-{one.sample}]"
            yield GateItem.from_parent(session, name=name, verdict=lambda broken=broken: broken)


class GateItem(pytest.Item):
    """One check, or one sample, as a test."""

    def __init__(self, *, verdict: Callable[[], str], **kwargs: object) -> None:
        """``verdict`` says what is broken, or nothing."""
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self._verdict = verdict

    def runtest(self) -> None:
        """Fail with what is broken."""
        if broken := self._verdict():
            pytest.fail(broken, pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the test is said to be."""
        return self.path, None, self.name
