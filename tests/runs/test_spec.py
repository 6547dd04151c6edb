"""A spec's file: every fault in one go with its place, tables of endpoints, variables of the environment, its schema."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.records.errors import BadInputError
from benchbar.records.toml_places import places_of
from benchbar.runs.checking import check_spec
from benchbar.runs.manifest import read_manifest
from benchbar.runs.spec_reading import as_spec, read_spec
from benchbar.runs.spec_schema import LINE, spec_schema
from support.in_process import runner

ROOT = Path(__file__).resolve().parents[2]
SECRET = "sk-not-to-be-shown-123456"
FAULTY = f"""
suite = "model-jurisdiction-zh"
referense = "base"
exchanges = "three"

[endpoints.local]
base_url = "${{NO_SUCH_VARIABLE}}"
tires = 3

[endpoints.other]
base_url = "http://127.0.0.1:9/v1?api_key={SECRET}"

[assistants.base]
kind = "openai"
endpoint = "locl"
model = "a"
base_ur = "http://127.0.0.1:9/v1"

[assistants.new]
kind = "opnai"

[assistants.old]
kind = "recorded"

[judge]
kind = ["pairwise", "chekclist"]
api_key = "{SECRET}"
model = "x"
repeats = "2"
panel = [{{ model = "y" }},
  {{ model = "z", tries = "x" }}]

