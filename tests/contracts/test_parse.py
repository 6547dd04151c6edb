"""Reading reviews: the form in the variants that models write, JSON, and honest failure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.contracts.form import write_form
from benchbar.contracts.parse import MAX_REPLY, read_level, read_reflection, read_review
from benchbar.records.contracts import Finding, RiskLevel

HIGH, MEDIUM, LOW = RiskLevel.HIGH, RiskLevel.MEDIUM, RiskLevel.LOW

READABLE = {
    "the form": (
        "### 风险\n- 风险：单方解释权\n- 风险等级：高\n- 证据摘录：“最终解释权”\n- 分析：无效\n- 法律依据：《民法典》第四百九十八条\n- 修改建议：删除\n- 置信度：0.9",
        HIGH,
    ),
    "bold labels and a quotation": (
        "## 结果\n**风险**：工资过低\n**风险等级**：**高风险**\n**证据摘录**：\n> 按60%发放\n**分析**：违法\n**修改建议**：改为80%",
        HIGH,
    ),
    "a table": (
        "| 项目 | 内容 |\n|---|---|\n| 风险 | 押金 |\n| 风险等级 | 中 |\n| 证据摘录 | 不退 |\n| 分析 | x |\n| 修改建议 | y |",
        MEDIUM,
    ),
    "numbered lines": ("1. 风险等级：中等\n2. 证据摘录：abc\n3. 风险分析：d\n4. 修改建议: e", MEDIUM),
    "brackets": ("【风险等级】低\n【分析】没有问题", LOW),
    "two languages at once": ("- **风险等级**: High (高)\n- **风险**: abc", HIGH),
    "English": (
        "- Risk: none\n- Risk level: Low\n- Evidence: none\n- Analysis: fine\n- Law: none\n- Suggestion: keep",
        LOW,
    ),
    "Russian": ("- Риск: x\n- Уровень риска: высокий\n- Доказательство: y\n- Анализ: z\n- Предложение: p", HIGH),
    "thoughts before the form": ("<think>风险等级：低</think>风险等级：高\n风险：a", HIGH),
    "a JSON object": ('```json\n{"风险等级": "高", "证据摘录": ["a", "b"], "修改建议": "c"}\n```', HIGH),
    "JSON with a list": ('{"findings": [{"risk": "a", "level": "low"}, {"risk": "b", "level": "medium"}]}', MEDIUM),
    "a level for the whole": (
        "总体风险等级：中\n风险1：a\n风险等级：高\n证据：b\n风险2：c\n风险等级：低\n证据：d",
        MEDIUM,
    ),
    "the gravest of two risks": ("风险：a\n风险等级：低\n证据摘录：x\n风险：b\n风险等级：高\n证据摘录：y", HIGH),
    "running text": ("本条款属于高风险条款，建议修改。", HIGH),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_models_really_write_is_read(name):
    """Every variant gives its level."""
    reply, level = READABLE[name]
    assert read_review(reply).level is level


def test_all_parts_of_the_form_are_kept():
    """Risk, level, evidence, analysis, law, suggestion and confidence are read into one finding."""
    reading = read_review(READABLE["the form"][0])
    finding = reading.findings[0]
    assert (finding.risk, finding.evidence, finding.law) == ("单方解释权", "“最终解释权”", "《民法典》第四百九十八条")
    assert (finding.analysis, finding.suggestion, finding.confidence) == ("无效", "删除", 0.9)
    assert reading.complete


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("条款没有问题。", "no level"),
        ("风险：a\n证据摘录：b\n分析：c", "no level"),
        ("风险等级：高、中、低三者择一", "several levels"),
        ("风险等级：中高\n分析：a", "several levels"),
        ("风险：a\n风险等级：高\n风险等级：低", "two levels"),
        ("### 风险\n- 风险：甲\n- 风险等级：", "no level"),
        ("本条款属于高风险，但也可能是低风险。", "several levels"),
        ("Это просто текст.", "no level"),
        ('{"risk": "a"', "no level"),
    ],
)
def test_what_cannot_be_read_is_said_and_not_guessed(reply, reason):
    """No level, two levels, the template echoed back and broken replies give no level, and say why."""
    reading = read_review(reply)
    assert reading.level is None
    assert reason in reading.reason


def test_a_reply_that_broke_off_is_incomplete():
    """A level that was still written counts; the missing parts are told."""
    reading = read_review("- 风险：押金\n- 风险等级：高\n- 证据摘录：押金一")
    assert reading.level is HIGH
    assert not reading.complete


WORDS = st.text(alphabet="甲乙方押金退还abc，。 ", min_size=1, max_size=20).map(str.strip).filter(bool)


@given(
    st.sampled_from(["zh", "en", "ru"]),
    st.lists(st.tuples(WORDS, st.sampled_from(list(RiskLevel)), WORDS), min_size=1, max_size=4),
)
def test_the_form_we_write_is_the_form_we_read(language, parts):
    """Writing findings and reading them back gives the same risks, levels and evidence in every language."""
    findings = [
        Finding(risk=risk, level=level, evidence=evidence, analysis="x", suggestion="y")
        for risk, level, evidence in parts
    ]
    back = read_review(write_form(findings, language)).findings
    assert [(one.risk, one.level, one.evidence) for one in back] == [
        (one.risk, one.level, one.evidence) for one in findings
    ]


@given(st.text(max_size=300))
def test_no_reply_can_break_the_parser(reply):
    """Whatever is replied, the reading has a level or a reason."""
    reading = read_review(reply)
    assert (reading.level is None) <= bool(reading.reason)


def test_a_reply_of_a_million_characters_is_read_in_time():
    """What lies beyond the bound is not read."""
    assert read_review("风险等级：" * 200_000 + "高").level is None
    assert len("x" * MAX_REPLY) < 1_000_000


@pytest.mark.parametrize(
    ("reply", "outcome", "after"),
    [
        ("复核结论：维持\n风险等级：高\n理由：x", "keep", HIGH),
        ("复核结论：调整\n风险等级：中\n理由：x", "adjust", MEDIUM),
        ("Outcome: adjust\nRisk level: low\nReason: x", "adjust", LOW),
        ("Итог: сомнительно\nУровень риска: средний", "doubtful", HIGH),
        ("复核结论：维持\n风险等级：低", "unparsed", HIGH),
        ("复核结论：调整\n理由：x", "unparsed", HIGH),
        ("随便写写", "unparsed", HIGH),
        ("复核结论：调整\n风险等级：高", "keep", HIGH),
    ],
)
def test_a_second_look_keeps_adjusts_or_doubts(reply, outcome, after):
    """The outcome is read; a contradiction or an unreadable look leaves the level as it was and says so."""
    look = read_reflection(reply, HIGH, 0.5)
    assert (look.outcome, look.after, look.before) == (outcome, after, HIGH)


@pytest.mark.parametrize(
    ("text", "level"), [("高风险", HIGH), ("中国法下为低", LOW), ("无", LOW), ("Severe", HIGH), ("умеренный", MEDIUM)]
)
def test_levels_are_read_from_words_of_three_languages(text, level):
    """Words for the levels in Chinese, English and Russian."""
    assert read_level(text)[0] is level
