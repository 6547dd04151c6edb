"""What clause reviews are worth, measured against labelled clauses: each measure by its written definition, with an interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchbar.records import Estimate
from benchbar.records.ablation import ReviewResults, ReviewTiming, WrongClause
from benchbar.records.contracts import (
    ClauseReview,
    ExcerptStatus,
    LabelledClause,
    LawStatus,
    ReviewStatus,
    RiskLevel,
)
from benchbar.records.errors import UserError
from benchbar.statistics import mean, ordinal_report, proportion, share
from benchbar.statistics.numbers import Floats, undefined
from benchbar.statistics.ordinal import ASYMMETRIC
from benchbar.statistics.resampling import bootstrapped

LEVELS = tuple(str(level) for level in RiskLevel)
Pair = tuple[LabelledClause, ClauseReview]


def pair(clauses: Sequence[LabelledClause], reviews: Sequence[ClauseReview]) -> list[Pair]:
    """Each labelled clause with its review.

    Raises:
        UserError: a clause has no review, or several.
    """
    found: dict[str, ClauseReview] = {}
    for review in reviews:
        if review.clause in found:
            raise UserError(f"clause {review.clause!r} was reviewed twice")
        found[review.clause] = review
    missing = [clause.id for clause in clauses if clause.id not in found]
    if missing:
        raise UserError(f"{len(missing)} clauses have no review, the first of them {missing[0]!r}")
    return [(clause, found[clause.id]) for clause in clauses]


def review_results(pairs: Sequence[Pair], generator: np.random.Generator, *, resamples: int = 2000) -> ReviewResults:
    """Every measure of one variant; intervals are clustered by the clauses' group where they have one."""
    groups = [clause.group or clause.id for clause, _ in pairs]
    clusters = groups if len(set(groups)) < len(groups) else None
    graded = ordinal_report(
        [clause.level.value for clause, _ in pairs],
        [review.level.value if review.level else None for _, review in pairs],
        LEVELS,
        generator,
        clusters=clusters,
        resamples=resamples,
    )
    count = _Ratios(pairs, generator, clusters, resamples)
    return ReviewResults(
        clauses=len(pairs),
        parse_rate=share(
            [review.status is ReviewStatus.REVIEWED for _, review in pairs], clusters=clusters, unit="clause"
        ),
        accuracy=graded.accuracy,
        weighted_accuracy=graded.weighted_accuracy,
        linear_kappa=graded.linear_kappa,
        quadratic_kappa=graded.quadratic_kappa,
        high_f2=graded.high_f2,
        macro_precision=graded.macro_precision,
        macro_recall=graded.macro_recall,
        macro_f1=graded.macro_f1,
        per_class={
            label: {"precision": one.precision, "recall": one.recall, "f1": one.f1}
            for label, one in graded.per_class.items()
        },
        high_risk_leakage=_of_high(pairs, {None, RiskLevel.LOW}, clusters),
        **count.hallucinations(),
        **count.rules(),
        task_success=share([task_success(*one) for one in pairs], clusters=clusters, unit="clause"),
        doubtful=share([review.doubtful for _, review in pairs], clusters=clusters, unit="clause"),
        calls=sum(review.calls for _, review in pairs),
        cost=mean([review.cost for _, review in pairs], clusters=clusters, low=0, unit="clause"),
        confusion=graded.confusion,
        labels=(*LEVELS, "unparsed"),
        reflections=transitions(pairs),
        reflection_gain=_gain(pairs, clusters),
        baselines={**graded.baselines, **_more_baselines(pairs, graded.baselines)},
        absent_excerpts=count.absent,
        unchecked_citations=count.unchecked,
        high_to_low=_of_high(pairs, {RiskLevel.LOW}, clusters),
        high_to_medium=_of_high(pairs, {RiskLevel.MEDIUM}, clusters),
        high_unreadable=_of_high(pairs, {None}, clusters),
        tokens=mean([_tokens(review) for _, review in pairs], clusters=clusters, low=0, unit="clause"),
        wrong=tuple(_wrong(clause, review) for clause, review in pairs if review.level is not clause.level),
    )


def review_timing(pairs: Sequence[Pair]) -> ReviewTiming:
    """How long the reviews took, clause by clause."""
    latencies = [review.latency for _, review in pairs]
    return ReviewTiming(
        mean=mean(latencies, low=0, unit="clause"), p50=quantile(latencies, 0.5), p95=quantile(latencies, 0.95)
    )


def task_success(clause: LabelledClause, review: ClauseReview) -> bool:
    """Whether all four hold: parsed, level right, evidence valid, and a suggestion (document, 4.1)."""
    findings = [one for one in review.findings if one.kind == "risk"]
    excerpts = [one.excerpt.status for one in findings if one.excerpt is not None and one.evidence]
    # A close excerpt is not invented: the document's own check accepts what is 90% alike.
    found = {ExcerptStatus.VERIFIED, ExcerptStatus.CLOSE}
    valid = bool(excerpts) and set(excerpts) <= found
    return review.level is clause.level and valid and any(one.suggestion.strip() for one in findings)


