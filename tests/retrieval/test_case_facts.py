"""From the facts of a case to cases like it: which queries tell facts, and what `law search` does with them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchbar.cli.main import cli
from benchbar.law.bundled import law_path
from benchbar.retrieval.case_facts import tells_a_case

FACTS = {
    "en": "The tenant left the flat in June and asked for the deposit. The landlord kept all of it, named no damage and gave no account."
    " The tenant wrote three times. No answer came.",
    "ru": "Наниматель выехал в июне и попросил вернуть залог. Собственник удержал всю сумму, о повреждениях не сообщил и расчёта не дал."
    " Наниматель писал трижды. Ответа не было.",
}


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_facts_of_every_bundled_decision_are_told_from_questions(language):
    """First paragraphs of decisions are facts; what users of the suite need is mostly none."""
    folder = law_path(f"model-jurisdiction-{language}")
    decisions = [json.loads(line) for line in (folder / "decisions.jsonl").read_text("utf-8").splitlines()]
    facts = [one["text"].split("\n")[0] for one in decisions]
    assert sum(map(tells_a_case, facts)) >= 0.95 * len(facts)
    samples = (folder.parent / "samples.jsonl").read_text("utf-8").splitlines()
    assert sum(tells_a_case(json.loads(line)["needs"]) for line in samples) <= 0.05 * len(samples)


@pytest.mark.parametrize(
    "query",
    [
        "How long may probation last?",
        FACTS["en"] + " Can I sue?",
        FACTS["en"][:100],
        FACTS["en"].replace(".", ","),
        "承租人搬离房屋后要求返还押金。出租人扣留全部押金，没有说明理由。" * 8,
    ],
)
def test_questions_short_texts_and_chinese_are_no_facts(query):
    """A question mark, few words, one sentence; and a language in which the words alone do not find more."""
    assert not tells_a_case(query)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_facts_are_searched_by_their_words_and_the_user_is_told(language):
    """The same hits as with `--retriever lexical`, with a line that says why; who names a retriever gets that one, without a line."""

    def found(*more):
        done = CliRunner().invoke(cli, ["law", "search", FACTS[language], "--json", "--on", "any", *more])
        assert done.exit_code == 0, done.output
        return [(one["id"], one["score"]) for one in json.loads(done.stdout)["hits"]], done.stderr

    by_itself, told = found()
    assert by_itself == found("--retriever", "lexical")[0]
    assert "tells the facts of a case" in told
    asked, silent = found("--retriever", "learned")
    assert asked != by_itself
    assert "tells the facts" not in silent
