"""A clause that denies a risk, or lays it on the party that wrote the contract, is not accused of it; its harmful twin is."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from benchbar.contracts.bundled import bundled_rules
from benchbar.contracts.cues import danger, find_cues
from benchbar.contracts.offline import OfflineReviewer
from benchbar.contracts.paragraphs import Paragraph, place
from benchbar.contracts.polarity import concerns, meant
from benchbar.contracts.reviewer import ContractReviewer
from benchbar.contracts.reviewing import review_contract
from benchbar.contracts.rule_index import RuleIndex
from benchbar.contracts.terms import LANGUAGES, find_terms, terms_of
from benchbar.records.contracts import Clause, ClauseKind

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks/contracts/development"
SUITES = Path(__file__).resolve().parents[2] / "src/benchbar/suites/data"
ENGLISH = RuleIndex(bundled_rules("en"))
CLAUSES = [
    (language, row["kind"], row["text"], row["level"])
    for language in LANGUAGES
    for name in (f"{language}.jsonl", f"{language}.later.jsonl")
    for row in map(json.loads, (FOLDER / name).read_text("utf-8").splitlines())
    if not row.get("open")
]


def review(text, language, kind="", side="", rules=None):
    """The review of one clause, with the rules that a review of this language uses by itself."""
    clause = Clause(id="c1", kind=ClauseKind.CLAUSE, text=text, start=0, end=len(text))
    index = rules or (ENGLISH if language == "en" else None)
    return asyncio.run(ContractReviewer(OfflineReviewer(), rules=index, side=side).review(clause, kind, language))


def marked(review):
    """What accuses the clause."""
    return [one.risk for one in review.findings if one.level != "low"]


@pytest.mark.parametrize(("language", "kind", "text"), [one[:3] for one in CLAUSES if one[3] == "none"])
def test_a_protective_clause_is_not_accused(language, kind, text):
    """Negations, carve-outs, prohibitions, mutual terms and duties of the stronger party, at least thirty in each language."""
    assert marked(review(text, language, kind)) == []


@pytest.mark.parametrize(("language", "kind", "text"), [one[:3] for one in CLAUSES if one[3] != "none"])
def test_its_harmful_twin_is_found(language, kind, text):
    """The reading of negations and parties takes nothing from what is meant."""
    assert marked(review(text, language, kind))


def test_each_language_has_thirty_of_both():
    """The table is long enough to say something of each language."""
    for language in LANGUAGES:
        levels = [level for spoken, _, _, level in CLAUSES if spoken == language]
        assert levels.count("none") >= 30
        assert len(levels) - levels.count("none") >= 30


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [(one, term.kinds[0] if term.kinds else "", term.suggestion) for one in LANGUAGES for term in terms_of(one)]
    + [("en", rule.contract_type, rule.suggestion) for rule in bundled_rules("en").rules],
)
def test_what_a_check_suggests_is_accused_by_none(language, kind, text):
    """A wording that we propose passes all checks, not only the one that proposes it."""
    assert marked(review(text, language, kind)) == []


def test_remedies_of_wordings_are_not_accused_in_any_language():
    """The stock remedies of the language packs pass too."""
    from benchbar.languages.packs import labels

    for language in (*LANGUAGES, "zh_hant"):
        for remedy in labels(language, "contract").section("remedy").values():
            assert marked(review(remedy, language)) == [], remedy


@pytest.mark.parametrize("jurisdiction", ["zh", "ru", "en"])
def test_the_wording_that_a_rule_of_a_model_jurisdiction_suggests_is_not_accused_by_it(jurisdiction):
    """No rule finds its own cure risky."""
    from benchbar.contracts.rules import read_rules

    rules = read_rules(SUITES / f"model-jurisdiction-{jurisdiction}/contracts/rules.jsonl").rules
    accused = [rule.id for rule in rules if rule.level_of(rule.suggestion) not in (None, "low")]
    assert accused == []


@pytest.mark.parametrize(
    ("text", "harmed"),
    [
        ("The Landlord may raise the rent at any time.", "tenant"),
        ("The Tenant may raise the matter at any time and may reduce the rent at any time.", "landlord"),
        ("The rent may be raised at any time.", ""),
    ],
)
def test_a_power_harms_the_counterpart_of_whoever_holds_it(text, harmed):
    """Who acts decides who is harmed; where nobody is named, nobody is."""
    form = re.compile(r"\bmay.{0,20}(?:raise|reduce).{0,20}at any time", re.IGNORECASE)
    found = meant(form, text, relation="power", side="landlord" if harmed == "landlord" else "tenant")
    assert found is not None
    assert found.harmed == harmed


def test_what_burdens_the_stronger_party_is_a_risk_for_its_side_alone():
    """Without a side the reader is the party that did not write the contract."""
    assert concerns("tenant", "")
    assert not concerns("landlord", "")
    assert concerns("landlord", "landlord")
    assert not concerns("tenant", "landlord")
    assert concerns("", "landlord")


def test_a_negation_in_a_condition_denies_nothing():
    """“If rent is not paid” is no denial of the lock-out that follows."""
    text = "The Landlord may, if the rent is not paid on the day, change the locks at once."
    assert [hit.term.id for hit in find_terms(text, "en", "lease")] == ["en-self-help"]


def test_a_denied_wording_weighs_nothing():
    """The second look reads weights, too."""
    assert danger(find_cues("The Buyer does not waive its rights.")) == 0
    assert danger(find_cues("The Buyer waives its rights.")) > 0


def test_a_clause_has_one_answer():
    """A broken reference in a clause that no check examined is its finding; it is not also “not examined”."""
    lines = ["Agreement", *(f"{n}. The Supplier meets the Customer on Monday {n}." for n in range(1, 9))]
    lines.append("9. The meeting room is that of clause 19.4.")
    report = review_contract(place(map(Paragraph, lines), name="a.txt", form="text"), language="en").report
    last = report.reviews[-1]
    assert (last.answer, last.level, [one.kind for one in last.findings]) == ("risk", "low", ["broken_reference"])
    assert "Read the clause" in last.reason or "read it" in last.reason
    assert {one.answer for one in report.reviews[:-1]} == {"not_examined"}
    assert all(not one.findings for one in report.reviews if one.answer == "not_examined")
    assert [row["answer"] for row in report.to_json()["clauses"]][-1] == "risk"


@pytest.mark.parametrize(
    ("language", "text", "harmed", "spared"),
    [
        ("en", "The Lender may at any time and for any reason demand repayment of the whole loan.", "borrower", "lender"),
        ("en", "The Landlord may relocate the Tenant to other premises.", "tenant", "landlord"),
        ("ru", "Займодавец вправе в любое время без объяснения причин потребовать возврата займа.", "borrower", "lender"),
        ("zh", "本合同签订之日起货物毁损、灭失的风险由买受人承担。", "buyer", "seller"),
    ],
)  # fmt: skip
def test_a_side_is_spared_what_harms_the_party_across_the_table(language, text, harmed, spared):
    """Neither a term nor the wordings that it is made of mark the clause for whoever gains by it."""
    assert marked(review(text, language))
    assert marked(review(text, language, side=harmed))
    assert marked(review(text, language, side=spared)) == []


def test_a_repeated_russian_negation_denies_nothing():
    """«Ни при каких обстоятельствах не возмещает» excludes liability; one «не» before a wording still denies it."""
    risky = "Исполнитель ни при каких обстоятельствах, включая умысел, не возмещает убытки Заказчика."
    assert marked(review(risky, "ru"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The tenant shall pay for repairs below 90 dollars."),
        ("en", "The tenant shall replace a window pane that they have broken."),
        ("en", "The landlord repairs within a day after an interruption of the water supply."),
        ("en", "During any disconnection of the heating the landlord provides electric heaters."),
        ("ru", "Арендодатель предоставляет обогреватели при аварийном отключении отопления."),
        ("ru", "После прекращения подачи воды арендодатель вызывает мастера в течение двух часов."),
        ("ru", "Арендодатель предупреждает об ограничении подачи электроэнергии за два дня."),
        ("zh", "因停水停电影响居住的，出租人应当减收租金。"),
        ("zh", "遇临时断水，出租人应在两小时内联系维修。"),
    ],
)
def test_an_event_that_is_named_is_no_power_over_it(language, text):
    """Nor is a piece of another word a word: there is no “all” in “shall”."""
    assert marked(review(text, language, "lease")) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "After an interruption of payment the landlord may disconnect the water supply."),
        ("en", "The tenant shall carry out any and all repairs of the roof."),
        ("ru", "Арендодатель вправе при просрочке прекратить подачу воды и электроэнергии."),
        ("ru", "При отключении воды за долг арендодатель вправе также сменить замки."),
        ("zh", "承租人逾期付款的，出租人有权停水停电。"),
    ],
)
def test_a_power_over_an_event_still_is_one(language, text):
    """Whoever may disconnect, and not what holds when something is."""
    assert marked(review(text, language, "lease"))


OVER = {
    "end": {
        "en": "The company may cancel this agreement without notice.",
        "ru": "Исполнитель прекращает договор без уведомления.",
        "zh": "甲方有权随时解除合同，无需说明理由。",
    },
    "change": {
        "en": "The company may increase the subscription fee without notice at its sole discretion.",
        "ru": "Исполнитель повышает цену услуг в одностороннем порядке.",
        "zh": "甲方有权单方调整租金，乙方不得提出异议。",
    },
    "sum": {
        "en": "The customer pays a further charge in the provider's sole discretion.",
        "ru": "Заказчик вносит дополнительный взнос по усмотрению исполнителя.",
        "zh": "清洁费的金额由甲方单方决定。",
    },
    "refund": {
        "en": "Fees are not refundable and no refund is made for classes that are cancelled.",
        "ru": "Исполнитель не возвращает оплату и не несёт ответственности.",
        "zh": "课程费一经缴纳概不退还。",
    },
    "entry": {
        "en": "The lessor may inspect the premises at any time and without notice.",
        "ru": "Наймодатель проводит осмотр жилья без предупреждения.",
    },
}


@pytest.mark.parametrize(("over", "language"), [(over, one) for over, texts in OVER.items() for one in texts])
def test_a_stock_wording_is_about_what_the_power_is_over(over, language):
    """A power to end a contract is not mended by a sentence on amendments, nor a sum by one on notice."""
    from benchbar.contracts.cues import power_over
    from benchbar.languages.packs import labels

    remedies = labels(language, "contract").section("remedy")
    text = OVER[over][language]
    assert power_over(text) == over
    stock = {one.suggestion for one in review(text, language).findings} & set(remedies.values())
    own = {text for name, text in remedies.items() if name.endswith(f"_{over}")}
    assert stock <= own | {remedies["waiver"], remedies["forfeiture"]}


def test_a_power_over_something_else_gets_a_wording_that_fits_any():
    """Good cause, notice, and a right to object."""
    from benchbar.languages.packs import labels

    found = review("Исполнитель в одностороннем порядке назначает ответственное лицо без согласия заказчика.", "ru")
    stock = labels("ru", "contract").section("remedy")
    assert {one.suggestion for one in found.findings} == {stock["unilateral"]}
