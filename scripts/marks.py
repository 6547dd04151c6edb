"""How precise the rules are that mark guidance points: labelled answers against what the rules make of them.

    python scripts/marks.py                     # table of both halves
    python scripts/marks.py --errors --kind charge --language zh

benchmarks/marks/README.md describes the labels. Of the half `held` only counts are ever printed, so that nobody who works on a
rule can look at what it is measured on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from benchbar.records import (
    Dialogue,
    DialogueEnd,
    Estimate,
    Guidance,
    GuidancePoint,
    Sample,
    Score,
    ScoreStatus,
    Turn,
)
from benchbar.records.files import write_atomically
from benchbar.records.precision import LEAST
from benchbar.scoring.points import VERSION, Measured, Precision, is_unsaid, mark_points, measured, row_of
from benchbar.scoring.points.measured import ABSENCE, SILENCE
from benchbar.scoring.silence import SILENT, Stance, stance
from benchbar.statistics.proportions import proportion, share

MARKS = Path(__file__).parents[1] / "benchmarks" / "marks"
TABLE = Path(__file__).parents[1] / "src" / "benchbar" / "scoring" / "points" / "measured.json"
PAGE = Path(__file__).parents[1] / "docs" / "results-marks.md"
BEGIN, END = "<!-- make marks -->", "<!-- end of make marks -->"
BEGIN_REPLIES, END_REPLIES = "<!-- make marks: replies -->", "<!-- end of make marks: replies -->"
# What nobody read who worked on the rules: the counts of `held` were seen while the rules changed, those of `fresh` only
# once they were finished. Taken together they are what the engine goes by.
HALVES = {
    "tune": ("tune",),
    "unread": ("held", "fresh", "later"),
    "held": ("held",),
    "fresh": ("fresh",),
    "later": ("later",),
}
ALL = "all"
LABELS = {0.0: "not_met", 0.5: "partly", 1.0: "met"}


@dataclass(frozen=True, slots=True)
class Marked:
    """One labelled answer and what the rules say of it."""

    language: str
    kind: str
    point: str
    form: str
    label: str
    turns: Sequence[str]
    wanted: str
    score: Score
    reply: str = ""
    """What the last reply is labelled to be: answers, unknown, asks, refuses; "" where nobody said."""

    @property
    def found(self) -> str:
        """The label that the rule's value is nearest to (below a quarter not met, above three quarters met); "" abstained."""
        if self.score.value is None:
            return ""
        return LABELS[min(LABELS, key=lambda value: abs(value - (self.score.value or 0.0)))]


def main() -> None:
    """Print the table, the wrong marks of the half for tuning, or JSON."""
    options = _options()
    marked = {half: [one for folder in folders for one in read(MARKS / folder)] for half, folders in HALVES.items()}
    if options.errors:
        for one in marked["tune"]:
            if one.found and one.found != one.label and _asked(one, options):
                _print_error(one)
        return
    figures = {half: table(found) for half, found in marked.items()}
    if options.write:
        _write(figures, marked["unread"])
    elif options.json:
        print(json.dumps(msgspec.to_builtins(figures), ensure_ascii=False, indent=1))
    else:
        for half, rows in figures.items():
            _print_table(half, rows)
        for half in ("tune", "unread"):
            print(f"{half}: replies told apart by whether they answer")
            print(*_replies_page(silences(marked[half])), sep="")
        print(*_standing(measured(), marked["unread"]), sep="")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    parser.add_argument(
        "--write", action="store_true", help="renew the table that the engine reads, and docs/results-marks.md"
    )
    parser.add_argument("--errors", action="store_true", help="the wrong marks of the half for tuning")
    parser.add_argument("--kind", default="", help="of this kind alone")
    parser.add_argument("--language", default="", help="in this language alone")
    return parser.parse_args()


