"""Whole runs from the command line, with every model behind a real HTTP server."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing

import pytest

from support import forked
from support.run_spec import spec


def totals_agree(results: dict, stats: dict) -> None:
    """What the run says it used is what the server says it served."""
    spending = results["spending"]
    by_role = {"simulator": ("sim",), "assistant": ("weak-a", "strong-b"), "judge": ("judge",)}
    # The judge is served as one of its own role, and on trial.
    calls = {role: one["calls"] for role, one in spending.items()}
    calls["judge"] = calls.get("judge", 0) + calls.get("trial", 0)
    for role, models in by_role.items():
        assert calls[role] == sum(stats["completed"].get(model, 0) for model in models)
    assert sum(one["input_tokens"] for one in spending.values()) == stats["prompt_tokens"]
    assert sum(one["output_tokens"] for one in spending.values()) == stats["completion_tokens"]
    costs = [one["cost"] for one in results["assistants"].values()]
    assert sum(costs) == pytest.approx(spending["assistant"]["cost"])


def ucl_rows() -> list[dict[str, object]]:
    """Samples in UCL-Bench's format: three tasks of four, one of them without guidance."""
    tasks = ("Charge Prediction", "Real Case Consulting", "Accusation Prediction")
    guidance = "必须提及：盗窃罪\n应该提及：《刑法》第二百六十四条"
    return [
        {"task": task, "id": n, "information": f"某甲第{n}次拿走手机。", "needs": "怎么处理？", "guidance": guidance if n else ""}
        for task in tasks
        for n in range(4 if task == tasks[0] else 5)
        if n or task == tasks[1]
    ]  # fmt: skip


