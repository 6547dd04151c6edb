"""Public sets by name: their files become suites, and answers get the marks that the sets' own scripts give.

All files here but one excerpt of ACORD are made for the tests: they have the columns of the real ones, and none of their text. What
the functions give on the real answers that the sets publish is in docs/legal-sets.md.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, f1_score, fbeta_score, ndcg_score, recall_score

from benchbar.records import ContextPassage, Guidance, PointKind, Sample
from benchbar.records.errors import BadInputError, UnknownNameError, UserError
from benchbar.suites.load import load
from benchbar.suites.public_sets import lines, public_sets, reader_of
from benchbar.suites.readers import (
    acord,
    aila,
    coliee,
    cuad,
    j1_eval,
    lawbench,
    legalbench,
    legalbench_rag,
    lexam,
    lexeval,
    plawbench,
)
from benchbar.suites.readers.official import Answered
from benchbar.tables.ragas import read_contexts
from support.in_process import runner
from support.workbook import workbook

SEED = np.random.default_rng(0)


def listed(path, *rows):
    """A JSON list."""
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    return path


def answered(task, said, wanted, information="", **fields):
    """One answer to a sample of a task."""
    sample = Sample(id="s", task=task, needs="q", information=information, guidance=Guidance(text=wanted), **fields)
    return Answered(sample, said)


def of_task(task, pairs):
    """Answers to as many samples of one task."""
    return [
        Answered(Sample(id=f"s{place}", task=task, needs=f"q{place}", guidance=Guidance(text=wanted)), said)
        for place, (said, wanted) in enumerate(pairs)
    ]


READ = [name for name, card in public_sets().items() if not card.elsewhere]


@pytest.mark.parametrize("name", READ)
def test_every_set_has_a_card_and_a_reader(name):
    """A card says source, licence, layout and what the numbers bear; its reader marks and estimates."""
    told = "\n".join(lines(name))
    assert all(
        f"\n{head}: " in told for head in ("source", "licence", "get it", "layout", "metric", "bears", "contamination")
    )
    assert all(callable(getattr(reader_of(name), part)) for part in ("read", "marked", "official"))


def test_a_set_of_agents_names_the_command_that_reads_it():
    """Its card is told like any other; its copy is no suite."""
    assert any("all_pass" in line for line in lines("harvey-lab"))
    with pytest.raises(UserError, match="benchbar judge"):
        reader_of("harvey-lab")


def test_an_unknown_set_is_named_with_the_known_ones():
    """A mistyped name is answered with what is near."""
    with pytest.raises(UnknownNameError, match=r"lawbnch.*did you mean"):
        reader_of("lawbnch")


@pytest.mark.parametrize("name", READ)
def test_a_foreign_folder_is_refused_with_what_was_expected(name, tmp_path):
    """A folder of something else says what was found there, and what belongs there."""
    (tmp_path / "holiday.txt").write_text("photos", "utf-8")
    with pytest.raises(BadInputError, match="expected"):
        reader_of(name).read(tmp_path)


@pytest.mark.parametrize("name", READ)
def test_a_copy_that_is_not_there_is_said_to_be_missing(name, tmp_path):
    """Neither the words of the programming language nor a trace of its stack."""
    for called in (str(tmp_path / "none"), f"{name}:{tmp_path / 'none'}"):
        with pytest.raises(BadInputError, match="no such file or folder"):
            load(called)


def test_the_data_are_found_below_the_folder_that_was_named(tmp_path):
    """A clone's top folder is enough; what was read is said, and of several folders one has to be named."""
    data = tmp_path / "clone" / "data" / "zero_shot"
    data.mkdir(parents=True)
    (tmp_path / "clone" / ".git" / "1-2").mkdir(parents=True)
    listed(data / "1-2.json", {"instruction": "i", "question": "q", "answer": "正确答案：C。"})
    suite = lawbench.read(tmp_path / "clone")
    assert (len(suite.samples), suite.understood[0]) == (1, f"read from {data}")
    (data.parent / "one_shot").mkdir()
    listed(data.parent / "one_shot" / "1-2.json", {"instruction": "i", "question": "q", "answer": "正确答案：C。"})
    with pytest.raises(BadInputError, match=r"several folders.*data/one_shot, data/zero_shot; name one"):
        lawbench.read(tmp_path / "clone")


def test_what_cannot_be_read_at_all_is_not_said_to_be_skipped(tmp_path):
    """Nothing is skipped where nothing is left; beside good rows the row is."""
    bad, good = {"instruction": "i", "question": "q"}, {"instruction": "i", "question": "q", "answer": "正确答案：C。"}
    with pytest.raises(BadInputError) as refused:
        lawbench.read(listed(tmp_path / "1-2.json", bad))
    assert "answer" in str(refused.value)
    assert "skipped" not in str(refused.value)
    (problem,) = lawbench.read(listed(tmp_path / "1-2.json", bad, good)).problems
    assert problem.message == "missing or empty; the sample is skipped"


