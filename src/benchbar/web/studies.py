"""The page of an ablation study: each variant's measures, and the differences between variants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from fastapi import Request
from fastapi.responses import Response

from benchbar.artefacts.folder import read_timing
from benchbar.artefacts.layout import RunFolder
from benchbar.artefacts.upgrades import STUDY_FIELDS, renamed
from benchbar.languages.reasons import reason_in
from benchbar.records import decode
from benchbar.records.ablation import AblationResults, ConsultationAblation, QuestionAblation, ReviewTiming
from benchbar.records.files import read_bounded
from benchbar.web.folders import REMEMBERED
from benchbar.web.pages import page, words_of

Study = AblationResults | ConsultationAblation | QuestionAblation


class _Kind(msgspec.Struct):
    """The fields by which results tell what they are of."""

    variants: Any = None
    reviewer: str | None = None
    questions: int | None = None
    name: str = ""


def _kind(run: Path) -> _Kind:
    file = RunFolder(run).results
    return REMEMBERED.get(("kind", run), (file,), lambda: decode(read_bounded(file), _Kind, file=file))


def is_study(run: Path) -> bool:
    """Whether the folder holds an ablation."""
    return _kind(run).variants is not None


def title(run: Path) -> str:
    """What the study is called."""
    return _kind(run).name


def study_of(run: Path) -> Study:
    """The results of an ablation."""
    file, kind = RunFolder(run).results, _kind(run)
    # Each kind of study has one field that the others lack; older results hold no name of their kind.
    what: type[Study] = (
        AblationResults
        if kind.reviewer is not None
        else QuestionAblation
        if kind.questions is not None
        else ConsultationAblation
    )
    return REMEMBERED.get(
        ("study", run), (file,), lambda: decode(renamed(read_bounded(file), STUDY_FIELDS), what, file=file)
    )


def study_page(request: Request, run: Path) -> Response:
    """Measures and differences of every variant."""
    found = study_of(run)
    if isinstance(found, QuestionAblation):
        from benchbar.reports.ablation import tables

        return page(
            request,
            "questions_study.html.j2",
            name=run.name,
            study=found,
            tables=list(tables(found, words_of(request))),
        )
    from benchbar.reports.ablation import report_parts
    from benchbar.reports.switch_words import in_words, timing_in_words

    say = words_of(request)
    found = in_words(found, say)
    parts = report_parts(found, timing_in_words(_timing(run), say), say)
    return page(request, "study.html.j2", name=run.name, study=found, reason_in=reason_in, **parts)


def _timing(run: Path) -> dict[str, ReviewTiming]:
    return REMEMBERED.get(("study timing", run), (RunFolder(run).timing,), lambda: read_timing(run, ReviewTiming))