[limits]
max_cots = 2
"""
EXPECTED = [
    (3, "referense", "did you mean 'reference'?"),
    (4, "exchanges", "expected a whole number; found text"),
    (7, "base_url", "NO_SUCH_VARIABLE is not set"),
    (8, "tires", "did you mean 'tries'?"),
    (11, "base_url", "a key stands in the address of 127.0.0.1"),
    (15, "endpoint", "no table [endpoints.locl] (did you mean 'local'?); there are: local, other"),
    (17, "base_ur", "unknown setting `base_ur` (did you mean 'base_url'?); known: model, base_url, system"),
    (20, "kind", "unknown assistant 'opnai' (did you mean 'openai'?)"),
    (22, "old", "the setting `file` is missing"),
    (26, "kind", "unknown scorer 'chekclist' (did you mean 'checklist'?)"),
    (27, "api_key", "Put it into an environment variable"),
    (29, "repeats", "expected a whole number; found text"),
    (31, "tries", "expected a whole number; found text"),
    (34, "max_cots", "did you mean 'max_cost'"),
]


def test_every_fault_is_told_in_one_go_with_its_line(tmp_path, monkeypatch):
    """File, line, the line itself with a caret under the name, what is known instead; no key is repeated."""
    (tmp_path / "spec.toml").write_text(FAULTY, "utf-8")
    run = runner(tmp_path, monkeypatch)
    for command in ("check", "run"):
        done = run(command, "spec.toml")
        assert done.code == 2
        assert SECRET not in done.err
        lines = done.err.splitlines()
        for number, name, message in EXPECTED:
            place = next(at for at, line in enumerate(lines) if f"spec.toml:{number}: " in line and message in line)
            assert lines[place + 2].split("|")[1].strip() == "^" * len(name)
            assert (
                lines[place + 1]
                .split("|", 1)[1][lines[place + 2].index("^") - lines[place + 2].index("|") - 1 :]
                .startswith(name)
            )
        assert sum("spec.toml:" in line for line in lines) == len(EXPECTED)


@pytest.mark.parametrize(
    ("spec", "first"),
    [
        (
            'repeats = 3\n[assistants.old]\nkind = "closed-book"\n[assistants.one]\nkind = "openai"\nmodle = "m"\n'
            'base_url = "http://127.0.0.1:9/v1"',
            "spec.toml:6: field `assistants.one.modle`: unknown setting `modle` (did you mean 'model'?)",
        ),
        (
            'reference = "one"\nrepeats = 2\n[assistants.one]\nkind = "opnai"\nmodel = "m"\n[assistants.two]\nkind = "recrded"',
            "spec.toml:4: field `assistants.one.kind`: unknown assistant 'opnai' (did you mean 'openai'?)",
        ),
        (
            '[assistants.lawyer]\nkind = "person"\npeple = ["anna"]',
            "spec.toml:3: field `assistants.lawyer.peple`: unknown",
        ),
        (
            '[assistants.two]\nknd = "closed-book"',
            "spec.toml:2: field `assistants.two.knd`: unknown setting `knd` (did you",
        ),
        (
            '[[assistants]]\nname = "one"\nkind = "openai"',
            "spec.toml:1: field `assistants`: expected a table, such as [assistants.NAME]; found a list",
        ),
        (
            '[assistants]\none = "openai:m@http://127.0.0.1:9/v1"',
            "spec.toml:2: field `assistants.one`: expected a table, such as [assistants.one]; found text",
        ),
        (
            '[assistants.one]\nkind = "closed-book"\n[judge]\nmodl = "m"\nbase_url = "http://127.0.0.1:9/v1"',
            "spec.toml:4: field `judge.modl`: unknown field `modl` (did you mean 'model'?)",
        ),
    ],
)
def test_the_first_line_names_the_cause_and_not_what_follows_from_it(tmp_path, monkeypatch, spec, first):
    """A misspelt key makes no second fault of a missing field, an unknown reference or repeats of recordings alone."""
    (tmp_path / "spec.toml").write_text(spec, "utf-8")
    run = runner(tmp_path, monkeypatch)
    for command in ("check", "run"):
        done = run(command, "spec.toml")
        assert done.code == 2
        assert first in done.err.splitlines()[0]
        for consequence in ("is missing", "repeats =", "reference", "is not in the run"):
            assert consequence not in done.err.replace("repeats = 3", "")


def test_a_fault_of_a_table_of_endpoints_is_told_once(tmp_path, monkeypatch):
    """At the table, and at none of the roles that take it: they do not have the field."""
    roles = "".join(f'[assistants.{name}]\nkind = "openai"\nmodel = "m"\n' for name in "abc")
    table = '[endpoints.default]\nbase_uri = "http://127.0.0.1:9/v1"\n'
    (tmp_path / "spec.toml").write_text(f'{table}{roles}[judge]\nmodel = "m"\n', "utf-8")
    done = runner(tmp_path, monkeypatch)("check", "spec.toml")
    assert done.code == 2
    assert done.err.count("unknown field `base_uri`") == 1
    assert done.err.startswith("spec.toml:2") or "spec.toml:2" in done.err.splitlines()[0]
    assert "is missing" not in done.err


def test_parts_that_cannot_be_built_are_all_told(tmp_path):
    """Each part is built alone: a missing suite hides neither a missing policy nor a missing file of answers."""
    file = tmp_path / "spec.toml"
    file.write_text(
        'suite = "nothing"\ngate = "nopolicy.toml"\nlaw = "nolaw"\n[assistants.a]\nkind = "recorded"\nfile = "none.csv"\n'
        '[judge]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "NO_SUCH_KEY"\n'
    )
    with pytest.raises(BadInputError) as raised:
        check_spec(file)
    for message in (
        "unknown suite 'nothing'",
        "nopolicy.toml: cannot",
        "nolaw: no such law",
        "none.csv: cannot",
        "NO_SUCH_KEY is not set",
    ):
        assert message in str(raised.value)


def test_a_spec_without_faults_says_what_it_would_do(tmp_path, monkeypatch):
    """Endpoints with their roles; nothing is asked and no folder made."""
    done = runner(tmp_path, monkeypatch)("check", str(ROOT / "examples" / "two-models.toml"))
    assert (done.code, done.err) == (0, "")
    assert "judge: judge-model at http://127.0.0.1:8000/v1" in done.out
    assert list(tmp_path.iterdir()) == []


ENDPOINTS = """
suite = "model-jurisdiction-zh"
[endpoints.default]
base_url = "http://${BENCHBAR_TEST_HOST}/v1"
api_key = "${BENCHBAR_TEST_KEY}"
timeout = 9
[endpoints.big]
base_url = "http://127.0.0.1:2/v1"
model = "j"
[simulator]
kind = "llm"
model = "sim"
[assistants.a]
kind = "openai"
model = "m1"
timeout = 5
[assistants.b]
kind = "openai"
model = "m2"
base_url = "http://127.0.0.1:3/v1"
[assistants.c]
kind = "law-practice"
generator = { kind = "openai", endpoint = "big" }
[judge]
endpoint = "big"
panel = [{ model = "p" }]
"""


def test_roles_take_their_endpoints_from_tables(tmp_path, monkeypatch):
    """By name, or that called default; a role's own settings stand, and one with its own address gets no other's key."""
    monkeypatch.setenv("BENCHBAR_TEST_HOST", "127.0.0.1:1")
    file = tmp_path / "spec.toml"
    file.write_text(ENDPOINTS)
    spec, _ = as_spec(file)
    usual = {"base_url": "http://127.0.0.1:1/v1", "api_key_env": "BENCHBAR_TEST_KEY"}
    assert spec.simulator == {**usual, "timeout": 9, "kind": "llm", "model": "sim"}
    assert spec.assistants["a"] == {**usual, "timeout": 5, "kind": "openai", "model": "m1"}
    assert spec.assistants["b"] == {"kind": "openai", "model": "m2", "base_url": "http://127.0.0.1:3/v1"}
    assert spec.assistants["c"]["generator"] == {"kind": "openai", "base_url": "http://127.0.0.1:2/v1", "model": "j"}
    assert (spec.judge.model, spec.judge.base_url, spec.judge.api_key_env) == ("j", "http://127.0.0.1:2/v1", "")
    assert spec.judge.panel == ({**usual, "timeout": 9, "model": "p"},)
    jsonschema.Draft202012Validator(spec_schema()).validate(tomllib.loads(ENDPOINTS))


def test_what_looks_like_a_key_is_never_filled_in(tmp_path, monkeypatch):
    """Else it would stand in run.json; the text itself can be written with two dollars."""
    monkeypatch.setenv("VENDOR_TOKEN", SECRET)
    file = tmp_path / "spec.toml"
    head = 'suite = "model-jurisdiction-zh"\n[assistants.a]\nkind = "http"\nurl = "http://127.0.0.1:9/ask"\n'
    file.write_text(head + 'body = { token = "${VENDOR_TOKEN}", q = "$${question}" }\n')
    with pytest.raises(BadInputError, match=r"VENDOR_TOKEN.* looks like a key.*headers_env") as raised:
        read_spec(file, {}, ())
    assert SECRET not in str(raised.value)
    file.write_text(head + 'body = { q = "$${question}" }\n')
    assert read_spec(file, {}, ()).assistants["a"]["body"] == {"q": "${question}"}


def test_no_key_reaches_the_run_folder(tmp_path, monkeypatch, chat_server):
    """The name of its variable is all that run.json holds."""
    monkeypatch.setenv("BENCHBAR_TEST_KEY", SECRET)
    text = f'suite = "model-jurisdiction-zh"\nlimit = 1\n[endpoints.default]\nbase_url = "{chat_server.base_url}"\napi_key = "${{BENCHBAR_TEST_KEY}}"\n[assistants.a]\nkind = "openai"\nmodel = "m1"\n'
    (tmp_path / "spec.toml").write_text(text)
    assert runner(tmp_path, monkeypatch)("run", "spec.toml", "--out", "r").code == 0
    assert chat_server.stats()["authorizations"] == [f"Bearer {SECRET}"]
    assert read_manifest(tmp_path / "r").spec.assistants["a"]["api_key_env"] == "BENCHBAR_TEST_KEY"
    assert not [path for path in (tmp_path / "r").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_a_setting_of_ones_own_called_endpoint_is_left_alone():
    """Only a table's name is taken for one."""
    spec, _ = as_spec(
        {
            "suite": "model-jurisdiction-zh",
            "assistants": {"a": {"kind": "python", "object": "m:O", "endpoint": "http://x"}},
        }
    )
    assert spec.assistants["a"]["endpoint"] == "http://x"


