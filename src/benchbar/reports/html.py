"""The report as one HTML file that opens offline.

All text of assistants, suites and judges is hostile: Jinja escapes it, what is packed has letters and digits alone, and the content
security policy lets run nothing but the script whose hash it names.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import zlib
from collections.abc import Iterable, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from benchbar.artefacts.folder import Material
from benchbar.decisions.explaining import check_label, reason_text, sentence
from benchbar.languages.errors import told_in
from benchbar.languages.packs import known, labels, pack
from benchbar.languages.reasons import reason_in
from benchbar.languages.text import detect_language
from benchbar.law.nicknames import nickname_command
from benchbar.law.shown import accused_of, by_whom, how_often, named, verdict_keys, verdicts
from benchbar.measures.health import finding_text
from benchbar.records import Citation, ClaimCheck, RunResults, Suite
from benchbar.records.numbers import percent
from benchbar.records.templates import environment
from benchbar.reports.attacks import attack_tables
from benchbar.reports.charts import exchanges, grouped, matrices, win_rate_bars
from benchbar.reports.gate import MARKS, MOST, estimate_text, lead, needed, rests_on_invented_law, threshold_text
from benchbar.reports.judges import judge_tables, panel_sentences
from benchbar.reports.numbers import local_labels, shown
from benchbar.reports.pages import MAX_TEXT, Page, pages, winner_of
from benchbar.reports.phrases import Phrase, Phrases
from benchbar.reports.repeats import repeat_tables
from benchbar.reports.rows import (
    fidelity_lines,
    heading,
    question_lines,
    reliability,
    spending,
    task_tables,
    temperament_lines,
)
from benchbar.reports.standing import sign, standing
from benchbar.reports.verdicts import (
    candidates,
    controlled,
    everyone,
    held_back,
    how_decided,
    nothing_compared,
    overall,
    rank_set,
    turns_note,
)
from benchbar.suites.taxonomy import names_in, task_label

if TYPE_CHECKING:
    from jinja2 import Environment, Template

# A report is sent by mail: packed, so much text is 2 to 8 MB, and many servers refuse more than ten.
PAGES_BYTES = 25_000_000
"""Sample pages together, before they are packed; beyond it those on which assistants differ least are left out."""
ICONS = {
    "met": "✓",
    "partly": "◐",
    "not_met": "✗",
    "said": "⚠",
    "avoided": "✓",
    "abstained": "?",
    "failed": "!",
    "none": "–",
}

MOST_OPEN = 8
"""Assistants whose bars stand open in every group; those of more would make a page of forty screens."""
GATE_CLASSES = {"pass": "better", "fail": "worse", "insufficient_evidence": "tied"}


def html(
    results: RunResults,
    material: Material,
    suite: Suite | None,
    *,
    missing_suite: str = "",
    limit: int = PAGES_BYTES,
    language: str | None = None,
) -> bytes:
    """The whole page, UTF-8; ``missing_suite`` says why there is no suite.

    It opens in the suite's language unless another is named, and holds its words in every language that there is a pack for.
    """
    from markupsafe import Markup

    first = labels(language or (suite.card.language if suite else _language(material))).language
    found = pages(results, material, suite)
    phrases = Phrases(known())
    # Chosen before anything is written: the list of samples at the top says which have a page.
    laid_out = _environment(results, suite, phrases)
    sample = laid_out.get_template("sample.html.j2", globals={"results": results, "say": phrases})
    kept = _kept(sample, found, limit)
    template = laid_out.get_template("overview.html.j2")
    overviews = {
        code: _overview(template, results, material, suite, code, found, frozenset(kept), missing_suite)
        for code in known()
    }
    opened = overviews.pop(first)
    head = {"languages": known(), "phrases": phrases.table, "overviews": overviews, "pages": [f"s{n}" for n in kept]}
    style, script = _own("report.css"), _own("report.js")
    text = laid_out.get_template("report.html.j2").render(
        # By hash: even if a reply got markup past the escaping, no other script would run.
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704
        language=first,
        languages={code: pack(code).about.name for code in known()},
        title=opened["title"],
        overview=Markup(opened["overview"]),  # noqa: S704 - escaped when it was rendered
        packed=packed([head, *kept.values()]),
    )
    return text.encode()


def packed(lines: Iterable[object]) -> str:
    """A line of JSON for each object, compressed, in the letters of base64: so much of a report is said again and again that a
    twentieth of it is left.
    """
    # No time in the header: the same run makes the same bytes.
    small = zlib.compressobj(wbits=31)
    parts = [small.compress(msgspec.json.encode(line) + b"\n") for line in lines]
    return base64.b64encode(b"".join([*parts, small.flush()])).decode()


def _overview(
    template: Template,
    results: RunResults,
    material: Material,
    suite: Suite | None,
    language: str,
    found: Sequence[Page],
    in_page: frozenset[int],
    missing_suite: str,
) -> dict[str, str]:
    """Title and text of what the report says of the whole run, in one language."""
    say = local_labels(language)
    results, suite = in_language(results, suite, language)
    names = candidates(results)
    rates = {name: results.assistants[name]["win_rate"] for name in names}
    standing_of = {name: overall(results, name) for name in names}
    text = template.render(
        say=say,
        results=results,
        names=names,
        everyone=everyone(results),
        bars=win_rate_bars(results, rates, say, standing_of),
        matrices=matrices(results, say, names),
        grouped=grouped(results, say, everyone(results)),
        plot=exchanges(results, names),
        most_open=MOST_OPEN,
        rows=[(page, page.number in in_page) for page in found],
        task_name=partial(_task_name, suite),
        # A large run hands over fewer pages than it has samples; both kinds are left out.
        left_out=max(results.samples, len(found)) - len(in_page),
        missing_suite=missing_suite,
        how=how_decided(results, say),
        nothing=nothing_compared(results, say),
        controlled=controlled(results, say),
        turns_note=turns_note(results, say),
        reliability=reliability(results, material.timing, say),
        spending=spending(results, say),
        failures=[
            (address, say.error_kind(slug), count)
            for address, of in sorted(material.failures.items())
            for slug, count in sorted(of.items())
        ],
        questions=question_lines(results),
        fidelity=fidelity_lines(results, say.rate, say),
        temperaments=temperament_lines(results, say.rate, lambda kind: say.name("temperament", kind)),
        task_tables=task_tables(results, say),
        attack_tables=attack_tables(results, say),
        repeat_tables=repeat_tables(results, say),
        judge_tables=judge_tables(results, say),
        panel_sentences=list(panel_sentences(results, say)),
        needed=partial(needed, language=language),
    )
    return {"title": say("page.title", suite=results.suite), "overview": text}


def _task_name(suite: Suite | None, page: Page) -> str:
    if not suite or not page.task:
        return page.content.task if page.content else "–"
    return task_label(page.task.id, suite.tasks[page.task.id].name)


def in_language(results: RunResults, suite: Suite | None, language: str) -> tuple[RunResults, Suite | None]:
    """Both with the names of the paper's tasks in the language of the page, as its other words are."""
    named = msgspec.structs.replace(results, tasks=names_in(results.tasks, language))
    if suite is None:
        return named, None
    names = names_in({id_: task.name for id_, task in suite.tasks.items()}, language)
    tasks = {id_: msgspec.structs.replace(task, name=names[id_]) for id_, task in suite.tasks.items()}
    return named, dataclasses.replace(suite, tasks=tasks)