def test_a_set_of_passages_is_told_by_its_passages(tmp_path, monkeypatch):
    """No list of all samples without guidance, no empty counts, and no difference in points that one sample could show."""
    monkeypatch.setenv("COLUMNS", "300")
    done = runner(tmp_path, monkeypatch)("suite", "get", "acord", str(EXCERPT), "--out", "made")
    assert done.code == 0
    assert "passages to be found: named for 1 of 1 samples" in done.out
    assert "the smallest task, clause-retrieval, has 1 sample: too few to compare two systems" in done.out
    for odd in ("guidance points: none", "decided by:", "without guidance:", "points between"):
        assert odd not in done.out
    card = runner(tmp_path, monkeypatch)("suite", "card", "made")
    assert "1 samples name passages to be found" in card.out
    assert "never marked" not in card.out


def test_lawbench_reads_a_folder_of_tasks_and_says_which_columns(tmp_path):
    """Files are named by their tasks; each is told with its columns and its samples."""
    row = {"instruction": "i", "question": "q", "answer": "婚姻家庭"}
    listed(tmp_path / "2-4.json", row, row)
    listed(tmp_path / "1-2.json", row | {"answer": "正确答案：C。"})
    suite = lawbench.read(tmp_path)
    assert [sample.id for sample in suite.samples] == ["1-2-000", "2-4-000", "2-4-001"]
    assert suite.understood == (
        "1-2.json: 1 samples from the columns instruction, question, answer",
        "2-4.json: 2 samples from the columns instruction, question, answer",
    )


def test_lawbench_keeps_sentences_without_any_entity(tmp_path):
    """An empty answer to 2-6 says that there is nothing to name; naming nothing is right, naming something is not."""
    row = {"instruction": "实体类型包括:受害人、地点。", "question": "句子:无", "answer": ""}
    (sample,) = lawbench.read(listed(tmp_path / "2-6.json", row)).samples
    assert [lawbench.marked(Answered(sample, said)).score for said in ("没有实体", "地点:杭州市\n完")] == [1.0, 0.0]


KINDS = "类别包括:本金争议、合同效力、违约。将答案写在"


@pytest.mark.parametrize(
    ("task", "said", "wanted", "instruction", "score"),
    [
        ("2-2", "[争议焦点]违约<eoa>", "争议焦点类别：违约。", KINDS, 1.0),
        ("2-2", "违约、合同效力", "争议焦点类别：违约。", KINDS, 0.0),
        ("2-2", "赔偿", "争议焦点类别：赔偿。", KINDS, None),
        ("2-3", "[类别]甲、乙<eoa>", "类别:甲、丙。", "标签包括：甲、乙、丙。", 0.5),
        ("2-4", "甲", "甲", "类别包括：甲、乙。", 1.0),
        ("2-8", "[正确答案]E<eoa>", "[正确答案]E<eoa>", "", 1.0),
        ("2-9", "支付/给付；卖出", "卖出;买入", "事件包括：支付/给付，卖出，买入。", 0.5),
        ("2-5", "回答很短", "回答:短", "", 0.4),
        ("2-10", "查扣;退", "查扣;退给", "", 5 / 6),
        ("2-6", "受害人:严某某\n时间：无\n地点:路", "受害人:严某", "实体类型包括:受害人、时间、地点。", 0.4 * 2),
        ("3-1", "刑法第二百六十四条、刑法第128条", "法条:刑法第264条", "", 2 / 3),
        # Upstream strikes out all from the first 第 to 款, and the article with it.
        ("3-1", "刑法第二百六十四条第一款", "法条:刑法第264条", "", 0.0),
        ("3-3", "构成盗窃罪和诈骗罪", "罪名:盗窃", "", 2 / 3),
        ("3-4", "判处有期徒刑一年零四个月，即16个月", "刑期:4个月", "", 1.0),
        ("3-4", "两年", "刑期:24个月", "", 1.0),
        ("3-5", "不知道", "刑期:4个月", "", 0.0),
        ("3-5", "6个月", "刑期:无期", "", None),
        ("3-7", "共计 8500 元", "上文涉及到的犯罪金额:8500.0元。", "", 1.0),
        ("2-1", "上述证据", "上述证据", "", None),
    ],
)
def test_lawbench_marks_each_task_by_its_own_rule(task, said, wanted, instruction, score):
    """Closed lists come from the instruction; what upstream leaves out has no mark, and never 0."""
    found = lawbench.mark(task, said, wanted, instruction).score
    assert found is None if score is None else found == pytest.approx(score)


