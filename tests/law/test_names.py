"""One law under its many names, and two laws under names that are close."""

from __future__ import annotations

import pytest

from benchbar.law.names import is_short_for, law_key, same_law

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
    ("Закона РФ «О защите прав потребителей»", "Закон о защите прав потребителей"),
    ("Федеральным законом «О рекламе»", "Федерального закона «О рекламе»"),
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


TITLES = (
    "最高人民法院关于适用《中华人民共和国民法典》有关担保制度的解释",
    "最高人民法院关于人民法院办理执行异议和复议案件若干问题的规定",
    "最高人民法院关于审理建设工程施工合同纠纷案件适用法律问题的解释（一）",
    "最高人民法院关于审理国家赔偿案件确定精神损害赔偿责任适用法律若干问题的解释",
    "最高人民法院关于确定民事侵权精神损害赔偿责任若干问题的解释",
    "最高人民法院关于审理民事案件适用诉讼时效制度若干问题的规定",
    "诉讼时效规定办法",
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("民法典担保制度解释", [0]), ("执行异议和复议规定", [1]), ("建设工程解释（一）", [2]), ("建设工程解释", [2]), ("诉讼时效规定", [5]),
        ("精神损害赔偿解释", [3, 4]),
        # Another number, another kind, other letters, another order, too short.
        ("建设工程解释（二）", []), ("诉讼时效解释", []), ("执行异议和和解规定", []), ("复议和执行异议规定", []), ("侵权解释", []),
    ],
)  # fmt: skip
def test_a_short_name_of_an_interpretation_leaves_out_parts_of_its_title(name, meant):
    """Courts' titles are long, and everybody shortens them in another way; several may be meant."""
    short = law_key(name)
    assert [place for place, title in enumerate(TITLES) if is_short_for(short, name, law_key(title), title)] == meant
