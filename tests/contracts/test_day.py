"""The day of a contract: when it was signed, never a day on which something begins or ends."""

from __future__ import annotations

import pytest

from benchbar.contracts.day import contract_day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("г. Тверь" + " " * 70 + "14 апреля 2025 г.\n2.1. Начало работ: 5 мая 2025 г. Окончание работ: 5 августа 2025 г.", "2025-04-14"),
        ("2.1. Начало работ: 5 мая 2025 г. Окончание работ: 5 августа 2025 г.", ""),
        ("Договор заключён на год с 1 сентября 2025 года.", ""),
        ("双方订立本合同。\n第一条 期限自2025年7月1日起。\n甲方（盖章）：　乙方（签字）：\n2025年6月30日", "2025-06-30"),
        ("本协议由双方于2025年3月20日在杭州市签订，自2025年4月1日起生效。", "2025-03-20"),
        ("签订日期：2025年5月3日", "2025-05-03"),
        ("This Agreement is made on 3 February 2025 between A and B.\n2.1 It starts on 1 March 2025.", "2025-02-03"),
        ("The lease is signed for a term from 1 June 2024.", ""),
        ("Dated 12 May 2025", "2025-05-12"),
        ("委托方：            运营方：\n二〇二五年四月十八日", "2025-04-18"),
        ("联系人：\n2025年4月18日", ""),
        ("Город Самара, 1 сентября 2025 года", "2025-09-01"),
        ("1 сентября 2025 г.          г. Казань", "2025-09-01"),
        ("Работы ведутся с 1 сентября 2025 г. в городе Казань", ""),
    ],
)  # fmt: skip
def test_the_day_is_that_of_signing(text, day):
    """A word for signing on its line, or signatures on the line above; what runs from a day was not signed on it."""
    assert contract_day(text) == day