def test_lawbench_counts_abstentions_apart():
    """The share of answers that name nothing is a figure of its own; an answer that is missing is in neither."""
    found = lawbench.official(
        of_task("1-2", [("A", "正确答案：A。"), ("不知道", "正确答案：B。"), (None, "正确答案：C。")]), SEED
    )
    assert (found["accuracy"].value, found["accuracy"].n, found["accuracy"].n_missing) == (0.5, 2, 1)
    assert found["abstentions"].value == 0.5


def test_lexeval_reads_lines_under_the_name_json(tmp_path):
    """Upstream's .json files hold a row a line; the task is in the name."""
    row = {"instruction": "请给出正确选项。\n", "input": "下列?\nA: 甲\nB: 乙", "answer": "AB"}
    (tmp_path / "1_1.json").write_text("\n".join(json.dumps(row, ensure_ascii=False) for _ in range(2)), "utf-8")
    listed(tmp_path / "5_1.json", {"instruction": "", "input": "翻译", "answer": "法不闻细微"})
    suite = lexeval.read(tmp_path)
    assert [(one.id, one.task) for one in suite.samples] == [
        ("1_1-0000", "1_1"),
        ("1_1-0001", "1_1"),
        ("5_1-0000", "5_1"),
    ]
    assert suite.samples[0].needs == "请给出正确选项。\n下列?\nA: 甲\nB: 乙"
    assert [one.guidance.points[0].kind for one in suite.samples] == [
        PointKind.CHOICE,
        PointKind.CHOICE,
        PointKind.SEMANTIC,
    ]
    with pytest.raises(BadInputError, match="named by its task"):
        lexeval.read(listed(tmp_path / "answers.json", row))


@pytest.mark.parametrize(
    ("said", "score"),
    [("A、B", 1.0), ("BA", 0.0), ("答案：AB。解析：C是错的", 1.0), ("ABBA", 0.0), ("A，B和B", 0.0), ("无", 0.0)],
)
def test_lexeval_wants_the_options_in_their_order_before_any_explanation(said, score):
    """Letters are read as upstream reads them; runs with a letter twice name nothing."""
    assert lexeval.marked(answered("1_1", said, "AB")).score == score


WORDS = st.lists(st.sampled_from("甲乙丙丁"), max_size=7)


@given(WORDS, WORDS)
def test_lexeval_rouge_lies_on_a_longest_common_subsequence(one, other):
    """The words counted are those of some longest common subsequence, found here by trying all of them."""
    found = lexeval.rouge_l(one, other)

    def parts(words, size):
        return {tuple(words[place] for place in chosen) for chosen in itertools.combinations(range(len(words)), size)}

    longest = max(size for size in range(8) if parts(one, size) & parts(other, size))
    words = len(set(one)) + len(set(other))
    possible = {2 * len(set(part)) / words if words else 0.0 for part in parts(one, longest) & parts(other, longest)}
    assert any(found == pytest.approx(value) for value in possible)


def test_lexam_reads_choices_open_questions_and_perturbed_ones(tmp_path):
    """The place of the right option counts from 0, the first one too; a row of perturbed choices is a sample for each number."""
    head = ["question", "choices", "gold", "course", "language", "year", "id"]
    rows = [["Which?", "['i', 'ii']", 0, "Tax", "en", 2020, "a"], ["Welche?", "['i', 'ii']", 1, "Tax", "de", 2020, "b"]]
    made = [head, *rows, ["Which?", "exec('x')", 1, "Tax", "en", 2020, "c"]]
    (tmp_path / "mcq.xlsx").write_bytes(workbook({"s": made}))
    suite = lexam.read(tmp_path / "mcq.xlsx")
    assert [(one.guidance.text, one.language, one.tags) for one in suite.samples] == [
        ("A", "en", ("document:Tax 2020",)),
        ("B", "de", ("document:Tax 2020",)),
    ]
    assert [problem.field for problem in suite.problems] == ["choices"]
    assert suite.samples[0].needs.startswith("Which?\n\nA. i\nB. ii\n\nReason step by step")
    counts = (4, 8, 16, 32)
    choices = {f"{n}_choices": str([str(one) for one in range(n)]) for n in counts}
    perturbed = (
        {"question": "Which?"} | choices | {f"{n}_choices_gold": n - 1 for n in counts} | {"id": "a", "course": "Tax"}
    )
    suite = lexam.read(listed(tmp_path / "p.json", perturbed))
    assert {one.task: one.guidance.text for one in suite.samples} == {
        "choice-4": "D", "choice-8": "H", "choice-16": "P", "choice-32": "32",
    }  # fmt: skip
    (tmp_path / "clone" / "data").mkdir(parents=True)
    for name in ("MCQs_test.xlsx", "open_questions_dev.xlsx"):
        (tmp_path / "clone" / "data" / name).write_bytes(workbook({"s": [head, *rows]}))
    suite = lexam.read(tmp_path / "clone")
    assert len(suite.samples) == 2
    assert suite.understood[-1] == "left out: open_questions_dev.xlsx; name the file to read it"
    (one,) = lexam.read(listed(tmp_path / "open.json", {"question": "Why?", "answer": "Because.", "id": "z"})).samples
    assert (one.task, one.reference) == ("open", "Because.")