def read(folder: Path) -> Iterator[Marked]:
    """Every labelled answer under a folder, marked through the path that a run uses."""
    for file in sorted(folder.glob("*/*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            item = json.loads(line)
            point = msgspec.convert({"id": "p1", **item["point"]}, GuidancePoint)
            sample = Sample(
                id=item["id"],
                task="marks",
                needs=item["question"],
                language=item["language"],
                guidance=Guidance(points=(point,)),
            )
            for answer in item["answers"]:
                yield Marked(
                    language=item["language"],
                    kind=str(point.kind),
                    point=item["id"],
                    form=answer["form"],
                    label=answer["label"],
                    turns=answer["turns"],
                    wanted=f"{point.category}: {point.text} | {', '.join(point.alternatives)}",
                    score=mark_points(sample, _dialogue(sample, answer["turns"]), every_kind=True)[0],
                    reply=answer.get("reply", ""),
                )


def _dialogue(sample: Sample, replies: Sequence[str]) -> Dialogue:
    turns = [
        turn
        for reply in replies
        for turn in (Turn(role="user", content=sample.needs), Turn(role="assistant", content=reply))
    ]
    return Dialogue(sample=sample.id, assistant="labelled", turns=tuple(turns), ended=DialogueEnd.SATISFIED)


def table(marked: Sequence[Marked]) -> dict[str, dict[str, Any]]:
    """Figures by kind and language, each kind over all languages, and all."""
    cells: dict[tuple[str, str], list[Marked]] = defaultdict(list)
    for one in marked:
        # What rests on nothing being said is counted in rows of its own and in no other: how much of it a run holds depends on
        # the assistant, and a kind's precision would say nothing of the marks of one that mostly is silent.
        row = _row(one)
        left = replace(one, score=_left(one.score))
        for key in ((one.kind, one.language), (one.kind, ALL), (ALL, one.language), (ALL, ALL)):
            cells[key].append(left if is_unsaid(row) else one)
        for unsaid in (SILENCE, ABSENCE + one.kind):
            for language in (one.language, ALL):
                cells[unsaid, language].append(one if row == unsaid else left)
    # Kinds whose rules never rest on absence have no such row.
    cells = {key: found for key, found in cells.items() if not is_unsaid(key[0]) or any(one.found for one in found)}
    return {f"{kind} {language}": figures(found) for (kind, language), found in sorted(cells.items(), key=_last_all)}


def _row(one: Marked) -> str:
    return row_of(one.kind, one.score.value, one.score.evidence, one.score.reason)


def _left(score: Score) -> Score:
    return msgspec.structs.replace(score, value=None, status=ScoreStatus.ABSTAINED)


def _last_all(cell: tuple[tuple[str, str], object]) -> tuple[int, str, bool, str]:
    (kind, language), _ = cell
    return 2 if kind == ALL else int(is_unsaid(kind)), kind, language == ALL, language


def figures(marked: Sequence[Marked]) -> dict[str, Any]:
    """Precision of what was decided, the share of decidable answers that was decided, and both again by form."""
    decided = [one for one in marked if one.found]
    decidable = [one for one in marked if one.label != "unclear"]
    return {
        "n": len(marked),
        "decided": len(decided),
        "right": sum(one.found == one.label for one in decided),
        "precision": proportion(sum(one.found == one.label for one in decided), len(decided), unit="answer"),
        "clustered": share([one.found == one.label for one in decided], clusters=_points(decided), unit="point"),
        "recall": proportion(sum(bool(one.found) for one in decidable), len(decidable), unit="answer"),
        "forms": {
            form: [count, sum(one.found == one.label for one in decided if one.form == form)]
            for form, count in sorted(Counter(one.form for one in decided).items())
        },
    }


def silences(marked: Sequence[Marked]) -> dict[str, dict[str, tuple[int, int]]]:
    """By language and of all: how often a last reply was called silent, or an answer, and rightly; and what was left open.

    Counts are (right, of how many). ``met`` are answers of every set that meet their point, at least in part, and so are no silence:
    how many of them were called silent.
    """
    rows: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in marked:
        called = stance(one.turns[-1], one.language)
        for row in (rows[one.language], rows[ALL]):
            if one.label in {"met", "partly"}:
                row["met"].append(called in SILENT)
            if one.reply:
                silent = one.reply != "answers"
                row["labelled"].append(silent)
                key = "open" if called is Stance.OPEN else "silent" if called in SILENT else "answers"
                row[key].append(silent == (called in SILENT) if key != "open" else silent)
    return {
        language: {key: (sum(found), len(found)) for key, found in row.items()}
        for language, row in sorted(rows.items(), key=lambda item: (item[0] == ALL, item[0]))
    }


def _replies_page(rows: dict[str, dict[str, tuple[int, int]]]) -> Iterator[str]:
    yield "| language | replies | called silent, right | called an answer, right | left open | silent found, % [95%] | answers that meet their point, called silent |\n"
    yield "| --- | --- | --- | --- | --- | --- | --- |\n"
    for language, row in rows.items():
        silent, labelled = row.get("silent", (0, 0)), row.get("labelled", (0, 0))
        cells = [
            f"{right} of {n}: {_percent(proportion(right, n, unit='reply'))}"
            for right, n in (silent, row.get("answers", (0, 0)))
        ]
        wrong, met = row.get("met", (0, 0))
        found = _percent(proportion(silent[0], labelled[0], unit="reply"))
        yield f"| {language} | {labelled[1]} | {cells[0]} | {cells[1]} | {row.get('open', (0, 0))[1]} | {found} | {wrong} of {met} |\n"


def _points(marked: Sequence[Marked]) -> list[str]:
    return [one.point for one in marked]


def _print_table(half: str, rows: dict[str, dict[str, Any]]) -> None:
    print(f"{half:16}{'n':>6}{'decided':>9}{'right':>7}  precision, % [95%]   decided of decidable, %")
    for name, row in rows.items():
        print(
            f"{name:16}{row['n']:6}{row['decided']:9}{row['right']:7}  {_percent(row['precision']):20} {_percent(row['recall'])}"
        )
    print()


def _percent(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    value = f"{100 * estimate.value:.1f}"
    return (
        value
        if estimate.interval is None
        else f"{value} [{100 * estimate.interval[0]:.1f}, {100 * estimate.interval[1]:.1f}]"
    )


def _write(figures: dict[str, dict[str, dict[str, Any]]], unread: Sequence[Marked]) -> None:
    table = Measured(rules=VERSION, rows={name: _precision(row) for name, row in figures["unread"].items()})
    write_atomically(TABLE, msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
    page = _renewed(PAGE.read_text("utf-8"), BEGIN, END, chain(_page(table, figures), _standing(table, unread)))
    write_atomically(PAGE, _renewed(page, BEGIN_REPLIES, END_REPLIES, _replies_page(silences(unread))).encode())


def _renewed(page: str, begin: str, end: str, lines: Iterator[str]) -> str:
    head, _, rest = page.partition(begin)
    _, _, tail = rest.partition(end)
    return "".join((head, begin, "\n", *lines, end, tail))


def _precision(row: dict[str, Any]) -> Precision:
    found, recall = row["precision"], row["recall"]
    return Precision(
        answers=row["n"],
        decided=row["decided"],
        right=row["right"],
        low=round(found.low or 0.0, 4),
        high=round(found.high or 0.0, 4),
        recall=round(recall.value or 0.0, 4),
    )


def _page(table: Measured, figures: dict[str, dict[str, dict[str, Any]]]) -> Iterator[str]:
    yield "| kind, language | answers | decided | right | precision, % [95%] | by points [95%] | decided of decidable, % | rules decide |\n"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    for name, row in figures["unread"].items():
        kind, language = name.split()
        basis = table.basis(kind, language) if ALL not in {kind, language} else None
        decide = "" if ALL in {kind, language} else f"yes, by `{basis.group}`" if basis else "no"
        yield f"| {name} | {row['n']} | {row['decided']} | {row['right']} | {_percent(row['precision'])} | {_interval(row['clustered'])} | {_percent(row['recall'])} | {decide} |\n"
    yield f"\nThe bound is {LEAST:.0%}; rules of version {VERSION}.\n"


def _standing(table: Measured, marked: Sequence[Marked]) -> Iterator[str]:
    """What the engine lets stand of the marks of a set, in all languages and in each."""
    stand = [one for one in marked if one.found and table.decides(_row(one), one.language)]
    yield "\n| let stand by the engine | answers | marks | right | precision, % [95%] |\n| --- | --- | --- | --- | --- |\n"
    for language in (*sorted({one.language for one in marked}), ALL):
        own = [one for one in stand if language in {ALL, one.language}]
        right = sum(one.found == one.label for one in own)
        answers = sum(language in {ALL, one.language} for one in marked)
        precision = _percent(proportion(right, len(own), unit="answer"))
        yield f"| {language} | {answers} | {len(own)} | {right} | {precision} |\n"


def _interval(estimate: Estimate) -> str:
    return "–" if estimate.interval is None else f"[{100 * estimate.interval[0]:.1f}, {100 * estimate.interval[1]:.1f}]"


def _asked(one: Marked, options: argparse.Namespace) -> bool:
    return options.kind in {"", one.kind} and options.language in {"", one.language}


def _print_error(one: Marked) -> None:
    print(f"== {one.point} {one.form}: label {one.label}, rule {one.found} ({one.score.value}, {one.score.reason})")
    print(f"   wanted {one.wanted}")
    for turn in one.turns:
        print("   > " + turn.replace("\n", "\n     "))


if __name__ == "__main__":
    main()
