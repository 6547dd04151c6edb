"""From a run with people's preferences to a better judge: `benchbar.align`.

What a candidate has to ask goes through a ledger of its own beside the run's, so that the figures of the run stay what they
were, and a second start pays nothing twice.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from benchbar.artefacts.layout import LEDGER
from benchbar.clients.session import OnProgress, Session, blocking, open_session
from benchbar.languages.prompts import Prompts
from benchbar.measures.validation.aligning import Labelled
from benchbar.measures.validation.aligning import align as aligned
from benchbar.measures.validation.preferences import LABELS, judged_pairs, preference
from benchbar.measures.validation.verdict_rule import Orders, VerdictRule, Verdicts
from benchbar.measures.validation.votes import voted, winning
from benchbar.records import COMPARED, Record, Reduction, Sample, Suite, encode
from benchbar.records.alignment import Alignment
from benchbar.records.base import converted
from benchbar.records.errors import UserError
from benchbar.records.files import write_atomically
from benchbar.records.toml import read_toml
from benchbar.runs.asked_candidate import AskedCandidate, CandidateSpec, ComparedPair
from benchbar.runs.context import RunContext
from benchbar.runs.spec import Spec
from benchbar.runs.validating import KnownRun, read_known
from benchbar.scoring.judges.examples import PROMPT

if TYPE_CHECKING:
    from benchbar.ledger import Ledger

FOLDER = "alignment"
"""In the run's folder: the ledger of what candidates asked, and the result."""
RESULT = "alignment.json"
BASELINE = "as it is"


class Aligned(Record, frozen=True):
    """An alignment, and what to write into the spec to judge like the chosen candidate."""

    alignment: Alignment
    adopt: tuple[str, ...]
    """Lines of a spec; they are adopted by hand or not at all."""


class _File(Record, frozen=True):
    candidates: dict[str, CandidateSpec]


@dataclass(frozen=True)
class _Study:
    """A run with the pairs that people compared."""

    spec: Spec
    base: Path
    suite: Suite
    pairs: dict[str, ComparedPair]
    items: list[Labelled]
    verdicts: Verdicts