@pytest.mark.parametrize(
    ("said", "wanted", "score"),
    [("###A### no, ###B###", "B", 1.0), ("B", "B", 0.0), ("###b###", "B", 0.0), ("###32###", "32", 1.0)],
)
def test_lexam_takes_the_last_letter_between_hashes(said, wanted, score):
    """An answer without the form is wrong, as upstream has it."""
    assert lexam.marked(answered("choice-4", said, wanted)).score == score


def test_lexam_leaves_open_questions_to_a_judge():
    """They have no mark by rule."""
    assert lexam.marked(answered("open", "Because.", "Because.")) == (None, False)


def task_folder(folder, rows, prompt="", licence="CC BY 4.0"):
    """A task of LegalBench: a table, its prompt and its page."""
    folder.mkdir(parents=True)
    (folder / "test.tsv").write_text("index\tanswer\ttext\n" + "".join(f"{n}\t{a}\t{t}\n" for n, a, t in rows), "utf-8")
    (folder / "README.md").write_text(f"**License**: [{licence}](x)\n", "utf-8")
    if prompt:
        (folder / "base_prompt.txt").write_text(prompt, "utf-8")
    return folder


def test_legalbench_asks_with_the_prompt_of_the_task_and_names_its_licence(tmp_path):
    """Each folder is a task; the fields of its prompt are filled from the row."""
    task_folder(tmp_path / "hearsay", [(0, "Yes", "He said so."), (1, "No", "He nodded.")], "Q: {{text}} Is it?\nA:")
    task_folder(tmp_path / "proa", [(0, "Yes", "A right.")])
    suite = legalbench.read(tmp_path)
    assert [one.id for one in suite.samples] == ["hearsay-0", "hearsay-1", "proa-0"]
    assert suite.samples[0].needs == "Q: He said so. Is it?\nA:"
    assert suite.samples[2].needs == "text: A right."
    assert "hearsay: licence CC BY 4.0; asked with base_prompt.txt" in suite.understood
    assert any("no base_prompt.txt" in line for line in suite.understood)
    (tmp_path / "rule_qa").mkdir()
    (tmp_path / "rule_qa" / "train.tsv").write_text("index\tanswer\ttext\n", "utf-8")
    with_empty = legalbench.read(tmp_path)
    assert len(with_empty.samples) == 3
    assert "no usable sample" in with_empty.problems[0].message
    assert with_empty.problems[0].message.endswith("the task is left out")


LABELS = st.sampled_from(["yes", "no", "maybe"])


@given(st.lists(st.tuples(st.one_of(LABELS, st.just("Yes.")), LABELS), min_size=1, max_size=30))
def test_legalbench_balanced_accuracy_is_that_of_scikit_learn(pairs):
    """Each label that is true of something counts alike; other answers are wrong."""
    found = legalbench.official(of_task("hearsay", pairs), SEED)["balanced accuracy"]
    said = ["yes" if one == "Yes." else one for one, _ in pairs]
    # Recall averaged over the labels that are true of something.
    truth = [one for _, one in pairs]
    expected = recall_score(truth, said, labels=sorted(set(truth)), average="macro", zero_division=0)
    assert found.value == pytest.approx(expected)


def test_legalbench_gives_no_interval_without_width():
    """Yes to everything is a balanced accuracy of 0.5 in nearly every resample, which six answers do not make certain."""
    found = legalbench.official(of_task("hearsay", [("yes", "yes")] * 3 + [("yes", "no")] * 3), SEED)
    estimate = found["balanced accuracy"]
    assert (estimate.value, estimate.n, estimate.low, estimate.high) == (0.5, 6, None, None)
    assert "no width" in estimate.reason


EXCEPTIONS = ["express agreement", "fraudulent conveyance", "de facto merger", "mere continuation"]
NAMED = st.lists(st.sampled_from(EXCEPTIONS), min_size=1, max_size=4, unique=True)


