"""A model of natural language inference between rules and judge: at an endpoint, in a folder, and what is known of how often it is right."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from benchbar.clients import Endpoint
from benchbar.clients.session import open_session
from benchbar.languages.packs import labels
from benchbar.records import Citation, CitationStatus, ClaimCheck, ClaimVerdict
from benchbar.records.errors import BadInputError, MissingDependencyError, ModelError, UserError
from benchbar.records.precision import Precision
from benchbar.scoring.citations import judged_contradiction
from benchbar.scoring.entailment.bounds import Bound, Bounds, Marked, fitted
from benchbar.scoring.entailment.settings import EntailmentSettings

HEAD = '+++\nlaw_id = "x-2020"\nname = "借用法"\njurisdiction = "某地"\nin_force = 2020-01-01\n+++\n# 借用法\n'
ARTICLE = "借用人应当自借用之日起三十日内返还借用物，逾期应当支付费用。"
SAME = "《借用法》第一条要求借来的东西在三十日内还回去，过了期限还得交钱。"
OTHER = "《借用法》第一条要求借来的东西在九十天里还回去，过了期限还得交钱。"
GOOD = Precision(pairs=400, said=100, right=100, low=0.963, high=1.0)


def bounds(model: str, *verdicts: str, least: float = 0.5, precision: Precision = GOOD) -> bytes:
    """What was measured of a model."""
    rows = {f"{verdict} zh": Bound(least=least, precision=precision) for verdict in verdicts}
    from benchbar.records import encode

    return encode(Bounds(model=model, claims=400, rows=rows, together={}))


@pytest.fixture
def law(tmp_path):
    """One act with one article."""
    acts = tmp_path / "law" / "acts"
    acts.mkdir(parents=True)
    (acts / "x.md").write_text(f"{HEAD}第一条　{ARTICLE}\n", "utf-8")
    return "law"


@pytest.fixture
def server(chat_server):
    """The address under which each model is served."""
    return f"{chat_server.url}/tei"


@pytest.fixture
def model(tmp_path, server):
    """Writes the settings of a model at the server, with bounds for some verdicts."""

    def write(name="nli", *verdicts, more="", **measured):
        (tmp_path / "bounds.json").write_bytes(bounds(name, *verdicts, **measured))
        (tmp_path / "nli.toml").write_text(
            f'model = "{name}"\nbase_url = "{server}/{name}"\nbounds = "bounds.json"\n{more}\n', "utf-8"
        )
        return "nli.toml"

    return write


@pytest.fixture
def cite(benchbar, law):
    """Checks the citations of a text with a model of inference."""

    def run(text, settings, *more, code=0):
        done = benchbar("law", "cite", text, "--law", law, "--on", "2024-01-01", "--entailment", settings, *more)
        assert done.code == code, done.err
        return done.err if code else done.out

    return run


def judged(out: str) -> dict:
    (one,) = json.loads(out)["citations"]
    (check,) = one["judged"]
    return check


def scores(server, name, pairs, **fields):
    """What a session gets from a model."""

    async def ask():
        async with open_session() as session:
            endpoint = Endpoint(model=name, base_url=f"{server}/{name}", **{"tries": 2, **fields})
            return await session.pairs(endpoint).scores(pairs)

    return asyncio.run(ask())


def test_what_rules_leave_open_is_told_where_the_model_was_measured_to_be_right(cite, model):
    """The verdict stands beside that of the rules with the model's name and how often such verdicts were right."""
    settings = model("nli", "supports", "contradicts")
    for text, verdict in ((SAME, "supports"), (OTHER, "contradicts")):
        check = judged(cite(text, settings, "--json"))
        assert check["verdict"] == verdict
        assert check["by"].startswith("nli@http://")
        assert check["precision"]["right"] == 100
    shown = cite(OTHER, settings)
    assert "由模型 nli 判定；在由人核定的陈述上，此类判定 100 次中 100 次正确，95% 区间 0.96 至 1.00" in shown
    # Rules count what they prove; a model accuses nobody.
    assert labels("zh", "report")("claim.contradicts") not in shown.splitlines()[0]
    assert labels("zh", "report")("cited.by_model", count=1) in shown