async def align_async(
    folder: Path | str,
    *,
    candidates: Path | str | None = None,
    folds: int = 5,
    seed: int = 0,
    max_cost: float | None = None,
    out: Path | str | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Aligned:
    """The same as ``align``, for callers whose event loop runs already."""
    run, file = Path(folder), Path(candidates) if candidates else None
    study = _read_study(run)
    wanted = _read_candidates(file) if file else {}
    baseline, recorded = _recorded(study)
    if not wanted:
        found = await aligned(study.items, baseline, recorded, folds=folds, seed=seed)
        asked: list[AskedCandidate] = []
    else:
        limits = study.spec.limits
        where = run / FOLDER / LEDGER
        async with open_session(
            where,
            max_cost=limits.max_cost if max_cost is None else max_cost,
            concurrency=limits.concurrency,
            seed=seed,
            max_outage=limits.max_outage,
            cancel=cancel,
        ) as session:
            with session.counted("aligning", len(study.items) * len(wanted), on_progress) as done:
                make = _Making(study, session, file.parent if file else Path(), seed)
                asked = [replace(make.candidate(name, one), told=done) for name, one in wanted.items()]
                found = await aligned(study.items, baseline, [*recorded, *asked], folds=folds, seed=seed)
    document = msgspec.json.format(encode(found), indent=2)
    (run / FOLDER).mkdir(exist_ok=True)
    write_atomically(run / FOLDER / RESULT, document + b"\n")
    adopt = _adoption(found, study, {one.name: one for one in asked}, file, Path(out) if out else None)
    return Aligned(alignment=found, adopt=tuple(adopt))


@blocking(align_async)
def align(done: Aligned) -> Aligned:  # noqa: D417 - its arguments are those of align_async
    """The way of judging that agrees best with people on one half of what they compared, and what it is worth on the other.

    Candidates are compared by cross-validation on one half; the best is held against the judge as it is on the other half
    alone. Recorded verdicts give margins, orders and single judges of a panel without a call; a file of candidates adds
    wordings, examples, models and panels, whose calls go through a ledger in ``alignment`` in the run's folder.

    Args:
        folder: of a finished run with a judge that compares, and preferences of people.
        candidates: a TOML file with tables ``[candidates.NAME]``; left out, recorded verdicts alone.
        folds: of the cross-validation.
        seed: of halves, folds and examples.
        max_cost: no call is made that might exceed it, earlier starts included.
        out: a folder for the prompts of the chosen candidate, where it shows examples.
        on_progress: called as each item is judged.
        cancel: once set, calls in flight are finished and kept, and an ``InterruptedRunError`` ends the alignment.

    Raises:
        UserError: the run has no suite, no comparing judge, or too few pairs that people agree on.
        BudgetExhaustedError: the next call might cost more than is left.
    """
    return done


def _read_candidates(file: Path) -> dict[str, CandidateSpec]:
    found = converted(read_toml(file, dict[str, Any]), _File, file=file).candidates
    if BASELINE in found:
        raise UserError(f"{file}: candidate {BASELINE!r} is what the judge of the run is called; give it another name")
    return found


def _read_study(run: Path) -> _Study:
    from benchbar.runs.assembling import chosen_suite

    known = read_known(run)
    if known.manifest is None or not known.samples:
        raise UserError(f"{run}: the suite of the run is not at hand, so no judge can be shown its samples")
    spec, base = known.manifest.spec, Path(known.manifest.folder)
    comparisons = (one for by in known.material.comparisons.values() for own in by.values() for one in own)
    verdicts = {
        f"{sample} {candidate}": pair.outcomes
        for (sample, candidate), pair in judged_pairs(comparisons, known.tasks).items()
    }
    if spec.judge is None or not verdicts:
        raise UserError(f'{run}: no judge compared; an alignment is of a judge of the kind "{PROMPT}"')
    suite = chosen_suite(spec, base)
    items, pairs = _labelled(known, suite)
    if not items:
        raise UserError(
            f"{run}: no pair that people agree on; ask them with `benchbar review draw {run} --ask preferences`"
        )
    return _Study(spec, base, suite, pairs, items, verdicts)


def _labelled(known: KnownRun, suite: Suite) -> tuple[list[Labelled], dict[str, ComparedPair]]:
    """The pairs that a majority of people decided, in the order in which they were drawn."""
    marked = voted(known.reviews, COMPARED)
    items, pairs = [], {}
    for one, label in zip(marked, winning(marked, preference, LABELS), strict=True):
        task, held = one.task, known.material.dialogues.get(one.task.sample, {})
        sample = known.samples.get(task.sample)
        if label is None or sample is None or task.assistant not in held or task.against not in held:
            continue
        key = f"{task.sample} {task.assistant}"
        items.append(Labelled(key, task.sample, sample.task, label))
        pairs[key] = ComparedPair(suite.tasks[sample.task], sample, held[task.assistant], held[task.against])
    return items, pairs


def _recorded(study: _Study) -> tuple[VerdictRule, list[VerdictRule]]:
    """The judge as the run counts it, and what its recorded verdicts allow without a call."""
    judges = tuple(dict.fromkeys(judge for by in study.verdicts.values() for judge in by))
    judge = study.spec.judge
    margin, reduce = (judge.tie_margin, judge.reduce) if judge else (None, "mean")
    baseline = VerdictRule(BASELINE, study.verdicts, judges, joined=reduce, margin=margin or 0.0)
    found = [replace(baseline, name="ties within a margin", margin=None)]
    found += [replace(baseline, name=f"{one.replace('_', ' ')} alone", orders=one) for one in _ONE_ORDER]
    if len(judges) > 1:
        found += [replace(baseline, name=f"{judge} alone", judges=(judge,)) for judge in judges]
        found += [
            replace(baseline, name=f"{how}{_OF_PANEL}", joined=how) for how in get_args(Reduction) if how != reduce
        ]
    return baseline, found


_OF_PANEL = " of the panel"
_ONE_ORDER: tuple[Orders, ...] = ("candidate_first", "reference_first")


@dataclass(frozen=True)
class _Making:
    """What asked candidates are made with."""

    study: _Study
    session: Session
    base: Path
    """Of the file of candidates."""
    seed: int

    def candidate(self, name: str, wanted: CandidateSpec) -> AskedCandidate:
        """A candidate that is ready to be asked.

        Raises:
            UserError: its prompts, suite or endpoint do not fit.
        """
        study, judge = self.study, self.study.spec.judge
        if judge is None:
            raise UserError(f"candidate {name!r}: the run has no judge")
        context = RunContext(self.session.client, study.suite, study.base)
        endpoints = [wanted.endpoint(judge.endpoint()), *wanted.panel]
        same = not (wanted.prompts or wanted.suite or wanted.examples or wanted.params)
        return AskedCandidate(
            name=name,
            wanted=wanted,
            judges=[context.model(one) for one in endpoints],
            prompts=self._prompts(wanted, self.session.ledger),
            pairs=self._pairs(wanted),
            recorded=study.verdicts if same else {},
            attempts=judge.attempts,
            seed=self.seed,
        )

    def _prompts(self, wanted: CandidateSpec, ledger: Ledger) -> Prompts:
        folder = self.base / wanted.prompts if wanted.prompts else None
        if folder is None and self.study.spec.prompts:
            folder = self.study.base / self.study.spec.prompts
        return Prompts(folder, nonce=ledger.nonce)

    def _pairs(self, wanted: CandidateSpec) -> dict[str, ComparedPair]:
        """The pairs with the guidance of another suite, where one is named."""
        if not wanted.suite:
            return self.study.pairs
        from benchbar.suites.load import load

        own: Mapping[str, Sample] = {one.id: one for one in load(wanted.suite, base=self.base).samples}
        missing = [pair.sample.id for pair in self.study.pairs.values() if pair.sample.id not in own]
        if missing:
            raise UserError(f"suite {wanted.suite}: sample {missing[0]!r} of the run is not in it")
        return {key: replace(pair, sample=own[pair.sample.id]) for key, pair in self.study.pairs.items()}


def _adoption(
    found: Alignment, study: _Study, asked: Mapping[str, AskedCandidate], file: Path | None, out: Path | None
) -> Iterator[str]:
    """The lines of a spec that judge as the chosen candidate does."""
    if found.chosen == found.baseline:
        return
    chosen = asked.get(found.chosen)
    score = next(one for one in found.candidates if one.name == found.chosen)
    if chosen is None:
        yield from _of_recorded(found.chosen, score.fitted)
        return
    wanted = chosen.wanted
    if wanted.suite:
        yield f"suite = {_toml(str((file.parent if file else Path()) / wanted.suite))}"
    if wanted.examples:
        yield from _with_examples(chosen, study, out)
    elif wanted.prompts:
        yield f"prompts = {_toml(str((file.parent if file else Path()) / wanted.prompts))}"
    lines = [
        f"{name} = {_toml(value)}"
        for name in ("model", "base_url", "protocol", "api_key_env", "params", "price")
        if (value := getattr(wanted, name))
    ]
    if wanted.panel:
        lines.append(f"panel = {_toml(list(wanted.panel))}")
        lines += [f"reduce = {_toml(wanted.joined)}"] if wanted.joined != "mean" else []
    lines += _margin_line(score.fitted or (f"tie_margin = {wanted.tie_margin:g}" if wanted.tie_margin else ""))
    if lines:
        yield "[judge]"
        yield from lines
    if wanted.orders != "both":
        yield _BOTH


_BOTH = "# a run always asks in both orders: for one order alone there is nothing to add"


def _of_recorded(name: str, fitted: str) -> Iterator[str]:
    if fitted:
        yield "[judge]"
        yield from _margin_line(fitted)
    elif name.endswith("first alone"):
        yield _BOTH
    elif name.endswith(" alone"):
        yield f"# [judge]: name the model of {name.removesuffix(' alone')} there, and leave `panel` out"
    else:
        yield "[judge]"
        yield f"reduce = {_toml(name.removesuffix(_OF_PANEL))}"


def _margin_line(fitted: str) -> Sequence[str]:
    return [fitted] if fitted else []


def _with_examples(chosen: AskedCandidate, study: _Study, out: Path | None) -> Iterator[str]:
    """The folder of prompts that show the examples; it holds texts of the run's dialogues."""
    if out is None:
        yield "# prompts: run `benchbar align` again with --out FOLDER to have the prompts with their examples written"
        return
    prompts = chosen.prompts_with(chosen.examples(study.items))
    for language in dict.fromkeys(pair.sample.language for pair in study.pairs.values()):
        folder = out / language
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / f"{PROMPT}.md", prompts.text(PROMPT, language).encode())
    yield f"prompts = {_toml(str(out))}"


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode()