@given(st.lists(st.tuples(NAMED, NAMED), min_size=1, max_size=12))
def test_legalbench_f1_of_exceptions_is_that_of_scikit_learn(pairs):
    """Micro-averaged over all samples and exceptions."""
    found = legalbench.official(
        of_task("successor_liability", [(", ".join(one), ",".join(two)) for one, two in pairs]), SEED
    )
    truth = [[name in two for name in EXCEPTIONS] for _, two in pairs]
    said = [[name in one for name in EXCEPTIONS] for one, _ in pairs]
    assert found["F1"].value == pytest.approx(f1_score(truth, said, average="micro", zero_division=0))
    assert "balanced accuracy" in found


@pytest.mark.parametrize(
    ("task", "said", "wanted", "score"),
    [
        ("hearsay", "Yes.", "yes", 1.0),
        ("hearsay", "Yes, because", "Yes", 0.0),
        ("citation_prediction_open", "See Phillips v AWH Corp., 415 F.3d 1303", "Phillips v. AWH Corp.", 1.0),
        ("definition_extraction", "authorizes", "authorize,authorized", 1.0),
        ("sara_numeric", "The tax is $1,050", "$1000", 1.0),
        ("sara_numeric", "none", "$1000", 0.0),
        ("ssla_plaintiff", "Ann Lee, Bob Roe", "Ann Lee", 2 / 3),
        ("rule_qa", "A rule.", "A rule.", None),
    ],
)
def test_legalbench_marks_each_task_by_its_own_comparison(task, said, wanted, score):
    """Whole answers, names, stems or amounts, as its script has it; one task is for people."""
    found = legalbench.marked(answered(task, said, wanted)).score
    assert found is None if score is None else found == pytest.approx(score)


CONTRACT = "Agreement of Acme and Bolt.\nThis Agreement is governed by the laws of Delaware.\nLiability is capped at the fees paid."


def squad(path, *contracts):
    """A file of the form of CUAD_v1.json: each contract with the clauses of each category."""

    def asked(title, name, clauses):
        question = f'Highlight the parts (if any) of this contract related to "{name}" that should be reviewed by a lawyer. Details: What?'
        return {
            "id": f"{title}__{name}",
            "question": question,
            "answers": [{"text": one, "answer_start": 0} for one in clauses],
        }

    rows = [
        {"title": title, "paragraphs": [{"context": CONTRACT, "qas": [asked(title, *one) for one in clauses.items()]}]}
        for title, clauses in contracts
    ]
    path.write_text(json.dumps({"data": rows}), "utf-8")
    return path


LAW = "governed by the laws of Delaware"


def test_cuad_asks_a_contract_for_all_its_categories_at_once(tmp_path):
    """A contract is one sample, and one cluster; what was understood says how much is marked."""
    suite = cuad.read(squad(tmp_path / "test.json", ("A", {"Governing Law": [LAW], "Cap On Liability": []})))
    (sample,) = suite.samples
    assert "CONTRACT:\nAgreement of Acme" in sample.needs
    assert sample.needs.endswith("- Governing Law: What?\n- Cap On Liability: What?")
    assert suite.understood == ("test.json: 1 contracts, 2 categories asked of each, 1 clauses marked",)
    (tmp_path / "other.json").write_text('{"rows": []}', "utf-8")
    with pytest.raises(BadInputError, match=r"found rows; expected a list `data`"):
        cuad.read(tmp_path / "other.json")


WORDS_OF_CLAUSES = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=4).map(" ".join)
SAID = st.lists(
    st.tuples(WORDS_OF_CLAUSES, st.sampled_from([0.05, 0.3, 0.305, 0.9])), max_size=3, unique_by=lambda one: one[0]
)
CONTRACTS = st.lists(st.tuples(st.lists(WORDS_OF_CLAUSES, max_size=2), SAID), min_size=1, max_size=6)