@pytest.mark.parametrize(
    ("verdicts", "measured", "reason"),
    [
        (("contradicts",), {"least": 0.999}, "the model's score is below that from which it was measured to be right"),
        (("supports",), {}, "the model's score is below that from which it was measured to be right"),
        (
            ("contradicts",),
            {"precision": Precision(pairs=400, said=20, right=20, low=0.839, high=1.0)},
            "the model's score is below that from which it was measured to be right",
        ),
    ],
)
def test_below_its_bound_or_without_enough_proof_it_abstains(cite, model, verdicts, measured, reason):
    """A low score, a verdict that was never right often enough, and twenty right ones of twenty, which prove too little."""
    check = judged(cite(OTHER, model("nli", *verdicts, **measured), "--json"))
    assert (check["verdict"], check["abstained"], check["reason"]) == ("cannot_tell", True, reason)
    assert check["probability"] < 0.5


def test_a_model_that_nobody_measured_gives_no_verdict(cite, tmp_path, server):
    """Without bounds only its probability is told, and the terminal says why."""
    (tmp_path / "nli.toml").write_text(f'model = "nli"\nbase_url = "{server}/nli"\n', "utf-8")
    check = judged(cite(OTHER, "nli.toml", "--json"))
    assert (check["verdict"], check["abstained"]) == ("cannot_tell", True)
    assert "该模型未在由人核定的陈述上测定，不作判定" in cite(OTHER, "nli.toml")


def test_bounds_of_another_model_are_refused(cite, model, tmp_path):
    """They say nothing about this one."""
    settings = model("nli", "supports")
    (tmp_path / "bounds.json").write_bytes(bounds("somebody/else", "supports"))
    assert "these bounds are of somebody/else, not of nli" in cite(SAME, settings, code=2)


def test_a_judge_is_asked_only_about_what_the_model_leaves_open(cite, model, chat_server):
    """Of two claims the judge sees the one on which the model abstains."""
    more = ("--model", "judge-of-claims", "--base-url", chat_server.base_url, "--json")
    both = f"{SAME}\n\n{OTHER}"
    found = json.loads(cite(both, model("nli", "supports"), *more))["citations"]
    assert [[check["by"].partition("@")[0] for check in one["judged"]] for one in found] == [
        ["nli"],
        ["nli", "judge-of-claims"],
    ]
    # Where nothing is left open the judge is not asked at all.
    before = chat_server.stats()["requests"]["judge-of-claims"]
    cite(SAME, "nli.toml", *more)
    assert chat_server.stats()["requests"]["judge-of-claims"] == before


def test_no_batch_is_paid_twice_and_none_beyond_the_budget(cite, model, chat_server):
    """With a ledger the same text asks nothing again; a budget that would not hold stops it before it is sent."""
    settings = model("nli", "contradicts", more="price = { input = 1000.0, output = 0.0 }")
    cite(OTHER, settings, "--ledger", "calls.db", "--max-cost", "1.0")
    before = chat_server.stats()["requests"]["nli"]
    check = judged(cite(OTHER, settings, "--ledger", "calls.db", "--json"))
    assert check["verdict"] == "contradicts"
    assert chat_server.stats()["requests"]["nli"] == before
    assert "the next call may cost" in cite(OTHER, settings, "--max-cost", "0.00001", code=1)


def test_the_key_comes_from_the_environment(cite, model, chat_server, monkeypatch):
    """It is sent as a bearer token and named by its variable alone."""
    monkeypatch.setenv("NLI_KEY", "s3cret")
    cite(OTHER, model("nli", "contradicts", more='api_key_env = "NLI_KEY"'))
    assert "Bearer s3cret" in chat_server.stats()["authorizations"]
    monkeypatch.delenv("NLI_KEY")
    assert "NLI_KEY is not set" in cite(OTHER, "nli.toml", code=2)


