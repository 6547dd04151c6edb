"""How many planted facts the grounding check catches, and how many true ones it flags: by half, kind and answer.

``python benchmarks/grounding/measure.py [--half tune|held] [--show]``
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchbar.evaluations.grounding import Documents
from benchbar.evaluations.report import shown
from benchbar.statistics.proportions import share
from benchbar.tables.work_products import texts_of

HERE = Path(__file__).parent / "matters"
KINDS = ("figure", "date", "name", "citation", "swap")


def edited(memo: str, replace: list) -> tuple[str, list[tuple[int, int]]]:
    """The memo with an edit, and where what was planted stands in it."""
    places, moved = [], 0
    for start, end, new in sorted(replace):
        memo = memo[: start + moved] + new + memo[end + moved :]
        places.append((start + moved, start + moved + len(new)))
        moved += len(new) - (end - start)
    return memo, places


def answers_at(found: list, places: list[tuple[int, int]]) -> set[str]:
    """What is said of any fact that overlaps one of the places."""
    return {one.answer for one in found if any(one.fact.start < end and start < one.fact.end for start, end in places)}


class Counts:
    """What the check said of one half of the matters."""

    def __init__(self, *, held: bool, show: bool) -> None:
        """Of the matters with an even number, or of the others."""
        self.caught: dict[str, list[tuple[str, bool, bool]]] = {kind: [] for kind in KINDS}
        self.true: list[tuple[str, str]] = []
        self.named: list[tuple[str, bool]] = []
        self._show = show
        for folder in sorted(HERE.iterdir()):
            if (int(folder.name[-1]) % 2 == 0) == held:
                self._add(folder)

    def _add(self, folder: Path) -> None:
        documents = Documents(texts_of(folder / "documents")[0])
        memo = (folder / "memo.md").read_text("utf-8")
        for one in documents.check(memo):
            self.true.append((folder.name, one.answer))
            if self._show and one.answer != "in_documents":
                print("flagged", folder.name, one.answer, one.fact.kind, one.fact.text)
        for edit in json.loads((folder / "edits.json").read_text("utf-8")):
            text, places = edited(memo, edit["replace"])
            found = documents.check(text)
            said = answers_at(found, places)
            self.caught[edit["kind"]].append(
                (folder.name, said != {"in_documents"} and bool(said), "contradicted" in said)
            )
            sure = [one for one in found if one.answer == "contradicted"]
            self.named += [(folder.name, bool(answers_at([one], places))) for one in sure]
            if self._show and said == {"in_documents"}:
                print("missed ", folder.name, edit["kind"], [one[2] for one in edit["replace"]])


def rate(flags: list[tuple[str, bool]]) -> str:
    """A share with its interval, clustered by matter."""
    return shown(share([flag for _, flag in flags], clusters=[name for name, _ in flags]))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser()
    options.add_argument("--half", choices=["tune", "held"], default="tune")
    options.add_argument("--show", action="store_true", help="print what is missed and what is flagged")
    given = options.parse_args()
    counts = Counts(held=given.half == "held", show=given.show)
    rows = {**counts.caught, "all": [one for own in counts.caught.values() for one in own]}
    for kind, own in rows.items():
        caught, named = rate([(name, hit) for name, hit, _ in own]), rate([(name, sure) for name, _, sure in own])
        print(f"{kind:9} caught {caught}; as contradicted {named}")
    print("of what is called contradicted, planted", rate(counts.named))
    for answer in ("contradicted", "not_found"):
        print(f"true facts called {answer}", rate([(name, said == answer) for name, said in counts.true]))


if __name__ == "__main__":
    main()
