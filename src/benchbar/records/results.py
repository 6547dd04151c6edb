"""What a run found: every number an Estimate, every missing unit counted."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from benchbar.records.base import Record
from benchbar.records.errors import UnknownNameError
from benchbar.records.layers import DimensionBar
from benchbar.records.measures import MeasureDefinition
from benchbar.records.numbers import Estimate
from benchbar.records.precision import Precision
from benchbar.records.rag import RagResults
from benchbar.records.repeats import RepeatResults
from benchbar.records.scoring import GateDecision, Reduction
from benchbar.records.suites import LeftOut
from benchbar.records.temperaments import TemperamentResults

# An estimate and not a KeyError: older results lack measures of today, and a page shows a dash with the
# reason.
NOT_MEASURED = Estimate(value=None, reason="this run did not measure it")
RESULTS_VERSION = 2
"""Of results.json. Version 1 had a field for each measure; `benchbar.artefacts.upgrades` reads it."""


class Cell(Record, frozen=True):
    """One assistant against the reference on one group of samples (a task, a level, a scenario)."""

    measures: dict[str, Estimate]
    """``win_rate`` and ``point_score``, and the measures that scoring rules of this run declare."""
    wins: float
    ties: float
    losses: float
    abstained: int
    """Guidance points that nobody decided."""
    failed: int
    """Dialogues, comparisons or marks that ended in an error."""

    def __getitem__(self, measure: str) -> Estimate:
        """The estimate of a measure; one without a value where there is none."""
        return self.measures.get(measure, NOT_MEASURED)


class Spending(Record, frozen=True):
    """What answered calls consumed; None where no endpoint or price said."""

    calls: int = 0
    without_usage: int = 0
    """Calls whose endpoint did not state its tokens: they are not in the sums."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    cached_tokens: int | UnsetType = UNSET
    """How many of the input tokens providers had in their caches; not written where no endpoint says."""


class HealthFinding(Record, frozen=True):
    """Why figures of a run, or all of it, are not to be believed."""

    slug: str
    """``failed``: never answered; ``unreadable``: many verdicts missing; ``chance``: the judge sees positions alone;
    ``family``: the judge is of the assistant's family; ``own_family``: it prefers that family more than its panel does;
    ``uneven``: rules decided much more of one side than of the other; ``probe``: the judge is fooled; ``fidelity``: the simulated
    user is too rarely true to its person; ``trial``: before the run the judge did not prefer expected answers to general words."""
    who: str
    """The judge or assistant that it is about; several, divided by commas, where one sentence is about all of them."""
    message: str
    """Who, what, and what to do, in one line of English."""
    values: dict[str, str] = {}
    """What the text ``health.SLUG`` of a language's pack is filled in with; runs of before have none."""
    share: Estimate | None = None
    """Of what was asked in vain, or changed with the order."""
    fatal: bool = False
    """Whether the command ends with exit code 1."""


class FamilyLean(Record, frozen=True):
    """How one judge treats the assistants of one model family, on pairs of one of them with an assistant that is not."""

    preferred: Estimate
    """Its rate of preferring the family's answer; a tie counts half."""
    beyond: Estimate
    """The same less that of the panel's other judges on the same pairs; without a value where it is the only one."""


class JudgeLean(Record, frozen=True):
    """How one judge leans."""

    first: Estimate
    """Of its verdicts that name one of two dialogues, the share that name the one shown first."""
    won: dict[str, Estimate]
    """Candidate to its win rate by this judge alone: beside those of the other judges it shows who favours whom."""
    family: str = ""
    """Its own model family; empty where it is not known."""
    families: dict[str, FamilyLean] = {}
    """Family of an assistant to how the judge treats it; runs of before have none."""


class PanelResults(Record, frozen=True):
    """Several judges of one thing: how what they say became one value, and how often they do not agree."""

    reduction: Reduction
    disagreement: dict[str, Estimate]
    """Of ``verdicts``, ``marks``, ``grades``, ``answers`` and ``turns`` that several judges judged, the share on which they
    disagree: another winner; marks, or measures of an answer, half a point or more apart; grades of a criterion a fifth of its
    points or more apart."""


class Fidelity(Record, frozen=True):
    """How often the simulated user's turns are aligned with what the person it plays knows and needs, by one who looked."""

    by: str
    """``rules``, ``people``, or the identity of a judge."""
    first: Estimate
    """Of first turns, the share that is aligned."""
    later: Estimate
    """Of all later turns."""
    errors: dict[str, int] = {}
    """Type of error to the number of turns."""