def test_a_run_over_samples_of_our_own_agrees_with_the_servers_own_counters(benchbar, chat_server, tmp_path):
    """Simulator, two assistants and judge all behind HTTP: what the run counted is what the server served."""
    rows = ucl_rows()
    (tmp_path / "own.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    done = benchbar("run", spec(tmp_path, chat_server, suite="ucl-bench:own.jsonl", extra=""), "--out", "r", "--json")
    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert (results["samples"], len(results["tasks"]), results["without_guidance"]) == (len(rows), 3, 1)
    assert results["assistants"]["candidate"]["measures"]["win_rate"]["n"] == len(rows)
    totals_agree(results, chat_server.stats())
    assert benchbar("ledger", "check", "r").code == 0


def test_a_run_over_published_samples_agrees_with_the_servers_own_counters(benchbar, chat_server, shared, tmp_path):
    """116 samples, simulator, two assistants and judge all behind HTTP; --json prints results.json and nothing else."""
    suite = f"ucl-bench:{shared / 'zh' / 'ucl_bench' / 'samples_even.jsonl'}"
    done = benchbar("run", spec(tmp_path, chat_server, suite=suite, extra="", concurrency=64), "--out", "r", "--json")
    assert done.code == 0, done.err
    results = json.loads(done.out)
    assert done.out == (tmp_path / "r" / "results.json").read_text("utf-8")
    assert (results["samples"], len(results["tasks"]), results["without_guidance"]) == (116, 23, 5)
    candidate = results["assistants"]["candidate"]
    assert candidate["measures"]["win_rate"]["n"] == 116
    assert candidate["measures"]["win_rate"]["low"] > 0.5
    assert results["assistants"]["base"]["measures"]["win_rate"]["value"] is None
    totals_agree(results, chat_server.stats())
    checked = benchbar("ledger", "check", "r", "--json")
    assert (checked.code, json.loads(checked.out)["ok"]) == (0, True)


@pytest.mark.slow
def test_a_run_that_is_killed_three_times_ends_as_one_that_was_not(benchbar, slow_chat_server, tmp_path):
    """SIGKILL at random moments, then the same command: the same results.json, and nothing completed is asked twice."""
    command = ("run", spec(tmp_path, slow_chat_server, extra="limit = 44"), "--out", "killed")
    chance = random.Random(20)
    for _ in range(3):
        process = forked.started(*command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ledger = tmp_path / "killed" / "ledger.sqlite"
        while not ledger.exists():
            time.sleep(0.01)
        time.sleep(chance.uniform(0.3, 0.9))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert benchbar(*command).code == 0
    stats = slow_chat_server.stats()
    assert stats["served_again"] <= 3 * 16
    report = json.loads(benchbar("ledger", "check", "killed", "--json").out)
    assert report["ok"], report["problems"]
    assert report["completed"] == stats["distinct"]
    assert stats["served_again"] <= report["unknown"]
    assert benchbar("run", "spec.toml", "--out", "whole").code == 0
    assert (tmp_path / "killed/results.json").read_bytes() == (tmp_path / "whole/results.json").read_bytes()


def test_a_run_that_was_killed_before_its_judges_trial_ended_finishes_the_trial(benchbar, chat_server, tmp_path):
    """What the trial cost and found stands in the results, as in a run that was left alone."""
    arguments = ("run", spec(tmp_path, chat_server), "--out", "r")
    assert benchbar(*arguments).code == 0
    before, asked = (tmp_path / "r/results.json").read_bytes(), chat_server.stats()["requests"]
    assert json.loads(before)["spending"]["trial"]["calls"] == 1
    with closing(sqlite3.connect(tmp_path / "r/ledger.sqlite")) as ledger, ledger:
        # What a process leaves that is killed after the judge's first verdict and before the trial's was there.
        for table in ("result", "intent", "call"):
            trial = "key IN (SELECT key FROM call WHERE role = 'trial')"
            assert ledger.execute(f"DELETE FROM {table} WHERE {trial}").rowcount == 1
        assert ledger.execute("DELETE FROM meta WHERE name LIKE 'trial judge@%'").rowcount == 1
    (tmp_path / "r/results.json").unlink()
    assert benchbar(*arguments).code == 0
    assert (tmp_path / "r/results.json").read_bytes() == before
    assert chat_server.stats()["requests"] == asked | {"judge": asked["judge"] + 1}


def test_two_fresh_runs_of_one_spec_send_the_same_bytes(benchbar, chat_server, tmp_path):
    """Simulator, assistants, pairwise judge, checklist and grades: the second run's request bodies are those of the first."""
    file = spec(tmp_path, chat_server, extra="limit = 11")
    text = (
        (tmp_path / file).read_text("utf-8").replace('["pairwise", "checklist"]', '["pairwise", "checklist", "grade"]')
    )
    (tmp_path / file).write_text(text, "utf-8")
    assert benchbar("run", file, "--out", "one").code == 0
    first = chat_server.stats()
    assert benchbar("run", file, "--out", "two").code == 0
    both = chat_server.stats()
    assert first["distinct"] > 100
    assert both["distinct"] == first["distinct"], "no body that was not sent before"
    assert both["requests"] == {model: 2 * count for model, count in first["requests"].items()}
    assert (tmp_path / "one/results.json").read_bytes() == (tmp_path / "two/results.json").read_bytes()
    one, two = ((tmp_path / name / "ledger.secret").read_bytes() for name in ("one", "two"))
    assert one != two, "the blind order is each run's own"


def test_a_finished_run_is_replayed_without_a_call(benchbar, chat_server, tmp_path):
    """The same command again costs nothing and gives the same bytes."""
    arguments = ("run", spec(tmp_path, chat_server), "--out", "r", "--json")
    first = benchbar(*arguments)
    before = chat_server.stats()["requests"]
    assert benchbar(*arguments).out == first.out
    assert chat_server.stats()["requests"] == before


@pytest.mark.slow
def test_a_third_of_failing_answers_changes_nothing(benchbar, chat_server, faulty_chat_server, tmp_path):
    """Eleven kinds of faults, each request failing once at most: the results are those of a sound server."""
    results = []
    for name, server in (("sound", chat_server), ("faulty", faulty_chat_server)):
        (tmp_path / name).mkdir()
        file = spec(tmp_path / name, server).replace("spec", f"{name}/spec")
        done = benchbar("run", file, "--out", f"{name}/r", "--json")
        assert done.code == 0, done.err
        found = json.loads(done.out)
        results.append({key: value for key, value in found.items() if key not in {"simulator", "judge", "judges"}})
    assert results[0] == results[1]


def test_ctrl_c_finishes_what_is_in_flight_and_says_how_to_go_on(slow_chat_server, benchbar, tmp_path):
    """Exit code 130; no call of unknown outcome is left; the same command finishes the run."""
    command = ("run", spec(tmp_path, slow_chat_server), "--out", "r")
    slow_chat_server.answer_after(0.2)
    process = forked.started(*command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while slow_chat_server.stats()["completed"].get("sim", 0) < 20 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    slow_chat_server.answer_after(0.0)
    assert "rerun the command" in said
    report = json.loads(benchbar("ledger", "check", "r", "--json").out)
    assert report["unknown"] == 0
    assert not (tmp_path / "r" / "results.json").exists()
    assert benchbar(*command).code == 0
    assert slow_chat_server.stats()["served_again"] == 0


def test_the_budget_stops_a_run_and_a_higher_one_goes_on(benchbar, chat_server, tmp_path):
    """Nothing goes over it; what was paid is not paid again."""
    file = spec(tmp_path, chat_server)
    stopped = benchbar("run", file, "--out", "r", "--max-cost", "0.02")
    assert stopped.code == 1
    assert "--max-cost" in stopped.err
    assert benchbar("run", file, "--out", "r", "--max-cost", "9").code == 0
    assert chat_server.stats()["served_again"] == 0


def test_a_budget_that_is_added_later_pays_nothing_again(benchbar, chat_server, tmp_path):
    """The bound on answers that a budget needs does not make another call of a call that was answered."""
    file = spec(tmp_path, chat_server)
    assert benchbar("run", file, "--out", "r").code == 0
    before = chat_server.stats()["requests"]
    assert benchbar("run", file, "--out", "r", "--max-cost", "9").code == 0
    assert chat_server.stats()["requests"] == before


def test_recorded_http_and_python_assistants_run_beside_models(benchbar, chat_server, tmp_path):
    """Answers one already has, a service with a protocol of its own, a function, and no model at all."""
    (tmp_path / "mine.py").write_text("def answer(turns):\n    return '函数的回答：' + turns[-1].content\n")
    suite = benchbar("suite", "show", "model-jurisdiction-zh", "1-1-001", "--json")
    assert json.loads(suite.out)["id"] == "1-1-001"
    (tmp_path / "answers.jsonl").write_text(
        '{"sample": "1-1-001", "answer": "应当依据《民事基本法》第五十八条。"}\n', "utf-8"
    )
    (tmp_path / "spec.toml").write_text(
        f"""
suite = "model-jurisdiction-zh"
tasks = ["1-1"]
reference = "old"
[assistants.old]
kind = "recorded"
file = "answers.jsonl"
[assistants.service]
kind = "http"
url = "{chat_server.url}/ask"
body = {{ input = {{ q = "{{question}}" }} }}
answer = "data.answers.0.text"
headers_env = {{ X-Key = "SERVICE_KEY" }}
[assistants.mine]
kind = "python"
object = "mine:answer"
[assistants.quoting]
kind = "extractive"
""",
        "utf-8",
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--json", env={"SERVICE_KEY": "s3cret"})
    assert done.code == 0, done.err
    results = json.loads(done.out)
    samples = results["samples"]
    assert results["assistants"]["old"]["failed_dialogues"] == samples - 1
    assert results["failures"] == {"assistant: missing": samples - 1}
    assert results["assistants"]["service"]["failed_dialogues"] == 0
    assert results["assistants"]["quoting"]["measures"]["win_rate"]["n_missing"] == samples - 1
    assert "s3cret" not in "".join(
        file.read_text("utf-8", "replace") for file in (tmp_path / "r").iterdir() if file.is_file()
    )
    assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]


REFUSED = [
    (("--assistant", "a=closed-book", "--assistant", "a=extractive"), 2, "two assistants are called 'a'"),
    (("--assistant", "a=closed-book", "--reference", "b"), 2, "reference 'b' is not in the run; assistants: a"),
    (("--assistant", "a=oracle"), 2, "unknown assistant 'oracle'"),
    (("--suite", "nothing"), 2, "unknown suite 'nothing'"),
    (("--tasks", "9-9"), 2, "unknown task 9-9"),
    (("--limit", "0"), 2, "0 is not in the range x>=1"),
    (("--set", "exchanges=0"), 2, "exchanges is 0"),
    (("--assistant", "../a=closed-book"), 2, "letters, digits"),
    (
        ("--assistant", "a=openai:m@http://127.0.0.1:9/v1,tries=1", "--limit", "3"),
        2,
        "assistant a: m at http://127.0.0.1:9/v1: connection refused",
    ),
    (
        ("--assistant", "a=openai:m@http://127.0.0.1:9/v1,tries=1", "--limit", "3", "--no-preflight"),
        1,
        "is the server running",
    ),
    (("--nonsense",), 2, "no such option"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), REFUSED)
def test_what_cannot_be_run_is_refused_with_what_to_do(benchbar, arguments, code, message):
    """One line, an exit code, and no traceback."""
    done = benchbar("run", *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_command_that_cannot_be_run_leaves_nothing_behind(benchbar, tmp_path):
    """Neither a folder nor an empty ledger."""
    (tmp_path / "spec.toml").write_text(
        '[assistants.a]\nkind = "closed-book"\n[judge]\nkind = "oracle"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    assert benchbar("run", "spec.toml", "--out", "r").code == 2
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suite = [", "spec.toml: not valid TOML"),
        ("[assistants.a]\nkind = 'closed-book'\n[judge]\nmodel = 'm'", "field `judge`: no base_url"),
        ("[assistants.a]\nkind = 'closed-book'\n[judge]\nbase_url = 'http://x'", "field `judge`"),
        ("exchanges = 'three'\n[assistants.a]\nkind = 'closed-book'", "field `exchanges`"),
        ("colour = 'red'\n[assistants.a]\nkind = 'closed-book'", "unknown field `colour`"),
        ("suite = 'x'", "no assistant is named"),
    ],
)
def test_a_spec_with_a_fault_is_named_by_its_field(benchbar, tmp_path, text, message):
    """File and field, not a traceback."""
    (tmp_path / "spec.toml").write_text(text)
    done = benchbar("run", "spec.toml")
    assert done.code == 2
    assert message in done.err


def test_a_changed_suite_under_an_old_run_is_refused_with_the_ways_out(benchbar, tmp_path):
    """Another sample makes another suite; --accept-changes goes on, asking only what is new."""
    rows = [{"id": f"a{n}", "task": "1-1", "needs": f"第{n}条？", "guidance": "必须提及：甲乙"} for n in range(3)]
    path = tmp_path / "s.jsonl"
    arguments = ("run", "--suite", "s.jsonl", "--assistant", "a=closed-book", "--out", "r")
    path.write_text("\n".join(json.dumps(row) for row in rows[:2]), "utf-8")
    assert benchbar(*arguments).code == 0
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    refused = benchbar(*arguments)
    assert refused.code == 2
    assert "the suite changed" in refused.err
    assert "--accept-changes" in refused.err
    again = benchbar(*arguments, "--accept-changes", "--json")
    assert json.loads(again.out)["samples"] == 3
    assert json.loads(benchbar("ledger", "check", "r", "--json").out)["ok"]


def test_a_bad_row_is_skipped_and_told_and_the_run_goes_on(benchbar, tmp_path):
    """On stderr, with file and line; stdout stays one JSON document."""
    good = json.dumps({"id": "a", "task": "1-1", "needs": "第一条？"})
    (tmp_path / "s.jsonl").write_text(f"{good}\n{{broken\n", "utf-8")
    done = benchbar("run", "--suite", "s.jsonl", "--assistant", "a=closed-book", "--json")
    assert done.code == 0
    assert "s.jsonl:2" in done.err
    assert json.loads(done.out)["samples"] == 1


def test_without_a_spec_the_bundled_suite_runs_offline(benchbar, tmp_path):
    """The first command of a newcomer: three assistants, the decision, and where the report is."""
    done = benchbar("run", env={"PATH": os.environ["PATH"], "http_proxy": "http://127.0.0.1:9"})
    assert done.code == 0, done.err
    for expected in (
        "extractive",
        "closed-book",
        "Win rate",
        "benchbar gate runs/model-jurisdiction-zh --full",
        "runs/model-jurisdiction-zh",
    ):
        assert expected in done.out
    results = json.loads((tmp_path / "runs/model-jurisdiction-zh/results.json").read_text("utf-8"))
    assert results["decided_by"] == "rules"
    # closed-book says only that it has looked nothing up: whether that meets nothing is for a judge, and so is who is better.
    assert results["assistants"]["extractive"]["measures"]["win_rate"]["n"] == 0
    assert 0 < results["assistants"]["extractive"]["measures"]["rule_share"]["value"] < 1
    stale = results["assistants"]["extractive-2020"]
    assert stale["citations"]["not_in_force"] > results["assistants"]["extractive"]["citations"]["not_in_force"]
    assert stale["measures"]["citation_validity"]["high"] < 1


def test_citations_are_held_against_the_law_of_the_day_of_the_matter(benchbar, tmp_path):
    """An article that exists, one that does not, and one of a repealed act: each in the dialogue's citations."""
    said = "依照《民事基本法》第五十八条、《民事基本法》第九百条和《契约法》第一条处理。".replace(
        "契约法", "垂钓者保护法"
    )
    (tmp_path / "a.jsonl").write_text(json.dumps({"sample": "1-1-001", "answer": said}), "utf-8")
    arguments = ("--tasks", "1-1", "--assistant", "a=recorded:a.jsonl", "--out", "r", "--json")
    results = json.loads(benchbar("run", *arguments).out)
    cited = [json.loads(line) for line in (tmp_path / "r" / "citations.jsonl").read_text("utf-8").splitlines()]
    statuses = [one["citation"]["status"] for one in cited]
    assert statuses[:2] == ["verified", "no_such_article"]
    assert statuses[2] == "no_such_law"
    validity = results["assistants"]["a"]["measures"]["citation_validity"]
    assert (validity["n"], validity["value"]) == (3, pytest.approx(1 / 3))
    assert results["on"]


def test_a_run_can_be_given_a_law_and_a_day(benchbar, tmp_path):
    """A corpus of one's own, and a day on which an act was not yet in force."""
    acts = tmp_path / "law" / "acts"
    acts.mkdir(parents=True)
    head = '+++\nlaw_id = "x-2020"\nname = "借用法"\njurisdiction = "某地"\nin_force = 2020-01-01\n+++\n# 借用法\n'
    (acts / "x.md").write_text(head + "第一条　借用人应当按期返还借用物。\n", "utf-8")
    (tmp_path / "s.jsonl").write_text(json.dumps({"id": "a", "task": "1-1", "needs": "第一条？"}), "utf-8")
    (tmp_path / "a.jsonl").write_text(json.dumps({"sample": "a", "answer": "见《借用法》第一条。"}), "utf-8")
    for day, status in (("2021-05-01", "verified"), ("2019-05-01", "not_in_force")):
        (tmp_path / "spec.toml").write_text(
            f'suite = "s.jsonl"\nlaw = "law"\non = "{day}"\n[assistants.a]\nkind = "recorded"\nfile = "a.jsonl"\n',
            "utf-8",
        )
        done = benchbar("run", "spec.toml", "--out", day, "--json")
        assert json.loads(done.out)["assistants"]["a"]["citations"] == {status: 1}, done.err


def test_a_run_stops_early_once_everybody_is_told_apart(benchbar, chat_server, tmp_path):
    """After a quarter of the samples where the difference is plain; to the end where there is none; nothing asked twice."""
    file = spec(tmp_path, chat_server, extra="")
    done = json.loads(benchbar("run", file, "--out", "plain", "--set", "stop_early=true", "--json").out)
    whole = json.loads(benchbar("suite", "check", "model-jurisdiction-zh", "--json").out)["samples"]
    assert done["samples"] < whole
    assert "O'Brien-Fleming" in done["stopped"]
    assert json.loads(benchbar("ledger", "check", "plain", "--json").out)["ok"]
    same = (
        "--assistant",
        "a=closed-book",
        "--assistant",
        "b=closed-book",
        "--limit",
        "16",
        "--set",
        "stop_early=true",
        "--json",
    )
    assert json.loads(benchbar("run", *same, "--out", "same").out)["samples"] == 16
    assert chat_server.stats()["served_again"] == 0
