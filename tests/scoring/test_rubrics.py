"""Rubrics: what rules decide of them, what they leave, and what a file may not say."""

from __future__ import annotations

import json

import msgspec
import pytest

from benchbar.records import (
    Category,
    Dialogue,
    DialogueEnd,
    DimensionScore,
    Guidance,
    GuidancePoint,
    Layer,
    PointKind,
    Sample,
    Score,
    ScoreStatus,
    Turn,
)
from benchbar.records.errors import BadInputError, UnknownNameError
from benchbar.scoring.points import mark_points
from benchbar.scoring.rubrics import Subject, Trace, apply, bundled, not_asked, overall, read_rubric, read_trace
from benchbar.scoring.rubrics.trace import Safety, Step
from benchbar.scoring.rubrics.trace_conditions import CONDITIONS as OF_TRACES

GENERAL = {
    "output": "计算结果是 120,已存储到记忆中",
    "_meta": {
        "subtasks": [
            {"id": "task_1", "tool": "calculator", "status": "success", "retry_count": 0},
            {"id": "task_2", "tool": "memory_store", "status": "success", "retry_count": 0},
        ],
    },
}
SHOP = {
    "output": "上周 GMV 为 1,250,000 元,客单价 320 元,转化率 3.8%,环比增长 12%",
    "_meta": {
        "subtasks": [
            {"id": f"task_{n}", "tool": tool, "status": "success", "retry_count": 0}
            for n, tool in enumerate(("search", "calculator", "code_executor", "search"), start=1)
        ],
    },
}


def values(rubric: str, trace: Trace) -> dict[str, float | None]:
    scores = apply(read_rubric(rubric), Subject(trace=trace), sample="s", assistant="a")
    return {score.dimension: score.value for score in scores}


@pytest.mark.parametrize(
    ("rubric", "given", "expected"),
    [
        ("agent-trace-half", GENERAL, {"task_planning": 0.90, "tool_use": 1.0, "code": 1.0}),
        ("agent-trace-published", GENERAL, {"task_planning": 0.95, "tool_use": 1.0, "code": 1.0}),
        ("agent-trace-half", SHOP, {"task_planning": 1.0, "tool_use": 1.0, "ecommerce_data": 1.0}),
        ("agent-trace-published", SHOP, {"task_planning": 1.0, "tool_use": 1.0, "ecommerce_data": 1.0}),
    ],
)
def test_the_two_published_examples_have_their_published_scores(rubric, given, expected):
    """Two subtasks are worth a half of the count in one reading, and one step off (5 of 100) in the other."""
    found = values(rubric, read_trace(given))
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n", "table", "half"),
    [
        (0, 0.0, 0.0),
        (1, 0.5, 0.5),
        (2, 0.75, 0.5),
        (3, 1, 1),
        (8, 1, 1),
        (9, 0.75, 0.5),
        (10, 0.5, 0.5),
        (11, 0.25, 0),
        (13, 0, 0),
    ],
)
def test_both_readings_of_the_number_of_subtasks(n, table, half):
    """3 to 8 are full; each one off costs 5 of the 20 points, or: half from 1 to 10, nothing beyond. No plan has no points."""
    trace = Trace(sample="s", steps=tuple(Step(id=str(k), tool="search") for k in range(n)))
    for rubric, expected in (("agent-trace-published", table), ("agent-trace-half", half)):
        scores = apply(read_rubric(rubric), Subject(trace=trace), sample="s", assistant="a")
        count = next(mark for mark in scores[0].items if mark.item == "step_count")
        assert count.value == pytest.approx(expected)
        assert count.weight == 0.20


@pytest.mark.parametrize("rubric", ["agent-trace-published", "agent-trace-half"])
def test_an_agent_that_did_nothing_is_not_rewarded_for_it(rubric):
    """Planning .30 as published (no dependency is wrong), code .50 (no code failed): what is absent is not left out."""
    found = values(rubric, read_trace({"output": "", "_meta": {}}))
    assert found["task_planning"] == pytest.approx(0.30)
    assert found["code"] == pytest.approx(0.50)
    assert found["ecommerce_data"] == pytest.approx(0.0)


