"""Does the article say that: claims held against the articles that they cite."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbar.law.citation_check import check_citations
from benchbar.law.citations import extract
from benchbar.law.claims.around import claim_shown, claim_span
from benchbar.law.claims.checking import check_claim
from benchbar.law.claims.comparing import KINDS, compare
from benchbar.law.claims.deciding import LEAST_STRENGTH, decide
from benchbar.law.claims.measured import Measured, Precision, measured
from benchbar.law.claims.passage import cited_part
from benchbar.law.claims.reading import Reading
from benchbar.law.corpus import Corpus
from benchbar.records import ClaimVerdict
from benchbar.records.precision import LEAST

GOLD = Path(__file__).parents[2] / "benchmarks" / "claims"
DEPOSIT = "A landlord must return a deposit to the tenant within 14 days after the end of the tenancy."
PROBATION = "劳动合同期限三个月以上不满一年的，试用期不得超过一个月。\n试用期包含在劳动合同期限内。"
TRIAL = "Срок испытания не может превышать трех месяцев.\nИспытание не устанавливается для беременных женщин."


def checked(text: str, article: str, language: str):
    mentions = extract(text, language)
    return check_claim(text, claim_span(text, mentions, 0), article, mentions[0])


@pytest.mark.parametrize(
    ("language", "text", "article", "mine", "theirs"),
    [
        ("zh", "《用工法》第十九条规定，试用期不得超过三个月。", PROBATION, "三个月", "一个月"),
        ("ru", "Согласно ст. 70 ТК РФ срок испытания не может превышать двух месяцев.", TRIAL, "двух месяцев", "трех месяцев"),
        ("en", "Section 12 of the Deposits Act 2012 says that a landlord must return a deposit to the tenant within 30 days.",
         DEPOSIT, "30 days", "14 days"),
    ],
)  # fmt: skip
def test_another_number_is_seen_on_both_sides(language, text, article, mine, theirs):
    """Claim and article are marked where they part, in each language."""
    found = checked(text, article, language)
    assert found.conflict == "number"
    assert mine.startswith(text[slice(*found.claim_span)].strip())
    assert theirs.startswith(article[slice(*found.article_span)].strip())
    assert found.claim_span[0] == text.index(mine)
    assert found.probability < 0.5


@pytest.mark.parametrize(
    ("language", "text", "article"),
    [
        ("zh", "《租赁法》第二十一条：承租人逾期不支付租金的，出租人不得解除合同。", "承租人逾期不支付租金的，出租人可以解除合同。"),
        ("ru", "Согласно ст. 616 ГК РФ арендатор не обязан поддерживать имущество в исправном состоянии.",
         "Арендатор обязан поддерживать имущество в исправном состоянии, производить текущий ремонт."),
        ("en", "Section 12 of the Deposits Act 2012 says that a landlord need not return a deposit to the tenant.", DEPOSIT),
    ],
)  # fmt: skip
def test_a_flipped_duty_contradicts(language, text, article):
    """May for must not, need not for must: the topic is the same, what is said is not."""
    found = checked(text, article, language)
    assert found.verdict is ClaimVerdict.CONTRADICTS
    assert found.conflict == "polarity"
    assert found.reason


HEADS = "Срок испытания не может превышать трех месяцев, а для руководителей организаций и главных бухгалтеров - шести месяцев."
OVERTIME = "Продолжительность сверхурочной работы не должна превышать для каждого работника 4 часов в течение двух дней подряд и 120 часов в год."
SALE = "出租人出卖租赁房屋的，应当在出卖之前的合理期限内通知承租人。\n出租人履行通知义务后，承租人在十五日内未明确表示购买的，视为承租人放弃优先购买权。"
FOOD = "消费者除要求赔偿损失外，还可以向经营者要求支付价款十倍或者损失三倍的赔偿金。"
LIMITATION = "向人民法院请求保护民事权利的诉讼时效期间为三年。但是，自权利受到损害之日起超过二十年的，人民法院不予保护，有特殊情况的，人民法院可以决定延长。"
MARK = "Право на коллективный знак не может быть отчуждено и не может быть предметом лицензионного договора."
STUDENT = "Работодатель вправе предоставлять на последнем году обучения не более двух свободных дней в неделю без сохранения заработной платы."


@pytest.mark.parametrize(
    ("language", "text", "article"),
    [
        ("ru", "Для руководителя организации срок испытания не может превышать шести месяцев (ст. 70 ТК РФ).", HEADS),
        ("ru", "Согласно ст. 99 ТК РФ сверхурочная работа не должна превышать 120 часов в год.", OVERTIME),
        ("ru", "Согласно ст. 99 ТК РФ сверхурочная работа не должна превышать пяти суток в год.", OVERTIME),
        ("ru", "По ст. 70 ТК РФ срок испытания руководителя организации не превышает полугода, то есть 6 месяцев.", HEADS),
        ("zh", "《租赁法》第二十条：出租人应在出售前合理期限内通知，承租人十五日内没有明确表示购买的视为放弃。", SALE),
        ("zh", "《食品法》第二十条规定，消费者可以要求支付损失三倍的赔偿金。", FOOD),
        ("ru", "По ст. 173 ТК РФ работодатель вправе предоставить на последнем году обучения не более двух свободных дней в неделю.",
         STUDENT),
        ("en", "Section 5 of the Leave Act 2012: the notice must reach the employer two months before the leave.",
         "The notice must reach the employer at least 60 days before the leave, and within twelve months of the birth."),
        ("zh", "《民法》第一百八十八条：向人民法院请求保护民事权利的诉讼时效期间为三年，最长不超过二十年。", LIMITATION),
        ("zh", "《信息法》第四十九条：死者生前对其个人信息另有安排的，近亲属就要听从死者生前的安排。",
         "近亲属为了正当利益，可以查阅死者的个人信息；死者生前对其个人信息另有安排的除外。"),
        ("ru", "По ст. 1510 ГК РФ коллективный знак нельзя ни продать, ни дать по лицензионному договору.", MARK),
        ("ru", "По ст. 1510 ГК РФ право на коллективный знак не может быть предметом лицензионного договора.", MARK),
    ],
)  # fmt: skip
def test_what_the_article_says_of_another_subject_or_act_is_no_contradiction(language, text, article):
    """A number that stands in the article, hours against days, a denial that governs another act, an exception that is told, two denials in a row."""
    assert checked(text, article, language).verdict is not ClaimVerdict.CONTRADICTS


AGES = "已满十六周岁的人犯罪，应当负刑事责任。已满十四周岁不满十六周岁的人，犯故意杀人、抢劫罪的，应当负刑事责任。"
CLAIMS = "The arbitration of claims: the limit for small claims is 10,000 dollars. The claimant must file within 30 days of delivery."
PART_TIME = (
    "Продолжительность рабочего времени при работе по совместительству не должна превышать четырех часов в день."
)
WAGES = "An employer shall pay wages at least twice in each month. Wages may not be paid in goods. The tribunal may extend the time for payment."
EXECUTIVES = (
    "Overtime shall be paid at one and one-half times the regular rate. Executives are not entitled to overtime pay."
)


@pytest.mark.parametrize(
    ("language", "text", "article"),
    [
        ("zh", "《刑律》第十七条：十五岁抢劫要负刑事责任。", AGES),
        ("zh", "《仲裁法》第二十七条：离职一年半才申请劳动争议仲裁，已经超过时效。", "劳动争议申请仲裁的时效期间为一年。"),
        ("ru", "По ст. 284 ТК РФ совместителю нельзя работать по шесть часов в день.", PART_TIME),
        ("en", "Section 5 of the Claims Act 2012: a claim for 12,000 dollars is too big for small claims.", CLAIMS),
        ("en", "Section 5 of the Claims Act 2012: you can bring small claims for 9,000 dollars.", CLAIMS),
        ("en", "Section 5 of the Claims Act 2012: six weeks after delivery the claimant can no longer file.", CLAIMS),
        ("en", "Section 5 of the Claims Act 2012: a claim filed within three weeks of delivery is fine.", CLAIMS),
        ("en", "Section 5 of the Alcohol Act 2012: a 17-year-old cannot buy alcohol.",
         "No person under the age of 18 years shall be sold alcohol."),
        ("en", "Section 7 of the Wages Act 2012: the tribunal need not extend the time for payment.", WAGES),
        ("en", "Section 7 of the Wages Act 2012: an employer must pay monthly wages in money.", WAGES),
        ("en", "Section 7 of the Wages Act 2012: double pay at twice the regular rate is allowed for overtime.", EXECUTIVES),
    ],
)  # fmt: skip
def test_an_example_that_keeps_or_breaks_the_rule_contradicts_nothing(language, text, article):
    """A number of one case, what comes too late or is too big, who may need not, a duty of one thing beside a ban on another, a ban on somebody else."""
    assert checked(text, article, language).verdict is not ClaimVerdict.CONTRADICTS


@pytest.mark.parametrize(
    ("language", "text", "article"),
    [
        ("zh", "《刑律》第十七条：已满十八周岁的人犯罪，应当负刑事责任。", "已满十六周岁的人犯罪，应当负刑事责任。"),
        ("en", "Section 5 of the Claims Act 2012: the claimant must file within 60 days after delivery.", CLAIMS),
        ("en", "Section 5 of the Claims Act 2012: the limit for small claims is 15,000 dollars.", CLAIMS),
    ],
)  # fmt: skip
def test_another_number_in_a_rule_is_still_contradicted(language, text, article):
    """What is told as the rule itself is no example of it."""
    assert checked(text, article, language).verdict is ClaimVerdict.CONTRADICTS


HEATING = "Payments are made quarterly for seven years. An applicant who receives another grant is not eligible."
JURIES = (
    "A person aged over 75 is not eligible for jury service. A person under the age of eighteen years shall not serve."
)
LOAN = "The consumer may withdraw within 14 days. The creditor must return any deposit within 30 days after the notice of withdrawal."


@pytest.mark.parametrize(
    ("text", "article", "conflict"),
    [
        ("Section 55 of the Heating Act 2021: an applicant who receives another grant is eligible.", HEATING, "negation"),
        ("Section 5 of the Juries Act 1974: a person aged over 65 is not eligible for jury service.", JURIES, "number"),
        ("Section 6 of the Credit Act 2011: after withdrawal the creditor has 60 days to return the deposit.", LOAN, "number"),
        ("Section 5 of the Evidence Act 2010: a trustee may delegate investment decisions orally.",
         "A trustee may delegate investment decisions only in writing.", "opposite"),
        ("Section 3 of the Notices Act 1977: a notice to quit by a landlord may be valid without writing.",
         "No notice to quit by a landlord shall be valid without writing.", "polarity"),
    ],
)  # fmt: skip
def test_a_plain_denial_an_age_and_a_time_that_is_left_contradict(text, article, conflict):
    """Is eligible and is not eligible, over 65 and over 75, has 60 days and must within 30, by word of mouth and in writing, no notice shall and may."""
    found = checked(text, article, "en")
    assert (found.verdict, found.conflict) == (ClaimVerdict.CONTRADICTS, conflict)


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("Section 5 of the Juries Act 1974: a person aged 76 is not eligible for jury service.", JURIES),
        ("Section 6 of the Credit Act 2011: you may withdraw within 14 days without giving any reason.", LOAN),
        ("Section 8 of the Tenancies Act 2012: the tenant may give notice to the landlord orally or in writing.",
         "The tenant may give notice to the landlord in writing or orally."),
        ("Section 9 of the Costs Act 2012: each party bears its costs whether or not the sale is completed.",
         "Except as agreed, each party shall bear its costs whether or not the sale is completed."),
        ("Section 4 of the Shares Act 2012: the tenant shall be given a copy by the landlord.",
         "The landlord shall give the tenant a copy."),
    ],
)  # fmt: skip
def test_what_an_english_article_allows_too_contradicts_nothing(text, article):
    """Somebody of 76, no reason to give, both forms at choice, what does not matter in the article either, one act told from its other side."""
    assert checked(text, article, "en").verdict is not ClaimVerdict.CONTRADICTS


@pytest.mark.parametrize(
    ("claim", "article", "exchanged"),
    [
        ("The customer must pay the undertaker 20 pounds for each further period.",
         "The undertaker must pay the customer 20 pounds for each further period.", True),
        ("The undertaker must pay the customer 20 pounds for each further period.",
         "The undertaker must pay the customer 20 pounds for each further period.", False),
    ],
)  # fmt: skip
def test_parties_that_are_exchanged_are_seen(claim, article, exchanged):
    """Who must pay whom: the one who acts in the claim is the one who is acted for in the article."""
    found = compare(Reading(claim, "en"), Reading(article, "en"))
    assert (found.strength("subject") > 0.5) is exchanged


@pytest.mark.parametrize(
    ("claim", "article"),
    [
        ("Your landlord may enter the flat without your consent.",
         "The landlord may enter the flat only with the tenant's consent, save in an emergency."),
        ("The board may issue new shares even if nobody has approved the issue.",
         "The board shall not issue new shares unless the members have approved the issue."),
        ("A warning to quit need not be signed by the landlord.",
         "No warning to quit is valid unless it is signed by the landlord."),
        ("The buyer may return the goods only if a reason is given.",
         "The buyer may return the goods within 20 days without giving any reason."),
        ("A keeper is liable for the dog only if the keeper was careless.",
         "The keeper is liable for the harm the dog does whether or not the keeper was careless."),
    ],
)  # fmt: skip
def test_a_condition_that_is_taken_away_or_made_up_is_seen(claim, article):
    """Without consent, even if nobody, need not; and only if, where the article asks for nothing."""
    assert compare(Reading(claim, "en"), Reading(article, "en")).strength("exception") >= 0.5


@pytest.mark.parametrize(
    ("claim", "article"),
    [
        ("In an emergency the landlord may enter the flat without your consent.",
         "The landlord may enter the flat only with the tenant's consent, save in an emergency."),
        ("The landlord may not enter the flat without your consent.",
         "The landlord may enter the flat only with the tenant's consent, save in an emergency."),
        ("If the members agree to it, the board may issue new shares without their approval of the issue.",
         "The board shall not issue new shares unless the members have approved the issue."),
        ("You can return the goods within 20 days without giving any reason.",
         "The buyer may return the goods within 20 days without giving any reason."),
        ("The clerk may open a sealed letter without a warrant.",
         "The clerk may open a letter without a warrant where it is sealed by an office, and other letters only with a warrant."),
        ("The landlord may keep the key without paying rent.",
         "The tenant shall not sublet the house unless the landlord was told of the rent."),
    ],
)  # fmt: skip
def test_a_condition_of_another_case_or_act_is_not_taken_away(claim, article):
    """The article's own exception, the same denial, a condition of the claim's own, what the article waives itself, another act."""
    assert compare(Reading(claim, "en"), Reading(article, "en")).strength("exception") < 0.5


def test_at_any_time_denies_the_exception_of_a_ban():
    """A ban with an exception parts from a permission without any; one that names the exception is about that."""
    ban = Reading("The owner shall not compel a member to serve on a rest day except in case of fire.", "en")
    always, named = (
        compare(Reading(f"The owner may compel a member to serve on a rest day {when}.", "en"), ban).strength(
            "polarity"
        )
        for when in ("whenever he likes", "at any time in case of fire")
    )
    assert always > named


@pytest.mark.parametrize(
    ("language", "text", "article", "theirs"),
    [
        ("zh", "《食品法》第二十条规定，消费者可以要求支付价款五倍的赔偿金。", FOOD, "十倍"),
        ("ru", "По ст. 99 ТК РФ сверхурочная работа не должна превышать 6 часов в течение двух дней подряд.", OVERTIME, "4 часов"),
        ("zh", "《用工法》第十九条规定，劳动合同期限三个月以上不满一年的，试用期不得超过三个月。", PROBATION, "一个月"),
    ],
)  # fmt: skip
def test_the_number_that_is_marked_is_the_one_that_was_compared(language, text, article, theirs):
    """Of several numbers of a unit the one with the same words around it; another place where the claim's number stands is no excuse."""
    found = checked(text, article, language)
    assert found.verdict is ClaimVerdict.CONTRADICTS
    assert article[slice(*found.article_span)] == theirs


