"""How often the consultant lists a right article among its first five, and stays silent where its corpus does not answer.

    python benchmarks/consultant_search.py ../shared/data --half tune
    python benchmarks/consultant_search.py ../shared/data --half tune --embeddings http://127.0.0.1:8100/v1 --rerank 30

    python benchmarks/consultant_search.py ../shared/data --half strangers_held --language en --acts clml-schema --acts legalize-ie

The questions are those of benchmarks/consultant. English ones need clones of github.com/legislation/clml-schema and
github.com/legalize-dev/legalize-ie; those of ``tune`` and ``held`` need Acts that are in neither, and are left out. Indexes are made
in ``--folder`` and kept there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchbar.assistants.asking import ask
from benchbar.assistants.consultation import Consultation
from benchbar.law.index import MANIFEST, build_index
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.settings import ASKED_LAW, SILENCE, RetrievalSettings
from benchbar.statistics.proportions import wilson_interval

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
HERE = Path(__file__).parent / "consultant"
FIRST = 5
LANGUAGES = {"acts": ["en"], "silence_tune": ["zh"], "silence_held": ["zh"]}
"""Of halves that are not in both."""
HALVES = (
    "tune", "held", "fresh", "development", "acts", "silence_tune", "silence_held", "others_tune", "others_held", "strangers_tune", "strangers_held",
)  # fmt: skip


READABLE = ("development", "tune", "silence_tune", "others_tune", "strangers_tune", "acts")
"""Sets that are learned from."""
INDEXED_ENGLISH = ("ie-tenancy", "ie-employment", "ie-family", "ie-consumer", "ie-criminal")
"""English corpora of which the subject index knows the acts."""
ENGLISH = ("en-acts", *INDEXED_ENGLISH)
"""English corpora that can be made of public archives."""


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def questions_of(half: str, language: str) -> list[dict[str, Any]]:
    """The questions of a set in a language that can be put; none where it has none in that language."""
    file = HERE / "questions" / half / f"{language}.jsonl"
    rows = lines(file) if file.is_file() else []
    return [row for row in rows if language != "en" or row["corpus"] in ENGLISH]


def written(path: Path, rows: list[Any], *, whole: bool = False) -> None:
    """Rows as JSONL, or as one document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (
        json.dumps(rows, ensure_ascii=False)
        if whole
        else "".join(f"{json.dumps(r, ensure_ascii=False)}\n" for r in rows)
    )
    path.write_text(text, "utf-8")


def material(about: dict[str, Any], shared: Path, folder: Path) -> list[Path]:
    """The files of one corpus, in a folder of their own."""
    if about["language"] == "ru":
        codes = {Path(name).stem for name in about["files"]}
        listed = [
            one for one in json.loads((shared / "ru/codes/index.json").read_text("utf-8")) if one["code"] in codes
        ]
        written(folder / "index.json", listed, whole=True)
        for name in about["files"]:
            written(folder / Path(name).name, lines(shared / name))
        return [folder]
    laws = [
        row
        for row in lines(shared / "zh/statutes/laws.jsonl")
        if row["latest_version_in_repo"]
        and not row["expired_flag"]
        and (not about["laws"] or row["short_name"] in about["laws"])
    ]
    kept = {row["law_id"] for row in laws}
    written(folder / "laws.jsonl", laws)
    articles = [row for row in lines(shared / "zh/statutes/articles.jsonl") if row["law_id"] in kept]
    written(folder / "articles.jsonl", articles)
    cases = [shared / name for name in about["files"] if "cases" in name]
    return [folder, *cases]


def opened(name: str, shared: Path, folder: Path, acts: Sequence[Path] = ()) -> CorpusIndex:
    """The index of a corpus of ``corpora.json``; English ones are made of the one of the folders ``acts`` that has their files."""
    about = json.loads((HERE / "corpora.json").read_text("utf-8"))[name]
    target = folder / name
    if not (target / MANIFEST).exists():
        files = (
            _english(about, acts) if about["language"] == "en" else material(about, shared, folder / "material" / name)
        )
        build_index(files, target)
    return CorpusIndex.open(target)


def _english(about: dict[str, Any], acts: Sequence[Path]) -> list[Path]:
    for folder in acts:
        files = [folder / one for one in about["files"]]
        if all(one.exists() for one in files):
            return files
    raise SystemExit(
        f"no folder of --acts has {about['files'][0]}: clone what the README of benchmarks/consultant names"
    )


