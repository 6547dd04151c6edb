"""A live assistant's traces: received by a real server from a real exporter, masked before the disk, weighed, tested, accepted."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from benchbar.evaluations.records import LoggedAnswer
from benchbar.languages.personal_data import find_personal_data
from benchbar.production.drift import drift
from benchbar.production.proposals import accept, proposals, reject
from benchbar.production.records import KeptTrace
from benchbar.production.sampling import Sampling
from benchbar.production.store import SECRET, ProductionStore, week_of
from benchbar.records import Sample, Suite, SuiteCard, Task
from benchbar.records.errors import UserError
from benchbar.statistics import holm, share
from benchbar.statistics.designed import designed_change
from benchbar.suites.load import load
from benchbar.suites.write import write
from support import forked

TOKEN = "a token that nobody guesses"
PEOPLE = ("林晓燕", "13912345678", "Иванов Пётр Сергеевич", "John Smith", "john.smith@example.com", "customer-4711")
QUESTIONS = (
    "我叫林晓燕，手机号是13912345678，押金多久退？",
    "Я, Иванов Пётр Сергеевич, купил телефон. Как вернуть деньги?",
    "My name is John Smith, john.smith@example.com. Can my landlord keep the deposit?",
)
DAY = 24 * 3600
MONDAY = 1_767_571_200.0  # 2026-01-05, a Monday


@contextmanager
def receiving(folder: Path, *options: str):
    """Address of a receiver in a process of its own, whose every file and line of output lies in ``folder``."""
    place = folder / "temporary"
    place.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"BENCHBAR_OTLP_TOKEN": TOKEN, "TMPDIR": str(place), "PYTHONUNBUFFERED": "1"}
    command = ("production", "receive", str(folder / "kept"), "--port", "0", *options)
    with (folder / "errors.txt").open("wb") as errors:
        process = forked.started(*command, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder)
        with process:
            try:
                yield re.search(r"http://\S+", process.stdout.readline())[0], process
            finally:
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
                (folder / "output.txt").write_text(process.stdout.read(), "utf-8")


def span(question: str, answer: str = "an answer", at: float = MONDAY, **attributes: object) -> dict[str, object]:
    """A GenAI span in OTLP/JSON."""
    given = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m1",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": question}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": answer}]}]),
        **attributes,
    }
    return {
        "traceId": os.urandom(16).hex(),
        "spanId": os.urandom(8).hex(),
        "name": "chat",
        "startTimeUnixNano": str(int(at * 1e9)),
        "attributes": [{"key": key, "value": {"stringValue": str(value)}} for key, value in given.items()],
    }


def request_of(*spans: dict[str, object]) -> bytes:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}).encode()


def post(address: str, body: bytes, token: str = TOKEN, kind: str = "application/json", **headers: str) -> int:
    named = {"Authorization": f"Bearer {token}", "Content-Type": kind, **headers}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, body, named), timeout=120) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def holders(folder: Path, words=PEOPLE) -> list[str]:
    """Files below a folder that hold one of the words, in any usual encoding."""
    wanted = [word.encode(code) for word in words for code in ("utf-8", "utf-16-le", "unicode_escape")]
    return [
        str(file) for file in folder.rglob("*") if file.is_file() and any(one in file.read_bytes() for one in wanted)
    ]


def test_a_real_exporter_is_received_and_no_raw_text_reaches_the_disk(tmp_path):
    """The OpenTelemetry SDK sends protobuf over HTTP; names, numbers and addresses are in no file, log or temporary file."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the OTLP exporter is not installed")
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    with receiving(tmp_path) as (address, _):
        for compression in (Compression.NoCompression, Compression.Gzip):
            provider = TracerProvider(resource=Resource({"service.name": "advice"}))
            exporter = OTLPSpanExporter(address, headers={"Authorization": f"Bearer {TOKEN}"}, compression=compression)
            provider.add_span_processor(SimpleSpanProcessor(exporter))
            tracer = provider.get_tracer("test")
            for question in QUESTIONS:
                messages = [{"role": "user", "parts": [{"type": "text", "content": question}]}]
                with tracer.start_as_current_span("chat m1") as one:
                    one.set_attribute("gen_ai.operation.name", "chat")
                    one.set_attribute("gen_ai.response.model", "m1")
                    one.set_attribute("gen_ai.conversation.id", "customer-4711")
                    one.set_attribute("gen_ai.input.messages", json.dumps(messages, ensure_ascii=False))
                    one.set_attribute("gen_ai.output.messages", json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": f"答复：{question}"}]}]))  # fmt: skip
                    one.add_event("gen_ai.evaluation.result", {"gen_ai.evaluation.name": "right", "gen_ai.evaluation.score.value": 0.25})  # fmt: skip
            provider.shutdown()
        assert post(address, request_of(span(QUESTIONS[0])) + b"}} " + QUESTIONS[1].encode()) == 400
    store = ProductionStore(tmp_path / "kept")
    kept = store.traces()
    assert len(kept) == 6
    assert {one.service for one in kept} == {"advice"}
    assert {one.scores["right"] for one in kept} == {0.25}
    assert len({one.conversation for one in kept}) == 1
    assert all("？" in one.question or "?" in one.question for one in kept)
    assert not holders(tmp_path)
    assert "DecodeError" in (tmp_path / "errors.txt").read_text("utf-8")


def test_the_search_for_raw_text_finds_what_is_there(tmp_path):
    """The test above would see a name that was written: without masking its own search finds each of them."""
    for number, word in enumerate(PEOPLE):
        (tmp_path / f"{number}.txt").write_text(f"x{word}y", "utf-8")
    assert len(holders(tmp_path)) == len(PEOPLE)


def test_requests_that_are_not_to_be_taken_are_refused_and_leave_nothing(tmp_path):
    """Without the token, too large, unpacking to too much, of another kind, or no OTLP; the receiver goes on."""
    with receiving(tmp_path) as (address, process):
        assert post(address, request_of(span("q")), token="another token altogether") == 401
        assert post(address, b" " * (17 << 20)) == 413
        assert post(address, gzip.compress(b" " * (64 << 20)), **{"Content-Encoding": "gzip"}) == 413
        assert post(address, b"x", kind="text/plain") == 415
        assert post(address, b"\xff\xfe\x00", kind="application/x-protobuf") == 400
        assert post(address, b"[" * 100_000) == 400
        assert post(address, b'{"resourceSpans": 5}') == 400
        assert process.poll() is None
        assert post(address, request_of(span("q"))) == 200
    assert len(ProductionStore(tmp_path / "kept").traces()) == 1


def test_spans_that_cannot_be_used_are_counted_by_reason(tmp_path):
    """Each reason once when it comes, and how many at the end; a name from the request is not repeated."""
    plain = span("q") | {"attributes": []}
    named = span("q", **{"gen_ai.operation.name": "embeddings"})
    odd = span("q", **{"gen_ai.operation.name": "John Smith, 4 High St"})
    with receiving(tmp_path) as (address, _):
        assert post(address, request_of(plain, plain, named, odd, span("who pays?"))) == 200
    told = (tmp_path / "output.txt").read_text("utf-8")
    assert "passed over: 2 spans without GenAI attributes" in told
    assert "passed over: 1 spans of embeddings" in told
    assert "passed over: spans without GenAI attributes" in (tmp_path / "errors.txt").read_text("utf-8")
    assert not holders(tmp_path, ("John Smith",))
    assert len(ProductionStore(tmp_path / "kept").traces()) == 1


def test_what_was_acknowledged_outlives_a_kill_and_what_is_sent_twice_is_kept_once(tmp_path):
    """SIGKILL after the 200: the trace is on disk, and an exporter that sends it again makes no second one."""
    body = request_of(span("who pays?"))
    with receiving(tmp_path) as (address, process):
        assert post(address, body) == 200
        process.send_signal(signal.SIGKILL)
    with (next((tmp_path / "kept" / "traces").glob("*.jsonl"))).open("ab") as torn:
        torn.write(b'{"type":"trace","id":"cut o')
    with receiving(tmp_path) as (address, _):
        assert post(address, body) == 200
        assert post(address, request_of(span("another"))) == 200
    assert len(ProductionStore(tmp_path / "kept").traces()) == 2
    mode = (tmp_path / "kept" / SECRET).stat().st_mode & 0o777
    assert mode == 0o600


def test_the_receiver_wants_a_token(benchbar, tmp_path):
    """From the environment, and not a short one."""
    for token in ("", "short"):
        done = benchbar("production", "receive", str(tmp_path / "kept"), env={"BENCHBAR_OTLP_TOKEN": token})
        assert done.code == 2
        assert "BENCHBAR_OTLP_TOKEN" in done.err


def test_a_port_in_use_is_named_with_the_cure(benchbar, tmp_path):
    """One line, and no traceback."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = benchbar(
            "production", "receive", str(tmp_path / "kept"), "--port", str(port), env={"BENCHBAR_OTLP_TOKEN": TOKEN}
        )
    assert done.code == 2
    assert f"port {port} is taken: name another with --port" in done.err
    assert "Traceback" not in done.err


def answers(count: int, week: int = 0, bad: float = 0.2, seed: int = 0) -> list[LoggedAnswer]:
    """Traces of one week of two in a conversation, a share of whose conversations has low scores."""
    random = np.random.default_rng(seed + week)
    return [
        LoggedAnswer(
            sample=f"c{week}-{conversation}",
            model="m",
            identity=f"{week} {conversation} {turn}",
            question=f"question {week} {conversation}",
            answer="an answer",
            scores={"right": 0.1 if low else 0.9},
            at=MONDAY + 7 * DAY * week + conversation,
        )
        for conversation in range(count // 2)
        for low in [random.random() < bad]
        for turn in range(2)
    ]


def test_estimates_over_production_are_unbiased_though_failures_are_kept_more_often(tmp_path):
    """Failures with chance 1 and the rest with 0.1: the kept ones are mostly failures, the weighted share is the true one."""
    estimates, raw = [], []
    came = answers(400)
    truth = np.mean([one.scores["right"] >= 0.5 for one in came])
    for seed in range(40):
        store = ProductionStore(tmp_path / str(seed))
        seen, _, kept = store.keep(came, Sampling(0.1, 1.0, seed=seed))
        assert seen == 400
        traces = store.traces()
        assert {one.chance for one in traces} == {0.1, 1.0}
        raw.append(np.mean([one.scores["right"] >= 0.5 for one in traces]))
        found = next(one for one in drift(traces).weeks if one.measure == "right")
        estimates.append(found.share.value)
        assert len(traces) == kept < 200
    # 40 seeds: the standard error of their mean is about 0.006.
    assert np.mean(estimates) == pytest.approx(truth, abs=0.02)
    assert np.mean(raw) < truth - 0.3


def test_conversations_are_kept_whole_and_the_same_by_the_same_seed(tmp_path):
    """Both turns or none; another seed keeps others."""
    came = answers(400, bad=0)
    first, again, other = (ProductionStore(tmp_path / name) for name in ("first", "again", "other"))
    for store, seed in ((first, 1), (again, 1), (other, 2)):
        store.keep(came, Sampling(0.2, seed=seed))
    questions = [[one.question for one in store.traces()] for store in (first, again, other)]
    assert questions[0] == questions[1] != questions[2]
    assert all(questions[0].count(one) == 2 for one in questions[0])
    assert 40 < len(questions[0]) < 130


def test_a_trace_is_drawn_once_and_counted_once_however_often_it_comes(tmp_path):
    """A second reading keeps nothing and counts nothing, also where a trace has failed in the meantime, and in another process."""
    came = answers(400)
    first = ProductionStore(tmp_path / "kept").keep(came, Sampling(0.2, 1.0))
    before = ProductionStore(tmp_path / "kept").traces()
    failed = [replace(one, scores={"right": 0.0}) for one in came]
    store = ProductionStore(tmp_path / "kept")
    assert store.keep([*failed, *failed], Sampling(0.2, 1.0)) == (400, 0, 0)
    assert first == (400, 400, len(before))
    assert store.traces() == before
    assert store.seen() == 400


@pytest.mark.parametrize(
    "other", [("--rate", "0.9"), ("--seed", "1"), ("--failed-rate", "0.5"), ("--pass-mark", "0.7")]
)
def test_a_folder_is_sampled_with_the_settings_of_its_first_delivery(benchbar, tmp_path, other):
    """Another rate or seed would draw a second time from what was passed over: it is refused, with the options to give."""
    (tmp_path / "spans.json").write_bytes(request_of(*(span("q") for _ in range(20))))
    read = ("production", "read", "kept", "spans.json", "--rate", "0.3")
    assert benchbar(*read).code == 0
    before = ProductionStore(tmp_path / "kept").traces()
    refused = benchbar(*read, *other)
    assert refused.code == 2
    assert "is sampled with --rate 0.3 --failed-rate 1 --pass-mark 0.5 --seed 0" in refused.err
    assert ProductionStore(tmp_path / "kept").traces() == before
    assert benchbar(*read).code == 0


def test_a_week_that_changed_is_found_and_quiet_weeks_are_rarely_called_changed(tmp_path):
    """Eight weeks: a fall from 90% to 40% in the last one is told; without it, at most about 5% of histories have any change."""
    store = ProductionStore(tmp_path / "fall")
    for week in range(8):
        store.keep(answers(160, week, bad=0.6 if week == 7 else 0.1), Sampling(0.5, 1.0))
    found = [one for one in drift(store.traces()).weeks if one.measure == "right"]
    assert [one.week for one in found if one.changed] == ["2026-W09"]
    assert found[0].reason == "nothing to compare with"
    random = np.random.default_rng(5)
    alarms = 0
    for _ in range(150):
        traces = [
            KeptTrace(
                id=str(place),
                conversation=str(place // 2),
                at=MONDAY + 7 * DAY * (place // 60),
                chance=chance,
                scores={"right": float(flag)},
            )
            for place, (chance, flag) in enumerate(
                zip(random.choice([0.25, 1.0], 480), np.repeat(random.random(240) < 0.8, 2), strict=True)
            )
        ]
        alarms += any(one.changed for one in drift(traces).weeks)
    assert alarms <= 17, "5% of 150 is 7.5; 17 would come by chance once in a thousand times"


def changed(flags, chances, later, *, clusters=None, seed=0):
    """The p-value of a change; every unit is a cluster of its own where none are named."""
    names = range(len(flags)) if clusters is None else clusters
    return designed_change(flags, chances, clusters=names, later=later, generator=np.random.default_rng(seed))


def test_the_change_test_is_exact_where_all_chances_and_clusters_are_single():
    """An oracle: every division of the same flags, weighed by the hypergeometric distribution, term by term."""
    from math import comb

    def exact(late: int, before: int, yes: int, found: int) -> float:
        def gap(k: int) -> float:
            return abs(k / late - (yes - k) / before)

        least = gap(found) * (1 - 1e-9)
        ways = [k for k in range(max(0, yes - before), min(late, yes) + 1) if gap(k) >= least]
        return sum(comb(late, k) * comb(before, yes - k) for k in ways) / comb(late + before, yes)

    for late, before, hits, earlier in ((60, 60, 25, 40), (60, 1000, 60, 960), (60, 1000, 50, 960), (5, 40, 1, 39)):
        flags = [True] * earlier + [False] * (before - earlier) + [True] * hits + [False] * (late - hits)
        later = [False] * before + [True] * late
        expected = exact(late, before, hits + earlier, hits)
        mine = changed(flags, [1.0] * len(flags), later).p_value
        # Drawing ends at the twentieth: a relative error of 1 in 4.5.
        assert expected / 2 - 1e-4 < mine < expected * 2 + 1e-4


def test_a_perfect_week_after_a_good_year_is_no_change():
    """960 of 1000 before and 60 of 60 in the week: such weeks come by chance; where all are alike there is nothing to test."""
    flags = [True] * 960 + [False] * 40 + [True] * 60
    assert changed(flags, [1.0] * 1060, [False] * 1000 + [True] * 60).p_value > 0.05
    quiet = changed([True] * 200, [1.0] * 200, [False] * 100 + [True] * 100)
    assert (quiet.p_value, quiet.reason) == (None, "all alike")


def history(random, true_share, drawn, last=None):
    """Twenty weeks: flag, chance and week of each trace that was kept, sixty a week; the last week may have another share."""
    each = round(60 / (1 - 0.9 * true_share)) if drawn == "failures" else 60
    shares = np.full((20, 1), true_share)
    shares[-1] = true_share if last is None else last
    flags = random.random((20, each)) < shares
    if drawn == "conversations":
        flags = np.repeat(flags[:, ::3], 3, axis=1)
    chances = {
        "1:10": random.choice([0.1, 1.0], flags.shape),
        "failures": np.where(flags, 0.1, 1.0),
    }.get(drawn, np.ones(flags.shape))
    kept = random.random(flags.shape) < chances if drawn == "failures" else np.ones(flags.shape, bool)
    weeks = np.broadcast_to(np.arange(20)[:, None], flags.shape)[kept]
    together = np.broadcast_to(np.arange(flags.size).reshape(flags.shape) // 3, flags.shape)[kept]
    return flags[kept], chances[kept], weeks, together if drawn == "conversations" else np.arange(len(weeks))


def told(random, flags, chances, weeks, clusters):
    """The weeks that are told apart from all before them."""
    found = {}
    for week in range(1, 20):
        so_far = weeks <= week
        test = designed_change(
            flags[so_far], chances[so_far], clusters=clusters[so_far], later=weeks[so_far] == week, generator=random
        )
        found |= {} if test.p_value is None else {week: test.p_value}
    return {week for week, one in holm(found).items() if one <= 0.05} if found else set()


@pytest.mark.slow
@pytest.mark.parametrize("drawn", ["equal", "1:10", "failures", "conversations"])
@pytest.mark.parametrize("true_share", [0.8, 0.96])
def test_five_percent_of_quiet_histories_at_most_have_an_alarm(true_share, drawn):
    """Nothing changes: whatever the weights, also where failures are drawn ten times as often, and flags alike in a conversation."""
    random = np.random.default_rng(3)
    alarms = sum(bool(told(random, *history(random, true_share, drawn))) for _ in range(100))
    assert alarms <= 11, "5% of 100 is 5; more than 11 would come by chance four times in a thousand"


@pytest.mark.parametrize("drawn", ["failures", "conversations"])
def test_quiet_weeks_are_rarely_called_changed_and_a_fall_is_found(drawn):
    """Ten quiet histories have no alarm in at least eight; a fall from 96% to 50% in the last week is told each time."""
    random = np.random.default_rng(3)
    assert sum(bool(told(random, *history(random, 0.96, drawn))) for _ in range(10)) <= 2
    assert all(19 in told(random, *history(random, 0.96, drawn, 0.5)) for _ in range(3))


def test_failures_are_proposed_and_only_a_person_puts_one_into_a_suite(tmp_path):
    """Nothing is written to a suite by proposing; an accepted one has guidance, a name beside it, and is proposed no more."""
    store = ProductionStore(tmp_path / "kept")
    came = [
        LoggedAnswer(sample="a", model="m", identity="1", question=QUESTIONS[2], answer="no", scores={"right": 0.0}, at=MONDAY),
        LoggedAnswer(sample="b", model="m", identity="2", question="May a tenant leave?", answer="", at=MONDAY + 1),
        LoggedAnswer(sample="c", model="m", identity="3", question="Fine?", answer="yes", scores={"right": 1.0}),
    ]  # fmt: skip
    store.keep(came, Sampling())
    found = proposals(store.traces(), store.verdicts())
    assert [one.why for one in found] == [("no answer",), ("right 0 below 0.5",)]
    suite = tmp_path / "suite"
    assert not suite.exists()
    with pytest.raises(UserError, match="no guidance"):
        accept(store, found[1].trace.id, suite, by="anna", guidance=" ")
    sample = accept(store, found[1].trace.id, suite, by="anna", guidance="Must mention: thirty days")
    assert "John Smith" not in sample.needs
    assert "landlord keep the deposit" in sample.needs
    good = next(one.id for one in store.traces() if one.question == "Fine?")
    for unknown, told in ((good, "not proposed"), ("0" * 16, "no trace")):
        with pytest.raises(UserError, match=told):
            reject(store, unknown, by="boris", reason="none")
    reject(store, found[0].trace.id, by="boris", reason="no legal question")
    assert [(one.by, one.decided) for one in store.verdicts()] == [("anna", "accepted"), ("boris", "rejected")]
    assert not proposals(store.traces(), store.verdicts())
    with pytest.raises(UserError, match="accepted by anna"):
        accept(store, found[1].trace.id, suite, by="anna", guidance="Must mention: thirty days")
    assert [one.id for one in load(str(suite)).samples] == [sample.id]
    assert load(str(suite)).samples[0].guidance.points


def test_only_proposals_enter_a_suite_and_only_one_of_the_same_form(benchbar, tmp_path):
    """Not a good answer, not an unknown id, and not into a suite of consultations or one that is marked against references."""
    store = ProductionStore(tmp_path / "kept")
    store.keep(
        [
            LoggedAnswer(sample="a", model="m", identity="1", question="May a tenant leave?", answer="", at=MONDAY),
            LoggedAnswer(sample="b", model="m", identity="2", question="Who pays?", answer="The landlord.", at=MONDAY),
        ],
        Sampling(),
    )
    bad, good = (next(one.id for one in store.traces() if one.answered is answered) for answered in (False, True))
    given = ("--suite", "s", "--by", "anna", "--guidance", "Must mention: thirty days")
    refused = benchbar("production", "accept", "kept", good, *given)
    assert refused.code == 2
    assert "is not proposed (it has an answer, no error, and no score below 0.5)" in refused.err
    assert not (tmp_path / "s").exists()
    unknown = benchbar("production", "accept", "kept", "nobody", *given).err
    assert bad in unknown
    assert good not in unknown
    task = Task(id="t", name="t", level="apply", scenarios=("general_public",))
    for name, protocol, cause in (
        ("set", "question_answering", "1 of 1 samples without guidance"),
        ("talk", "consultation", "suite of consultations"),
    ):
        sample = Sample(id="1", task="t", needs="Which article?", reference="264")
        write(Suite(SuiteCard(name=name, protocol=protocol), {"t": task}, (sample,)), tmp_path / name)
        before = (tmp_path / name / "samples.jsonl").read_bytes()
        other = benchbar("production", "accept", "kept", bad, "--suite", name, *given[2:])
        assert other.code == 2
        assert cause in other.err
        assert (tmp_path / name / "samples.jsonl").read_bytes() == before
    assert not store.verdicts()
    assert benchbar("production", "accept", "kept", good, "--not-proposed", *given).code == 0
    assert benchbar("production", "accept", "kept", bad, *given).code == 0
    assert len(load(str(tmp_path / "s")).samples) == 2


def test_the_commands_go_from_a_file_to_the_suite(benchbar, tmp_path):
    """read, drift with a chart, proposals, accept, reject: each also for programs; Langfuse's own times are read."""
    spans = [span(QUESTIONS[0], at=MONDAY + week * 7 * DAY) for week in range(3)]
    (tmp_path / "spans.json").write_bytes(request_of(*spans, span("q", answer="", at=0)))
    read = benchbar("production", "read", "kept", "spans.json", "--json")
    assert json.loads(read.out)["kept"] == 4
    assert (
        "4 traces came, 4 of which had come before; 0 new ones kept"
        in benchbar("production", "read", "kept", "spans.json").out
    )
    told = json.loads(benchbar("production", "drift", "kept", "--out", "drift.html", "--json").out)
    assert [one["week"] for one in told["weeks"] if one["measure"] == "answered"] == [
        "2026-W02",
        "2026-W03",
        "2026-W04",
    ]
    assert told["undated"] == 1
    page = (tmp_path / "drift.html").read_text("utf-8")
    assert page.count("<circle") == 6
    assert "<script" not in page
    assert "4 traces came; 4 were kept and stand for 4" in page
    assert "Traces that ended without an error" in page
    assert re.findall(r"<text[^>]*>([^<]+)</text>", page)[:6] == [
        "0%",
        "50%",
        "100%",
        "2026-W02",
        "2026-W03",
        "2026-W04",
    ]
    shown = benchbar("production", "drift", "kept").out
    assert shown.startswith("4 traces came; 4 were kept and stand for 4\n")
    assert "2026-W02  100.0%, n = 1; nothing to compare with" in shown
    assert "p: the chance of a difference this large where nothing has changed" in shown
    proposed = json.loads(benchbar("production", "proposals", "kept", "--json").out)
    assert [one["why"] for one in proposed] == [["no answer"]]
    trace = proposed[0]["trace"]["id"]
    done = benchbar(
        "production", "accept", "kept", trace, "--suite", "s", "--by", "anna", "--guidance", "Must mention: x"
    )
    assert done.code == 0, done.err
    assert "accepted by anna" in done.out
    assert week_of(MONDAY) == "2026-W02"


def test_where_there_is_nothing_to_show_the_commands_say_so_and_why(benchbar, tmp_path):
    """Spans of other kinds, texts that are not kept, an empty folder, and a page into a folder that does not exist."""
    other = span("q") | {"attributes": [{"key": "http.request.method", "value": {"stringValue": "GET"}}]}
    (tmp_path / "spans.json").write_bytes(request_of(other, other, span("q", answer="")))
    read = benchbar("production", "read", "kept", "spans.json", "--no-texts").out
    assert "passed over: 2 spans without GenAI attributes" in read
    assert "1 traces came; 1 new ones kept" in read
    proposed = benchbar("production", "proposals", "kept")
    assert "1 failures cannot be proposed: they hold no question" in proposed.err
    assert "nothing to propose" in proposed.out
    nowhere = benchbar("production", "drift", "kept", "--out", "none/drift.html")
    assert nowhere.code == 2
    assert "there is no folder" in nowhere.err
    assert not (tmp_path / "none").exists()
    (tmp_path / "empty").mkdir()
    empty = benchbar("production", "drift", "empty", "--out", "drift.html")
    assert empty.code == 2
    assert "empty has no week to show: it holds no trace" in empty.err
    assert not (tmp_path / "drift.html").exists()


def test_texts_may_be_left_out_altogether(tmp_path):
    """--no-texts keeps scores, times and whether there was an answer: what masking misses is not there either."""
    store = ProductionStore(tmp_path / "kept")
    store.keep(answers(10), Sampling(), texts=False)
    assert {(one.question, one.answer, one.answered) for one in store.traces()} == {("", "", True)}
    assert not proposals(store.traces(), store.verdicts())


def test_the_page_states_the_measured_recall_of_masking():
    """In each language, of the set that no rule was mended by: found of marked, as docs/production.md has it."""
    root = Path(__file__).parents[2]
    page = (root / "docs" / "production.md").read_text("utf-8")
    for language in ("zh", "ru", "en"):
        hits = marked = 0
        for line in (root / "tests" / "languages" / "personal_data_unread.tsv").read_text("utf-8").splitlines():
            tag, _, text = line.partition("\t")
            plain, spans = "", []
            for before, value in re.findall(r"([^\[]*)(?:\[\w+:([^\]]+)\]|$)", text):
                plain += before
                spans += [(len(plain), len(plain) + len(value))] if value else []
                plain += value
            if tag == language:
                data = find_personal_data(plain)
                marked += len(spans)
                # Wholly covered: half of a name is a name.
                hits += sum(any(one.start <= start and end <= one.end for one in data) for start, end in spans)
        found = share([1] * hits + [0] * (marked - hits))
        low, high = found.interval
        assert f"| {language} | {hits} of {marked} | {hits / marked:.2f} [{low:.2f}, {high:.2f}] |" in page


def test_what_a_full_disk_refused_is_taken_when_it_is_sent_again(tmp_path):
    """A delivery that could not be written leaves nothing known: the exporter's second try keeps it."""
    store = ProductionStore(tmp_path / "kept")
    store.keep(answers(2), Sampling())
    (tmp_path / "kept" / "traces" / f"{week_of(MONDAY + 7 * DAY)}.jsonl").mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        store.keep(answers(4, week=1), Sampling())
    (tmp_path / "kept" / "traces" / f"{week_of(MONDAY + 7 * DAY)}.jsonl").rmdir()
    assert store.keep(answers(4, week=1), Sampling()) == (4, 4, 4)
    assert len(store.traces()) == 6