def test_a_number_whose_counterpart_is_not_certain_is_left_open():
    """Five times of what? Of price or of loss: both are in the article, and nothing is said."""
    found = checked("《食品法》第二十条规定，消费者可以要求五倍的赔偿金。", FOOD, "zh")
    assert found.verdict is ClaimVerdict.CANNOT_TELL


def test_the_citation_of_an_answer_says_what_its_article_says(tmp_path):
    """Through the path that runs use, with the paragraph that is cited."""
    act = f'+++\nlaw_id = "work"\nname = "用工法"\njurisdiction = "甲国"\nadopted = 2020-01-01\nin_force = 2020-01-01\n+++\n第一条 {PROBATION}\n'
    (tmp_path / "acts").mkdir()
    (tmp_path / "acts" / "work.md").write_text(act, "utf-8")
    corpus = Corpus.from_folder(tmp_path)
    text = "《用工法》第一条第一款规定，劳动合同期限三个月以上不满一年的，试用期不得超过三个月。"
    wrong = check_citations(text, corpus, on="2024-01-01")[0]
    assert wrong.claim_check.verdict is ClaimVerdict.CONTRADICTS
    assert text[slice(*wrong.claim_check.claim_span)] == "三个月"
    quoted = "《用工法》第一条规定：“劳动合同期限三个月以上不满一年的，试用期不得超过一个月。”"
    assert check_citations(quoted, corpus, on="2024-01-01")[0].claim_check.verdict is ClaimVerdict.SUPPORTS
    assert check_citations("见《用工法》第一条。", corpus, on="2024-01-01")[0].claim_check is None


