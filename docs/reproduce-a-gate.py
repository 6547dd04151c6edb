"""Decides a gate again from the files of a run, without importing benchbar: formulas, inputs and nothing else.

benchbar gate RUN --policy policy.toml --json > gate.json
python reproduce-a-gate.py gate.json RUN [BASELINE]

It reads the values of every dialogue (measures.jsonl), people's marks (marks.json) and what the decision states of itself:
condition, threshold, confidence, assumptions. It prints each bound and decision beside those that were stated, and ends
with 1 where one differs. Nothing is drawn at random, so there is no seed. Python 3.11 or later, no other package.
"""

import gzip
import json
import sys
from math import ceil, exp, floor, log, log1p, pi, sin, sqrt
from pathlib import Path

BETS = [sin(pi * (i + 0.5) / 120) ** 2 for i in range(60)]  # quantiles of Beta(1/2, 1/2)
STEPS = 4096  # values are rounded down to so many steps


def lines_of(run, name):
    """The records of a file of the run, compressed or not."""
    plain, packed = Path(run) / f"{name}.jsonl", Path(run) / f"{name}.jsonl.gz"
    data = gzip.decompress(packed.read_bytes()) if packed.is_file() else plain.read_bytes()
    return [json.loads(line) for line in data.splitlines() if line.strip()]


def lower(values, goal, shift=0.0, least=0.0, clusters=None):
    """The smallest mean that bets against it have not refuted: capital below exp(goal). What belongs together is one bet."""
    units = {}
    for place, value in enumerate(values):
        total, size = units.get(clusters[place] if clusters else place, (0.0, 0))
        units[clusters[place] if clusters else place] = total + value + shift, size + 1
    if not units:
        return least
    largest = max(size for _, size in units.values())
    counts = {}
    for total, size in units.values():
        unit = floor(total / largest * STEPS) / STEPS, size / largest
        counts[unit] = counts.get(unit, 0) + 1

    def log_capital(mean):
        grown = [sum(n * log1p(b * (x / (mean + shift) - size)) for (x, size), n in counts.items()) for b in BETS]
        most = max(grown)
        return most + log(sum(exp(one - most) for one in grown) / len(BETS))

    low = least
    weight = sum(size * n for (_, size), n in counts.items())
    high = min(max(sum(x * n for (x, _), n in counts.items()) / weight - shift, least), 1.0)
    for _ in range(40):
        middle = (low + high) / 2
        if middle + shift <= 0 or log_capital(middle) < goal:
            high = middle
        else:
            low = middle
    return low


def betting(values, confidence, clusters=None):
    """Both bounds of a mean; a missing value is 0 for the lower and 1 for the upper."""
    goal = log(2 / (1 - confidence))
    worst = [0.0 if one is None else one for one in values]
    best = [1.0 if one is None else one for one in values]
    return lower(worst, goal, clusters=clusters), 1 - lower([1 - one for one in best], goal, clusters=clusters)


def with_marks(values, marks, chances, confidence):
    """Both bounds of the mean of people's marks over all samples: marks alone, or automatic values and their errors."""

    def side(f, y):
        f, mean_chance = [one or 0.0 for one in f], sum(chances) / len(chances)
        found = []
        for trust in (0.0, 1.0):
            asked = [trust * a if p > 0 else (b if b is not None else a) for a, b, p in zip(f, y, chances, strict=True)]
            ratios = [mean_chance / p if p > 0 else 0.0 for p in chances]
            errors = [(b - trust * a) * r for a, b, r in zip(f, y, ratios, strict=True) if b is not None and r > 0]
            error = (1 - confidence) / 2 / 2 / (2 if any(asked) else 1)
            found.append(lower(asked, -log(error)) + lower(errors, -log(error), trust * max(ratios), -trust))
        return max(found)

    def mirrored(numbers):
        return [None if one is None else 1 - one for one in numbers]

    return max(side(values, marks), 0.0), min(1 - side(mirrored(values), mirrored(marks)), 1.0)


def asymptotic(values, confidence):
    """Both bounds of a mean without a scale."""
    known = [one for one in values if one is not None]
    n, alpha = len(known), 1 - confidence
    mean = sum(known) / n
    deviation = sqrt(sum((one - mean) ** 2 for one in known) / (n - 1))
    r = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / 100
    half = deviation * sqrt(2 * (n * r + 1) / (n * n * r) * log(sqrt(n * r + 1) / alpha))
    return mean - half, mean + half


def said(check, key):
    """What a reason of the check states."""
    return next((one["values"] for one in check["reasons"] if one["key"] == key), None)