def test_the_schema_knows_what_the_reader_knows():
    """Real specs are valid, each kind of fault is not, and the command prints the published schema."""
    schema = spec_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for example in (ROOT / "examples").glob("*.toml"):
        validator.validate(tomllib.loads(example.read_text("utf-8")))
    for wrong in (
        {"referense": "a"},
        {"assistants": {"a": {"kind": "openai", "base_ur": "x"}}},
        {"assistants": {"a": {"kind": "openai", "api_key": SECRET}}},
        {"assistants": {"a": {"kind": "http"}}},
        {"judge": {"repeats": "2"}},
        {"endpoints": {"a": {"tires": 3}}},
    ):
        assert not validator.is_valid({"suite": "s", **wrong})
    assert validator.is_valid({"assistants": {"a": {"kind": "my_module:thing", "colour": "red"}}})


def test_the_schema_is_printed(tmp_path, monkeypatch):
    """The same as the published file, whose copy specs name in their first line."""
    done = runner(tmp_path, monkeypatch)("check", "--schema")
    assert json.loads(done.out) == json.loads((ROOT / "docs/schemas/spec.schema.json").read_text("utf-8"))
    assert LINE == "#:schema ./spec.schema.json"


KEYS = st.text("abcdefgh", min_size=1, max_size=4)
LEAVES = st.one_of(st.integers(0, 9), st.text('xyz"\n[]= ', max_size=9), st.lists(st.integers(0, 9), max_size=3))
TABLES = st.dictionaries(KEYS, st.one_of(LEAVES, st.dictionaries(KEYS, LEAVES, max_size=3)), max_size=5)


