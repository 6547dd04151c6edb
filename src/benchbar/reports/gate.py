"""A gate's decision for people and machines: terminal, JUnit XML, GitHub annotations, Markdown, a badge."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from benchbar.decisions.explaining import (
    CAVEATS,
    check_label,
    condition_label,
    decision_text,
    needs_text,
    reason_text,
    sentence,
    short_sentence,
    short_sentences,
    would_be,
)
from benchbar.languages.countries import country_in
from benchbar.languages.decimals import local_numbers
from benchbar.languages.packs import FALLBACK, Labels, pack_of
from benchbar.records import GateCheck, GateDecision
from benchbar.records.measures import DIFFERENCE, OF_CITATIONS, SHARE
from benchbar.reports.numbers import PLACES, plain, rate
from benchbar.reports.printing import printable
from benchbar.reports.tables import markdown

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SAID = {"pass": "passed", "fail": "failed", "insufficient_evidence": "insufficient evidence"}
ICONS = {"pass": "✅", "fail": "❌", "insufficient_evidence": "⚠️"}
NEUTRAL = "⚪"
"""A condition that is met by citations of an invented law."""
# GitHub paints only these three.
LEVELS = {"pass": "notice", "fail": "error", "insufficient_evidence": "warning"}
COLOURS = {"pass": "#2e7d32", "fail": "#c62828", "insufficient_evidence": "#9a6700"}
# Neither 1 nor 2, which mean that the command itself went wrong: a pipeline must not take a missing file for a failed
# release.
EXIT_CODES = {"pass": 0, "fail": 3, "insufficient_evidence": 4}


def junit(gate: GateDecision) -> bytes:
    """One test case for each check: failed ones as failures, those without enough evidence as errors, advisory ones skipped."""
    counted = [check for check in gate.checks if check.required]
    suite = ET.Element(
        "testsuite",
        name=printable(f"benchbar gate {gate.policy}".strip()),
        tests=str(len(gate.checks)),
        failures=str(sum(check.decision == "fail" for check in counted)),
        errors=str(sum(check.decision == "insufficient_evidence" for check in counted)),
        skipped=str(sum(not check.required and check.decision != "pass" for check in gate.checks)),
    )
    for check in gate.checks:
        case = ET.SubElement(suite, "testcase", classname="benchbar.gate", name=printable(check.name))
        if check.decision == "pass":
            continue
        # JUnit knows no fourth state; an error is its word for a test that could not tell.
        kind = "skipped" if not check.required else "failure" if check.decision == "fail" else "error"
        ET.SubElement(case, kind, message=printable(check.reason)).text = printable(shown(check))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def shown(check: GateCheck) -> str:
    """``overall 87.1 [85.2, 89.0], at 85``: the estimate against its threshold, in percent."""
    return f"{check.name} {estimate_text(check)}, threshold {threshold_text(check)}"


def lead(gate: GateDecision, language: str) -> str:
    """The decision and the one condition that speaks loudest against a pass, in a dozen words.

    Raises:
        UserError: there is no such language.
    """
    against = [check for check in gate.checks if check.required and check.decision == gate.decision != "pass"]
    if not against:
        return short_sentence(gate, language)
    cause = loudest(against, 1)[0]
    # Behind the sentence of another assistant the cause would accuse that one.
    decision, *others = short_sentences(gate, language, cause.assistant)
    named = cause.assistant in gate.assistants
    label = condition_label(cause, language) if named else check_label(cause, language)
    return (
        pack_of(language)
        .labels("report")("gate_reason.then")
        .join([_caused(decision, cause, label, language), *others])
    )


def _caused(decision: str, cause: GateCheck, label: str, language: str) -> str:
    say = pack_of(language).labels("report")
    if cause.estimate.value is None:
        # Why nothing was measured is no matter of a dozen words; it stands below.
        return say("gate_reason.cause_alone", decision=decision, check=label)
    told = {
        "value": local_numbers(estimate_text(cause, language), language),
        "needs": local_numbers(needed(cause, language), language),
    }
    return say("gate_reason.cause", decision=decision, check=label, **told)


def estimate_text(check: GateCheck, language: str = FALLBACK) -> str:
    """The estimate: a share in percent, a difference of shares in points of 100, any other measure in its own unit."""
    if check.kind == "evidence" and check.estimate.value is not None:
        # What this run lacks is known, not estimated: an interval beside it would seem to contradict the decision.
        return f"{100 * check.estimate.value:.1f}"
    if check.unit == DIFFERENCE:
        from benchbar.statistics.numbers import rescaled

        return plain(rescaled(check.estimate, 100.0), 1, language=language)
    if check.unit == SHARE:
        return rate(check.estimate, language=language)
    return plain(check.estimate, PLACES.get(check.unit, 3), language=language)


def threshold_text(check: GateCheck) -> str:
    """The threshold in the same unit as the estimate."""
    return f"{100 * check.threshold:g}" if check.unit in {SHARE, DIFFERENCE} else f"{check.threshold:g}"


def needed(check: GateCheck, language: str) -> str:
    """On which side of its threshold the interval has to lie, as ``needs ≥ 85``; an older run kept the threshold alone."""
    threshold = threshold_text(check)
    return needs_text(check, threshold, language) if check.kind else f"| {threshold}"


def workflow_commands(gate: GateDecision) -> str:
    """Workflow commands by which GitHub shows each check that did not pass beside the pull request."""
    lines = [
        f"::{'notice' if not check.required else LEVELS[check.decision]}"
        f" title={_property('benchbar: ' + check.name)}::{_data(check.reason)}"
        for check in gate.checks
        if check.decision != "pass"
    ]
    lines.append(f"::{LEVELS[gate.decision]} title=benchbar gate::{SAID[gate.decision]}")
    return "\n".join(lines) + "\n"


def _data(text: str) -> str:
    # The percent sign first, or the escapes of the others would be escaped.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(gate: GateDecision, language: str = "en", invented_law: str = "") -> str:
    """Markdown for a pull request: the decision in a sentence, regressions against the baseline, all checks, failed ones first.

    Args:
        gate: The decision.
        language: Of the text.
        invented_law: The jurisdiction of the law that citations were held against, where it is an invented one.

    Raises:
        UserError: there is no such language.
    """
    order = {"fail": 0, "insufficient_evidence": 1, "pass": 2}
    say = pack_of(language).labels("report")
    lines = [
        f"## {ICONS[gate.decision]} {say('gate.title')}: {say('gate.' + gate.decision)}",
        "",
        f"**{markdown(lead(gate, language))}**",
        "",
        *(
            [f"**{markdown(say('how.invented_law', name=country_in(invented_law, language)))}**", ""]
            if invented_law
            else []
        ),
        markdown(sentence(gate, language)),
        "",
        *_against_baseline(gate, language),
        f"| | {' | '.join(say(f'gate.{key}') for key in ('check', 'estimate', 'threshold', 'why'))} |",
        "| --- | --- | --- | --- | --- |",
    ]
    # Stable: within one decision in the order of the policy.
    for check in sorted(gate.checks, key=lambda one: order[one.decision]):
        label = check_label(check, language)
        name = label if check.required else f"{label} ({say('gate.advisory')})"
        figures = (local_numbers(one, language) for one in (estimate_text(check, language), threshold_text(check)))
        cells = (name, *figures, reason_text(check, language))
        icon = NEUTRAL if invented_law and rests_on_invented_law(check) else ICONS[check.decision]
        lines.append(f"| {icon} | {' | '.join(markdown(cell) for cell in cells)} |")
    wanted = [
        say(
            "gate_reason.condition",
            check=check_label(check, language),
            why=_wanted(check, gate.missing[check.name], say),
        )
        for check in gate.checks
        if check.name in gate.missing
    ]
    if wanted:
        lines += ["", say("gate.wanted", wanted=markdown(say("gate_reason.between").join(wanted)))]
    return "\n".join(lines) + "\n"


def _wanted(check: GateCheck, count: int, say: Labels) -> str:
    """How many more samples or marks a condition wants, and what they would confirm."""
    return say(f"gate.wanted_{would_be(check) or 'least'}", count=count)


def _against_baseline(gate: GateDecision, language: str) -> list[str]:
    """What a reviewer of a change asks first: whether it made anything worse; nothing where there was no baseline."""
    compared = [check for check in gate.checks if check.kind == "not_worse"]
    if not compared:
        return []
    worse = [check for check in compared if check.decision != "pass"]
    say = pack_of(language).labels("report")
    head = f"**{say('gate.against_baseline')}**"
    if not worse:
        return [f"{head} {say('gate.no_regression', count=len(compared))}", ""]
    lines = [
        f"- {ICONS[check.decision]} "
        + markdown(
            f"{check_label(check, language)} "
            + local_numbers(f"{estimate_text(check, language)} {needed(check, language)}", language)
        )
        for check in worse
    ]
    return [f"{head} {say('gate.regressions', count=len(worse), all=len(compared))}", "", *lines, ""]


def badge(gate: GateDecision) -> bytes:
    """An SVG badge of two fields that loads nothing."""
    left, right = "benchbar", SAID[gate.decision]
    # About 7 pixels a letter of Verdana at 11, since an image that loads nothing cannot measure its font.
    widths = [7 * len(left) + 12, 7 * len(right) + 12]
    total = sum(widths)
    svg = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=str(total),
        height="20",
        role="img",
        attrib={"aria-label": f"{left}: {right}"},
    )
    ET.SubElement(svg, "title").text = f"{left}: {right}"
    for at, width, colour in ((0, widths[0], "#444"), (widths[0], widths[1], COLOURS[gate.decision])):
        ET.SubElement(svg, "rect", x=str(at), width=str(width), height="20", fill=colour)
    font = {"fill": "#fff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11", "text-anchor": "middle"}
    for middle, text in ((widths[0] / 2, left), (widths[0] + widths[1] / 2, right)):
        ET.SubElement(svg, "text", attrib={"x": f"{middle:g}", "y": "14", **font}).text = text
    data: bytes = ET.tostring(svg, encoding="utf-8")
    return data + b"\n"


def rests_on_invented_law(check: GateCheck) -> bool:
    """Whether a condition is met by citations alone: where their law is invented, that is no good news for anybody."""
    return check.decision == "pass" and check.measure in OF_CITATIONS


def page(gate: GateDecision, language: str, invented_law: str = "") -> bytes:
    """The same data as an HTML page that opens offline and runs nothing.

    Args:
        gate: The decision.
        language: Of the page.
        invented_law: The jurisdiction of the law that citations were held against, where it is an invented one.

    Raises:
        UserError: there is no such language.
    """
    from benchbar.records.templates import environment
    from benchbar.reports.numbers import local_labels

    text = (
        environment("benchbar.reports")
        .get_template("gate.html.j2")
        .render(
            say=local_labels(pack_of(language).tag),
            gate=gate,
            invented_law=invented_law,
            rests_on_invented_law=rests_on_invented_law,
            lead=lead,
            sentence=sentence,
            check_label=check_label,
            reason_text=reason_text,
            estimate_text=estimate_text,
            threshold_text=threshold_text,
        )
    )
    return text.encode()


FILES: dict[str, Callable[[GateDecision, str, str], bytes]] = {
    "junit": lambda gate, *_: junit(gate),
    "summary": lambda gate, language, invented_law: summary(gate, language, invented_law).encode(),
    "badge": lambda gate, *_: badge(gate),
    "html": page,
}
"""What a gate can be written as, in a language where it is for people; the third value names an invented law."""


_RANKS = {"fail": 0, "insufficient_evidence": 1, "pass": 2}


def loudest(checks: Iterable[GateCheck], count: int) -> list[GateCheck]:
    """The conditions that speak loudest: required ones before advisory ones, failed before open before passed.

    Among those, the ones whose interval lies farthest from its threshold; of passed ones the nearest, which hold by least.
    Of equals, one of each assistant before a second of any.
    """
    left, chosen = list(checks), list[GateCheck]()
    while left and len(chosen) < count:
        told = [one.assistant for one in chosen]
        loud = min(left, key=lambda one: (*_loudness(one), told.count(one.assistant)))
        chosen.append(loud)
        left.remove(loud)
    return chosen


def _loudness(check: GateCheck) -> tuple[bool, int, float]:
    # To a hundredth of the scale: a difference that nobody would see is none.
    far = round(_distance(check), 2)
    return not check.required, _RANKS[check.decision], far if check.decision == "pass" else -far


def _distance(check: GateCheck) -> float:
    """How far an interval lies from its threshold: of a share in parts of its scale, else in parts of the larger of both."""
    estimate, threshold = check.estimate, check.threshold
    if check.kind == "never" and check.decision == "fail":
        # None may: no condition can be missed by more, however few the breaches are among many dialogues.
        return 1.0
    if estimate.value is None:
        return 0.0
    # The share of this run is known and not estimated, and is compared without an interval.
    known = check.kind == "evidence"
    low = estimate.value if known or estimate.low is None else estimate.low
    high = estimate.value if known or estimate.high is None else estimate.high
    gap = max(low - threshold, threshold - high, 0.0)
    return gap if check.unit in {SHARE, DIFFERENCE} else gap / (max(abs(estimate.value), abs(threshold)) or 1.0)


STYLES = {"pass": "green", "fail": "red", "insufficient_evidence": "yellow"}
MARKS = {"pass": "✓", "fail": "✗", "insufficient_evidence": "?"}


MOST = 8
"""Conditions printed where not all are asked for: more do not fit on a screen beside the tables."""


def show_gate(
    gate: GateDecision, console: Console, language: str = "en", *, full: bool = True, invented_law: str = ""
) -> None:
    """Print the decision in a sentence, then the checks behind it, each with its estimate and threshold.

    If not ``full``, only what limits or prevents a pass is printed, and a reason only where the numbers do not say it.
    """
    from rich.padding import Padding
    from rich.text import Text

    style, say = STYLES[gate.decision], pack_of(language).labels("report")
    told = Text(printable(short_sentence(gate, language)), style=f"bold {style}")
    console.print(Text.assemble(told, f"  ({printable(say('gate.of_policy', name=say.name('policy', gate.policy)))})"))
    if gate.reasons:
        console.print(Padding(Text(printable(decision_text(gate, language)), style="yellow"), (0, 0, 0, 2)))
    if invented_law:
        told = Text(printable(say("how.invented_law", name=country_in(invented_law, language))), style="yellow")
        console.print(Padding(told, (0, 0, 0, 2)))
    checks = list(gate.checks) if full else [check for check in gate.checks if _decides(check, gate)]
    for check in checks if full else checks[:MOST]:
        console.print(_check_line(check, language, neutral=bool(invented_law) and rests_on_invented_law(check)))
        if _needs_reason(check, gate, full=full):
            console.print(Padding(Text(printable(reason_text(check, language)), style="dim"), (0, 0, 0, 6)))
    if not full and len(checks) > MOST:
        console.print(Text(printable(f"  {say('gate.further', count=len(checks) - MOST)}")))


def _decides(check: GateCheck, gate: GateDecision) -> bool:
    """Whether a check prevents a pass, or limits what the pass says."""
    return check.decision != "pass" if gate.decision != "pass" else check.decision != "pass" or _has_caveat(check)


def _has_caveat(check: GateCheck) -> bool:
    return any(one.key in CAVEATS for one in check.reasons)


def _needs_reason(check: GateCheck, gate: GateDecision, *, full: bool) -> bool:
    if full:
        return check.decision != "pass" or check.kind == "never" or _has_caveat(check)
    # What a condition still lacks decides nothing where another one has failed. That an interval or a share lies on the wrong
    # side of its threshold is seen in the line itself.
    return check.kind == "never" or (gate.decision != "fail" and check.decision != "fail" and check.kind != "evidence")


def _check_line(check: GateCheck, language: str, *, neutral: bool) -> Text:
    from rich.text import Text

    return Text.assemble(
        ("  · ", "dim") if neutral else (f"  {MARKS[check.decision]} ", STYLES[check.decision]),
        (printable(check_label(check, language)), "bold"),
        local_numbers(f"  {estimate_text(check, language)}  {needed(check, language)}", language)
        + ("" if check.required else f"  ({pack_of(language).labels('report')('gate.advisory')})"),
    )
