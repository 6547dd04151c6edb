"""The questions a person wrote for the consultant: their form, their counts, and the articles they expect."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "consultant"
CORPORA: dict[str, Any] = json.loads((FOLDER / "corpora.json").read_text(encoding="utf-8"))
COUNTS = {
    "layman": 12,
    "procedure": 8,
    "amount": 8,
    "definition": 6,
    "conflict": 6,
    "other_code": 10,
    "no_answer": 12,
}
UNANSWERABLE = {"other_code", "no_answer"}
SPLIT_SEED = 23

Row = dict[str, Any]


def part(name: str, language: str) -> list[Row]:
    lines = (FOLDER / "questions" / name / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def both(language: str) -> list[Row]:
    return sorted(part("tune", language) + part("held", language), key=lambda row: str(row["id"]))


def russian_articles(data: Path) -> set[tuple[str, str]]:
    files = sorted({file for corpus in CORPORA.values() if corpus["language"] == "ru" for file in corpus["files"]})
    rows = (json.loads(line) for file in files for line in (data / file).read_text(encoding="utf-8").splitlines())
    return {(row["abbr"], row["article"]) for row in rows if row["status"] == "in_snapshot"}


def chinese_articles(data: Path) -> set[tuple[str, str]]:
    laws = {}
    for line in (data / "zh/statutes/laws.jsonl").read_text(encoding="utf-8").splitlines():
        law = json.loads(line)
        if law["latest_version_in_repo"] and not law["expired_flag"]:
            laws[law["law_id"]] = law["short_name"]
    lines = (data / "zh/statutes/articles.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return {
        (laws[row["law_id"]], f"{row['no']}-{row['sub']}" if row.get("sub") else str(row["no"]))
        for row in rows
        if row["law_id"] in laws
    }


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_every_question_has_the_fields_and_a_described_corpus(language):
    """A row has an id of its own, text, a note, a corpus of its language, and laws which that corpus holds."""
    rows = both(language)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows)
    for row in rows:
        corpus = CORPORA[row["corpus"]]
        assert row["language"] == corpus["language"] == language
        assert row["question"].strip()
        assert row["note"].strip()
        assert row["answerable"] == bool(row["expected"]) == (row["kind"] not in UNANSWERABLE)
        assert {entry["law"] for entry in row["expected"]} <= set(corpus["laws"])
        assert all(entry["article"] for entry in row["expected"])
        assert not row.get("all") or len(row["expected"]) > 1


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("acts", "en"), ("development", "zh"), ("development", "ru"), ("development", "en"), ("fresh", "zh"), ("fresh", "ru"),
        ("silence_tune", "zh"), ("silence_held", "zh"),
    ],
)  # fmt: skip
def test_further_questions_name_laws_of_their_corpus(name, language):
    """Questions beside the two halves have ids of their own, and expect articles of laws that their corpus holds."""
    rows = part(name, language)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows)
    for row in rows:
        assert CORPORA[row["corpus"]]["language"] == row["language"] == language
        assert row["answerable"] == bool(row["expected"]) == (row["kind"] not in UNANSWERABLE)
        assert {entry["law"] for entry in row["expected"]} <= set(CORPORA[row["corpus"]]["laws"])


def silence(language: str) -> list[Row]:
    return sorted(part("silence_tune", language) + part("silence_held", language), key=lambda row: str(row["id"]))


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_questions_about_silence_are_drawn_in_halves_by_kind(language):
    """The questions about silence name laws of their corpus, three in five have no answer, and each half has half of each kind."""
    rows = silence(language)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows) == 300
    for row in rows:
        assert CORPORA[row["corpus"]]["language"] == row["language"] == language
        assert row["answerable"] == bool(row["expected"])
        assert {entry["law"] for entry in row["expected"]} <= set(CORPORA[row["corpus"]]["laws"])
    assert sum(not row["answerable"] for row in rows) == 180
    draw = random.Random(SPLIT_SEED)
    chosen: set[str] = set()
    for kind in sorted({row["kind"] for row in rows}):
        ids = [row["id"] for row in rows if row["kind"] == kind]
        chosen.update(draw.sample(ids, len(ids) // 2))
    assert {row["id"] for row in part("silence_tune", language)} == chosen
    others = {row["question"] for row in [*both(language), *part("development", language), *part("fresh", language)]}
    assert not others & {row["question"] for row in rows}


def others(language: str) -> list[Row]:
    return sorted(part("others_tune", language) + part("others_held", language), key=lambda row: str(row["id"]))


@pytest.mark.parametrize(("language", "count", "silent"), [("zh", 100, 40), ("ru", 100, 40), ("en", 40, 13)])
def test_questions_of_a_writer_who_had_not_seen_the_retriever_are_drawn_in_halves_by_topic(language, count, silent):
    """The questions name laws of their corpus, a third or more have no answer, and each half has half of the topics of each kind."""
    rows = others(language)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows) == count
    for row in rows:
        assert CORPORA[row["corpus"]]["language"] == row["language"] == language
        assert row["answerable"] == bool(row["expected"]) == (row["kind"] == "answered")
        assert {entry["law"] for entry in row["expected"]} <= set(CORPORA[row["corpus"]]["laws"])
    assert sum(not row["answerable"] for row in rows) == silent
    draw = random.Random(SPLIT_SEED)
    chosen: set[str] = set()
    for kind in sorted({row["kind"] for row in rows}):
        topics = sorted({row["topic"] for row in rows if row["kind"] == kind})
        chosen.update(draw.sample(topics, len(topics) // 2))
    assert {row["topic"] for row in part("others_tune", language)} == chosen
    assert not chosen & {row["topic"] for row in part("others_held", language)}


STRANGERS = {"answered": 60, "other_field": 14, "no_law": 14, "sounds_near": 12, "local": 10, "foreign": 5, "form": 5}


def strangers(language: str) -> list[Row]:
    return part("strangers_tune", language) + part("strangers_held", language)


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_each_stranger_wrote_as_many_questions_of_each_kind_and_the_third_is_held(language):
    """Three writers who knew nothing of the retriever wrote 120 questions each; those of the third are held back."""
    rows = strangers(language)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows) == 360
    for row in rows:
        assert CORPORA[row["corpus"]]["language"] == row["language"] == language
        assert row["answerable"] == bool(row["expected"]) == (row["kind"] == "answered")
        assert {entry["law"] for entry in row["expected"]} <= set(CORPORA[row["corpus"]]["laws"])
    for writer in "abc":
        assert Counter(row["kind"] for row in rows if row["id"][0] == writer) == STRANGERS
    assert {row["id"][0] for row in part("strangers_held", language)} == {"c"}


def test_four_strangers_wrote_english_questions_and_those_of_the_fourth_are_held():
    """The first two put theirs to the samples of published acts, the others to Acts of Ireland."""
    rows = strangers("en")
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows) == 440
    for row in rows:
        assert CORPORA[row["corpus"]]["language"] == row["language"] == "en"
        assert row["corpus"].startswith("ie-") == (row["id"][0] in "cd")
        assert row["answerable"] == bool(row["expected"]) == (row["kind"] == "answered")
    for writer in "cd":
        own = [row for row in rows if row["id"][0] == writer]
        assert Counter(row["kind"] for row in own) == STRANGERS
        assert {entry["law"] for row in own for entry in row["expected"]} <= {
            law for name, corpus in CORPORA.items() if name.startswith("ie-") for law in corpus["laws"]
        }
    assert {row["id"][0] for row in part("strangers_held", "en")} == {"d"}


@pytest.mark.parametrize("language", ["zh", "ru"])
def test_fresh_questions_are_half_without_an_answer(language):
    """The second held set has at least forty questions per language over several corpora, about half without an answer."""
    rows = part("fresh", language)
    assert len(rows) >= 40
    assert 0.45 <= sum(not row["answerable"] for row in rows) / len(rows) <= 0.55
    assert len({row["corpus"] for row in rows}) >= 7


def test_english_questions_over_acts_are_a_third_without_an_answer():
    """The English questions that can be measured are at least sixty, a third of them without an answer."""
    rows = part("acts", "en")
    assert sum(not row["answerable"] for row in rows) * 3 >= len(rows) >= 60


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_each_language_has_the_stated_number_of_each_kind(language):
    """Each language has at least sixty questions, a third of them without an answer in their corpus."""
    rows = both(language)
    assert Counter(row["kind"] for row in rows) == COUNTS
    assert sum(not row["answerable"] for row in rows) * 3 >= len(rows) >= 60


@pytest.mark.parametrize("language", ["zh", "ru", "en"])
def test_the_halves_are_the_draw_of_the_stated_seed(language):
    """Half of each kind is for tuning and half is held back, by the draw that README.md states."""
    draw = random.Random(SPLIT_SEED)
    rows = both(language)
    chosen: set[str] = set()
    for kind in sorted(COUNTS):
        ids = [row["id"] for row in rows if row["kind"] == kind]
        chosen.update(draw.sample(ids, len(ids) // 2))
    assert {row["id"] for row in part("tune", language)} == chosen
    assert {row["id"] for row in part("held", language)} == {row["id"] for row in rows} - chosen


@pytest.mark.parametrize(("language", "articles"), [("ru", russian_articles), ("zh", chinese_articles)])
def test_expected_articles_stand_in_the_public_data(shared, language, articles):
    """Each expected article of a Russian or Chinese question is in force in the files of its corpus."""
    held = articles(shared)
    missing = [
        (row["id"], entry["law"], entry["article"])
        for row in [
            *both(language),
            *part("development", language),
            *part("fresh", language),
            *silence(language),
            *others(language),
            *strangers(language),
        ]
        for entry in row["expected"]
        if (entry["law"], entry["article"]) not in held
    ]
    assert missing == []