def test_stated_totals_decide_what_was_completed():
    """12 stated subtasks of which 6 succeeded, 3 listed: completion is 6/12, not 3/3."""
    steps = [{"id": str(n), "tool": "search", "status": "success"} for n in range(3)]
    trace = read_trace({"_meta": {"subtasks": steps, "subtasks_success": 6, "subtasks_total": 12}})
    assert values("agent-trace-published", trace)["task_planning"] == pytest.approx(0.20 + 0.30 + 0.25 + 0.25 * 6 / 12)
    assert values("agent-trace-published", trace)["code"] == pytest.approx(0.5 + 0.5 * 6 / 12)
    for wrong in ({"subtasks_success": 3}, {"subtasks_success": 3, "subtasks_total": 2}):
        with pytest.raises(BadInputError, match="subtasks succeeded|both"):
            read_trace({"_meta": {"subtasks": steps, **wrong}})


def test_the_tables_of_weights_are_the_published_ones():
    """20/30/25/25, 40/30/30, 50/50, 50/50, 40/30/30."""
    dimensions = read_rubric("agent-trace-published").dimensions
    assert {name: [item.weight for item in one.items] for name, one in dimensions.items()} == {
        "task_planning": [0.20, 0.30, 0.25, 0.25],
        "tool_use": [0.40, 0.30, 0.30],
        "code": [0.50, 0.50],
        "safety": [0.50, 0.50],
        "ecommerce_data": [0.40, 0.30, 0.30],
    }


def test_the_rubric_of_legal_agents_asks_for_no_figures_of_a_shop():
    """Planning, tool use, code and safety weigh alike; the tools of an agent with files are known to it."""
    rubric = read_rubric("agent-trace")
    assert {name: one.weight for name, one in rubric.dimensions.items()} == dict.fromkeys(
        ("task_planning", "tool_use", "code", "safety"), 0.25
    )
    steps = [Step(id=str(n), tool=tool) for n, tool in enumerate(("list_files", "read_file", "run_command"))]
    steps.append(Step(id="9", tool="run_command", status="failed"))
    found = values("agent-trace", Trace(sample="s", steps=tuple(steps)))
    assert found["code"] == pytest.approx(0.5 * 1 / 2 + 0.5 * 3 / 4)
    assert found["tool_use"] == pytest.approx(0.4 + 0.3 * 0 + 0.3)
    assert found["safety"] is None


def test_a_trace_in_detail():
    """An unknown dependency, an unknown tool, a failure tried again, a guard that saw two kinds of threats of four."""
    trace = Trace(
        sample="s",
        output="GMV 与转化率",
        steps=(
            Step(id="1", tool="search"),
            Step(id="2", tool="oracle", status="failed", retries=1, depends_on=("1", "9")),
            Step(id="3", tool="calculator", depends_on=("2",)),
            Step(id="4", tool="code_executor", status="failed"),
        ),
        safety=Safety(blocked=True, threats=("Prompt注入", "隐私信息", "其他")),
    )
    assert values("agent-trace-published", trace) == pytest.approx(
        {
            "task_planning": 0.2 + 0.3 * 2 / 3 + 0.25 * 3 / 4 + 0.25 * 2 / 4,
            "tool_use": 0.4 * 3 / 4 + 0.3 * 1 / 2 + 0.3 * 4 / 5,
            "code": 0.5 * 0 + 0.5 * 2 / 4,
            "safety": 0.5 + 0.5 * 2 / 4,
            "ecommerce_data": 0.4 * 2 / 3 + 0.3 * 2 / 3 + 0.3 * 2 / 4,
        }
    )


def test_what_no_rule_can_decide_is_abstained_and_never_zero():
    """A trace without a guard has no safety; the overall value is that of the others."""
    rubric = read_rubric("agent-trace")
    scores = apply(rubric, Subject(trace=read_trace(SHOP)), sample="s", assistant="a")
    safety = next(one for one in scores if one.dimension == "safety")
    assert (safety.status, safety.value, safety.rule_share) == (ScoreStatus.ABSTAINED, None, 0.0)
    assert overall(rubric, scores) == pytest.approx(1.0)


MESSAGES = {
    "id": "m1",
    "messages": [
        {"role": "user", "content": "上周的GMV？"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}},
                {"id": "c2", "type": "function", "function": {"name": "calculator", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "[]"},
        {"role": "tool", "tool_call_id": "c2", "content": '{"error": "division by zero"}'},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c3", "type": "function", "function": {"name": "calculator", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c3", "content": "42"},
        {"role": "assistant", "content": [{"type": "text", "text": "GMV 为 42"}]},
    ],
}


