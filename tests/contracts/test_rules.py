"""Risk rules: their file, their patterns, and finding the rule that a clause is about."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.contracts.patterns import keyword, pattern
from benchbar.contracts.rule_index import RuleIndex, pieces
from benchbar.contracts.rules import RiskRule, RuleSet, families, read_rules, type_of_contract
from benchbar.records.contracts import RiskLevel
from benchbar.records.errors import BadInputError

OWN = {
    "id": "MJ-LEASE-01",
    "contract_type": "租赁合同",
    "name": "押金不退",
    "keywords": ["押金…不予退还"],
    "patterns": ["押金.{0,12}没收"],
    "risk_type": "legal",
    "reasoning": "押金应在扣除实际损失后退还。",
    "law": "《租约法》第十二条",
    "levels": {
        "high": ["一律不(?:予)?退"],
        "medium": "退还条件不清",
        "low": {"when": "约定期限内退还", "patterns": ["十日内退还"]},
    },
}


def _write(tmp_path, *rows):
    path = tmp_path / "rules.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def test_both_formats_are_read(tmp_path):
    """A rule in our format and one of the contract agent's stand in one file."""
    theirs = {
        "risk_id": "GENERAL_002",
        "contract_type": "通用条款",
        "risk_name": "单方解释权",
        "keywords": ["最终解释权", "以...解释为准"],
        "risk_type": "legal",
        "analysis_logic": "任何一方不得垄断解释权。",
        "law_tag": "格式条款",
        "laws": "《民法典》第四百九十八条",
    }
    first, second = read_rules(_write(tmp_path, OWN, theirs)).rules
    assert (first.law, second.law) == (("《租约法》第十二条",), ("《民法典》第四百九十八条",))
    assert first.levels[RiskLevel.MEDIUM].when == "退还条件不清"
    assert second.reasoning == "任何一方不得垄断解释权。"
    assert second.matches("本条款以甲方的解释为准。") == ("以...解释为准",)
    assert not second.matches("以甲方通知。解释为准")


def test_the_gravest_case_that_fits_gives_the_level(tmp_path):
    """``levels`` names wordings for each case; where none fits there is no level."""
    rule = read_rules(_write(tmp_path, OWN)).rules[0]
    assert rule.level_of("押金一律不退，十日内退还。") is RiskLevel.HIGH
    assert rule.level_of("押金于十日内退还。") is RiskLevel.LOW
    assert rule.level_of("押金另议。") is None


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"id": "a"}, "name"),
        ({**OWN, "keywords": "押金"}, "keywords"),
        ({**OWN, "id": " "}, "needs an id"),
        ({**OWN, "levels": {"grave": "x"}}, "levels"),
        ({**OWN, "surprise": 1}, "surprise"),
        ({**OWN, "patterns": ["(a{1,9}){1,9}"]}, "repeats a group"),
        ([1], "JSON object"),
    ],
)
def test_a_bad_rule_is_refused_with_its_line(tmp_path, row, says):
    """What is missing, of another type, unknown or dangerous is named with the file's line."""
    with pytest.raises(BadInputError, match=says) as caught:
        read_rules(_write(tmp_path, OWN, row))
    assert caught.value.line == 2


def test_an_id_may_come_once(tmp_path):
    """A second rule of the same id is refused, and the first one's line is named."""
    with pytest.raises(BadInputError, match="line 1"):
        read_rules(_write(tmp_path, OWN, OWN))


@pytest.mark.parametrize(
    "text",
    [
        "a{3,}",
        "a{0,900}",
        "(ab){2,5}",
        "(?:a{1,2}){3}",
        "a{1,60}b{1,60}c{1,60}d{1,60}",
        "[unclosed",
        "x" * 3000,
        "a+b",
        "[ab]*",
    ],
)
def test_patterns_that_could_run_away_are_refused(text):
    """Repetition without bound, of groups, or of too many parts is refused before it is ever run."""
    with pytest.raises(BadInputError):
        pattern(text)


def test_a_dot_star_stays_in_its_sentence():
    """``.*`` is read as a gap of at most 20 characters of one sentence."""
    assert pattern("甲方.*解除").search("甲方有权解除")
    assert not pattern("甲方.*解除").search("甲方出租。乙方解除")
    assert not pattern("甲方.*解除").search("甲方" + "很" * 40 + "解除")


