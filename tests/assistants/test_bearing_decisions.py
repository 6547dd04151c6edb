"""Which decisions come with an answer, from a folder of files as a lawyer has it, and how articles and decisions are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchbar
from benchbar.assistants.law_practice import as_text
from benchbar.assistants.statements import Passage, nearest_words, outcome
from benchbar.assistants.writers import applied, excerpt
from benchbar.law.index import build_index

CODE = """ГАВАНСКИЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ
Принят Государственной Думой 3 июля 2020 года
Статья 1. Плата за стоянку судна
1. Судовладелец вносит плату за стоянку судна до десятого числа месяца.
2. Если плата не внесена, начисляются пени.
Статья 2. Ремонт причала
Капитан порта чинит причал за счёт порта.
Статья 3. Рассмотрение споров
Иск рассматривает портовый суд в течение месяца.
Статья 4. Осмотр лодок
Лодки осматривают раз в год.
"""
HEAD = "Дело № {number}\nРЕШЕНИЕ\nИменем Российской Федерации\n5 мая 2021 года\nПортовый суд рассмотрел иск Ю к Я.\nУСТАНОВИЛ:\n"
END = "Руководствуясь статьями 3, 4 Гаванского кодекса РФ, суд\nРЕШИЛ:\nиск удовлетворить.\n"
ON_THE_CHARGE = (
    "Ответчик не заплатил за стоянку. В силу статьи 1 Гаванского кодекса РФ плата вносится до десятого числа.\n"
)
ON_SOMETHING_ELSE = "Судовладелец судна не внёс плату за стоянку автомобиля до десятого числа месяца.\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of one code and two decisions, of which one applies an article of it and the other is worded alike."""
    folder = tmp_path_factory.mktemp("port")
    (folder / "code.txt").write_text(CODE, encoding="utf-8")
    for number, text in (("2-1/2021", ON_THE_CHARGE), ("2-2/2021", ON_SOMETHING_ELSE)):
        (folder / f"{number.replace('/', '-')}.txt").write_text(
            HEAD.format(number=number) + text + END, encoding="utf-8"
        )
    build_index([folder], folder / "index")
    return folder / "index"


def test_a_decision_comes_with_the_article_that_it_applies(port: Path) -> None:
    """A decision that applies an article which was found is shown; one that is only worded alike is not."""
    answer = benchbar.ask("До какого числа вносят плату за стоянку судна?", law=port, on="any")
    assert [one.case_number for one in answer.cases] == ["2-1/2021"]
    assert next(one.article for one in answer.articles) == "1"


def test_the_formula_of_procedure_is_no_application() -> None:
    """What every judgment names as the procedure it goes by is left out of what it applies, and what it decides on is kept."""
    found = applied(HEAD + ON_THE_CHARGE + END)
    assert "статьи 1 Гаванского" in found
    assert "статьями 3, 4" not in found
    assert "РЕШИЛ" in found


def test_passages_that_are_no_answer_are_shown_by_heading_and_nearest_words(port: Path) -> None:
    """Where there is no answer, an article is shown by its short citation, heading, and the provision nearest to the question."""
    answer = benchbar.ask("Как зовут капитана порта, который чинит причал?", law=port, on="any")
    assert answer.abstained
    assert all(f"«{one.heading}»" in as_text(answer) for one in answer.nearest if one.heading)
    assert [one.heading for one in answer.nearest if one.heading]


@pytest.mark.parametrize(
    ("decision", "found"),
    [
        ("Суд решил: исковые требования удовлетворить.", "granted"),
        ("Суд решил: исковые требования удовлетворить частично.", "practice"),
        ("Иск удовлетворить. В удовлетворении остальной части отказать.", "practice"),
        ("Суд иск удовлетворил. Определила: отменить, дело направить на новое рассмотрение.", "practice"),
        ("The claim is allowed in part.", "practice"),
        ("The appeal is allowed and the case remitted.", "practice"),
        ("法院判决被告赔偿三千元，驳回其他诉讼请求。", "practice"),
        ("二审裁定撤销原判，发回某某区人民法院重审。法院予以支持。", "practice"),
    ],
)
def test_who_won_a_part_has_not_won(decision: str, found: str) -> None:
    """A claim that was granted in part, or a case that was sent back, stands on neither side."""
    assert outcome(decision) == found


def test_the_words_of_a_decision_are_the_court_s_and_not_the_claimant_s() -> None:
    """Of a decision that sentence is shown in which the court speaks, though the claim is worded more like the question."""
    claimed = "Истец обратилась в суд с иском, указав, что судовладелец не вносит плату за стоянку судна.\n"
    decision = Passage(
        number=1, text="2-1/2021\n" + claimed + "Суд полагает, что плата за стоянку взыскана верно.\n", law=False
    )
    assert (
        nearest_words("Кто вносит плату за стоянку судна?", decision)
        == "Суд полагает, что плата за стоянку взыскана верно."
    )


def test_no_word_is_cut() -> None:
    """A line that is cut short ends with a whole word where words are spaced."""
    assert excerpt("обеспечить себя иным жилым помещением", 24) == "обеспечить себя иным…"
    assert excerpt("用人单位应当向劳动者支付", 6) == "用人单位应当…"


def test_a_list_to_read_warns_of_no_citation_of_its_own(port: Path) -> None:
    """What a quoted article refers to is not told to be outside of the material: the words are the article's."""
    answer = benchbar.ask("Кто чинит причал?", law=port, on="any")
    assert answer.outside_context == ()