def test_batches_are_halved_until_the_server_takes_them(server, chat_server):
    """Eleven pairs where four are the most, in order; one that is longer than the model reads has no scores, and is not cut."""
    pairs = [(f"within {n} days", f"within {n if n % 2 else 99} days") for n in range(11)]
    found = scores(server, "nli-few", pairs)
    assert [max(one, key=one.get) == "entailment" for one in found] == [n % 2 == 1 for n in range(11)]
    assert scores(server, "nli-short", [("a" * 500, "b"), ("in 3 days", "in 3 days")])[0] is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nli-short-of-one", "predictions of 1 pairs for 2"),
        ("nli-raw", "no probabilities"),
        ("nli-twice", "one label twice"),
        ("nli-backend", "Inference failed"),
        ("nli-other", "serves somebody/else and not nli-other"),
        ("nli-embedding", "is served as embedding; a classifier of pairs was expected"),
    ],
)
def test_what_is_no_answer_is_named(server, name, told):
    """Scores of too few pairs, raw ones, a failed backend, another model and none that classifies."""
    with pytest.raises(ModelError, match=told):
        scores(server, name, [("in 3 days", "in 3 days"), ("in 3 days", "in 4 days")], tries=1)


def test_a_server_that_does_not_say_what_it_serves_is_asked_all_the_same(server):
    """Gateways answer `/predict` alone."""
    assert scores(server, "nli-no-info", [("in 3 days", "in 3 days")])[0]["entailment"] > 0.5


@pytest.mark.parametrize("fault", ["429-retry-after", "500", "truncated", "html", "empty-body"])
def test_faults_of_the_way_are_tried_again(server, chat_server, fault):
    """Each comes once; the second try is answered."""
    body = json.dumps({"kinds": [fault], "share": 1.0}).encode()
    urllib.request.urlopen(f"{chat_server.url}/faults", body, timeout=120).close()
    assert scores(server, "nli", [("in 3 days", "in 4 days")])[0]["contradiction"] > 0.5
    assert chat_server.stats()["requests"]["nli"] == 2


def test_a_failed_call_leaves_its_verdict_missing(cite, model):
    """The text is shown with its citations; the verdict is missing, not `cannot tell`."""
    check = judged(cite(OTHER, model("nli-backend", "contradicts", more="tries = 1"), "--json"))
    assert (check["verdict"], check["failed"], check["abstained"]) == ("cannot_tell", True, False)
    assert "Inference failed" in check["reason"]


def test_labels_are_named_where_the_model_numbers_them(cite, model):
    """LABEL_0 says nothing; guessing which one contradicts could turn every verdict round."""
    assert "say which is which with labels" in cite(OTHER, model("nli-numbered", "contradicts"), code=2)
    named = 'labels = { LABEL_0 = "entailment", LABEL_1 = "neutral", LABEL_2 = "contradiction" }'
    assert judged(cite(OTHER, model("nli-numbered", "contradicts", more=named), "--json"))["verdict"] == "contradicts"
    assert "expected entailment, neutral, contradiction" in cite(OTHER, model("nli-two-classes", "contradicts"), code=2)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "name either base_url"),
        ({"folder": "a", "base_url": "http://127.0.0.1:1"}, "name either base_url"),
        ({"base_url": "http://127.0.0.1:1"}, "name the model"),
        ({"folder": "a", "labels": {"X": "maybe"}}, "maybe; expected entailment"),
        ({"folder": "a", "batch": 0}, "batch is 0"),
        ({"model": "m", "base_url": "http://127.0.0.1:1/predict"}, "without /predict it is right"),
    ],
)
def test_settings_that_cannot_work_are_refused(fields, told):
    """Each names the field and what was expected."""
    with pytest.raises(UserError, match=told):
        EntailmentSettings(**fields)