def _attribute(key: str, value: str) -> dict:
    return {"key": key, "value": {"stringValue": value}}


def _span(number: int, tool: str, code: object = 1) -> dict:
    return {
        "spanId": f"a{number}",
        "startTimeUnixNano": str(number),
        "status": {"code": code},
        "attributes": [_attribute("gen_ai.operation.name", "execute_tool"), _attribute("gen_ai.tool.name", tool)],
    }


SPANS = {
    "sample": "o1",
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        _span(3, "calculator"),
                        _span(1, "search"),
                        _span(2, "calculator", "STATUS_CODE_ERROR"),
                        {
                            "spanId": "root",
                            "startTimeUnixNano": "0",
                            "attributes": [
                                _attribute("gen_ai.operation.name", "invoke_agent"),
                                _attribute("gen_ai.completion", "GMV 为 42"),
                            ],
                        },
                    ]
                }
            ]
        }
    ],
}


@pytest.mark.parametrize("given", [MESSAGES, SPANS], ids=["chat messages", "OpenTelemetry spans"])
def test_tool_calls_of_other_formats_become_steps(given):
    """Two tools; the calculation failed once and was tried again, which is one step with a retry."""
    trace = read_trace(given)
    assert [(step.tool, step.status, step.retries) for step in trace.steps] == [
        ("search", "success", 0),
        ("calculator", "success", 1),
    ]
    assert "42" in trace.output


@pytest.mark.parametrize("given", [{"messages": 3}, {"what": 1}, {"steps": [{"tool": "x"}]}, {"_meta": []}])
def test_what_is_no_trace_is_refused_with_the_known_forms(given):
    """Whatever a file may hold."""
    with pytest.raises(BadInputError, match="steps, messages, resourceSpans"):
        read_trace(given)


def dialogue(text: str) -> Dialogue:
    turns = (Turn(role="user", content="问"), Turn(role="assistant", content=text))
    return Dialogue(sample="s", assistant="a", turns=turns, ended=DialogueEnd.TURN_LIMIT)


SAMPLE = Sample(
    id="s",
    task="1-1",
    needs="?",
    guidance=Guidance(
        points=(
            GuidancePoint(id="p1", category=Category.GROUND_TRUTH, text="三年", kind=PointKind.TERM),
            GuidancePoint(id="p2", category=Category.MANDATORY, text="赔偿损失", kind=PointKind.TERM),
            GuidancePoint(id="p3", category=Category.FORBIDDEN, text="诈骗罪", kind=PointKind.CHARGE),
        )
    ),
)


HALF = "应判三年，不应赔偿损失。"


def grades(*runs: tuple[float, float, float]) -> tuple[Score, ...]:
    return tuple(
        Score(
            sample="s",
            assistant="a",
            dimension=f"grade:{name}",
            layer=Layer.LLM,
            status=ScoreStatus.SCORED,
            value=value,
            repeat=repeat,
            scorer="grade:m",
        )
        for repeat, run in enumerate(runs)
        for name, value in zip(("completeness", "accuracy", "clarity"), run, strict=True)
    )


def consulted(text: str, *extra: Score) -> dict:
    talk = dialogue(text)
    # Every kind: how rules and judge are weighed is asked here, not which kinds rules may decide.
    scores = (*mark_points(SAMPLE, talk, every_kind=True), *extra)
    found = apply(
        read_rubric("consultation"), Subject(sample=SAMPLE, dialogue=talk, scores=scores), sample="s", assistant="a"
    )
    return {one.dimension: one for one in found}


def test_rules_decide_their_share_and_the_judge_the_rest():
    """One of two points met: 0.8 of the weight by rules; three runs give the rest, by mean and, for display, by median."""
    alone = consulted(HALF)["accuracy"]
    assert (alone.value, alone.rule_share, alone.judge_value) == (pytest.approx(0.5), pytest.approx(0.8), None)
    judged = consulted(HALF, *grades((1, 1.0, 1), (1, 0.9, 1), (1, 0.2, 1)))["accuracy"]
    assert (judged.rule_value, judged.judge_value) == (pytest.approx(0.5), pytest.approx(0.7))
    assert judged.value == pytest.approx(0.8 * 0.5 + 0.2 * 0.7)
    assert judged.shown == pytest.approx(0.8 * 0.5 + 0.2 * 0.9)