def written(fields) -> str:
    """As TOML, whose numbers, texts and lists may be written as in JSON; lists over several lines."""
    return "".join(f"{name} = {json.dumps(value, indent=1)}\n" for name, value in fields.items())


@given(TABLES, st.sampled_from(["", "# a comment = [1]\n", "\n\n"]))
def test_the_place_of_every_field_is_found(tables, between):
    """Whatever stands in its neighbours' texts, each name of a table is on the line that is told."""
    plain = {name: one for name, one in tables.items() if not isinstance(one, dict)}
    text = between + written(plain)
    for name, one in tables.items():
        if isinstance(one, dict):
            text += f"[{name}]\n{between}{written(one)}\n"
    found = places_of(text)
    lines = text.split("\n")
    for name, one in tables.items():
        for path in [(name,), *([(name, inner) for inner in one] if isinstance(one, dict) else [])]:
            place = found[path]
            assert lines[place.line - 1][place.column : place.column + place.length] == path[-1]


def test_a_dry_run_says_what_each_role_takes_at_most(tmp_path, monkeypatch, chat_server):
    """Its bound holds for the run itself, and its cost comes from the stated prices; nothing is sent and no folder made."""
    role = f'base_url = "{chat_server.base_url}"\n'
    text = (
        'suite = "model-jurisdiction-zh"\nlimit = 4\nexchanges = 2\n[endpoints.default]\n'
        f"{role}price = {{ input = 1, output = 2 }}\n"
        '[simulator]\nkind = "llm"\nmodel = "sim"\n[assistants.a]\nkind = "openai"\nmodel = "weak-a"\n'
        '[assistants.b]\nkind = "extractive"\n[judge]\nkind = ["pairwise", "checklist"]\nmodel = "judge"\n'
    )
    (tmp_path / "spec.toml").write_text(text)
    run = runner(tmp_path, monkeypatch)
    plan = json.loads(run("run", "spec.toml", "--dry-run", "--json").out)
    assert (chat_server.stats()["requests"], (tmp_path / "runs").exists()) == ({}, False)
    calls = {one["role"]: one["calls"] for one in plan["roles"]}
    assert calls == {"assistant a": 4 * 2, "simulator": 4 * 2 * 2, "judge": 1 + 4 * 2 + 4 * 2}
    assert plan["cost"] == pytest.approx(sum(one["cost"] for one in plan["roles"]))
    assert plan["cost"] > 0
    # A question to each of three, and of the judge three verdicts, each asked for three times at most.
    assert plan["trials"] == 3 + 3 * 3
    assert "4 samples are too few" in plan["sees"]
    # What the run says of its suite before anything is sent, this says as well.
    (tmp_path / "q.csv").write_text("Report,\nQuestion,Expected answer\nMay I leave?,No\nMay I stay?,Yes\n", "utf-8")
    dry = run("run", "q.csv", "--assistant", "a=closed-book", "--dry-run")
    assert "row 1 above the names of the columns is not read: “Report”" in dry.err
    assert run("run", "spec.toml").code == 0
    sent = chat_server.stats()["requests"]
    assert 0 < sent["weak-a"] <= calls["assistant a"]
    assert 0 < sent["sim"] <= calls["simulator"]
    assert 0 < sent["judge"] <= calls["judge"] + plan["trials"]


