"""Small files of the names and forms that the pages' commands speak of, so that the commands can be run as they stand."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchbar.cli.review import read_run_reviews
from benchbar.records.review import ReviewTask
from support.contract_maker import as_docx, as_pdf, contract_lines, paged
from support.in_process import Finished
from support.pages import ROOT, blocks
from support.preferring import prefer, preferring_spec
from support.survey_maker import as_csv, ratings, rows
from support.ucl_clone import clone, data
from support.workbook import workbook

Run = Callable[..., Finished]
OFFICIAL = ROOT / "tests" / "law" / "official"
BUNDLED = ROOT / "src" / "benchbar" / "suites" / "data"
_NUMBERS = 24
"""Rows of a made table: enough for an interval."""


def make_for(page: str, folder: Path, run: Run) -> None:
    """Write what the commands of a page name into a folder."""
    if page in _MAKERS:
        _MAKERS[page](folder, run)


def _table(folder: Path, name: str, made: Iterable[Mapping[str, object]]) -> None:
    lines = list(made)
    if name.endswith(".jsonl"):
        text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines)
    else:
        out = io.StringIO()
        writer = csv.DictWriter(out, [*lines[0]])
        writer.writeheader()
        writer.writerows(lines)
        text = out.getvalue()
    (folder / name).write_text(text, "utf-8")


def _rows(seed: int = 3, **columns: Sequence[object]) -> list[dict[str, object]]:
    """Rows whose every cell is drawn from its column's values; a column ``range`` numbers them."""
    drawn = random.Random(seed)
    return [
        {name: at if values is range else drawn.choice(list(values)) for name, values in columns.items()}
        for at in range(_NUMBERS)
    ]