def test_a_run_asks_it_before_the_judge_and_resumes_without_a_call(benchbar, chat_server, law, tmp_path, model):
    """What the model decides no judge is asked; the measure joins both, and another start sends nothing."""
    model("nli", "contradicts")
    samples = [{"id": name, "task": "1-1", "needs": "要还吗？"} for name in "abc"]
    answers = [{"sample": name, "answer": text} for name, text in zip("abc", (SAME, OTHER, "不知道。"), strict=True)]
    for name, rows in (("s", samples), ("a", answers)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    entailment = (tmp_path / "nli.toml").read_text("utf-8")
    (tmp_path / "spec.toml").write_text(
        f"""suite = "s.jsonl"
law = "law"
on = "2024-01-01"
[assistants.a]
kind = "recorded"
file = "a.jsonl"
[entailment]
{entailment}
[judge]
kind = "support"
model = "judge-of-claims"
base_url = "{chat_server.base_url}"
""",
        "utf-8",
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--json")
    assert done.code == 0, done.err
    cited = [json.loads(line) for line in (tmp_path / "r" / "citations.jsonl").read_text("utf-8").splitlines()]
    verdicts = {one["sample"]: [check["verdict"] for check in one["citation"]["judged"]] for one in cited}
    assert verdicts == {"a": ["cannot_tell", "supports"], "b": ["contradicts"]}
    rows = [json.loads(line) for line in (tmp_path / "r" / "measures.jsonl").read_text("utf-8").splitlines()]
    values = {one["sample"]: one["values"] for one in rows}
    assert [values[name].get("judged_contradiction") for name in "abc"] == [0.0, 1.0, None]
    assert [values[name]["contradicted_citation"] for name in "abc"] == [0.0, 0.0, 0.0]
    before = chat_server.stats()["requests"]
    (tmp_path / "r" / "citations.jsonl").unlink()
    assert benchbar("run", "spec.toml", "--out", "r", "--quiet").code == 0
    assert chat_server.stats()["requests"] == before
    again = [json.loads(line) for line in (tmp_path / "r" / "citations.jsonl").read_text("utf-8").splitlines()]
    assert again == cited


def test_nothing_is_sent_elsewhere_where_that_is_forbidden(benchbar, tmp_path, law):
    """A model of inference at another machine counts among those that are sent texts."""
    (tmp_path / "s.jsonl").write_text('{"id": "a", "task": "1-1", "needs": "要还吗？"}\n', "utf-8")
    (tmp_path / "a.jsonl").write_text('{"sample": "a", "answer": "不知道。"}\n', "utf-8")
    (tmp_path / "spec.toml").write_text(
        'suite = "s.jsonl"\nlaw = "law"\n[assistants.a]\nkind = "recorded"\nfile = "a.jsonl"\n'
        '[entailment]\nmodel = "nli"\nbase_url = "https://nli.example.org"\n',
        "utf-8",
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--local-only")
    assert done.code == 2
    assert "nli.example.org: claims and the articles that they cite (entailment)" in done.err


def test_abstentions_count_for_nothing():
    """A judge's verdict is not outvoted by a model that left the claim to it, and where all abstain nothing was measured."""

    def citation(*checks: ClaimCheck) -> Citation:
        return Citation(span=(0, 1), text="x", language="en", status=CitationStatus.VERIFIED, judged=checks)

    left = ClaimCheck(verdict=ClaimVerdict.CANNOT_TELL, by="nli@x", abstained=True)
    against = ClaimCheck(verdict=ClaimVerdict.CONTRADICTS, by="m@x")
    assert judged_contradiction([citation(left)]) is None
    assert judged_contradiction([citation(left, against)]) == 1.0


def test_bounds_are_fitted_where_verdicts_are_right_and_shown_by_articles_that_were_left_out():
    """Below .8 half of the verdicts are wrong, above it none: the bound lies there, and its precision is of other folds."""
    marked = [
        Marked(f"article {n}", "en", verdict, ClaimVerdict.CONTRADICTS, 0.6 + n / 1000)
        for n in range(400)
        for verdict in [ClaimVerdict.CONTRADICTS if n >= 200 or n % 2 else ClaimVerdict.SUPPORTS]
    ]
    found = fitted("m", marked).rows["contradicts en"]
    assert 0.78 <= found.least <= 0.81
    assert found.precision.said >= 190
    assert found.precision.value >= 0.96
    assert fitted("m", marked[:150]).rows == {}


def test_without_the_libraries_the_extra_is_named(tmp_path, monkeypatch):
    """A folder needs onnxruntime and tokenizers, which are an extra."""
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    from benchbar.scoring.entailment.folder import EntailmentFolder

    with pytest.raises(MissingDependencyError, match=r"benchbar\[onnx\]"):
        EntailmentFolder(tmp_path)


@pytest.fixture
def folder(tmp_path):
    """A model that the test builds itself."""
    for library in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(library)
    from support.tiny_entailment import build

    return build(tmp_path / "tiny")


def test_a_model_in_a_folder_is_run_on_this_machine(cite, folder, chat_server):
    """The same verdicts without a server; the bounds lie in the folder and are of these weights."""
    from benchbar.scoring.entailment.folder import EntailmentFolder

    digest = EntailmentFolder(folder).digest
    (folder / "bounds.json").write_bytes(bounds(f"tiny@sha256:{digest}", "supports", "contradicts"))
    assert judged(cite(SAME, "tiny", "--json"))["verdict"] == "supports"
    check = judged(cite(OTHER, "tiny", "--json"))
    assert (check["verdict"], check["by"]) == ("contradicts", f"tiny@sha256:{digest}")
    assert not chat_server.stats()["requests"]


def test_a_folders_scores_are_probabilities_of_its_labels_whatever_the_batch(folder):
    """One by one and together, padded to one length, the scores are the same; a pair that is too long has none."""
    from benchbar.scoring.entailment.folder import EntailmentFolder

    model = EntailmentFolder(folder)
    pairs = [("in thirty days", "in thirty days"), ("thirty", "in ninety days or so"), ("word " * 300, "thirty")]
    together = model.scores(pairs)
    assert together[2] is None
    assert together[:2] == [model.scores([one])[0] for one in pairs[:2]]
    assert [max(one, key=one.get) for one in together[:2]] == ["ENTAILMENT", "CONTRADICTION"]
    assert all(abs(sum(one.values()) - 1) < 1e-9 for one in together[:2])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("model.onnx", b"\x80\x04cos\nsystem\n", "no ONNX model"),
        ("tokenizer.json", b"{}", "no tokenizer"),
        ("config.json", b'{"id2label": {"0": "A", "2": "B"}}', "does not number the labels"),
        ("config.json", b'{"id2label": {"0": "A", "1": "B"}}', "2 labels"),
        ("config.json", b"[" * 5000, "no configuration"),
    ],
)
def test_a_folder_of_something_else_is_refused(folder, name, content, told):
    """A pickle, an empty tokenizer, labels that do not fit: each names the file or what does not fit."""
    from benchbar.scoring.entailment.folder import EntailmentFolder

    (folder / name).write_bytes(content)
    with pytest.raises(BadInputError, match=told):
        EntailmentFolder(folder).scores([("thirty", "thirty")])


def test_links_out_of_a_folder_and_missing_files_are_refused(folder, tmp_path):
    """A stranger's folder must not make another file be read."""
    from benchbar.scoring.entailment.folder import EntailmentFolder

    (folder / "config.json").rename(tmp_path / "elsewhere.json")
    with pytest.raises(BadInputError, match=r"config\.json"):
        EntailmentFolder(folder)
    (folder / "config.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(BadInputError, match="leads out of the folder"):
        EntailmentFolder(folder)


@pytest.mark.slow
def test_one_command_measures_a_model_on_marked_claims(server, tmp_path):
    """Claims of one's own, a hundred articles: the bounds are written, and printed with their precision."""
    rows = [
        {
            "language": "zh",
            "article": f"应当在{n}日内返还。",
            "claim": f"应当在{m}日内返还。",
            "verdict": verdict,
            "group": n,
        }
        for n in range(100, 250)
        for m, verdict in ((n, "supports"), (n + 500, "contradicts"))
    ]
    (tmp_path / "marked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    settings = f'model = "nli"\nbase_url = "{server}/nli"\nbounds = "bounds.json"\n'
    (tmp_path / "nli.toml").write_text(settings, "utf-8")
    script = Path(__file__).parents[2] / "benchmarks" / "claim_judging.py"
    given = ("--entailment", "nli.toml", "--bounds", "bounds.json", "--marked", "marked.jsonl")
    done = subprocess.run([sys.executable, script, *given], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| contradicts zh | 150 | 150 | 1.000 [0.975, 1.000] | given from a score of" in done.stdout
    least = json.loads((tmp_path / "bounds.json").read_text("utf-8"))["rows"]["contradicts zh"]["least"]
    assert 0.5 < least < 1