def test_a_condition_is_read_in_traditional_characters_too():
    """Words are compared in the characters of the root language: 沒有表示的視為 is a condition in both scripts."""
    for language, text in (("zh", "十五日内没有表示购买的视为放弃"), ("zh-Hant", "十五日內沒有表示購買的視為放棄")):
        assert [one.conditional for one in Reading(text, language).sentences[0].clauses] == [True]


def test_conflicts_that_are_as_strong_come_in_one_order():
    """Else a claim would be told to part by its duty in one run and by a denial in the next."""
    claim = "The tenant may sublet the flat to another person.\nThe tenant sublets the flat to another person."
    compared = compare(Reading(claim, "en"), Reading("The tenant shall not sublet the flat to another person.", "en"))
    assert len({one.strength for one in compared.conflicts}) == 1
    assert [one.kind for one in compared.conflicts] == ["polarity", "negation"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("A landlord may note damage.", "may"), ("A landlord must notify the tenant.", "must"),
     ("A landlord must not note damage.", "must_not")],
)  # fmt: skip
def test_a_verb_that_begins_with_not_denies_nothing(text, kind):
    """Must notify is a duty and may note a right: neither is read as its opposite."""
    assert [one.kind for one in Reading(text, "en").sentences[0].clauses[0].operators] == [kind]