def asked(
    language: str, half: str, shared: Path, folder: Path, settings: RetrievalSettings, acts: Sequence[Path] = ()
) -> Iterator[dict[str, Any]]:
    """What became of each question."""
    indexes: dict[str, CorpusIndex] = {}
    for row in questions_of(half, language):
        index = indexes.setdefault(row["corpus"], opened(row["corpus"], shared, folder, acts))
        answer = ask(row["question"], law=index, retrieval=settings, on="any")
        listed = [one.id for one in answer.context if one.store == "law"][:FIRST]
        named = [documents(index, language, one) for one in row["expected"]]
        hits = [bool(documents & set(listed)) for documents in named]
        yield {
            "id": row["id"],
            "kind": row["kind"],
            "answerable": row["answerable"],
            "right": (all if row.get("all") else any)(hits) if row["answerable"] else not answer.context,
            "silent": not answer.context,
            **stated(answer, frozenset().union(*named)),
        }


def stated(answer: Consultation, right: frozenset[str]) -> dict[str, bool]:
    """Whether an article was stated as the rule, and whether the first one is among the right ones."""
    documents_by_number = {one.number: one.id for one in answer.context}
    rules = [documents_by_number[one.number] for one in answer.statements if one.kind == "rule"]
    return {"stated": bool(rules), "rule_right": bool(rules) and rules[0] in right}


def documents(index: CorpusIndex, language: str, one: dict[str, str]) -> frozenset[str]:
    """What an expected article is in the index."""
    if language != "en":
        number, _, sub = one["article"].partition("-")
        chinese = f"{one['law']}第{number}条" + (f"之{sub}" if sub else "")
        return index.documents_named(f"{one['law']} ст. {one['article']}" if language == "ru" else chinese)
    # Schedules are no sections, and "The" begins the names of orders.
    return frozenset(
        piece.document
        for piece in index.passages["law"]
        if piece.law.removeprefix("The ") == one["law"] and piece.article + piece.sub == one["article"]
    )


def rate(values: list[bool]) -> str:
    """A share with its 95% Wilson interval."""
    low, high = wilson_interval(sum(values) / len(values), len(values), 1.96)
    return f"{sum(values)}/{len(values)} = {sum(values) / len(values):.2f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    """Ask, print rates by language and kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?", default=DATA)
    parser.add_argument("--half", choices=[*HALVES], default="tune")
    parser.add_argument("--language", choices=["zh", "ru", "en"], action="append")
    parser.add_argument(
        "--acts", type=Path, action="append", default=[], help="folder with English acts; may be given twice"
    )
    parser.add_argument("--folder", type=Path, default=Path("indexes/consultant"))
    parser.add_argument("--retriever", default="learned")
    parser.add_argument("--embeddings", metavar="URL", help="search with multilingual-e5-small at this endpoint")
    parser.add_argument("--rerank", type=int, default=30)
    parser.add_argument("--each", action="store_true", help="print every question's outcome")
    arguments = parser.parse_args()
    if not arguments.shared.is_dir():
        print(f"skipped: there is no folder {arguments.shared}")
        return
    law = ASKED_LAW
    settings = RetrievalSettings(retriever=arguments.retriever, law=law, cited=0, silence=SILENCE)
    if arguments.embeddings:
        fields = {"query_params": {"input_type": "query"}, "passage_params": {"input_type": "passage"}}
        model = {
            "model": "multilingual-e5-small",
            "base_url": arguments.embeddings,
            "rerank": arguments.rerank,
            **fields,
        }
        settings = RetrievalSettings(retriever="embeddings", law=law, cited=0, silence=SILENCE, embeddings=model)
    for language in arguments.language or LANGUAGES.get(arguments.half, ["zh", "ru"]):
        found = list(asked(language, arguments.half, arguments.shared, arguments.folder, settings, arguments.acts))
        answerable = [row for row in found if row["answerable"]]
        print(language, arguments.half, "right article in five:", rate([row["right"] for row in answerable]))
        print(
            language,
            arguments.half,
            "right silence:        ",
            rate([row["right"] for row in found if not row["answerable"]]),
        )
        print(language, arguments.half, "wrong silence:        ", rate([row["silent"] for row in answerable]))
        print(language, arguments.half, "a rule stated:        ", rate([row["stated"] for row in found]))
        if rules := [row["rule_right"] for row in found if row["stated"]]:
            print(language, arguments.half, "the rule right:       ", rate(rules))
        if arguments.each:
            for row in found:
                print(
                    "  ",
                    row["id"],
                    row["kind"],
                    "right" if row["right"] else "wrong",
                    "silent" if row["silent"] else "",
                )


if __name__ == "__main__":
    main()