@given(CONTRACTS)
def test_cuad_area_is_that_of_its_definition(contracts):
    """Precision and recall at each threshold, the best precision from there on, and scikit-learn's area under them."""
    answers = []
    for place, (clauses, said) in enumerate(contracts):
        sample = Sample(id=f"c{place}", task="clauses", needs="q", guidance=Guidance(text=json.dumps({"Cap": clauses})))
        named = {"Cap": [{"text": text, "confidence": sure} for text, sure in said]}
        answers.append(Answered(sample, f"Here:\n{json.dumps(named)}"))
    precisions, recalls = [1.0], [0.0]
    for threshold in [*np.arange(0.99, 0, -0.01), 0.001, 0]:
        right = wrong = missed = 0
        for clauses, said in contracts:
            above = [text for text, sure in said if sure > threshold]
            found = sum(any(cuad.similarity(one, other) >= 0.5 for other in above) for one in clauses)
            right, missed = right + found, missed + len(clauses) - found
            wrong += sum(not any(cuad.similarity(one, other) >= 0.5 for one in clauses) for other in above)
        precisions.append(right / (right + wrong) if right + wrong else 0.0)
        recalls.append(right / (right + missed) if right + missed else float("nan"))
    found = cuad.official(answers, SEED)["AUPR"]
    if any(clauses for clauses, _ in contracts):
        best = np.maximum.accumulate(precisions[::-1])[::-1]
        assert found.value == pytest.approx(auc(recalls, best))
    else:
        assert found.value is None


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ({"governing law": [LAW + "."]}, 1.0),
        ({"Governing Law": [{"text": "Agreement of Acme", "confidence": 1}]}, 0.0),
        ("no JSON", 0.0),
        ([1, 2], 0.0),
    ],
)
def test_cuad_reads_lists_of_texts_and_of_objects(said, score):
    """Categories in any case; what is no object of lists names nothing."""
    text = said if isinstance(said, str) else json.dumps(said)
    assert cuad.marked(answered("clauses", text, json.dumps({"Governing Law": [LAW]}))).score == score


def passages(*ids):
    """Passages found, best first."""
    return tuple(ContextPassage(id=one, text="t") for one in ids)


def test_legalbench_rag_measures_characters_of_the_first_passages(tmp_path):
    """Each file of benchmarks/ is a task; characters common to passages and snippets over those of each."""
    (tmp_path / "benchmarks").mkdir()
    snippet = {"file_path": "cuad/a.txt", "span": [10, 30], "answer": "x"}
    (tmp_path / "benchmarks" / "cuad.json").write_text(
        json.dumps({"tests": [{"query": "Q?", "snippets": [snippet]}]}), "utf-8"
    )
    suite = legalbench_rag.read(tmp_path)
    (sample,) = suite.samples
    assert (sample.task, sample.evidence, sample.tags) == ("cuad", ("cuad/a.txt@10-30",), ("document:cuad/a.txt",))
    found = legalbench_rag.official([Answered(sample, "a", passages("b.txt@0-10", "cuad/a.txt@20-40"))], SEED)
    assert (found["precision@1"].value, found["recall@1"].value) == (0.0, 0.0)
    assert (found["precision@2"].value, found["recall@2"].value) == (1 / 3, 0.5)
    unknown = legalbench_rag.official([Answered(sample, "a", passages("cuad/a.txt"))], SEED)
    assert (unknown["recall@2"].value, unknown["recall@2"].n_missing) == (None, 1)


def found_as(*strings):
    """Passages as `contexts` of mere strings become them."""
    return read_contexts(list(strings))


SEARCHED = Sample(id="s", task="t", needs="q", evidence=("c1", "c2"), gains={"c1": 4, "c2": 2})


@pytest.mark.parametrize(
    ("reader", "metric", "sample", "strings"),
    [
        (acord, "nDCG@5", SEARCHED, ("c1", "c2")),
        (aila, "MAP", SEARCHED, ("c1", "c2")),
        (coliee, "F1", SEARCHED, ("c1.txt", "c2.txt")),
        (legalbench_rag, "recall@1", Sample(id="s", task="t", needs="q", evidence=("a b.txt@1-9",)), ("a b.txt@1-9",)),
    ],
)
def test_strings_that_are_ids_count_as_ids_and_texts_are_never_zero(reader, metric, sample, strings):
    """`contexts` may list ids; passages that nobody named, and ids of another corpus, have no figure but a reason."""
    found = reader.official([Answered(sample, "a", found_as(*strings))], SEED)
    assert found[metric].value == pytest.approx(1.0)
    assert reader.marked(Answered(sample, "a", found_as(*strings))).score == pytest.approx(1.0)
    for foreign, why in ((found_as("The fee is capped."), r"without ids|FILE@"), (passages("zz9@1-2"), "'zz9")):
        given_ = Answered(sample, "a", foreign)
        estimate = reader.official([given_], SEED)[metric]
        assert (estimate.value, estimate.n_missing) == (None, 1)
        assert re.search(why, estimate.reason)
    assert reader.marked(Answered(sample, "a", found_as("The fee is capped."))).score is None


def test_a_ranking_without_anything_relevant_is_zero_beside_others():
    """It is bad and not foreign: left out, it would raise the mean."""
    found = acord.official([Answered(SEARCHED, "a", passages(*ids)) for ids in (("c1", "c2"), ("x1", "x2"))], SEED)
    assert (found["nDCG@5"].value, found["nDCG@5"].n) == (pytest.approx(0.5), 2)


EXCERPT = Path(__file__).parent / "acord_excerpt"
"""Four graded clauses of the set itself, under its licence."""


