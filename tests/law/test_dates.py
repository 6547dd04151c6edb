"""A day that somebody entered is read if it can be one day only; a suite's are read before anything is paid for."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.law.dates import day_of, days_with_roles, is_day
from benchbar.suites import folder
from support.in_process import runner

DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31))


@given(DAYS)
def test_a_day_is_read_in_every_form_that_means_one_day(day):
    """ISO, Chinese, Russian and English forms, points between the parts, and what a spreadsheet makes of a date."""
    month = [
        "января",
        "февраля",
        "марта",
        "апреля",
        "мая",
        "июня",
        "июля",
        "августа",
        "сентября",
        "октября",
        "ноября",
        "декабря",
    ][day.month - 1]
    english = f"{day:%B}"
    for text in (
        day.isoformat(),
        f"{day.isoformat()} 00:00:00",
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {month} {day.year}",
        f"{day.day} {english} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{english[:3]} {day.day} {day.year}",
    ):
        assert day_of(text) == day.isoformat(), text
    assert is_day(day.isoformat())


@given(DAYS)
def test_a_day_between_strokes_is_refused_where_it_may_be_two(day):
    """Day first in Europe, month first in America: both are named; where only one exists, or both are the same, it is that."""
    text = f"{day.day:02}/{day.month:02}/{day.year}"
    if day.day <= 12 and day.day != day.month:
        with pytest.raises(ValueError, match=f"may be .*{day.isoformat()}"):
            day_of(text)
    else:
        assert day_of(text) == day.isoformat()


@pytest.mark.parametrize(
    "text",
    [
        "2024-02-30",
        "32/01/2024",
        "last year",
        "去年",
        "45322",
        "May 2024",
        "",
        "0",
        "2024",
        "next 2024-01-01 or 2024-02-01",
    ],
)
def test_what_is_no_day_is_refused(text):
    """A month, a year, a number of a spreadsheet, a day that does not exist, two days."""
    with pytest.raises(ValueError, match="is no date"):
        day_of(text)
    assert not is_day(text)


@pytest.mark.parametrize("law", [True, False])
def test_a_suites_bad_day_is_a_problem_with_file_line_and_field(tmp_path, monkeypatch, law):
    """With law and without; the good samples go on, and a run ends with no traceback."""
    (tmp_path / "card.toml").write_text('name = "mine"\nlanguage = "zh"\n')
    rows = [
        {"id": one, "task": "4-3", "needs": f"押金怎么退{one}？", "on": day}
        for one, day in (("a", "01/02/2024"), ("b", "1.2.2024"))
    ]
    (tmp_path / "samples.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    if law:
        (tmp_path / "law" / "acts").mkdir(parents=True)
        (tmp_path / "law" / "acts" / "a.md").write_text(
            '+++\nlaw_id = "deposits"\nname = "押金法"\nin_force = 2020-01-01\n+++\n# 押金法\n第一条 押金应当退还。\n',
            "utf-8",
        )
    suite = folder.read(tmp_path)
    assert [(sample.id, sample.on) for sample in suite.samples] == [("b", "2024-02-01")]
    assert [(one.line, one.field) for one in suite.problems] == [(1, "on")]
    run = runner(tmp_path, monkeypatch)
    for command in (("suite", "check", "."), ("run", "--suite", ".", "--assistant", "a=closed-book")):
        done = run(*command)
        assert "may be 2024-01-02 or 2024-02-01" in done.out + done.err
        assert "Traceback" not in done.err
        assert "cannot be read" not in done.err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In force 1 July 2021", [("2021-07-01", "in_force")]),
        ("Adopted 3 May 2020. Comes into force on July 1, 2021; expires 30 June 2031", [("2020-05-03", "adopted"), ("2021-07-01", "in_force"), ("2031-06-30", "until")]),
        ("[22nd July 2004]", [("2004-07-22", "")]),
        ("（2001年10月27日通过 2013年8月30日修正 自2014年5月1日起施行）", [("2001-10-27", "adopted"), ("2013-08-30", "adopted"), ("2014-05-01", "in_force")]),
        ("Принят 3 июля 2016 г.; вступает в силу с 1 января 2017 г.", [("2016-07-03", "adopted"), ("2017-01-01", "in_force")]),
        ("от 13.07.2015, действует до 31.12.2026", [("2015-07-13", "adopted"), ("2026-12-31", "until")]),
        ("1 July", []),
    ],
)  # fmt: skip
def test_words_around_a_date_say_what_day_it_is(text: str, expected: list[tuple[str, str]]) -> None:
    """A day of entry into force is no day of adoption; a date without words has no role; a day without a year is none."""
    assert days_with_roles(text) == expected
