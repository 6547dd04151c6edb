"""Logs that the programs themselves write, where they are installed: what is read is what they say."""

from __future__ import annotations

import base64
import gzip
import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchbar.evaluations.auditing import read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspect_writes_its_log(tmp_path, form):
    """Inspect runs a task of its own with two epochs; the figures it prints are those that its rows give."""
    pytest.importorskip("inspect_ai", reason="Inspect is not installed: pip install 'benchbar[inspect]'")
    from inspect_ai import Task
    from inspect_ai import eval as run
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi
    from inspect_ai.scorer import includes, match
    from inspect_ai.solver import generate

    # Inspect's own mock model counts tokens with a table that it loads from the network.
    @modelapi(name=f"fixed{form}")
    class Fixed(ModelAPI):
        async def generate(self, *_asked, **_options):
            return ModelOutput.from_content("fixed", "Article 1")

    samples = [Sample(id=f"q{i}", input=f"Q {i}?", target="Article 1" if i % 3 else "none") for i in range(6)]
    task = Task(dataset=samples, solver=generate(), scorer=[match(), includes()], epochs=2, name="law")
    run(task, model=f"fixed{form}/model", log_dir=str(tmp_path), log_format=form, display="none")
    found = read([tmp_path])
    assert found.findings == []
    (log,) = found.logs
    assert (log.program, len(log.answers)) == ("Inspect", 12)
    for figure in found.figures:
        assert figure.recomputed.value == pytest.approx(4 / 6)
        assert [one.value for one in figure.published] == [pytest.approx(4 / 6)]
    assert (log.answers[1].question, log.answers[1].answer, log.answers[1].reference) == (
        "Q 1?",
        "Article 1",
        "Article 1",
    )


def test_deepeval_writes_its_test_run(tmp_path, monkeypatch):
    """DeepEval evaluates with a metric of its own and writes its test run; scores, passes and counts are read from it."""
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("DEEPEVAL_RESULTS_FOLDER", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    deepeval = pytest.importorskip("deepeval", reason="DeepEval is not installed")
    from deepeval.metrics import ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    cases = [
        LLMTestCase(input=f"Q {i}?", actual_output="Article 1", expected_output="Article 1" if i else "none")
        for i in range(4)
    ]
    deepeval.evaluate(cases, [ExactMatchMetric()])
    found = read([next(tmp_path.glob("test_run_*.json"))])
    figures = {one.key.measure: one.recomputed.value for one in found.figures}
    assert figures["passed"] == 0.75
    assert found.findings == []


def test_evalscope_writes_its_reviews(tmp_path):
    """EvalScope's own classes write reviews; they are recognised and read."""
    cache = pytest.importorskip("evalscope.api.evaluator.cache", reason="EvalScope is not installed")
    from evalscope.api.messages import ChatMessageUser
    from evalscope.api.metric import SampleScore, Score

    path = tmp_path / "reviews" / "m1" / "law_main.jsonl"
    path.parent.mkdir(parents=True)
    rows = []
    for i in range(4):
        score = Score(value={"acc": float(i > 0)}, prediction="Article 1", main_score_name="acc")
        sample = SampleScore(score=score, sample_id=i, group_id=i)
        messages = [ChatMessageUser(content=f"Q {i}?")]
        row = cache.ReviewResult(index=i, target="Article 1", messages=messages, sample_score=sample)
        rows.append(json.dumps(row.model_dump(), default=str))
    path.write_text("\n".join(rows), encoding="utf-8")
    (figure,) = read([tmp_path]).figures
    assert (figure.key.model, figure.key.measure, figure.recomputed.value) == ("m1", "acc", 0.75)
    assert figure.rows[0].question == "Q 0?"


def test_opentelemetry_writes_its_spans(tmp_path):
    """Spans of OpenTelemetry's SDK, encoded as its exporter does, are read as answers with their evaluation."""
    pytest.importorskip("opentelemetry.sdk", reason="OpenTelemetry is not installed: pip install 'benchbar[otel]'")
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    with provider.get_tracer("t").start_as_current_span("chat m1") as span:
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.request.model", "m1")
        span.set_attribute("gen_ai.output.messages", json.dumps([{"role": "assistant", "content": "Article 1"}]))
        evaluation = {"gen_ai.evaluation.name": "relevance", "gen_ai.evaluation.score.value": 0.5}
        span.add_event("gen_ai.evaluation.result", evaluation)
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps(MessageToDict(encode_spans(kept.get_finished_spans()))), encoding="utf-8")
    (figure,) = read([path]).figures
    assert (figure.key.model, figure.key.measure, figure.recomputed.value) == ("m1", "relevance", 0.5)