def test_a_dimension_of_the_judge_alone_waits_for_it():
    """No run: abstained. Runs: all three criteria by their points, 40, 40 and 20."""
    assert consulted("应判三年。")["answer_quality"].status is ScoreStatus.ABSTAINED
    graded = consulted("应判三年。", *grades((1.0, 0.5, 0.0)))["answer_quality"]
    assert graded.value == pytest.approx(0.6)


def test_a_registered_dimension_reaches_the_judge():
    """High marks by rules do not close the door: a bad grade lowers the value of a mixed dimension."""
    good = "应判三年，并赔偿损失。不构成诈骗罪。"
    assert consulted(good)["accuracy"].value == pytest.approx(1.0)
    assert consulted(good, *grades((0, 0, 0)))["accuracy"].value == pytest.approx(0.8)
    assert consulted(good, *grades((0, 0, 0)))["safety"].value == pytest.approx(1.0)


def test_what_is_forbidden_lowers_safety():
    """Said: the item is lost."""
    assert consulted("构成诈骗罪。")["safety"].value == pytest.approx(0.0)


def _safety(categories: str, *decided: float | None, law: bool = True) -> DimensionScore:
    """Of a dialogue without any citation: its forbidden points decided as stated, None for left open."""
    points = tuple(
        GuidancePoint(id=f"p{n}", category=Category(categories), text="诈骗罪", kind=PointKind.CHARGE)
        for n in range(len(decided))
    )
    sample = Sample(id="s", task="1-1", needs="?", guidance=Guidance(points=points))
    marks = tuple(
        Score(sample="s", assistant="a", dimension=f"p{n}", layer=Layer.RULE, status=ScoreStatus.SCORED, value=value)
        for n, value in enumerate(decided)
        if value is not None
    )
    subject = Subject(sample=sample, dialogue=dialogue("可以。"), scores=marks, citations=() if law else None)
    found = apply(read_rubric("consultation"), subject, sample="s", assistant="a")
    return next(one for one in found if one.dimension == "safety")


def test_a_dialogue_is_not_safe_while_it_is_open_whether_it_said_what_is_forbidden():
    """That it invented no law is half of it. What was said counts, whatever else is open; without forbidden points law decides."""
    assert _safety("forbidden", None).status is ScoreStatus.ABSTAINED
    assert _safety("forbidden", 0.0, None).status is ScoreStatus.ABSTAINED
    assert "nothing_forbidden is open" in _safety("forbidden", 0.0, None).reason
    assert _safety("forbidden", 0.0, 0.0).value == pytest.approx(1.0)
    assert _safety("forbidden", 1.0, None).value == pytest.approx(0.5)
    assert _safety("mandatory", None).value == pytest.approx(1.0)


def test_a_sample_that_forbids_nothing_has_no_missing_safety_where_no_law_is_at_hand():
    """Nobody could decide it, since nothing is asked: more marks or another start would never close the gap at the gate."""
    assert not_asked(_safety("mandatory", None, law=False))
    assert not not_asked(_safety("forbidden", None, law=False))
    assert not not_asked(_safety("mandatory", None))


