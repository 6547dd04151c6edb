"""`benchbar.check_citations`, `ask` and `review_contract`: law, questions and contracts from Python."""

from __future__ import annotations

import pytest
from docx import Document

import benchbar
from benchbar.records.errors import BadInputError
from benchbar.suites.load import bundled

SUITE = bundled()["model-jurisdiction-zh"]
LAW = SUITE / "law"
LEASE = SUITE / "contracts" / "lease-2.docx"


def test_citations_of_a_text_are_held_against_a_folder_of_law():
    """Status by status; the day decides which version counts, and a day that is none is refused."""
    text = "依照《中华人民共和国民法典》第一条、《中华人民共和国飞行法》第二条处理。"
    statuses = [one.status.value for one in benchbar.check_citations(text, law=LAW)]
    assert len(statuses) == 2
    assert "verified" not in statuses[1]
    assert benchbar.check_citations("没有引用。", law=LAW, language="zh") == ()
    with pytest.raises(benchbar.UserError, match="language: 'fr' is not known; known: en, "):
        benchbar.check_citations("Article 1240 du Code civil", law=LAW, language="fr")
    with pytest.raises(benchbar.UserError, match="on: '2024-13-01' is no date"):
        benchbar.check_citations(text, law=LAW, on="2024-13-01")
    with pytest.raises(benchbar.UserError, match="text: NoneType was found, and a text expected"):
        benchbar.check_citations(None, law=LAW)  # type: ignore[arg-type]
    with pytest.raises(BadInputError):
        benchbar.check_citations(text, law=LAW.parent / "nowhere")


def test_a_question_is_answered_from_the_bundled_law():
    """Without a model, from quotations; every source can be looked up."""
    found = benchbar.ask("试用期最长可以约定多久？")
    assert found.articles
    assert found.generator.startswith("extractive")
    assert not found.abstained


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("试用期最长可以约定多久？", "《"),
        ("How long may a probation last?", "Act "),
        ("Как вернуть залог за квартиру?", "Гражданский кодекс"),
    ],
)
def test_without_a_law_the_invented_one_in_the_language_of_the_question_answers(question, law):
    """An English question is not put to Chinese law."""
    found = benchbar.ask(question)
    named = found.covers + "".join(one.citation for one in found.context)
    assert law in named


def test_a_question_is_answered_by_a_model_and_paid_once(chat_server, tmp_path):
    """Calls are kept in the ledger that is named; the text is told as it comes."""
    told: list[str] = []
    model = benchbar.Endpoint(model="strong", base_url=chat_server.base_url)
    first = benchbar.ask("试用期最长可以约定多久？", model=model, ledger=tmp_path / "calls.sqlite", on_text=told.append)
    sent = chat_server.stats()["requests"]
    assert sum(sent.values()) == 1
    assert "strong" in first.generator
    assert "".join(told)
    assert benchbar.ask("试用期最长可以约定多久？", model=model, ledger=tmp_path / "calls.sqlite") == first
    assert chat_server.stats()["requests"] == sent


def test_to_rewrite_a_question_a_model_is_needed():
    """Said before anything is searched."""
    with pytest.raises(benchbar.UserError, match="a model is needed"):
        benchbar.ask("试用期？", rewrite=True)


async def test_a_question_is_asked_from_a_running_loop():
    """`ask` names the coroutine, which answers."""
    with pytest.raises(benchbar.UserError, match=r"await benchbar\.ask_async"):
        benchbar.ask("试用期最长可以约定多久？")
    assert (await benchbar.ask_async("试用期最长可以约定多久？")).articles


def test_a_contract_is_reviewed_and_saved_in_every_form(tmp_path):
    """DOCX with comments at the words, a page, one document; other endings and the contract itself are refused."""
    told: list[benchbar.Progress] = []
    review = benchbar.review_contract(LEASE, on_progress=told.append)
    assert review.report.counts["high"] > 0
    assert (told[0].stage, told[0].done, told[-1].ended) == ("reviewing", 0, True)
    assert told[-1].done == told[-1].total == len(review.report.reviews)
    saved = review.save(tmp_path / "reviewed.docx")
    assert list(Document(str(saved)).comments)
    assert "<html" in review.save(tmp_path / "reviewed.html").read_text("utf-8")
    assert b'"clauses"' in review.save(tmp_path / "reviewed.json").read_bytes()
    with pytest.raises(benchbar.UserError, match=r"ends in \.docx, \.html, \.json"):
        review.save(tmp_path / "reviewed.pdf")
    copy = tmp_path / "lease.docx"
    copy.write_bytes(LEASE.read_bytes())
    with pytest.raises(benchbar.UserError, match="overwrite the contract"):
        benchbar.review_contract(copy).save(copy)