def test_acord_is_read_as_its_authors_publish_it():
    """An excerpt of the real files, with the stars that lawyers gave."""
    (sample,) = acord.read(EXCERPT).samples
    assert (sample.id, sample.needs) == ("England Governing Law", "England Governing Law")
    assert sample.gains == {"a8fa644b46": 4.0, "d89ed88a43": 3.0, "7511a4e3af": 2.0, "01336abc2d": 1.0}
    best = acord.official(
        [Answered(sample, "", passages(*sorted(sample.gains, key=sample.gains.__getitem__, reverse=True)))], SEED
    )
    assert best["nDCG@5"].value == pytest.approx(1.0)


def test_acord_gains_are_stars_and_precision_counts_them(tmp_path):
    """Gain agrees with scikit-learn's; three stars are grade 2 of the files."""
    lines_of = {
        "corpus.jsonl": [{"_id": f"d{n}", "text": "t"} for n in range(6)],
        "queries.jsonl": [{"_id": "q1", "text": "Cap?"}],
    }
    for name, rows in lines_of.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "qrels").mkdir()
    grades = {"d0": 4, "d1": 2, "d2": 1, "d3": 0}
    table = "query-id\tcorpus-id\tscore\n" + "".join(f"q1\t{name}\t{grade}\n" for name, grade in grades.items())
    (tmp_path / "qrels" / "test.tsv").write_text(table, "utf-8")
    suite = acord.read(tmp_path)
    found = acord.official([Answered(suite.samples[0], "x", passages("d1", "d3", "d0"))], SEED)
    truth, scores = [[4, 2, 1, 0, 0, 0]], [[1, 3, 0, 2, 0, 0]]
    assert found["nDCG@5"].value == pytest.approx(
        ndcg_score(truth, scores, k=3) * _ideal(grades, 3) / _ideal(grades, 5)
    )
    assert [found[f"{stars}-star precision@5"].value for stars in (3, 4, 5)] == [0.4, 0.2, 0.2]


def _ideal(grades, k):
    return sum(grade / np.log2(place + 2) for place, grade in enumerate(sorted(grades.values(), reverse=True)[:k]))


RITEVAL = """<dataset><pair id="H19-1-3" label="N"><t1>
Article 96
(1) Fraud. Article 5 applies.
Article 97-2 Duress.
</t1><t2>A statement.</t2></pair></dataset>"""


def test_coliee_reads_pairs_labels_and_fragments(tmp_path):
    """A pair is a sample of tasks 3 and 4; labels are tasks 1 or 2 by what lies beside them; what has no text is named."""
    (tmp_path / "riteval_R01_en.xml").write_text(RITEVAL, "utf-8")
    labels = {"000001.txt": ["000002.txt"], "000009.txt": ["000002.txt"], "../../etc/passwd": []}
    (tmp_path / "task1_train_labels_2023.json").write_text(json.dumps(labels), "utf-8")
    (tmp_path / "task2_labels.json").write_text('{"007": ["013.txt"]}', "utf-8")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "000001.txt").write_text("A case.", "utf-8")
    (tmp_path / "files" / "007" / "paragraphs").mkdir(parents=True)
    (tmp_path / "files" / "007" / "entailed_fragment.txt").write_text("The appeal fails.", "utf-8")
    (tmp_path / "files" / "007" / "paragraphs" / "013.txt").write_text("It was late.", "utf-8")
    suite = coliee.read(tmp_path)
    found = {one.task: one for one in suite.samples}
    assert found["task3"].evidence == ("96", "97-2")
    assert found["task4"].guidance.text == "N"
    assert (found["task1"].needs, found["task1"].evidence) == ("A case.", ("000002",))
    assert "[013] It was late." in found["task2"].needs
    assert [problem.field for problem in suite.problems] == ["000009.txt", "../../etc/passwd"]
    hostile = tmp_path / "riteval_x.xml"
    hostile.write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "utf-8")
    with pytest.raises(BadInputError, match="declares entities"):
        coliee.read(hostile)


IDS = st.lists(st.sampled_from(["1", "2", "3", "4"]), min_size=1, max_size=4, unique=True)


@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=10))
def test_coliee_averages_cases_over_all_queries_and_articles_over_each(pairs):
    """Micro-averaged F1 of tasks 1 and 2, macro-averaged F2 of task 3, both as scikit-learn has them."""
    for task, beta, average in (("task1", 1, "micro"), ("task3", 2, "samples")):
        answers = [
            Answered(Sample(id=f"s{place}", task=task, needs="q", evidence=tuple(wanted)), f"Found: {', '.join(said)}")
            for place, (said, wanted) in enumerate(pairs)
        ]
        truth, said = ([[name in one[side] for name in "1234"] for one in pairs] for side in (1, 0))
        expected = fbeta_score(truth, said, beta=beta, average=average, zero_division=0)
        assert coliee.official(answers, SEED)[f"F{beta}"].value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("said", "score"), [("Y", 0.0), ("The answer is No.", 1.0), ("Yes… no: N", 1.0), ("maybe", 0.0)]
)
def test_coliee_entailment_is_right_or_wrong(said, score):
    """The last Y or N of the answer counts."""
    assert coliee.marked(answered("task4", said, "N")).score == score