@pytest.mark.parametrize(
    ("claim", "told"),
    [("- [1] : 2", ""), ("1. [2] Notice is thirty days.", "Notice is thirty days"), ("2. ", "")],
)
def test_marks_of_lists_and_numbers_of_sources_are_not_shown_as_said(claim, told):
    """What has no word beside them is not shown as a claim at all."""
    assert claim_shown(claim) == told


@pytest.mark.parametrize(
    ("language", "text", "article"),
    [
        ("ru", "Для главы причала срок испытания не может превышать шести месяцев (ст. 70 ТК РФ).",
         "Срок испытания не может превышать трех месяцев, а для глав причалов и их помощников – шести месяцев. Для сезонных – двух недель."),
        ("ru", "Согласно ст. 99 ТК РФ ночная работа не должна превышать 120 часов в год.",
         "Ночная работа не должна превышать 4 часов в течение двух дней подряд и 120 часов в год."),
        ("zh", "《租赁法》第二十六条：出租人应在出售前合理期限内通知，承租人十五日内没有明确表示购买的视为放弃。",
         "出租人出卖房屋的，应当在出卖之前的合理期限内通知承租人，承租人享有优先购买的权利。\n出租人通知后，承租人在十五日内未明确表示购买的，视为承租人放弃优先购买权。"),
    ],
)  # fmt: skip
def test_what_stands_in_the_sentence_is_not_contradicted_by_the_rest_of_it(language, text, article):
    """A number that the sentence says of somebody else, and a condition that is told with another word, are no conflict."""
    assert checked(text, article, language).verdict is not ClaimVerdict.CONTRADICTS