def weighted_score(truth: RiskLevel, said: RiskLevel | None) -> float:
    """The asymmetric score of one verdict (document, 1.2); a reply that cannot be read scores 0."""
    return 0.0 if said is None else ASYMMETRIC[truth.rank][said.rank]


def transitions(pairs: Sequence[Pair]) -> dict[str, int]:
    """How often the second look kept, adjusted, doubted; from which level to which; for better or worse."""
    found: Counter[str] = Counter()
    for clause, review in pairs:
        look = review.reflection
        if look is None:
            found["skipped"] += 1
            continue
        found[look.outcome] += 1
        found[f"{look.before}->{look.after}"] += 1
        if look.before != look.after:
            change = weighted_score(clause.level, look.after) - weighted_score(clause.level, look.before)
            found["better" if change > 0 else "worse" if change < 0 else "even"] += 1
    return dict(sorted(found.items()))


def _gain(pairs: Sequence[Pair], clusters: Sequence[str] | None) -> Estimate:
    looked = [place for place, (_, review) in enumerate(pairs) if review.reflection is not None]
    changes = [
        weighted_score(clause.level, review.reflection.after) - weighted_score(clause.level, review.reflection.before)
        for clause, review in pairs
        if review.reflection is not None
    ]
    return mean(changes, clusters=_at(clusters, looked), unit="clause")


def _of_high(pairs: Sequence[Pair], said: set[RiskLevel | None], clusters: Sequence[str] | None) -> Estimate:
    """The share of clauses of high risk that got one of these levels."""
    high = [place for place, (clause, _) in enumerate(pairs) if clause.level is RiskLevel.HIGH]
    return share([pairs[place][1].level in said for place in high], clusters=_at(clusters, high), unit="clause")


def _at(clusters: Sequence[str] | None, places: Sequence[int]) -> list[str] | None:
    return None if clusters is None else [clusters[place] for place in places]


def _tokens(review: ClauseReview) -> int | None:
    used = review.usage.input_tokens, review.usage.output_tokens
    return None if used[0] is None or used[1] is None else used[0] + used[1]


def _wrong(clause: LabelledClause, review: ClauseReview) -> WrongClause:
    return WrongClause(
        clause=clause.id,
        text=clause.text,
        level=str(clause.level),
        said=str(review.level or review.status),
        findings=tuple(one.risk for one in review.findings),
    )


class _Ratios:
    """Rates whose denominator is itself counted: sums over clauses, resampled by cluster."""

    def __init__(
        self, pairs: Sequence[Pair], generator: np.random.Generator, clusters: Sequence[str] | None, resamples: int
    ) -> None:
        self.pairs, self._generator, self._resamples = pairs, generator, resamples
        order: dict[str, int] = {}
        codes = [order.setdefault(name, len(order)) for name in clusters] if clusters else None
        self._codes = np.array(codes) if codes is not None else None
        self.absent = self.unchecked = 0

    def hallucinations(self) -> dict[str, Any]:
        excerpts = [self._excerpts(review) for _, review in self.pairs]
        raw = [_raw_excerpts(review) for _, review in self.pairs]
        laws = [self._laws(review) for _, review in self.pairs]
        both = [(bad + worse, all_ + every) for (bad, all_), (worse, every, *_) in zip(excerpts, laws, strict=True)]
        return {
            "clause_hallucination": self._ratio(excerpts, "no excerpt was given"),
            "raw_clause_hallucination": self._ratio(raw, "no excerpt was given"),
            "law_hallucination": self._ratio([row[:2] for row in laws], "no citation could be checked"),
            "hallucination": self._ratio(both, "neither excerpts nor checked citations"),
            "law_not_in_force": self._ratio(
                [(row[2], row[1] - row[0]) for row in laws], "no existing article was cited"
            ),
            "law_off_topic": self._ratio(
                [(row[3], row[1] - row[0] - row[2]) for row in laws], "no article in force was cited"
            ),
        }

    def rules(self) -> dict[str, Any]:
        triggered, retrieved, first = [], [], []
        for clause, review in self.pairs:
            wanted = set(clause.rules)
            named = {one.rule for one in review.findings if one.rule and one.level is not RiskLevel.LOW}
            found = {hit.rule for hit in review.rules}
            triggered.append((len(named & wanted), len(wanted), len(named)))
            retrieved.append((len(found & wanted), len(wanted), len(found) if wanted else 0))
            first.append((int(bool(review.rules) and review.rules[0].rule in wanted), 1) if wanted else (0, 0))
        none_wanted, none_found = "no clause has an expected rule", "no rule was named"
        return {
            "rule_recall": self._ratio([(hit, wanted) for hit, wanted, _ in triggered], none_wanted),
            "rule_precision": self._ratio([(hit, named) for hit, _, named in triggered], none_found),
            "risk_id_accuracy": self._ratio(first, none_wanted),
            "risk_id_recall": self._ratio([(hit, wanted) for hit, wanted, _ in retrieved], none_wanted),
            "risk_id_precision": self._ratio([(hit, found) for hit, _, found in retrieved], "no rule was retrieved"),
            "risk_id_f1": self._ratio([(2 * hit, wanted + found) for hit, wanted, found in retrieved], none_wanted),
        }

    def _excerpts(self, review: ClauseReview) -> tuple[int, int]:
        """Rejected and given; what the guard withheld is not given, and counts among the absent."""
        risks = [one for one in review.findings if one.kind == "risk" and one.excerpt is not None]
        given = [one.excerpt.status for one in risks if one.excerpt is not None and one.evidence.strip()]
        given = [status for status in given if status is not ExcerptStatus.ABSENT]
        self.absent += len(risks) - len(given)
        return given.count(ExcerptStatus.REJECTED), len(given)

    def _laws(self, review: ClauseReview) -> tuple[int, int, int, int]:
        """Not existing, checked, not in force, off topic."""
        statuses = [check.status for one in review.findings for check in one.laws]
        self.unchecked += statuses.count(LawStatus.NOT_CHECKED)
        count = Counter(statuses)
        checked = len(statuses) - count[LawStatus.NOT_CHECKED]
        return count[LawStatus.NOT_FOUND], checked, count[LawStatus.NOT_IN_FORCE], count[LawStatus.OFF_TOPIC]

    def _ratio(self, rows: Sequence[tuple[int, ...]], nothing: str) -> Estimate:
        table = np.array([row[:2] for row in rows], dtype=np.float64).reshape(-1, 2)
        if not table[:, 1].sum():
            # None was given, so the rate is undefined: as 0 it would praise a reviewer that never quotes.
            return undefined(nothing, method="ratio of sums", n=0, unit="clause")
        counted = table[:, 1] > 0

        if table[:, 0].sum() in (0, table[:, 1].sum()):  # a bootstrap has no variance there; Wilson's bound still holds
            return self._all_alike(table)

        def ratio(sums: Any) -> Any:
            return np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)

        return bootstrapped(
            table[counted],
            ratio,
            self._generator,
            method="ratio of sums",
            codes=None if self._codes is None else self._codes[counted],
            resamples=self._resamples,
            unit="clause",
        )

    def _all_alike(self, table: Floats) -> Estimate:
        """All or none of what was counted: what one clause, or one group of clauses, gave several times counts once."""
        counts = table[:, 1].astype(int)
        if self._codes is None and counts.max() == 1:
            return proportion(int(table[:, 0].sum()), int(counts.sum()), unit="count")
        codes = np.arange(len(counts)) if self._codes is None else self._codes
        flags = np.full(int(counts.sum()), float(table[:, 0].any()))
        return share(flags, clusters=np.repeat(codes, counts).tolist())