def test_aila_reads_both_tasks_and_leaves_out_what_cannot_be_found(tmp_path):
    """Relevance judgements as trec_eval has them; a relevant document that the copy lacks is named."""
    (tmp_path / "Query_doc.txt").write_text("AILA_Q1||A man sold land.\nAILA_Q2||Another.\n", "utf-8")
    (tmp_path / "relevance_judgments_priorcases.txt").write_text(
        "AILA_Q1 Q0 C1 1\nAILA_Q1 Q0 C2 0\nAILA_Q1 Q0 C3 1\n", "utf-8"
    )
    (tmp_path / "relevance_judgments_statutes.txt").write_text("AILA_Q1 Q0 S1 1\nAILA_Q1 Q0 S58 1\n", "utf-8")
    (tmp_path / "Object_statutes").mkdir()
    (tmp_path / "Object_statutes" / "S1.txt").write_text("Title: x", "utf-8")
    suite = aila.read(tmp_path)
    assert [(one.id, one.evidence) for one in suite.samples] == [
        ("precedents-AILA_Q1", ("C1", "C3")),
        ("statutes-AILA_Q1", ("S1",)),
    ]
    assert [problem.message.split()[0] for problem in suite.problems] == ["S58"]
    found = aila.official([Answered(suite.samples[0], "First C2, then C1; C9 and C3.")], SEED)
    assert found["MAP"].value == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert (found["P@10"].value, found["reciprocal rank"].value) == (0.2, 0.5)


def test_plawbench_criteria_are_points_with_their_worth(tmp_path):
    """Listed, numbered or in sections; a judge marks them, no rule does."""
    case = {
        "label": "l",
        "context": "c",
        "question": "q",
        "rubrics": [{"criterion": "结论", "points": "5", "tags": "t"}],
    }
    (tmp_path / "practical_case_analysis_250.jsonl").write_text(json.dumps(case), "utf-8")
    asked = {
        "id": 1,
        "conversation": "律师",
        "rubrics": "总分：5分\n1.(+3 分) 是否报警？\n2.（+2分）是否就医？",
        "score": "",
    }
    listed(tmp_path / "public_legal_consultation_18.json", asked)
    sections = "总分：35分\n一、送达（30分）\n1.1 证据（15分）\n得分点：公证（6分）\n二、案由 （占 5 分）\n得分点：地址"
    listed(
        tmp_path / "Defendants_Statement.json",
        {"id": 1, "tag": "t", "conversation": "律师", "Rubrics": sections, "score": 80},
    )
    suite = plawbench.read(tmp_path)
    weights = {one.task: [point.weight for point in one.guidance.points] for one in suite.samples}
    assert weights == {"defence": [30.0, 5.0], "case-analysis": [5.0], "consultation": [3.0, 2.0]}
    assert plawbench.official([Answered(suite.samples[0], "x")], SEED)["share of points, by a judge"].value is None


CASE = {
    "id": 7,
    "plaintiff_claim": ["还款"],
    "plaintiff_case_details": "借款未还。",
    "court_information": {
        "ground_truth": {
            "court_judgment": ["被告还款", "如不服本判决，可上诉"],
            "court_law": [
                "《中华人民共和国民法典》第五百零九条第一款、第五百七十七条",
                "《中华人民共和国民事诉讼法》第六十七条",
            ],
        }
    },
}


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("依照《中华人民共和国民法典》第五百零九条、第577条判决", 2 / 3),
        ("依照《中华人民共和国民法典》第五百零九条第二款，《中华人民共和国民事诉讼法》第六十七条", 2 / 3),
        ("第五百零九条", 0.0),
    ],
)
def test_j1_eval_counts_the_courts_articles_that_are_named(tmp_path, said, score):
    """With their law, in Chinese or Arabic numerals, whatever the paragraph."""
    (tmp_path / "J1-Eval_CI.jsonl").write_text(json.dumps(CASE, ensure_ascii=False), "utf-8")
    (sample,) = j1_eval.read(tmp_path).samples
    assert sample.guidance.points[0].text == "被告还款"
    assert j1_eval.marked(Answered(sample, said)).score == pytest.approx(score)