def test_hours_are_held_against_the_hours_of_an_article():
    """Where it counts in hours, its days are about something else: the place that is marked is the one that parts."""
    article = "Ночная работа не должна превышать 4 часов в течение двух дней подряд и 120 часов в год."
    found = checked("Согласно ст. 99 ТК РФ ночная работа не должна превышать 200 часов в год.", article, "ru")
    assert article[slice(*found.article_span)] in {"120 часов", "4 часов"}


def test_minutes_are_held_against_hours():
    """Minutes are a unit of time like any other."""
    found = checked(
        "Section 12 of the Calls Act 2012 says that the operator must answer an emergency call within 90 minutes.",
        "The operator must answer an emergency call within 30 minutes.",
        "en",
    )
    assert found.conflict == "number"


def test_a_breach_that_is_told_is_no_claim_about_the_law():
    """Who broke an article did what it forbids: the sentence says so, and contradicts nothing."""
    article = "出租人不得在租赁期内涨租金。"
    found = checked("《租赁法》第五条被违反了，出租人在租赁期内可以涨租金。", article, "zh")
    assert found.verdict is ClaimVerdict.CANNOT_TELL
    assert "breach" in found.reason


@pytest.mark.parametrize(
    ("citation", "kept", "left"),
    [
        ("《用工法》第一条第二款", "试用期包含", "一个月"),
        ("《用工法》第一条", "一个月", "nothing"),
        ("《用工法》第一条第九款", "一个月", "nothing"),
    ],
)
def test_only_the_cited_paragraph_counts(citation, kept, left):
    """The rest is blanked, so that offsets hold; where the paragraph is not there, all of the article counts."""
    part = cited_part(PROBATION, extract(citation, "zh")[0])
    assert len(part) == len(PROBATION)
    assert kept in part
    assert left not in part


