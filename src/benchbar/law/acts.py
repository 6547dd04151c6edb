"""Acts and decisions as documents: our Markdown form with a header of facts, and texts in any other form."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

from benchbar.law.citations import extract
from benchbar.law.dates import iso_dates
from benchbar.law.material import Material, Skipped
from benchbar.law.names import law_key
from benchbar.law.readers_common import decision_id, text_of
from benchbar.law.splitting import split_articles
from benchbar.records import Article, Decision, LawVersion
from benchbar.records.errors import BadInputError
from benchbar.records.toml import toml_of

_HEADER = re.compile(r"\A\ufeff?\s*\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_FIELDS = {
    "law_id", "name", "short_names", "jurisdiction", "level", "adopted", "in_force", "until", "supersedes", "repeals",
    "complete", "part", "since", "expired",
}  # fmt: skip
_DECISION = re.compile(
    r"(?:判\s?决\s?书|裁\s?定\s?书|调\s?解\s?书|决\s?定\s?书)\s*$|^\s*(?:(?:апелляционн|кассационн|заочн|дополнительн|частн)\w{2}\s+)?(?:Р\s?Е\s?Ш\s?Е\s?Н\s?И\s?Е|О\s?П\s?Р\s?Е\s?Д\s?Е\s?Л\s?Е\s?Н\s?И\s?Е"
    r"|П\s?О\s?С\s?Т\s?А\s?Н\s?О\s?В\s?Л\s?Е\s?Н\s?И\s?Е|П\s?Р\s?И\s?Г\s?О\s?В\s?О\s?Р)"
    # The heading goes on in one line, in capitals or not: Решение именем Российской Федерации; Определение по делу № ….
    r"(?:\s+(?:именем\s+российской\s+федерации|по\s+делу\b[^\n]{0,80}|от\s[^\n]{0,60}))?\s*$|^\s*(?:JUDGMENT|OPINION)\s*$",
    re.MULTILINE | re.IGNORECASE,
)
_COURT = re.compile(
    r"^[^\n，。]{0,40}(?:人民法院|法院)|^[^\n,.]{0,80}(?:суд\w{0,2})(?:\s[^\n,.]{0,60})?$", re.MULTILINE | re.IGNORECASE
)
_CAUSE = re.compile(r"([\u4e00-\u9fff、]{2,24}(?:纠纷|争议|罪))一案")
_HEAD = 3000


def read_act_or_decision(path: Path, text: str) -> Material:
    """The act or decision that a document's text is; a text that is neither is kept whole and named in ``skipped``.

    Raises:
        BadInputError: the header of facts cannot be read.
    """
    header = _HEADER.match(text)
    if header:
        # Line ends before the header stay, so that a fault in it is named by its line in the file.
        return _act(path, _facts(path, "\n" * text.count("\n", 0, header.start(1)) + header[1]), text[header.end() :])
    split = split_articles(text, "")
    numbers = [one.case_number for one in extract(text[:_HEAD]) if one.case_number]
    # A statute has more.
    if _DECISION.search(text[:_HEAD]) and numbers and len(split.articles) < 5:
        return Material(decisions=[_decision(path, text, numbers[0])])
    return _act(path, _facts_from_text(path, text), text)


def _facts(path: Path, header: str) -> dict[str, Any]:
    facts = toml_of(header, dict[str, Any], file=path)
    for name, value in facts.items():
        if name not in _FIELDS:
            raise BadInputError(f"unknown; known are {', '.join(sorted(_FIELDS))}", file=path, field=name)
        if isinstance(value, date):
            facts[name] = value.isoformat()
        elif isinstance(value, list):
            facts[name] = tuple(str(one) for one in value)
    for name in ("law_id", "name"):
        if not isinstance(facts.get(name), str) or not facts[name]:
            raise BadInputError("missing: an act needs it", file=path, field=name)
    return facts


def _act(path: Path, facts: dict[str, Any], text: str) -> Material:
    import msgspec

    try:
        version = msgspec.convert({"source": str(path)} | facts, LawVersion)
    except msgspec.ValidationError as error:
        raise BadInputError(f"the header does not fit: {error}", file=path) from error
    split = split_articles(text, version.law_id)
    if split.articles:
        return Material(versions=[version], articles=list(split.articles))
    whole = text_of(text)
    if not whole:
        return Material(versions=[version], skipped=[Skipped(file=str(path), reason="the act has no text")])
    return Material(
        versions=[version],
        articles=[Article(law_id=version.law_id, number="", text=whole)],
        skipped=[
            Skipped(
                file=str(path), reason="no articles found: kept as one text, which no citation of an article can meet"
            )
        ],
    )


def _facts_from_text(path: Path, text: str) -> dict[str, Any]:
    """Name and dates of an act without a header: its first line, and what stands before the first article."""
    preamble = split_articles(text, "").preamble or text[:_HEAD]
    title = next((line.strip("#* \t　") for line in text.splitlines() if line.strip("#* \t　")), path.stem)[:200]
    dated = re.search(r"[(（_ ]?((?:19|20)\d\d-\d\d-\d\d)[)）]?$", path.stem)
    days = iso_dates(preamble[:_HEAD])
    closing = re.search(r"自([^，。；\n]{6,20}日)起(?:施行|实施)", preamble[:_HEAD] + text[-1500:])
    effective = iso_dates(closing[1]) if closing else []
    adopted = dated[1] if dated else (days[-1] if days else "")
    in_force = effective[-1] if effective and effective[-1] >= adopted else ""
    key = law_key(title)
    return {
        "law_id": path.stem,
        "name": title,
        "adopted": adopted,
        "since": min(days, default=""),
        "in_force": in_force,
        "in_force_source": "text" if in_force else "",
        "level": "interpretation" if key.kind == "interpretation" else "",
    }


def _decision(path: Path, text: str, number: str) -> Decision:
    head = text[:_HEAD]
    court, cause = _COURT.search(head), _CAUSE.search(head)
    days = iso_dates(text[-1500:]) or iso_dates(head)
    return Decision(
        id=decision_id(number, path.stem, path),
        case_number=number,
        court=court[0].strip() if court else "",
        date=days[-1] if days else "",
        cause=cause[1] if cause else "",
        title=next((line.strip("# ") for line in text.splitlines() if line.strip("# ")), "")[:200],
        text=text_of(text),
        source=str(path),
    )
