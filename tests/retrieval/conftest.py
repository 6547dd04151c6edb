"""A small body of law and practice of our own, for the tests of this folder."""

from __future__ import annotations

import pytest

from benchbar.records import Piece

ARTICLES = [
    ("借用法", "1", "为了规范物品借用活动，保护出借人和借用人的合法权益，制定本法。"),
    ("借用法", "2", "借用人应当按照约定的期限归还借用的物品。没有约定期限的，出借人可以随时要求归还。"),
    ("借用法", "3", "借用的物品毁损的，借用人应当赔偿损失；毁损由不可抗力造成的，不承担赔偿责任。"),
    ("借用法", "4", "出借人故意隐瞒物品缺陷，造成借用人人身损害的，应当承担侵权责任。"),
    ("水域垂钓条例", "1", "在公共水域垂钓的，应当取得垂钓许可证，并遵守禁渔期的规定。"),
    ("水域垂钓条例", "2", "未取得垂钓许可证在公共水域垂钓的，由渔政机关处以五百元以下罚款。"),
    ("水域垂钓条例", "3", "禁渔期内不得使用网具，违反者没收渔获物。"),
    ("租船合同法", "1", "承租人应当按照约定支付租金，迟延支付的应当支付违约金。"),
    ("租船合同法", "2", "出租人应当交付适航的船舶，船舶不适航的，承租人可以解除合同。"),
]
DECISIONS = [
    ("（2021）海01民终12号", "上诉人借用三轮车后毁损，法院认为借用人应当赔偿出借人的损失，判决赔偿三千元。"),
    ("（2022）海01行初7号", "原告未取得垂钓许可证垂钓，渔政机关罚款三百元，法院判决驳回诉讼请求。"),
    ("（2022）海01民初31号", "船舶不适航，承租人解除租船合同，法院支持返还租金。"),
]


def article(law: str, number: str, text: str) -> Piece:
    """One article as a passage."""
    name = f"{law}#{number}"
    return Piece(id=name, kind="article", document=name, text=text, law=law, law_id=law, article=number)


@pytest.fixture(scope="session")
def statutes() -> list[Piece]:
    """Nine articles of three laws."""
    return [article(*row) for row in ARTICLES]


@pytest.fixture(scope="session")
def decisions() -> list[Piece]:
    """Three decisions."""
    return [
        Piece(id=number, kind="decision", document=number, text=text, case_number=number) for number, text in DECISIONS
    ]