class Run:
    """The values and marks of one run."""

    def __init__(self, folder):
        self.measures = lines_of(folder, "measures")
        marks = Path(folder) / "marks.json"
        self.marks = json.loads(marks.read_text("utf-8")) if marks.is_file() else {}

    def marked(self, assistant, measure):
        """People's marks of a measure, with the chances of being marked, and what they dispute."""
        own = self.marks.get(assistant) or {}
        own = own if measure == "overall" else (own.get("compared") or {}) if measure == "win_rate" else {}
        return own.get("values", {}), own.get("probability", {}), set(own.get("disputed", ()))

    def clusters(self, assistant, samples):
        """What each of these samples belongs to, itself where it stands alone."""
        known = {one["sample"]: one.get("cluster") for one in self.measures if one["assistant"] == assistant}
        return [known[sample] or f"\n{sample}" for sample in samples]

    def values(self, assistant, measure, assumed, *, means=False):
        """Sample to value, without those that the measure does not apply to or that are assumed to be like the others.

        A sample of which some trials have no value has none, but with ``means`` that of the others.
        """
        marks, _, disputed = self.marked(assistant, measure)
        found = {}
        for one in self.measures:
            if one["assistant"] != assistant or measure not in one["values"]:
                continue
            value, sample = one["values"][measure], one["sample"]
            kind = one.get("missing", {}).get(measure)
            if kind is None:
                kind = (
                    "failed"
                    if one["values"].get("failed")
                    else "not_applicable"
                    if measure == "citation_validity"
                    else "unknown"
                )
            if sample in disputed:
                value, kind = None, "disputed"
            trials_missing = (
                one.get("trials") and kind not in {"not_applicable", *assumed} and measure in one.get("missing", {})
            )
            if trials_missing and sample not in marks and not means:
                value = None
            if value is not None or sample in marks or (kind != "not_applicable" and kind not in assumed):
                found[sample] = value
        return found


def decided(low, high, threshold, kind):
    """Whether the whole interval lies on one side."""
    if kind == "at_most":
        return "pass" if high <= threshold else "fail" if low > threshold else "insufficient_evidence"
    return "pass" if low >= threshold else "fail" if high < threshold else "insufficient_evidence"


def again(gate, check, run, baseline):
    """Bounds and decision of one check."""
    kind, measure, who, estimate = check["kind"], check["measure"], check["assistant"], check["estimate"]
    assumed = (said(check, "missing_assumed") or {}).get("kinds", {})
    values = run.values(who, measure, assumed)
    known = [one for one in values.values() if one is not None]
    level, minimum = estimate["confidence"], gate["minimum_n"]
    if kind == "evidence":
        low, high = betting(known, level)
        return low, high, "pass" if sum(known) / len(known) <= check["threshold"] else "insufficient_evidence"
    if kind == "never":
        rule = said(check, "breached") or said(check, "clean")
        seen = {name: one for name, one in run.values(who, measure, assumed, means=True).items() if one is not None}
        breaches = sum(one > rule["above"] if "above" in rule else one < rule["below"] for one in seen.values())
        needed = ceil(log(1 - level) / log(1 - check["threshold"]) - 1e-9) if check["threshold"] else 0
        clean = len(set(run.clusters(who, seen)))
        enough = len(known) == len(values) and len(known) >= minimum and clean >= needed
        return None, None, "fail" if breaches else "pass" if enough else "insufficient_evidence"
    if kind == "not_worse":
        before = baseline.values(who, measure, assumed)
        pairs = [(values[one], before[one]) for one in values if one in before]
        if (said(check, "difference") or said(check, "few_common"))["better"] == "lower":
            pairs = [(b, a) for a, b in pairs]
        worst = [(1 + ((0.0 if a is None else a) - (1.0 if b is None else b))) / 2 for a, b in pairs]
        best = [(1 + ((1.0 if a is None else a) - (0.0 if b is None else b))) / 2 for a, b in pairs]
        goal = log(2 / (1 - level))
        together = run.clusters(who, [one for one in values if one in before])
        low = 2 * lower(worst, goal, clusters=together) - 1
        high = 2 * (1 - lower([1 - one for one in best], goal, clusters=together)) - 1
        found = "pass" if low > check["threshold"] else "fail" if high < check["threshold"] else "insufficient_evidence"
        return low, high, found if estimate["n"] >= minimum else "insufficient_evidence"
    marks, chances, _ = run.marked(who, measure)
    if check["unit"] != "share":
        low, high = asymptotic(values.values(), level)
    elif marks:
        low, high = with_marks(
            list(values.values()), [marks.get(one) for one in values], [chances.get(one, 0.0) for one in values], level
        )
    else:
        low, high = betting(values.values(), level, run.clusters(who, values))
    error = (said(check, "judge_error") or {}).get("error", 0.0)
    low, high = (max(low - error, 0.0), min(high + error, 1.0)) if error else (low, high)
    found = decided(low, high, check["threshold"], kind)
    barred = estimate["n"] < minimum or said(check, "contradicted") or (marks and len(marks) < gate["minimum_marks"])
    if check["unit"] != "share" and len(known) < len(values):
        found = "insufficient_evidence"
    return low, high, "insufficient_evidence" if found == "pass" and barred else found


def main(gate_file, folder, baseline=None):
    """Print every check twice, as it was stated and as it comes out here."""
    gate = json.loads(Path(gate_file).read_text("utf-8"))
    run, before = Run(folder), Run(baseline) if baseline else None
    wrong = 0
    for check in gate["checks"]:
        stated = check["estimate"]
        if stated["value"] is None:
            print(f"{check['name']}: nothing was measured")
            continue
        low, high, decision = again(gate, check, run, before)
        shown = "" if low is None else f" [{low:.6f}, {high:.6f}]"
        same = decision == check["decision"] and (
            low is None
            or stated["low"] is None
            or (abs(low - stated["low"]) < 1e-6 and abs(high - stated["high"]) < 1e-6)
        )
        wrong += not same
        print(f"{'same' if same else 'DIFFERENT'}  {check['name']}: {decision}{shown}")
    required = [check["decision"] for check in gate["checks"] if check["required"]]
    whole = (
        "fail" if "fail" in required else "pass" if required and set(required) == {"pass"} else "insufficient_evidence"
    )
    wrong += whole != gate["decision"]
    print(f"{'same' if whole == gate['decision'] else 'DIFFERENT'}  the gate: {whole}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
