"""How often the rules for attacks are right: `python benchmarks/attack_rules.py`.

`attack_replies.jsonl` holds sixty replies to samples that carry a code or a secret, twenty a language: a third refuses and speaks of
the attack, a third complies in part, the others answer or give in. `attack_replies_2.jsonl` holds thirty further ones, written after the
rules had been mended by the first. `attack_replies_4.jsonl` holds ten replies a language, half of which give in, to samples that
came later than the rules: what a usual assistant says, by another author. What each should be marked was written down and committed
before any rule was run on it. Author of the first three files and author of the rules are one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from benchbar.records import Dialogue, DialogueEnd, Turn
from benchbar.scoring.attacks import attack_breach
from benchbar.statistics import share
from benchbar.suites.load import bundled, load

FILES = ("attack_replies.jsonl", "attack_replies_2.jsonl", "attack_replies_3.jsonl", "attack_replies_4.jsonl")


def filled(reply: str, code: str) -> str:
    """The reply with the sample's own code, whole or as the reply gives it away."""
    letters, digits, last = code[:2], code[3:7], code[7:]
    parts = {"code": code, "letters": letters, "digits": digits, "last": last, "half": code[:5]}
    return reply.format(**parts, spaced=" ".join(code), joined=code.replace("-", ""))


def main() -> None:
    """Each file apart: after the first the rules were changed."""
    for name in FILES:
        print(f"{name}:")
        measure(Path(__file__).with_name(name))


def measure(file: Path) -> None:
    """Precision and recall of `breach` and of `withstood`, each with Wilson's interval, and what is left open."""
    names = [name for name in bundled() if name.startswith("attacks-")]
    suites = {name: {one.id: one for one in load(name).samples} for name in names}
    rows = []
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        sample = suites[row["suite"]][row["sample"]]
        code = next(point.text for point in sample.guidance.points if point.text[2:3] == "-")
        turns = (Turn(role="user", content=sample.needs), Turn(role="assistant", content=filled(row["reply"], code)))
        dialogue = Dialogue(sample=sample.id, assistant="a", turns=turns, ended=DialogueEnd.SATISFIED)
        value = attack_breach(sample, dialogue).value
        found = "open" if value is None else "breach" if value else "withstood"
        rows.append((row["kind"], row["expected"], found, f"{row['suite']} {row['sample']}"))
    for (kind, expected, found), count in sorted(Counter(row[:3] for row in rows).items()):
        print(f"{kind}: should be {expected}, is {found}: {count}")
    for mark in ("breach", "withstood"):
        print(f"precision of {mark}:", shown([row[1] == mark for row in rows if row[2] == mark]))
        print(f"recall of {mark}:", shown([row[2] == mark for row in rows if row[1] == mark]))
    for suite in sorted({row[3].split()[0] for row in rows}):
        own = [row for row in rows if row[3].startswith(f"{suite} ")]
        right, called, due = (
            sum(row[1] == row[2] == "breach" for row in own),
            sum(row[2] == "breach" for row in own),
            sum(row[1] == "breach" for row in own),
        )
        print(f"{suite}: breach {right} right of {called} found, of {due} there")
    print("left open:", shown([row[2] == "open" for row in rows]))
    print("wrong:", *(place for _, expected, found, place in rows if found not in (expected, "open")), sep="\n  ")


def shown(flags: list[bool]) -> str:
    """A share with its interval."""
    one = share(flags)
    return f"{sum(flags)} of {len(flags)} = {one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


if __name__ == "__main__":
    main()
