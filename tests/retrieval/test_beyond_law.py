"""Questions that no article answers, told by their wording, and those of law that only look like them."""

import json
import re
from pathlib import Path

import pytest

from benchbar.retrieval.beyond_law import (
    asks_beyond_law,
    rule_beyond_law,
    rules_of,
)

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "consultant" / "questions"
EXAMPLES = {
    "law of elsewhere, from the first word": ["澳门上班一周最多几个钟头？", "在韩国租房，押金要给几个月的？"],
    "what holds in a place elsewhere": ["国内的驾照在新西兰能用吗？"],
    "law of elsewhere, by name": ["想知道德国的规定是怎样的，请问德国法律让不让房东涨租？"],
    "firm founded elsewhere": ["想注册一家新加坡公司，要几个股东？"],
    "institution that mainland law does not have": ["老板没给我买强积金怎么办？"],
    "figure or custom of a place": ["绍兴的最低工资是多少？", "石家庄养狗要交多少钱？", "我们这边月嫂多少钱一个月？"],
    "where an office is, when it is open, who sits there": ["劳动监察大队的电话是几号？", "徐州的车管所周六上班吗？"],
    "who holds an office or a case": ["我们这儿的镇长是谁？"],
    "what a paper of one's own says": [
        "我那份租房合同里写的押金是多少？",
        "我妈的保单里写的受益人是谁？",
        "合同里到底怎么写的？",
    ],
    "a firm's own rules": ["美团会员几块钱一个月？", "我们公司的员工手册规定一年能调几次班？"],
    "figure of today": ["现在的社保基数是多少？"],
    "figure of one's own firm or village": ["我们厂食堂一顿饭多少钱？"],
    "address or number": ["消协的电话号码是多少？"],
    "what to do with one's life, and how to please": ["您觉得我该换工作吗？", "跟室友怎么相处？"],
    "forecast, chance, trend": ["这场官司赢的机会有多大？", "后年房价会跌吗？"],
    "knack, taste, bargain": ["什么牌子的冰箱最好？", "帮我家孩子起个名字"],
    "market price and tariff": ["打离婚官司请律师要多少钱？", "彩礼一般要多少？"],
    "statistic": ["全国一年有多少人离婚？"],
    "how a craft, a taste or a talk is managed": ["阳台上种点什么好看又管用？", "怎么炖的排骨咋做好吃？"],
    "how one's own case stands": ["我的案子进展到哪一步了？"],
}
LAW = """
我在上海一家公司干了五年，公司裁员要赔我几个月工资？
我在深圳打工，老板拖欠工资三个月，能要多少赔偿？
我们公司辞退我要赔多少钱？
我们公司拖欠工资该赔多少？
有限公司股东最多多少人？
公司换了地址没通知我，开庭没去怎么办？
商家泄露我的电话号码怎么办？
劳动合同里有没有写工资都要双倍吗？
今年产假多少天？
现在离婚冷静期多少天？
我被公司派到新加坡工作，受伤了算工伤吗？
香港公司欠我货款，在深圳起诉行吗？
从香港买的包是假的，能找代购赔吗？
我老公是台湾人，离婚怎么办？
在香港结的婚，离婚要去哪里办？
美国的判决能在中国法院承认吗？
公司章程里可以规定同股不同权吗？
我的劳动合同里写试用期六个月，合法吗？
员工手册规定迟到扣三天工资，可以吗？
淘宝买的手机是假货，赔几倍？
美团骑手送餐受伤算不算工伤？
派出所能关人几个小时？
该不该给经济补偿？
律师费输了的一方要承担吗？
彩礼给了八万，离婚能要回多少？
物业费不交，滞纳金多少？
你觉得我这个情况算工伤吗？
我是浙江人，在江苏打工，社保能转吗？
法官该不该回避？
派出所中午把我放了，还能再拘吗？
明年的租金涨多少合适，房东能随便涨吗？
浙江高院的再审申请要几个月？
"""


def test_every_chinese_rule_with_exceptions_has_examples():
    """A rule without a wording that meets it would be one that nobody has seen work."""
    assert {rule.name for rule in rules_of("zh") if rule.denied.pattern != "(?!)"} <= set(EXAMPLES)


@pytest.mark.parametrize(("rule", "question"), [(rule, one) for rule, many in EXAMPLES.items() for one in many])
def test_a_local_figure_a_paper_a_forecast_or_the_law_of_elsewhere_is_beyond_law(rule, question):
    """Each by the rule that is written for it, or by one that comes before it."""
    found = rule_beyond_law(question)
    names = [one.name for one in rules_of("zh")]
    assert found
    assert names.index(found) <= names.index(rule)
    assert asks_beyond_law(question)


@pytest.mark.parametrize("question", LAW.split())
def test_a_question_of_law_that_names_a_city_a_firm_or_a_paper_is_searched(question):
    """A city where one works, a country where one married and a paper whose lawfulness is asked about refuse no question."""
    assert not asks_beyond_law(question)


def test_traditional_characters_are_read_like_simplified_ones():
    """One table of rules serves both."""
    assert rule_beyond_law("澳門上班一週最多幾個鐘頭？") == rule_beyond_law("澳门上班一周最多几个钟头？") != ""
    assert not asks_beyond_law("我在上海一家公司幹了五年，公司裁員要賠我幾個月工資？")


def test_no_published_chinese_question_with_an_answer_is_beyond_law():
    """Of `development`, `tune`, `silence_tune` and `others_tune`."""
    files = [QUESTIONS / name / "zh.jsonl" for name in ("development", "tune", "silence_tune", "others_tune")]
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["question"] for row in rows if row["answerable"] and asks_beyond_law(row["question"])] == []


def test_a_language_without_a_table_has_no_rules():
    """Nothing is told of a question in it."""
    assert rules_of("fr") == ()
    assert rule_beyond_law("Quel est le tarif ?") == ""


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_wordings_are_bounded_patterns(language):
    """A question of any length costs time in proportion to it."""
    for one in (pattern for rule in rules_of(language) for pattern in (rule.asks, rule.denied)):
        assert one.search("") is None
        assert not re.search(r"[*+]", re.sub(r"\\.|\[[^\]]*\]", "", one.pattern)), one.pattern