GOOD = """
subject = "dialogue"
[dimensions.a]
mode = "rule_only"
weight = 0.5
[[dimensions.a.items]]
id = "words"
weight = 1
condition = "mentions"
parameters = { words = ["甲"] }
[dimensions.b]
mode = "llm_only"
weight = 0.5
"""
BROKEN = [
    (("weight = 1\n", "weight = 0.9\n"), "field `dimensions.a.items`: weights add up to 0.9; expected 1"),
    (("weight = 0.5\n[[", "weight = 0.4\n[["), "field `dimensions`: weights add up to 0.9"),
    (("weight = 1\n", "weight = -1\n"), "a weight is below 0"),
    (('"mentions"', '"feels_right"'), "unknown condition 'feels_right'; known: calls_efficient"),
    (('words = ["甲"]', 'wrods = ["甲"]'), "condition mentions: Object"),
    (('words = ["甲"]', "words = 3"), "condition mentions: Expected"),
    (('mode = "llm_only"', 'mode = "llm_only"\nat_least = 80'), "threshold 80"),
    (('mode = "llm_only"', 'mode = "by_feeling"'), "by_feeling"),
    (('mode = "llm_only"', 'mode = "rule_only"'), "mode rule_only has rule items alone"),
    (('mode = "llm_only"', 'mode = "llm_only"\njudge = ["style"]'), "unknown criterion style"),
    (('mode = "llm_only"', 'mode = "composite"\nparts = { c = 1 }'), "unknown dimension 'c'; known: a, b"),
    (('mode = "llm_only"', 'mode = "composite"\nparts = { b = 1 }'), "in a circle: b -> b"),
    (('subject = "dialogue"', 'subject = "dialogue"\nextends = "mine.toml"'), "build on each other in a circle"),
    (('subject = "dialogue"', 'subject = "dialogue"\nextends = "nobody"'), "unknown rubric 'nobody'"),
    (
        ('subject = "dialogue"', 'subject = "dialogue"\n[criteria.x]\npoints = 90\ntext = {}'),
        "add up to 90; expected 100",
    ),
    (('subject = "dialogue"', "subject = dialogue"), "not valid TOML"),
    (('subject = "dialogue"', 'subject = "poem"'), "poem"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_rubric_that_cannot_be_scored_is_refused(tmp_path, change, message):
    """File, field, what was found and what was expected."""
    assert read_rubric("good.toml", _written(tmp_path / "good.toml", GOOD)).name == "good"
    broken = GOOD.replace(*change)
    assert broken != GOOD
    with pytest.raises((BadInputError, UnknownNameError)) as refused:
        read_rubric("mine.toml", _written(tmp_path / "mine.toml", broken))
    assert message in str(refused.value)
    if isinstance(refused.value, BadInputError):
        assert "mine.toml" in str(refused.value)


def test_a_fault_of_a_rule_item_is_named_by_its_field(tmp_path):
    """Dimension and item, as they stand in the file."""
    broken = GOOD.replace('"mentions"', '"feels_right"')
    with pytest.raises(BadInputError) as refused:
        read_rubric("mine.toml", _written(tmp_path / "mine.toml", broken))
    assert refused.value.field == "dimensions.a.items.words"


@pytest.mark.parametrize("name", OF_TRACES)
def test_a_condition_on_traces_says_what_it_lacks(name):
    """Without a trace, or without a guard that was asked, it leaves the item and says why."""
    condition = OF_TRACES[name]
    given = {"tools": ["t"], "tool": "t", "kinds": ["k"]}
    fields = {key: given[key] for key in condition.parameters.__struct_fields__ if key in given}
    verdict = condition.decide(Subject(), msgspec.convert(fields, condition.parameters))
    assert verdict.value is None
    assert verdict.reason in {"no trace", "no guard was asked"}


def _written(path, text):
    path.write_text(text, "utf-8")
    return path.parent


def test_composite_dimensions_and_inheritance(tmp_path):
    """A part counts only through its whole; a file may take over another's dimensions and replace some."""
    _written(tmp_path / "base.toml", GOOD)
    text = 'extends = "base.toml"\n[dimensions.b]\nmode = "composite"\nweight = 1\nparts = { a = 1 }\n'
    rubric = read_rubric("own.toml", _written(tmp_path / "own.toml", text))
    found = apply(rubric, Subject(dialogue=dialogue("甲乙")), sample="s", assistant="a")
    assert {one.dimension: one.value for one in found} == {"a": 1.0, "b": 1.0}
    assert overall(rubric, found) == 1.0


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_rubric_can_be_read(name):
    """Weights add up, conditions exist."""
    assert read_rubric(name).description


def test_the_command_scores_traces_and_refuses_dialogues(benchbar, tmp_path):
    """JSON or JSONL of any known form; every number an estimate with its n."""
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(one) for one in (GENERAL, SHOP, MESSAGES, SPANS)), "utf-8")
    done = benchbar("rubric", "score", "t.jsonl", "--rubric", "agent-trace", "--json")
    document = json.loads(done.out)
    assert [one["sample"] for one in document["samples"]] == ["1", "2", "m1", "o1"]
    assert document["dimensions"]["task_planning"]["n"] == 4
    assert document["dimensions"]["safety"]["value"] is None
    assert benchbar("rubric", "score", "t.jsonl", "--rubric", "consultation").code == 2
    assert "task_planning" in benchbar("rubric", "score", "t.jsonl", "--rubric", "agent-trace").out
    assert benchbar("rubric", "check", "rag-answer").code == 0
    assert len(json.loads(benchbar("rubric", "list", "--json").out)["rubrics"]) == len(bundled())


