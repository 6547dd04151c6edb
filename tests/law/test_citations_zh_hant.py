"""Citations as courts and authors of Taiwan write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.citations import Mention, extract


def label(mention: Mention) -> str:
    """``law article-sub.paragraph(item)``, or the number of a decision."""
    if mention.case_number:
        return mention.case_number
    sub, item = f"-{mention.sub}" if mention.sub else "", f"({mention.item})" if mention.item else ""
    paragraph = f".{mention.paragraph}" if mention.paragraph or mention.item else ""
    through = f"..{mention.through}" if mention.through else ""
    return f"{mention.names} {mention.article}{sub}{paragraph}{item}{through}".strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("依民事訴訟法第249條第1項", "民事訴訟法 249.1"),
        ("民事訴訟法第249條第1項、同法第244條", "民事訴訟法 249.1|民事訴訟法 244"),
        ("係犯刑法第339條之4第1項第2款之加重詐欺取財罪", "刑法 339-4.1(2)"),
        ("刑法第三百三十九條之四第一項第二款", "刑法 339-4.1(2)"),
        ("刑法第339-4條第1項", "刑法 339-4.1"),
        ("原告依民法第184條第1項前段、第185條、第195條第1項請求", "民法 184.1|民法 185|民法 195.1"),
        ("違反消費者保護法第11條之1第1項、第3項規定", "消費者保護法 11-1.1|消費者保護法 11-1.3"),
        ("勞動基準法第11條第1款、第2款", "勞動基準法 11.(1)|勞動基準法 11.(2)"),
        ("公司法第23條第2項。同條第3項亦有明文", "公司法 23.2|公司法 23.3"),
        ("依公寓大廈管理條例第10條第2項前段規定，同條例第36條", "公寓大廈管理條例 10.2|公寓大廈管理條例 36"),
        ("民法第1條至第3條", "民法 1..3|民法 3"),
        ("《民法》第184條及「刑事訴訟法」第161條", "民法 184|刑事訴訟法 161"),
        ("遺產及贈與稅法第15條", "遺產及贈與稅法 15"),
        ("新創產業輔導條例第7條", "新創產業輔導條例 7"),
        ("個人資料保護法（下稱個資法）第29條、個資法第28條", "個人資料保護法 29|個人資料保護法 28"),
        ("最高法院108年度台上字第1234號民事判決", "最高法院108年度台上字第1234號"),
        ("最高法院77年台上字第 2514 號判例", "最高法院77年度台上字第2514號"),
        ("臺灣臺北地方法院112年度訴字第567號", "臺灣臺北地方法院112年度訴字第567號"),
        ("台灣高等法院111年度上易字第89號刑事判決", "臺灣高等法院111年度上易字第89號"),
        ("最高行政法院109年度判字第10號判決", "最高行政法院109年度判字第10號"),
        ("憲法法庭112年憲判字第8號判決", "憲法法庭112年度憲判字第8號"),
        ("司法院釋字第748號解釋", "釋字第748號"),
        ("釋字第748號、釋字第603號", "釋字第748號|釋字第603號"),
        ("根據《僱傭條例》第31G條及第32K(1)(b)條", "僱傭條例 31G|僱傭條例 32K.1(b)"),
        ("按照《公司條例》（第622章）第465條", "公司條例 465"),
        ("《個人資料（私隱）條例》（第486章）第26條及第35C條", "個人資料（私隱）條例 26|個人資料（私隱）條例 35C"),
        ("《業主與租客（綜合）條例》第119E條第(2)款(a)段", "業主與租客（綜合）條例 119E.2(a)"),
        ("《稅務條例》第26E(1)條", "稅務條例 26E.1"),
        ("《中華人民共和國民法典》第一千一百六十五條第一款第（二）項", "中華人民共和國民法典 1165.1(2)"),
        ("《勞動合同法》第三十九條第（二）項", "勞動合同法 39.(2)"),
        ("根據合約第5A條，租客須交租；香港法例第57章", ""),
        ("依契約第3條約定，應給付違約金", ""),
        ("第一條 租賃標的物", ""),
    ],
)
def test_citations_are_read(text, expected):
    """Articles with 之, 項 and 款, lists, what goes back to a law named before, decisions and interpretations."""
    assert [label(one) for one in extract(text, "zh-Hant")] == (expected.split("|") if expected else [])


def test_the_script_chooses_the_grammar():
    """項 is a paragraph in Taiwan, and 项 an item on the mainland: nobody has to name the language."""
    (taiwan,) = extract("民事訴訟法第249條第1項定有明文")
    (mainland,) = extract("依据《民事诉讼法》第一百二十二条第（一）项")
    assert (taiwan.language, taiwan.paragraph, taiwan.item) == ("zh-Hant", "1", "")
    assert (mainland.language, mainland.paragraph, mainland.item) == ("zh", "", "1")


@given(
    st.text(
        alphabet="第條之項款目同法民刑訴訟、及至 1234567890一二十百（）「」《》號年度字釋台上最高院簡稱。", max_size=200
    )
)
def test_any_text_is_read_and_each_mention_stands_where_it_says(text):
    """Nothing raises, spans are in the text, in order, and hold what the mention says."""
    found = extract(text, "zh-Hant")
    assert all(text[one.span[0] : one.span[1]] == one.text and one.text for one in found)
    assert [one.span for one in found] == sorted(one.span for one in found)