def test_a_contract_is_reviewed_by_a_model_under_a_budget(chat_server, tmp_path):
    """The budget stops the review; with a higher one it goes on, and what was answered is not asked again."""
    contract = tmp_path / "lease.md"
    contract.write_text("# 租赁合同\n\n第一条 押金不予退还。\n\n第二条 租金每月一千元。\n", "utf-8")
    price = benchbar.Price(input=1.0, output=1.0)
    model = benchbar.Endpoint(model="strong", base_url=chat_server.base_url, price=price)
    ledger = tmp_path / "calls.sqlite"
    with pytest.raises(benchbar.BenchbarError, match="budget"):
        benchbar.review_contract(contract, model=model, ledger=ledger, max_cost=1e-9)
    review = benchbar.review_contract(contract, model=model, ledger=ledger, max_cost=10.0)
    assert "strong" in review.report.reviewer
    sent = chat_server.stats()["requests"]
    again = benchbar.review_contract(contract, model=model, ledger=ledger)
    assert [one.findings for one in again.report.reviews] == [one.findings for one in review.report.reviews]
    assert chat_server.stats()["requests"] == sent


def test_without_bundled_rules_for_a_language_that_is_said():
    """A reader of the review has to know by which rules it was made."""
    review = benchbar.review_contract(LEASE)
    assert any("no risk rules were used" in warning for warning in review.report.warnings)
    demonstration = benchbar.review_contract(LEASE, demo=True)
    assert demonstration.report.demo
    assert any("DEMONSTRATION" in warning for warning in demonstration.report.warnings)


def test_an_article_that_is_asked_for_by_name_is_the_rule():
    """How it begins, though its words and those of the question have nothing in common."""
    found = benchbar.ask("What does section 4 of the Tenancies Act 2021 say?")
    assert found.rule.startswith("- [1] section 4 of the Tenancies Act 2021: (1) A landlord shall not take a deposit")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "May I reject it under section 22 of the Consumer Rights Act 2015?",
            "section 22 of the Consumer Rights Act 2015",
        ),
        ("《民法典》第五百七十七条怎么规定？", "《民法典》第五百七十七条"),
        ("Что говорит статья 810 ГК РФ?", "статья 810 ГК РФ"),
    ],
)
def test_of_an_article_that_is_not_there_no_other_one_is_given_as_the_rule(question, told):
    """It is said not to have been found; what is nearest is shown as such."""
    found = benchbar.ask(question)
    assert told in found.abstained
    assert not found.rule
    assert found.nearest


def test_of_several_last_days_the_earliest_is_told_first_with_what_it_hangs_on(tmp_path):
    """A special period is shorter than the general one; nobody has checked from which day either runs."""
    acts = tmp_path / "law" / "acts"
    acts.mkdir(parents=True)
    head = '+++\nlaw_id = "w-2020"\nname = "Work Act 2020"\njurisdiction = "Nowhere"\nin_force = 2020-01-01\n+++\n# Work Act 2020\n'
    text = (
        "Section 9\nAn employee may bring a claim to the court within three months from the day, when the breach became known,"
        " and on dismissal within one month from the day of the notice of dismissal.\n"
    )
    (acts / "w.md").write_text(head + text, "utf-8")
    found = benchbar.ask(
        "I was dismissed on 2026-02-10. Until when may I bring a claim to the court?", law=tmp_path / "law"
    )
    days = [line for line in found.rule.splitlines() if "→" in line]
    assert ["2026-03-10" in days[0], "2026-05-10" in days[1]] == [True, True]
    assert all("check what it runs from" in line for line in days)
    assert "when the breach became known" in days[1]
