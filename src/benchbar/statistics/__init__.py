"""Numbers that can be believed: estimates with intervals, from plain sequences, with the generator passed in.

None stands for a missing value and nothing else does. Every result is an Estimate, or a named tuple of
them; what cannot be computed has a reason in the place of a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchbar.records.lazily import importing

if TYPE_CHECKING:
    from benchbar.statistics.agreement import Agreement
    from benchbar.statistics.allocation import (
        Design,
        Noise,
        Prices,
        best_design,
        cost_of,
        error_of,
        worth_repeating_above,
    )
    from benchbar.statistics.asymptotic import asymptotic_interval
    from benchbar.statistics.betting import betting_difference, betting_interval, units_needed
    from benchbar.statistics.bias import FamilyInteraction, family_interaction, same_family_bias
    from benchbar.statistics.classification import Classification, ClassMeasures
    from benchbar.statistics.comparing import (
        RankSet,
        TestResult,
        benjamini_hochberg,
        holm,
        mcnemar,
        non_inferior,
        rank_sets,
        sign_flip_test,
        told_apart,
    )
    from benchbar.statistics.components import Observation, Part, variance_parts
    from benchbar.statistics.correction import Correction, correct, rogan_gladen
    from benchbar.statistics.correlation import pearson, spearman
    from benchbar.statistics.deciding import (
        ThresholdDecision,
        bounded_mean,
        clean_needed,
        decide_threshold,
        more_needed,
    )
    from benchbar.statistics.designed import Drawn, designed_share, stratified_draw
    from benchbar.statistics.intraclass_correlation import IntraclassCorrelations, intraclass
    from benchbar.statistics.lengths import (
        LengthWeights,
        controlled_by_weights,
        length_controlled,
        length_term,
        pool_difficulty,
    )
    from benchbar.statistics.macro import MacroWinRate, macro_win_rate
    from benchbar.statistics.marked import marked_interval, marks_needed
    from benchbar.statistics.means import mean
    from benchbar.statistics.orders import (
        OrderedOutcome,
        PositionTest,
        averaged,
        outcomes_by_sample,
        position_test,
        sign_test,
    )
    from benchbar.statistics.ordinal import OrdinalReport, ordinal_report
    from benchbar.statistics.passing import Trials, pass_at, pass_power, pass_rate
    from benchbar.statistics.power import (
        Components,
        InterimAnalysis,
        Price,
        Study,
        best_repeats,
        cheapest_plan,
        detectable_effect,
        minimum_detectable_effect,
        obrien_fleming,
        outcome_deviation,
        power_of,
        samples_needed,
        variance_components,
    )
    from benchbar.statistics.proportions import proportion, share, upper_bound_of_failures
    from benchbar.statistics.ranking import Ranked, Ranking, rank
    from benchbar.statistics.rating_table import Ratings, majority, ratings
    from benchbar.statistics.repeat_stability import Stability, stability
    from benchbar.statistics.resampling import bootstrapped
    from benchbar.statistics.validation import (
        JudgeAgreement,
        JudgePair,
        JudgeValue,
        MarkedPoint,
        PointTreatment,
        agreement_per_cost,
        judge_agreement,
        judges_side_by_side,
        point_treatment,
    )
    from benchbar.statistics.winrate import paired_difference, win_rate

_HOMES = {
    "agreement": ("Agreement",),
    "allocation": ("Design", "Noise", "Prices", "best_design", "cost_of", "error_of", "worth_repeating_above"),
    "asymptotic": ("asymptotic_interval",),
    "betting": ("betting_difference", "betting_interval", "units_needed"),
    "bias": ("FamilyInteraction", "family_interaction", "same_family_bias"),
    "classification": ("Classification", "ClassMeasures"),
    "comparing": (
        "RankSet",
        "TestResult",
        "benjamini_hochberg",
        "holm",
        "mcnemar",
        "non_inferior",
        "rank_sets",
        "sign_flip_test",
        "told_apart",
    ),
    "components": ("Observation", "Part", "variance_parts"),
    "correction": ("Correction", "correct", "rogan_gladen"),
    "correlation": ("pearson", "spearman"),
    "deciding": ("ThresholdDecision", "bounded_mean", "clean_needed", "decide_threshold", "more_needed"),
    "designed": ("Drawn", "designed_share", "stratified_draw"),
    "intraclass_correlation": ("IntraclassCorrelations", "intraclass"),
    "lengths": ("LengthWeights", "controlled_by_weights", "length_controlled", "length_term", "pool_difficulty"),
    "macro": ("MacroWinRate", "macro_win_rate"),
    "marked": ("marked_interval", "marks_needed"),
    "means": ("mean",),
    "orders": ("OrderedOutcome", "PositionTest", "averaged", "outcomes_by_sample", "position_test", "sign_test"),
    "ordinal": ("OrdinalReport", "ordinal_report"),
    "passing": ("Trials", "pass_at", "pass_power", "pass_rate"),
    "power": (
        "Components",
        "InterimAnalysis",
        "Price",
        "Study",
        "best_repeats",
        "cheapest_plan",
        "detectable_effect",
        "minimum_detectable_effect",
        "obrien_fleming",
        "outcome_deviation",
        "power_of",
        "samples_needed",
        "variance_components",
    ),
    "proportions": ("proportion", "share", "upper_bound_of_failures"),
    "ranking": ("Ranked", "Ranking", "rank"),
    "rating_table": ("Ratings", "majority", "ratings"),
    "resampling": ("bootstrapped",),
    "repeat_stability": ("Stability", "stability"),
    "validation": (
        "JudgeAgreement",
        "JudgePair",
        "JudgeValue",
        "MarkedPoint",
        "PointTreatment",
        "agreement_per_cost",
        "judge_agreement",
        "judges_side_by_side",
        "point_treatment",
    ),
    "winrate": ("paired_difference", "win_rate"),
}
"""Module to the names that it defines."""

__all__ = [
    "Agreement",
    "ClassMeasures",
    "Classification",
    "Components",
    "Correction",
    "Design",
    "Drawn",
    "FamilyInteraction",
    "InterimAnalysis",
    "IntraclassCorrelations",
    "JudgeAgreement",
    "JudgePair",
    "JudgeValue",
    "LengthWeights",
    "MacroWinRate",
    "MarkedPoint",
    "Noise",
    "Observation",
    "OrderedOutcome",
    "OrdinalReport",
    "Part",
    "PointTreatment",
    "PositionTest",
    "Price",
    "Prices",
    "RankSet",
    "Ranked",
    "Ranking",
    "Ratings",
    "Stability",
    "Study",
    "TestResult",
    "ThresholdDecision",
    "Trials",
    "agreement_per_cost",
    "asymptotic_interval",
    "averaged",
    "benjamini_hochberg",
    "best_design",
    "best_repeats",
    "betting_difference",
    "betting_interval",
    "bootstrapped",
    "bounded_mean",
    "cheapest_plan",
    "clean_needed",
    "controlled_by_weights",
    "correct",
    "cost_of",
    "decide_threshold",
    "designed_share",
    "detectable_effect",
    "error_of",
    "family_interaction",
    "holm",
    "intraclass",
    "judge_agreement",
    "judges_side_by_side",
    "length_controlled",
    "length_term",
    "macro_win_rate",
    "majority",
    "marked_interval",
    "marks_needed",
    "mcnemar",
    "mean",
    "minimum_detectable_effect",
    "more_needed",
    "non_inferior",
    "obrien_fleming",
    "ordinal_report",
    "outcome_deviation",
    "outcomes_by_sample",
    "paired_difference",
    "pass_at",
    "pass_power",
    "pass_rate",
    "pearson",
    "point_treatment",
    "pool_difficulty",
    "position_test",
    "power_of",
    "proportion",
    "rank",
    "rank_sets",
    "ratings",
    "rogan_gladen",
    "same_family_bias",
    "samples_needed",
    "share",
    "sign_flip_test",
    "sign_test",
    "spearman",
    "stability",
    "stratified_draw",
    "told_apart",
    "units_needed",
    "upper_bound_of_failures",
    "variance_components",
    "variance_parts",
    "win_rate",
    "worth_repeating_above",
]

if not TYPE_CHECKING:
    # A type checker would take a module with `__getattr__` to have every name.
    __getattr__ = importing(__name__, {f"{__name__}.{module}": names for module, names in _HOMES.items()})
