"""No such law: said only where nothing else explains the name."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.legal_texts import LegalTexts
from benchbar.law.names import law_key
from benchbar.law.names_zh import KNOWN_NAMES
from benchbar.law.nicknames import add_nickname, read_nicknames
from benchbar.records import Article, LawVersion, NameDoubt, UnknownName
from benchbar.records.errors import BadInputError

GOLD = Path(__file__).with_name("gold_names.tsv")
# Names that the sentences of the gold list go back to and that texts seldom name without brackets.
MORE = (
    "城市居民委员会组织法 妇女权益保障法 老年人权益保障法 残疾人保障法 海事诉讼特别程序法 涉外民事关系法律适用法 各级人民代表大会常务委员会监督法"
    " 地方各级人民代表大会和地方各级人民政府组织法 全国人民代表大会和地方各级人民代表大会代表法 香港特别行政区基本法 香港特别行政区维护国家安全法"
    " 证券投资基金法 农村土地承包经营纠纷调解仲裁法 期货和衍生品法 水污染防治法 职业病防治法 学位条例"
)


@pytest.fixture(scope="module")
def country() -> Corpus:
    """A corpus that claims all laws of China, by their names; one article each, adopted long ago, known to the end of 2024."""
    known = sorted({name for name in (*KNOWN_NAMES, *MORE.split()) if name.endswith(("法", "典", "例"))}, key=len)
    # The list has nicknames beside names: of each law the longer stands.
    names = sorted({law_key(name).core: name for name in known}.values())
    versions = [
        LawVersion(
            law_id=name, name=f"中华人民共和国{name}", jurisdiction="CN", level="law", in_force="2000-01-01", texts=1
        )
        for name in names
    ]
    articles = [Article(law_id=name, number=str(number), text="略。") for name in names for number in range(1, 101)]
    return Corpus.from_texts(
        LegalTexts(versions=versions, articles=articles, claims=frozenset({"law"}), as_of="2024-12-31")
    )


def statuses(text: str, corpus: Corpus, on: str = "2024-06-01") -> list[str]:
    """The statuses of the citations of a text."""
    return [one.status.value for one in check_citations(text, corpus, on=on)]


def test_what_exists_elsewhere_or_by_another_name_is_not_called_invented(country: Corpus) -> None:
    """Nicknames, slips, foreign and historic law, drafts, denials, books, fields and markup: no accusation of a name."""
    with GOLD.open(encoding="utf-8", newline="") as file:
        sentences = [row[0] for row in csv.reader(file, delimiter="\t")][1:]
    assert len(sentences) > 100
    accused = [text for text in sentences if "no_such_law" in statuses(text, country)]
    assert accused == []


@pytest.mark.parametrize(
    "name",
    [
        "宠物权益保障法",
        "共享单车管理法",
        "中华人民共和国外卖骑手保护法",
        "民宿法",
        "网络主播责任法",
        "护士法",
        "仓储法",
    ],
)
def test_an_invented_law_is_named_as_such(country: Corpus, name: str) -> None:
    """A law that nothing explains is called invented, with or without an article."""
    assert statuses(f"依照《{name}》第五条，应当赔偿。", country) == ["no_such_law"]
    assert statuses(f"依照《{name}》，应当赔偿。", country) == ["no_such_law"]


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("依照《民宿法》第五条，应当赔偿。", UnknownName(doubt=NameDoubt.NONE_OF_IT)),
        ("依照《劳动合法》第五条，应当赔偿。", UnknownName(doubt=NameDoubt.LIKE_ANOTHER, meant="中华人民共和国劳动合同法")),
        ("依照《交通法》第五条，应当赔偿。", UnknownName(doubt=NameDoubt.FIELD)),
        ("依照《民宿管理办法》第五条，应当赔偿。", UnknownName(doubt=NameDoubt.NOT_HELD)),
        ("《民宿法（草案）》第五条规定了赔偿。", None),
        ("目前并没有《民宿法》第五条。", None),
        ("《德国民宿法》第五条", None),
        ("《民法典》第五条", None),
    ],
)  # fmt: skip
def test_a_name_that_leads_to_no_law_says_why(country: Corpus, text: str, unknown: UnknownName | None) -> None:
    """As a field, for readers to tell whether a nickname would help; none where the text itself explains the name."""
    assert [one.unknown_name for one in check_citations(text, country, on="2024-06-01")] == [unknown]


def test_articles_and_paragraphs_beyond_the_last_are_named_as_such(country: Corpus) -> None:
    """Explicit citations beyond the last article or paragraph of a law with one text are invented."""
    assert statuses("《民法典》第一百零一条", country) == ["no_such_article"]
    assert statuses("《民法典》第五条第二款", country) == ["no_such_article"]


def test_a_bare_article_may_be_of_another_law(country: Corpus) -> None:
    """第…条 without a law beside it goes back to one, and is never an accusation."""
    text = "《民法典》第五条规定了原则。当事人又主张，第三百条应当适用。"
    assert statuses(text, country) == ["verified", "cannot_tell"]


def test_after_the_last_day_nothing_is_verified_or_invented(country: Corpus) -> None:
    """What the corpus cannot know is said to lie after it; without a day its last day counts."""
    text = "《民法典》第五条、第一百零一条和《民宿法》第一条"
    assert statuses(text, country, "2025-06-01") == ["after_snapshot"] * 3
    assert statuses(text, country, "") == ["verified", "no_such_article", "no_such_law"]


def test_a_law_with_other_texts_is_given_the_benefit_of_the_doubt() -> None:
    """Where a law had texts that the corpus does not hold, a number just beyond the last may be of one of them."""
    version = LawVersion(law_id="a", name="渔港法", jurisdiction="CN", level="law", in_force="2010-01-01", texts=3)
    articles = [Article(law_id="a", number=str(number), text="一。\n二。") for number in range(1, 51)]
    corpus = Corpus.from_texts(
        LegalTexts(versions=[version], articles=articles, claims=frozenset({"law"}), as_of="2024-12-31")
    )
    assert statuses("《渔港法》第五十一条", corpus) == ["cannot_tell"]
    assert statuses("《渔港法》第五条第九款", corpus) == ["no_such_article"]
    assert statuses("《渔港法》第八十条", corpus) == ["no_such_article"]


def test_law_of_another_script_is_another_countrys(country: Corpus) -> None:
    """A corpus of the mainland says nothing of Taiwan's law."""
    assert statuses("依民事證據保全法第249條第1項規定", country) == ["outside_corpus"]


def test_a_nickname_is_said_once(country: Corpus, tmp_path: Path) -> None:
    """What is kept in nicknames.toml makes a name known, and changes the identity of the law."""
    text = "《走路法》第五条"
    assert statuses(text, country) == ["no_such_law"]
    add_nickname(tmp_path, "走路法", "道路交通安全法")
    file = add_nickname(tmp_path, '大"法', "民法典")
    named = country.with_nicknames(read_nicknames(tmp_path))
    assert read_nicknames(file) == {"走路法": "道路交通安全法", '大"法': "民法典"}
    assert statuses(text, named) == ["verified"]
    assert named.identity != country.identity
    assert country.with_nicknames(read_nicknames(tmp_path / "nowhere")) is country


def test_a_nickname_must_say_something(tmp_path: Path) -> None:
    """An empty law is refused with the place."""
    (tmp_path / "nicknames.toml").write_text('"走路法" = " "\n', encoding="utf-8")
    with pytest.raises(BadInputError, match="must not be empty"):
        read_nicknames(tmp_path)