def _language(material: Material) -> str:
    """The language that users speak, where no suite tells it."""
    said = (
        dialogue.turns[0].content for by in material.dialogues.values() for dialogue in by.values() if dialogue.turns
    )
    return detect_language(next(said, ""))


def _environment(results: RunResults, suite: Suite | None, phrases: Phrases) -> Environment:
    """Templates of the page in any language, and of the samples, whose words are ``phrases``."""
    from jinja2 import pass_context

    made = environment("benchbar.reports")
    names = {id_: task.name for id_, task in suite.tasks.items()} if suite else {}
    made.globals.update(
        percent=percent,
        heading=heading,
        shown=shown,
        overall=overall,
        held_back=held_back,
        rank_set=rank_set,
        estimate_text=estimate_text,
        finding_text=finding_text,
        threshold_text=threshold_text,
        check_label=check_label,
        reason_text=reason_text,
        sentence=sentence,
        lead=lead,
        most_checks=MOST,
        gate_classes=GATE_CLASSES,
        gate_marks=MARKS,
        rests_on_invented_law=rests_on_invented_law,
        limit=MAX_TEXT,
        icons=ICONS,
        standing=standing,
        sign=sign,
        nickname_command=nickname_command,
        named=named,
        verdicts_of=partial(_verdicts, phrases, bool(results.invented_law)),
        how_often=partial(_how_often, phrases),
        by_whom=partial(_by_whom, phrases),
        winner_of=winner_of,
        named_task=lambda id_: phrases.each(
            ("task", id_), lambda _, say: task_label(id_, names_in(names, say.language)[id_])
        ),
        number_of=lambda text: phrases.each(("number", text), lambda _, say: say.local(text)),
        error_of=lambda error: phrases.each(("error", error), lambda _, say: told_in(error, say.language)),
        reason_of=lambda reason: phrases.each((reason,), lambda _, say: reason_in(reason, say.language)),
    )
    # Jinja works out a filter of a constant when it compiles, unless the filter wants the context: the code that is kept would
    # hold the numbers that phrases have in one report, and the next report would show other words in their places.
    made.filters.update(
        say=pass_context(lambda _, key, **values: phrases(key, **values)),
        named=pass_context(lambda _, value, kind: phrases.name(kind, value)),
        clipped=pass_context(lambda _, text: _clipped(phrases, results.suite, text)),
    )
    return made


