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
from benchbar.scoring.points import SILENCE, VERSION, Measured, Precision, is_silence, mark_points
from benchbar.statistics.proportions import proportion, share

MARKS = Path(__file__).parents[1] / "benchmarks" / "marks"
TABLE = Path(__file__).parents[1] / "src" / "benchbar" / "scoring" / "points" / "measured.json"
PAGE = Path(__file__).parents[1] / "docs" / "results-marks.md"
BEGIN, END = "<!-- make marks -->", "<!-- end of make marks -->"
# What nobody read who worked on the rules: the counts of `held` were seen while the rules changed, those of `fresh` only
# once they were finished. Taken together they are what the engine goes by.
HALVES = {"tune": ("tune",), "unread": ("held", "fresh"), "held": ("held",), "fresh": ("fresh",)}
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
        _write(figures)
    elif options.json:
        print(json.dumps(msgspec.to_builtins(figures), ensure_ascii=False, indent=1))
    else:
        for half, rows in figures.items():
            _print_table(half, rows)


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
        # What rests on silence is counted in rows of its own and in no other: how much of it a run holds depends on the assistant,
        # and a kind's precision would say nothing of the marks of one that mostly is silent.
        silent = is_silence(one.score.value, one.score.evidence)
        left = replace(one, score=_left(one.score))
        for key in ((one.kind, one.language), (one.kind, ALL), (ALL, one.language), (ALL, ALL)):
            cells[key].append(left if silent else one)
        for key in ((SILENCE, one.language), (SILENCE, ALL)):
            cells[key].append(one if silent else left)
    return {f"{kind} {language}": figures(found) for (kind, language), found in sorted(cells.items(), key=_last_all)}


def _left(score: Score) -> Score:
    return msgspec.structs.replace(score, value=None, status=ScoreStatus.ABSTAINED)


def _last_all(cell: tuple[tuple[str, str], object]) -> tuple[int, str, bool, str]:
    (kind, language), _ = cell
    return (SILENCE, ALL).index(kind) + 1 if kind in {SILENCE, ALL} else 0, kind, language == ALL, language


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


def _write(figures: dict[str, dict[str, dict[str, Any]]]) -> None:
    table = Measured(rules=VERSION, rows={name: _precision(row) for name, row in figures["unread"].items()})
    write_atomically(TABLE, msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n")
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    write_atomically(PAGE, "".join((head, BEGIN, "\n", *_page(table, figures), END, tail)).encode())


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
