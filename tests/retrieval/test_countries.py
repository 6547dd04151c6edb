"""Questions of the law of other countries, and of terms that a law at hand never says."""

import pytest

from benchbar.cli.law_tune import told
from benchbar.records import Estimate, Piece
from benchbar.retrieval.beyond_law import asks_beyond_law
from benchbar.retrieval.corpus import CorpusIndex
from benchbar.retrieval.countries import foreign_country
from benchbar.retrieval.fields import unmentioned_field
from benchbar.retrieval.tuning import Tuning


def _law(text: str) -> list[Piece]:
    return [Piece(id="1", kind="article", document="1", law="Act", law_id="act", title="", text=text)]


@pytest.mark.parametrize(
    ("question", "country"),
    [
        ("In Ontario, may a tenant withhold rent?", "Ontario"),
        ("What does Italian law say about wills?", "Italian"),
        ("Как получить гражданство Канады?", "Канады"),
        ("在韩国，醉驾怎么处罚？", "韩国"),
        ("在韓國，醉駕怎麼處罰？", "韓國"),
    ],
)
def test_a_question_of_another_countrys_law_is_told_by_its_name(question, country):
    """Unless the law at hand names the country itself."""
    assert foreign_country(question, _law("A tenant pays rent.")) == country
    assert foreign_country(question, _law(f"This Act applies in {country}.")) == ""


@pytest.mark.parametrize(
    "question",
    [
        "My husband lives in Germany. Can I divorce him?",
        "The shop sold me a Japanese camera that is broken. What can I ask for?",
        "Муж живёт в Германии. Можно ли развестись без него?",
        "丈夫在日本工作，我能起诉离婚吗？",
        "How long is a month's notice?",
    ],
)
def test_a_country_in_a_story_makes_no_question_foreign(question):
    """Somebody's home and the make of goods do not say whose law is asked for."""
    assert foreign_country(question, _law("A tenant pays rent.")) == ""


@pytest.mark.parametrize(
    ("question", "beyond"),
    [
        ("How much does a barrister charge?", True),
        ("How much do courts charge?", False),
        ("Who wins the election?", True),
        ("Who's the best no win no fee lawyer for a bad knee?", True),
        ("Is it in the best interests of a child to have a lawyer?", False),
        ("Did the seller act in good faith when his solicitor kept silent?", False),
        ("Am I going to win this?", True),
        ("Could you send me a template for a will?", True),
        ("Must the council send me the form?", False),
        ("What day are the bins emptied?", True),
        ("What day does the notice end?", False),
        ("My landlord is currently refusing to repair the boiler. What can I do?", False),
        ("Can my boss refuse holiday this year?", False),
        ("My father died in London without a will. Who inherits?", False),
        ("How much notice must my landlord give in Leeds?", False),
        ("How many people must witness a will?", False),
        ("Is a non-compete in my contract binding?", False),
        ("My reliable car broke down after a week. Can I have my money back?", False),
        ("How much is the guarantee credit per week this year?", True),
        ("Which is the most reliable garage?", True),
        ("Сколько стоит нотариус?", True),
        ("Сколько стоит час ночной смены?", False),
        ("律师怎么收费？", True),
        ("押金最多多少钱？", False),
        ("Which football team is the best?", True),
        ("What is your favourite film?", True),
        ("My favourite restaurant gave me food poisoning. What can I claim?", False),
        ("What is in the best interests of the child where a player signs for a club?", False),
        ("Какая футбольная команда лучшая?", True),
        ("Какой самый лучший ресторан?", True),
        ("Любимый ресторан закрылся, и аванс не вернули. Какие у меня права?", False),
        ("哪支球队最好？", True),
        ("最好的餐厅是哪家？", True),
        ("哪個球隊最強？", True),
        ("在最好的餐厅吃坏了肚子，可以要求什么赔偿？", False),
    ],
)
def test_prices_of_services_news_and_tastes_are_no_questions_of_law(question, beyond):
    """Fees that the state sets and pay that a code orders are."""
    assert asks_beyond_law(question) == beyond


def test_a_term_of_art_that_a_small_law_never_says_shows_the_field_it_lacks():
    """Of the bundled laws, none of which knows patents; everyday words of a held field show nothing."""
    law = CorpusIndex.open("model-jurisdiction-en").store("law")
    assert unmentioned_field(law, "How do I register a patent?") == "intellectual property"
    assert unmentioned_field(law, "My husband wants a divorce. What about the children?") == ""


def test_retrievers_that_find_the_same_share_are_not_said_to_be_chosen():
    """The report of `law tune` keeps the default and says why."""
    whole = Estimate(value=1.0, n=60, low=0.94, high=1.0)
    none = Estimate(value=0.0, n=60, low=0.0, high=0.0)
    made = {"language": "en", "passages": 60, "differences": {"lexical": none}, "chosen": "learned", "held_out": whole}
    missing = {"own_turned_away": None, "foreign_turned_away": None, "seconds": 1.0, "corpus": "c"}
    text = "\n".join(told(Tuning(tried={"learned": whole, "lexical": whole}, **made, **missing)))
    assert "cannot tell them apart on these questions: the default stays (learned)" in text
    assert "chosen:" not in text
    assert "against" not in text