class AssistantResults(Record, frozen=True):
    """One assistant's results against the reference."""

    measures: dict[str, Estimate]
    """Measure to its estimate over all samples; docs/measures.md says what each is."""
    wins: float
    ties: float
    losses: float
    by_task: dict[str, Cell]
    by_level: dict[str, Cell]
    by_scenario: dict[str, Cell]
    coverage: dict[str, Estimate]
    """Guidance category to the mean value of its decided points; for forbidden points low is good."""
    position_test: float | None
    """Two-sided p of the sign test of always-first against always-second; None without two orders."""
    tied_with: tuple[str, ...]
    """Assistants that this one is not told apart from, the reference among them."""
    citations: dict[str, int]
    """Status to the number of citations that the law was held against; empty where the run had no law."""
    failed_dialogues: int
    guards: dict[str, int]
    """Guard name to the number of dialogues it was seen in."""
    spending: Spending
    cost: float | None = None
    ranks: tuple[int, int] | UnsetType = UNSET
    """The best and the worst rank that the data leave open, among all assistants at once; older runs have none."""

    def __getitem__(self, measure: str) -> Estimate:
        """The estimate of a measure; one without a value where this run has none, as an older one may."""
        return self.measures.get(measure, NOT_MEASURED)


class RunResults(Record, frozen=True, kw_only=True):
    """Everything a consultation run found; nothing in it depends on the clock, so equal ledgers give equal bytes."""

    schema_version: int = RESULTS_VERSION
    suite: str
    suite_fingerprint: str
    reference: str
    decided_by: str
    """``rules``, or the judge forms that decided, e.g. ``pairwise, checklist``."""
    simulator: str
    judge: str
    law: str
    """Fingerprint of the law that citations were held against; empty where there was none."""
    invented_law: str | UnsetType = UNSET
    """The jurisdiction of that law, where it is invented: what it verifies holds nowhere. Not written of a country's law."""
    on: str
    """The day whose law counts for samples that name none."""
    samples: int
    without_guidance: int
    languages: tuple[str, ...] | UnsetType = UNSET
    """Languages of the samples; runs of before do not say."""
    accusations: dict[str, Precision] | UnsetType = UNSET
    """What a citation is accused of, and the language, to how often that was right on texts that nobody tuned on; not written
    where there was no law."""
    left_out: LeftOut | UnsetType = UNSET
    """Rows of the suite's table that gave no sample; not written where all did."""
    tasks: dict[str, str]
    """Task id to name, in the order of the suite."""
    levels: tuple[str, ...]
    scenarios: tuple[str, ...]
    assistants: dict[str, AssistantResults]
    declared: dict[str, MeasureDefinition] = {}
    """Measures that scoring rules of this run declare, by name; Benchbar's own are in docs/measures.md."""
    turns_and_win_rate: dict[str, Estimate]
    """``pearson`` and ``spearman`` correlation over assistants."""
    spending: dict[str, Spending]
    """Role (assistant, simulator, judge) to what it consumed."""
    failures: dict[str, int]
    """Error slug to how often it ended a call."""
    health: tuple[HealthFinding, ...] = ()
    """Why figures of this run are not to be believed, the gravest first; every report shows them before the figures."""
    probes: dict[str, dict[str, Estimate]] = {}
    """Judge to probe to the share of samples on which it was fooled; empty unless the spec asks for probes."""
    judges: dict[str, JudgeLean] = {}
    """Judge to how it leans; where several compare, ``panel`` says how the results come from them."""
    panel: PanelResults | None = None
    """None where no two judges judged the same; in runs of before, where the mean of them counted."""
    tie_margin: float | None = None
    """Within which a sample's outcome counted as a tie; None where the mean of its verdicts counted."""
    fidelity: tuple[Fidelity, ...] = ()
    """Of the simulated user, by rules and by each judge of the kind ``fidelity``; empty where nobody was simulated."""
    stopped: str = ""
    """At which look an early-stopped run ended. Its intervals are those of a run of fixed size and a little too narrow."""
    rubric: str = ""
    dimensions: dict[str, DimensionBar] = {}
    """Dimension of the rubric to what it asks of a release."""
    review: dict[str, int] = {}
    """Why people should look at dialogues (spread, panel, conflict, high_risk, new, disputed_before, audit) to how many."""
    gate: GateDecision | None = None
    temperaments: TemperamentResults | None = None
    """Results by temperament of the simulated users; None where temperaments are off."""
    repeats: RepeatResults | None = None
    """Parts of the variance and how often every trial passes; only where dialogues are repeated."""
    people: tuple[str, ...] | UnsetType = UNSET
    """Assistants that are people, who answered without guidance; not written of a run without them."""
    rag: RagResults | None = None
    """How well questions were answered from passages; only in runs of a question-answering suite."""

    def win_rate(self, assistant: str) -> Estimate:
        """How often the assistant was better than the reference; ties count half.

        Raises:
            UnknownNameError: the run has no such assistant.
        """
        if assistant not in self.assistants:
            raise UnknownNameError("assistant", assistant, list(self.assistants))
        return self.assistants[assistant]["win_rate"]


class Timing(Record, frozen=True):
    """Seconds that one assistant took for all its replies in a dialogue; kept apart from the results in timing.json."""

    mean: Estimate
    p50: float | None
    p95: float | None
