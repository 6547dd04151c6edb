"""How often a follow-up finds a right article among its first five, beside the same question put so that it stands alone.

    python benchmarks/consultant_conversations.py ../shared/data
    python benchmarks/consultant_conversations.py ../shared/data --language ru --each

The conversations are those of benchmarks/consultant/conversations; the English ones are over the bundled, invented law.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from consultant_search import DATA, FIRST, HERE, documents, lines, opened, rate

from benchbar.assistants.asking import BUNDLED, ask
from benchbar.assistants.conversation import Conversation
from benchbar.law.bundled import bundled_laws
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.settings import SILENCE, RetrievalSettings, StoreSettings

INVENTED = "model-en"
SETTINGS = RetrievalSettings(law=StoreSettings(k=FIRST, weight=0.3), cited=0, silence=SILENCE)


def index_of(name: str, shared: Path, folder: Path) -> CorpusIndex:
    """A corpus of ``corpora.json``, or the bundled English law."""
    return CorpusIndex.open(bundled_laws()[BUNDLED["en"]]) if name == INVENTED else opened(name, shared, folder)


def right(answer: Any, expected: frozenset[str]) -> bool:
    """Whether an expected article is among the first five."""
    return bool(expected & set([one.id for one in answer.context if one.store == "law"][:FIRST]))


def asked(language: str, shared: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """What became of each turn, as it was asked and put so that it stands alone."""
    indexes: dict[str, CorpusIndex] = {}
    for row in lines(HERE / "conversations" / f"{language}.jsonl"):
        name = row["corpus"]
        if name not in indexes:
            indexes[name] = index_of(name, shared, folder)
        index, facts = indexes[name], row.get("facts", [])
        options: dict[str, Any] = {"law": index, "retrieval": SETTINGS, "on": "any"}
        matter = Conversation(facts=facts, **options)
        for number, turn in enumerate(row["turns"], 1):
            expected = frozenset().union(*(documents(index, language, one) for one in turn["expected"]))
            if not expected:
                raise SystemExit(f"{row['id']}: the corpus holds none of {turn['expected']}")
            answered = matter.ask(turn["question"])
            alone = ask("\n".join([*facts, turn["alone"]]), **options) if turn.get("alone") else answered.consultation
            yield {
                "id": f"{row['id']}.{number}",
                "kind": turn["kind"],
                "right": right(answered.consultation, expected),
                "alone": right(alone, expected),
                "understood": answered.understood,
                "silent": bool(answered.consultation.abstained),
            }


def main() -> None:
    """Ask, print rates by language and kind of turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?", default=DATA)
    parser.add_argument("--language", choices=["zh", "ru", "en"], action="append")
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--each", action="store_true", help="print every turn")
    arguments = parser.parse_args()
    if not arguments.shared.is_dir():
        print(f"skipped: there is no folder {arguments.shared}")
        return
    for language in arguments.language or ["zh", "ru", "en"]:
        kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for one in asked(language, arguments.shared, arguments.folder):
            kinds[one["kind"]].append(one)
            if arguments.each:
                told = "silent" if one["silent"] else ""
                print(one["id"], one["kind"], one["right"], one["alone"], told, repr(one["understood"]))
        for kind, found in kinds.items():
            both = [rate([one[name] for one in found]) for name in ("right", "alone")]
            print(f"{language} {kind:13} right article in five: {both[0]}   standing alone: {both[1]}")
        further = [one for kind, found in kinds.items() if kind != "first" for one in found]
        both = [rate([one[name] for one in further]) for name in ("right", "alone")]
        print(f"{language} all follow-ups  right article in five: {both[0]}   standing alone: {both[1]}")


if __name__ == "__main__":
    main()
