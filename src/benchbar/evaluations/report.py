"""Published, recomputed, corrected: for the terminal, as HTML that opens offline, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchbar.audit.grouping import INNOCENT
from benchbar.evaluations.auditing import Reading
from benchbar.evaluations.grounding import Grounded
from benchbar.evaluations.recomputing import Figure
from benchbar.evaluations.records import PublishedFigure
from benchbar.evaluations.rejudging import FEW, Corrected, is_derived
from benchbar.records import Estimate
from benchbar.records.templates import environment
from benchbar.reports.tables import markdown, markdown_table

HEAD = ("figure", "published", "recomputed", "corrected")
MOST = 500
"""Figures in a report; a benchmark of a hundred subsets has more than anybody reads."""


class Line(NamedTuple):
    """One figure of the table."""

    label: str
    published: str
    recomputed: str
    corrected: str


def lines_of(reading: Reading, found: Sequence[Corrected]) -> list[Line]:
    """The table, one line for each figure: those that were judged again first."""
    by_key = {one.figure.key: one for one in found}
    ordered = sorted(reading.figures, key=lambda one: one.key not in by_key)
    return [
        Line(one.key.label, _published(one.published), _recomputed(one), _corrected(by_key.get(one.key)))
        for one in ordered
    ]


def _published(given: Sequence[PublishedFigure]) -> str:
    if not given:
        return "not published"
    return "; ".join(one.printed + ("" if one.statistic == "mean" else f" ({one.statistic})") for one in given)


def _recomputed(figure: Figure) -> str:
    if figure.rows or figure.recomputed.value is not None:
        return shown(figure.recomputed)
    return f"– ({figure.recomputed.reason})"


def _corrected(found: Corrected | None) -> str:
    return "not judged again" if found is None else shown(found.corrected)


def shown(estimate: Estimate) -> str:
    """Value and interval with n and what is missing; the reason where one of them is not there."""
    if estimate.value is None:
        return f"– ({estimate.reason})"
    interval = "" if estimate.low is None or estimate.high is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    missing = f", {estimate.n_missing} missing" if estimate.n_missing else ""
    reason = f"; {estimate.reason}" if estimate.reason else ""
    return f"{estimate.value:.3f}{interval} (n={estimate.n}{missing}){reason}"


def understood(reading: Reading) -> Iterator[str]:
    """What was made of each file, before any figure: a misread one has to be seen first."""
    together: dict[tuple[str, str], list[str]] = {}
    for log in reading.logs:
        together.setdefault((log.program, log.form), []).append(f"{log.path}: {log.understood()}")
    for lines in together.values():
        yield from lines[:3]
        if len(lines) > 3:
            yield f"and {len(lines) - 3} more files of the same kind"
    for what, count in sum_ignored(reading).items():
        yield f"not used: {count} {what}"
    for ending, count in sorted(reading.unknown.items()):
        yield f"not understood: {count} {ending} files of no known program"


def sum_ignored(reading: Reading) -> dict[str, int]:
    """What the readers saw and did not use, over all files."""
    found: dict[str, int] = {}
    for log in reading.logs:
        for what, count in log.ignored.items():
            found[what] = found.get(what, 0) + count
    return found


def problems(reading: Reading) -> list[str]:
    """What is wrong with single rows."""
    return [str(one) for one in [*(one for log in reading.logs for one in log.problems), *reading.grounding.problems]]


def finding_lines(reading: Reading) -> Iterator[str]:
    """Each finding in a sentence, and what may explain it innocently."""
    for one in reading.findings:
        yield f"{one.certainty} {one.check}: {one.row}: printed {one.printed}; recomputed {one.recomputed or '–'}. {one.evidence}"
    for check in dict.fromkeys(one.check for one in reading.findings):
        yield f"ask first ({check}): {INNOCENT[check]}"


ANSWERS = {"in_documents": "in the documents", "contradicted": "contradicted", "not_found": "not found"}


def lab_lines(reading: Reading) -> Iterator[str]:
    """What runs of LAB tell beside their scores: grounding with its worst cases, and parts of the variance."""
    files = reading.grounding.files
    if files:
        rates = "; ".join(f"{words} {shown(reading.grounding.rate(answer))}" for answer, words in ANSWERS.items())
        facts = sum(len(one.facts) for one in files)
        yield f"grounding: {facts} facts in {len(files)} files held against their documents by rules: {rates}"
        yield (
            "grounding: measured on planted facts of our own, held half: of what is called contradicted 91% [84, 96] was"
            " planted; a sum or difference that follows from the documents is not found in them (docs/judge-logs.md)"
        )
    for file in files:
        for one in file.facts:
            if one.answer == "contradicted" and one.source is not None:
                fact, source = one.fact, one.source
                yield (
                    f"contradicted: {file.task}, {file.model}, {file.file} at {fact.start}: {fact.kind} “{fact.text}”;"
                    f" {source.document} at {source.start} has “{source.text}”"
                )
    if reading.variance and all(part.variance.value is None for part in reading.variance.values()):
        yield f"variance of a mark: {shown(next(iter(reading.variance.values())).variance)}"
        return
    for level, part in reading.variance.items():
        held = f" (it is part of that of the {part.within})" if part.within else ""
        yield f"variance of a mark, part of the {level}: {shown(part.variance)}{held}"


def notes(found: Sequence[Corrected], by: Sequence[str]) -> Iterator[str]:
    """What a reader of the corrected figures has to know."""
    if not found:
        return
    yield f"Corrected to what {' and '.join(by)} would say of all answers, by prediction-powered inference (PPI++)."
    for one in found:
        if one.opinions < FEW and one.corrected.low is not None:
            yield f"{one.figure.key.label}: {one.opinions} second opinions; below {FEW} the interval is too narrow."
        if one.agreement.value is not None:
            trust = "" if one.weight is None else f"; weight of the log's own scores {one.weight:.2f}"
            yield f"{one.figure.key.label}: log and second opinion agree on {shown(one.agreement)}{trust}."
        if is_derived(one.figure.key):
            yield f"{one.figure.key.label} follows from other figures."


def as_html(reading: Reading, found: Sequence[Corrected], by: Sequence[str], lost: Sequence[str] = ()) -> bytes:
    """One page that opens offline and runs nothing."""
    page = environment("benchbar.evaluations").get_template("judged.html.j2")
    lines = lines_of(reading, found)
    return page.render(
        head=HEAD,
        lines=lines[:MOST],
        more=max(len(lines) - MOST, 0),
        understood=list(understood(reading)),
        findings=list(finding_lines(reading)),
        notes=[*lost, *notes(found, by)],
        lab=list(lab_lines(reading))[:MOST],
        problems=problems(reading)[:MOST],
    ).encode()


def as_markdown(reading: Reading, found: Sequence[Corrected], by: Sequence[str], lost: Sequence[str] = ()) -> bytes:
    """The same as a page of Markdown; ``lost`` says which judges gave no readable answer, and stands first."""
    parts = [
        "# Judged again",
        *(f"**{markdown(one)}**" for one in lost),
        markdown_table([HEAD, *lines_of(reading, found)[:MOST]]),
    ]
    for title, lines in (
        ("What was understood", understood(reading)),
        ("What cannot be true", finding_lines(reading)),
        ("Work products", iter(list(lab_lines(reading))[:MOST])),
        ("Notes", notes(found, by)),
        ("Problems", iter(problems(reading)[:MOST])),
    ):
        if listed := [f"- {markdown(one)}" for one in lines]:
            parts += [f"## {title}", "\n".join(listed)]
    return ("\n\n".join(parts) + "\n").encode()


def document(reading: Reading, found: Sequence[Corrected], lost: Sequence[str] = ()) -> dict[str, Any]:
    """For `--json`."""
    by_key = {one.figure.key: one for one in found}
    return {
        "logs": [
            {
                "file": str(log.path),
                "program": log.program,
                "form": log.form,
                "version": log.version,
                "rows": len(log.answers),
                "samples": len({(one.task, one.sample) for one in log.answers}),
                "models": sorted({one.model for one in log.answers}),
                "ignored": log.ignored,
                "problems": log.problems,
            }
            for log in reading.logs
        ],
        "judges_without_answer": list(lost),
        "not_understood": dict(reading.unknown),
        "figures": [_figure(one, by_key.get(one.key)) for one in reading.figures],
        "findings": reading.findings,
        "grounding": {
            "rates": {answer: reading.grounding.rate(answer) for answer in ANSWERS},
            "files": [
                {
                    "task": one.task,
                    "model": one.model,
                    "file": one.file,
                    "facts": [_grounded(fact) for fact in one.facts],
                }
                for one in reading.grounding.files
            ],
        },
        "variance": {level: part.variance for level, part in reading.variance.items()},
    }


def _grounded(found: Grounded) -> dict[str, Any]:
    fact, source = found.fact, found.source
    return {
        "kind": fact.kind,
        "text": fact.text,
        "start": fact.start,
        "end": fact.end,
        "answer": found.answer,
        "source": source._asdict() if source else None,
    }


def _figure(figure: Figure, found: Corrected | None) -> dict[str, Any]:
    return {
        **figure.key._asdict(),
        "published": list(figure.published),
        "recomputed": figure.recomputed,
        "corrected": found.corrected if found else None,
        "agreement": found.agreement if found else None,
        "opinions": found.opinions if found else 0,
    }
