"""Laws and decisions as JSON lines: each known layout, told by the fields of its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchbar.languages.numerals import parse_number
from benchbar.law.dates import checked, iso_dates
from benchbar.law.legal_texts import LegalTexts, Skipped
from benchbar.law.names import law_key
from benchbar.law.readers_common import MAX_BAD_LINES, decision_id, normal_case_number, text_of
from benchbar.records import Article, Decision, LawVersion
from benchbar.tables.reading import read_table

Row = dict[str, Any]
LEVELS = {
    "宪法": "constitution", "法律": "law", "行政法规": "regulation", "司法解释": "interpretation",
    "部门规章": "rule", "地方性法规": "local",
}  # fmt: skip


def read_rows(path: Path) -> LegalTexts:
    """What a JSON lines file holds, in the first layout whose fields its rows have; bad rows are named, not lost."""
    rows = list(_rows(path))
    good = [row for _, row in rows if isinstance(row, dict)]
    legal_texts = LegalTexts(skipped=[row for _, row in rows if isinstance(row, Skipped)])
    layout = next((read for fields, read in LAYOUTS if good and fields <= good[0].keys()), None)
    if layout is None:
        known = "; ".join(", ".join(sorted(fields)) for fields, _ in LAYOUTS)
        found = ", ".join(sorted(good[0])) if good else "no JSON object"
        legal_texts.skipped.append(
            Skipped(file=str(path), reason=f"no layout of law or decisions has {found}; known: {known}")
        )
        return legal_texts
    try:
        legal_texts.extend(layout(path, good))
    except UNFIT:
        fitting = [
            row for number, row in rows if isinstance(row, dict) and _fits(path, number, row, layout, legal_texts)
        ]
        legal_texts.extend(layout(path, fitting))
    return legal_texts


UNFIT = (KeyError, TypeError, ValueError, AttributeError)
"""What a row raises that lacks a field of its layout, or has one of another type."""


def _fits(
    path: Path, number: int, row: Row, layout: Callable[[Path, list[Row]], LegalTexts], legal_texts: LegalTexts
) -> bool:
    try:
        layout(path, [row])
    except UNFIT as error:
        reason = f"the row lacks {error}" if isinstance(error, KeyError) else f"the row does not fit: {error}"
        legal_texts.skipped.append(Skipped(file=f"{path}:{number}", reason=reason))
        return False
    return True


def _rows(path: Path) -> Iterator[tuple[int, Row | Skipped]]:
    table = read_table(path)
    yield from table
    for number, reason in table.lost[:MAX_BAD_LINES]:
        yield number, Skipped(file=f"{path}:{number}", reason=reason)
    if len(table.lost) > MAX_BAD_LINES:
        yield 0, Skipped(file=str(path), reason=f"{len(table.lost) - MAX_BAD_LINES} more lines are no JSON objects")


# A country's laws are some 300, in several versions; a matter's own folder has tens.
_COMPILATION = 500
"""Documents from which a file of laws is taken for a compilation of all of a country's law, as of one day."""


def _laws(path: Path, rows: list[Row]) -> LegalTexts:
    """Documents of a compilation of statutes, one row for each version or book."""
    legal_texts = LegalTexts()
    for row in rows:
        history = [str(line) for line in row.get("history") or ()]
        dates = iso_dates("\n".join(history))
        version = checked(row.get("version_date") or "")
        texts = _texts(history)
        stated, notice = checked(row.get("valid_from") or ""), _effective(history, version)
        # Of an amended text a first day that is the day of adoption was mostly filled in: 民事诉讼法 was amended on
        # 2023-09-01 and the new text is in force from 2024-01-01.
        if texts > 1 and stated == version:
            stated = ""
        legal_texts.versions.append(
            LawVersion(
                law_id=str(row["law_id"]),
                name=str(row["law_name"]),
                short_names=(str(row["short_name"]),) if row.get("short_name") else (),
                jurisdiction="CN",
                level=LEVELS.get(str(row.get("level")), ""),
                adopted=version or (dates[-1] if dates else ""),
                in_force=stated or notice,
                in_force_source="stated" if stated else "notice" if notice else "",
                since=min([*dates, version] if version else dates, default=""),
                texts=texts,
                expired=bool(row.get("expired_flag")),
                part=str(row.get("part") or ""),
                source=str(row.get("source_path") or path),
            )
        )
    levels = {version.level for version in legal_texts.versions}
    if len(legal_texts.versions) >= _COMPILATION:
        # The last act that it holds was adopted on a day that it still knew of; what came later it cannot know.
        legal_texts.as_of = max(version.adopted for version in legal_texts.versions)
    # A national compilation holds every law of the legislature; its regulations and interpretations are a selection.
    legal_texts.claims = frozenset({"constitution", "law"} & levels) if legal_texts.as_of else frozenset()
    return legal_texts