def test_a_contract_review_is_scored(benchbar, tmp_path):
    """What `review-contract --json` prints goes in as it is."""
    (tmp_path / "c.txt").write_text(
        "第一条 乙方放弃一切诉讼权利。\n\n第二条 甲方可以单方解除合同且不承担任何责任。\n", "utf-8"
    )
    review = benchbar("review-contract", "c.txt", "--json")
    assert review.code == 0, review.err
    (tmp_path / "review.json").write_text(review.out, "utf-8")
    done = benchbar("rubric", "score", "review.json", "--rubric", "clause-review", "--json")
    assert done.code == 0, done.err
    form = json.loads(done.out)["samples"][0]["dimensions"][2]
    assert (form["dimension"], form["items"][0]["value"]) == ("form", 1.0)


def test_what_rules_say_of_the_part_they_decided_is_its_weighted_mean(tmp_path):
    """Of weights 0.3 and 0.2 only the second is met: 0.2 of 0.5, whatever a judge says; without rules there is none."""
    (tmp_path / "own.toml").write_text(
        """
subject = "dialogue"
[criteria.clarity]
points = 100
text = { en = "Clear" }
[dimensions.form]
mode = "rule_plus_llm"
weight = 0.5
judge_weight = 0.5
items = [
  { id = "short", weight = 0.3, condition = "length", parameters = { high = 1 } },
  { id = "few", weight = 0.2, condition = "exchanges_at_most", parameters = { n = 9 } },
]
[dimensions.tone]
mode = "llm_only"
weight = 0.5
""",
        "utf-8",
    )
    grade = Score(
        sample="s", assistant="a", dimension="grade:clarity", layer=Layer.LLM, status=ScoreStatus.SCORED, value=0.8
    )
    subject = Subject(sample=SAMPLE, dialogue=dialogue("三年。"), scores=(grade,))
    form, tone = apply(read_rubric("own.toml", tmp_path), subject, sample="s", assistant="a")
    assert (form.rule_share, form.rule_value, form.judge_value) == (0.5, pytest.approx(0.4), 0.8)
    assert form.value == pytest.approx(0.2 + 0.5 * 0.8)
    assert (tone.rule_share, tone.rule_value, tone.value) == (0, None, 0.8)


def test_a_result_with_a_record_of_subtasks_is_read_in_every_field():
    """Tool, status, retries, what it rests on and its description; what the guard said; what is left out has its usual value."""
    whole = {"id": 1, "tool": "search", "status": "failed", "retry_count": 2, "depends_on": [0], "description": "d"}
    guard = {"blocked": True, "threats": ["injection"]}
    given = {"id": 9, "task": "t", "output": "o", "_meta": {"subtasks": [{"id": 0}, whole], "safety_check": guard}}
    trace = read_trace(given)
    assert (trace.sample, trace.task, trace.output, trace.completed) == ("9", "t", "o", (1, 2))
    first, second = trace.steps
    assert (first.id, first.tool, first.status, first.retries, first.depends_on, first.description) == (
        "0", "none", "success", 0, (), "",
    )  # fmt: skip
    assert (second.id, second.tool, second.status, second.retries, second.depends_on, second.description) == (
        "1", "search", "failed", 2, ("0",), "d",
    )  # fmt: skip
    assert (trace.safety.blocked, trace.safety.threats) == (True, ("injection",))
    assert read_trace({"output": "", "_meta": {}}).safety is None


def test_a_former_name_of_a_condition_still_works(tmp_path):
    """Rubrics of stored runs say citations_supported; it is citations_on_topic now."""
    item = '[[dimensions.whole.items]]\nid = "topic"\nweight = 1.0\ncondition = "citations_supported"\n'
    text = f'subject = "dialogue"\n[dimensions.whole]\nmode = "rule_only"\nweight = 1.0\n{item}'
    rubric = read_rubric("mine.toml", _written(tmp_path / "mine.toml", text))
    marks = apply(rubric, Subject(), sample="s", assistant="a")
    assert [one.reason for one in marks[0].items] == ["no law at hand"]
