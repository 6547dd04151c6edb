"""From a run to its validations: is its judge, and is its simulated user, to be believed? `benchbar.validate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchbar.artefacts.folder import read_material, read_measures, read_results
from benchbar.dialogue.asking import AskingUser
from benchbar.ledger.opening import ledger_of, open_store
from benchbar.ledger.reviews import Reviews, read_reviews
from benchbar.ledger.spent import KindSpending, spent_by_kind
from benchbar.measures.validation.correlation import correlations
from benchbar.measures.validation.efficiency import judging_efficiency, weights_validity
from benchbar.measures.validation.fidelity import user_fidelity
from benchbar.measures.validation.judges import alternative_judges, family_bias
from benchbar.measures.validation.points import checked_points
from benchbar.measures.validation.preferences import JudgedPair, judged_pairs, preferences
from benchbar.records import GRADED, Record, Sample
from benchbar.records.errors import BenchbarError, UserError
from benchbar.records.validation import Validation
from benchbar.runs.manifest import Manifest, read_manifest
from benchbar.scoring.judges.families import NAME as FAMILIES
from benchbar.scoring.judges.families import families
from benchbar.scoring.people import current_marks

if TYPE_CHECKING:
    from benchbar.artefacts.folder import Material

Pairs = Mapping[tuple[str, str], JudgedPair]


class Validations(Record, frozen=True):
    """Every validation of one run, in the order of reports."""

    run: str
    """Name of its folder."""
    validations: tuple[Validation, ...]

    def __getitem__(self, name: str) -> Validation:
        """The validation of this name.

        Raises:
            UserError: there is none of it.
        """
        for one in self.validations:
            if one.name == name:
                return one
        raise UserError(f"no validation {name!r}; there are {', '.join(one.name for one in self.validations)}")


def validate(folder: Path | str) -> Validations:
    """What a finished run's own records say of its judge and its simulated user; nothing is asked or paid.

    Each validation says which records it had, and what was missing and how to come by it.

    Args:
        folder: of a run that has finished.

    Raises:
        UserError: there is no finished run in the folder.
        BadInputError: a file of the run is damaged.

    Example:
        >>> found = benchbar.validate("runs/quotes")
        >>> [one.name for one in found.validations][:3]
        ['points', 'agreement', 'family_bias']
        >>> found["agreement"].answered
        False
        >>> found["fidelity"].figures[0].measure
        'first turns aligned'
    """
    run = Path(folder)
    known = read_known(run)
    results, material, reviews = read_results(run), known.material, known.reviews
    comparisons = (one for by in material.comparisons.values() for own in by.values() for one in own)
    pairs = judged_pairs(comparisons, known.tasks)
    marks = current_marks(run)
    graded: dict[str, dict[str, float | None]] = {}
    for one in read_measures(run):
        graded.setdefault(one.assistant, {})[one.sample] = one.values.get(GRADED)
    return Validations(
        run=run.resolve().name,
        validations=(
            checked_points(reviews, known.tasks),
            preferences(reviews, pairs),
            family_bias(reviews, pairs, known.models, results.reference, known.families),
            alternative_judges(pairs),
            judging_efficiency(reviews, pairs, known.tasks, known.spending),
            weights_validity(marks, material.scores, known.samples),
            correlations(results, reviews, pairs, marks, graded),
            user_fidelity(
                results.fidelity,
                reviews,
                material.dialogues,
                known.tasks,
                simulated=results.simulator != AskingUser.identity,
            ),
        ),
    )


@dataclass(frozen=True)
class KnownRun:
    """What a run's own files tell of it."""

    material: Material
    reviews: Reviews
    spending: dict[str, KindSpending]
    samples: dict[str, Sample]
    """Empty where the suite is not at hand."""
    tasks: dict[str, str]
    """Sample to task."""
    models: dict[str, str]
    """Assistant to the model behind it."""
    families: dict[str, str]
    """Beginning of a model's name to its family."""
    manifest: Manifest | None


def read_known(run: Path) -> KnownRun:
    """Everything that validations of a finished run are read from.

    Raises:
        UserError: there is no finished run in the folder.
        BadInputError: a file of the run is damaged.
    """
    manifest, reviews, spending = read_manifest(run), Reviews(), {}
    read_results(run)
    where = ledger_of(run)
    if not isinstance(where, Path) or where.is_file():
        store = open_store(where, writable=False, session=False)
        try:
            reviews, spending = read_reviews(store), spent_by_kind(store)
        finally:
            store.close()
    samples = _samples(manifest)
    prompts = Path(manifest.folder) / manifest.spec.prompts / FAMILIES if manifest and manifest.spec.prompts else None
    return KnownRun(
        material=read_material(run),
        reviews=reviews,
        spending=spending,
        samples=samples,
        # Measures name the task of each dialogue: so it is known where the suite has gone.
        tasks={one.sample: one.task for one in read_measures(run)},
        models=_models(manifest),
        families=families(prompts),
        manifest=manifest,
    )


def _samples(manifest: Manifest | None) -> dict[str, Sample]:
    from benchbar.runs.assembling import chosen_suite

    if manifest is None:
        return {}
    try:
        suite = chosen_suite(manifest.spec, Path(manifest.folder))
    except BenchbarError:
        return {}
    return {sample.id: sample for sample in suite.samples} if suite.fingerprint == manifest.suite_fingerprint else {}


def _models(manifest: Manifest | None) -> dict[str, str]:
    from benchbar.runs.assembling import models_of

    return models_of(manifest.spec) if manifest else {}