def _statistics(folder: Path, _run: Run) -> None:
    sides = ("A", "B", "tie")
    _table(
        folder,
        "judged.csv",
        _rows(
            outcome=(0, 0.5, 1),
            task=("1-1", "2-1"),
            document=range(6),
            form=("pairwise", "checklist"),
            agreed=(0, 1),
            cost=(0.01, 0.02),
            sample=range(12),
        ),
    )
    lengths = range(100, 900, 7)
    _table(
        folder,
        "annotations.csv",
        _rows(preference=(1, 2), model=("a", "b"), len_baseline=lengths, len_model=lengths, index=range(12)),
    )
    pairs = _rows(
        winner_ab=sides,
        winner_ba=sides,
        judge=(0, 1),
        model_a=("x", "y"),
        model_b=("z", "w"),
        winner=("model_a", "model_b", "tie"),
        question_id=range(9),
    )
    outcomes = _rows(4, judge_a=(0, 0.5, 1), judge_b=(0, 0.5, 1), people=(0, 1), question=range(9))
    _table(folder, "pairs.csv", [one | two for one, two in zip(pairs, outcomes, strict=True)])
    verdicts = [
        {"sample": str(at // 2), "verdict": random.Random(at).choice("AB"), "order": ("ab", "ba")[at % 2]}
        for at in range(_NUMBERS)
    ]
    _table(folder, "verdicts.jsonl", [{"id": one["sample"], **one} for one in verdicts])
    words = ("won", "lost", "tie")
    marks = _rows(5, judge=words, anna=words, bo=words, judge_score=range(101), human_score=("", 20, 50, 90))
    repeated = [one | {"id": at // 2, "score": one["judge_score"], "mark": at % 7 / 7} for at, one in enumerate(marks)]
    _table(folder, "marks.csv", [one | {"task": ("1-1", "2-1")[at % 2]} for at, one in enumerate(repeated)])
    _table(
        folder,
        "verdicts.csv",
        _rows(given=sides, swapped=sides, label=sides, subset=("easy", "hard"), evaluator=("j", "k")),
    )
    _table(folder, "rows.jsonl", _rows(a=("0", "1", "Tie"), b=("0", "1", "2", "garbage")))
    _table(folder, "queue.csv", _rows(judge_score=range(101), human_score=(20, 50, 90), chance=(0.2, 0.5, 1)))
    levels = ("low", "medium", "high")
    _table(folder, "clauses.csv", _rows(level=levels, answer=levels))
    (folder / "matrix.json").write_text(
        json.dumps({"labels": list(levels), "matrix": [[9, 2, 0], [1, 8, 1], [0, 3, 7]]})
    )
    _table(
        folder,
        "checked.csv",
        _rows(
            category=("mandatory", "ground_truth"),
            referred=(0, 1),
            right=(0, 1),
            error_type=("", "partly_met"),
            dialogue=range(8),
        ),
    )
    _table(
        folder,
        "rates.csv",
        [
            {"judge": judge, "task": task, "model": model, "win_rate": 0.3 + 0.1 * at + 0.02 * len(judge)}
            for judge in ("j", "kk")
            for task in ("1-1", "2-1")
            for at, model in enumerate("abcd")
        ],
    )
    _table(folder, "models.csv", _rows(turns=(2, 3, 4, 5), win_rate=(0.2, 0.4, 0.6)))


def _public_sets(folder: Path, _run: Run) -> None:
    sides = ("A", "B", "tie")
    lengths = range(100, 900, 7)
    _table(
        folder,
        "annotations_v2.csv",
        _rows(preference=(1, 2, 1.5), model=("a", "b"), len_baseline=lengths, len_model=lengths, index=range(12)),
    )
    _table(
        folder,
        "judge_verdicts.csv",
        _rows(
            winner_noswap=("1", "2"),
            winner_swap=("1", "2"),
            label=("1", "2"),
            subset=("Natural", "Adversarial"),
            evaluator=("j",),
            strategy=("plain", "rules"),
        ),
    )
    raters = ("annotator1", "annotator2", "annotator3", "pandalm7b_result")
    _table(folder, "rows.jsonl", _rows(**dict.fromkeys(raters, (0, 1, 2))))
    _table(
        folder,
        "pairwise.csv",
        _rows(
            winner_ab=sides,
            winner_ba=(*sides, "error"),
            lang=("zh", "en"),
            judge=("j", "k"),
            model_a=("x", "y"),
            model_b=("z", "w"),
            winner=("model_a", "model_b", "inconsistent", "error"),
            question_id=range(9),
        ),
    )
    _table(
        folder,
        "hanfei.jsonl",
        [one | {"hanfei_vs": {"ChatGPT": at % 3 / 2}} for at, one in enumerate(_rows(domain=("law", "tax")))],
    )


def _audited(folder: Path, _run: Run) -> None:
    models = [{"model": f"m{at}", "win rate": rate, "n": 50} for at, rate in enumerate((0.62, 0.48, 0.313))]
    _table(folder, "leaderboard.csv", models)
    (folder / "metrics.json").write_text(
        json.dumps([{"model": "m", "precision": 0.9, "recall": 0.8, "f1": 0.95, "n": 40}])
    )
    (folder / "results.tex").write_text(
        "\\begin{tabular}{lrr}\nmodel & accuracy & recall \\\\ \\hline\nm & 80.0 & 78.0 \\\\\n\\end{tabular}\n"
    )
    (folder / "matrix.json").write_text(json.dumps({"labels": ["low", "high"], "matrix": [[9, 2], [1, 8]]}))


QUESTION = "公司成立后多久可以分红，股东有什么责任？"


def _answers(folder: Path, _run: Run) -> None:
    (folder / "answer.txt").write_text("依照《民事基本法》第一百零九条，借款应当返还。\n", "utf-8")


def _interchange(folder: Path, run: Run) -> None:
    asked = ("押金最多几个月？", "试用期最长多久？")
    _table(
        folder,
        "chats.jsonl",
        [
            {"id": str(at), "turns": [{"role": "user", "content": one}, {"role": "assistant", "content": "两个月。"}]}
            for at, one in enumerate(asked)
        ],
    )
    _samples(folder, run)
    shutil.copytree(folder / "runs" / "r", folder / "runs" / "two")
    if find_spec("inspect_ai") is None:
        return
    for name in ("old", "new"):
        words = (
            "--suite",
            "ucl-bench:samples.jsonl",
            "--assistant",
            f"{name}=closed-book",
            "--out",
            f"runs/{name}-log",
        )
        assert run("run", *words).code == 0
        assert run("report", f"runs/{name}-log", "--format", "inspect", "--out", f"{name}.eval").code == 0


def _samples(folder: Path, run: Run) -> None:
    """Rows of UCL-Bench, and recorded answers to them."""
    _table(folder, "samples.jsonl", [one for items in data().values() for one in items])
    done = run("suite", "import", "ucl-bench", "samples.jsonl", "--out", "made-here")
    assert done.code == 0, done.err
    ids = [json.loads(line)["id"] for line in (folder / "made-here" / "samples.jsonl").read_text("utf-8").splitlines()]
    shutil.rmtree(folder / "made-here")
    _table(folder, "answers.jsonl", [{"sample": one, "answer": "借贷合意。"} for one in ids])


CLAUSES = ("乙方逾期付款的，押金不予退还。", "租金按月支付。", "本合同一式两份。", "甲方可以随时解除合同。")


def _clauses(folder: Path, _run: Run) -> None:
    levels = ("high", "medium", "low")
    _table(
        folder,
        "clauses.jsonl",
        [
            {"id": f"c{at}", "text": text, "level": levels[at % 3], "group": f"g{at}"}
            for at, text in enumerate(24 * CLAUSES)
        ],
    )
    shutil.copy(BUNDLED / "model-jurisdiction-zh" / "contracts" / "rules.jsonl", folder / "risk_rules.jsonl")


def _contracts(folder: Path, run: Run) -> None:
    lines = contract_lines(4)
    (folder / "lease.docx").write_bytes(as_docx(lines))
    (folder / "lease.pdf").write_bytes(as_pdf(paged(lines)))
    theirs = [line.replace("10", "20") for line in lines]
    (folder / "ours.docx").write_bytes(as_docx(lines))
    (folder / "theirs.docx").write_bytes(as_docx(theirs))
    (folder / "theirs.pdf").write_bytes(as_pdf(paged(theirs)))
    _clauses(folder, run)


def _playbooks(folder: Path, _run: Run) -> None:
    parties = ["Tenancy agreement", "between Harrow Ltd (the “Landlord”) and Imogen Quill (the “Tenant”)"]
    (folder / "lease.docx").write_bytes(as_docx([*parties, "1. The Landlord may enter at any time without notice."]))
    (folder / "agreement.docx").write_bytes(
        as_docx(["Services agreement", "1. The invoice is payable within 30 days."])
    )
    position = (
        '[[position]]\ntopic = "Payment"\npreferred = "Invoices are payable within 60 days."\nfind = ["invoice"]\n'
    )
    (folder / "positions.toml").write_text(f'side = "customer"\n\n{position}', "utf-8")


def _questionnaire(folder: Path, run: Run) -> None:
    from benchbar.survey.questionnaire import read_questionnaire

    assert run("survey", "template", "--language", "zh", "--out", "needs.toml").code == 0
    (folder / "responses.csv").write_text(as_csv(rows(read_questionnaire(folder / "needs.toml"))), "utf-8")
    (folder / "ratings.csv").write_text(as_csv(ratings()), "utf-8")
    (folder / "needs.toml").unlink()


def _rubrics(folder: Path, _run: Run) -> None:
    steps = [{"id": "1", "tool": "search"}, {"id": "2", "tool": "code"}]
    _table(folder, "traces.jsonl", [{"sample": "s1", "steps": steps, "output": "done"}])
    text = (ROOT / "src" / "benchbar" / "scoring" / "rubrics" / "data" / "consultation.toml").read_text("utf-8")
    (folder / "my-rubric.toml").write_text(text, "utf-8")


def _own_suite(folder: Path, run: Run) -> None:
    assert run("suite", "new", "my-suite", "--language", "zh").code == 0
    shutil.copytree(folder / "statutes", folder / "my-suite" / "law" / "acts")
    _table(folder / "my-suite", "samples.jsonl", [{"id": "s1", "task": "4-3", "needs": QUESTION, "guidance": "可以"}])


def _questions(folder: Path, run: Run) -> None:
    (folder / "questions.xlsx").write_bytes(
        workbook({"a": [["Question", "Expected answer"], ["Can a tenant get the deposit back?", "Yes"]]})
    )
    (folder / "questions.csv").write_text("Question,Expected answer\nMay rent rise twice a year?,No\n", "utf-8")
    shutil.copy(ROOT / "examples" / "vendor.xlsx", folder)
    _samples(folder, run)


def _clone(folder: Path, run: Run) -> None:
    clone(folder / "UCL-bench")
    _samples(folder, run)


def _prompts(folder: Path, _run: Run) -> None:
    shutil.copytree(ROOT / "src" / "benchbar" / "languages" / "zh" / "prompts", folder / "my-prompts" / "zh")


LAWS = {
    "company.md": (
        '+++\nlaw_id = "company"\nname = "公司法"\nadopted = 2023-12-29\nin_force = 2024-07-01\n+++\n# 公司法\n'
        "第十九条 公司应当遵守商业道德。\n第二十条 股东不得滥用权利。\n"
    ),
    "rent-2012.md": (
        '+++\nlaw_id = "rent-2012"\nname = "房屋租用法"\nadopted = 2012-01-01\nin_force = 2012-06-01\nuntil = 2021-12-31\n+++\n'
        "# 房屋租用法\n第一条 押金不得超过三个月租金。\n"
    ),
    "rent-2021.md": (
        '+++\nlaw_id = "rent-2021"\nname = "房屋租用法"\nadopted = 2021-10-01\nin_force = 2022-01-01\n+++\n'
        "# 房屋租用法\n第一条 押金不得超过两个月租金。\n"
    ),
}
CIVIL_CODE = (
    '+++\nlaw_id = "gk"\nname = "Гражданский кодекс Российской Федерации"\nshort_names = ["ГК РФ", "ГК"]\n'
    "adopted = 1994-11-30\nin_force = 1995-01-01\n+++\n# Гражданский кодекс\n"
    "Статья 130. Вещи\nСудно для перевозки считается вещью особого учёта.\n"
)
CASE = {
    "case_number": "（2019）京0105民初12345号",
    "court": "某区法院",
    "date": "2019-08-01",
    "title": "租赁纠纷",
    "text": "本院认为，押金应当退还。",
}


def _laws(folder: Path, run: Run) -> None:
    _own_suite(folder, run)
    for name, text in LAWS.items():
        (folder / "statutes" / name).write_text(text, "utf-8")
    (folder / "ru-law").mkdir()
    (folder / "ru-law" / "civil.md").write_text(CIVIL_CODE, "utf-8")
    _table(folder, "decisions.jsonl", [CASE])
    assert run("law", "index", "ru-law", "--out", "indexes/ru").code == 0
    (folder / "answer.txt").write_text("Согласно ст. 130 ГК РФ судно — вещь.\n", "utf-8")
    shutil.copytree(folder / "runs" / "monday", folder / "runs" / "july")
    (folder / "people.toml").write_text('"Anna" = ["matter-7", "partners"]\n', "utf-8")


def _official(folder: Path, _run: Run) -> None:
    for name in ("acts", "ru", "statutes", "cases_typical"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    for file in OFFICIAL.glob("clml-*.xml"):
        shutil.copy(file, folder / "acts")
    (folder / "ru" / "code.md").write_text(CIVIL_CODE, "utf-8")
    (folder / "ru" / "nameless.txt").write_text("Статья 1. Сбор устанавливает смотритель причала.\n", "utf-8")
    (folder / "statutes" / "company.md").write_text(LAWS["company.md"], "utf-8")
    _table(folder / "cases_typical", "cases.jsonl", [CASE])
    (folder / "legalize-ie" / "ie").mkdir(parents=True)
    for identifier in ("IE-2004-act-27", "IE-1977-act-10"):
        act = f'---\ntitle: "Quays Act 2004"\nidentifier: "{identifier}"\n---\n##### 1. **Berths.**\n\n**1.**—A berth is let in writing.\n'
        (folder / "legalize-ie" / "ie" / f"{identifier}.md").write_text(act, "utf-8")


def _russian(folder: Path, run: Run) -> None:
    assert run("law", "index", str(BUNDLED / "model-jurisdiction-ru" / "law"), "--out", "indexes/ru").code == 0
    _searched(folder, run)


def _searched(folder: Path, _run: Run) -> None:
    """Questions with the articles that answer them."""
    (folder / "queries").mkdir()
    for queries, answers in (("queries.jsonl", "qrels.tsv"), ("queries/3-2.jsonl", "queries/3-2.tsv")):
        _table(
            folder,
            queries,
            [{"query_id": "q1", "question": "押金最多几个月"}, {"query_id": "q2", "question": "试用期"}],
        )
        (folder / answers).write_text("q1\t0\t《房屋租赁法》第四条\t1\nq2\t0\t《房屋租赁法》第五条\t1\n", "utf-8")


def _public_law(folder: Path, run: Run) -> None:
    """Where the page has the public data, law and questions of our own."""
    data_folder = folder.parent / "shared" / "data"
    shutil.copytree(folder / "statutes", data_folder / "zh" / "statutes")
    shutil.copytree(BUNDLED / "model-jurisdiction-ru" / "law" / "acts", data_folder / "ru" / "codes")
    _searched(folder, run)
    (data_folder / "zh" / "stard").mkdir()
    shutil.copy(folder / "queries.jsonl", data_folder / "zh" / "stard" / "queries_even.jsonl")
    shutil.copy(folder / "qrels.tsv", data_folder / "zh" / "stard" / "qrels_even.tsv")


def _pairs_drawn(folder: Path, run: Run) -> None:
    """Every dialogue of a small run to be marked, and its pairs to be compared."""
    shutil.rmtree(folder / "runs" / "r")
    assert run("run", "spec.toml", "--limit", "2", "--out", "runs/r", "--set", "review.audit=1.0").code in {0, 1}
    assert run("review", "draw", "runs/r", "--ask", "preferences", "--size", "2", "--raters", "1").code == 0


def _compared(folder: Path, _run: Run) -> None:
    for name in ("old", "new"):
        shutil.rmtree(folder / "runs" / name)
        shutil.copytree(folder / "runs" / "r", folder / "runs" / name)


def _repeated(folder: Path, run: Run) -> None:
    shutil.rmtree(folder / "runs" / "r")
    assert run("run", "spec.toml", "--limit", "2", "--repeats", "2", "--out", "runs/r").code in {0, 1}


def _asked_once(folder: Path, run: Run) -> None:
    suite = ("--suite", "model-jurisdiction-zh-questions", "--limit", "2")
    assert run("run", *suite, "--assistant", "NAME=extractive", "--out", "runs/questions").code == 0


def _written(folder: Path, run: Run) -> None:
    """Questions that a model wrote, which the page runs before it says how to have them written."""
    (folder / "spec.toml").write_text(
        'suite = "my-questions"\n[assistants.a]\nkind = "law-practice"\ncorpus = "indexes/prc"\n'
    )
    _write_questions(folder, run)


def _write_questions(folder: Path, run: Run) -> None:
    model = ("--model", "author", "--base-url", f"{os.environ['BENCHBAR_TEST_CHAT']}/v1")
    kinds = ("--simple", "3", "--multi-article", "0", "--law-practice", "0")
    done = run("suite", "make-questions", "--law", "indexes/prc", *model, *kinds, "--out", "my-questions")
    assert done.code == 0, done.err


def _preferred(folder: Path, run: Run) -> None:
    shutil.rmtree(folder / "runs" / "r")
    url = f"{os.environ['BENCHBAR_TEST_CHAT']}/v1"
    (folder / "judged.toml").write_text(preferring_spec(url).replace("limit = 44", "limit = 22"), "utf-8")
    (folder / "candidates.toml").write_text('[candidates.looks]\nmodel = "judge"\n', "utf-8")
    assert run("run", "judged.toml", "--out", "runs/r").code == 0


def _online(folder: Path, _run: Run) -> None:
    shutil.copy(BUNDLED / "model-jurisdiction-zh" / "contracts" / "rules.jsonl", folder / "rules.jsonl")


def _shown(page: str, name: str) -> Callable[[Path, Run], None]:
    """Writes the file that the page itself shows under this name."""

    def write(folder: Path, _run: Run) -> None:
        named = (text for text in blocks(ROOT / "docs" / page, "toml") if text.startswith(f"# {name}"))
        (folder / name).write_text(next(named), "utf-8")

    return write


def filled(folder: Path, arguments: list[str], run: Run) -> None:
    """Do what people do between two commands: fill in the sheet that is to be imported, compare the pairs that were drawn."""
    if arguments[0] == "align" and not read_run_reviews(folder / arguments[1]).marks:
        prefer(folder, folder / arguments[1], run)
    if arguments[:2] == ["suite", "make-questions"]:
        shutil.rmtree(folder / "my-questions")
    if arguments[:3] == ["ledger", "copy", "runs/two"]:
        _in_a_file_only(folder, arguments[3], run)
    if arguments[:2] != ["review", "import"]:
        return
    file = folder / arguments[3]
    if file.name == "annotations.json":
        tasks = json.loads((folder / "tasks.json").read_text("utf-8"))
        score = {"from_name": "score", "to_name": "dialogue", "type": "number", "value": {"number": 70}}
        done = [one | {"annotations": [{"completed_by": {"email": "cy"}, "result": [score]}]} for one in tasks[:1]]
        file.write_text(json.dumps(done), "utf-8")
        return
    with (folder / file.name.replace("-anna", "")).open(encoding="utf-8-sig", newline="") as sheet:
        lines = list(csv.DictReader(sheet))
    marks = (
        {"rater": "anna", "referred": "yes", "right": "yes"} if "right" in lines[0] else {"rater": "bo", "score": "80"}
    )
    _table(folder, file.name, [lines[0] | marks, *lines[1:]])


def _in_a_file_only(folder: Path, target: str, run: Run) -> None:
    """The page's second story begins with the run of the first in a file, and a database that does not have it yet."""
    import psycopg

    address, _, name = target.partition("?run=")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA "benchbar:{name}" CASCADE')
    shutil.rmtree(folder / "runs" / name)
    assert run("run", "spec.toml", "--limit", "2", "--out", f"runs/{name}").code in {0, 1}


SHOWN = re.compile(r"[0-9a-f]{12}|simple-[0-9a-f]{10}")
"""The id of a task or question as the pages show it, which is another in every run."""
ROLES = {"m": "author", "model-j": "judge", "MODEL": "judge"}
PROTOCOLS = {
    "anthropic:MODEL": "anthropic:strong@{}/v1,api_key_env=BENCHBAR_TEST_KEY",
    "gemini:MODEL": "gemini:weak@{}/v1beta,api_key_env=BENCHBAR_TEST_KEY",
}
"""Names of models in the pages to those by which the server of the tests knows their role."""


def named_here(folder: Path, arguments: list[str]) -> list[str]:
    """The arguments with the ids that things have in this folder, and models that the server of the tests has."""
    if arguments[:2] == ["suite", "accept"]:
        kept = [
            json.loads(line)["id"] for line in (folder / "my-questions/samples.jsonl").read_text("utf-8").splitlines()
        ]
        return [kept[-1] if SHOWN.fullmatch(word) else word for word in arguments]
    if arguments[:2] in (["production", "accept"], ["production", "reject"]):
        kept = next((folder / arguments[2] / "traces").glob("*.jsonl")).read_text("utf-8").splitlines()
        ids = dict(zip(("TRACE", "OTHER"), (json.loads(line)["id"] for line in kept[:2]), strict=True))
        return [ids.get(word, word) for word in arguments]
    url = os.environ["BENCHBAR_TEST_CHAT"]
    for usual, here in PROTOCOLS.items():
        arguments = [word.replace(usual, here.format(url)) for word in arguments]
    # Stands in the page for each of several retrievers.
    arguments = [
        "lexical" if (before, word) == ("--retriever", "NAME") else word
        for before, word in zip(["", *arguments], arguments, strict=False)
    ]
    role = {"--judge"} | ({"--model"} if "make-questions" in arguments else set())
    arguments = [
        re.sub(r"^[\w-]+", lambda found: ROLES.get(found[0], found[0]), word) if before in role else word
        for before, word in zip(["", *arguments], arguments, strict=False)
    ]
    if arguments[:2] != ["review", "mark"]:
        return arguments
    wanted = "point" if "--referred" in arguments else "pair" if "--better" in arguments else "dialogue"
    reviews = read_run_reviews(folder / arguments[2])
    ids = [task.id for task in reviews.tasks.values() if _kind(task) == wanted]
    # A correction is of the mark that was made before it.
    return [ids[-1] if SHOWN.fullmatch(word) else word for word in arguments]


def _kind(task: ReviewTask) -> str:
    return "point" if task.judged else "pair" if task.against else "dialogue"


def _logs(folder: Path, _run: Run) -> None:
    """What promptfoo and AlpacaEval write, of forty questions."""
    asked = [f"Question {at}: which article applies?" for at in range(40)]
    rubric = {"type": "llm-rubric", "value": "names “Article 1”"}
    results = [
        {
            "promptIdx": 0,
            "testIdx": at,
            "vars": {"question": question},
            "prompt": {"raw": question, "label": "{{question}}"},
            "provider": {"id": "openai:m1"},
            "response": {"output": f"Article {at % 2}"},
            "success": bool(at % 2),
            "score": at % 2,
            "failureReason": 1 - at % 2,
            "gradingResult": {"componentResults": [{"pass": bool(at % 2), "assertion": rubric}]},
        }
        for at, question in enumerate(asked)
    ]
    stats = {"successes": 20, "failures": 20, "errors": 0}
    (folder / "results.json").write_text(
        json.dumps({"results": {"version": 3, "results": results, "stats": stats}}), "utf-8"
    )
    rows = [
        {
            "instruction": question,
            "output_1": "none",
            "output_2": f"Article {at % 2}",
            "generator_2": "m1",
            "preference": 1 + at % 2,
        }
        for at, question in enumerate(asked)
    ]
    (folder / "annotations.json").write_text(json.dumps(rows), "utf-8")
    run = folder / "lab" / "results" / "run"
    (run / "output").mkdir(parents=True)
    (run / "output" / "memo.md").write_text("The rent is $4,800.", "utf-8")
    verdict = {"id": "C-1", "title": "Rent", "verdict": "pass"}
    scores = {"all_pass": True, "n_criteria": 1, "n_passed": 1, "criteria_results": [verdict], "judge_model": "j"}
    (run / "scores.json").write_text(json.dumps(scores), "utf-8")
    (folder / "leaderboard.csv").write_text(",win_rate,standard_error,n_total\nm1,50.0,8.0,40\n", "utf-8")


def _lawyers(folder: Path, _run: Run) -> None:
    (folder / "lawyers.toml").write_text(blocks(ROOT / "docs" / "lawyer-baseline.md", "toml")[0], "utf-8")


def _legal_sets(folder: Path, _: Run) -> None:
    """A made copy of LawBench in its layout."""
    copy = folder / "LawBench" / "data" / "zero_shot"
    copy.mkdir(parents=True)
    for task, answer in (("1-2", "正确答案：A。"), ("2-7", "摘要")):
        rows = [{"instruction": "回答", "question": f"第{place}题\nA:甲;B:乙", "answer": answer} for place in range(3)]
        (copy / f"{task}.json").write_text(json.dumps(rows, ensure_ascii=False), "utf-8")


def _production(folder: Path, run: Run) -> None:
    spans = []
    for place, question in enumerate(("When is the deposit due back?", "Hello?"), start=1):
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": json.dumps([{"role": "user", "content": question}]),
            "gen_ai.output.messages": '[{"role": "assistant", "content": ""}]',
        }
        listed = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
        ids = {"traceId": str(place) * 32, "spanId": str(place) * 16, "startTimeUnixNano": "1767571200000000000"}
        spans.append({**ids, "attributes": listed})
    (folder / "spans.json").write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), "utf-8")
    # Their names are keyed hashes of this folder's own.
    assert run("production", "read", "production", "spans.json").code == 0
    # Where the browser makes its suites: a folder that is named to the server has to be there.
    (folder / "suites").mkdir(exist_ok=True)


def _agents(folder: Path, _run: Run) -> None:
    """The assistant of the page that is a model; the other is a program of the reader's own."""
    spec = blocks(ROOT / "docs" / "agents.md", "toml")[0].partition("[assistants.own]")[0]
    (folder / "agents.toml").write_text(
        spec.replace("http://127.0.0.1:8000", os.environ["BENCHBAR_TEST_CHAT"]), "utf-8"
    )


def with_image(folder: Path, arguments: list[str], image: str) -> list[str]:
    """The command with the image and the model that are here, in the files that it names too."""
    names = {"docker.io/library/python:3.12-slim": image, "qwen": "agent-memo"}
    spec = folder / "agents.toml"
    texts = [*arguments, spec.read_text("utf-8")]
    for usual, here in names.items():
        texts = [one.replace(usual, here) for one in texts]
    spec.write_text(texts.pop(), "utf-8")
    return texts


_MAKERS: dict[str, Callable[[Path, Run], None]] = {
    "judge-logs.md": _logs,
    "lawyer-baseline.md": _lawyers,
    "production.md": _production,
    "agents.md": _agents,
    "ablation.md": _clauses,
    "ask.md": _russian,
    "audit.md": _audited,
    "citations.md": _answers,
    "align.md": _preferred,
    "compare.md": _compared,
    "rag-evaluation.md": _written,
    "repeats.md": _repeated,
    "report.md": _asked_once,
    "interchange.md": _interchange,
    "judging.md": _prompts,
    "law.md": _laws,
    "legal-sets.md": _legal_sets,
    "law-recipes.md": _official,
    "public-sets.md": _public_sets,
    "retrieval.md": _russian,
    "review-online.md": _online,
    "results-retrieval.md": _public_law,
    "playbooks.md": _playbooks,
    "review-contract.md": _contracts,
    "review.md": _pairs_drawn,
    "rubrics.md": _rubrics,
    "run.md": _questions,
    "start.md": _questions,
    "stats-command.md": _statistics,
    "suite-format.md": _own_suite,
    "survey.md": _questionnaire,
    "deployment.md": _shown("deployment.md", "oidc.toml"),
    "web.md": _shown("web.md", "endpoints.toml"),
    "ucl-bench.md": _clone,
}
