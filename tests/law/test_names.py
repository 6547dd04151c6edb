"""One law under its many names, and two laws under names that are close."""

from __future__ import annotations

import pytest

from benchbar.law.names import same_law

SAME = [
    ("刑法", "中华人民共和国刑法"),
    ("《民法典》", "中华人民共和国民法典"),
    ("公司法（2018修正）", "中华人民共和国公司法"),
    ("民诉法", "中华人民共和国民事诉讼法"),
    ("招投标法", "招标投标法"),
    ("公司法解释（三）", "最高人民法院关于适用《中华人民共和国公司法》若干问题的规定（三）"),
    ("公司法司法解释三", "最高人民法院关于适用〈中华人民共和国公司法〉若干问题的规定(三)"),
    ("行诉解释", "最高人民法院关于适用《中华人民共和国行政诉讼法》的解释"),
    ("民间借贷司法解释", "最高人民法院关于审理民间借贷案件适用法律若干问题的规定"),
    ("民间借贷规定", "最高人民法院关于审理民间借贷案件适用法律若干问题的规定"),
    ("行政协议案件规定", "最高人民法院关于审理行政协议案件若干问题的规定"),
    ("劳动争议司法解释一", "最高人民法院关于审理劳动争议案件适用法律问题的解释（一）"),
    ("民法典婚姻家庭编解释（一）", "最高人民法院关于适用《中华人民共和国民法典》婚姻家庭编的解释（一）"),
    ("关于民事诉讼证据的若干规定", "最高人民法院关于民事诉讼证据的若干规定"),
    ("关于企业实行综合工时的审批办法", "劳动部关于企业实行综合工时的审批办法"),
    ("ГК РФ", "Гражданский кодекс Российской Федерации (часть первая)"),
    ("Жилищного кодекса РФ", "ЖК РФ"),
    ("Трудовым кодексом Российской Федерации", "ТК РФ"),
    ("Гражданского процессуального кодекса РФ", "ГПК РФ"),
    ("Налогового кодекса РФ", "НК РФ"),
    ("Федерального закона от 13.07.2015 № 218-ФЗ", "Федеральный закон № 218-ФЗ «О государственной регистрации недвижимости»"),
    ("GDPR", "the General Data Protection Regulation"),
]  # fmt: skip
OTHER = [
    ("合同法", "劳动合同法"),
    ("劳动法", "劳动合同法"),
    ("劳动合同法", "劳动合同法实施条例"),
    ("公司法", "公司法解释（三）"),
    ("公司法解释（三）", "公司法解释（四）"),
    ("民事诉讼法", "最高人民法院关于适用《中华人民共和国民事诉讼法》的解释"),
    ("最低工资规定", "最低工资办法"),
    ("财政部关于某事的办法", "商务部关于某事的办法"),
    ("ГК РФ", "ГПК РФ"),
    ("УК РФ", "УПК РФ"),
    ("Sale of Goods Act 1979", "Sale of Goods Act 1893"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_of_one_law(one: str, other: str) -> None:
    """Full name, short name, nickname, case and spelling lead to one law, in either order."""
    assert same_law(one, other)
    assert same_law(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_names_of_two_laws(one: str, other: str) -> None:
    """A name that ends, begins or resembles another is not that other."""
    assert not same_law(one, other)