class Taken(BaseHTTPRequestHandler):
    """Keeps what Langfuse's SDK sends: spans as OTLP/JSON and scores, one request or score a line."""

    folder: Path

    def do_POST(self):
        from google.protobuf.json_format import MessageToDict
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path.endswith("/otel/v1/traces"):
            body = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
            request = MessageToDict(ExportTraceServiceRequest.FromString(body))
            for resource in request["resourceSpans"]:
                for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
                    # Protobuf's own JSON has ids in Base64; OTLP's has them in hexadecimal, as the SDK's scores do.
                    for name in ("traceId", "spanId", "parentSpanId"):
                        if name in span:
                            span[name] = base64.b64decode(span[name]).hex()
            self.kept("spans.jsonl", [request])
        elif self.path.endswith("/scores"):
            given = json.loads(body)
            self.kept("scores.jsonl", given if isinstance(given, list) else [given])
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def kept(self, name, rows):
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)

    def log_message(self, *_):
        """Nothing on the terminal."""


LANGFUSE_SCRIPT = """
import sys
from langfuse import Langfuse

langfuse = Langfuse(public_key="pk-lf-1", secret_key="sk-lf-1", host=sys.argv[1])
for number in range(4):
    asked = [{"role": "user", "content": f"Q {number}?"}]
    with langfuse.start_as_current_observation(as_type="span", name="consultation"):
        with langfuse.start_as_current_observation(as_type="generation", name="advice", model="m1", input=asked) as call:
            call.update(output="Article 1")
            call.score(name="right", value=float(number > 0))
            call.score_trace(name="helpful", value=0.5)
langfuse.flush()
"""


def langfuse_python():
    """The Python that has Langfuse's SDK: the one that a variable names, else our own; None where neither has it."""
    named = os.environ.get("LANGFUSE_PYTHON")
    return named or (sys.executable if find_spec("langfuse") else None)


def test_langfuse_sends_its_spans_and_scores(tmp_path):
    """Langfuse's SDK sends spans to a server by OTLP and scores beside them; together they are answers with their scores."""
    python = langfuse_python()
    if python is None:
        pytest.skip("Langfuse is not installed: pip install langfuse, or LANGFUSE_PYTHON=(a Python that has it)")
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Here", (Taken,), {"folder": tmp_path})) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [python, "-c", LANGFUSE_SCRIPT, f"http://127.0.0.1:{server.server_port}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        server.shutdown()
    found = read([tmp_path])
    figures = {one.key.measure: one for one in found.figures}
    assert {name: one.recomputed.value for name, one in figures.items()} == {"right": 0.75, "helpful": 0.5}
    assert figures["right"].key.model == "m1"
    assert {(one.question, one.answer) for one in figures["right"].rows} == {(f"Q {i}?", "Article 1") for i in range(4)}


def test_promptfoo_writes_its_results(tmp_path):
    """Two prompts are evaluated by it; its own counts of passed tests are those that its rows give."""
    program = shutil.which("promptfoo")
    if program is None:
        pytest.skip("promptfoo is not installed: npm install --global promptfoo")
    (tmp_path / "config.json").write_text(
        json.dumps(
            {
                "prompts": ["Which article governs {{topic}}?", "Name the article on {{topic}}."],
                "providers": ["echo"],
                "tests": [
                    {"vars": {"topic": "lease"}, "assert": [{"type": "contains", "value": "lease"}]},
                    {"vars": {"topic": "tort"}, "assert": [{"type": "contains", "value": "contract"}]},
                    {"vars": {"topic": "sale"}, "assert": [{"type": "regex", "value": "governs"}]},
                ],
            }
        ),
        "utf-8",
    )
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(tmp_path)}
    command = [program, "eval", "--no-cache", "-c", "config.json", "-o", "out.json"]
    # It exits with 100 where a test failed.
    subprocess.run(command, cwd=tmp_path, env={**os.environ, **quiet}, capture_output=True, check=False)
    found = read([tmp_path / "out.json"])
    assert found.findings == []
    passed = [one for one in found.figures if one.key.measure == "pass"]
    assert [one.recomputed.value for one in passed] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert [one.value for figure in passed for one in figure.published] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]


def test_ragas_writes_its_results(tmp_path):
    """Ragas scores with two metrics that need no model; its table, as CSV and as lines of JSON, gives the means that it prints."""
    pytest.importorskip("ragas", reason="Ragas is not installed")
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from ragas import EvaluationDataset, SingleTurnSample, evaluate
    from ragas.metrics import ExactMatch, NonLLMStringSimilarity

    samples = [
        SingleTurnSample(user_input=f"Q {i}?", response="Article 1", reference="Article 1" if i % 3 else "Article 2")
        for i in range(6)
    ]
    # Neither metric asks it; without one Ragas makes a client of its own, which wants a key.
    model = FakeListChatModel(responses=["x"])
    table = evaluate(
        EvaluationDataset(samples=samples), [ExactMatch(), NonLLMStringSimilarity()], llm=model, show_progress=False
    ).to_pandas()
    table.to_csv(tmp_path / "ragas.csv", index=False)
    table.to_json(tmp_path / "ragas.jsonl", orient="records", lines=True)
    for name in ("ragas.csv", "ragas.jsonl"):
        figures = {one.key.measure: one.recomputed.value for one in read([tmp_path / name]).figures}
        assert figures["exact_match"] == pytest.approx(4 / 6)
        assert figures["non_llm_string_similarity"] == pytest.approx(table["non_llm_string_similarity"].mean())
