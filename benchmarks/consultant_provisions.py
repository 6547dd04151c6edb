"""How often the part of an article that answers a question is the one that is stated first, given that the article is the right one.

    python benchmarks/consultant_provisions.py ../shared/data --half choosing
    python benchmarks/consultant_provisions.py ../shared/data --half proof --each

The questions are those of benchmarks/consultant/provisions. What finds the article is not measured here: see consultant_search.py.
Indexes are made in ``--folder`` and kept there.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from consultant_search import DATA, HERE, lines, opened, rate

from benchbar.assistants.statements import Passage, statements

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})?)\.\s")
_ITEM = re.compile(r"[（(]?[一二三四五六七八九十\d]{1,3}(?:\.\d)?[)）]|[а-яё]|[a-z]\)")


def part_of(text: str, place: int) -> str:
    """The part of an article in which an offset lies: its own number, or the how-manieth paragraph it is, items of lists not counted."""
    numbered = _NUMBERED.match(text) is not None
    part, count, start = "", 0, 0
    for line in text.split("\n"):
        if numbered:
            part = found[1] if (found := _NUMBERED.match(line)) else part
        elif not _ITEM.match(line):
            count += 1
            part = str(count)
        if start <= place <= start + len(line):
            return part
        start += len(line) + 1
    return part


def main() -> None:
    """Print, by language and kind, how often the right part stands first, and how many exceptions are told beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?", default=DATA)
    parser.add_argument("--half", choices=["choosing", "proof"], default="choosing")
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--each", action="store_true", help="print each question whose part is another one")
    arguments = parser.parse_args()
    if not arguments.shared.is_dir():
        print(f"skipped: there is no folder {arguments.shared}")
        return
    for language in ("ru", "zh"):
        right: dict[str, list[bool]] = {}
        among: list[bool] = []
        told = {"exception": 0, "rule": 0}
        rows = lines(HERE / "provisions" / f"{arguments.half}-{language}.jsonl")
        for row in rows:
            index = opened(row["corpus"], arguments.shared, arguments.folder)
            form = "{law} ст. {article}" if language == "ru" else "{law}第{article}条"
            found = [index.corpus.article(one) for one in sorted(index.documents_named(form.format_map(row)))]
            text = next(one.text for one in found if one is not None)
            said = statements(row["question"], [Passage(number=1, text=text, law=True)])
            for one in said:
                told[one.kind] = told.get(one.kind, 0) + 1
            first = next((one for one in said if one.kind == "rule"), None)
            part = part_of(text, first.start) if first else ""
            right.setdefault(row["kind"], []).append(part == row["part"])
            among.append(row["part"] in {part_of(text, one.start) for one in said if one.kind == "rule"})
            if arguments.each and part != row["part"]:
                print(
                    "  ",
                    row["id"],
                    row["law"],
                    row["article"],
                    f"part {row['part']}, stated {part or 'none'}:",
                    row["question"],
                )
        for kind, values in right.items():
            print(language, arguments.half, kind.ljust(12), rate(values))
        print(language, arguments.half, "all".ljust(12), rate([one for values in right.values() for one in values]))
        print(language, arguments.half, "among those stated:", rate(among), f"of {told['rule'] / len(rows):.1f}")
        print(language, arguments.half, f"exceptions told a question: {told['exception'] / len(rows):.2f}")


if __name__ == "__main__":
    main()