def test_an_item_stands_under_the_words_that_open_its_list():
    """What is said of all items holds for the one that is cited; the others are blanked."""
    article = "劳动者有下列情形之一的，可以解除合同：\n（一）不符合录用条件的；\n（二）严重失职的。"
    part = cited_part(article, extract("《用工法》第九条第二项", "zh")[0])
    assert "可以解除合同" in part
    assert "严重失职" in part
    assert "录用条件" not in part


def test_what_says_the_same_is_no_contradiction():
    """Digits for words, another word for a duty, a condition denied on both sides."""
    for language, claim, article in (
        (
            "zh",
            "员工提前30天书面通知公司，可以解除劳动合同",
            "劳动者提前三十日以书面形式通知用人单位，可以解除劳动合同。",
        ),
        ("zh", "未经出租人同意不能转租", "承租人未经出租人同意，不得转租。"),
        ("ru", "работник должен возместить ущерб", "Работник обязан возместить ущерб."),
        (
            "en",
            "the tenant must not sublet without consent",
            "The tenant shall not sublet without the landlord's consent.",
        ),
    ):
        compared = compare(Reading(claim, language), Reading(article, language))
        assert decide(compared, None, language, reserved="", every=True).verdict is not ClaimVerdict.CONTRADICTS, claim


SIGNED = "A transfer of a patent is not valid unless it is in writing and signed by the owner."
PROOF = "The burden of proof that the patient was informed shall rest with the hospital. The patient may inspect the records."
NOTICE = "No notice to quit shall be valid unless it is in writing and given not less than four weeks before it takes effect."