def _texts(history: list[str]) -> int:
    """How many texts the notices of an act tell of: each adoption and each amendment made one."""
    return sum(re.search(r"通过|修正|修订|修改", line) is not None for line in history) or min(len(history), 1)


def _effective(history: list[str], version: str) -> str:
    for line in reversed(history):
        if "施行" in line and (days := iso_dates(line)) and days[-1] >= version:
            return days[-1]
    return ""


def _articles(path: Path, rows: list[Row]) -> LegalTexts:  # noqa: ARG001 - the signature of a layout
    return LegalTexts(
        articles=[
            Article(
                law_id=str(row["law_id"]),
                number=str(row["no"]),
                sub=str(row.get("sub") or ""),
                chapter=str(row.get("chapter") or ""),
                text=text_of(row["text"]),
            )
            for row in rows
        ]
    )


def _gold(path: Path, rows: list[Row]) -> LegalTexts:
    """Single articles that queries were matched with: a selection, so that a missing one proves nothing."""
    named = [(str(row["law"]), str(row["no"]), str(row.get("sub") or ""), text_of(row["text"])) for row in rows]
    return _by_name(path, ((law, number, "" if sub == "0" else sub, text) for law, number, sub, text in named))


_CONTENT_PREFIX = re.compile(r"^(?:《[^》]{1,80}》)?第[^条]{1,10}条(?:之.)?规定[，,：:]")


def _named_articles(path: Path, rows: list[Row]) -> LegalTexts:
    def read(row: Row) -> tuple[str, str, str, str]:
        law, label = str(row["law_name"]), str(row["article_id"])
        label_match = re.search(r"第\s?(.{1,12}?)\s?条(?:之(.{1,3}))?", label)
        number = parse_number(label_match[1]) if label_match else None
        if not number or not label_match:
            raise ValueError(f"article_id {label!r} is no article")
        sub = parse_number(label_match[2]) if label_match[2] else None
        text = _CONTENT_PREFIX.sub("", text_of(row["content"]), count=1)
        return law, str(int(number)), str(int(sub)) if sub else "", text.removesuffix(f"\n《{law}》")

    return _by_name(path, map(read, rows))


def _generic(path: Path, rows: list[Row]) -> LegalTexts:
    def read(row: Row) -> tuple[str, str, str, str]:
        number, _, sub = str(row["article"]).partition(".")
        value = parse_number(re.sub(r"[第条]", "", number))
        return str(row["law"]), str(int(value)) if value else number, sub, text_of(row["text"])

    return _by_name(path, map(read, rows))


def _by_name(path: Path, named: Iterator[tuple[str, str, str, str]] | Any) -> LegalTexts:
    """Articles that carry their law's name: the law is complete where its numbers have no gap."""
    laws: dict[str, list[Article]] = {}
    for law, number, sub, text in named:
        law_id = f"{path.stem}:{law}"
        laws.setdefault(law, []).append(Article(law_id=law_id, number=number, sub=sub, text=text))
    legal_texts = LegalTexts()
    for law, articles in laws.items():
        numbers = {int(one.number) for one in articles if one.number.isdecimal()}
        complete = bool(numbers) and numbers == set(range(1, max(numbers) + 1)) and len(numbers) > 1
        language_zh = re.search("[\u4e00-\u9fff]", law) is not None
        legal_texts.versions.append(
            LawVersion(
                law_id=f"{path.stem}:{law}",
                name=law,
                jurisdiction="CN" if language_zh else "",
                level="interpretation" if law_key(law).kind == "interpretation" else "",
                complete=complete,
                source=str(path),
            )
        )
        legal_texts.articles += articles
    return legal_texts


