"""Some 240 wrong inputs: the files, the command, and words of the sentence that has to come: what is wrong, where, what to do.

``{run}`` in a command is the folder of a finished run, which a case may damage: it is a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from support.workbook import workbook

GOOD = '{"id": "a", "task": "4-3", "needs": "我能拿回定金吗？", "guidance": "必须提及：定金"}\n'
SPEC = 'reference = "a"\nlimit = 1\n[assistants.a]\nkind = "closed-book"\n'
ENDPOINT = (
    'reference = "a"\nlimit = 1\n[assistants.a]\nkind = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'
)
LAW: dict[str, str | bytes] = {"d/a.md": "# 民法典\n\n第一条 民事主体的合法权益受法律保护。\n"}
HEAD = "id,task,needs,guidance\n"


class Wrong(NamedTuple):
    """One wrong input."""

    name: str
    command: str
    told: tuple[str, ...]
    """What has to stand in the output, in any order: the place, the cause, the cure."""
    files: dict[str, str | bytes] = {}
    damage: Callable[[Path], None] | None = None
    """What is done to the copy of the run."""


def _suites() -> Iterator[Wrong]:
    tables: list[tuple[str, str, str | bytes, tuple[str, ...]]] = [
        ("missing file", "", "", ("none.csv", "suite list")),
        ("empty csv", "t.csv", "", ("t.csv", "no usable sample")),
        ("head alone", "t.csv", HEAD, ("t.csv", "no ")),
        ("empty jsonl", "t.jsonl", "", ("t.jsonl",)),
        ("jsonl of a list", "t.jsonl", "[1, 2]\n", ("t.jsonl", "line 1", "object")),
        ("jsonl of a number", "t.jsonl", "7\n", ("t.jsonl", "line 1", "object")),
        ("jsonl cut off", "t.jsonl", GOOD[:30] + "\n", ("t.jsonl", "line 1", "JSON")),
        ("json cut off", "t.json", '[{"id": ', ("t.json", "JSON")),
        ("json nested deep", "t.json", "[" * 9000 + "]" * 9000, ("t.json", "nested too deep")),
        ("json of words", "t.json", '"hello"', ("t.json",)),
        ("unknown task", "t.jsonl", GOOD.replace("4-3", "9-9"), ("unknown task '9-9'", "known:")),
        ("no needs", "t.jsonl", '{"id": "a", "task": "4-3", "guidance": "x"}\n', ("t.jsonl", "needs")),
        ("empty needs", "t.jsonl", GOOD.replace("我能拿回定金吗？", " "), ("t.jsonl", "needs", "empty")),
        ("number for needs", "t.jsonl", '{"id": 1, "task": "4-3", "needs": {"a": 1}}\n', ("t.jsonl", "needs")),
        ("same id twice", "t.jsonl", GOOD * 2, ("t.jsonl", "second", "the first one is kept")),
        ("unknown field", "t.jsonl", GOOD.replace('"guidance"', '"guidence"'), ("guidence", "t.jsonl", "line 1")),
        ("US date", "t.jsonl", GOOD[:-2] + ', "on": "01/02/2024"}\n', ("on", "01/02/2024", "2024-")),
        ("impossible date", "t.jsonl", GOOD[:-2] + ', "on": "2024-02-30"}\n', ("on", "2024-02-30")),
        ("date in words", "t.jsonl", GOOD[:-2] + ', "on": "soon"}\n', ("on", "soon")),
        ("year alone", "t.jsonl", GOOD[:-2] + ', "on": "2024"}\n', ("on", "2024")),
        ("unknown category", "t.jsonl", GOOD.replace("必须提及：定金", "推荐看看提及：定金"), ("推荐看看提及",)),
        (
            "weight in words",
            "t.jsonl",
            GOOD.replace(
                '"必须提及：定金"', '{"points": [{"id": "p", "category": "mandatory", "text": "x", "weight": "heavy"}]}'
            ),
            ("weight",),
        ),
        (
            "unknown kind",
            "t.jsonl",
            GOOD.replace(
                '"必须提及：定金"', '{"points": [{"id": "p", "category": "mandatory", "text": "x", "kind": "magic"}]}'
            ),
            ("magic",),
        ),
        (
            "point without text",
            "t.jsonl",
            GOOD.replace('"必须提及：定金"', '{"points": [{"id": "p", "category": "mandatory"}]}'),
            ("text",),
        ),
        ("guidance is a list", "t.jsonl", GOOD.replace('"必须提及：定金"', "[1]"), ("guidance",)),
        ("tags of numbers", "t.jsonl", GOOD[:-2] + ', "tags": 7}\n', ("tags",)),
        ("no columns known", "t.csv", "foo,bar\n1,2\n", ("t.csv", "foo", "bar")),
        (
            "two question columns",
            "t.csv",
            "question,prompt\nWhat is law here?,Why is it so?\n",
            ("question", "prompt", "--map"),
        ),
        ("zip as xlsx", "t.xlsx", b"PK\x03\x04nothing", ("t.xlsx",)),
        ("text as xlsx", "t.xlsx", "a,b\n1,2\n", ("t.xlsx",)),
        ("text as docx", "t.docx", "hello", ("t.docx",)),
        ("text as parquet", "t.parquet", "hello", ("parquet",)),
        ("unknown ending", "t.abc", GOOD, ("t.abc", ".csv")),
        ("old excel", "t.xls", b"\xd0\xcf\x11\xe0", ("t.xls", ".xlsx")),
        ("nul bytes", "t.csv", b"id,task,needs\n\0\0\0,4-3,x\n", ("t.csv",)),
        ("binary", "t.csv", bytes(range(256)) * 4, ("t.csv",)),
        ("quotation mark open", "t.csv", HEAD + 'a,4-3,"open\n', ("t.csv",)),
        ("too many cells", "t.csv", HEAD + "a,4-3,我能拿回定金吗？,x,y,z\n", ("t.csv",)),
    ]
    yield Wrong(
        "suite: unknown level",
        "suite check s",
        ("tasks.jsonl:1", "level", "aply", "apply", "memory"),
        {
            "s/card.toml": 'name = "x"\nlanguage = "en"\n',
            "s/tasks.jsonl": '{"id": "t", "name": "T", "level": "aply", "scenarios": []}\n',
            "s/samples.jsonl": '{"id": "a", "task": "t", "needs": "Why?"}\n',
        },
    )
    yield Wrong(
        "suite: unknown language of a card",
        "suite check s",
        ("'xx' is no language", "zh-Hant"),
        {"s/card.toml": 'name = "x"\nlanguage = "xx"\n', "s/samples.jsonl": GOOD},
    )
    yield Wrong(
        "suite: unknown language of a sample",
        "suite check t.jsonl",
        ("t.jsonl:2", "language", "'xx' is no language"),
        {"t.jsonl": GOOD + GOOD.replace('"a"', '"b"')[:-2] + ', "language": "xx"}\n'},
    )
    for name, file, content, told in tables:
        yield Wrong(f"suite: {name}", f"suite check {file or 'none.csv'}", told, {file: content} if file else {})
    yield Wrong("suite: folder without card", "suite check s", ("card.toml",), {"s/samples.jsonl": GOOD})
    yield Wrong(
        "suite: card cut off", "suite check s", ("card.toml",), {"s/samples.jsonl": GOOD, "s/card.toml": "name = "}
    )
    yield Wrong(
        "suite: card without name",
        "suite check s",
        ("card.toml", "name"),
        {"s/samples.jsonl": GOOD, "s/card.toml": 'source = "x"\n'},
    )
    yield Wrong(
        "suite: card with a misspelt field",
        "suite check s",
        ("card.toml", "licens"),
        {"s/samples.jsonl": GOOD, "s/card.toml": 'name = "x"\nlicens = "MIT"\n'},
    )
    yield Wrong("suite: no samples in the folder", "suite check s", ("samples",), {"s/card.toml": 'name = "x"\n'})
    yield Wrong(
        "suite: unknown bundled name", "suite show model-jurisdiction-fr", ("model-jurisdiction-fr", "did you mean")
    )
    yield Wrong("suite: unknown sample", "suite show model-jurisdiction-zh nope", ("nope", "known"))
    yield Wrong("suite: unknown reader", "suite import lawbnch t.json", ("lawbnch", "lawbench"), {"t.json": "{}"})
    yield Wrong(
        "suite: import of another shape", "suite import ucl-bench t.json", ("t.json", "task name"), {"t.json": "[]"}
    )
    yield Wrong(
        "suite: import of a folder without data",
        "suite import ucl-bench d",
        ("d", "name the folder of the clone"),
        {"d/x.txt": "x"},
    )
    yield Wrong(
        "suite: map of an unknown field",
        "suite check t.csv --map nedes=question",
        ("nedes", "needs"),
        {"t.csv": "question\nCan I get my deposit back?\n"},
    )
    yield Wrong(
        "suite: map to no column",
        "suite check t.csv --map needs=Frage",
        ("Frage", "question"),
        {"t.csv": "question\nCan I get my deposit back?\n"},
    )
    yield Wrong(
        "suite: map without a sign",
        "suite check t.csv --map needs",
        ("needs", "="),
        {"t.csv": "question\nCan I get my deposit back?\n"},
    )


def _specs() -> Iterator[Wrong]:
    specs: list[tuple[str, str, tuple[str, ...]]] = [
        ("no toml", "suite = \n", ("s.toml:1", "TOML")),
        ("empty", "", ("assistant",)),
        ("misspelt field", SPEC.replace("reference", "referense"), ("referense", "reference")),
        ("unknown language", 'suite = "t.csv"\nlanguage = "xx"\n' + SPEC, ("'xx' is no language", "zh")),
        ("misspelt table", SPEC.replace("assistants", "asistants"), ("asistants", "assistants")),
        ("unknown kind", SPEC.replace("closed-book", "closed-bok"), ("closed-bok", "closed-book")),
        ("kind missing", SPEC.replace('kind = "closed-book"', ""), ("kind",)),
        ("reference unknown", SPEC.replace('"a"', '"b"', 1), ("'b'", "a")),
        ("limit in words", SPEC.replace("limit = 1", 'limit = "one"'), ("limit",)),
        ("negative limit", SPEC.replace("limit = 1", "limit = -1"), ("limit",)),
        ("exchanges none", "exchanges = 0\n" + SPEC, ("exchanges",)),
        ("suite missing", 'suite = "nope"\n' + SPEC, ("nope", "known:")),
        ("unknown task", 'tasks = ["9-9"]\n' + SPEC, ("9-9",)),
        ("date of a kind", 'on = "01/02/2024"\n' + SPEC, ("on", "01/02/2024")),
        ("law missing", 'law = "nowhere"\n' + SPEC, ("nowhere",)),
        ("prompts missing", 'prompts = "nowhere"\n' + SPEC, ("nowhere",)),
        ("rubric missing", 'rubric = "nowhere"\n' + SPEC, ("nowhere", "consultation")),
        ("gate missing", 'gate = "nowhere"\n' + SPEC, ("nowhere",)),
        ("scorer missing", 'scorers = ["nope"]\n' + SPEC, ("nope",)),
        ("simulator unknown", SPEC + '[simulator]\nkind = "agend"\n', ("agend", "agenda")),
        ("simulator without model", SPEC + '[simulator]\nkind = "llm"\n', ("model",)),
        ("temperament unknown", SPEC + '[simulator]\nkind = "agenda"\ntemperaments = ["grumpy"]\n', ("grumpy", "calm")),
        ("judge without model", SPEC + '[judge]\nkind = "pairwise"\n', ("judge", "model")),
        (
            "judge of unknown form",
            ENDPOINT + '[judge]\nkind = "pairwse"\nmodel = "j"\nbase_url = "http://127.0.0.1:9/v1"\n',
            ("pairwse", "pairwise"),
        ),
        (
            "judge never asked",
            ENDPOINT + '[judge]\nrepeats = 0\nmodel = "j"\nbase_url = "http://127.0.0.1:9/v1"\n',
            ("repeats", "1"),
        ),
        ("budget in words", SPEC + '[limits]\nmax_cost = "much"\n', ("max_cost",)),
        ("budget below none", SPEC + "[limits]\nmax_cost = -1.0\n", ("max_cost",)),
        ("limits misspelt", SPEC + "[limits]\nmax_cots = 1\n", ("max_cots", "max_cost")),
        ("concurrency none", SPEC + "[limits]\nconcurrency = 0\n", ("concurrency",)),
        (
            "name of an assistant",
            SPEC.replace("[assistants.a]", '[assistants."a/b"]').replace('"a"', '"a/b"', 1),
            ("a/b",),
        ),
        ("assistants a list", 'assistants = ["a"]\n', ("assistants",)),
        ("recorded without file", SPEC.replace("closed-book", "recorded"), ("file",)),
        ("recorded file missing", SPEC.replace('"closed-book"', '"recorded"\nfile = "none.jsonl"'), ("none.jsonl",)),
        ("python module missing", SPEC.replace('"closed-book"', '"python"\nobject = "nowhere:f"'), ("nowhere",)),
    ]
    for name, text, told in specs:
        table = "question\nCan I get my deposit back?\n"
        yield Wrong(f"spec: {name}", "run s.toml --quiet", told, {"s.toml": text, "t.csv": table})
    yield Wrong("spec: missing", "run none.toml", ("none.toml",))
    yield Wrong("spec: a folder", "run s", ("s",), {"s/x.txt": "x"})
    yield Wrong("spec: misspelt option", "run --refrence a", ("--refrence", "--reference"))
    yield Wrong("spec: misspelt command", "rnu", ("rnu", "run"))
    yield Wrong("spec: setting without a sign", "run --set exchanges", ("exchanges", "="))
    yield Wrong("spec: setting of nothing", "run --set exchagnes=2 --quiet", ("exchagnes", "exchanges"))
    yield Wrong("spec: assistant without a kind", "run --assistant a", ("a", "="))
    yield Wrong("spec: assistant of an unknown kind", "run --assistant a=anthropic:claude", ("anthropic",))
    yield Wrong("spec: two of one name", "run --assistant a=closed-book --assistant a=extractive", ("'a'", "name"))
    yield Wrong(
        "spec: check finds it too",
        "check s.toml",
        ("referense", "reference"),
        {"s.toml": SPEC.replace("reference", "referense")},
    )


def _endpoints() -> Iterator[Wrong]:
    urls = [
        ("nobody there", "http://127.0.0.1:9/v1", ("127.0.0.1:9", "assistant a")),
        ("unknown host", "http://no-such-host.invalid/v1", ("no-such-host.invalid",)),
        ("no scheme", "127.0.0.1:9/v1", ("base_url", "http://")),
        ("file address", "file:///etc/passwd", ("base_url", "http://")),
        ("key in the address", "http://x.invalid/v1?api_key=sk-1", ("api_key_env",)),
        ("user in the address", "http://u:p@x.invalid/v1", ("api_key_env",)),
        ("port of letters", "http://127.0.0.1:port/v1", ("port",)),
    ]
    for name, url, told in urls:
        yield Wrong(
            f"endpoint: {name}", "run s.toml --quiet", told, {"s.toml": ENDPOINT.replace("http://127.0.0.1:9/v1", url)}
        )
    fields = [
        ("key variable unset", 'api_key_env = "BENCHBAR_NO_SUCH_KEY"', ("BENCHBAR_NO_SUCH_KEY",)),
        ("the key itself", 'api_key_env = "sk-abc.def"', ("api_key_env", "variable")),
        ("api_key", 'api_key = "sk-abc"', ("api_key", "api_key_env")),
        ("misspelt field", 'base_ur = "x"', ("base_ur", "base_url")),
        ("negative price", "price = { input = -1.0, output = 1.0 }", ("price", "0")),
        ("half a price", "price = { input = 1.0 }", ("price", "output")),
        ("own model twice", 'params = { model = "x" }', ("params", "model")),
        ("timeout in words", 'timeout = "long"', ("timeout",)),
        ("tries none", "tries = 0", ("tries",)),
    ]
    for name, line, told in fields:
        yield Wrong(f"endpoint: {name}", "run s.toml --quiet", told, {"s.toml": ENDPOINT + line + "\n"})
    yield Wrong("endpoint: budget without prices", "run s.toml --quiet --max-cost 1", ("price",), {"s.toml": ENDPOINT})
    yield Wrong(
        "endpoint: outside, though local only",
        "run s.toml --quiet --local-only",
        ("x.invalid",),
        {"s.toml": ENDPOINT.replace("127.0.0.1:9", "x.invalid")},
    )


def _policies() -> Iterator[Wrong]:
    policies = [
        ("no toml", "[at_least\n", ("p.toml:1", "TOML")),
        ("unknown measure", "[at_least]\noveral = 0.5\n", ("overal", "overall")),
        ("unknown table", "[at_lest]\noverall = 0.5\n", ("at_lest", "at_least")),
        ("number in quotes", '[at_least]\noverall = "0.5"\n', ("overall",)),
        ("contradiction", "[at_least]\noverall = 0.9\n[at_most]\noverall = 0.1\n", ("overall",)),
        ("confidence beyond 1", "confidence = 95\n[at_least]\noverall = 0.5\n", ("confidence",)),
        ("negative minimum", "minimum_n = -3\n[at_least]\noverall = 0.5\n", ("minimum_n",)),
        ("missing without a reason", '[missing]\nassume = "as_observed"\n[at_least]\noverall = 0.5\n', ("reason",)),
        (
            "unknown assumption",
            '[missing]\nassume = "fine"\nreason = "x"\n[at_least]\noverall = 0.5\n',
            ("fine", "p.toml", "missing.assume"),
        ),
        ("threshold in percent", "[at_least]\noverall = 85\n", ("overall", "0 to 1")),
    ]
    for name, text, told in policies:
        yield Wrong(f"policy: {name}", "gate {run} --policy p.toml", told, {"p.toml": text})
    yield Wrong("policy: missing", "gate {run} --policy none.toml", ("none.toml",))
    yield Wrong("policy: unknown assistant", "gate {run} --assistant nobody", ("nobody",))
    yield Wrong("policy: baseline is no run", "gate {run} --baseline .", ("results.json",))
    yield Wrong("policy: unknown language", "gate {run} --language tlh", ("tlh", "zh"))


def _runs() -> Iterator[Wrong]:
    yield Wrong("run: missing", "report nowhere", ("nowhere",))
    yield Wrong("run: an empty folder", "report .", ("results.json",))
    yield Wrong("run: missing, for the gate", "gate nowhere", ("nowhere",))
    yield Wrong("run: missing, to compare", "compare nowhere {run}", ("nowhere",))
    yield Wrong("run: missing, for stability", "stability nowhere", ("nowhere",))
    yield Wrong("run: missing, to review", "review next nowhere --rater anna", ("nowhere",))
    yield Wrong(
        "run: results cut off",
        "report {run} --format md",
        ("results.json",),
        damage=lambda run: _cut(run / "results.json"),
    )
    yield Wrong(
        "run: results of nonsense",
        "gate {run}",
        ("results.json",),
        damage=lambda run: (run / "results.json").write_text('{"version": 99}'),
    )
    yield Wrong(
        "run: spec of the run cut off",
        "run --out {run} --quiet",
        ("run.json",),
        damage=lambda run: _cut(run / "run.json"),
    )
    yield Wrong(
        "run: measures cut off", "gate {run}", ("measures.jsonl",), damage=lambda run: _cut(run / "measures.jsonl")
    )
    yield Wrong(
        "run: dialogues are gone",
        "report {run}",
        ("dialogues.jsonl",),
        damage=lambda run: (run / "dialogues.jsonl").unlink(),
    )
    yield Wrong("run: another spec", "run --out {run} --quiet --set exchanges=2", ("exchanges", "--accept-changes"))
    yield Wrong("run: unknown format", "report {run} --format pdf", ("pdf", "html"))
    yield Wrong("run: out is a file", "run --out taken --quiet --limit 1", ("taken",), {"taken": "x"})
    yield Wrong("ledger: missing", "ledger check nowhere", ("nowhere",))
    yield Wrong(
        "ledger: empty file",
        "ledger check {run}",
        ("ledger",),
        damage=lambda run: (run / "ledger.sqlite").write_bytes(b""),
    )
    yield Wrong(
        "ledger: no database",
        "ledger check {run}",
        ("ledger",),
        damage=lambda run: (run / "ledger.sqlite").write_bytes(b"hello" * 500),
    )
    yield Wrong("ledger: cut off", "ledger check {run}", ("ledger",), damage=lambda run: _cut(run / "ledger.sqlite"))
    yield Wrong("ledger: of another program", "ledger check {run}", ("ledger",), damage=_foreign)
    yield Wrong(
        "ledger: address of nothing",
        "run --ledger postgres://no-such-host.invalid/x --quiet --limit 1",
        ("no-such-host.invalid",),
    )


def _recorded() -> Iterator[Wrong]:
    answers = [
        ("no sample", '{"answer": "x"}\n', ("a.jsonl:1", "sample")),
        ("no answer", '{"sample": "1-1-001"}\n', ("a.jsonl:1", "answer")),
        ("twice", '{"sample": "1-1-001", "answer": "x"}\n' * 2, ("a.jsonl:2", "second answer")),
        ("cut off", '{"sample": "1-1-001", "ans', ("a.jsonl", "JSON")),
        (
            "turns of an unknown role",
            '{"sample": "1-1-001", "turns": [{"role": "king", "content": "x"}]}\n',
            ("a.jsonl:1", "role"),
        ),
        ("turns of numbers", '{"sample": "1-1-001", "turns": [1]}\n', ("a.jsonl:1",)),
        ("empty", "", ("a.jsonl",)),
    ]
    for name, text, told in answers:
        command = "run --assistant a=recorded:a.jsonl --assistant b=closed-book --limit 1 --quiet"
        yield Wrong(f"answers: {name}", command, told, {"a.jsonl": text})


def _marks() -> Iterator[Wrong]:
    head = "task,rater,score\n"
    marks = [
        ("empty", "", ("m.csv", "no mark")),
        ("unknown columns", "foo,bar\n1,2\n", ("m.csv", "task")),
        ("unknown task", head + "nope,anna,50\n", ("nope",)),
        ("mark beyond 100", head + "nope,anna,500\n", ("m.csv",)),
        ("mark in words", head + "nope,anna,good\n", ("m.csv",)),
        ("no rater", head + "nope,,50\n", ("rater",)),
    ]
    for name, text, told in marks:
        yield Wrong(f"marks: {name}", "review import {run} m.csv", told, {"m.csv": text})
    yield Wrong("marks: unknown task on the command line", "review mark {run} nope --rater anna --score 50", ("nope",))
    table = "one,two\n1,0\n0,1\n"
    yield Wrong("marks: raters of no column", "stats agree t.csv --raters anna,bo", ("anna", "one"), {"t.csv": table})
    yield Wrong(
        "marks: outcome in words", "stats winrate t.csv --preference one", ("t.csv",), {"t.csv": "one\nmaybe\nyes\n"}
    )
    yield Wrong("marks: empty table to audit", "audit t.csv", ("t.csv",), {"t.csv": ""})
    yield Wrong("marks: table without numbers", "audit t.csv", ("t.csv",), {"t.csv": "a,b\nx,y\n"})
    yield Wrong("marks: rubric of nonsense", "rubric check r.toml", ("r.toml",), {"r.toml": "dimensions = 7\n"})
    yield Wrong("marks: unknown rubric", "rubric check consultatoin", ("consultatoin", "consultation"))
    yield Wrong(
        "marks: survey of nonsense",
        "survey analyse r.csv --questionnaire q.toml --out o",
        ("q.toml",),
        {"r.csv": "a\n1\n", "q.toml": "x = 1\n"},
    )


def _contracts() -> Iterator[Wrong]:
    files: list[tuple[str, str, str | bytes, tuple[str, ...]]] = [
        ("missing", "", "", ("none.docx",)),
        ("empty text", "c.txt", "", ("c.txt",)),
        ("blank text", "c.txt", " \n\n ", ("c.txt",)),
        ("empty word", "c.docx", b"", ("c.docx",)),
        ("text as word", "c.docx", "第一条 定金", ("c.docx",)),
        ("zip as word", "c.docx", b"PK\x05\x06" + b"\0" * 18, ("c.docx",)),
        ("text as pdf", "c.pdf", "第一条 定金", ("c.pdf",)),
        ("cut pdf", "c.pdf", b"%PDF-1.7\n1 0 obj\n<<", ("c.pdf",)),
        ("picture", "c.png", b"\x89PNG\r\n\x1a\n", ("c.png", ".docx")),
        ("old word", "c.doc", b"\xd0\xcf\x11\xe0", ("c.doc", ".docx")),
    ]
    for name, file, content, told in files:
        yield Wrong(
            f"contract: {name}", f"review-contract {file or 'none.docx'}", told, {file: content} if file else {}
        )
    yield Wrong(
        "contract: law missing",
        "review-contract c.txt --law nowhere",
        ("nowhere",),
        {"c.txt": "第一条 定金为合同价款的百分之三十。\n"},
    )
    yield Wrong(
        "contract: rules of nonsense",
        "review-contract c.txt --rules r.jsonl",
        ("r.jsonl",),
        {"c.txt": "第一条 定金为合同价款的百分之三十。\n", "r.jsonl": "{}\n"},
    )


def _law() -> Iterator[Wrong]:
    yield Wrong("law: path missing", "law index nowhere --out i", ("nowhere",))
    yield Wrong("law: empty folder", "law index d --out i", ("d",), {"d/x.bin": b"\0\1"})
    yield Wrong("law: empty file", "law index d --out i", ("d",), {"d/a.md": ""})
    yield Wrong("law: text of no law", "law index d --out i", ("d",), {"d/a.md": "hello world\n"})
    yield Wrong("law: json lines of nonsense", "law index a.jsonl --out i", ("a.jsonl",), {"a.jsonl": "{}\n"})
    yield Wrong("law: index missing", 'law cite "《民法典》第一条" --law nowhere', ("nowhere",))
    yield Wrong("law: index of nonsense", 'law cite "《民法典》第一条" --law d', ("d",), {"d/x.txt": "x"})
    yield Wrong("law: US date", 'law cite "《民法典》第一条" --law d --on 01/02/2024', ("01/02/2024",), LAW)
    yield Wrong("law: impossible date", 'law cite "《民法典》第一条" --law d --on 2024-02-30', ("2024-02-30",), LAW)
    yield Wrong("law: unknown language", 'law cite "x" --language klingon', ("klingon", "zh"))
    yield Wrong(
        "law: text file of bytes", "law cite a.txt --law d", ("a.txt",), LAW | {"a.txt": bytes(range(128, 256)) * 8}
    )
    yield Wrong(
        "law: queries of nonsense",
        "law evaluate --queries q.jsonl --qrels r.tsv --law d",
        ("q.jsonl",),
        LAW | {"q.jsonl": "{}\n", "r.tsv": ""},
    )
    yield Wrong("law: question without law", 'ask "x" --law nowhere', ("nowhere",))


def _cut(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def _foreign(run: Path) -> None:
    import sqlite3

    (run / "ledger.sqlite").unlink()
    with sqlite3.connect(run / "ledger.sqlite") as database:
        database.execute("create table other (x)")
    database.close()


def _brought() -> Iterator[Wrong]:
    """What strangers have on their disks: sheets, downloads and exports that are nearly a table of questions."""
    question, head = "Can the landlord keep my deposit?", ["Question", "Expected answer"]
    row = [question, "No."]
    csv = "Question,Expected answer\n"
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    files: list[tuple[str, str, str | bytes, tuple[str, ...]]] = [
        ("title above heads that nobody knows", "t.xlsx", workbook({"S": [["Fragen 2024"], ["Frage", "Antwort"], row]}), ("t.xlsx:1", "delete what is above")),
        ("a title of two cells", "t.xlsx", workbook({"S": [["Questions", "2024"], head, row]}), ("t.xlsx:1", "row 2", "delete what is above")),
        ("notes above, question in column B", "t.xlsx", workbook({"S": [["By Anna"], [None, "Question"], [None, question]]}), ("row 1", "row 2")),
        ("two sheets", "t.xlsx", workbook({"A": [head, row], "B": [head, row]}), ("A, B", "--sheet NAME", "a file of its own")),
        ("all sheets hidden", "t.xlsx", workbook({"A": [head, row]}, hidden=["A"]), ("hidden (A)", "unhide")),
        ("merged head", "t.xlsx", workbook({"S": [["Question", None, "Answers"], ["Q", "Id", "A"], row]}), ("t.xlsx:1", "column 2 has no name")),
        ("errors of Excel", "t.xlsx", workbook({"S": [head, ["#REF!", "No."], row]}), ("t.xlsx:2", "#REF!", "mend the cell")),
        ("an empty workbook", "t.xlsx", b"", ("0 bytes", "again")),
        ("a password", "t.xlsx", ole, ("encrypted", "without a password")),
        ("Excel's lock file", "~$t.xlsx", b"x" * 165, ("lock file", "close")),
        ("old Excel", "t.xls", ole, ("ending .xls", "Save or download it as .xlsx")),
        ("OpenDocument", "t.ods", b"PK", ("ending .ods", "as .xlsx")),
        ("Numbers", "t.numbers", b"PK", ("ending .numbers", "as .xlsx")),
        ("a shortcut to Google's sheet", "t.gsheet", "{}", ("ending .gsheet", "download it as .xlsx")),
        ("old Word", "t.doc", ole, ("ending .doc", "as .docx")),
        ("rich text", "t.rtf", "{\\rtf1}", ("ending .rtf", "as .docx")),
        ("OpenDocument text", "t.odt", b"PK", ("ending .odt", "as .docx")),
        ("PDF", "t.pdf", b"%PDF-1.7", ("ending .pdf", "Copy the questions into a table")),
        ("a picture", "t.png", b"\x89PNG", ("ending .png", "Copy the questions")),
        ("Markdown", "t.md", "# Q", ("ending .md", "Copy the questions")),
        ("a page", "t.html", "<html>", ("ending .html", "Copy the questions")),
        ("an archive", "t.zip", b"PK\x05\x06", ("ending .zip", "Unpack it")),
        ("no ending", "questions", csv, ("ending none", "Give the file the ending")),
        ("a sign-in page as CSV", "t.csv", "<!DOCTYPE html><html>Sign in</html>", ("web page", "download the table itself")),
        ("a sign-in page as XLSX", "t.xlsx", "<html>Sign in</html>", ("web page", "download the table itself")),
        ("formulas", "t.csv", csv + '"=CONCAT(A1,B1)",No.\nMay I go?,Yes.\n', ("t.csv:2", "a formula", "with its values")),
        ("numbers for questions", "t.csv", csv + "1,No.\n2,No.\n", ("line 2", "'1' is no question", "--map needs=COLUMN")),
        ("empty questions", "t.csv", csv + ",No.\n", ("line 2", "field `Question`", "the question is empty")),
        ("a head alone", "t.csv", "Question;Expected answer\n", ("t.csv", "a head and no row")),
        ("no head", "t.csv", f"{question},No.\nMay I leave?,Yes.\n", ("no column holds the question", "put a row of names above")),
        ("a text of questions", "t.txt", f"{question}\nMay I leave?\n", ("no column holds the question", "row of names")),
        ("one question twice", "t.csv", csv + f"{question},No.\n{question},Yes.\n", ("t.csv:3", "The question is the same")),
        ("rounded ids", "t.csv", HEAD + "1E+05,4-3,我能退吗？,必须提及：退\n1E+05,4-3,我能换吗？,必须提及：换\n", ("1E+05", "column as text")),
        ("two expected answers", "t.csv", "Question,Expected answer,Reference\nMay I go?,No.,Yes.\n", ("Expected answer", "Reference", "--map")),
        ("two columns of one name", "t.csv", "Question,Question\nMay I go?,Why?\n", ("Question", "rename one")),
        ("an object for a list", "t.json", '{"a": {"question": "Why?"}}', ("expected a list of objects",)),
        ("texts for objects", "t.jsonl", '"Why?"\n', ("line 1", "a JSON object was expected")),
        ("an empty JSON", "t.json", "", ("0 bytes",)),
        ("an empty Word", "t.docx", b"", ("0 bytes",)),
        ("an export without a word", "c.json", '[{"mapping": {"a": {"message": null}}}]', ("c.json", "mapping")),
        ("an export without an answer", "c.json", '[{"chat_messages": [{"sender": "human", "text": "Why?"}]}]', ("c.json", "chat_messages")),
    ]  # fmt: skip
    for name, file, content, told in files:
        yield Wrong(f"brought: {name}", f"start '{file}' --assistant a=closed-book --dry-run", told, {file: content})
    yield Wrong(
        "brought: a sheet that is not there",
        "start t.xlsx --sheet C --dry-run",
        ("t.xlsx", "no sheet 'C'", "there are A, B"),
        {"t.xlsx": workbook({"A": [head, row], "B": [head, row]})},
    )
    yield Wrong(
        "brought: a link",
        "start https://docs.google.com/spreadsheets/d/abc/edit",
        ("docs.google.com", "nothing is downloaded", "save the table"),
    )
    yield Wrong("brought: a link to run", "run https://example.com/q.xlsx", ("nothing is downloaded", "save the table"))
    yield Wrong(
        "brought: a folder of mixed files",
        "start d",
        ("a.csv", "b.jsonl", "Name the file of questions first"),
        {"d/a.csv": csv + f"{question},No.\n", "d/b.jsonl": "{}"},
    )
    yield Wrong("brought: a folder without a table", "start d", ("no file that ends in", ".xlsx"), {"d/readme.md": "x"})
    for path, cure in (("", "/v1"), ("/v1/chat/completions", "is right: http://127.0.0.1:9/v1")):
        yield Wrong(
            f"brought: an address with the path {path or 'left out'}",
            f"start t.csv --model m --base-url http://127.0.0.1:9{path}",
            (cure,) if path else ("127.0.0.1:9", "refused"),
            {"t.csv": csv + f"{question},No.\n"},
        )


WRONG: list[Wrong] = [
    *_suites(),
    *_brought(),
    *_specs(),
    *_endpoints(),
    *_policies(),
    *_runs(),
    *_recorded(),
    *_marks(),
    *_contracts(),
    *_law(),
]