def _verdicts(phrases: Phrases, invented: bool, one: Citation) -> Phrase:  # noqa: FBT001 - bound before the template calls it
    keys = verdict_keys(one)
    return phrases.each(("verdicts", *keys), lambda _, say: " · ".join(verdicts(one, say, invented=invented)))


def _how_often(phrases: Phrases, one: Citation) -> Phrase | None:
    """How often each thing that the citation is accused of was right; None where it is of nothing."""
    kinds = accused_of(one)
    told = ("often", one.language, *kinds)
    return phrases.each(told, lambda _, say: " · ".join(how_often(one, say))) if kinds else None


def _by_whom(phrases: Phrases, check: ClaimCheck, language: str) -> Phrase:
    of = ("by", check.by, check.verdict, check.conflict, check.abstained, check.precision, language)
    return phrases.each(of, lambda _, say: by_whom(check, language, say))


def _clipped(say: Phrases, suite: str, text: str) -> str:
    """As much of a text as a page shows, and how much is left out."""
    from markupsafe import Markup, escape

    if len(text) <= MAX_TEXT:
        return escape(text)
    left = say("sample.truncated", count=len(text) - MAX_TEXT, file=suite)
    return Markup('{} <span class="muted">{}</span>').format(text[:MAX_TEXT], left)


def _kept(template: Template, found: Sequence[Page], limit: int) -> dict[int, str]:
    """Page number to its HTML, as many as fit into ``limit`` bytes; those where assistants differ most come first."""
    kept: dict[int, str] = {}
    # Where assistants differ is what a reader looks for; ties in the order of the run.
    for page in sorted(found, key=lambda page: (-page.spread, page.number)):
        if page.characters > limit:  # it cannot fit: not worth the time to lay it out
            continue
        repeats = max((one.repeat + 1 for outcome in page.outcomes for one in outcome.comparisons), default=1)
        body = template.render(page=page, repeats=repeats)
        size = len(body.encode())
        if size <= limit:
            limit -= size
            kept[page.number] = body
    return kept


def _own(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and only this very script and this style apply."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