def test_language_and_columns_of_a_spec_hold_on_the_command_line(tmp_path, monkeypatch):
    """An option that was not given takes nothing away from the file."""
    (tmp_path / "t.csv").write_text("Frage,Note\nCan I get my deposit back?,x\n", "utf-8")
    text = 'suite = "t.csv"\nlanguage = "ru"\n[columns]\nneeds = "Frage"\n[assistants.a]\nkind = "closed-book"\n'
    (tmp_path / "spec.toml").write_text(text)
    done = runner(tmp_path, monkeypatch)("run", "spec.toml", "--quiet")
    assert done.code == 0, done.err
    assert "columns: Frage = needs" in done.err
    kept = json.loads((tmp_path / "runs/t/run.json").read_text("utf-8"))
    assert (kept["spec"]["language"], kept["spec"]["columns"]) == ("ru", {"needs": "Frage"})


def test_faults_of_fields_and_of_parts_are_told_together(tmp_path, monkeypatch):
    """Each once, in the order of the file, with its line: nobody mends a spec in four rounds."""
    (tmp_path / "spec.toml").write_text(
        'suite = "nothing"\nreference = "c"\non = "soon"\nreferense = "a"\ngate = "nopolicy.toml"\n'
        '[assistants.a]\nkind = "recorded"\nfile = "none.csv"\n[assistants.b]\nkind = "opnai"\n[judge]\nmodel = "j"\n'
    )
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    told = runner(tmp_path, monkeypatch)("check", "spec.toml").err
    lines = [line.strip() for line in told.splitlines() if "spec.toml:" in line]
    for number, message in (
        (1, "unknown suite 'nothing'"),
        (2, "reference 'c' is not in the run"),
        (3, "on is 'soon'"),
        (4, "did you mean 'reference'?"),
        (5, "nopolicy.toml: cannot"),
        (8, "none.csv: cannot"),
        (10, "did you mean 'openai'?"),
        (11, "no base_url"),
    ):
        assert any(f"spec.toml:{number}: " in line and message in line for line in lines), (message, told)
    assert len(lines) == 8, told


HEAD = 'suite = "model-jurisdiction-zh"\nlimit = 1\n[assistants.a]\nkind = "closed-book"\n'
JUDGE = f'{HEAD}[judge]\nmodel = "j"\nbase_url = "http://127.0.0.1:9/v1"\n'
REFUSED = {
    "gate.at_least.overal": (f"{HEAD}[gate.at_least]\noveral = 0.5\n", "did you mean 'overall'"),
    "gate.at_least.overall": (f"{HEAD}[gate.at_least]\noverall = 7\n", "expected a number from 0 to 1"),
    "gate.at_most.failed": (f'{HEAD}[gate.at_most]\nfailed = "0.1"\n', "write it without quotes"),
    "gate.never.0.measure": (f'{HEAD}[gate]\nnever = [{{ measure = "invnted", above = 0 }}]\n', "unknown measure"),
    "gate.assistant": (f'{HEAD}[gate]\nassistant = "zz"\n', "the run has no assistant zz"),
    "gate.not_worse.run": (f'{HEAD}[gate.not_worse]\nrun = "nowhere"\n', "there is no such folder"),
    "gate.pass_power.0.measure": (
        f'{HEAD}[gate]\npass_power = [{{ measure = "overall", k = 3, share = 0.5, at_least = 0.5 }}]\n',
        "run it with --repeats 3",
    ),
    "limit": (HEAD.replace("limit = 1", "limit = 0"), "at least 1 was expected"),
    "tasks.0": (f'tasks = ["9-9"]\n{HEAD}', "unknown task 9-9"),
    "prompts": (f'prompts = "nowhere"\n{HEAD}', "there is no such folder"),
    "limits.max_cost": (f"{HEAD}[limits]\nmax_cost = -1\n", "a number from 0 on"),
    "limits.max_outage": (f"{HEAD}[limits]\nmax_outage = -1\n", "a number of seconds"),
    "health.aligned": (f"{HEAD}[health]\naligned = 7\n", "a share from 0 to 1"),
    "judge.soft": (f"{JUDGE}soft = true\n", "set judge.probabilities"),
    "judge.kind": (f'{JUDGE}kind = "rag"\n', "measures single answers"),
    "judge.api_key_env": (f'{JUDGE}api_key_env = "NO_SUCH_KEY"\n', "NO_SUCH_KEY is not set"),
    "judge.price.input": (f"{JUDGE}price = {{ input = -1, output = 0 }}\n", "numbers from 0 on"),
    "judge.timeout": (f"{JUDGE}timeout = 0\n", "above 0 seconds"),
    "simulator.temperaments.0": (f'{HEAD}[simulator]\ntemperaments = ["angry"]\n', "'angry' is unknown"),
    "assistants.a.on": (HEAD.replace("closed-book", 'extractive"\non = "soon'), "a day like"),
    "assistants.a.url": (HEAD.replace("closed-book", 'http"\nurl = "nope'), "begins with http://"),
    "assistants.a.object": (HEAD.replace("closed-book", 'python"\nobject = "nowhere:f'), "No module named"),
}
"""What a run refuses before its first call, by the field that the caret stands under."""