def _russian_code(path: Path, rows: list[Row]) -> LegalTexts:
    """One code of the Russian Federation; its full name and date stand in the ``index.json`` beside it."""
    code, abbreviation = str(rows[0]["code"]), str(rows[0]["abbr"])
    about = _sidecar(path, code)
    name = str(about.get("name") or abbreviation)
    part = re.search(r"\((часть [^)]+)\)", name)
    articles = []
    for row in rows:
        number, _, sub = str(row["article"]).partition(".")
        articles.append(
            Article(
                law_id=code,
                number=number,
                sub=sub,
                title=str(row.get("title") or ""),
                chapter=str(row.get("chapter") or ""),
                text=text_of(row.get("text") or ""),
                repealed=row.get("status") == "repealed_or_empty",
            )
        )
    version = LawVersion(
        law_id=code,
        name=name,
        short_names=(abbreviation,),
        jurisdiction="RU",
        level="law",
        adopted=checked(str(about.get("act") or "")),
        part=part[1] if part else "",
        source=str(path),
    )
    return LegalTexts(versions=[version], articles=articles)


def _sidecar(path: Path, code: str) -> Row:
    try:
        rows = msgspec.json.decode((path.parent / "index.json").read_bytes(), type=list[dict[str, Any]])
    except (OSError, msgspec.DecodeError):
        return {}
    return next((row for row in rows if row.get("code") == code), {})


def _typical_cases(path: Path, rows: list[Row]) -> LegalTexts:
    decisions = []
    for number, row in enumerate(rows, start=1):
        cases = [normal_case_number(str(one)) for one in row.get("case_nos") or ()]
        last = cases[-1] if cases else ""
        decisions.append(
            Decision(
                id=decision_id(last, f"{path.stem}-{number}", path),
                case_number=last,
                also=tuple(dict.fromkeys(one for one in cases if one != last)),
                cause=str(row.get("category") or ""),
                title=str(row.get("title") or ""),
                text=text_of(row["text"]),
                source=str(path),
            )
        )
    return LegalTexts(decisions=decisions)


def _decisions(path: Path, rows: list[Row]) -> LegalTexts:
    decisions = []
    for number, row in enumerate(rows, start=1):
        case = normal_case_number(str(row["case_number"]))
        decisions.append(
            Decision(
                id=decision_id(case, f"{path.stem}-{number}", path),
                case_number=case,
                court=str(row.get("court") or ""),
                date=checked(str(row.get("date") or "")),
                cause=str(row.get("cause") or ""),
                title=str(row.get("title") or ""),
                text=text_of(row["text"]),
                overruled_by=normal_case_number(str(row.get("overruled_by") or "")),
                family=str(row.get("family") or ""),
                source=str(path),
            )
        )
    return LegalTexts(decisions=decisions)


LAYOUTS: tuple[tuple[frozenset[str], Callable[[Path, list[Row]], LegalTexts]], ...] = (
    (frozenset({"law_id", "law_name", "n_articles"}), _laws),
    (frozenset({"name", "law", "no", "text"}), _gold),
    (frozenset({"law_id", "no", "text"}), _articles),
    (frozenset({"law_name", "article_id", "content"}), _named_articles),
    (frozenset({"code", "abbr", "article", "text"}), _russian_code),
    (frozenset({"law", "article", "text"}), _generic),
    (frozenset({"case_number", "text"}), _decisions),
    (frozenset({"case_nos", "title", "text"}), _typical_cases),
)
"""The fields that tell a layout, and its reader; the first that fits is taken."""
