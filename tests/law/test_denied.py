"""An answer that says that a law, an article or a decision does not exist invents nothing."""

from __future__ import annotations

import pytest

from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus
from benchbar.law.legal_texts import LegalTexts
from benchbar.records import INVENTED, Article, LawVersion

NAMES = {"zh": ("渔业法", "CN"), "ru": ("Рыбный кодекс Российской Федерации", "RU"), "en": ("Fisheries Act 1990", "SG")}


@pytest.fixture(scope="module")
def held() -> dict[str, Corpus]:
    """For each language a corpus of one act of ten articles, which claims all law."""
    found = {}
    for language, (name, country) in NAMES.items():
        version = LawVersion(law_id="f", name=name, jurisdiction=country, level="law", in_force="2000-01-01", texts=1)
        articles = [Article(law_id="f", number=str(number), text="…") for number in range(1, 11)]
        found[language] = Corpus.from_texts(LegalTexts(versions=[version], articles=articles, claims=frozenset({"*"})))
    return found


def invented(text: str, language: str, held: dict[str, Corpus]) -> list[str]:
    """What is called invented."""
    return [one.text for one in check_citations(text, held[language], on="2024-01-01") if one.status in INVENTED]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "您提到的《渔业法》第九十九条并不存在，请核对。"),
        ("zh", "我没有查到《渔业法》第九十九条，该法共十条。"),
        ("zh", "《渔业法》第九十九条是编造的，请勿引用。"),
        ("zh", "所谓《渔业法》第九十九条，纯属虚构。"),
        ("zh", "对方引用的《渔业法》第九十九条根本没有这一条。"),
        ("zh", "《渔业法》第九十九条系引用错误。法庭不会采信《渔业法》第九十九条。"),
        ("zh", "网传《渔网实名法》第七条，实属谣言。《渔网实名法》第八条同样如此。"),
        ("zh", "《渔网管理法（草案）》第七条拟规定年检。"),
        ("ru", "Статьи 250 Рыбного кодекса РФ не существует."),
        ("ru", "Названная вами ст. 77 Рыбного кодекса РФ отсутствует в кодексе."),
        ("ru", "Такой нормы, как ст. 60 Рыбного кодекса РФ, в законе нет."),
        ("ru", "Ссылка на ст. 99 Рыбного кодекса РФ выдумана. Поэтому ст. 99 Рыбного кодекса РФ применять нельзя."),
        ("en", "There is no section 99 of the Fisheries Act 1990."),
        ("en", "Section 99 of the Fisheries Act 1990 does not exist; the Act ends with section 10."),
        ("en", "I could not find section 99 of the Fisheries Act 1990."),
        ("en", "The cited section 99 of the Fisheries Act 1990 appears to be fabricated."),
    ],
)
def test_what_the_text_itself_denies_is_not_called_invented(language, text, held):
    """Before or behind the citation, and where the text comes back to it."""
    assert invented(text, language, held) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "根据《渔业法》第九十九条，捏造事实的，处一千元罚款。"),
        ("zh", "被告没有违反《渔业法》第九十九条。"),
        ("zh", "依《渔业法》第九十九条，双方不存在劳动关系的，不予处理。"),
        ("ru", "По ст. 99 Рыбного кодекса РФ отсутствует ответственность за такой улов."),
        ("ru", "Согласно ст. 99 Рыбного кодекса РФ не предусмотрена уплата сбора."),
        ("en", "Under section 99 of the Fisheries Act 1990 there is no licence fee."),
        ("en", "Section 99 of the Fisheries Act 1990 prohibits fabricated records."),
    ],
)
def test_a_denial_of_something_else_excuses_no_invention(language, text, held):
    """What an invented article is said to forbid or not to ask for is no word about the article itself."""
    assert len(invented(text, language, held)) == 1