def _raw_excerpts(review: ClauseReview) -> tuple[int, int]:
    """Rejected and given, of the excerpts as first given."""
    given = [one.status for one in review.raw_excerpts if one.status is not ExcerptStatus.ABSENT]
    return given.count(ExcerptStatus.REJECTED), len(given)


def quantile(values: Sequence[float], level: float, confidence: float = 0.95) -> Estimate:
    """A quantile with the distribution-free interval of order statistics (David and Nagaraja, Order Statistics, 7.1)."""
    from scipy.stats import binom

    method = f"quantile {level:g}, order-statistic interval"
    if not values:
        return undefined("nothing was measured", method=method, unit="clause")
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n = len(ordered)
    low, high = (int(binom.ppf(p, n, level)) for p in ((1 - confidence) / 2, (1 + confidence) / 2))
    covered = binom.cdf(high, n, level) - binom.cdf(low - 1, n, level)
    inside = low >= 1 and high < n and covered >= confidence - 1e-9
    return Estimate(
        value=float(np.quantile(ordered, level)),
        low=float(ordered[low - 1]) if inside else None,
        high=float(ordered[high]) if inside else None,
        n=n,
        method=method,
        confidence=confidence,
        reason="" if inside else f"{n} values are too few for an interval of this quantile",
        unit="clause",
    )


def _more_baselines(
    pairs: Sequence[Pair], constant: Mapping[str, Mapping[str, Estimate]]
) -> dict[str, dict[str, Estimate]]:
    """The commonest label, and chance: what a draw of equal odds is expected to reach."""
    counts = np.array([sum(clause.level.value == label for clause, _ in pairs) for label in LEVELS], dtype=np.float64)
    if not counts.sum():
        return {}
    common = LEVELS[int(counts.argmax())]
    expected = counts[:, None] / len(LEVELS) * np.ones(len(LEVELS))
    total, high = counts.sum(), counts[-1]
    precision, recall = float(high / total), 1 / len(LEVELS)
    f2 = 5 * precision * recall / (4 * precision + recall) if high else None

    def chance(value: float | None) -> Estimate:
        reason = "" if value is not None else "no clause is of high risk"
        return Estimate(value=value, n=int(total), method="expected under uniform chance", reason=reason, unit="clause")

    return {
        f"majority ({common})": dict(constant[f"always {common}"]),
        "random": {
            "accuracy": chance(float(np.trace(expected) / total)),
            "weighted_accuracy": chance(float((np.array(ASYMMETRIC) * expected).sum() / total)),
            "high_f2": chance(f2),
        },
    }