@pytest.mark.parametrize(
    ("claim", "article", "conflict"),
    [
        ("A patent can be transferred by word of mouth.", SIGNED, "opposite"),
        ("The patient has to prove that the hospital never informed him.", PROOF, "opposite"),
        ("The hospital must prove that the patient was informed.", PROOF, ""),
        ("Only landlords have to give notice of a sale.", "A landlord or a tenant shall give notice of a sale.", "opposite"),
        ("Only landlords have to give a copy of the lease.",
         "The landlord and tenant shall sign the lease, and the landlord shall give a copy of the lease.", ""),
        ("A notice to quit given two weeks before it takes effect is valid.", NOTICE, "number"),
        ("A notice to quit given five weeks before it takes effect is valid.", NOTICE, ""),
        ("The deposit must be at least five weeks' rent.", "The deposit shall be at most five weeks' rent.", "number"),
        ("A lease of one year is valid by word of mouth.", "A lease of more than three years must be in writing.", ""),
        ("A lease is void only if the tenant was deceived by the landlord.",
         "A lease is void notwithstanding that the tenant was not deceived by the landlord.", "exception"),
    ],
)  # fmt: skip
def test_english_claims_are_held_against_form_proof_parties_and_bounds(claim, article, conflict):
    """A contradiction is strong enough to be said, and what is true beside it is not."""
    compared = compare(Reading(claim, "en"), Reading(article, "en"))
    proven = [one.kind for one in compared.conflicts if one.strength >= LEAST_STRENGTH[one.kind]]
    assert conflict in proven if conflict else not proven


def test_a_verdict_is_given_only_where_it_was_measured():
    """Precision in the language and on the gold, and an interval that reaches the bound, alone or with other languages."""
    few = Precision(pairs=90, said=40, right=40, low=0.91, high=1.0)
    many = Precision(pairs=900, said=400, right=398, low=0.98, high=1.0)
    bad = Precision(pairs=20, said=10, right=8, low=0.49, high=0.94)
    rows = {"contradicts number zh": few, "contradicts number all": many}
    assert Measured(rules="1", rows=rows).holds("contradicts", "number", "zh-Hant")
    assert not Measured(rules="1", rows=rows).holds("contradicts", "number", "ru")
    assert not Measured(rules="1", rows={"contradicts number zh": few}).holds("contradicts", "number", "zh")
    assert not Measured(rules="1", rows=rows | {"contradicts gold-number zh": bad}).holds("contradicts", "number", "zh")


def test_the_table_of_the_package_is_that_of_its_rules():
    """Every row can be read, and contradictions of polarity are shown to be right in each language."""
    for row in measured().rows.values():
        assert row.right <= row.said <= row.pairs
        assert row.low <= row.right / row.said <= row.high
    for language in ("zh", "ru", "en"):
        assert measured().rows[f"contradicts polarity {language}"].low >= LEAST


def test_no_right_claim_of_the_tuned_gold_is_accused():
    """Assistants' paraphrases, partial quotations and conditions; the other half is measured and never read."""
    accused = []
    for path in sorted((GOLD / "tune").glob("*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            _, *lines = block.splitlines()
            article = "\n".join(line.removeprefix("| ") for line in lines if line.startswith("| "))
            for line in lines:
                text = line.removeprefix("supports: ")
                if text != line and (mentions := [one for one in extract(text, path.stem) if one.article]):
                    found = check_claim(text, claim_span(text, mentions, 0), article, mentions[0])
                    accused += [text] if found and found.verdict is ClaimVerdict.CONTRADICTS else []
    assert accused == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=300), st.sampled_from(["zh", "zh-Hant", "ru", "en"]))
def test_any_texts_are_compared(claim, article, language):
    """Strengths and chances are shares, spans lie within the texts, and every verdict is one of four."""
    compared = compare(Reading(claim, language), Reading(article, language))
    for one in compared.conflicts:
        assert one.kind in KINDS
        assert one.strength <= 1
        assert 0 <= one.claim[0] <= one.claim[1] <= len(claim)
        assert 0 <= one.article[0] <= one.article[1] <= len(article)
    found = decide(compared, None, language, reserved="")
    assert 0 <= found.probability <= 1
