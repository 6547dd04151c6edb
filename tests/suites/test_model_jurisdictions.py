"""The bundled model jurisdictions are whole, consistent, and no copy of real law."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from benchbar.contracts.source import read_contract
from benchbar.law.index import load_corpus
from benchbar.records import Sample, decode_lines
from benchbar.suites.check import findings
from benchbar.suites.computations import amounts
from benchbar.suites.load import bundled, load

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_jurisdiction.py"
LANGUAGES = ("zh", "en", "ru")


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    """The check that releases run, as a module."""
    spec = importlib.util.spec_from_file_location("check_jurisdiction", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", LANGUAGES)
def test_citations_quotes_amounts_and_clauses_hold(language: str, checks: ModuleType):
    """Nothing in a jurisdiction contradicts its own acts."""
    assert checks.check(bundled()[f"model-jurisdiction-{language}"]) == []


def test_the_check_of_a_suite_holds_it_against_its_own_law(tmp_path: Path):
    """A decision, a rule, a quotation or a clause that contradicts the acts is named by `suite check`."""
    folder = tmp_path / "lanhai"
    shutil.copytree(bundled()["model-jurisdiction-zh"], folder)
    for name, old, new in (
        ("law/decisions.jsonl", "《民事基本法》第六十九条", "《民事基本法》第九百条"),
        ("contracts/rules.jsonl", "《房屋租赁法》第七条", "《房屋租赁法》第七百条"),
        ("samples.jsonl", "定金不得超过合同价款的百分之十五", "定金不得超过合同价款的百分之十六"),
        ("contracts/lease-2.md", "押金为两个月租金", "押金为三个月租金"),
        ("background.txt", "civil-2020#1\n", ""),
    ):
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), "utf-8")
    found = " ".join(f"{one.field} {one.message}" for one in findings(load(str(folder)), load_corpus(folder / "law")))
    for part in (
        "第九百条",
        "第七百条",
        "the quote stands in no article",
        "not in lease-2.md",
        "civil-2020#1 nothing refers",
    ):
        assert part in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_task_has_samples_with_guidance(language: str):
    """All 22 tasks are there, and each sample says how a good answer is recognised."""
    folder = bundled()[f"model-jurisdiction-{language}"]
    with (folder / "samples.jsonl").open("rb") as lines:
        samples = list(decode_lines(lines, Sample))
    least = {"zh": 8}.get(language, 5)
    counts = Counter(sample.task for sample in samples)
    assert len(counts) == 22
    assert min(counts.values()) >= least
    assert all(sample.guidance.points for sample in samples)


def test_a_changed_amount_is_found(tmp_path: Path):
    """A result in the table of computations that the formula does not give is reported."""
    folder = bundled()["model-jurisdiction-zh"]
    suite = load("model-jurisdiction-zh")
    row = json.loads((folder / "computations.jsonl").read_text("utf-8").splitlines()[0])
    (tmp_path / "computations.jsonl").write_text(json.dumps(row | {"result": row["result"] + 1}), "utf-8")
    assert len(list(amounts(tmp_path, suite))) == 2


def test_twenty_letters_in_common_with_a_statute_are_found(tmp_path: Path, checks: ModuleType):
    """Twenty letters in a row are reported with file and line, whatever stands between them; nineteen are not."""
    law = tmp_path / "law"
    law.mkdir()
    (law / "articles.jsonl").write_text(
        json.dumps({"text": "凡在湖中划船者，应当于日落之前把船划回岸边并且系牢缆绳。"}, ensure_ascii=False), "utf-8"
    )
    folder = tmp_path / "acts"
    folder.mkdir()
    taken = "在湖中划船者应当于日落之前把船划回岸边"
    assert len(taken) == 19
    (folder / "act.md").write_text(f"第一条 本法由人写成。\n第二条 凡要{taken}也行。\n", "utf-8")
    assert list(checks.common_runs(folder, law, 20)) == []
    (folder / "act.md").write_text(f"第一条 本法由人写成。\n第二条 凡{taken}也行。\n", "utf-8")
    assert list(checks.common_runs(folder, law, 20)) == [f"act.md:2: “凡{taken}” stands in a real statute"]
    assert list(checks.common_runs(folder, tmp_path / "absent", 20)) == []


@pytest.mark.parametrize(("language", "file"), [("zh", "statutes/articles.jsonl"), ("ru", "codes/gk1.jsonl")])
def test_a_sentence_of_real_law_is_found(language: str, file: str, tmp_path: Path, checks: ModuleType, shared: Path):
    """A sentence of a real statute is reported with file and line, in each language whose statutes are at hand."""
    with (shared / language / file).open(encoding="utf-8") as lines:
        first = json.loads(lines.readline())
    (tmp_path / "act.md").write_text(f"1 {first['text']}\n", "utf-8")
    assert next(checks.common_runs(tmp_path, *checks.REAL_LAW[language])).startswith("act.md:1")


@pytest.mark.parametrize("contract", ["lease-2", "labour-2"])
def test_word_documents_hold_every_labelled_clause_under_its_number(contract: str):
    """A contract as a Word document is read with the same articles as its Markdown, whoever counted them."""
    folder = bundled()["model-jurisdiction-zh"] / "contracts"
    of_word, of_text = (read_contract(folder / f"{contract}.{end}") for end in ("docx", "md"))
    articles = [line for line in of_word.text.splitlines() if line.startswith("第")]
    assert articles == [line for line in of_text.text.splitlines() if line.startswith("第")]
    labelled = [json.loads(line) for line in (folder / "clauses.jsonl").read_text("utf-8").splitlines()]
    own = [clause["text"] for clause in labelled if clause["contract"] == contract]
    assert len(own) >= 10
    assert all(any(text in article for article in articles) for text in own)


def test_word_documents_are_up_to_date():
    """The Word documents say what the contracts in Markdown say."""
    assert (
        subprocess.run(
            [sys.executable, SCRIPT.with_name("make_contract_documents.py"), "--check"], check=False
        ).returncode
        == 0
    )


def test_questions_and_judgements_name_each_other():
    """Each answerable question has a document that decides it; unanswerable ones have none."""
    folder = bundled()["model-jurisdiction-zh"]
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    judged: Counter[str] = Counter()
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, _, _, relevance = line.split("\t")
        judged[query] = max(judged[query], int(relevance))
    assert len(questions) >= 120
    assert {question["query_id"] for question in questions} >= set(judged)
    assert all((judged[one["query_id"]] == 2) == one["answerable"] for one in questions)