@pytest.mark.parametrize("field", REFUSED)
def test_what_a_run_refuses_the_check_refuses_in_the_same_words(field, tmp_path, monkeypatch):
    """Line and caret are those of the field at fault, not of the head of its section; nothing is asked and no folder made."""
    text, message = REFUSED[field]
    (tmp_path / "spec.toml").write_text(text, "utf-8")
    run = runner(tmp_path, monkeypatch)
    told = [run(command, "spec.toml").err for command in ("check", "run")]
    assert message in told[0]
    # A run says first to whom it would send texts.
    assert told[1].endswith(told[0])
    lines = told[0].splitlines()
    name = [part for part in field.split(".") if not part.isdigit()][-1]
    caret = next(at for at, line in enumerate(lines) if set(line) == {" ", "|", "^"})
    begin = lines[caret].index("^")
    assert lines[caret - 1][begin : begin + lines[caret].count("^")] == name
    assert not [*tmp_path.glob("runs/*")]


def test_a_fault_of_a_policys_file_has_its_line(tmp_path, monkeypatch):
    """The file, the line and the caret are the policy's own."""
    (tmp_path / "p.toml").write_text('minimum_n = 5\n[at_least]\noverall = "0.5"\n', "utf-8")
    (tmp_path / "spec.toml").write_text(f'gate = "p.toml"\n{HEAD}', "utf-8")
    told = runner(tmp_path, monkeypatch)("check", "spec.toml").err
    assert "p.toml:3: field `at_least.overall`: '0.5' is a text" in told
    assert "    3 | overall" in told


def test_a_dead_endpoint_is_no_fault_of_the_spec(tmp_path, monkeypatch):
    """A run that nobody answers says so, and nothing of lines."""
    model = 'openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1'
    (tmp_path / "spec.toml").write_text(HEAD.replace("closed-book", model), "utf-8")
    told = runner(tmp_path, monkeypatch)("run", "spec.toml").err
    assert "127.0.0.1:9" in told
    assert "spec.toml:" not in told


def test_several_unknown_fields_of_a_table_are_told_with_one_list_of_the_known(tmp_path, monkeypatch):
    """The first says what there is; the others what was probably meant."""
    (tmp_path / "spec.toml").write_text(
        'sute = "x"\njugde = "y"\n[limts]\n[assistants.a]\nkind = "closed-book"\n', "utf-8"
    )
    told = runner(tmp_path, monkeypatch)("check", "spec.toml").err
    assert told.count("known: suite, language") == 1
    for meant in ("suite", "judge", "limits"):
        assert f"did you mean '{meant}'" in told