@given(st.text(alphabet="甲乙a {},|()?[]\\.*+", max_size=40))
def test_an_accepted_pattern_is_fast_on_hostile_text(text):
    """Whatever pattern is accepted, ten thousand equal characters are searched at once."""
    try:
        form = pattern(text)
    except BadInputError:
        return
    began = time.process_time()
    form.search("a" * 10_000)
    assert time.process_time() - began < 5


def test_keywords_match_words_and_not_parts_of_them():
    """English keywords begin at a word and take any white space; Chinese ones stand anywhere."""
    assert keyword("as is").search("sold AS\nIS without")
    assert not keyword("able").search("payable")
    assert keyword("押金").search("房屋押金")


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("劳动合同", {"labour"}),
        ("LABOR", {"labour"}),
        ("通用/租赁/买卖", {"general", "lease", "sales"}),
        ("договор аренды", {"lease"}),
        ("joint venture", {"joint venture"}),
    ],
)
def test_contract_types_of_three_languages_meet(name, kinds):
    """Names of contract types in Chinese, Russian and English are the same few kinds."""
    assert families(name) == kinds


def test_the_title_names_the_type():
    """The first lines name the type of contract; two types at once name none."""
    assert type_of_contract("房屋租赁合同\n出租方") == "lease"
    assert type_of_contract("EMPLOYMENT AGREEMENT\n") == "labour"
    assert type_of_contract("设备买卖及租赁合同") is None
    assert type_of_contract("Our current terms for different parents") is None


RULES = RuleSet(
    rules=(
        RiskRule(
            id="L1", name="押金不退", contract_type="租赁合同", keywords=("押金不退",), reasoning="押金应当退还承租人"
        ),
        RiskRule(
            id="E1",
            name="扣押证件",
            contract_type="劳动合同",
            keywords=("扣押身份证",),
            reasoning="不得扣押劳动者的证件",
        ),
        RiskRule(
            id="G1", name="单方解释", contract_type="通用条款", keywords=("最终解释权",), reasoning="格式条款的解释"
        ),
    )
)


def test_rules_of_other_types_are_not_proposed():
    """The filter keeps rules of the contract's type and general ones."""
    index = RuleIndex(RULES)
    assert index.search("公司扣押员工的身份证件", 3)[0].rule == "E1"
    assert {hit.rule for hit in index.search("公司扣押员工的身份证件", 3, "lease")} == {"L1", "G1"}


def test_a_reranker_decides_the_order_where_one_is_given():
    """The named reranker orders the first rules; here one that likes the last."""
    index = RuleIndex(RULES, reranker=lambda _, texts: list(range(len(texts))))
    plain = [hit.rule for hit in RuleIndex(RULES).search("押金不予退还", 3)]
    assert [hit.rule for hit in index.search("押金不予退还", 3)] == plain[::-1]


def test_searching_many_clauses_is_searching_each():
    """The batch gives what single searches give."""
    texts = ["押金不退", "扣押身份证", "", "解释权归甲方", "completely foreign words"]
    index = RuleIndex(RULES)
    assert index.search_many(texts) == [index.search(text) for text in texts]


def test_words_of_alphabetic_scripts_are_pieces_with_their_stems():
    """English and Russian are cut into words and five-letter stems, Chinese into characters and pairs."""
    assert pieces("Liability of Tenants") == ["liability", "of", "tenants", "liabi", "tenan"]
    assert pieces("押金") == ["押", "金", "押金"]


@pytest.mark.parametrize("filtered", [False, True])
def test_the_expected_rule_is_found_among_all(labelled, filtered):
    """Most risky clauses find their rule first, and nearly all among three, with or without the type filter."""
    risky = [one for one in labelled.clauses if one.level is not RiskLevel.LOW]
    index = RuleIndex(labelled.rules)
    hits = [[hit.rule for hit in index.search(one.text, 3, one.contract_type if filtered else None)] for one in risky]
    assert len(risky) >= 40
    first = sum(found[0] in one.rules for one, found in zip(risky, hits, strict=True))
    assert first >= labelled.first * len(risky)
    among = sum(bool(set(one.rules) & set(found)) for one, found in zip(risky, hits, strict=True))
    assert among >= labelled.among_three * len(risky)
